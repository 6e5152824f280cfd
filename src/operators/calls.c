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

/* Begins an unversioned call. It gives every attribute of its rules, but for the number of segments. */
STREW_NOINLINE static void begin(strew_call *call, strew_kind kind, const strew_tensor *data,
                                 const strew_tensor *indices, const strew_tensor *updates,
                                 const strew_tensor *output)
{
    begin_versioned(call, strew_unversioned(kind), NULL, data, indices, updates, output);
    call->attributes.given = call->rules->attributes & ~(uint32_t)STREW_ATTRIBUTE_SEGMENT_COUNT;
}

/* Sets an attribute to the parameter of its name, or to another value. */
#define SET(attribute) SET_TO(attribute, attribute)
#define SET_TO(attribute, value) call.attributes.attribute = (value);
#define SET_SEGMENT_COUNT           \
    SET_TO(segment_count, segments) \
    call.attributes.given |= STREW_ATTRIBUTE_SEGMENT_COUNT;

/* Defines strew_<name>, which runs a call, and strew_plan_<name>, which plans it. The parameters before the output
 * follow `sets`, which sets attributes. */
#define RUN_AND_PLAN(name, kind, indices, updates, sets, ...)                                        \
    strew_status strew_##name(__VA_ARGS__, const strew_tensor *output, const strew_options *options) \
    {                                                                                                \
        strew_call call;                                                                             \
        begin(&call, STREW_KIND_##kind, data, indices, updates, output);                             \
        sets return strew_call_run(&call, options);                                                  \
    }                                                                                                \
    strew_status strew_plan_##name(strew_plan *plan, __VA_ARGS__, const strew_tensor *output,        \
                                   const strew_plan_options *options)                                \
    {                                                                                                \
        strew_call call;                                                                             \
        begin(&call, STREW_KIND_##kind, data, indices, updates, output);                             \
        sets return strew_call_plan(&call, plan, options);                                           \
    }

/* Defines strew_<name>_shape, which infers the shape of the output. */
#define SHAPE(name, kind, indices, updates, sets, ...)                                           \
    strew_status strew_##name##_shape(__VA_ARGS__, int64_t shape[STREW_MAX_RANK], int32_t *rank, \
                                      strew_error *error)                                        \
    {                                                                                            \
        strew_call call;                                                                         \
        begin(&call, STREW_KIND_##kind, data, indices, updates, NULL);                           \
        sets return strew_call_shape(&call, shape, rank, error);                                 \
    }

/* Defines all three, with the same parameters. */
#define RUN_PLAN_AND_SHAPE(...) RUN_AND_PLAN(__VA_ARGS__) SHAPE(__VA_ARGS__)

/* ---- Rows and elements that are gathered or scattered -------------------------------------------- */

RUN_PLAN_AND_SHAPE(gather, GATHER, indices, NULL, SET(axis) SET(batch_dims), const strew_tensor *data,
                   const strew_tensor *indices, int64_t axis, int64_t batch_dims)

RUN_AND_PLAN(scatter, SCATTER, indices, updates, SET(axis) SET(batch_dims) SET(reduction) SET(use_init_val),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
             int64_t batch_dims, strew_reduction reduction, bool use_init_val)
SHAPE(scatter, SCATTER, indices, updates, SET(axis) SET(batch_dims) SET_TO(use_init_val, true),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
      int64_t batch_dims)

RUN_PLAN_AND_SHAPE(gather_nd, GATHER_ND, indices, NULL, SET(batch_dims), const strew_tensor *data,
                   const strew_tensor *indices, int64_t batch_dims)

RUN_PLAN_AND_SHAPE(gather_elements, GATHER_ELEMENTS, indices, NULL, SET(axis), const strew_tensor *data,
                   const strew_tensor *indices, int64_t axis)

RUN_AND_PLAN(scatter_nd, SCATTER_ND, indices, updates, SET(reduction), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *updates, strew_reduction reduction)
SHAPE(scatter_nd, SCATTER_ND, indices, updates, , const strew_tensor *data, const strew_tensor *indices,
      const strew_tensor *updates)

RUN_AND_PLAN(scatter_elements, SCATTER_ELEMENTS, indices, updates, SET(axis) SET(reduction) SET(use_init_val),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
             strew_reduction reduction, bool use_init_val)
SHAPE(scatter_elements, SCATTER_ELEMENTS, indices, updates, SET(axis) SET_TO(use_init_val, true),
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis)

RUN_PLAN_AND_SHAPE(tensor_scatter, TENSOR_SCATTER, indices, updates, SET(axis) SET(circular),
                   const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates, int64_t axis,
                   bool circular)

RUN_PLAN_AND_SHAPE(slice_scatter, SLICE_SCATTER, NULL, updates, SET(slice), const strew_tensor *data,
                   const strew_tensor *updates, const strew_slice *slice)

/* ---- Rows that are gathered and combined --------------------------------------------------------- */

/* Their shapes are those of sums. */
#define SUMS SET_TO(reduction, STREW_REDUCTION_SUM)

RUN_AND_PLAN(embedding_bag_offsets, EMBEDDING_BAG_OFFSETS, indices, NULL,
             SET(reduction) SET_TO(segments, offsets) SET(weights) SET(default_index), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *offsets, const strew_tensor *weights,
             strew_reduction reduction, int64_t default_index)
SHAPE(embedding_bag_offsets, EMBEDDING_BAG_OFFSETS, indices, NULL,
      SUMS SET_TO(segments, offsets) SET(weights) SET_TO(default_index, -1), const strew_tensor *data,
      const strew_tensor *indices, const strew_tensor *offsets, const strew_tensor *weights)

RUN_AND_PLAN(embedding_bag_packed, EMBEDDING_BAG_PACKED, indices, NULL, SET(reduction) SET(weights),
             const strew_tensor *data, const strew_tensor *indices, const strew_tensor *weights,
             strew_reduction reduction)
SHAPE(embedding_bag_packed, EMBEDDING_BAG_PACKED, indices, NULL, SUMS SET(weights), const strew_tensor *data,
      const strew_tensor *indices, const strew_tensor *weights)

RUN_AND_PLAN(embedding_segments, EMBEDDING_SEGMENTS, indices, NULL,
             SET(reduction) SET_TO(segments, segment_ids) SET(weights) SET(default_index), const strew_tensor *data,
             const strew_tensor *indices, const strew_tensor *segment_ids, const strew_tensor *weights,
             strew_reduction reduction, int64_t default_index)
SHAPE(embedding_segments, EMBEDDING_SEGMENTS, indices, NULL,
      SUMS SET_TO(segments, segment_ids) SET(weights) SET_TO(default_index, -1) SET_SEGMENT_COUNT,
      const strew_tensor *data, const strew_tensor *indices, const strew_tensor *segment_ids,
      const strew_tensor *weights, int64_t segments)

RUN_AND_PLAN(segment_reduce, SEGMENT_REDUCE, NULL, NULL, SET(reduction) SET_TO(segments, segment_ids) SET(empty),
             const strew_tensor *data, const strew_tensor *segment_ids, strew_reduction reduction,
             strew_empty empty)
SHAPE(segment_reduce, SEGMENT_REDUCE, NULL, NULL,
      SUMS SET_TO(segments, segment_ids) SET_TO(empty, STREW_EMPTY_ZERO) SET_SEGMENT_COUNT,
      const strew_tensor *data, const strew_tensor *segment_ids, int64_t segments)

RUN_AND_PLAN(gather_scatter, GATHER_SCATTER, indices, updates,
             SET(reduction) SET(use_init_val) SET_TO(segments, targets) SET(weights), const strew_tensor *data,
             const strew_tensor *updates, const strew_tensor *indices, const strew_tensor *targets,
             const strew_tensor *weights, strew_reduction reduction, bool use_init_val)
SHAPE(gather_scatter, GATHER_SCATTER, indices, updates,
      SUMS SET_TO(use_init_val, true) SET_TO(segments, targets) SET(weights), const strew_tensor *data,
      const strew_tensor *updates, const strew_tensor *indices, const strew_tensor *targets,
      const strew_tensor *weights)

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
