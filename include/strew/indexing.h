/**
 * @file
 * Gathers and scatters: the calls, the shapes of their outputs, their plans. <strew/strew.h> includes this header.
 */
#ifndef STREW_INDEXING_H
#define STREW_INDEXING_H

#include <strew/plans.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_calls The operators
 * The rules that all operators share. Shapes are written as in NumPy: shape[:q-1] is all but the last of q
 * dimensions, and + joins two shapes. A *row* is the part of a tensor that the first few coordinates of its
 * elements name: data[i, j] of rank 5 is a row of rank 3, and a row of rank 0 is an element. `options` may be
 * NULL. Besides the rules of tensors and options, each operator refuses
 *
 *     INVALID_ARGUMENT       axis or batch_dims outside its range, an unknown reduction; an output that overlaps
 *                            itself or, other than in place, an input; an instruction set that cannot run here
 *     SHAPE_MISMATCH         shapes other than those below; a result of more than STREW_MAX_RANK dimensions
 *     DTYPE_MISMATCH         updates or output of another dtype than data
 *     UNSUPPORTED_DTYPE      an unknown dtype; indices that are not integers;
 *                            packed elements that do not move as whole bytes
 *     UNSUPPORTED_REDUCTION  mean for strew_scatter_nd, and reductions that strew_reduction_supports denies
 *     INDEX_OUT_OF_BOUNDS    an index outside its dimension; the error names the first one
 *
 * @{
 */

/**
 * Gathers rows that one index along an axis names (OpenVINO Gather-8, ONNX Gather-13).
 *
 *     data      rank r >= 1
 *     indices   any rank q >= 0
 *     axis      -r <= axis < r; a negative one counts from the end
 *     b         batch_dims, 0 <= b <= min(axis, q), with the axis counted from the front; a negative batch_dims
 *               counts from q; the first b dimensions of data and indices are equal
 *     output    shape data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:], the dtype of data, apart from
 *               both inputs
 *
 * For each position p in the first b dimensions, o in the dimensions from there to the axis, and t in the other
 * dimensions of indices:
 *
 *     output[p, o, t, ...] = data[p, o, indices[p, t], ...]
 */
STREW_API strew_status strew_gather(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                    int64_t batch_dims, const strew_tensor *output, const strew_options *options);

/**
 * Gathers rows that tuples name (OpenVINO GatherND-8, ONNX GatherND-13).
 *
 *     data      rank r >= 1
 *     indices   rank q >= 1; its last dimension k holds tuples of k coordinates, 0 <= k <= r - b
 *     b         batch_dims, 0 <= b < min(r, q); the first b dimensions of data and indices are equal
 *     output    shape indices.shape[:q-1] + data.shape[b+k:], the dtype of data, apart from both inputs
 *
 * For each tuple position (p, t), where p has b coordinates:
 *
 *     output[p, t, ...] = data[p, indices[p, t, 0], ..., indices[p, t, k-1], ...]
 */
STREW_API strew_status strew_gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                                       const strew_tensor *output, const strew_options *options);

/**
 * Gathers elements (OpenVINO GatherElements-6, ONNX GatherElements-13).
 *
 *     data      rank r >= 1
 *     indices   rank r; off the axis, no dimension larger than that of data
 *     axis      -r <= axis < r; a negative one counts from the end
 *     output    the shape of indices, the dtype of data, apart from both inputs
 *
 * For each position (i, j, k) of indices, here for axis 1 of rank 3:
 *
 *     output[i][j][k] = data[i][indices[i][j][k]][k]
 */
STREW_API strew_status strew_gather_elements(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                             const strew_tensor *output, const strew_options *options);

/**
 * Scatters rows that one index along an axis names (OpenVINO ScatterUpdate-3; with a reduction other libraries
 * call this index_add and index_reduce).
 *
 *     data          rank r >= 1
 *     indices       any rank q >= 0
 *     axis, b       axis and batch_dims, as for strew_gather
 *     updates       shape data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:], the dtype of data
 *     reduction     none, sum, sub, prod, min, max or mean
 *     use_init_val  as for strew_scatter_elements, for the elements of the rows that indices name
 *     output        as for strew_scatter_nd
 *
 * After output = data, for each (p, o, t) as in strew_gather, t in row-major order:
 *
 *     output[p, o, indices[p, t], ...] (reduction)= updates[p, o, t, ...]
 *
 * A mean counts in scratch, as that of strew_scatter_elements does.
 */
STREW_API strew_status strew_scatter(const strew_tensor *data, const strew_tensor *indices,
                                     const strew_tensor *updates, int64_t axis, int64_t batch_dims,
                                     strew_reduction reduction, bool use_init_val, const strew_tensor *output,
                                     const strew_options *options);

