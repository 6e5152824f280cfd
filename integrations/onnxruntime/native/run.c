#include "run.h"
#include "fill.h"
#include "memory.h"
#include "plans.h"
#include "strings.h"

#include <stdio.h>
#include <string.h>

/* Room for a message of strew. */
enum { MESSAGE_SIZE = 1024 };

struct strew_ort_node {
    const OrtApi *api;
    const strew_operator *op;
    strew_attributes attributes;
    OrtMemoryInfo *memory;      /* allocates scratch */
    strew_ort_threads *threads; /* the session's, or own_threads */
    strew_ort_threads own_threads;
    strew_ort_get_shape *get_shape; /* NULL: an older runtime has no such function */
    bool has_constant_indices;
    strew_ort_fill fill; /* the value of data that is constant and of one value */
    strew_ort_plans plans;
};

/* A tensor of the runtime as strew sees it, with the shape that it points to. */
typedef struct operand {
    const OrtValue *value;
    strew_tensor tensor;
    int64_t shape[STREW_MAX_RANK];
} operand;

static atomic_uint_least64_t runs, runs_in_place, runs_inspected;

uint64_t strew_onnxruntime_runs(void)
{
    return atomic_load(&runs);
}

uint64_t strew_onnxruntime_runs_in_place(void)
{
    return atomic_load(&runs_in_place);
}

uint64_t strew_onnxruntime_runs_inspected(void)
{
    return atomic_load(&runs_inspected);
}

static OrtStatus *refusal(const strew_ort_node *node, const char *sentence)
{
    char message[MESSAGE_SIZE];
    snprintf(message, sizeof message, "%s of strew: %s", node->op->name, sentence);
    return node->api->CreateStatus(ORT_INVALID_ARGUMENT, message);
}

static OrtStatus *refusal_of_call(const strew_ort_node *node, const strew_error *error)
{
    char sentence[MESSAGE_SIZE / 2];
    strew_error_message(error, sentence, sizeof sentence);
    return refusal(node, sentence);
}

/* ---- Tensors ---------------------------------------------------------------------------------------------- */

static OrtStatus *take_shape(const strew_ort_node *node, ONNXTensorElementDataType type, const int64_t *shape,
                             size_t rank, operand *read)
{
    if (rank > STREW_MAX_RANK)
        return refusal(node, "a tensor has more than 32 dimensions");
    read->tensor = (strew_tensor){.dtype = strew_ort_dtype(type), .rank = (int32_t)rank, .shape = shape};
    return NULL;
}

static OrtStatus *copy_shape(const strew_ort_node *node, const OrtTensorTypeAndShapeInfo *info, operand *read)
{
    const OrtApi *api = node->api;
    ONNXTensorElementDataType type;
    size_t rank;
    OrtStatus *status = api->GetTensorElementType(info, &type);
    if (!status)
        status = api->GetDimensionsCount(info, &rank);
    if (!status)
        status = take_shape(node, type, read->shape, rank, read);
    return status ? status : api->GetDimensions(info, read->shape, rank);
}

/* The runtime's own shape lives as long as the tensor; an older runtime hands out a copy. */
static OrtStatus *read_shape(const strew_ort_node *node, operand *read)
{
    ONNXTensorElementDataType type;
    const int64_t *shape;
    size_t rank;
    OrtTensorTypeAndShapeInfo *info;
    if (node->get_shape) {
        OrtStatus *status = node->get_shape(read->value, &type, &shape, &rank);
        return status ? status : take_shape(node, type, shape, rank, read);
    }
    OrtStatus *status = node->api->GetTensorTypeAndShape(read->value, &info);
    if (status)
        return status;
    status = copy_shape(node, info, read);
    node->api->ReleaseTensorTypeAndShapeInfo(info);
    return status;
}

