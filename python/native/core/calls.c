/* The module's functions that call or plan an operator. All are generated from one list. */
#include "core.h"

#define BIT(CONSTANT) (1u << PARAMETER_##CONSTANT)
#define BOTH (BIT(DATA) | BIT(INDICES) | BIT(MODE) | BIT(OUT) | BIT(NUM_THREADS))
#define GATHERS (BOTH | BIT(FILL_VALUE))
#define SCATTERS (BOTH | BIT(UPDATES) | BIT(REDUCTION) | BIT(UNIQUE_INDICES))
#define SLICE (BIT(STARTS) | BIT(STOPS) | BIT(STEPS) | BIT(AXES))
#define BAGS (BOTH | BIT(WEIGHTS) | BIT(REDUCTION))
#define GATHERS_HAVE ", mode=\"raise\", fill_value=None"
#define POLICY_HAVE ", mode=\"raise\""
#define SCATTERS_HAVE ", unique_indices=False" POLICY_HAVE
#define ALL ((1u << PARAMETERS) - 1)

/* X(identifier, planner, kind, is_versioned, required, positional, parameters, signature, documentation). */
#define CALLS(X)                                                                                                   \
    X(gather, plan_gather, STREW_KIND_GATHER, false, 2, 2, GATHERS | BIT(AXIS) | BIT(BATCH_DIMS),                  \
      "data, indices, *, axis=0, batch_dims=0" GATHERS_HAVE, GATHER_TEXT)                                          \
    X(gather_nd, plan_gather_nd, STREW_KIND_GATHER_ND, false, 2, 2, GATHERS | BIT(BATCH_DIMS),                     \
      "data, indices, *, batch_dims=0" GATHERS_HAVE, GATHER_ND_TEXT)                                               \
    X(gather_elements, plan_gather_elements, STREW_KIND_GATHER_ELEMENTS, false, 2, 2, GATHERS | BIT(AXIS),         \
      "data, indices, *, axis=0" GATHERS_HAVE, GATHER_ELEMENTS_TEXT)                                               \
    X(scatter, plan_scatter, STREW_KIND_SCATTER, false, 3, 3,                                                      \
      SCATTERS | BIT(AXIS) | BIT(BATCH_DIMS) | BIT(USE_INIT_VAL),                                                  \
      "data, indices, updates, *, axis=0, batch_dims=0, reduction=\"none\", use_init_val=True" SCATTERS_HAVE,      \
      SCATTER_TEXT)                                                                                                \
    X(scatter_nd, plan_scatter_nd, STREW_KIND_SCATTER_ND, false, 3, 3, SCATTERS,                                   \
      "data, indices, updates, *, reduction=\"none\"" SCATTERS_HAVE, SCATTER_ND_TEXT)                              \
    X(scatter_elements, plan_scatter_elements, STREW_KIND_SCATTER_ELEMENTS, false, 3, 3,                           \
      SCATTERS | BIT(AXIS) | BIT(USE_INIT_VAL),                                                                    \
      "data, indices, updates, *, axis=0, reduction=\"none\", use_init_val=True" SCATTERS_HAVE,                    \
      SCATTER_ELEMENTS_TEXT)                                                                                       \
    X(tensor_scatter, plan_tensor_scatter, STREW_KIND_TENSOR_SCATTER, false, 3, 3,                                 \
      BOTH | BIT(UPDATES) | BIT(AXIS) | BIT(CIRCULAR),                                                             \
      "data, indices, updates, *, axis=-2, circular=False" POLICY_HAVE, TENSOR_SCATTER_TEXT)                       \
    X(slice_scatter, plan_slice_scatter, STREW_KIND_SLICE_SCATTER, false, 4, 6,                                    \
      BIT(DATA) | BIT(UPDATES) | SLICE | BIT(OUT) | BIT(NUM_THREADS),                                              \
      "data, updates, starts, stops, steps=None, axes=None, *", SLICE_SCATTER_TEXT)                                \
    X(embedding_bag_offsets, plan_embedding_bag_offsets, STREW_KIND_EMBEDDING_BAG_OFFSETS, false, 3, 4,            \
      BAGS | BIT(OFFSETS) | BIT(DEFAULT_INDEX),                                                                    \
      "data, indices, offsets, weights=None, *, reduction=\"sum\", default_index=-1" POLICY_HAVE,                  \
      BAG_OFFSETS_TEXT)                                                                                            \
    X(embedding_bag_packed, plan_embedding_bag_packed, STREW_KIND_EMBEDDING_BAG_PACKED, false, 2, 3, BAGS,         \
      "data, indices, weights=None, *, reduction=\"sum\"" POLICY_HAVE, BAG_PACKED_TEXT)                            \
    X(embedding_segments, plan_embedding_segments, STREW_KIND_EMBEDDING_SEGMENTS, false, 3, 4,                     \
      BAGS | BIT(SEGMENT_IDS) | BIT(NUM_SEGMENTS) | BIT(DEFAULT_INDEX),                                            \
      "data, indices, segment_ids, weights=None, *, reduction=\"sum\", num_segments=None, "                        \
      "default_index=-1" POLICY_HAVE,                                                                              \
      SEGMENTS_TEXT)                                                                                               \
    X(segment_reduce, plan_segment_reduce, STREW_KIND_SEGMENT_REDUCE, false, 2, 2,                                 \
      BIT(DATA) | BIT(SEGMENT_IDS) | BIT(REDUCTION) | BIT(NUM_SEGMENTS) | BIT(EMPTY) | BIT(MODE) | BIT(OUT) |      \
          BIT(NUM_THREADS),                                                                                        \
      "data, segment_ids, *, reduction=\"sum\", num_segments=None, empty=\"zero\"" POLICY_HAVE,                    \
      SEGMENT_REDUCE_TEXT)                                                                                         \
    X(gather_scatter, plan_gather_scatter, STREW_KIND_GATHER_SCATTER, false, 4, 5,                                 \
      BAGS | BIT(UPDATES) | BIT(TARGETS) | BIT(USE_INIT_VAL),                                                      \
      "data, updates, indices, targets, weights=None, *, reduction=\"sum\", use_init_val=True" POLICY_HAVE,        \
      GATHER_SCATTER_TEXT)                                                                                         \
    X(run, plan, 0, true, 2, 4, ALL,                                                                               \
      "name, data, indices=None, updates=None, *, offsets=None, segment_ids=None, targets=None, weights=None, "    \
      "starts=None, stops=None, steps=None, axes=None, axis=None, batch_dims=None, reduction=None, "               \
      "use_init_val=None, circular=None, num_segments=None, default_index=None, empty=None, unique_indices=None, " \
      "mode=None, fill_value=None",                                                                                \
      RUN_TEXT)

