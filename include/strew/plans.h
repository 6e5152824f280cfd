/**
 * @file
 * Plans: what they are, how they run, and how those run whose indices stay the same. Each operator is planned by a
 * function beside it, in <strew/indexing.h> or <strew/bags.h>. <strew/strew.h> includes all three.
 */
#ifndef STREW_PLANS_H
#define STREW_PLANS_H

#include <strew/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_plans Plans
 * An operator with all settled that does not change from call to call.
 * @{
 */

/** The bytes of a plan. */
#define STREW_PLAN_SIZE 8192

/**
 * An operator with its shapes, strides, dtypes, flags and kernels settled, to be run on any pointers.
 *
 *   - The caller owns the storage, which needs the alignment of a uint64_t; there is nothing to destroy.
 *   - Planning ignores the tensors' data pointers, copies what it needs of the rest, and keeps no pointer to
 *     anything of the caller's.
 *   - A plan may be copied and moved, by assignment or memcpy, within the process that made it. It holds
 *     addresses of the library: it cannot be stored, sent, or run by another version.
 *   - Running does not change it: several threads may run one plan at once, each with an output and scratch of
 *     its own.
 *   - A call that is refused leaves the storage without a plan. Running that, or storage that never held one, is
 *     refused; storage that was partly overwritten is not recognised.
 */
typedef struct strew_plan {
    uint64_t storage[STREW_PLAN_SIZE / sizeof(uint64_t)]; /**< the library's */
} strew_plan;

/** The data pointers of one run, for tensors of the planned shapes, strides and dtypes. */
typedef struct strew_buffers {
    const void *data;     /**< NULL only if it has no elements, as for the others */
    const void *indices;  /**< the indices; NULL where the operator was planned without */
    const void *updates;  /**< must be NULL for a gather */
    void *output;         /**< that of data runs a scatter in place, if both were planned with the same strides */
    const void *segments; /**< the offsets, segment_ids or targets; NULL for an operator that has none */
    const void *weights;  /**< NULL where the operator was planned without */
} strew_buffers;

/**
 * Runs a plan on these pointers; `options` may be NULL. Refuses INDEX_OUT_OF_BOUNDS, and as INVALID_ARGUMENT: NULL
 * for a tensor with elements, an output that overlaps an input other than in place, what is not a plan, less
 * scratch than the least, scratch of use that overlaps a tensor.
 */
STREW_API strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers,
                                      const strew_run_options *options);

/**
 * The bytes of scratch with which this plan runs fastest on that many threads, which are those of the
 * strew_run_options' parallel; 0 is one. Scratch needs no alignment and no preparation, but should be kept for the
 * next run: pages that the system has just given cost as much as they gain.
 *
 *   - Scatters of many elements (or rows of 1, 2, 4, 8 or 16 bytes) to more memory than the caches hold, or on
 *     several threads, partition their updates by the part of the output that they go to: about 8 bytes for each
 *     (twice an element's size, if that is more), at most twice that, and some megabytes for each thread. With
 *     less scratch, as with scratch for fewer threads than the run has, they do without: the same bits, but
 *     slower.
 *   - mean counts in it, and needs the least that strew_plan_least_scratch_size says.
 *   - strew_gather_scatter sorts entries by where they go, if that pays: about 4 bytes for each, 4 more with
 *     weights, and 8 for each row of data. It does for rows of 256 contiguous bytes and more, if three entries and
 *     more go into each row of data on average; where data has 15 MiB and more, for rows of 64 bytes and more, if
 *     one does. Others are combined as they come: 0. So are halves on one thread.
 *   - strew_embedding_segments sorts rows of any length where ids are not sorted, and needs as much for that.
 *   - All else has no use for it: 0, as for what is not a plan.
 */
STREW_API size_t strew_plan_scratch_size(const strew_plan *plan, size_t threads);

/**
 * The bytes of scratch without which a run of this plan on that many threads is refused. For a mean of
 * strew_scatter_elements or strew_scatter, for each thread: 8 for each element (row) of data along the axis, or up
 * to 256 KiB if that is more. For strew_embedding_segments what strew_plan_scratch_size says, though only a run
 * whose ids are not sorted is refused without. For all else 0.
 */
STREW_API size_t strew_plan_least_scratch_size(const strew_plan *plan, size_t threads);

/**
 * Says in one line of English how runs of a plan go on that many threads: what they do first, and why; how threads
 * share the work; which kernels move the rows, and of which instruction sets; what is prefetched; and what scratch
 * would change. It is for people, and its words may change with any release. "not a plan" for what is none. Cut,
 * terminated and counted as by strew_error_message.
 */
STREW_API size_t strew_plan_describe(const strew_plan *plan, size_t threads, char *buffer, size_t size);

/** @} */

/**
 * @defgroup strew_same_indices Indices that stay the same
 * Indices that do not change from run to run, as constants of a model and edges of a graph do not, need to be
 * looked at only once.
 * @{
 */

/** The bytes that strew_plan_inspect needs for this plan; 0 if it has no indices, as for what is not a plan. */
STREW_API size_t strew_plan_inspection_size(const strew_plan *plan);

/**
 * Looks at the indices of a plan, and makes another plan, in *inspected, that runs with what was found.
 *
 * The indices are checked and resolved under the plan's policy (strew_bounds), and what they come to is written
 * into `storage`: for each tuple, or for each index of an operator without tuples, one number of 32 bits, where
 * that is enough, from which the row is known. Indices that repeat by a stride of 0 are written once. If the plan
 * was made for several threads, each of which would look at all indices of a scatter, they are also listed for
 * each. Of `buffers` only indices and segments are looked at.
 *
 * Where rows go into others by number (strew_embedding_segments, strew_segment_reduce, strew_gather_scatter), they
 * are sorted by that, once and for all: the storage then stands for the segment_ids or targets as well, and
 * strew_buffers.segments is NULL. Runs need no scratch, and threads share the rows that are written.
 *
 * The inspected plan is a plan as any other, of the same call, whose indices are the storage:
 * strew_buffers.indices points to it, and the indices themselves are not needed any more. Its runs do not check
 * indices before they write in place, and read fewer bytes. They give the same bits, on any number of threads.
 *
 *   - The storage is the caller's, needs no alignment, and must stay as it is; it may be moved, or shared by runs.
 *     A run that is given other storage than that of its plan is refused (INVALID_ARGUMENT).
 *   - Storage that has been overwritten all the same never makes a run touch a byte outside the tensors. If the run
 *     finds it out it is refused; what it has written by then, in place as well, is unspecified.
 *   - Inspecting refuses an index out of bounds as a run of the plan does, with the first offender. Under
 *     STREW_BOUNDS_STOP as well: then nothing is written.
 *   - *inspected is another strew_plan than *plan, which does not change, and cannot be inspected again. Without
 *     indices, or if they have no elements, it is a copy, and runs on the same buffers.
 *   - Of the options, which may be NULL, only `error` is used. A wrong `parallel` is refused all the same.
 */
STREW_API strew_status strew_plan_inspect(strew_plan *inspected, const strew_plan *plan,
                                          const strew_buffers *buffers, void *storage, size_t storage_size,
                                          const strew_run_options *options);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
