/*
 * Defines the public calls. Each operator, and each published version, can be run, planned, and asked for the
 * shape of its output.
 */
#include "operators/operator.h"

/* An unversioned call gives every attribute of its rules, but for the number of segments (set_segment_count). */
static strew_call call_of(strew_kind kind, strew_attributes attributes, const strew_tensor *data,
                          const strew_tensor *indices, const strew_tensor *updates, const strew_tensor *output)
{
    strew_call call = {.rules = strew_unversioned(kind),
                       .attributes = attributes,
                       .data = data,
                       .indices = indices,
                       .updates = updates,
                       .output = output};
    call.attributes.given = call.rules->attributes & ~(uint32_t)STREW_ATTRIBUTE_SEGMENT_COUNT;
    return call;
}

/* These three are inlined, so that no call is copied: loads right after narrower stores would stall. */
STREW_INLINE strew_status run_call(strew_call call, const strew_options *options)
{
    return strew_call_run(&call, options);
}

STREW_INLINE strew_status plan_call(strew_call call, strew_plan *plan, const strew_plan_options *options)
{
    return strew_call_plan(&call, plan, options);
}

STREW_INLINE strew_status infer_shape(strew_call call, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                      strew_error *error)
{
    return strew_call_shape(&call, shape, rank, error);
}

/*
 * Defines strew_<name>, which runs a call, and strew_plan_<name>, which plans it. The function <name> makes the
 * call from its arguments, the last of which is the output. The parameters before it follow.
 */
#define RUN_AND_PLAN(name, arguments, ...)                                                           \
    strew_status strew_##name(__VA_ARGS__, const strew_tensor *output, const strew_options *options) \
    {                                                                                                \
        return run_call(name arguments, options);                                                    \
    }                                                                                                \
    strew_status strew_plan_##name(strew_plan *plan, __VA_ARGS__, const strew_tensor *output,        \
                                   const strew_plan_options *options)                                \
    {                                                                                                \
        return plan_call(name arguments, plan, options);                                             \
    }

/* ---- Gather -------------------------------------------------------------------------------------- */

static strew_call gather(const strew_tensor *data, const strew_tensor *indices, int64_t axis, int64_t batch_dims,
                         const strew_tensor *output)
{
    const strew_attributes attributes = {.axis = axis, .batch_dims = batch_dims};
    return call_of(STREW_KIND_GATHER, attributes, data, indices, NULL, output);
}

RUN_AND_PLAN(gather, (data, indices, axis, batch_dims, output), const strew_tensor *data,
             const strew_tensor *indices, int64_t axis, int64_t batch_dims)

strew_status strew_gather_shape(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                int64_t batch_dims, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                strew_error *error)
{
    return infer_shape(gather(data, indices, axis, batch_dims, NULL), shape, rank, error);
}

/* ---- Scatter ------------------------------------------------------------------------------------- */

static strew_call scatter(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                          int64_t axis, int64_t batch_dims, strew_reduction reduction, bool use_init_val,
                          const strew_tensor *output)
{
    const strew_attributes attributes = {
        .axis = axis, .batch_dims = batch_dims, .reduction = reduction, .use_init_val = use_init_val};
    return call_of(STREW_KIND_SCATTER, attributes, data, indices, updates, output);
}

RUN_AND_PLAN(scatter, (data, indices, updates, axis, batch_dims, reduction, use_init_val, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
             int64_t batch_dims, strew_reduction reduction, bool use_init_val)

strew_status strew_scatter_shape(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                 int64_t axis, int64_t batch_dims, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                 strew_error *error)
{
    return infer_shape(scatter(data, indices, updates, axis, batch_dims, STREW_REDUCTION_NONE, true, NULL), shape,
                       rank, error);
}

/* ---- GatherND ------------------------------------------------------------------------------------ */

static strew_call gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                            const strew_tensor *output)
{
    const strew_attributes attributes = {.batch_dims = batch_dims};
    return call_of(STREW_KIND_GATHER_ND, attributes, data, indices, NULL, output);
}

RUN_AND_PLAN(gather_nd, (data, indices, batch_dims, output), const strew_tensor *data, const strew_tensor *indices,
             int64_t batch_dims)

strew_status strew_gather_nd_shape(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                                   int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error)
{
    return infer_shape(gather_nd(data, indices, batch_dims, NULL), shape, rank, error);
}

/* ---- GatherElements ------------------------------------------------------------------------------ */

static strew_call gather_elements(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                  const strew_tensor *output)
{
    const strew_attributes attributes = {.axis = axis};
    return call_of(STREW_KIND_GATHER_ELEMENTS, attributes, data, indices, NULL, output);
}

RUN_AND_PLAN(gather_elements, (data, indices, axis, output), const strew_tensor *data, const strew_tensor *indices,
             int64_t axis)

strew_status strew_gather_elements_shape(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                         int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error)
{
    return infer_shape(gather_elements(data, indices, axis, NULL), shape, rank, error);
}

/* ---- ScatterND ----------------------------------------------------------------------------------- */

