/**
 * @file
 * Operators that combine rows as they gather them: the calls, the shapes of their outputs, their plans.
 * <strew/strew.h> includes this header.
 */
#ifndef STREW_BAGS_H
#define STREW_BAGS_H

#include <strew/indexing.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_bags Combining rows that are gathered
 * Each index names a row of one tensor. The rows are combined into rows of another tensor as they are read, so
 * that the tensor of all gathered rows is never written. The rules of the operators hold here too, and
 *
 *   - the rows that go into one row of the output are combined in the order of their indices. So the result is the
 *     same bit for bit on every instruction set and for every number of threads;
 *   - `weights` may be NULL. Otherwise it has an element of data's dtype for each index, which multiplies the row;
 *     the product is rounded by itself (for halves to a float32). Weights are refused beside a mean, because it is
 *     not clear what the sum should be divided by;
 *   - `reduction` is sum, prod, min, max or mean. A sum starts from 0, the others from their identity. Rows of
 *     float16 and bfloat16 are combined in float32 and rounded once, at the end. A mean divides the sum in float32
 *     before it is rounded, so that neither the sum nor the count has to fit a half;
 *   - a mean does not count an index that STREW_BOUNDS_SKIP skips;
 *   - segment_ids and targets out of bounds are bad indices as well. The first bad index is that of the
 *     earliest entry; if both its index and its id are wrong, the error names the index. STREW_BOUNDS_STOP writes
 *     the rows of the output that end before that entry: whole bags or, if segment_ids are sorted, the segments
 *     with smaller numbers. strew_gather_scatter has then combined data with all earlier entries.
 *
 * @{
 */

/** The value of output rows that no row goes into. */
typedef int32_t strew_empty;
/** The values of strew_empty, which are stable. */
enum {
    STREW_EMPTY_ZERO,   /**< zeros */
    STREW_EMPTY_LOWEST, /**< the least value, for floats the least finite one; 0 for bool and complex */
    STREW_EMPTY_COUNT   /**< one more than the last */
};

/** Returns the name of such a value, such as "zero"; "unknown" for any other value. */
STREW_API const char *strew_empty_name(strew_empty empty);
/** Finds such a value by its name. Returns false, and leaves `*empty` unchanged, if there is none. */
STREW_API bool strew_empty_find(const char *name, strew_empty *empty);

/**
 * Combines the rows of contiguous bags (OpenVINO EmbeddingBagOffsets-15; PyTorch's embedding_bag).
 *
 *     data           shape (n, ...) of rank r >= 1: the table
 *     indices        shape (m): the rows of the table
 *     offsets        shape (bags), of any integer dtype: bag b begins at indices[offsets[b]] and ends where the
 *                    next bag begins; the last one ends with indices. They are at least 0, not decreasing, at most
 *                    m. Entries before offsets[0] are in no bag
 *     weights        shape (m), or NULL
 *     default_index  the row of data that an empty bag gets, 0 <= default_index < n; -1: zeros
 *     output         shape (bags, ...), the other dimensions those of data; apart from all inputs
 *
 * For each bag b, e from offsets[b] until offsets[b + 1]:
 *
 *     output[b] = reduction of weights[e] * data[indices[e]]
 *
 * Besides indices out of bounds, a run refuses wrong offsets (INVALID_ARGUMENT).
 */
STREW_API strew_status strew_embedding_bag_offsets(const strew_tensor *data, const strew_tensor *indices,
                                                   const strew_tensor *offsets, const strew_tensor *weights,
                                                   strew_reduction reduction, int64_t default_index,
                                                   const strew_tensor *output, const strew_options *options);

/**
 * Combines the rows of bags of one size (OpenVINO EmbeddingBagPacked-15).
 *
 *     data     shape (n, ...) of rank r >= 1: the table
 *     indices  shape (bags, k)
 *     weights  shape (bags, k), or NULL
 *     output   shape (bags, ...), the other dimensions those of data; apart from all inputs; zeros where k is 0
 *
 * For each bag b, i < k:
 *
 *     output[b] = reduction of weights[b][i] * data[indices[b][i]]
 */
STREW_API strew_status strew_embedding_bag_packed(const strew_tensor *data, const strew_tensor *indices,
                                                  const strew_tensor *weights, strew_reduction reduction,
                                                  const strew_tensor *output, const strew_options *options);

/**
 * Combines rows by the segment that each belongs to (OpenVINO EmbeddingSegmentsSum-3).
 *
 *     data           shape (n, ...) of rank r >= 1: the table
 *     indices        shape (m): the rows of the table
 *     segment_ids    shape (m), of any integer dtype: the row of the output that each entry goes into, 0 <=
 *                    segment_ids[e] < segments. Sorted ids are fastest; unsorted ones need scratch of
 *                    strew_plan_least_scratch_size
 *     weights        shape (m), or NULL
 *     default_index  as for strew_embedding_bag_offsets, for segments without rows
 *     output         shape (segments, ...), the other dimensions those of data; apart from all inputs
 *
 * For each position e of indices:
 *
 *     output[segment_ids[e]] = reduction of weights[e] * data[indices[e]]
 */
STREW_API strew_status strew_embedding_segments(const strew_tensor *data, const strew_tensor *indices,
                                                const strew_tensor *segment_ids, const strew_tensor *weights,
                                                strew_reduction reduction, int64_t default_index,
                                                const strew_tensor *output, const strew_options *options);

/**
 * Combines contiguous rows by the segment that each belongs to (OpenVINO SegmentMax-16).
 *
 *     data         shape (m, ...) of rank r >= 1
 *     segment_ids  shape (m), of any integer dtype, sorted: the row of the output that each row goes into
 *     empty        the value of segments without rows
 *     output       shape (segments, ...), the other dimensions those of data; apart from both inputs
 *
 * For each row e of data:
 *
 *     output[segment_ids[e]] = reduction of data[e]
 *
 * A run refuses ids that are not sorted (INVALID_ARGUMENT).
 */
STREW_API strew_status strew_segment_reduce(const strew_tensor *data, const strew_tensor *segment_ids,
                                            strew_reduction reduction, strew_empty empty,
                                            const strew_tensor *output, const strew_options *options);

/**
 * Scatters rows that are gathered, as a layer of a graph network does with the edges of its graph.
 *
 *     data          shape (s, ...) of rank r >= 1
 *     updates       shape (n, ...), the other dimensions and the dtype those of data: the rows that are gathered
 *     indices       shape (m): the rows of updates
 *     targets       shape (m), of any integer dtype: the rows of data that they go into
 *     weights       shape (m), or NULL
 *     reduction     sum, sub, prod, min or max
 *     use_init_val  as for strew_scatter
 *     output        as for strew_scatter_nd
 *
 * After output = data, for each position e of indices in order:
 *
 *     output[targets[e]] (reduction)= weights[e] * updates[indices[e]]
 *
 * The result is that of three steps: strew_gather, a product with the weights, strew_scatter along the first axis.
 * So halves are rounded at each step (strew_embedding_segments rounds their sums once). If targets are not sorted,
 * scratch of strew_plan_scratch_size can make the call faster.
 */
STREW_API strew_status strew_gather_scatter(const strew_tensor *data, const strew_tensor *updates,
                                            const strew_tensor *indices, const strew_tensor *targets,
                                            const strew_tensor *weights, strew_reduction reduction,
                                            bool use_init_val, const strew_tensor *output,
                                            const strew_options *options);

/**
 * Multiplies a sparse matrix in compressed rows (CSR) by a dense one.
 *
 *     offsets    shape (rows + 1), of any integer dtype: row b has the entries from offsets[b] until
 *                offsets[b + 1]; at least 0, not decreasing, the last one m. SciPy's indptr
 *     indices    shape (m): the column of each entry, in any order within a row. SciPy's indices
 *     weights    shape (m), of data's dtype: the value of each entry; NULL: all are 1. SciPy's data
 *     data       shape (n, ...) of rank r >= 1: the dense matrix, with a row for each column of the sparse one
 *     reduction  sum is the product of matrices; prod, min, max and mean combine the same terms
 *     output     shape (rows, ...), the other dimensions those of data; apart from all inputs; zeros in rows
 *                without entries
 *
 * For each row b, over its entries e in order:
 *
 *     output[b] = reduction of weights[e] * data[indices[e]]
 *
 * This is strew_embedding_bag_offsets, whose offsets lack the last one, and gives the same bits. A last offset
 * that is not m is refused (INVALID_ARGUMENT). To plan it, plan strew_embedding_bag_offsets with the first `rows`
 * offsets.
 *
 * For a matrix in compressed columns (CSC), strew_expand_offsets writes the column of each entry. The matrix is
 * then multiplied as one in coordinates (COO): by strew_embedding_segments, with the columns as indices and the
 * rows as segment_ids, or into an existing output by strew_gather_scatter.
 */
STREW_API strew_status strew_csr_matmul(const strew_tensor *offsets, const strew_tensor *indices,
                                        const strew_tensor *weights, const strew_tensor *data,
                                        strew_reduction reduction, const strew_tensor *output,
                                        const strew_options *options);

/**
 * Writes the bag of each entry of a list: segment_ids[e] = b for offsets[b] <= e < offsets[b + 1].
 *
 *     offsets      shape (bags + 1), of any integer dtype: the first one 0, not decreasing, the last one m
 *     segment_ids  shape (m), int32 or int64, apart from offsets; int32 holds at most 2^31 - 1 bags
 *     error        filled in if the call is refused; may be NULL
 *
 * A call that is refused has written nothing.
 */
STREW_API strew_status strew_expand_offsets(const strew_tensor *offsets, const strew_tensor *segment_ids,
                                            strew_error *error);

/** @} */

/**
 * @addtogroup strew_shapes
 * @{
 */

/** The shape of the output of strew_embedding_bag_offsets. */
STREW_API strew_status strew_embedding_bag_offsets_shape(const strew_tensor *data, const strew_tensor *indices,
                                                         const strew_tensor *offsets, const strew_tensor *weights,
                                                         int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                         strew_error *error);
/** The shape of the output of strew_embedding_bag_packed. */
STREW_API strew_status strew_embedding_bag_packed_shape(const strew_tensor *data, const strew_tensor *indices,
                                                        const strew_tensor *weights, int64_t shape[STREW_MAX_RANK],
                                                        int32_t *rank, strew_error *error);
/** The shape of the output of strew_embedding_segments with this number of segments. */
STREW_API strew_status strew_embedding_segments_shape(const strew_tensor *data, const strew_tensor *indices,
                                                      const strew_tensor *segment_ids, const strew_tensor *weights,
                                                      int64_t segments, int64_t shape[STREW_MAX_RANK],
                                                      int32_t *rank, strew_error *error);
/** The shape of the output of strew_segment_reduce with this number of segments. */
STREW_API strew_status strew_segment_reduce_shape(const strew_tensor *data, const strew_tensor *segment_ids,
                                                  int64_t segments, int64_t shape[STREW_MAX_RANK], int32_t *rank,
                                                  strew_error *error);
/** The shape of the output of strew_gather_scatter. */
STREW_API strew_status strew_gather_scatter_shape(const strew_tensor *data, const strew_tensor *updates,
                                                  const strew_tensor *indices, const strew_tensor *targets,
                                                  const strew_tensor *weights, int64_t shape[STREW_MAX_RANK],
                                                  int32_t *rank, strew_error *error);

/** @} */

/**
 * @addtogroup strew_plans
 * @{
 */

/** Plans strew_embedding_bag_offsets. */
STREW_API strew_status strew_plan_embedding_bag_offsets(strew_plan *plan, const strew_tensor *data,
                                                        const strew_tensor *indices, const strew_tensor *offsets,
                                                        const strew_tensor *weights, strew_reduction reduction,
                                                        int64_t default_index, const strew_tensor *output,
                                                        const strew_plan_options *options);
/** Plans strew_embedding_bag_packed. */
STREW_API strew_status strew_plan_embedding_bag_packed(strew_plan *plan, const strew_tensor *data,
                                                       const strew_tensor *indices, const strew_tensor *weights,
                                                       strew_reduction reduction, const strew_tensor *output,
                                                       const strew_plan_options *options);
/** Plans strew_embedding_segments. */
STREW_API strew_status strew_plan_embedding_segments(strew_plan *plan, const strew_tensor *data,
                                                     const strew_tensor *indices, const strew_tensor *segment_ids,
                                                     const strew_tensor *weights, strew_reduction reduction,
                                                     int64_t default_index, const strew_tensor *output,
                                                     const strew_plan_options *options);
/** Plans strew_segment_reduce. */
STREW_API strew_status strew_plan_segment_reduce(strew_plan *plan, const strew_tensor *data,
                                                 const strew_tensor *segment_ids, strew_reduction reduction,
                                                 strew_empty empty, const strew_tensor *output,
                                                 const strew_plan_options *options);
/** Plans strew_gather_scatter. */
STREW_API strew_status strew_plan_gather_scatter(strew_plan *plan, const strew_tensor *data,
                                                 const strew_tensor *updates, const strew_tensor *indices,
                                                 const strew_tensor *targets, const strew_tensor *weights,
                                                 strew_reduction reduction, bool use_init_val,
                                                 const strew_tensor *output, const strew_plan_options *options);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
