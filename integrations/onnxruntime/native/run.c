#include "run.h"
#include "memory.h"

#include <stdio.h>
#include <string.h>

/* What a sentence of strew has room for. */
enum { MESSAGE_SIZE = 1024 };

struct strew_ort_node {
    const OrtApi *api;
    const strew_operator *op;
    strew_attributes attributes;
    OrtMemoryInfo *memory;      /* where scratch comes from */
    strew_ort_threads *threads; /* the session's, or own_threads */
    strew_ort_threads own_threads;
};

/* A tensor of the runtime as strew sees it, with the shape that it points to. */
typedef struct operand {
    strew_tensor tensor;
    int64_t shape[STREW_MAX_RANK];
} operand;

enum { DATA, INDICES, UPDATES, OPERANDS };

static atomic_uint_least64_t runs, runs_in_place;

uint64_t strew_onnxruntime_runs(void)
{
    return atomic_load(&runs);
}

uint64_t strew_onnxruntime_runs_in_place(void)
{
    return atomic_load(&runs_in_place);
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

static OrtStatus *read_reduction(strew_ort_node *node, const OrtKernelInfo *info)
{
    char name[16] = "";
    size_t size = sizeof name;
    /* A version without reductions has no such attribute in a model. */
    if (!(node->op->attributes & STREW_ATTRIBUTE_REDUCTION))
        return NULL;
    size_t needed = 0;
    OrtStatus *status = node->api->KernelInfoGetAttribute_string(info, "reduction", NULL, &needed);
    if (!status && needed <= size)
        status = node->api->KernelInfoGetAttribute_string(info, "reduction", name, &size);
    else if (!status)
        return refusal(node, "unknown reduction; none, add, mul, min and max are known");
    if (status) {
        node->api->ReleaseStatus(status);
        return NULL;
    }
    if (!strew_reduction_find(name, &node->attributes.reduction)) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "unknown reduction %s; none, add, mul, min and max are known", name);
        return refusal(node, sentence);
    }
    if (!(node->op->reductions & 1u << node->attributes.reduction)) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "this version has no reduction %s", name);
        return refusal(node, sentence);
    }
    node->attributes.given |= STREW_ATTRIBUTE_REDUCTION;
    return NULL;
}

OrtStatus *strew_ort_node_create(const OrtApi *api, const OrtKernelInfo *info, const strew_operator *op,
                                 strew_ort_threads *threads, strew_ort_node **created)
{
    void *storage = NULL;
    OrtStatus *status = strew_ort_allocate(api, sizeof(strew_ort_node), &storage);
    if (status)
        return status;
    strew_ort_node *node = storage;
    node->api = api;
    node->op = op;
    node->threads = threads ? threads : &node->own_threads;
    read_integer(node, info, STREW_ATTRIBUTE_AXIS, "axis", &node->attributes.axis);
    read_integer(node, info, STREW_ATTRIBUTE_BATCH_DIMS, "batch_dims", &node->attributes.batch_dims);
    status = read_reduction(node, info);
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
    node->api->ReleaseMemoryInfo(node->memory);
    strew_ort_free(node->api, node);
}

/* ---- Tensors ---------------------------------------------------------------------------------------------- */

static OrtStatus *read_shape(const strew_ort_node *node, const OrtTensorTypeAndShapeInfo *info, operand *read)
{
    const OrtApi *api = node->api;
    ONNXTensorElementDataType type;
    size_t rank;
    OrtStatus *status = api->GetTensorElementType(info, &type);
    if (!status)
        status = api->GetDimensionsCount(info, &rank);
    if (status)
        return status;
    if (rank > STREW_MAX_RANK)
        return refusal(node, "a tensor has more than 32 dimensions");
    read->tensor.dtype = strew_ort_dtype(type);
    read->tensor.rank = (int32_t)rank;
    read->tensor.shape = read->shape;
    return api->GetDimensions(info, read->shape, rank);
}

/* The runtime hands out tensors to be written by one function, inputs too. */
static OrtStatus *read_tensor(const strew_ort_node *node, const OrtValue *value, operand *read)
{
    const OrtApi *api = node->api;
    OrtTensorTypeAndShapeInfo *info;
    if (!value)
        return refusal(node, "an input is missing");
    OrtStatus *status = api->GetTensorTypeAndShape(value, &info);
    if (status)
        return status;
    status = read_shape(node, info, read);
    api->ReleaseTensorTypeAndShapeInfo(info);
    if (!status)
        status = api->GetTensorMutableData((OrtValue *)value, &read->tensor.data);
    return status;
}

