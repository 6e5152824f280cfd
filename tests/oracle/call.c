/* Makes an operator_call with the library. */
#include "call.h"

#include <inttypes.h>
#include <stdlib.h>

bool kind_gathers(strew_kind kind)
{
    return kind == STREW_KIND_GATHER_ND || kind == STREW_KIND_GATHER_ELEMENTS || kind == STREW_KIND_GATHER ||
           (kind >= STREW_KIND_EMBEDDING_BAG_OFFSETS && kind <= STREW_KIND_SEGMENT_REDUCE);
}

bool kind_has_rows(strew_kind kind)
{
    return kind == STREW_KIND_GATHER_ND || kind == STREW_KIND_SCATTER_ND;
}

bool kind_has_axis(strew_kind kind)
{
    return kind == STREW_KIND_GATHER || kind == STREW_KIND_SCATTER;
}

bool kind_has_initial_value(strew_kind kind)
{
    return kind == STREW_KIND_SCATTER_ELEMENTS || kind == STREW_KIND_SCATTER || kind == STREW_KIND_GATHER_SCATTER;
}

bool kind_has_bags(strew_kind kind)
{
    return kind >= STREW_KIND_EMBEDDING_BAG_OFFSETS && kind <= STREW_KIND_GATHER_SCATTER;
}

bool kind_has_numbers(strew_kind kind)
{
    return kind >= STREW_KIND_EMBEDDING_SEGMENTS && kind <= STREW_KIND_GATHER_SCATTER;
}

strew_options call_options(void)
{
    strew_options options = STREW_OPTIONS_INIT;
    strew_isa_find(getenv("STREW_TEST_ISA"), &options.isa);
    return options;
}

static size_t threads_of(const strew_options *options)
{
    return options->parallel ? options->parallel->threads : 1;
}

strew_plan_options call_plan_options(const strew_options *options)
{
    return (strew_plan_options){
        .struct_size = options->struct_size - sizeof(strew_options) + sizeof(strew_plan_options),
        .isa = options->isa,
        .flags = options->flags,
        .threads = threads_of(options),
        .error = options->error,
        .bounds = options->bounds,
    };
}

strew_run_options call_run_options(const strew_options *options)
{
    return (strew_run_options){
        .struct_size = options->struct_size - sizeof(strew_options) + sizeof(strew_run_options),
        .parallel = options->parallel,
        .scratch = options->scratch,
        .scratch_size = options->scratch_size,
        .error = options->error,
        .fill = options->fill,
    };
}