/* The runtime hands out the elements of a tensor by one function, to be read and to be written. */
static OrtStatus *read_data(const strew_ort_node *node, const OrtValue *value, strew_tensor *tensor)
{
    return node->api->GetTensorMutableData((OrtValue *)value, &tensor->data);
}

static OrtStatus *read_tensor(const strew_ort_node *node, operand *read)
{
    if (!read->value)
        return refusal(node, "an input is missing");
    OrtStatus *status = read_shape(node, read);
    return status ? status : read_data(node, read->value, &read->tensor);
}

/* An optional input that is missing has no value. */
static OrtStatus *read_inputs(const strew_ort_node *node, const OrtKernelContext *context, operand operands[])
{
    size_t count = strew_ort_input_count(node->op);
    OrtStatus *status = NULL;
    if (strew_ort_is_optional(node->op, count - 1))
        status = node->api->KernelContext_GetInputCount(context, &count);
    for (size_t i = 0; !status && i < strew_ort_input_count(node->op); i++) {
        operand *const read = &operands[strew_ort_operand_at(node->op, i)];
        if (i < count)
            status = node->api->KernelContext_GetInput(context, i, &read->value);
        if (!status && (read->value || !strew_ort_is_optional(node->op, i)))
            status = read_tensor(node, read);
    }
    return status;
}

static size_t count_of(const strew_tensor *tensor)
{
    size_t count = 1;
    for (int32_t d = 0; d < tensor->rank; d++)
        count *= (size_t)tensor->shape[d];
    return count;
}

static size_t bytes_of(const strew_tensor *tensor)
{
    return tensor ? count_of(tensor) * (size_t)strew_dtype_bits(tensor->dtype) / 8 : 0;
}

/* ---- The node --------------------------------------------------------------------------------------------- */

/* An integer attribute; one that the node does not have keeps its default. */
static void read_integer(strew_ort_node *node, const OrtKernelInfo *info, uint32_t attribute, const char *name,
                         int64_t *value)
{
    if (!(node->op->attributes & attribute))
        return;
    OrtStatus *status = node->api->KernelInfoGetAttribute_int64(info, name, value);
    if (!status)
        node->attributes.given |= attribute;
    node->api->ReleaseStatus(status);
}

static OrtStatus *refusal_of_name(const strew_ort_node *node, const char *format, const char *name)
{
    char sentence[128];
    snprintf(sentence, sizeof sentence, format, name);
    return refusal(node, sentence);
}

/* Reads a name from a text attribute; false if the node has none. A name that is too long is replaced by one
 * that no operator has. */
static bool read_name(const strew_ort_node *node, const OrtKernelInfo *info, const char *attribute,
                      char name[STREW_ORT_NAME_SIZE])
{
    size_t size = STREW_ORT_NAME_SIZE;
    OrtStatus *missing = node->api->KernelInfoGetAttribute_string(info, attribute, name, &size);
    if (!missing)
        return true;
    node->api->ReleaseStatus(missing);
    if (size <= STREW_ORT_NAME_SIZE)
        return false;
    strcpy(name, "of a long name");
    return true;
}

/* Versions without reductions ignore the attribute and keep the default, none. */
static OrtStatus *read_reduction(strew_ort_node *node, const OrtKernelInfo *info)
{
    char name[STREW_ORT_NAME_SIZE];
    if (!(node->op->attributes & STREW_ATTRIBUTE_REDUCTION) || !read_name(node, info, "reduction", name))
        return NULL;
    if (!strew_reduction_find(name, &node->attributes.reduction))
        return refusal_of_name(node, "unknown reduction %s; none, add, mul, min and max are known", name);
    if (!(node->op->reductions & 1u << node->attributes.reduction))
        return refusal_of_name(node, "this version has no reduction %s", name);
    node->attributes.given |= STREW_ATTRIBUTE_REDUCTION;
    return NULL;
}