#define ARRAYS_TEXT                                                                                              \
    "Arrays come from NumPy, PyTorch, JAX or any library with __array_struct__, DLPack or buffers. They are in " \
    "the\n"                                                                                                      \
    "CPU's memory, have any strides, and are not copied. numpy.asarray makes arrays of lists and numbers.\n\n"
#define THREADS_TEXT                                                                                              \
    "num_threads: the number of threads, at least 1; None means get_num_threads(). The result has the same bits " \
    "for\n"                                                                                                       \
    "    every number.\n\n"
#define GATHER_OUT_TEXT                                                                                          \
    "out: an array to write to, with the result's shape and data's dtype, apart from both inputs. None makes a " \
    "new\n"                                                                                                      \
    "    torch.Tensor if data is one, and a new numpy.ndarray otherwise.\n"
#define SCATTER_OUT_TEXT                                                                                       \
    "out: an array to write to, with data's shape and dtype: data itself, which then changes in place, or an " \
    "array\n"                                                                                                  \
    "    apart from every input. None makes a new torch.Tensor if data is one, and a new numpy.ndarray "       \
    "otherwise.\n"
#define ERRORS_TEXT                                                                                              \
    "Raises BoundsError (an IndexError) for an index that mode refuses, and names the first one; ArgumentError " \
    "(a\n"                                                                                                       \
    "ValueError) for shapes and values; DtypeError (a TypeError) for dtypes. A refused call leaves its inputs, " \
    "and an\n"                                                                                                   \
    "array that it would change in place, as they were, except with mode=\"stop\"."
#define INDEX_TEXT "A negative index counts from the end.\n"
#define BATCH_DIMS_TEXT                                                                                           \
    "batch_dims: the number of leading dimensions that data and indices share, at most min(axis, q); a negative " \
    "number\n"                                                                                                    \
    "    counts from q.\n"