static strew_call scatter_nd(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                             strew_reduction reduction, const strew_tensor *output)
{
    const strew_attributes attributes = {.reduction = reduction};
    return call_of(STREW_KIND_SCATTER_ND, attributes, data, indices, updates, output);
}

RUN_AND_PLAN(scatter_nd, (data, indices, updates, reduction, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *updates, strew_reduction reduction)

strew_status strew_scatter_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                    const strew_tensor *updates, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                    strew_error *error)
{
    return infer_shape(scatter_nd(data, indices, updates, STREW_REDUCTION_NONE, NULL), shape, rank, error);
}

/* ---- ScatterElements ----------------------------------------------------------------------------- */

static strew_call scatter_elements(const strew_tensor *data, const strew_tensor *indices,
                                   const strew_tensor *updates, int64_t axis, strew_reduction reduction,
                                   bool use_init_val, const strew_tensor *output)
{
    const strew_attributes attributes = {.axis = axis, .reduction = reduction, .use_init_val = use_init_val};
    return call_of(STREW_KIND_SCATTER_ELEMENTS, attributes, data, indices, updates, output);
}

RUN_AND_PLAN(scatter_elements, (data, indices, updates, axis, reduction, use_init_val, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
             strew_reduction reduction, bool use_init_val)

strew_status strew_scatter_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                          const strew_tensor *updates, int64_t axis, int64_t shape[STREW_MAX_RANK],
                                          int32_t *rank, strew_error *error)
{
    return infer_shape(scatter_elements(data, indices, updates, axis, STREW_REDUCTION_NONE, true, NULL), shape,
                       rank, error);
}

/* ---- TensorScatter ------------------------------------------------------------------------------- */

static strew_call tensor_scatter(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                 int64_t axis, bool circular, const strew_tensor *output)
{
    const strew_attributes attributes = {.axis = axis, .circular = circular};
    return call_of(STREW_KIND_TENSOR_SCATTER, attributes, data, indices, updates, output);
}