/* Reads the attribute of TensorScatter. */
static OrtStatus *read_mode(strew_ort_node *node, const OrtKernelInfo *info)
{
    char name[STREW_ORT_NAME_SIZE];
    if (!(node->op->attributes & STREW_ATTRIBUTE_CIRCULAR) || !read_name(node, info, "mode", name))
        return NULL;
    node->attributes.circular = strcmp(name, "circular") == 0;
    if (!node->attributes.circular && strcmp(name, "linear") != 0)
        return refusal_of_name(node, "unknown mode %s; linear and circular are known", name);
    node->attributes.given |= STREW_ATTRIBUTE_CIRCULAR;
    return NULL;
}

/* The runtime gives a kernel only initializers that nothing can change. */
static bool find_constant_indices(const strew_ort_node *node, const OrtKernelInfo *info)
{
    int is_constant = 0;
    for (size_t i = 0; i < strew_ort_input_count(node->op); i++) {
        const OrtValue *value;
        if (strew_ort_operand_at(node->op, i) != STREW_ORT_INDICES)
            continue;
        OrtStatus *missing = node->api->KernelInfoGetConstantInput_tensor(info, i, &is_constant, &value);
        if (missing)
            is_constant = 0;
        node->api->ReleaseStatus(missing);
    }
    return is_constant != 0;
}

/* A scatter into a constant of one value writes that value, and then scatters in place. */
static void find_fill(strew_ort_node *node, const OrtKernelInfo *info)
{
    int is_constant = 0;
    operand data = {.value = NULL};
    if (!strew_ort_scatters(node->op))
        return;
    OrtStatus *missing = node->api->KernelInfoGetConstantInput_tensor(info, 0, &is_constant, &data.value);
    if (!missing && is_constant)
        missing = read_tensor(node, &data);
    if (!missing && is_constant && data.tensor.dtype != STREW_DTYPE_STRING)
        node->fill = strew_ort_fill_of(&data.tensor, bytes_of(&data.tensor));
    node->api->ReleaseStatus(missing);
}

OrtStatus *strew_ort_node_create(const OrtApi *api, strew_ort_get_shape *get_shape, const OrtKernelInfo *info,
                                 const strew_operator *op, strew_ort_threads *threads, strew_ort_node **created)
{
    void *storage = NULL;
    OrtStatus *status = strew_ort_allocate(api, sizeof(strew_ort_node), &storage);
    if (status)
        return status;
    strew_ort_node *node = storage;
    node->api = api;
    node->get_shape = get_shape;
    node->op = op;
    node->threads = threads ? threads : &node->own_threads;
    read_integer(node, info, STREW_ATTRIBUTE_AXIS, "axis", &node->attributes.axis);
    read_integer(node, info, STREW_ATTRIBUTE_BATCH_DIMS, "batch_dims", &node->attributes.batch_dims);
    node->has_constant_indices = find_constant_indices(node, info);
    find_fill(node, info);
    status = read_reduction(node, info);
    if (!status)
        status = read_mode(node, info);
    if (!status)
        status = api->CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &node->memory);
    if (status) {
        strew_ort_node_destroy(node);
        return status;
    }
    *created = node;
    return NULL;
}

void strew_ort_node_destroy(strew_ort_node *node)
{
    if (!node)
        return;
    strew_ort_plans_release(&node->plans, node->api);
    node->api->ReleaseMemoryInfo(node->memory);
    strew_ort_free(node->api, node);
}

/* ---- A run ------------------------------------------------------------------------------------------------ */

/* One call: its inputs and its output. */
typedef struct call {
    strew_ort_node *node;
    OrtKernelContext *context;
    strew_tensor *data, *indices, *updates; /* point into operands; NULL if missing */
    operand operands[STREW_ORT_OPERANDS];
    OrtValue *output_value;
    operand output;
    const strew_ort_kept *kept; /* plans of earlier calls like this one */
    bool is_in_place;           /* the output has data's own memory */
    strew_error error;
} call;