strew_status call_operator(const operator_call *call, const strew_options *options)
{
    switch (call->kind) {
    case STREW_KIND_GATHER_ND:
        return strew_gather_nd(call->data, call->indices, call->batch_dims, call->output, options);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_gather_elements(call->data, call->indices, call->axis, call->output, options);
    case STREW_KIND_SCATTER_ND:
        return strew_scatter_nd(call->data, call->indices, call->updates, call->reduction, call->output, options);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_scatter_elements(call->data, call->indices, call->updates, call->axis, call->reduction,
                                      call->use_init_val, call->output, options);
    case STREW_KIND_GATHER:
        return strew_gather(call->data, call->indices, call->axis, call->batch_dims, call->output, options);
    case STREW_KIND_SCATTER:
        return strew_scatter(call->data, call->indices, call->updates, call->axis, call->batch_dims,
                             call->reduction, call->use_init_val, call->output, options);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_tensor_scatter(call->data, call->indices, call->updates, call->axis, call->circular,
                                    call->output, options);
    case STREW_KIND_SLICE_SCATTER:
        return strew_slice_scatter(call->data, call->updates, call->slice, call->output, options);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_embedding_bag_offsets(call->data, call->indices, call->segments, call->weights,
                                           call->reduction, call->default_index, call->output, options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_embedding_bag_packed(call->data, call->indices, call->weights, call->reduction, call->output,
                                          options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_embedding_segments(call->data, call->indices, call->segments, call->weights, call->reduction,
                                        call->default_index, call->output, options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_segment_reduce(call->data, call->segments, call->reduction, call->empty, call->output,
                                    options);
    case STREW_KIND_GATHER_SCATTER:
        return strew_gather_scatter(call->data, call->updates, call->indices, call->segments, call->weights,
                                    call->reduction, call->use_init_val, call->output, options);
    }
    return STREW_STATUS_INVALID_ARGUMENT;
}

strew_status call_shape(const operator_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error)
{
    const int64_t segments = call->output && call->output->rank > 0 ? call->output->shape[0] : 0;
    switch (call->kind) {
    case STREW_KIND_GATHER_ND:
        return strew_gather_nd_shape(call->data, call->indices, call->batch_dims, shape, rank, error);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_gather_elements_shape(call->data, call->indices, call->axis, shape, rank, error);
    case STREW_KIND_SCATTER_ND:
        return strew_scatter_nd_shape(call->data, call->indices, call->updates, shape, rank, error);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_scatter_elements_shape(call->data, call->indices, call->updates, call->axis, shape, rank,
                                            error);
    case STREW_KIND_GATHER:
        return strew_gather_shape(call->data, call->indices, call->axis, call->batch_dims, shape, rank, error);
    case STREW_KIND_SCATTER:
        return strew_scatter_shape(call->data, call->indices, call->updates, call->axis, call->batch_dims, shape,
                                   rank, error);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_tensor_scatter_shape(call->data, call->indices, call->updates, call->axis, call->circular,
                                          shape, rank, error);
    case STREW_KIND_SLICE_SCATTER:
        return strew_slice_scatter_shape(call->data, call->updates, call->slice, shape, rank, error);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_embedding_bag_offsets_shape(call->data, call->indices, call->segments, call->weights, shape,
                                                 rank, error);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_embedding_bag_packed_shape(call->data, call->indices, call->weights, shape, rank, error);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_embedding_segments_shape(call->data, call->indices, call->segments, call->weights, segments,
                                              shape, rank, error);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_segment_reduce_shape(call->data, call->segments, segments, shape, rank, error);
    case STREW_KIND_GATHER_SCATTER:
        return strew_gather_scatter_shape(call->data, call->updates, call->indices, call->segments, call->weights,
                                          shape, rank, error);
    }
    return STREW_STATUS_INVALID_ARGUMENT;
}

static strew_tensor without_data(const strew_tensor *tensor)
{
    strew_tensor shape_only = {0};
    if (tensor)
        shape_only = *tensor;
    shape_only.data = NULL;
    return shape_only;
}

strew_status call_plan(const operator_call *call, strew_plan *plan, const strew_plan_options *options)
{
    strew_tensor data = without_data(call->data);
    strew_tensor indices = without_data(call->indices);
    strew_tensor updates = without_data(call->updates);
    strew_tensor output = without_data(call->output);
    strew_tensor segments = without_data(call->segments), some_weights = without_data(call->weights);
    const strew_tensor *weights = call->weights ? &some_weights : NULL;
    switch (call->kind) {
    case STREW_KIND_GATHER_ND:
        return strew_plan_gather_nd(plan, &data, &indices, call->batch_dims, &output, options);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_plan_gather_elements(plan, &data, &indices, call->axis, &output, options);
    case STREW_KIND_SCATTER_ND:
        return strew_plan_scatter_nd(plan, &data, &indices, &updates, call->reduction, &output, options);
    case STREW_KIND_SCATTER_ELEMENTS:
        return strew_plan_scatter_elements(plan, &data, &indices, &updates, call->axis, call->reduction,
                                           call->use_init_val, &output, options);
    case STREW_KIND_GATHER:
        return strew_plan_gather(plan, &data, &indices, call->axis, call->batch_dims, &output, options);
    case STREW_KIND_SCATTER:
        return strew_plan_scatter(plan, &data, &indices, &updates, call->axis, call->batch_dims, call->reduction,
                                  call->use_init_val, &output, options);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_plan_tensor_scatter(plan, &data, call->indices ? &indices : NULL, &updates, call->axis,
                                         call->circular, &output, options);
    case STREW_KIND_SLICE_SCATTER:
        return strew_plan_slice_scatter(plan, &data, &updates, call->slice, &output, options);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_plan_embedding_bag_offsets(plan, &data, &indices, &segments, weights, call->reduction,
                                                call->default_index, &output, options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_plan_embedding_bag_packed(plan, &data, &indices, weights, call->reduction, &output, options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_plan_embedding_segments(plan, &data, &indices, &segments, weights, call->reduction,
                                             call->default_index, &output, options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_plan_segment_reduce(plan, &data, &segments, call->reduction, call->empty, &output, options);
    case STREW_KIND_GATHER_SCATTER:
        return strew_plan_gather_scatter(plan, &data, &updates, &indices, &segments, weights, call->reduction,
                                         call->use_init_val, &output, options);
    }
    return STREW_STATUS_INVALID_ARGUMENT;
}

strew_buffers call_buffers(const operator_call *call)
{
    return (strew_buffers){
        .data = call->data->data,
        .indices = call->indices ? call->indices->data : NULL,
        .updates = call->updates ? call->updates->data : NULL,
        .output = call->output->data,
        .segments = call->segments ? call->segments->data : NULL,
        .weights = call->weights ? call->weights->data : NULL,
    };
}

/* Makes storage of exactly the right size and without alignment, and the buffers of a run on it. Returns the
 * storage, whether the plan succeeds or not. */
static char *inspect(const operator_call *call, strew_plan *plan, strew_buffers *buffers, strew_status *status,
                     strew_error *error)
{
    const size_t size = strew_plan_inspection_size(plan);
    char *const storage = malloc(size + 1);
    strew_plan inspected;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = error;
    *status = strew_plan_inspect(&inspected, plan, buffers, storage + 1, size, &options);
    *plan = inspected;
    call_use_inspection(call, buffers, storage + 1, size);
    return storage;
}

void call_use_inspection(const operator_call *call, strew_buffers *buffers, const void *storage, size_t size)
{
    if (size == 0)
        return;
    buffers->indices = storage;
    if (kind_has_numbers(call->kind))
        buffers->segments = NULL;
}

strew_status call_run(const operator_call *call, call_way way, call_scratch scratch, const strew_options *options)
{
    strew_plan plan;
    strew_plan_options planning = call_plan_options(options);
    planning.threads += way == BY_PLAN_FOR_OTHER_THREADS;
    strew_status status = call_plan(call, &plan, &planning);
    strew_buffers buffers = call_buffers(call);
    char *inspection = NULL;
    if (status == STREW_STATUS_OK && way == BY_INSPECTION)
        inspection = inspect(call, &plan, &buffers, &status, options->error);
    if (status != STREW_STATUS_OK) {
        free(inspection);
        return status;
    }
    const size_t threads = threads_of(options);
    const size_t size = scratch == FULL_SCRATCH ? strew_plan_scratch_size(&plan, threads)
                                                : strew_plan_least_scratch_size(&plan, threads);
    char *memory = malloc(size + 1);
    strew_options scratch_options = *options;
    scratch_options.scratch_size = size;
    scratch_options.scratch = memory + 1;
    const strew_run_options running = call_run_options(&scratch_options);
    status = way == BY_ONE_CALL ? call_operator(call, &scratch_options) : strew_plan_run(&plan, &buffers, &running);
    free(memory);
    free(inspection);
    return status;
}

static void describe_numbers(FILE *stream, const char *name, const int64_t *numbers, int32_t count)
{
    fprintf(stream, " %s [", name);
    for (int32_t i = 0; i < count; i++)
        fprintf(stream, "%s%" PRId64, i ? ", " : "", numbers[i]);
    fputc(']', stream);
}

static void describe_tensor(FILE *stream, const char *name, const strew_tensor *tensor)
{
    if (!tensor)
        return;
    fprintf(stream, "  %s: dtype %#x (%s)", name, (unsigned)tensor->dtype, strew_dtype_name(tensor->dtype));
    describe_numbers(stream, "shape", tensor->shape, tensor->rank);
    if (tensor->strides)
        describe_numbers(stream, "strides", tensor->strides, tensor->rank);
    fputc('\n', stream);
}

void call_describe(FILE *stream, const operator_call *call)
{
    fprintf(stream,
            "%s, reduction %s, use_init_val %d, axis %" PRId64 ", batch_dims %" PRId64 ", flags %u, bounds %s%s\n",
            strew_kind_name(call->kind), strew_reduction_name(call->reduction), call->use_init_val, call->axis,
            call->batch_dims, (unsigned)call->flags, strew_bounds_name(call->bounds),
            call->fill ? " with a fill" : "");
    describe_tensor(stream, "data", call->data);
    describe_tensor(stream, "indices", call->indices);
    describe_tensor(stream, "updates", call->updates);
    describe_tensor(stream, "segments", call->segments);
    describe_tensor(stream, "weights", call->weights);
    describe_tensor(stream, call->output->data == call->data->data ? "output (in place)" : "output", call->output);
}
