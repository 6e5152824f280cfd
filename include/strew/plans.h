/**
 * @file
 * Plans: what they are, how they run, and how they run faster if their indices stay the same. <strew/indexing.h>
 * and <strew/bags.h> declare the functions that plan each operator. <strew/strew.h> includes all three headers.
 */
#ifndef STREW_PLANS_H
#define STREW_PLANS_H

#include <strew/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_plans Plans
 * A plan holds everything about a call that does not change from run to run.
 * @{
 */

/** The size of a plan in bytes. */
#define STREW_PLAN_SIZE 8192

/**
 * An operator with its shapes, strides, dtypes, flags and kernels settled. It runs on any pointers.
 *
 *   - The caller owns the storage, which needs the alignment of a uint64_t. There is nothing to destroy.
 *   - Planning ignores the data pointers of tensors, copies what it needs of the rest, and keeps no pointer to
 *     anything of the caller's.
 *   - A plan may be copied and moved, by assignment or memcpy, within the process that made it. It holds
 *     addresses of the library, so it cannot be stored, sent, or run by another version.
 *   - Running does not change it. Several threads may run one plan at once, each with an output and scratch of
 *     its own.
 *   - A call that is refused leaves the storage without a plan. Running that, or storage that never held a plan,
 *     is refused. Storage that was partly overwritten is not recognised.
 */
typedef struct strew_plan {
    uint64_t storage[STREW_PLAN_SIZE / sizeof(uint64_t)]; /**< belongs to the library */
} strew_plan;

/** The data pointers of one run, for tensors of the planned shapes, strides and dtypes. */
typedef struct strew_buffers {
    const void *data;     /**< may be NULL only if it has no elements, like the others */
    const void *indices;  /**< the indices; NULL if the operator was planned without */
    const void *updates;  /**< must be NULL for a gather */
    void *output;         /**< equal to data: a scatter in place, if both were planned with the same strides */
    const void *segments; /**< the offsets, segment_ids or targets; NULL if the operator has none */
    const void *weights;  /**< NULL if the operator was planned without */
} strew_buffers;

/**
 * Runs a plan on these pointers. `options` may be NULL. Refuses INDEX_OUT_OF_BOUNDS, and as INVALID_ARGUMENT: NULL
 * for a tensor with elements, an output that overlaps an input other than in place, storage that holds no plan,
 * less scratch than the least, scratch that is used and overlaps a tensor.
 */
STREW_API strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers,
                                      const strew_run_options *options);

/**
 * Returns the bytes of scratch with which this plan runs fastest on this number of threads, that of
 * strew_run_options' parallel; 0 means 1. Returns 0 for storage that holds no plan. Scratch needs no alignment and
 * no preparation, but keep it for the next run: using pages that the system has just given costs as much as
 * scratch gains.
 *
 *   - Scatters of many elements (or rows of 1, 2, 4, 8 or 16 bytes) to more memory than the caches hold, or on
 *     several threads, partition their updates by the part of the output that they go to. They use about 8 bytes
 *     for each update (twice the size of an element, if that is more), at most twice that, and some megabytes for
 *     each thread. With less scratch, or with scratch for fewer threads than the run has, they do not partition:
 *     the result has the same bits, but takes longer.
 *   - Scatters in place that refuse bad indices read their indices once if scratch holds what they keep: a copy of
 *     the output, if it has more than 25 KiB and at most a quarter of the indices' bytes; or 8 bytes for each of
 *     more than 3,200 tuples of at least three indices.
 *   - A mean counts in scratch, and needs at least what strew_plan_least_scratch_size says.
 *   - strew_gather_scatter sorts entries by the row they go into in two cases: rows have at least 256 contiguous
 *     bytes and on average at least three entries each; or data has at least 15 MiB, and rows have at least 64
 *     bytes and on average at least one entry each. It uses about 4 bytes for each entry, 4 more with weights, and
 *     8 for each row of data. Otherwise, and for halves on one thread, it combines entries in their order: 0.
 *   - strew_embedding_segments sorts rows of any length if ids are not sorted, and needs as much for that.
 *   - All other operators use no scratch: 0.
 */