static strew_ort_tensors tensors_of(const call *self)
{
    return (strew_ort_tensors){self->data, self->indices, self->updates, &self->output.tensor};
}

/* Takes the shape from the plans of earlier calls like this one, or computes it. */
static OrtStatus *infer_shape(call *self)
{
    const strew_ort_node *node = self->node;
    const strew_ort_tensors tensors = tensors_of(self);
    operand *output = &self->output;
    output->tensor = (strew_tensor){NULL, self->data->dtype, 0, output->shape, NULL};
    self->kept = strew_ort_plans_find(&node->plans, &tensors);
    if (self->kept)
        output->tensor.rank = strew_ort_kept_shape(self->kept, &output->tensor.shape);
    else if (strew_operator_shape(node->op, &node->attributes, self->data, self->indices, self->updates,
                                  output->shape, &output->tensor.rank, &self->error))
        return refusal_of_call(node, &self->error);
    return NULL;
}

static OrtStatus *make_output(call *self)
{
    const OrtApi *api = self->node->api;
    strew_tensor *output = &self->output.tensor;
    OrtStatus *status = infer_shape(self);
    if (!status)
        status = api->KernelContext_GetOutput(self->context, 0, output->shape, (size_t)output->rank,
                                              &self->output_value);
    if (!status)
        status = read_data(self->node, self->output_value, output);
    self->is_in_place = output->data == self->data->data && count_of(output) > 0;
    return status;
}

/* Lends as much scratch as is useful or, if memory is short, as much as the run needs. */
static OrtStatus *lend_scratch(const strew_ort_node *node, OrtAllocator *allocator, const strew_ort_plan *plan,
                               strew_run_options *options)
{
    options->scratch_size = plan->scratch;
    OrtStatus *lacking = strew_ort_take(node->api, allocator, options->scratch_size, &options->scratch);
    if (!lacking)
        return NULL;
    node->api->ReleaseStatus(lacking);
    options->scratch_size = plan->least_scratch;
    if (!options->scratch_size)
        return NULL;
    return strew_ort_take(node->api, allocator, options->scratch_size, &options->scratch);
}

static OrtStatus *run_plan(call *self, const strew_ort_plan *plan, const strew_run_options *options)
{
    const void *indices = self->indices ? self->indices->data : NULL;
    const strew_buffers buffers = {.data = self->data->data,
                                   .indices = plan->inspection ? plan->inspection : indices,
                                   .updates = self->updates ? self->updates->data : NULL,
                                   .output = self->output.tensor.data};
    if (plan->inspection)
        atomic_fetch_add(&runs_inspected, 1);
    return strew_plan_run(&plan->plan, &buffers, options) ? refusal_of_call(self->node, &self->error) : NULL;
}

static OrtStatus *run_with_scratch(call *self, const strew_ort_plan *plan, strew_run_options *options)
{
    const OrtApi *api = self->node->api;
    OrtAllocator *allocator;
    OrtStatus *status = api->KernelContext_GetAllocator(self->context, self->node->memory, &allocator);
    if (status)
        return status;
    status = lend_scratch(self->node, allocator, plan, options);
    if (!status)
        status = run_plan(self, plan, options);
    if (options->scratch)
        api->ReleaseStatus(api->AllocatorFree(allocator, options->scratch));
    api->ReleaseAllocator(allocator);
    return status;
}

static strew_status plan_call(call *self, const strew_plan_options *options, strew_plan *plan)
{
    const strew_ort_node *node = self->node;
    return strew_operator_plan(plan, node->op, &node->attributes, self->data, self->indices, self->updates,
                               &self->output.tensor, options);
}

/* The work of a run: in place, a scatter does not go over the whole output. */
static strew_ort_work work_of(const call *self)
{
    const bool scatters = self->updates != NULL;
    const size_t output = self->is_in_place && scatters ? 0 : bytes_of(&self->output.tensor);
    return (strew_ort_work){.bytes = output + bytes_of(self->updates) + bytes_of(self->indices),
                            .indices = self->indices ? count_of(self->indices) : 0,
                            .scatters = scatters};
}

