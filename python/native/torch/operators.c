/* strew's own operators for PyTorch: their schemas, and their kernels for the CPU. What gradients, shapes and vmap
 * are to them is said in Python, strew/torch/operators_*.py. */
#include "operators.h"

#include <stdio.h>

#include "shared/scratch.h"
#include "support.h"

enum { DATA, INDICES, UPDATES, OPERANDS };
enum { MESSAGE_SIZE = 512 };

static const char *const operand_names[OPERANDS] = {"data", "indices", "updates"};

/* A call: what came with it, what it has made so far, and why it is refused. */
typedef struct call {
    StableIValue *stack;
    int operands;                       /* 2 for a gather, otherwise 3 */
    AtenTensorHandle handles[OPERANDS]; /* owned */
    strew_tensor views[OPERANDS];
    AtenTensorHandle result; /* owned */
    strew_tensor output;
    StringHandle reduction_name; /* owned, or NULL */
    strew_reduction reduction;
    strew_parallel parallel;
    strew_torch_class refusal;
    char message[MESSAGE_SIZE]; /* empty while nothing was refused */
} call;

/* ---- Refusals ---- */

static bool refuse(call *self, strew_torch_class refusal, const char *format, const char *word)
{
    self->refusal = refusal;
    snprintf(self->message, sizeof self->message, format, word);
    return false;
}

static strew_torch_class class_of(strew_status status)
{
    switch (status) {
    case STREW_STATUS_INDEX_OUT_OF_BOUNDS: return STREW_TORCH_INDEX_ERROR;
    case STREW_STATUS_DTYPE_MISMATCH:
    case STREW_STATUS_UNSUPPORTED_DTYPE:
    case STREW_STATUS_UNSUPPORTED_REDUCTION: return STREW_TORCH_TYPE_ERROR;
    default: return STREW_TORCH_VALUE_ERROR;
    }
}

static bool refuse_error(call *self, const strew_error *error)
{
    self->refusal = class_of(error->status);
    strew_error_message(error, self->message, sizeof self->message);
    return false;
}

static bool refuse_memory(call *self)
{
    return refuse(self, STREW_TORCH_RUNTIME_ERROR, "there is no memory for the %s", "result");
}

/* ---- Begin and end ---- */

/* PyTorch's dtypes, since strew sees several of them as opaque elements of one size. */
static bool same_dtype(const call *self)
{
    int32_t of_data = -1, of_updates = -2;
    return !pytorch.aoti_torch_get_dtype(self->handles[DATA], &of_data) &&
           !pytorch.aoti_torch_get_dtype(self->handles[UPDATES], &of_updates) && of_data == of_updates;
}

/* Takes the operands from the stack, and the name of the reduction from where a scatter has it. */
static bool begin(call *self, StableIValue *stack, int operands, int reduction_at)
{
    self->stack = stack;
    self->operands = operands;
    self->result = NULL;
    self->reduction_name = operands == OPERANDS ? (StringHandle)(uintptr_t)stack[reduction_at] : NULL;
    self->reduction = STREW_REDUCTION_NONE;
    self->message[0] = '\0';
    for (int i = 0; i < operands; i++)
        self->handles[i] = strew_torch_tensor(stack[i]);
    self->parallel = strew_torch_parallel();
    for (int i = 0; i < operands; i++)
        if (!strew_torch_view(self->handles[i], &self->views[i]))
            return refuse(
                self, STREW_TORCH_TYPE_ERROR,
                "%s must be a dense tensor of the CPU, of at most 32 dimensions and a dtype of whole bytes",
                operand_names[i]);
    if (operands == OPERANDS && self->views[DATA].dtype == self->views[UPDATES].dtype && !same_dtype(self))
        return refuse(self, STREW_TORCH_TYPE_ERROR, "%s must have the dtype of data", operand_names[UPDATES]);
    return true;
}

static bool find_reduction(call *self)
{
    const char *name;
    if (pytorch.torch_string_c_str(self->reduction_name, &name))
        return refuse_memory(self);
    if (!strew_reduction_find(name, &self->reduction))
        return refuse(self, STREW_TORCH_VALUE_ERROR,
                      "reduction is \"%.100s\", and must be none, sum, sub, prod, min, max or mean", name);
    return true;
}

/* Makes the result. */
static bool make_result(call *self, const int64_t *shape, int32_t rank)
{
    int32_t dtype;
    if (pytorch.aoti_torch_get_dtype(self->handles[DATA], &dtype))
        return refuse_memory(self);
    self->result = strew_torch_empty(rank, shape, dtype);
    if (!self->result || !strew_torch_view_mutable(self->result, &self->output))
        return refuse_memory(self);
    return true;
}

