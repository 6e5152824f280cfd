/* strew's own operators for PyTorch: their schemas, and their kernels for the CPU. Python has their gradients,
 * shapes and vmap rules: strew/torch/operators_*.py. */
#include "operators.h"

#include <stdio.h>
#include <strew/operators.h>

#include "products.h"
#include "shared/scratch.h"
#include "support.h"

/* The tensors of a call. */
enum { DATA, INDICES, UPDATES, FILL, SEGMENTS, WEIGHTS, OPERANDS };
/* The other arguments of a call, by type. */
enum { REDUCTION, BOUNDS, EMPTY, STRINGS };
enum { AXIS, BATCH_DIMS, USE_INIT_VAL, CIRCULAR, UNIQUE_INDICES, SEGMENT_COUNT, DEFAULT_INDEX, NUMBERS };
enum { STARTS, STOPS, STEPS, AXES, LISTS };
enum { MESSAGE_SIZE = 512 };

static const char *const operand_names[OPERANDS] = {
    "data", "indices", "updates", "fill", "offsets, segment_ids or targets", "weights"};

/* The type of a schema's argument on the stack. */
typedef enum argument_kind { TENSOR, OPTIONAL_TENSOR, NUMBER, STRING, LIST } argument_kind;

typedef struct argument {
    argument_kind kind;
    int place; /* which of its kind */
} argument;

enum { MOST_ARGUMENTS = 9 };

/* An operator: its arguments in the order of its schema. */
typedef struct description {
    strew_kind kind;
    int count;
    argument arguments[MOST_ARGUMENTS];
} description;