/* The number of indices that name one place. */
static size_t coordinates_of(const call *self)
{
    const strew_kind kind = self->node->op->kind;
    const bool has_tuples = kind == STREW_KIND_SCATTER_ND || kind == STREW_KIND_GATHER_ND;
    return has_tuples ? (size_t)self->indices->shape[self->indices->rank - 1] : 1;
}

/*
 * Whether an inspection pays: for tuples, and for scatters. Single indices gather about as fast without one, and
 * long rows take so long that it makes no difference.
 */
static bool gains_by_inspection(const call *self)
{
    enum { LONG_ROW = 256 };
    const size_t indices = self->node->has_constant_indices && self->indices ? count_of(self->indices) : 0;
    if (indices == 0) /* no tuple has no coordinate then */
        return false;
    const size_t coordinates = coordinates_of(self);
    const size_t moved = bytes_of(self->updates ? self->updates : &self->output.tensor);
    return (self->updates || coordinates > 1) && moved / (indices / coordinates) < LONG_ROW;
}

static OrtStatus *run_with(call *self, const strew_ort_plan *plan, const strew_parallel *parallel)
{
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = &self->error;
    options.parallel = parallel;
    return plan->scratch ? run_with_scratch(self, plan, &options) : run_plan(self, plan, &options);
}

/* Plans the call, keeps the plan if there is room, and runs. */
static OrtStatus *run_anew(call *self, const strew_parallel *parallel)
{
    strew_ort_node *node = self->node;
    const strew_ort_tensors tensors = tensors_of(self);
    const size_t threads = parallel->threads;
    strew_ort_plan planned; /* field by field: it is large */
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = threads;
    options.error = &self->error;
    if (plan_call(self, &options, &planned.plan))
        return refusal_of_call(node, &self->error);
    planned.threads = threads;
    planned.inspection = NULL;
    planned.scratch = strew_plan_scratch_size(&planned.plan, threads);
    planned.least_scratch = strew_plan_least_scratch_size(&planned.plan, threads);
    const strew_ort_plan *kept =
        strew_ort_plans_keep(&node->plans, node->api, &tensors, &planned, gains_by_inspection(self));
    return run_with(self, kept ? kept : &planned, parallel);
}

/* Whether the output is apart from an input. A run refuses an overlap, and must find its inputs unchanged. */
static bool is_apart(const strew_tensor *output, const strew_tensor *input)
{
    const uintptr_t written = (uintptr_t)output->data, read = (uintptr_t)input->data;
    return written + bytes_of(output) <= read || read + bytes_of(input) <= written;
}

static bool can_be_filled(const call *self)
{
    return self->node->fill.size && !self->is_in_place && is_apart(&self->output.tensor, self->updates) &&
           (!self->indices || is_apart(&self->output.tensor, self->indices));
}

/* Instead of a copy of data. */
static void fill_output(call *self, const strew_parallel *parallel)
{
    strew_tensor *output = &self->output.tensor;
    strew_ort_fill_write(&self->node->fill, output->data, bytes_of(output), parallel);
    self->data->data = output->data;
    self->is_in_place = count_of(output) > 0;
}

static OrtStatus *plan_and_run(call *self)
{
    const strew_ort_node *node = self->node;
    const strew_ort_tensors tensors = tensors_of(self);
    const strew_ort_pool pool = {node->api, self->context};
    const strew_ort_work work = work_of(self);
    const strew_parallel parallel = strew_ort_parallel(node->threads, &pool, &work);
    const strew_ort_plan *kept = strew_ort_plans_pick(self->kept, &tensors, parallel.threads);
    if (can_be_filled(self))
        fill_output(self, &parallel);
    return kept ? run_with(self, kept, &parallel) : run_anew(self, &parallel);
}

