/* What a form of STREW_BAGS comes to, and what is refused only when it runs. */
#ifndef STREW_ENGINE_COMBINE_H
#define STREW_ENGINE_COMBINE_H

#include "engine/work.h"

/* Makes the bags and the walk of a form: over the dimensions of its rows. */
void strew_combine_make(strew_bags *bags, strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

/* The scratch that is of use, and that without which some runs are refused. */
size_t strew_combine_scratch_bytes(const strew_work *work, size_t threads);
bool strew_combine_may_need_scratch(const strew_work *work);

/* False if something was wrong. The output of a scatter has been copied from data, if it is another. */
bool strew_combine_run(const strew_work *work, const strew_pointers *pointers, const strew_buffers *buffers,
                       bool in_place, size_t threads, const strew_run_options *options);

/*
 * What strew_inspect does with entries that go into rows by number (strew_form_has_segment_ids): they are sorted.
 * The bytes of storage, and whether nothing was wrong.
 */
size_t strew_combine_inspection_size(const strew_work *work);
bool strew_combine_inspect(strew_form *inspected, const strew_work *work, const strew_buffers *buffers,
                           char *storage);

/*
 * What a run leaves that stops, by one thread: what comes before the first bad index, of a gather the rows that end
 * before it. Nothing has been written yet, but for data to another output.
 */
void strew_combine_run_prefix(const strew_work *work, const strew_pointers *pointers, const strew_buffers *buffers);

/* Says what was wrong. */
strew_status strew_combine_refuse(const strew_work *work, const strew_buffers *buffers, size_t threads,
                                  const strew_run_options *options);

#endif