static OrtStatus *read_inputs(const strew_ort_node *node, const OrtKernelContext *context, operand operands[])
{
    for (size_t i = 0; i < strew_ort_input_count(node->op); i++) {
        const OrtValue *value = NULL;
        OrtStatus *status = node->api->KernelContext_GetInput(context, i, &value);
        if (!status)
            status = read_tensor(node, value, &operands[i]);
        if (status)
            return status;
    }
    return NULL;
}

static size_t bytes_of(const strew_tensor *tensor)
{
    size_t bytes = strew_dtype_size(tensor->dtype);
    for (int32_t d = 0; d < tensor->rank; d++)
        bytes *= (size_t)tensor->shape[d];
    return bytes;
}

/* ---- A run ------------------------------------------------------------------------------------------------ */

/* One call: what it is given, and what it is to write. */
typedef struct call {
    const strew_ort_node *node;
    OrtKernelContext *context;
    operand operands[OPERANDS];
    const strew_tensor *updates; /* NULL for a gather */
    operand output;
    strew_error error;
} call;

static OrtStatus *make_output(call *self)
{
    const strew_ort_node *node = self->node;
    operand *output = &self->output;
    OrtValue *value;
    output->tensor = (strew_tensor){NULL, self->operands[DATA].tensor.dtype, 0, output->shape, NULL};
    if (strew_operator_shape(node->op, &node->attributes, &self->operands[DATA].tensor,
                             &self->operands[INDICES].tensor, self->updates, output->shape, &output->tensor.rank,
                             &self->error))
        return refusal_of_call(node, &self->error);
    OrtStatus *status =
        node->api->KernelContext_GetOutput(self->context, 0, output->shape, (size_t)output->tensor.rank, &value);
    if (!status)
        status = node->api->GetTensorMutableData(value, &output->tensor.data);
    return status;
}

/* As much scratch as is of use or, if memory lacks, as the run must have. */
static OrtStatus *lend_scratch(const strew_ort_node *node, OrtAllocator *allocator, const strew_plan *plan,
                               strew_run_options *options)
{
    const size_t threads = options->parallel->threads;
    options->scratch_size = strew_plan_scratch_size(plan, threads);
    OrtStatus *status = node->api->AllocatorAlloc(allocator, options->scratch_size, &options->scratch);
    if (!status && options->scratch)
        return NULL;
    options->scratch_size = strew_plan_least_scratch_size(plan, threads);
    if (!options->scratch_size) {
        node->api->ReleaseStatus(status);
        return NULL;
    }
    node->api->ReleaseStatus(status);
    return node->api->AllocatorAlloc(allocator, options->scratch_size, &options->scratch);
}

static OrtStatus *run_plan(call *self, const strew_plan *plan, const strew_run_options *options)
{
    const strew_buffers buffers = {self->operands[DATA].tensor.data, self->operands[INDICES].tensor.data,
                                   self->updates ? self->updates->data : NULL, self->output.tensor.data};
    if (strew_plan_run(plan, &buffers, options))
        return refusal_of_call(self->node, &self->error);
    atomic_fetch_add(&runs, 1);
    if (buffers.output == buffers.data && bytes_of(&self->output.tensor))
        atomic_fetch_add(&runs_in_place, 1);
    return NULL;
}

static OrtStatus *run_with_scratch(call *self, const strew_plan *plan, strew_run_options *options)
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

static OrtStatus *plan_and_run(call *self)
{
    const strew_ort_node *node = self->node;
    const strew_ort_pool pool = {node->api, self->context};
    const strew_parallel parallel = strew_ort_parallel(
        node->threads, &pool, bytes_of(&self->output.tensor) + bytes_of(&self->operands[INDICES].tensor));
    strew_plan plan;
    strew_plan_options plan_options = STREW_PLAN_OPTIONS_INIT;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    plan_options.threads = parallel.threads;
    plan_options.error = options.error = &self->error;
    options.parallel = &parallel;
    if (strew_operator_plan(&plan, node->op, &node->attributes, &self->operands[DATA].tensor,
                            &self->operands[INDICES].tensor, self->updates, &self->output.tensor, &plan_options))
        return refusal_of_call(node, &self->error);
    if (strew_plan_scratch_size(&plan, parallel.threads))
        return run_with_scratch(self, &plan, &options);
    return run_plan(self, &plan, &options);
}

OrtStatus *strew_ort_node_run(strew_ort_node *node, OrtKernelContext *context)
{
    call self;
    memset(&self, 0, sizeof self);
    self.node = node;
    self.context = context;
    OrtStatus *status = read_inputs(node, context, self.operands);
    if (status)
        return status;
    if (strew_ort_scatters(node->op))
        self.updates = &self.operands[UPDATES].tensor;
    status = make_output(&self);
    return status ? status : plan_and_run(&self);
}
