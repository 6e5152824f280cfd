/**
 * @file
 * Rows that are combined as they are gathered: the calls, the shapes of their outputs, their plans. <strew/strew.h>
 * includes it.
 */
#ifndef STREW_BAGS_H
#define STREW_BAGS_H

#include <strew/indexing.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_bags Combining rows that are gathered
 * Rows of one tensor, each named by an index, are combined into rows of another as they are read: the tensor of all
 * rows that are gathered is never written. What is said of the operators holds here too, and
 *
 *   - the rows of one row of the output are combined in the order in which indices name them, so that the result is
 *     the same bit for bit on every instruction set and for every number of threads;
 *   - `weights` may be NULL; otherwise it has an element of data's dtype for each index, by which the row is
 *     multiplied, as a product that is rounded by itself (of halves one of float32). Beside a mean it is refused:
 *     what to divide by would be a matter of taste;
 *   - `reduction` is sum, prod, min, max or mean. A sum starts from 0, the others from their identity. Rows of
 *     float16 and bfloat16 are combined in float32 and rounded once, in the end. Their mean divides the sum in
 *     float32 before it is rounded, so that neither the sum nor the count has to fit a half;
 *   - an index that STREW_BOUNDS_SKIP leaves out is not counted by a mean;
 *   - segment_ids and targets out of bounds are bad indices too, and the first bad index is that of the earliest
 *     entry, there the index if both are. STREW_BOUNDS_STOP leaves the rows of the output that end before that
 *     entry: whole bags, or segments of a lesser number, if segment_ids are sorted. Of strew_gather_scatter it
 *     leaves data combined with all entries before.
 *
 * @{
 */

/** What the rows of the output are that nothing goes into. */
typedef int32_t strew_empty;
/** The values of strew_empty, which are stable. */
enum {
    STREW_EMPTY_ZERO,   /**< zeros */
    STREW_EMPTY_LOWEST, /**< the least value, of floats the least that is finite; of bool and complex 0 */
    STREW_EMPTY_COUNT   /**< one more than the last */
};

/** "zero" and so on; "unknown" for a value that is none. */
STREW_API const char *strew_empty_name(strew_empty empty);
/** Finds one by its name. False, with `*empty` untouched, if there is none. */
STREW_API bool strew_empty_find(const char *name, strew_empty *empty);

/**
 * Combines the rows of bags that lie one after the other (OpenVINO EmbeddingBagOffsets-15; PyTorch's
 * embedding_bag).
 *
 *     data           shape (n, ...) of rank r >= 1: the table
 *     indices        shape (m): which rows of it
 *     offsets        shape (bags), of any integer dtype: bag b begins at indices[offsets[b]], and ends where the
 *                    next begins, the last with indices; at least 0, not decreasing, at most m. What comes before
 *                    offsets[0] is in no bag
 *     weights        shape (m), or NULL
 *     default_index  the row of data that empty bags are given, 0 <= default_index < n; -1: zeros
 *     output         shape (bags, ...), the rest that of data, apart from all inputs
 *
 * For each bag b, e from offsets[b] until offsets[b + 1]:
 *
 *     output[b] = reduction of weights[e] * data[indices[e]]
 *
 * Beside what is out of bounds of indices, offsets are looked at when the call runs (INVALID_ARGUMENT).
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
 *     output   shape (bags, ...), the rest that of data, apart from all inputs; zeros where k is 0
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
 *     indices        shape (m): which rows of it
 *     segment_ids    shape (m), of any integer dtype: into which row of the output, 0 <= segment_ids[e] < segments.
 *                    Best sorted; others need scratch, strew_plan_least_scratch_size of it
 *     weights        shape (m), or NULL
 *     default_index  as for strew_embedding_bag_offsets, of segments without rows
 *     output         shape (segments, ...), the rest that of data, apart from all inputs
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
 * Combines rows that lie one after the other by the segment that each belongs to (OpenVINO SegmentMax-16).
 *
 *     data         shape (m, ...) of rank r >= 1
 *     segment_ids  shape (m), of any integer dtype, sorted: into which row of the output
 *     empty        what segments without rows are given
 *     output       shape (segments, ...), the rest that of data, apart from both inputs
 *
 * For each row e of data:
 *
 *     output[segment_ids[e]] = reduction of data[e]
 *
 * Ids that are not sorted are refused when the call runs (INVALID_ARGUMENT).
 */
STREW_API strew_status strew_segment_reduce(const strew_tensor *data, const strew_tensor *segment_ids,
                                            strew_reduction reduction, strew_empty empty,
                                            const strew_tensor *output, const strew_options *options);

/**
 * Scatters rows that are gathered: what a layer of a graph network does with the edges of its graph.
 *
 *     data          shape (s, ...) of rank r >= 1
 *     updates       shape (n, ...), the rest that of data, of its dtype: the rows that are gathered
 *     indices       shape (m): which rows of updates
 *     targets       shape (m), of any integer dtype: into which rows of data
 *     weights       shape (m), or NULL
 *     reduction     sum, sub, prod, min or max
 *     use_init_val  as for strew_scatter
 *     output        as for strew_scatter_nd
 *
 * After output = data, for each position e of indices in order:
 *
 *     output[targets[e]] (reduction)= weights[e] * updates[indices[e]]
 *
 * This is strew_scatter, along the first axis, of rows that strew_gather gathers and that have been multiplied; so
 * halves too are rounded at each step (strew_embedding_segments rounds their sums once). Scratch of
 * strew_plan_scratch_size, where that is not 0, makes it faster if targets are in any order.
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
 *     output     shape (rows, ...), the rest that of data, apart from all inputs; zeros in rows without entries
 *
 * For each row b, over its entries e in order:
 *
 *     output[b] = reduction of weights[e] * data[indices[e]]
 *
 * This is strew_embedding_bag_offsets, whose offsets lack the last one, and has its bits. A last offset that is
 * not m is refused (INVALID_ARGUMENT). To plan it, plan strew_embedding_bag_offsets with the first `rows` offsets.
 *
 * For a matrix in compressed columns (CSC) strew_expand_offsets writes the column of each entry. It is then
 * multiplied as coordinates (COO) are: by strew_embedding_segments, with the columns for indices and the rows for
 * segment_ids, or into what output holds by strew_gather_scatter.
 */
STREW_API strew_status strew_csr_matmul(const strew_tensor *offsets, const strew_tensor *indices,
                                        const strew_tensor *weights, const strew_tensor *data,
                                        strew_reduction reduction, const strew_tensor *output,
                                        const strew_options *options);

/**
 * Writes for each entry of a list in which bag it is: segment_ids[e] = b for offsets[b] <= e < offsets[b + 1].
 *
 *     offsets      shape (bags + 1), of any integer dtype: the first one 0, not decreasing, the last one m
 *     segment_ids  shape (m), int32 or int64, apart from offsets; int32 holds at most 2^31 - 1 bags
 *     error        filled in if the call is refused; NULL: nothing is told
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
/** The shape of the output of strew_embedding_segments for so many segments. */
STREW_API strew_status strew_embedding_segments_shape(const strew_tensor *data, const strew_tensor *indices,
                                                      const strew_tensor *segment_ids, const strew_tensor *weights,
                                                      int64_t segments, int64_t shape[STREW_MAX_RANK],
                                                      int32_t *rank, strew_error *error);
/** The shape of the output of strew_segment_reduce for so many segments. */
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