/* Leaves the result on the stack, or throws. */
static void end(call *self)
{
    for (int i = 0; i < self->operands; i++)
        pytorch.aoti_torch_delete_tensor_object(self->handles[i]);
    if (self->reduction_name)
        pytorch.torch_delete_string(self->reduction_name);
    if (self->message[0] == '\0') {
        self->stack[0] = strew_torch_result(self->result);
        return;
    }
    if (self->result)
        pytorch.aoti_torch_delete_tensor_object(self->result);
    strew_torch_raise(self->refusal, self->message);
}

/* ---- Gathers ---- */

static bool do_gather_nd(call *self, StableIValue *stack)
{
    if (!begin(self, stack, 2, 0))
        return false;
    const strew_tensor *const data = &self->views[DATA], *const indices = &self->views[INDICES];
    const int64_t batch_dims = (int64_t)stack[2];
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = &self->parallel;
    options.error = &error;
    if (strew_gather_nd_shape(data, indices, batch_dims, shape, &rank, &error))
        return refuse_error(self, &error);
    if (!make_result(self, shape, rank))
        return false;
    if (strew_gather_nd(data, indices, batch_dims, &self->output, &options))
        return refuse_error(self, &error);
    return true;
}

static bool do_gather_elements(call *self, StableIValue *stack)
{
    if (!begin(self, stack, 2, 0))
        return false;
    const strew_tensor *const data = &self->views[DATA], *const indices = &self->views[INDICES];
    const int64_t axis = (int64_t)stack[2];
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = &self->parallel;
    options.error = &error;
    if (strew_gather_elements_shape(data, indices, axis, shape, &rank, &error))
        return refuse_error(self, &error);
    if (!make_result(self, shape, rank))
        return false;
    if (strew_gather_elements(data, indices, axis, &self->output, &options))
        return refuse_error(self, &error);
    return true;
}

/* ---- Scatters ---- */

static strew_buffers buffers_of(const call *self)
{
    return (strew_buffers){.data = self->views[DATA].data,
                           .indices = self->views[INDICES].data,
                           .updates = self->views[UPDATES].data,
                           .output = self->output.data};
}

/* Runs a plan on all threads. Without memory for scratch it is slower or, if it must have some, refused by strew.
 */
static bool run_plan(const call *self, const strew_plan *plan, const strew_buffers *buffers, strew_error *error)
{
    const size_t threads = self->parallel.threads;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = &self->parallel;
    options.error = error;
    scratch_block *scratch;
    (void)scratch_lend(plan, threads, &options, &scratch);
    const strew_status status = strew_plan_run(plan, buffers, &options);
    scratch_give_back(scratch);
    return status == STREW_STATUS_OK;
}

/* Whether data is one element everywhere, of zero bytes: what a gradient is added up from. */
static bool is_zeros(const strew_tensor *data)
{
    const size_t size = strew_dtype_size(data->dtype);
    bool zeros = data->data != NULL;
    for (int32_t d = 0; d < data->rank; d++)
        zeros = zeros && data->strides[d] == 0 && data->shape[d] > 0;
    for (size_t i = 0; zeros && i < size; i++)
        zeros = ((const char *)data->data)[i] == 0;
    return zeros;
}

/* Makes the result of a scatter, of the shape of data. Zeros are written to it instead of being copied one by one,
 * and the scatter is done in place. */
static bool make_scatter_result(call *self)
{
    strew_tensor *const data = &self->views[DATA];
    if (!make_result(self, data->shape, data->rank))
        return false;
    if (is_zeros(data) && !pytorch.aoti_torch_zero_(self->result))
        *data = self->output;
    return true;
}

static bool do_scatter_elements(call *self, StableIValue *stack)
{
    if (!begin(self, stack, OPERANDS, 4) || !find_reduction(self))
        return false;
    const int64_t axis = (int64_t)stack[3];
    const bool use_init_val = stack[5] & 1;
    strew_error error = {0};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = self->parallel.threads;
    options.error = &error;
    strew_plan plan;
    if (!make_scatter_result(self))
        return false;
    if (strew_plan_scatter_elements(&plan, &self->views[DATA], &self->views[INDICES], &self->views[UPDATES], axis,
                                    self->reduction, use_init_val, &self->output, &options))
        return refuse_error(self, &error);
    const strew_buffers buffers = buffers_of(self);
    return run_plan(self, &plan, &buffers, &error) || refuse_error(self, &error);
}