/**
 * Scatters rows that tuples name (OpenVINO ScatterNDUpdate-15, ONNX ScatterND-18).
 *
 *     data       rank r >= 1
 *     indices    rank q >= 1; its last dimension k holds tuples of k coordinates, 0 <= k <= r
 *     updates    shape indices.shape[:q-1] + data.shape[k:], the dtype of data
 *     reduction  none, sum, sub, prod, min or max
 *     output     the shape and dtype of data; either data itself (the same pointer, shape and strides: in
 *                place, other rows keep their values) or apart from every input
 *
 * After output = data, for each tuple position t in row-major order:
 *
 *     output[indices[t, 0], ..., indices[t, k-1], ...] (reduction)= updates[t, ...]
 */
STREW_API strew_status strew_scatter_nd(const strew_tensor *data, const strew_tensor *indices,
                                        const strew_tensor *updates, strew_reduction reduction,
                                        const strew_tensor *output, const strew_options *options);

/**
 * Scatters elements (OpenVINO ScatterElementsUpdate-12, ONNX ScatterElements-18 and Scatter-11).
 *
 *     data          rank r >= 1
 *     indices       rank r; off the axis, no dimension larger than that of data
 *     updates       the shape of indices, the dtype of data
 *     axis          -r <= axis < r; a negative one counts from the end
 *     reduction     none, sum, sub, prod, min, max or mean
 *     use_init_val  whether the element of data takes part. If false, a reduction of an element that indices
 *                   name starts from the reduction's identity instead: -0 for a sum (so that X + -0 is X for
 *                   every X; 0 for integers), 1 for prod (1 + 0i for complex), the greatest value or +infinity
 *                   for min, the least or -infinity for max; sub starts from 0. Without effect when assigning.
 *     output        as for strew_scatter_nd
 *
 * After output = data, for each position (i, j, k) of indices in row-major order, here for axis 1 of rank 3:
 *
 *     output[i][indices[i][j][k]][k] (reduction)= updates[i][j][k]
 *
 * A mean adds up the updates of an element (and, with use_init_val, the element itself) and divides the sum once
 * by how many were added. It divides in the element's own type: halves in float32, the parts of a complex number
 * separately, integers rounded toward minus infinity. The sum is rounded like any other sum, for halves at each
 * step. A mean counts in options->scratch. It needs strew_plan_least_scratch_size, and is refused with less
 * (INVALID_ARGUMENT).
 */
STREW_API strew_status strew_scatter_elements(const strew_tensor *data, const strew_tensor *indices,
                                              const strew_tensor *updates, int64_t axis, strew_reduction reduction,
                                              bool use_init_val, const strew_tensor *output,
                                              const strew_options *options);

/**
 * Writes windows into a cache, one for each batch (ONNX TensorScatter-24).
 *
 *     data      shape (n, ..., s, ...) of rank r >= 2, the cache: s at the axis, n batches
 *     indices   shape (n): where along the axis the window of each batch begins; NULL: each begins at 0
 *     updates   the windows: the shape of data, except w <= s at the axis; the dtype of data
 *     axis      -r < axis < r, and not the first dimension; a negative one counts from the end
 *     circular  false: a window ends at s - 1 at the latest, so that the valid range of indices is [0, s - w].
 *               true: a window that would go beyond s - 1 continues at 0; an index may be any number that is not
 *               negative, and its remainder modulo s counts
 *     output    as for strew_scatter_nd: in place only the windows are written
 *
 * After output = data, for each batch b, each t < w, here for axis 2 of rank 4:
 *
 *     output[b][i][(indices[b] + t) % s][j] = updates[b][i][t][j]
 *
 * A negative index is out of bounds, whatever the flags are. STREW_BOUNDS_WRAP takes its remainder.
 */
STREW_API strew_status strew_tensor_scatter(const strew_tensor *data, const strew_tensor *indices,
                                            const strew_tensor *updates, int64_t axis, bool circular,
                                            const strew_tensor *output, const strew_options *options);

/** Selects a part of a tensor by slices of some of its dimensions. All arrays have `count` elements. */
typedef struct strew_slice {
    int32_t count;         /**< how many dimensions are sliced, 0 to the rank of the tensor */
    int32_t reserved;      /**< 0 */
    const int64_t *starts; /**< where each slice begins; a negative one counts from the end */
    const int64_t *stops;  /**< where each slice ends, which is excluded; a negative one counts from the end */
    const int64_t *steps;  /**< the step of each slice, not 0; a negative one goes backwards */
    const int64_t *axes; /**< the dimensions, each once; a negative one counts from the end. NULL: the first ones */
} strew_slice;

/**
 * Writes a slice (OpenVINO SliceScatter-15).
 *
 *     data      rank r >= 1
 *     updates   rank r: the shape of the slice of data; the dtype of data
 *     slice     as in Python: bounds outside the tensor are clamped to it, which may leave nothing
 *     output    as for strew_scatter_nd: in place only the slice is written
 *
 * After output = data:
 *
 *     output[starts[0]:stops[0]:steps[0], ...] = updates
 *
 * OpenVINO's document refers to Python's slices. Where a version of OpenVINO differs from them, strew follows
 * Python: a slice that goes backwards from before the first element is empty.
 */