#define MODE_TEXT(what_is_filled)                                                                                \
    "mode: the policy for indices out of bounds. \"raise\": refuse the call. \"stop\": refuse it after the "     \
    "earlier\n"                                                                                                  \
    "    indices are done. " what_is_filled                                                                      \
    ".\n"                                                                                                        \
    "    \"clip\": take the nearest index in bounds. \"wrap\": take the remainder modulo the size. Both refuse " \
    "an index\n"                                                                                                 \
    "    into an empty dimension.\n"
#define GATHER_MODE_TEXT                                                                                          \
    MODE_TEXT("\"fill\" or \"drop\": write fill_value instead of the row")                                        \
    "fill_value: a number that an element of data can hold, or an array of rank 0 with data's dtype; None means " \
    "zero.\n"
#define SCATTER_MODE_TEXT MODE_TEXT("\"drop\" or \"fill\": skip the update")
#define UNIQUE_TEXT                                                                                            \
    "unique_indices: a promise that no two updates go to one element. Threads then share the updates as they " \
    "share the\n"                                                                                              \
    "    rows of a gather. Indices are still checked. If you break the promise, those elements may hold "      \
    "anything.\n"

#define GATHER_TEXT                                                                                               \
    "Gathers rows along an axis: output[p, o, t, ...] = data[p, o, indices[p, t], ...], where p has batch_dims\n" \
    "coordinates, o those from there to the axis, and t the other coordinates of indices (OpenVINO Gather-8, "    \
    "ONNX\n"                                                                                                      \
    "Gather-13).\n"                                                                                               \
    "For axis=0 that is data[indices].\n\n" ARRAYS_TEXT                                                           \
    "data: rank r >= 1, any dtype.\n"                                                                             \
    "indices: any rank q >= 0, any integer dtype. " INDEX_TEXT                                                    \
    "axis: -r <= axis < r.\n" BATCH_DIMS_TEXT GATHER_MODE_TEXT GATHER_OUT_TEXT THREADS_TEXT                       \
    "Returns out, or the new array: shape data.shape[:axis] + indices.shape[batch_dims:] + "                      \
    "data.shape[axis+1:].\n\n" ERRORS_TEXT

#define GATHER_ND_TEXT                                                                                        \
    "Gathers rows: output[p, t, ...] = data[p, indices[p, t, 0], ..., indices[p, t, k-1], ...], where p has " \
    "batch_dims\n"                                                                                            \
    "coordinates and k is the length of the last dimension of indices (OpenVINO GatherND-8, ONNX "            \
    "GatherND-13).\n\n" ARRAYS_TEXT                                                                           \
    "data: rank r >= 1, any dtype.\n"                                                                         \
    "indices: rank q >= 1, any integer dtype; k <= r - batch_dims. " INDEX_TEXT                               \
    "batch_dims: the number of leading dimensions that data and indices share, 0 <= batch_dims < min(r, "     \
    "q).\n" GATHER_MODE_TEXT GATHER_OUT_TEXT THREADS_TEXT                                                     \
    "Returns out, or the new array: shape indices.shape[:-1] + data.shape[batch_dims + k:].\n\n" ERRORS_TEXT

#define GATHER_ELEMENTS_TEXT                                                                                \
    "Gathers elements along an axis: for axis 1 of rank 3, output[i, j, k] = data[i, indices[i, j, k], k] " \
    "(OpenVINO\n"                                                                                           \
    "GatherElements-6, ONNX GatherElements-13).\n\n" ARRAYS_TEXT                                            \
    "data: rank r >= 1, any dtype.\n"                                                                       \
    "indices: rank r, any integer dtype; off the axis, no dimension larger than data's. " INDEX_TEXT        \
    "axis: -r <= axis < r.\n" GATHER_MODE_TEXT GATHER_OUT_TEXT THREADS_TEXT                                 \
    "Returns out, or the new array: the shape of indices.\n\n" ERRORS_TEXT

#define ORDER_TEXT                                                                                             \
    "Updates take effect in the row-major order of indices: the last assignment wins, and reductions combine " \
    "from left\n"                                                                                              \
    "to right and round once per step in the element's own type, on any number of threads.\n\n"