RUN_AND_PLAN(tensor_scatter, (data, indices, updates, axis, circular, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *updates, int64_t axis, bool circular)

strew_status strew_tensor_scatter_shape(const strew_tensor *data, const strew_tensor *indices,
                                        const strew_tensor *updates, int64_t axis, bool circular,
                                        int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error)
{
    return infer_shape(tensor_scatter(data, indices, updates, axis, circular, NULL), shape, rank, error);
}

/* ---- SliceScatter -------------------------------------------------------------------------------- */

static strew_call slice_scatter(const strew_tensor *data, const strew_tensor *updates, const strew_slice *slice,
                                const strew_tensor *output)
{
    const strew_attributes attributes = {.slice = slice};
    return call_of(STREW_KIND_SLICE_SCATTER, attributes, data, NULL, updates, output);
}

RUN_AND_PLAN(slice_scatter, (data, updates, slice, output), const strew_tensor *data, const strew_tensor *updates,
             const strew_slice *slice)

strew_status strew_slice_scatter_shape(const strew_tensor *data, const strew_tensor *updates,
                                       const strew_slice *slice, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                       strew_error *error)
{
    return infer_shape(slice_scatter(data, updates, slice, NULL), shape, rank, error);
}

/* ---- Rows that are gathered and combined --------------------------------------------------------- */

static strew_call embedding_bag_offsets(const strew_tensor *data, const strew_tensor *indices,
                                        const strew_tensor *offsets, const strew_tensor *weights,
                                        strew_reduction reduction, int64_t default_index,
                                        const strew_tensor *output)
{
    const strew_attributes attributes = {
        .reduction = reduction, .segments = offsets, .weights = weights, .default_index = default_index};
    return call_of(STREW_KIND_EMBEDDING_BAG_OFFSETS, attributes, data, indices, NULL, output);
}

static strew_call embedding_bag_packed(const strew_tensor *data, const strew_tensor *indices,
                                       const strew_tensor *weights, strew_reduction reduction,
                                       const strew_tensor *output)
{
    const strew_attributes attributes = {.reduction = reduction, .weights = weights};
    return call_of(STREW_KIND_EMBEDDING_BAG_PACKED, attributes, data, indices, NULL, output);
}

static strew_call embedding_segments(const strew_tensor *data, const strew_tensor *indices,
                                     const strew_tensor *segment_ids, const strew_tensor *weights,
                                     strew_reduction reduction, int64_t default_index, const strew_tensor *output)
{
    const strew_attributes attributes = {
        .reduction = reduction, .segments = segment_ids, .weights = weights, .default_index = default_index};
    return call_of(STREW_KIND_EMBEDDING_SEGMENTS, attributes, data, indices, NULL, output);
}

static strew_call segment_reduce(const strew_tensor *data, const strew_tensor *segment_ids,
                                 strew_reduction reduction, strew_empty empty, const strew_tensor *output)
{
    const strew_attributes attributes = {.reduction = reduction, .segments = segment_ids, .empty = empty};
    return call_of(STREW_KIND_SEGMENT_REDUCE, attributes, data, NULL, NULL, output);
}

static strew_call gather_scatter(const strew_tensor *data, const strew_tensor *updates, const strew_tensor *indices,
                                 const strew_tensor *targets, const strew_tensor *weights,
                                 strew_reduction reduction, bool use_init_val, const strew_tensor *output)
{
    const strew_attributes attributes = {
        .reduction = reduction, .use_init_val = use_init_val, .segments = targets, .weights = weights};
    return call_of(STREW_KIND_GATHER_SCATTER, attributes, data, indices, updates, output);
}

/* Sets the number of segments. */
static strew_call set_segment_count(strew_call call, int64_t segments)
{
    call.attributes.given |= STREW_ATTRIBUTE_SEGMENT_COUNT;
    call.attributes.segment_count = segments;
    return call;
}

RUN_AND_PLAN(embedding_bag_offsets, (data, indices, offsets, weights, reduction, default_index, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *offsets,
             const strew_tensor *weights, strew_reduction reduction, int64_t default_index)

strew_status strew_embedding_bag_offsets_shape(const strew_tensor *data, const strew_tensor *indices,
                                               const strew_tensor *offsets, const strew_tensor *weights,
                                               int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error)
{
    return infer_shape(embedding_bag_offsets(data, indices, offsets, weights, STREW_REDUCTION_SUM, -1, NULL), shape,
                       rank, error);
}

RUN_AND_PLAN(embedding_bag_packed, (data, indices, weights, reduction, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *weights, strew_reduction reduction)

strew_status strew_embedding_bag_packed_shape(const strew_tensor *data, const strew_tensor *indices,
                                              const strew_tensor *weights, int64_t shape[STREW_MAX_RANK],
                                              int32_t *rank, strew_error *error)
{
    return infer_shape(embedding_bag_packed(data, indices, weights, STREW_REDUCTION_SUM, NULL), shape, rank, error);
}

RUN_AND_PLAN(embedding_segments, (data, indices, segment_ids, weights, reduction, default_index, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *segment_ids,
             const strew_tensor *weights, strew_reduction reduction, int64_t default_index)

strew_status strew_embedding_segments_shape(const strew_tensor *data, const strew_tensor *indices,
                                            const strew_tensor *segment_ids, const strew_tensor *weights,
                                            int64_t segments, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                            strew_error *error)
{
    return infer_shape(
        set_segment_count(embedding_segments(data, indices, segment_ids, weights, STREW_REDUCTION_SUM, -1, NULL),
                          segments),
        shape, rank, error);
}

RUN_AND_PLAN(segment_reduce, (data, segment_ids, reduction, empty, output), const strew_tensor *data,
             const strew_tensor *segment_ids, strew_reduction reduction, strew_empty empty)

strew_status strew_segment_reduce_shape(const strew_tensor *data, const strew_tensor *segment_ids, int64_t segments,
                                        int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error)
{
    return infer_shape(
        set_segment_count(segment_reduce(data, segment_ids, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, NULL), segments),
        shape, rank, error);
}

RUN_AND_PLAN(gather_scatter, (data, updates, indices, targets, weights, reduction, use_init_val, output),
             const strew_tensor *data, const strew_tensor *updates, const strew_tensor *indices,
             const strew_tensor *targets, const strew_tensor *weights, strew_reduction reduction, bool use_init_val)

strew_status strew_gather_scatter_shape(const strew_tensor *data, const strew_tensor *updates,
                                        const strew_tensor *indices, const strew_tensor *targets,
                                        const strew_tensor *weights, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                        strew_error *error)
{
    return infer_shape(gather_scatter(data, updates, indices, targets, weights, STREW_REDUCTION_SUM, true, NULL),
                       shape, rank, error);
}

/* ---- A published version ------------------------------------------------------------------------- */

static strew_call versioned(const strew_operator *op, const strew_attributes *attributes, const strew_tensor *data,
                            const strew_tensor *indices, const strew_tensor *updates, const strew_tensor *output)
{
    static const strew_attributes none = {.given = 0};
    return (strew_call){.rules = op,
                        .attributes = attributes ? *attributes : none,
                        .data = data,
                        .indices = indices,
                        .updates = updates,
                        .output = output};
}

strew_status strew_operator_run(const strew_operator *op, const strew_attributes *attributes,
                                const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                const strew_tensor *output, const strew_options *options)
{
    return run_call(versioned(op, attributes, data, indices, updates, output), options);
}

strew_status strew_operator_shape(const strew_operator *op, const strew_attributes *attributes,
                                  const strew_tensor *data, const strew_tensor *indices,
                                  const strew_tensor *updates, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                  strew_error *error)
{
    return infer_shape(versioned(op, attributes, data, indices, updates, NULL), shape, rank, error);
}

strew_status strew_operator_plan(strew_plan *plan, const strew_operator *op, const strew_attributes *attributes,
                                 const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                 const strew_tensor *output, const strew_plan_options *options)
{
    return plan_call(versioned(op, attributes, data, indices, updates, output), plan, options);
}