STREW_API size_t strew_plan_scratch_size(const strew_plan *plan, size_t threads);

/**
 * Returns the bytes of scratch without which a run of this plan on this number of threads is refused. A mean of
 * strew_scatter_elements or strew_scatter needs, for each thread, 8 bytes for each element (row) of data along the
 * axis, or up to 256 KiB if that is more. strew_embedding_segments needs what strew_plan_scratch_size says, but
 * only a run whose ids are not sorted is refused without it. All other operators need 0.
 */
STREW_API size_t strew_plan_least_scratch_size(const strew_plan *plan, size_t threads);

/**
 * Describes in one line of English how runs of a plan go on this number of threads: what they do first, and why;
 * how threads share the work; which kernels move the rows, and of which instruction sets; what is prefetched; what
 * scratch would change. The line is for people, and its words may change with any release. Storage that holds no
 * plan gives "not a plan". The line is cut, terminated and counted as by strew_error_message.
 */
STREW_API size_t strew_plan_describe(const strew_plan *plan, size_t threads, char *buffer, size_t size);

/** @} */

/**
 * @defgroup strew_same_indices Indices that stay the same
 * Some indices do not change from run to run, such as constants of a model and edges of a graph. strew can inspect
 * them once and then run faster.
 * @{
 */

/**
 * Returns the bytes that strew_plan_inspect needs for this plan; 0 if it has no indices, or if the storage holds
 * no plan.
 */
STREW_API size_t strew_plan_inspection_size(const strew_plan *plan);

/**
 * Inspects the indices of a plan, and makes another plan in `*inspected` that runs with the results.
 *
 * The indices are checked and resolved under the plan's policy (strew_bounds). The results are written to
 * `storage`: a number for each tuple, or for each index of an operator without tuples, that gives its row; it has
 * 32 bits where these are enough. Indices that repeat by a stride of 0 are written once. If the plan was made for
 * several threads that would each read all indices of a scatter, the indices of each thread are also listed. Only
 * the indices and segments of `buffers` are read.
 *
 * strew_embedding_segments, strew_segment_reduce and strew_gather_scatter say by a number which row each entry
 * goes into. Their entries are sorted by that number. The storage then replaces the segment_ids or targets as
 * well, and strew_buffers.segments is NULL. Runs need no scratch, and threads share the rows that are written.
 *
 * The inspected plan is a plan of the same call, with the storage as its indices: strew_buffers.indices points to
 * the storage, and the original indices are no longer needed. Its runs do not check indices before they write in
 * place, and they read fewer bytes. They give the same bits, on any number of threads.
 *
 *   - The caller owns the storage. It needs no alignment and must not change. It may be moved, and runs may share
 *     it. A run that is given other storage than that of its plan is refused (INVALID_ARGUMENT).
 *   - Even if the storage has been overwritten, a run accesses no byte outside the tensors. A run that finds it
 *     overwritten is refused; what it has written by then, also in place, is unspecified.
 *   - Inspecting refuses an index out of bounds as a run of the plan does, with the first bad index. It also does
 *     so under STREW_BOUNDS_STOP, and then nothing is written.
 *   - `*inspected` must be another strew_plan than `*plan`. `*plan` does not change. An inspected plan cannot be
 *     inspected again. If the plan has no indices, or they have no elements, `*inspected` is a copy that runs on
 *     the same buffers.
 *   - Only `error` of the options is used; the options may be NULL. A wrong `parallel` is refused all the same.
 */
STREW_API strew_status strew_plan_inspect(strew_plan *inspected, const strew_plan *plan,
                                          const strew_buffers *buffers, void *storage, size_t storage_size,
                                          const strew_run_options *options);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