#define SCATTER_TEXT                                                                                               \
    "Scatters rows along an axis: after output = data, output[p, o, indices[p, t], ...] (reduction)= updates[p, "  \
    "o, t, ...],\n"                                                                                                \
    "where p has batch_dims coordinates, o those from there to the axis, and t the other coordinates of indices\n" \
    "(OpenVINO ScatterUpdate-3).\n\n" ORDER_TEXT ARRAYS_TEXT                                                       \
    "data: rank r >= 1, any dtype.\n"                                                                              \
    "indices: any rank q >= 0, any integer dtype. " INDEX_TEXT                                                     \
    "updates: shape data.shape[:axis] + indices.shape[batch_dims:] + data.shape[axis+1:], the dtype of data.\n"    \
    "axis: -r <= axis < r.\n" BATCH_DIMS_TEXT                                                                      \
    "reduction: \"none\" (assign), \"sum\" (\"add\"), \"sub\", \"prod\" (\"mul\"), \"min\", \"max\" or "           \
    "\"mean\".\n"                                                                                                  \
    "use_init_val: whether the row of data takes part in a reduction.\n" UNIQUE_TEXT SCATTER_MODE_TEXT             \
        SCATTER_OUT_TEXT THREADS_TEXT "Returns out, or the new array: the shape of data.\n\n" ERRORS_TEXT

#define SCATTER_ND_TEXT                                                                                       \
    "Scatters rows: after output = data, output[indices[t, 0], ..., indices[t, k-1], ...] (reduction)= "      \
    "updates[t, ...]\n"                                                                                       \
    "for each t, where k is the length of the last dimension of indices (OpenVINO ScatterNDUpdate-15, ONNX\n" \
    "ScatterND-18).\n\n" ORDER_TEXT ARRAYS_TEXT                                                               \
    "data: rank r >= 1, any dtype.\n"                                                                         \
    "indices: rank q >= 1, any integer dtype; k <= r. " INDEX_TEXT                                            \
    "updates: shape indices.shape[:-1] + data.shape[k:], the dtype of data.\n"                                \
    "reduction: \"none\" (assign), \"sum\" (\"add\"), \"sub\", \"prod\" (\"mul\"), \"min\" or "               \
    "\"max\".\n" UNIQUE_TEXT SCATTER_MODE_TEXT SCATTER_OUT_TEXT THREADS_TEXT                                  \
    "Returns out, or the new array: the shape of data.\n\n" ERRORS_TEXT

#define SCATTER_ELEMENTS_TEXT                                                                                 \
    "Scatters elements along an axis: after output = data, for axis 1 of rank 3,\n"                           \
    "output[i, indices[i, j, k], k] (reduction)= updates[i, j, k] (OpenVINO ScatterElementsUpdate-12, ONNX\n" \
    "ScatterElements-18).\n\n" ORDER_TEXT ARRAYS_TEXT                                                         \
    "data: rank r >= 1, any dtype.\n"                                                                         \
    "indices: rank r, any integer dtype; off the axis, no dimension larger than data's. " INDEX_TEXT          \
    "updates: the shape of indices, the dtype of data.\n"                                                     \
    "axis: -r <= axis < r.\n"                                                                                 \
    "reduction: \"none\" (assign), \"sum\" (\"add\"), \"sub\", \"prod\" (\"mul\"), \"min\", \"max\" or "      \
    "\"mean\".\n"                                                                                             \
    "use_init_val: whether the element of data takes part in a reduction.\n" UNIQUE_TEXT SCATTER_MODE_TEXT    \
        SCATTER_OUT_TEXT THREADS_TEXT "Returns out, or the new array: the shape of data.\n\n" ERRORS_TEXT

