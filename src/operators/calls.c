/*
 * Defines the public calls. Each operator, and each published version, can be run, planned, and asked for the
 * shape of its output.
 */
#include "operators/operator.h"

/* Begins a call. Attributes may be NULL. The fields are set one by one: gcc clears a struct by an instruction that
 * takes longer. */
static void begin_versioned(strew_call *call, const strew_operator *op, const strew_attributes *attributes,
                            const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                            const strew_tensor *output)
{
    static const strew_attributes none;
    call->rules = op;
    call->attributes = attributes ? *attributes : none;
    call->data = data;
    call->indices = indices;
    call->updates = updates;
    call->output = output;
    call->flags = 0;
    call->bounds = STREW_BOUNDS_REFUSE;
    call->error = NULL;
}

/* Begins an unversioned call. It gives every attribute of its rules, but for the number of segments
 * (set_segment_count). The functions below set what an operator has besides. */
STREW_NOINLINE static void begin(strew_call *call, strew_kind kind, const strew_tensor *data,
                                 const strew_tensor *indices, const strew_tensor *updates,
                                 const strew_tensor *output)
{
    begin_versioned(call, strew_unversioned(kind), NULL, data, indices, updates, output);
    call->attributes.given = call->rules->attributes & ~(uint32_t)STREW_ATTRIBUTE_SEGMENT_COUNT;
}

/*
 * Defines strew_<name>, which runs a call, and strew_plan_<name>, which plans it. The function <name> makes `call`
 * from its arguments, the last of which is the output. The parameters before it follow.
 */
#define RUN_AND_PLAN(name, arguments, ...)                                                           \
    strew_status strew_##name(__VA_ARGS__, const strew_tensor *output, const strew_options *options) \
    {                                                                                                \
        strew_call call;                                                                             \
        name arguments;                                                                              \
        return strew_call_run(&call, options);                                                       \
    }                                                                                                \
    strew_status strew_plan_##name(strew_plan *plan, __VA_ARGS__, const strew_tensor *output,        \
                                   const strew_plan_options *options)                                \
    {                                                                                                \
        strew_call call;                                                                             \
        name arguments;                                                                              \
        return strew_call_plan(&call, plan, options);                                                \
    }

/* Defines strew_<name>_shape, which infers the shape of the output. `made` makes a `call` without an output. */
#define SHAPE(name, made, ...)                                                                   \
    strew_status strew_##name##_shape(__VA_ARGS__, int64_t shape[STREW_MAX_RANK], int32_t *rank, \
                                      strew_error *error)                                        \
    {                                                                                            \
        strew_call call;                                                                         \
        made;                                                                                    \
        return strew_call_shape(&call, shape, rank, error);                                      \
    }

/* ---- Gather -------------------------------------------------------------------------------------- */

static void gather(strew_call *call, const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                   int64_t batch_dims, const strew_tensor *output)
{
    begin(call, STREW_KIND_GATHER, data, indices, NULL, output);
    call->attributes.axis = axis;
    call->attributes.batch_dims = batch_dims;
}

RUN_AND_PLAN(gather, (&call, data, indices, axis, batch_dims, output), const strew_tensor *data,
             const strew_tensor *indices, int64_t axis, int64_t batch_dims)
SHAPE(gather, gather(&call, data, indices, axis, batch_dims, NULL), const strew_tensor *data,
      const strew_tensor *indices, int64_t axis, int64_t batch_dims)

/* ---- Scatter ------------------------------------------------------------------------------------- */

static void scatter(strew_call *call, const strew_tensor *data, const strew_tensor *indices,
                    const strew_tensor *updates, int64_t axis, int64_t batch_dims, strew_reduction reduction,
                    bool use_init_val, const strew_tensor *output)
{
    begin(call, STREW_KIND_SCATTER, data, indices, updates, output);
    call->attributes.axis = axis;
    call->attributes.batch_dims = batch_dims;
    call->attributes.reduction = reduction;
    call->attributes.use_init_val = use_init_val;
}