/* ---- Strings ---------------------------------------------------------------------------------------------- */

/* A tensor of strings becomes one of their positions, which begin at `first`. */
static void number(strew_tensor *tensor, int64_t *positions, size_t first)
{
    const size_t count = count_of(tensor);
    for (size_t i = 0; i < count; i++)
        positions[i] = (int64_t)(first + i);
    tensor->dtype = STREW_DTYPE_INT64;
    tensor->data = positions;
}

/* Checks a call of strings before they become positions, so that messages speak of strings. */
static OrtStatus *check_strings(call *self)
{
    strew_plan plan;
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.error = &self->error;
    return plan_call(self, &options, &plan) ? refusal_of_call(self->node, &self->error) : NULL;
}

static OrtStatus *run_on_positions(call *self, int64_t *positions, int64_t *of_output)
{
    const size_t data_count = count_of(self->data);
    const bool is_in_place = self->is_in_place;
    number(self->data, positions, 0);
    if (self->updates)
        number(self->updates, positions + data_count, data_count);
    self->output.tensor.dtype = STREW_DTYPE_INT64;
    self->output.tensor.data = of_output;
    const strew_ort_tensors tensors = tensors_of(self);
    self->kept = strew_ort_plans_find(&self->node->plans, &tensors);
    OrtStatus *status = plan_and_run(self);
    if (status)
        return status;
    const strew_ort_strings strings = {.data = self->operands[STREW_ORT_DATA].value,
                                       .updates = self->operands[STREW_ORT_UPDATES].value,
                                       .data_count = data_count,
                                       .output = self->output_value,
                                       .positions = of_output,
                                       .count = count_of(&self->output.tensor),
                                       .is_in_place = is_in_place};
    return strew_ort_move_strings(self->node->api, &strings);
}

static OrtStatus *run_strings(call *self)
{
    const OrtApi *api = self->node->api;
    const size_t inputs = count_of(self->data) + (self->updates ? count_of(self->updates) : 0);
    const size_t outputs = count_of(&self->output.tensor);
    OrtAllocator *allocator;
    void *positions = NULL;
    OrtStatus *status = check_strings(self);
    if (!status)
        status = api->KernelContext_GetAllocator(self->context, self->node->memory, &allocator);
    if (status)
        return status;
    status = strew_ort_take(api, allocator, (inputs + outputs + 1) * sizeof(int64_t), &positions);
    if (!status) {
        status = run_on_positions(self, positions, (int64_t *)positions + inputs);
        api->ReleaseStatus(api->AllocatorFree(allocator, positions));
    }
    api->ReleaseAllocator(allocator);
    return status;
}

/* ---- The whole -------------------------------------------------------------------------------------------- */

static strew_tensor *tensor_of(operand *read)
{
    return read->value ? &read->tensor : NULL;
}

OrtStatus *strew_ort_node_run(strew_ort_node *node, OrtKernelContext *context)
{
    call self; /* shapes are not zeroed: most are the runtime's */
    self.node = node;
    self.context = context;
    for (size_t i = 0; i < STREW_ORT_OPERANDS; i++)
        self.operands[i].value = NULL;
    OrtStatus *status = read_inputs(node, context, self.operands);
    if (status)
        return status;
    self.data = tensor_of(&self.operands[STREW_ORT_DATA]);
    self.indices = tensor_of(&self.operands[STREW_ORT_INDICES]);
    self.updates = tensor_of(&self.operands[STREW_ORT_UPDATES]);
    status = make_output(&self);
    if (!status)
        status = self.data->dtype == STREW_DTYPE_STRING ? run_strings(&self) : plan_and_run(&self);
    if (status)
        return status;
    atomic_fetch_add(&runs, 1);
    if (self.is_in_place)
        atomic_fetch_add(&runs_in_place, 1);
    return NULL;
}
