/* Hands a call to the function of its operator. */
#include "call.h"

#include <string.h>

bool strew_jax_find_kind(const char *name, strew_kind *kind)
{
    for (strew_kind candidate = STREW_KIND_GATHER_ND; candidate < STREW_JAX_KINDS; candidate++) {
        if (strcmp(name, strew_kind_name(candidate)) == 0) {
            *kind = candidate;
            return true;
        }
    }
    return false;
}

bool strew_jax_has(strew_kind kind, unsigned operand)
{
    enum { GATHERS = STREW_JAX_INDICES, SCATTERS = STREW_JAX_INDICES | STREW_JAX_UPDATES };
    enum { WEIGHED = STREW_JAX_INDICES | STREW_JAX_WEIGHTS };
    static const unsigned char operands[STREW_JAX_KINDS] = {
        [STREW_KIND_GATHER] = GATHERS,
        [STREW_KIND_GATHER_ND] = GATHERS,
        [STREW_KIND_GATHER_ELEMENTS] = GATHERS,
        [STREW_KIND_SCATTER] = SCATTERS,
        [STREW_KIND_SCATTER_ND] = SCATTERS,
        [STREW_KIND_SCATTER_ELEMENTS] = SCATTERS,
        [STREW_KIND_TENSOR_SCATTER] = SCATTERS,
        [STREW_KIND_SLICE_SCATTER] = STREW_JAX_UPDATES,
        [STREW_KIND_EMBEDDING_BAG_OFFSETS] = WEIGHED | STREW_JAX_SEGMENTS,
        [STREW_KIND_EMBEDDING_BAG_PACKED] = WEIGHED,
        [STREW_KIND_EMBEDDING_SEGMENTS] = WEIGHED | STREW_JAX_SEGMENTS,
        [STREW_KIND_SEGMENT_REDUCE] = STREW_JAX_SEGMENTS,
        [STREW_KIND_GATHER_SCATTER] = WEIGHED | STREW_JAX_UPDATES | STREW_JAX_SEGMENTS,
    };
    return (operands[kind] & operand) != 0;
}

/* NULL if the call has no weights. */
static const strew_tensor *weights_of(const strew_jax_call *call)
{
    return call->has_weights ? &call->weights : NULL;
}

static strew_slice slice_of(const strew_jax_call *call)
{
    const int64_t(*const lists)[STREW_MAX_RANK] = call->slice;
    return (strew_slice){
        call->sliced,         0, lists[STREW_JAX_STARTS], lists[STREW_JAX_STOPS], lists[STREW_JAX_STEPS],
        lists[STREW_JAX_AXES]};
}

strew_status strew_jax_shape(const strew_jax_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                             strew_error *error)
{
    const strew_slice slice = slice_of(call);
    switch (call->kind) {
    case STREW_KIND_GATHER_ND:
        return strew_gather_nd_shape(&call->data, &call->indices, call->batch_dims, shape, rank, error);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_gather_elements_shape(&call->data, &call->indices, call->axis, shape, rank, error);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_embedding_bag_offsets_shape(&call->data, &call->indices, &call->segments, weights_of(call),
                                                 shape, rank, error);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_embedding_bag_packed_shape(&call->data, &call->indices, weights_of(call), shape, rank, error);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_embedding_segments_shape(&call->data, &call->indices, &call->segments, weights_of(call),
                                              call->segment_count, shape, rank, error);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_segment_reduce_shape(&call->data, &call->segments, call->segment_count, shape, rank, error);
    case STREW_KIND_SLICE_SCATTER:
        return strew_slice_scatter_shape(&call->data, &call->updates, &slice, shape, rank, error);
    case STREW_KIND_GATHER_SCATTER:
        return strew_gather_scatter_shape(&call->data, &call->updates, &call->indices, &call->segments,
                                          weights_of(call), shape, rank, error);
    case STREW_KIND_GATHER:
        return strew_gather_shape(&call->data, &call->indices, call->axis, call->batch_dims, shape, rank, error);
    case STREW_KIND_SCATTER:
        return strew_scatter_shape(&call->data, &call->indices, &call->updates, call->axis, call->batch_dims, shape,
                                   rank, error);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_tensor_scatter_shape(&call->data, &call->indices, &call->updates, call->axis, call->circular,
                                          shape, rank, error);
    case STREW_KIND_SCATTER_ND:
        return strew_scatter_nd_shape(&call->data, &call->indices, &call->updates, shape, rank, error);
    default:
        return strew_scatter_elements_shape(&call->data, &call->indices, &call->updates, call->axis, shape, rank,
                                            error);
    }
}

strew_status strew_jax_plan(const strew_jax_call *call, const strew_tensor *output,
                            const strew_plan_options *options, strew_plan *plan)
{
    const strew_slice slice = slice_of(call);
    switch (call->kind) {
    case STREW_KIND_GATHER_ND:
        return strew_plan_gather_nd(plan, &call->data, &call->indices, call->batch_dims, output, options);
    case STREW_KIND_GATHER_ELEMENTS:
        return strew_plan_gather_elements(plan, &call->data, &call->indices, call->axis, output, options);
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_plan_embedding_bag_offsets(plan, &call->data, &call->indices, &call->segments,
                                                weights_of(call), call->reduction, call->default_index, output,
                                                options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_plan_embedding_bag_packed(plan, &call->data, &call->indices, weights_of(call), call->reduction,
                                               output, options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_plan_embedding_segments(plan, &call->data, &call->indices, &call->segments, weights_of(call),
                                             call->reduction, call->default_index, output, options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_plan_segment_reduce(plan, &call->data, &call->segments, call->reduction, call->empty, output,
                                         options);
    case STREW_KIND_SLICE_SCATTER:
        return strew_plan_slice_scatter(plan, &call->data, &call->updates, &slice, output, options);
    case STREW_KIND_GATHER_SCATTER:
        return strew_plan_gather_scatter(plan, &call->data, &call->updates, &call->indices, &call->segments,
                                         weights_of(call), call->reduction, call->use_init_val, output, options);
    case STREW_KIND_GATHER:
        return strew_plan_gather(plan, &call->data, &call->indices, call->axis, call->batch_dims, output, options);
    case STREW_KIND_SCATTER:
        return strew_plan_scatter(plan, &call->data, &call->indices, &call->updates, call->axis, call->batch_dims,
                                  call->reduction, call->use_init_val, output, options);
    case STREW_KIND_TENSOR_SCATTER:
        return strew_plan_tensor_scatter(plan, &call->data, &call->indices, &call->updates, call->axis,
                                         call->circular, output, options);
    case STREW_KIND_SCATTER_ND:
        return strew_plan_scatter_nd(plan, &call->data, &call->indices, &call->updates, call->reduction, output,
                                     options);
    default:
        return strew_plan_scatter_elements(plan, &call->data, &call->indices, &call->updates, call->axis,
                                           call->reduction, call->use_init_val, output, options);
    }
}