/* A call: its arguments, its results so far, and the reason if it is refused. */
typedef struct call {
    strew_kind kind;
    AtenTensorHandle handles[OPERANDS]; /* owned; NULL where there is none */
    strew_tensor views[OPERANDS];
    AtenTensorHandle result; /* owned */
    strew_tensor output;
    int64_t numbers[NUMBERS];
    StringHandle strings[STRINGS]; /* owned, or NULL */
    StableListHandle lists[LISTS]; /* owned, or NULL */
    int64_t values[LISTS][STREW_MAX_RANK];
    strew_slice slice; /* points to the values */
    strew_reduction reduction;
    strew_bounds bounds;
    strew_empty empty;
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

/* Whether a number is a bool: PyTorch sets only one bit of its stack entry. */
static bool is_truth(int place)
{
    return place == USE_INIT_VAL || place == CIRCULAR || place == UNIQUE_INDICES;
}

/* Takes one argument from the stack. */
static void take(call *self, argument taken, StableIValue value)
{
    StableIValue *const optional = (StableIValue *)(uintptr_t)value;
    switch (taken.kind) {
    case TENSOR: self->handles[taken.place] = strew_torch_tensor(value); break;
    case OPTIONAL_TENSOR:
        self->handles[taken.place] = optional ? strew_torch_tensor(*optional) : NULL;
        strew_torch_delete_optional(optional);
        break;
    case NUMBER: self->numbers[taken.place] = is_truth(taken.place) ? (int64_t)(value & 1) : (int64_t)value; break;
    case STRING: self->strings[taken.place] = (StringHandle)(uintptr_t)value; break;
    case LIST: self->lists[taken.place] = (StableListHandle)(uintptr_t)value; break;
    }
}

/* PyTorch's dtypes, since strew sees several of them as opaque elements of one size. */
static bool has_dtype_of_data(const call *self, int operand)
{
    int32_t of_data = -1, of_operand = -2;
    return !pytorch.aoti_torch_get_dtype(self->handles[DATA], &of_data) &&
           !pytorch.aoti_torch_get_dtype(self->handles[operand], &of_operand) && of_data == of_operand;
}

static bool view_tensors(call *self)
{
    for (int i = 0; i < OPERANDS; i++)
        if (self->handles[i] && !strew_torch_view(self->handles[i], &self->views[i]))
            return refuse(
                self, STREW_TORCH_TYPE_ERROR,
                "%s must be a dense tensor of the CPU, of at most 32 dimensions and a dtype of whole bytes",
                operand_names[i]);
    if (self->handles[UPDATES] && self->views[DATA].dtype == self->views[UPDATES].dtype &&
        !has_dtype_of_data(self, UPDATES))
        return refuse(self, STREW_TORCH_TYPE_ERROR, "%s must have the dtype of data", operand_names[UPDATES]);
    if (self->handles[FILL] && (!has_dtype_of_data(self, FILL) || self->views[FILL].rank != 0))
        return refuse(self, STREW_TORCH_TYPE_ERROR, "%s must be of rank 0 and have the dtype of data",
                      operand_names[FILL]);
    return true;
}

static bool find_names(call *self)
{
    const char *name;
    if (self->strings[REDUCTION]) {
        if (pytorch.torch_string_c_str(self->strings[REDUCTION], &name))
            return refuse_memory(self);
        if (!strew_reduction_find(name, &self->reduction))
            return refuse(self, STREW_TORCH_VALUE_ERROR,
                          "reduction is \"%.100s\", and must be none, sum, sub, prod, min, max or mean", name);
    }
    if (self->strings[BOUNDS]) {
        if (pytorch.torch_string_c_str(self->strings[BOUNDS], &name))
            return refuse_memory(self);
        if (!strew_bounds_find(name, &self->bounds))
            return refuse(self, STREW_TORCH_VALUE_ERROR,
                          "bounds is \"%.100s\", and must be refuse, stop, skip, clamp or wrap", name);
    }
    if (self->strings[EMPTY]) {
        if (pytorch.torch_string_c_str(self->strings[EMPTY], &name))
            return refuse_memory(self);
        if (!strew_empty_find(name, &self->empty))
            return refuse(self, STREW_TORCH_VALUE_ERROR, "empty is \"%.100s\", and must be zero or lowest", name);
    }
    return true;
}

/* Reads a list of a slice into values; *count is how many it has. */
static bool read_list(call *self, int list, size_t *count)
{
    *count = 0;
    if (pytorch.torch_list_size(self->lists[list], count))
        return refuse_memory(self);
    for (size_t i = 0; i < *count && i < STREW_MAX_RANK; i++) {
        StableIValue item;
        if (pytorch.torch_list_get_item(self->lists[list], i, &item))
            return refuse_memory(self);
        self->values[list][i] = (int64_t)item;
    }
    return true;
}

/* Steps and axes that have no entries have their defaults. */
static bool read_slice(call *self)
{
    size_t counts[LISTS];
    for (int list = 0; list < LISTS; list++)
        if (!read_list(self, list, &counts[list]))
            return false;
    const size_t count = counts[STARTS];
    if (count > STREW_MAX_RANK || counts[STOPS] != count || (counts[STEPS] && counts[STEPS] != count) ||
        (counts[AXES] && counts[AXES] != count))
        return refuse(self, STREW_TORCH_VALUE_ERROR, "%s must have one entry for each dimension that is sliced",
                      "starts, stops, steps and axes");
    for (size_t i = 0; counts[STEPS] == 0 && i < count; i++)
        self->values[STEPS][i] = 1;
    self->slice = (strew_slice){(int32_t)count,       0,
                                self->values[STARTS], self->values[STOPS],
                                self->values[STEPS],  counts[AXES] ? self->values[AXES] : NULL};
    return true;
}

/* Takes all arguments from the stack, which is the stack's no more. */
static bool begin(call *self, const description *op, const StableIValue *stack)
{
    *self = (call){.kind = op->kind, .reduction = STREW_REDUCTION_NONE, .bounds = STREW_BOUNDS_REFUSE};
    for (int i = 0; i < op->count; i++)
        take(self, op->arguments[i], stack[i]);
    self->parallel = strew_torch_parallel();
    return view_tensors(self) && find_names(self) && (!self->lists[STARTS] || read_slice(self));
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
static void end(call *self, StableIValue *stack)
{
    for (int i = 0; i < OPERANDS; i++)
        if (self->handles[i])
            pytorch.aoti_torch_delete_tensor_object(self->handles[i]);
    for (int i = 0; i < STRINGS; i++)
        if (self->strings[i])
            pytorch.torch_delete_string(self->strings[i]);
    for (int i = 0; i < LISTS; i++)
        if (self->lists[i])
            pytorch.torch_delete_list(self->lists[i]);
    if (self->message[0] == '\0') {
        stack[0] = strew_torch_result(self->result);
        return;
    }
    if (self->result)
        pytorch.aoti_torch_delete_tensor_object(self->result);
    strew_torch_raise(self->refusal, self->message);
}

/* ---- Operators ---- */

/* NULL if the operand is absent. */
static const strew_tensor *tensor_of(const call *self, int operand)
{
    return self->handles[operand] ? &self->views[operand] : NULL;
}

static strew_buffers buffers_of(const call *self)
{
    const strew_tensor *const views = self->views;
    return (strew_buffers){.data = views[DATA].data,
                           .indices = views[INDICES].data,
                           .updates = views[UPDATES].data,
                           .output = self->output.data,
                           .segments = views[SEGMENTS].data,
                           .weights = views[WEIGHTS].data};
}

/* Runs a plan on all threads. Without memory for scratch it is slower or, if it must have some, refused by strew.
 */
static bool run_plan(const call *self, const strew_plan *plan, const strew_buffers *buffers, strew_error *error)
{
    const size_t threads = self->parallel.threads;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = &self->parallel;
    options.error = error;
    options.fill = self->views[FILL].data;
    scratch_block *scratch;
    (void)scratch_lend(plan, threads, &options, &scratch);
    const strew_status status = strew_plan_run(plan, buffers, &options);
    scratch_give_back(scratch);
    return status == STREW_STATUS_OK;
}

/* Whether data is a single zero, expanded: gradients are summed into such data. */
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

static strew_status find_shape(const call *self, int64_t *shape, int32_t *rank, strew_error *error)
{
    const strew_tensor *const data = &self->views[DATA], *const indices = &self->views[INDICES];
    const strew_tensor *const segments = tensor_of(self, SEGMENTS), *const weights = tensor_of(self, WEIGHTS);
    const int64_t axis = self->numbers[AXIS], batch_dims = self->numbers[BATCH_DIMS];
    const int64_t segment_count = self->numbers[SEGMENT_COUNT];
    switch (self->kind) {
    case STREW_KIND_GATHER: return strew_gather_shape(data, indices, axis, batch_dims, shape, rank, error);
    case STREW_KIND_GATHER_ND: return strew_gather_nd_shape(data, indices, batch_dims, shape, rank, error);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_embedding_bag_offsets_shape(data, indices, segments, weights, shape, rank, error);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_embedding_bag_packed_shape(data, indices, weights, shape, rank, error);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_embedding_segments_shape(data, indices, segments, weights, segment_count, shape, rank, error);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_segment_reduce_shape(data, segments, segment_count, shape, rank, error);
    default: return strew_gather_elements_shape(data, indices, axis, shape, rank, error);
    }
}

static strew_status make_plan(const call *self, const strew_plan_options *options, strew_plan *plan)
{
    const strew_tensor *const data = &self->views[DATA], *const indices = tensor_of(self, INDICES),
                              *const updates = tensor_of(self, UPDATES),
                              *const segments = tensor_of(self, SEGMENTS),
                              *const weights = tensor_of(self, WEIGHTS), *const output = &self->output;
    const int64_t axis = self->numbers[AXIS], batch_dims = self->numbers[BATCH_DIMS];
    const int64_t default_index = self->numbers[DEFAULT_INDEX];
    const bool use_init_val = self->numbers[USE_INIT_VAL] != 0, circular = self->numbers[CIRCULAR] != 0;
    switch (self->kind) {
    case STREW_KIND_GATHER: return strew_plan_gather(plan, data, indices, axis, batch_dims, output, options);
    case STREW_KIND_GATHER_ND: return strew_plan_gather_nd(plan, data, indices, batch_dims, output, options);
    case STREW_KIND_GATHER_ELEMENTS: return strew_plan_gather_elements(plan, data, indices, axis, output, options);
    case STREW_KIND_SCATTER:
        return strew_plan_scatter(plan, data, indices, updates, axis, batch_dims, self->reduction, use_init_val,
                                  output, options);
    case STREW_KIND_SCATTER_ND:
        return strew_plan_scatter_nd(plan, data, indices, updates, self->reduction, output, options);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_plan_tensor_scatter(plan, data, indices, updates, axis, circular, output, options);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_plan_embedding_bag_offsets(plan, data, indices, segments, weights, self->reduction,
                                                default_index, output, options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_plan_embedding_bag_packed(plan, data, indices, weights, self->reduction, output, options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_plan_embedding_segments(plan, data, indices, segments, weights, self->reduction, default_index,
                                             output, options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_plan_segment_reduce(plan, data, segments, self->reduction, self->empty, output, options);
    case STREW_KIND_GATHER_SCATTER:
        return strew_plan_gather_scatter(plan, data, updates, indices, segments, weights, self->reduction,
                                         use_init_val, output, options);
    case STREW_KIND_SLICE_SCATTER:
        return strew_plan_slice_scatter(plan, data, updates, &self->slice, output, options);
    default:
        return strew_plan_scatter_elements(plan, data, indices, updates, axis, self->reduction, use_init_val,
                                           output, options);
    }
}

static bool make_gather_result(call *self)
{
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    strew_error error;
    if (find_shape(self, shape, &rank, &error))
        return refuse_error(self, &error);
    return make_result(self, shape, rank);
}

static strew_plan_options plan_options_of(const call *self, strew_error *error)
{
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.bounds = self->bounds;
    options.flags = self->numbers[UNIQUE_INDICES] ? STREW_FLAG_UNIQUE_INDICES : 0;
    options.error = error;
    return options;
}

/* Plans and runs it. */
static bool run_call(call *self)
{
    strew_error error = {0};
    strew_plan_options options = plan_options_of(self, &error);
    options.threads = self->parallel.threads;
    strew_plan plan;
    if (!(self->handles[UPDATES] ? make_scatter_result(self) : make_gather_result(self)))
        return false;
    if (make_plan(self, &options, &plan))
        return refuse_error(self, &error);
    const strew_buffers buffers = buffers_of(self);
    return run_plan(self, &plan, &buffers, &error) || refuse_error(self, &error);
}

/* ---- Batches of scatters ----
 *
 * strew's scatter_nd has no batch_dims: the first dimensions are gone through here, one run of the plan for each of
 * their positions. */

typedef struct batches {
    const call *call;
    const strew_plan *plan; /* the plan of one batch */
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

/* Checks what the plan of one batch cannot see. */
static bool check_batches(call *self, int64_t batch_dims)
{
    const strew_tensor *const updates = &self->views[UPDATES];
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    strew_error error;
    /* Updates must have the shape that gathering with these indices and batch_dims would give. */
    if (strew_gather_nd_shape(&self->views[DATA], &self->views[INDICES], batch_dims, shape, &rank, &error))
        return refuse_error(self, &error);
    bool fits = updates->rank == rank;
    for (int32_t d = 0; fits && d < batch_dims; d++)
        fits = updates->shape[d] == shape[d];
    return fits || refuse(self, STREW_TORCH_VALUE_ERROR,
                          "%s must have the shape indices.shape[:-1] + data.shape[batch_dims + indices.shape[-1]:]",
                          operand_names[UPDATES]);
}

static bool scatter_batches(call *self)
{
    const int64_t batch_dims = self->numbers[BATCH_DIMS];
    if (!check_batches(self, batch_dims) || !make_scatter_result(self))
        return false;
    const int32_t dims = (int32_t)batch_dims;
    const strew_tensor data = batch_view(&self->views[DATA], dims),
                       indices = batch_view(&self->views[INDICES], dims),
                       updates = batch_view(&self->views[UPDATES], dims), output = batch_view(&self->output, dims);
    strew_error error = {0};
    const strew_plan_options options = plan_options_of(self, &error);
    strew_plan plan;
    if (strew_plan_scatter_nd(&plan, &data, &indices, &updates, self->reduction, &output, &options))
        return refuse_error(self, &error);
    return run_batches(self, &plan, dims);
}

static void run_operator(const description *op, StableIValue *stack)
{
    call self;
    if (begin(&self, op, stack)) {
        if (op->kind == STREW_KIND_SCATTER_ND && self.numbers[BATCH_DIMS] != 0)
            scatter_batches(&self);
        else
            run_call(&self);
    }
    end(&self, stack);
}

/* ---- The library ---- */

#define BOUNDS_TEXT "str bounds=\"refuse\""
#define GATHER_TEXT BOUNDS_TEXT ", Tensor? fill=None) -> Tensor"
#define SCATTER_TEXT BOUNDS_TEXT ") -> Tensor"
#define UNIQUE_TEXT BOUNDS_TEXT ", bool unique_indices=False) -> Tensor"
#define DEFAULT_TEXT BOUNDS_TEXT ", int default_index=-1) -> Tensor"
#define REDUCTION_TEXT "str reduction=\"none\", "
#define COMBINE_TEXT "str reduction=\"sum\", "
#define GATHER_OPERANDS \
    {TENSOR, DATA},     \
    {                   \
        TENSOR, INDICES \
    }
#define SCATTER_OPERANDS \
    GATHER_OPERANDS,     \
    {                    \
        TENSOR, UPDATES  \
    }
#define GATHER_REST           \
    {STRING, BOUNDS},         \
    {                         \
        OPTIONAL_TENSOR, FILL \
    }

/* X(name, KIND, count, schema, arguments). */
#define OPERATORS(X)                                                                                              \
    X(gather, GATHER, 6, "Tensor data, Tensor indices, int axis=0, int batch_dims=0, " GATHER_TEXT,               \
      GATHER_OPERANDS, {NUMBER, AXIS}, {NUMBER, BATCH_DIMS}, GATHER_REST)                                         \
    X(gather_nd, GATHER_ND, 5, "Tensor data, Tensor indices, int batch_dims=0, " GATHER_TEXT, GATHER_OPERANDS,    \
      {NUMBER, BATCH_DIMS}, GATHER_REST)                                                                          \
    X(gather_elements, GATHER_ELEMENTS, 5, "Tensor data, Tensor indices, int axis=0, " GATHER_TEXT,               \
      GATHER_OPERANDS, {NUMBER, AXIS}, GATHER_REST)                                                               \
    X(scatter, SCATTER, 9,                                                                                        \
      "Tensor data, Tensor indices, Tensor updates, int axis=0, int batch_dims=0, " REDUCTION_TEXT                \
      "bool use_init_val=True, " UNIQUE_TEXT,                                                                     \
      SCATTER_OPERANDS, {NUMBER, AXIS}, {NUMBER, BATCH_DIMS}, {STRING, REDUCTION}, {NUMBER, USE_INIT_VAL},        \
      {STRING, BOUNDS}, {NUMBER, UNIQUE_INDICES})                                                                 \
    X(scatter_nd, SCATTER_ND, 7,                                                                                  \
      "Tensor data, Tensor indices, Tensor updates, " REDUCTION_TEXT "int batch_dims=0, " UNIQUE_TEXT,            \
      SCATTER_OPERANDS, {STRING, REDUCTION}, {NUMBER, BATCH_DIMS}, {STRING, BOUNDS}, {NUMBER, UNIQUE_INDICES})    \
    X(scatter_elements, SCATTER_ELEMENTS, 8,                                                                      \
      "Tensor data, Tensor indices, Tensor updates, int axis=0, " REDUCTION_TEXT                                  \
      "bool use_init_val=True, " UNIQUE_TEXT,                                                                     \
      SCATTER_OPERANDS, {NUMBER, AXIS}, {STRING, REDUCTION}, {NUMBER, USE_INIT_VAL}, {STRING, BOUNDS},            \
      {NUMBER, UNIQUE_INDICES})                                                                                   \
    X(tensor_scatter, TENSOR_SCATTER, 6,                                                                          \
      "Tensor data, Tensor? indices, Tensor updates, int axis=-2, bool circular=False, " SCATTER_TEXT,            \
      {TENSOR, DATA}, {OPTIONAL_TENSOR, INDICES}, {TENSOR, UPDATES}, {NUMBER, AXIS}, {NUMBER, CIRCULAR},          \
      {STRING, BOUNDS})                                                                                           \
    X(slice_scatter, SLICE_SCATTER, 6,                                                                            \
      "Tensor data, Tensor updates, int[] starts, int[] stops, int[] steps=[], int[] axes=[]) -> Tensor",         \
      {TENSOR, DATA}, {TENSOR, UPDATES}, {LIST, STARTS}, {LIST, STOPS}, {LIST, STEPS}, {LIST, AXES})              \
    X(embedding_bag, EMBEDDING_BAG_OFFSETS, 7,                                                                    \
      "Tensor data, Tensor indices, Tensor offsets, Tensor? weights=None, " COMBINE_TEXT DEFAULT_TEXT,            \
      GATHER_OPERANDS, {TENSOR, SEGMENTS}, {OPTIONAL_TENSOR, WEIGHTS}, {STRING, REDUCTION}, {STRING, BOUNDS},     \
      {NUMBER, DEFAULT_INDEX})                                                                                    \
    X(embedding_bag_packed, EMBEDDING_BAG_PACKED, 5,                                                              \
      "Tensor data, Tensor indices, Tensor? weights=None, " COMBINE_TEXT SCATTER_TEXT, GATHER_OPERANDS,           \
      {OPTIONAL_TENSOR, WEIGHTS}, {STRING, REDUCTION}, {STRING, BOUNDS})                                          \
    X(embedding_segments, EMBEDDING_SEGMENTS, 8,                                                                  \
      "Tensor data, Tensor indices, Tensor segment_ids, SymInt num_segments, Tensor? weights=None, " COMBINE_TEXT \
          DEFAULT_TEXT,                                                                                           \
      GATHER_OPERANDS, {TENSOR, SEGMENTS}, {NUMBER, SEGMENT_COUNT}, {OPTIONAL_TENSOR, WEIGHTS},                   \
      {STRING, REDUCTION}, {STRING, BOUNDS}, {NUMBER, DEFAULT_INDEX})                                             \
    X(segment_reduce, SEGMENT_REDUCE, 6,                                                                          \
      "Tensor data, Tensor segment_ids, SymInt num_segments, " COMBINE_TEXT "str empty=\"zero\", " SCATTER_TEXT,  \
      {TENSOR, DATA}, {TENSOR, SEGMENTS}, {NUMBER, SEGMENT_COUNT}, {STRING, REDUCTION}, {STRING, EMPTY},          \
      {STRING, BOUNDS})                                                                                           \
    X(gather_scatter, GATHER_SCATTER, 8,                                                                          \
      "Tensor data, Tensor updates, Tensor indices, Tensor targets, Tensor? weights=None, " COMBINE_TEXT          \
      "bool use_init_val=True, " SCATTER_TEXT,                                                                    \
      {TENSOR, DATA}, {TENSOR, UPDATES}, {TENSOR, INDICES}, {TENSOR, SEGMENTS}, {OPTIONAL_TENSOR, WEIGHTS},       \
      {STRING, REDUCTION}, {NUMBER, USE_INIT_VAL}, {STRING, BOUNDS})

#define KERNEL(name, KIND, count, schema, ...)                                   \
    static void name(StableIValue *stack, uint64_t arguments, uint64_t outputs)  \
    {                                                                            \
        static const description op = {STREW_KIND_##KIND, count, {__VA_ARGS__}}; \
        (void)arguments;                                                         \
        (void)outputs;                                                           \
        run_operator(&op, stack);                                                \
    }
OPERATORS(KERNEL)
#undef KERNEL

typedef struct definition {
    const char *name, *schema;
    strew_torch_kernel kernel;
} definition;

static const definition operators[] = {
#define ENTRY(name, KIND, count, schema, ...) {#name, #name "(" schema, name},
    OPERATORS(ENTRY)
#undef ENTRY
};

static bool define(TorchLibraryHandle definitions, TorchLibraryHandle kernels, definition op)
{
    return !pytorch.aoti_torch_library_def(definitions, op.schema) &&
           !pytorch.torch_library_impl(kernels, op.name, op.kernel, STREW_TORCH_VERSION);
}

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
        if (!define(definitions, kernels, operators[i]))
            return operators[i].name;
    const definition products = {"other_products", strew_torch_other_products_schema, strew_torch_other_products};
    return define(definitions, kernels, products) ? NULL : products.name;
}