#define TENSOR_SCATTER_TEXT                                                                                        \
    "Writes windows into a cache, one for each batch: after output = data, for axis 2 of rank 4 and t < w,\n"      \
    "output[b, i, indices[b] + t, j] = updates[b, i, t, j] (ONNX TensorScatter-24). In place it reads\n"           \
    "and writes only the windows.\n\n" ARRAYS_TEXT                                                                 \
    "data: rank r >= 2, any dtype: the caches: n batches in the first dimension, s rows along the axis.\n"         \
    "indices: shape (n,), any integer dtype: where each window begins. None: each begins at 0.\n"                  \
    "updates: the windows: the shape of data, except w <= s at the axis; the dtype of data.\n"                     \
    "axis: -r < axis < r, and not the first dimension.\n"                                                          \
    "circular: whether a window that goes beyond the end continues at 0. If true, any index that is not negative " \
    "is\n"                                                                                                         \
    "    valid, and its remainder modulo s counts. If false, indices are 0 to s - w. A negative index is out of "  \
    "bounds.\n"                                                                                                    \
    "mode: the policy for indices out of bounds. \"raise\": refuse the call. \"stop\": refuse it after the "       \
    "earlier windows\n"                                                                                            \
    "    are written. \"drop\" or \"fill\": skip the window. \"clip\": take the nearest valid begin. \"wrap\": "   \
    "take the\n"                                                                                                   \
    "    remainder modulo the number of valid begins.\n" SCATTER_OUT_TEXT THREADS_TEXT                             \
    "Returns out, or the new array: the shape of data.\n\n" ERRORS_TEXT

#define SLICE_SCATTER_TEXT                                                                                        \
    "Writes a slice: after output = data, output[starts[0]:stops[0]:steps[0], ...] = updates (OpenVINO\n"         \
    "SliceScatter-15). In place it reads and writes only the slice.\n\n" ARRAYS_TEXT                              \
    "data: rank r >= 1, any dtype.\n"                                                                             \
    "updates: the shape of the slice of data, the dtype of data.\n"                                               \
    "starts, stops, steps: sequences of one int for each dimension that is sliced, as in Python. A negative "     \
    "start or\n"                                                                                                  \
    "    stop counts from the end, bounds outside are clamped, a negative step goes backwards. None for steps "   \
    "means 1.\n"                                                                                                  \
    "axes: the dimensions, each once; None means the first ones.\n" SCATTER_OUT_TEXT THREADS_TEXT                 \
    "Returns out, or the new array: the shape of data.\n\n"                                                       \
    "Raises ArgumentError (a ValueError) for shapes and values, DtypeError (a TypeError) for dtypes. A refused\n" \
    "call writes nothing."

#define ROWS_OUT_TEXT                                                                                            \
    "out: an array to write to, with the result's shape and data's dtype, apart from every input. None makes a " \
    "new\n"                                                                                                      \
    "    torch.Tensor if data is one, and a new numpy.ndarray otherwise.\n"
#define BAGS_ORDER_TEXT                                                                                           \
    "It combines rows while it reads them, in the order of indices, on any number of threads. The gathered rows " \
    "are\n"                                                                                                       \
    "never written. Halves are combined in float32 and rounded once, after the division of a mean.\n\n"
#define WEIGHTS_TEXT                                                                                            \
    "weights: the factors of the rows: the shape of indices, the dtype of data; None means 1. A mean takes no " \
    "weights.\n"
#define BAGS_REDUCTION_TEXT "reduction: \"sum\" (\"add\"), \"prod\" (\"mul\"), \"min\", \"max\" or \"mean\".\n"
#define DEFAULT_INDEX_TEXT \
    "default_index: the row of data for an output row that no index goes to; -1 means zeros.\n"
#define BAGS_MODE_TEXT MODE_TEXT("\"drop\" or \"fill\": skip the row")
#define NUM_SEGMENTS_TEXT \
    "num_segments: the number of rows of the result; None means those of out, or the greatest id plus one.\n"

#define BAG_OFFSETS_TEXT                                                                                        \
    "Combines rows in bags: output[b] = the reduction of weights[e] * data[indices[e]] over e from offsets[b] " \
    "to\n"                                                                                                      \
    "offsets[b+1]; the last bag ends with indices (OpenVINO EmbeddingBagOffsets-15, PyTorch's "                 \
    "embedding_bag).\n\n" BAGS_ORDER_TEXT ARRAYS_TEXT                                                           \
    "data: rank r >= 1: rows.\n"                                                                                \
    "indices: shape (m,), any integer dtype. " INDEX_TEXT                                                       \
    "offsets: shape (bags,), any integer dtype: where each bag begins; at least 0, not decreasing, at most "    \
    "m.\n" WEIGHTS_TEXT BAGS_REDUCTION_TEXT DEFAULT_INDEX_TEXT BAGS_MODE_TEXT ROWS_OUT_TEXT THREADS_TEXT        \
    "Returns out, or the new array: shape (bags,) + data.shape[1:].\n\n" ERRORS_TEXT