RUN_AND_PLAN(scatter, (&call, data, indices, updates, axis, batch_dims, reduction, use_init_val, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
             int64_t batch_dims, strew_reduction reduction, bool use_init_val)
SHAPE(scatter, scatter(&call, data, indices, updates, axis, batch_dims, STREW_REDUCTION_NONE, true, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
      int64_t batch_dims)

/* ---- GatherND ------------------------------------------------------------------------------------ */

static void gather_nd(strew_call *call, const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                      const strew_tensor *output)
{
    begin(call, STREW_KIND_GATHER_ND, data, indices, NULL, output);
    call->attributes.batch_dims = batch_dims;
}

RUN_AND_PLAN(gather_nd, (&call, data, indices, batch_dims, output), const strew_tensor *data,
             const strew_tensor *indices, int64_t batch_dims)
SHAPE(gather_nd, gather_nd(&call, data, indices, batch_dims, NULL), const strew_tensor *data,
      const strew_tensor *indices, int64_t batch_dims)

/* ---- GatherElements ------------------------------------------------------------------------------ */

static void gather_elements(strew_call *call, const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                            const strew_tensor *output)
{
    begin(call, STREW_KIND_GATHER_ELEMENTS, data, indices, NULL, output);
    call->attributes.axis = axis;
}

RUN_AND_PLAN(gather_elements, (&call, data, indices, axis, output), const strew_tensor *data,
             const strew_tensor *indices, int64_t axis)
SHAPE(gather_elements, gather_elements(&call, data, indices, axis, NULL), const strew_tensor *data,
      const strew_tensor *indices, int64_t axis)

/* ---- ScatterND ----------------------------------------------------------------------------------- */

static void scatter_nd(strew_call *call, const strew_tensor *data, const strew_tensor *indices,
                       const strew_tensor *updates, strew_reduction reduction, const strew_tensor *output)
{
    begin(call, STREW_KIND_SCATTER_ND, data, indices, updates, output);
    call->attributes.reduction = reduction;
}

RUN_AND_PLAN(scatter_nd, (&call, data, indices, updates, reduction, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *updates, strew_reduction reduction)
SHAPE(scatter_nd, scatter_nd(&call, data, indices, updates, STREW_REDUCTION_NONE, NULL), const strew_tensor *data,
      const strew_tensor *indices, const strew_tensor *updates)

/* ---- ScatterElements ----------------------------------------------------------------------------- */

static void scatter_elements(strew_call *call, const strew_tensor *data, const strew_tensor *indices,
                             const strew_tensor *updates, int64_t axis, strew_reduction reduction,
                             bool use_init_val, const strew_tensor *output)
{
    begin(call, STREW_KIND_SCATTER_ELEMENTS, data, indices, updates, output);
    call->attributes.axis = axis;
    call->attributes.reduction = reduction;
    call->attributes.use_init_val = use_init_val;
}

RUN_AND_PLAN(scatter_elements, (&call, data, indices, updates, axis, reduction, use_init_val, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
             strew_reduction reduction, bool use_init_val)
SHAPE(scatter_elements, scatter_elements(&call, data, indices, updates, axis, STREW_REDUCTION_NONE, true, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis)

/* ---- TensorScatter ------------------------------------------------------------------------------- */

static void tensor_scatter(strew_call *call, const strew_tensor *data, const strew_tensor *indices,
                           const strew_tensor *updates, int64_t axis, bool circular, const strew_tensor *output)
{
    begin(call, STREW_KIND_TENSOR_SCATTER, data, indices, updates, output);
    call->attributes.axis = axis;
    call->attributes.circular = circular;
}

RUN_AND_PLAN(tensor_scatter, (&call, data, indices, updates, axis, circular, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *updates, int64_t axis, bool circular)
SHAPE(tensor_scatter, tensor_scatter(&call, data, indices, updates, axis, circular, NULL), const strew_tensor *data,
      const strew_tensor *indices, const strew_tensor *updates, int64_t axis, bool circular)

/* ---- SliceScatter -------------------------------------------------------------------------------- */

static void slice_scatter(strew_call *call, const strew_tensor *data, const strew_tensor *updates,
                          const strew_slice *slice, const strew_tensor *output)
{
    begin(call, STREW_KIND_SLICE_SCATTER, data, NULL, updates, output);
    call->attributes.slice = slice;
}

RUN_AND_PLAN(slice_scatter, (&call, data, updates, slice, output), const strew_tensor *data,
             const strew_tensor *updates, const strew_slice *slice)
SHAPE(slice_scatter, slice_scatter(&call, data, updates, slice, NULL), const strew_tensor *data,
      const strew_tensor *updates, const strew_slice *slice)

/* ---- Rows that are gathered and combined --------------------------------------------------------- */

static void embedding_bag_offsets(strew_call *call, const strew_tensor *data, const strew_tensor *indices,
                                  const strew_tensor *offsets, const strew_tensor *weights,
                                  strew_reduction reduction, int64_t default_index, const strew_tensor *output)
{
    begin(call, STREW_KIND_EMBEDDING_BAG_OFFSETS, data, indices, NULL, output);
    call->attributes.reduction = reduction;
    call->attributes.segments = offsets;
    call->attributes.weights = weights;
    call->attributes.default_index = default_index;
}

static void embedding_bag_packed(strew_call *call, const strew_tensor *data, const strew_tensor *indices,
                                 const strew_tensor *weights, strew_reduction reduction, const strew_tensor *output)
{
    begin(call, STREW_KIND_EMBEDDING_BAG_PACKED, data, indices, NULL, output);
    call->attributes.reduction = reduction;
    call->attributes.weights = weights;
}

static void embedding_segments(strew_call *call, const strew_tensor *data, const strew_tensor *indices,
                               const strew_tensor *segment_ids, const strew_tensor *weights,
                               strew_reduction reduction, int64_t default_index, const strew_tensor *output)
{
    begin(call, STREW_KIND_EMBEDDING_SEGMENTS, data, indices, NULL, output);
    call->attributes.reduction = reduction;
    call->attributes.segments = segment_ids;
    call->attributes.weights = weights;
    call->attributes.default_index = default_index;
}

static void segment_reduce(strew_call *call, const strew_tensor *data, const strew_tensor *segment_ids,
                           strew_reduction reduction, strew_empty empty, const strew_tensor *output)
{
    begin(call, STREW_KIND_SEGMENT_REDUCE, data, NULL, NULL, output);
    call->attributes.reduction = reduction;
    call->attributes.segments = segment_ids;
    call->attributes.empty = empty;
}

static void gather_scatter(strew_call *call, const strew_tensor *data, const strew_tensor *updates,
                           const strew_tensor *indices, const strew_tensor *targets, const strew_tensor *weights,
                           strew_reduction reduction, bool use_init_val, const strew_tensor *output)
{
    begin(call, STREW_KIND_GATHER_SCATTER, data, indices, updates, output);
    call->attributes.reduction = reduction;
    call->attributes.use_init_val = use_init_val;
    call->attributes.segments = targets;
    call->attributes.weights = weights;
}

/* Sets the number of segments. */
static void set_segment_count(strew_call *call, int64_t segments)
{
    call->attributes.given |= STREW_ATTRIBUTE_SEGMENT_COUNT;
    call->attributes.segment_count = segments;
}

RUN_AND_PLAN(embedding_bag_offsets, (&call, data, indices, offsets, weights, reduction, default_index, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *offsets,
             const strew_tensor *weights, strew_reduction reduction, int64_t default_index)
SHAPE(embedding_bag_offsets,
      embedding_bag_offsets(&call, data, indices, offsets, weights, STREW_REDUCTION_SUM, -1, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *offsets,
      const strew_tensor *weights)

RUN_AND_PLAN(embedding_bag_packed, (&call, data, indices, weights, reduction, output), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *weights, strew_reduction reduction)
SHAPE(embedding_bag_packed, embedding_bag_packed(&call, data, indices, weights, STREW_REDUCTION_SUM, NULL),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *weights)

RUN_AND_PLAN(embedding_segments, (&call, data, indices, segment_ids, weights, reduction, default_index, output),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *segment_ids,
             const strew_tensor *weights, strew_reduction reduction, int64_t default_index)
SHAPE(embedding_segments,
      (embedding_segments(&call, data, indices, segment_ids, weights, STREW_REDUCTION_SUM, -1, NULL),
       set_segment_count(&call, segments)),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *segment_ids,
      const strew_tensor *weights, int64_t segments)

RUN_AND_PLAN(segment_reduce, (&call, data, segment_ids, reduction, empty, output), const strew_tensor *data,
             const strew_tensor *segment_ids, strew_reduction reduction, strew_empty empty)
SHAPE(segment_reduce,
      (segment_reduce(&call, data, segment_ids, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, NULL),
       set_segment_count(&call, segments)),
      const strew_tensor *data, const strew_tensor *segment_ids, int64_t segments)

RUN_AND_PLAN(gather_scatter, (&call, data, updates, indices, targets, weights, reduction, use_init_val, output),
             const strew_tensor *data, const strew_tensor *updates, const strew_tensor *indices,
             const strew_tensor *targets, const strew_tensor *weights, strew_reduction reduction, bool use_init_val)
SHAPE(gather_scatter,
      gather_scatter(&call, data, updates, indices, targets, weights, STREW_REDUCTION_SUM, true, NULL),
      const strew_tensor *data, const strew_tensor *updates, const strew_tensor *indices,
      const strew_tensor *targets, const strew_tensor *weights)

/* ---- A published version ------------------------------------------------------------------------- */

strew_status strew_operator_run(const strew_operator *op, const strew_attributes *attributes,
                                const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                const strew_tensor *output, const strew_options *options)
{
    strew_call call;
    begin_versioned(&call, op, attributes, data, indices, updates, output);
    return strew_call_run(&call, options);
}

strew_status strew_operator_shape(const strew_operator *op, const strew_attributes *attributes,
                                  const strew_tensor *data, const strew_tensor *indices,
                                  const strew_tensor *updates, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                  strew_error *error)
{
    strew_call call;
    begin_versioned(&call, op, attributes, data, indices, updates, NULL);
    return strew_call_shape(&call, shape, rank, error);
}

strew_status strew_operator_plan(strew_plan *plan, const strew_operator *op, const strew_attributes *attributes,
                                 const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                                 const strew_tensor *output, const strew_plan_options *options)
{
    strew_call call;
    begin_versioned(&call, op, attributes, data, indices, updates, output);
    return strew_call_plan(&call, plan, options);
}