/* ---- Batches of scatters ----
 *
 * strew's scatter has no batch_dims: the first dimensions are gone through here, one run of the plan for each of
 * their positions. */

typedef struct batches {
    const call *call;
    const strew_plan *plan; /* of one batch */
    int32_t dims;
    int64_t count;
    int64_t shards;
    int64_t *refused; /* for each shard the first batch that was refused, or -1 */
} batches;

/* The part of a tensor that belongs to one batch. */
static strew_tensor batch_view(const strew_tensor *tensor, int32_t dims)
{
    strew_tensor view = *tensor;
    view.rank -= dims;
    view.shape += dims;
    view.strides += dims;
    return view;
}

static char *batch_pointer(const strew_tensor *tensor, int32_t dims, int64_t batch)
{
    int64_t offset = 0;
    for (int32_t d = dims - 1; d >= 0; d--) {
        offset += batch % tensor->shape[d] * tensor->strides[d];
        batch /= tensor->shape[d];
    }
    return tensor->data ? (char *)tensor->data + offset * (int64_t)strew_dtype_size(tensor->dtype) : NULL;
}

static strew_buffers batch_buffers(const batches *self, int64_t batch)
{
    const strew_tensor *const views = self->call->views;
    return (strew_buffers){.data = batch_pointer(&views[DATA], self->dims, batch),
                           .indices = batch_pointer(&views[INDICES], self->dims, batch),
                           .updates = batch_pointer(&views[UPDATES], self->dims, batch),
                           .output = batch_pointer(&self->call->output, self->dims, batch)};
}

static void run_shard(void *context, size_t shard)
{
    const batches *const self = context;
    const int64_t end = self->count * ((int64_t)shard + 1) / self->shards;
    for (int64_t batch = self->count * (int64_t)shard / self->shards; batch < end; batch++) {
        const strew_buffers buffers = batch_buffers(self, batch);
        if (strew_plan_run(self->plan, &buffers, NULL)) {
            self->refused[shard] = batch;
            return;
        }
    }
}

enum {
    MOST_SHARDS = 256,
    LEAST_SHARD = 32768 /* elements: with fewer, waking a thread costs more than it does */
};

/* Many batches: each thread takes some. */
static int64_t run_across(batches *self, int64_t elements)
{
    int64_t refused[MOST_SHARDS];
    const int64_t threads = (int64_t)self->call->parallel.threads;
    self->shards = threads < self->count ? threads : self->count;
    self->shards = self->shards < MOST_SHARDS ? self->shards : MOST_SHARDS;
    if (elements / LEAST_SHARD < self->shards)
        self->shards = elements / LEAST_SHARD > 0 ? elements / LEAST_SHARD : 1;
    self->refused = refused;
    for (int64_t i = 0; i < self->shards; i++)
        refused[i] = -1;
    if (self->shards == 1)
        run_shard(self, 0);
    else
        self->call->parallel.run(self->call->parallel.pool, run_shard, self, (size_t)self->shards);
    for (int64_t i = 0; i < self->shards; i++)
        if (refused[i] >= 0)
            return refused[i];
    return -1;
}