#define BAG_PACKED_TEXT                                                                                        \
    "Combines rows in bags of one size: output[b] = the reduction of weights[b, i] * data[indices[b, i]]\n"    \
    "(OpenVINO EmbeddingBagPacked-15).\n\n" BAGS_ORDER_TEXT ARRAYS_TEXT                                        \
    "data: rank r >= 1: rows.\n"                                                                               \
    "indices: shape (bags, k), any integer dtype. " INDEX_TEXT WEIGHTS_TEXT BAGS_REDUCTION_TEXT BAGS_MODE_TEXT \
        ROWS_OUT_TEXT THREADS_TEXT                                                                             \
    "Returns out, or the new array: shape (bags,) + data.shape[1:].\n\n" ERRORS_TEXT

#define SEGMENTS_TEXT                                                                                      \
    "Combines rows by segments: output[segment_ids[e]] = the reduction of weights[e] * data[indices[e]] "  \
    "(OpenVINO\n"                                                                                          \
    "EmbeddingSegmentsSum-3).\n\n" BAGS_ORDER_TEXT ARRAYS_TEXT                                             \
    "data: rank r >= 1: rows.\n"                                                                           \
    "indices: shape (m,), any integer dtype. " INDEX_TEXT                                                  \
    "segment_ids: shape (m,), any integer dtype, in any order; sorted ids are faster.\n" WEIGHTS_TEXT      \
        BAGS_REDUCTION_TEXT NUM_SEGMENTS_TEXT DEFAULT_INDEX_TEXT BAGS_MODE_TEXT ROWS_OUT_TEXT THREADS_TEXT \
    "Returns out, or the new array: shape (num_segments,) + data.shape[1:].\n\n" ERRORS_TEXT

#define SEGMENT_REDUCE_TEXT                                                                       \
    "Combines consecutive rows: output[segment_ids[e]] = the reduction of data[e] (OpenVINO\n"    \
    "SegmentMax-16).\n\n" BAGS_ORDER_TEXT ARRAYS_TEXT                                             \
    "data: shape (m, ...): rows.\n"                                                               \
    "segment_ids: shape (m,), any integer dtype, sorted.\n" BAGS_REDUCTION_TEXT NUM_SEGMENTS_TEXT \
    "empty: the value of a segment without rows: \"zero\", or \"lowest\", the least finite "      \
    "value.\n" BAGS_MODE_TEXT ROWS_OUT_TEXT THREADS_TEXT                                          \
    "Returns out, or the new array: shape (num_segments,) + data.shape[1:].\n\n" ERRORS_TEXT

#define GATHER_SCATTER_TEXT                                                                                        \
    "Gathers rows and scatters them, as a layer of a graph network does for its edges: after output = data,\n"     \
    "output[targets[e]] (reduction)= weights[e] * updates[indices[e]] for each e in order. The gathered rows are " \
    "never\n"                                                                                                      \
    "written.\n\n" ORDER_TEXT ARRAYS_TEXT                                                                          \
    "data: shape (s, ...) of rank r >= 1.\n"                                                                       \
    "updates: shape (n, ...), the other dimensions and the dtype those of data: the rows to gather.\n"             \
    "indices: shape (m,), any integer dtype: rows of updates. " INDEX_TEXT                                         \
    "targets: shape (m,), any integer dtype: rows of data. " INDEX_TEXT WEIGHTS_TEXT                               \
    "reduction: \"sum\" (\"add\"), \"sub\", \"prod\" (\"mul\"), \"min\" or \"max\".\n"                             \
    "use_init_val: whether the row of data takes part.\n" SCATTER_MODE_TEXT SCATTER_OUT_TEXT THREADS_TEXT          \
    "Returns out, or the new array: the shape of data.\n\n" ERRORS_TEXT

