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

/*
 * Defines strew_<name>, which runs a call, and strew_plan_<name>, which plans it. The function <name> makes the
 * call from its arguments, the last of which is the output. The parameters before it follow.
 */
#define RUN_AND_PLAN(name, arguments, ...)                                                           \
    strew_status strew_##name(__VA_ARGS__, const strew_tensor *output, const strew_options *options) \
    {                                                                                                \
        strew_call call = name arguments;                                                            \
        return strew_call_run(&call, options);                                                       \
    }                                                                                                \
    strew_status strew_plan_##name(strew_plan *plan, __VA_ARGS__, const strew_tensor *output,        \
                                   const strew_plan_options *options)                                \
    {                                                                                                \
        strew_call call = name arguments;                                                            \
        return strew_call_plan(&call, plan, options);                                                \
    }

/* Defines strew_<name>_shape, which infers the shape of the output of `made`, a call without an output. */
#define SHAPE(name, made, ...)                                                                   \
    strew_status strew_##name##_shape(__VA_ARGS__, int64_t shape[STREW_MAX_RANK], int32_t *rank, \
                                      strew_error *error)                                        \
    {                                                                                            \
        strew_call call = made;                                                                  \
        return strew_call_shape(&call, shape, rank, error);                                      \
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
SHAPE(gather, gather(data, indices, axis, batch_dims, NULL), const strew_tensor *data, const strew_tensor *indices,
      int64_t axis, int64_t batch_dims)

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
SHAPE(scatter, scatter(data, indices, updates, axis, batch_dims, STREW_REDUCTION_NONE, true, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
      int64_t batch_dims)

/* ---- GatherND ------------------------------------------------------------------------------------ */

static strew_call gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                            const strew_tensor *output)
{
    const strew_attributes attributes = {.batch_dims = batch_dims};
    return call_of(STREW_KIND_GATHER_ND, attributes, data, indices, NULL, output);
}

RUN_AND_PLAN(gather_nd, (data, indices, batch_dims, output), const strew_tensor *data, const strew_tensor *indices,
             int64_t batch_dims)
SHAPE(gather_nd, gather_nd(data, indices, batch_dims, NULL), const strew_tensor *data, const strew_tensor *indices,
      int64_t batch_dims)

/* ---- GatherElements ------------------------------------------------------------------------------ */

static strew_call gather_elements(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                  const strew_tensor *output)
{
    const strew_attributes attributes = {.axis = axis};
    return call_of(STREW_KIND_GATHER_ELEMENTS, attributes, data, indices, NULL, output);
}

RUN_AND_PLAN(gather_elements, (data, indices, axis, output), const strew_tensor *data, const strew_tensor *indices,
             int64_t axis)
SHAPE(gather_elements, gather_elements(data, indices, axis, NULL), const strew_tensor *data,
      const strew_tensor *indices, int64_t axis)

/* ---- ScatterND ----------------------------------------------------------------------------------- */

static strew_call scatter_nd(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                             strew_reduction reduction, const strew_tensor *output)
{
    const strew_attributes attributes = {.reduction = reduction};
    return call_of(STREW_KIND_SCATTER_ND, attributes, data, indices, updates, output);
}

RUN_AND_PLAN(scatter_nd, (data, indices, updates, reduction, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *updates, strew_reduction reduction)
SHAPE(scatter_nd, scatter_nd(data, indices, updates, STREW_REDUCTION_NONE, NULL), const strew_tensor *data,
      const strew_tensor *indices, const strew_tensor *updates)

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
SHAPE(scatter_elements, scatter_elements(data, indices, updates, axis, STREW_REDUCTION_NONE, true, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis)

/* ---- TensorScatter ------------------------------------------------------------------------------- */

static strew_call tensor_scatter(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                 int64_t axis, bool circular, const strew_tensor *output)
{
    const strew_attributes attributes = {.axis = axis, .circular = circular};
    return call_of(STREW_KIND_TENSOR_SCATTER, attributes, data, indices, updates, output);
}

RUN_AND_PLAN(tensor_scatter, (data, indices, updates, axis, circular, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *updates, int64_t axis, bool circular)
SHAPE(tensor_scatter, tensor_scatter(data, indices, updates, axis, circular, NULL), const strew_tensor *data,
      const strew_tensor *indices, const strew_tensor *updates, int64_t axis, bool circular)

/* ---- SliceScatter -------------------------------------------------------------------------------- */

static strew_call slice_scatter(const strew_tensor *data, const strew_tensor *updates, const strew_slice *slice,
                                const strew_tensor *output)
{
    const strew_attributes attributes = {.slice = slice};
    return call_of(STREW_KIND_SLICE_SCATTER, attributes, data, NULL, updates, output);
}

RUN_AND_PLAN(slice_scatter, (data, updates, slice, output), const strew_tensor *data, const strew_tensor *updates,
             const strew_slice *slice)
SHAPE(slice_scatter, slice_scatter(data, updates, slice, NULL), const strew_tensor *data,
      const strew_tensor *updates, const strew_slice *slice)

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
SHAPE(embedding_bag_offsets, embedding_bag_offsets(data, indices, offsets, weights, STREW_REDUCTION_SUM, -1, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *offsets,
      const strew_tensor *weights)

RUN_AND_PLAN(embedding_bag_packed, (data, indices, weights, reduction, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *weights, strew_reduction reduction)
SHAPE(embedding_bag_packed, embedding_bag_packed(data, indices, weights, STREW_REDUCTION_SUM, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *weights)

RUN_AND_PLAN(embedding_segments, (data, indices, segment_ids, weights, reduction, default_index, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *segment_ids,
             const strew_tensor *weights, strew_reduction reduction, int64_t default_index)
SHAPE(embedding_segments,
      set_segment_count(embedding_segments(data, indices, segment_ids, weights, STREW_REDUCTION_SUM, -1, NULL),
                        segments),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *segment_ids,
      const strew_tensor *weights, int64_t segments)

RUN_AND_PLAN(segment_reduce, (data, segment_ids, reduction, empty, output), const strew_tensor *data,
             const strew_tensor *segment_ids, strew_reduction reduction, strew_empty empty)
SHAPE(segment_reduce,
      set_segment_count(segment_reduce(data, segment_ids, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, NULL), segments),
      const strew_tensor *data, const strew_tensor *segment_ids, int64_t segments)

RUN_AND_PLAN(gather_scatter, (data, updates, indices, targets, weights, reduction, use_init_val, output),
             const strew_tensor *data, const strew_tensor *updates, const strew_tensor *indices,
             const strew_tensor *targets, const strew_tensor *weights, strew_reduction reduction, bool use_init_val)
SHAPE(gather_scatter, gather_scatter(data, updates, indices, targets, weights, STREW_REDUCTION_SUM, true, NULL),
      const strew_tensor *data, const strew_tensor *updates, const strew_tensor *indices,
      const strew_tensor *targets, const strew_tensor *weights)

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
    strew_call call = versioned(op, attributes, data, indices, updates, output);
    return strew_call_run(&call, options);
}

strew_status strew_operator_shape(const strew_operator *op, const strew_attributes *attributes,
                                  const strew_tensor *data, const strew_tensor *indices,
                                  const strew_tensor *updates, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                  strew_error *error)
{
    strew_call call = versioned(op, attributes, data, indices, updates, NULL);
    return strew_call_shape(&call, shape, rank, error);
}

strew_status strew_operator_plan(strew_plan *plan, const strew_operator *op, const strew_attributes *attributes,
                                 const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                 const strew_tensor *output, const strew_plan_options *options)
{
    strew_call call = versioned(op, attributes, data, indices, updates, output);
    return strew_call_plan(&call, plan, options);
}