/* Makes of a batch's error one of the whole tensors. */
static void complete_error(strew_error *error, const strew_tensor *indices, int32_t dims, int64_t batch)
{
    if (error->status != STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        return;
    error->dimension += dims;
    for (int32_t d = error->position_rank - 1; d >= 0; d--)
        error->position[d + dims] = error->position[d];
    for (int32_t d = dims - 1; d >= 0; d--) {
        error->position[d] = batch % indices->shape[d];
        batch /= indices->shape[d];
    }
    error->position_rank += dims;
}

static int64_t count_elements(const int64_t *shape, int32_t rank)
{
    int64_t count = 1;
    for (int32_t d = 0; d < rank; d++)
        count *= shape[d];
    return count;
}

static bool run_batches(call *self, const strew_plan *plan, int32_t dims)
{
    const strew_tensor *const data = &self->views[DATA], *const updates = &self->views[UPDATES];
    batches all = {self, plan, dims, count_elements(data->shape, dims), 1, NULL};
    strew_error error = {0};
    if (all.count >= (int64_t)self->parallel.threads) {
        const int64_t elements =
            count_elements(data->shape, data->rank) + count_elements(updates->shape, updates->rank);
        const int64_t refused = all.count > 0 ? run_across(&all, elements) : -1;
        if (refused < 0)
            return true;
        const strew_buffers buffers = batch_buffers(&all, refused);
        strew_run_options options = STREW_RUN_OPTIONS_INIT;
        options.error = &error;
        strew_plan_run(plan, &buffers, &options);
        complete_error(&error, &self->views[INDICES], dims, refused);
        return refuse_error(self, &error);
    }
    for (int64_t batch = 0; batch < all.count; batch++) {
        const strew_buffers buffers = batch_buffers(&all, batch);
        if (run_plan(self, plan, &buffers, &error))
            continue;
        complete_error(&error, &self->views[INDICES], dims, batch);
        return refuse_error(self, &error);
    }
    return true;
}

/* Checks what the plan of one batch does not see. */
static bool check_batches(call *self, int64_t batch_dims)
{
    const strew_tensor *const updates = &self->views[UPDATES];
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    strew_error error;
    /* Indices and batch_dims are to data what they are when gathering; updates are what would be gathered. */
    if (strew_gather_nd_shape(&self->views[DATA], &self->views[INDICES], batch_dims, shape, &rank, &error))
        return refuse_error(self, &error);
    bool fits = updates->rank == rank;
    for (int32_t d = 0; fits && d < batch_dims; d++)
        fits = updates->shape[d] == shape[d];
    return fits || refuse(self, STREW_TORCH_VALUE_ERROR,
                          "%s must have the shape indices.shape[:-1] + data.shape[batch_dims + indices.shape[-1]:]",
                          operand_names[UPDATES]);
}

static bool do_scatter_nd(call *self, StableIValue *stack)
{
    if (!begin(self, stack, OPERANDS, 3) || !find_reduction(self))
        return false;
    const int64_t batch_dims = (int64_t)stack[4];
    if (batch_dims != 0 && !check_batches(self, batch_dims))
        return false;
    if (!make_scatter_result(self))
        return false;
    const int32_t dims = (int32_t)batch_dims;
    const strew_tensor data = batch_view(&self->views[DATA], dims),
                       indices = batch_view(&self->views[INDICES], dims),
                       updates = batch_view(&self->views[UPDATES], dims), output = batch_view(&self->output, dims);
    strew_error error = {0};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = dims == 0 ? self->parallel.threads : 0;
    options.error = &error;
    strew_plan plan;
    if (strew_plan_scatter_nd(&plan, &data, &indices, &updates, self->reduction, &output, &options))
        return refuse_error(self, &error);
    if (dims > 0)
        return run_batches(self, &plan, dims);
    const strew_buffers buffers = buffers_of(self);
    return run_plan(self, &plan, &buffers, &error) || refuse_error(self, &error);
}

/* ---- The library ---- */

#define KERNEL(name)                                                            \
    static void name(StableIValue *stack, uint64_t arguments, uint64_t outputs) \
    {                                                                           \
        (void)arguments;                                                        \
        (void)outputs;                                                          \
        call self;                                                              \
        do_##name(&self, stack);                                                \
        end(&self);                                                             \
    }
KERNEL(gather_nd)
KERNEL(gather_elements)
KERNEL(scatter_nd)
KERNEL(scatter_elements)
#undef KERNEL

static const struct {
    const char *name, *schema;
    strew_torch_kernel kernel;
} operators[] = {
    {"gather_nd", "gather_nd(Tensor data, Tensor indices, int batch_dims=0) -> Tensor", gather_nd},
    {"gather_elements", "gather_elements(Tensor data, Tensor indices, int axis=0) -> Tensor", gather_elements},
    {"scatter_nd",
     "scatter_nd(Tensor data, Tensor indices, Tensor updates, str reduction=\"none\", int batch_dims=0) -> Tensor",
     scatter_nd},
    {"scatter_elements",
     "scatter_elements(Tensor data, Tensor indices, Tensor updates, int axis=0, str reduction=\"none\", "
     "bool use_init_val=True) -> Tensor",
     scatter_elements},
};

const char *strew_torch_define_operators(void)
{
    static TorchLibraryHandle definitions, kernels; /* never deleted: that would take the operators away */
    if (definitions)
        return NULL;
    if (pytorch.aoti_torch_library_init_def("strew", "strew", 0, &definitions))
        return "the namespace strew";
    if (pytorch.aoti_torch_library_init_impl("strew", "CPU", "strew", 0, &kernels))
        return "kernels for the CPU";
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
        if (pytorch.aoti_torch_library_def(definitions, operators[i].schema) ||
            pytorch.torch_library_impl(kernels, operators[i].name, operators[i].kernel, STREW_TORCH_VERSION))
            return operators[i].name;
    return NULL;
}