#define RUN_TEXT                                                                                                 \
    "Calls an operator under the rules of one published version of OpenVINO or ONNX.\n\n" ARRAYS_TEXT            \
    "name: such as \"ScatterNDUpdate-15\"; operators() lists all. A name without a number means the newest "     \
    "version.\n"                                                                                                 \
    "    \"ONNX:Gather-1\" is ONNX's.\n"                                                                         \
    "data, indices, updates: as for the function of that operator; None for those that it does not have.\n"      \
    "offsets, segment_ids, weights, default_index, empty, num_segments: as for the function of that operator.\n" \
    "starts, stops, steps, axes: as for slice_scatter.\n"                                                        \
    "axis, batch_dims, reduction, use_init_val, circular: attributes of the version; None means its default. "   \
    "axis may\n"                                                                                                 \
    "    be an array of one integer, as in OpenVINO.\n"                                                          \
    "unique_indices: as for scatter, in any version; None promises nothing.\n"                                   \
    "mode, fill_value: as for the function of that operator. None and \"raise\" mean the version's own rule: "   \
    "Gather-8\n"                                                                                                 \
    "    writes zeros for an index out of bounds.\n"                                                             \
    "out: as for the function of that operator.\n" THREADS_TEXT                                                  \
    "Returns out, or a new array.\n\n"                                                                           \
    "Raises the errors of that function, ArgumentError for an attribute that the version does not have or that " \
    "is\n"                                                                                                       \
    "missing, and DtypeError for a dtype or reduction that it does not take."

#define PLAN_TEXT(identifier)                                                                                     \
    "Plans a call of " #identifier                                                                                \
    "(), and returns a Plan that runs it many times.\n\n"                                                         \
    "The arguments are those of " #identifier                                                                     \
    "(). Planning reads no elements and keeps no array. out: an array with the strides\n"                         \
    "that outputs will have; None means contiguous. num_threads: the number of threads of the runs; None means\n" \
    "get_num_threads() now.\n\n"                                                                                  \
    "Raises what " #identifier " raises, except errors of indices: each run checks those."

/* ---- Calls -------------------------------------------------------------------------------------------- */

static PyObject *call_now(request *call)
{
    strew_plan plan;
    const array *const output = &call->arrays[OUTPUT];
    const size_t threads = run_threads(call->arrays, call->kind, call->threads);
    if (request_plan(call, &output->tensor, threads, &plan) != 0 ||
        run_plan(&plan, call->arrays, call->fill, call->kind, threads) != 0 ||
        (call->is_given_output && array_tell_written(output) != 0))
        return NULL;
    PyObject *result = call->result;
    call->result = NULL;
    return result;
}

static PyObject *plan_now(request *call)
{
    return plan_new(call);
}

static PyObject *take(const function *taker, PyObject *(*act)(request *), PyObject *const *arguments,
                      Py_ssize_t count, PyObject *keywords)
{
    PyObject *values[PARAMETERS];
    if (arguments_sort(values, taker, arguments, count, keywords) != 0)
        return NULL;
    request call;
    PyObject *result = request_read(&call, taker, values) == 0 ? act(&call) : NULL;
    request_release(&call);
    return result;
}

#define TAKE_FUNCTION(identifier, act, kind, is_versioned, required, positional, parameters)                   \
    static const function identifier##_taker = {                                                               \
        #identifier, kind, is_versioned, required, positional, parameters, kind == STREW_KIND_GATHER_SCATTER}; \
    static PyObject *identifier(PyObject *module, PyObject *const *arguments, Py_ssize_t count,                \
                                PyObject *keywords)                                                            \
    {                                                                                                          \
        (void)module;                                                                                          \
        return take(&identifier##_taker, act, arguments, count, keywords);                                     \
    }
#define CALL_FUNCTIONS(identifier, planner, kind, is_versioned, required, positional, parameters, signature, text) \
    TAKE_FUNCTION(identifier, call_now, kind, is_versioned, required, positional, parameters)                      \
    TAKE_FUNCTION(planner, plan_now, kind, is_versioned, required, positional, parameters)
CALLS(CALL_FUNCTIONS)

#define ENTRY(identifier, signature, text)                                                \
    {#identifier, (PyCFunction)(void (*)(void))identifier, METH_FASTCALL | METH_KEYWORDS, \
     #identifier "($module, " signature ", out=None, num_threads=None)\n--\n\n" text},
#define CALL_ENTRIES(identifier, planner, kind, is_versioned, required, positional, parameters, signature, text) \
    ENTRY(identifier, signature, text) ENTRY(planner, signature, PLAN_TEXT(identifier))

PyMethodDef call_functions[] = {CALLS(CALL_ENTRIES){NULL, NULL, 0, NULL}};