STREW_API strew_status strew_slice_scatter(const strew_tensor *data, const strew_tensor *updates,
                                           const strew_slice *slice, const strew_tensor *output,
                                           const strew_options *options);

/** @} */

/**
 * @defgroup strew_shapes The shapes of outputs
 * Each function returns the shape that the output of an operator must have. Arguments are checked as the operator
 * checks them, but data pointers are ignored and may be NULL. The rank, and as many elements of `shape`, are
 * written only on success. `error` may be NULL.
 * @{
 */

/** The shape of the output of strew_gather. */
STREW_API strew_status strew_gather_shape(const strew_tensor *data, const strew_tensor *indices, int64_t axis,
                                          int64_t batch_dims, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                          strew_error *error);
/** The shape of the output of strew_gather_nd. */
STREW_API strew_status strew_gather_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                             int64_t batch_dims, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                             strew_error *error);
/** The shape of the output of strew_gather_elements. */
STREW_API strew_status strew_gather_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                                   int64_t axis, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                   strew_error *error);
/** The shape of the output of strew_scatter. */
STREW_API strew_status strew_scatter_shape(const strew_tensor *data, const strew_tensor *indices,
                                           const strew_tensor *updates, int64_t axis, int64_t batch_dims,
                                           int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error);
/** The shape of the output of strew_scatter_nd. */
STREW_API strew_status strew_scatter_nd_shape(const strew_tensor *data, const strew_tensor *indices,
                                              const strew_tensor *updates, int64_t shape[STREW_MAX_RANK],
                                              int32_t *rank, strew_error *error);
/** The shape of the output of strew_scatter_elements. */
STREW_API strew_status strew_scatter_elements_shape(const strew_tensor *data, const strew_tensor *indices,
                                                    const strew_tensor *updates, int64_t axis,
                                                    int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                    strew_error *error);

/** The shape of the output of strew_tensor_scatter. */
STREW_API strew_status strew_tensor_scatter_shape(const strew_tensor *data, const strew_tensor *indices,
                                                  const strew_tensor *updates, int64_t axis, bool circular,
                                                  int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error);
/** The shape of the output of strew_slice_scatter. */
STREW_API strew_status strew_slice_scatter_shape(const strew_tensor *data, const strew_tensor *updates,
                                                 const strew_slice *slice, int64_t shape[STREW_MAX_RANK],
                                                 int32_t *rank, strew_error *error);

/** @} */

/**
 * @addtogroup strew_plans
 * @{
 */

/**
 * Plans strew_gather. The functions that plan have the arguments of their operators and refuse what these refuse,
 * except for what only pointers and indices show. `options` may be NULL.
 */
STREW_API strew_status strew_plan_gather(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                         int64_t axis, int64_t batch_dims, const strew_tensor *output,
                                         const strew_plan_options *options);
/** Plans strew_gather_nd. */
STREW_API strew_status strew_plan_gather_nd(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                            int64_t batch_dims, const strew_tensor *output,
                                            const strew_plan_options *options);
/** Plans strew_gather_elements. */
STREW_API strew_status strew_plan_gather_elements(strew_plan *plan, const strew_tensor *data,
                                                  const strew_tensor *indices, int64_t axis,
                                                  const strew_tensor *output, const strew_plan_options *options);
/** Plans strew_scatter. */
STREW_API strew_status strew_plan_scatter(strew_plan *plan, const strew_tensor *data, const strew_tensor *indices,
                                          const strew_tensor *updates, int64_t axis, int64_t batch_dims,
                                          strew_reduction reduction, bool use_init_val, const strew_tensor *output,
                                          const strew_plan_options *options);
/** Plans strew_scatter_nd. */
STREW_API strew_status strew_plan_scatter_nd(strew_plan *plan, const strew_tensor *data,
                                             const strew_tensor *indices, const strew_tensor *updates,
                                             strew_reduction reduction, const strew_tensor *output,
                                             const strew_plan_options *options);
/** Plans strew_scatter_elements. */
STREW_API strew_status strew_plan_scatter_elements(strew_plan *plan, const strew_tensor *data,
                                                   const strew_tensor *indices, const strew_tensor *updates,
                                                   int64_t axis, strew_reduction reduction, bool use_init_val,
                                                   const strew_tensor *output, const strew_plan_options *options);

/** Plans strew_tensor_scatter. */
STREW_API strew_status strew_plan_tensor_scatter(strew_plan *plan, const strew_tensor *data,
                                                 const strew_tensor *indices, const strew_tensor *updates,
                                                 int64_t axis, bool circular, const strew_tensor *output,
                                                 const strew_plan_options *options);
/** Plans strew_slice_scatter. */
STREW_API strew_status strew_plan_slice_scatter(strew_plan *plan, const strew_tensor *data,
                                                const strew_tensor *updates, const strew_slice *slice,
                                                const strew_tensor *output, const strew_plan_options *options);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
