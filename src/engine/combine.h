/* Makes bags of a form of STREW_BAGS, runs them, and says why a run was refused. */
#ifndef STREW_ENGINE_COMBINE_H
#define STREW_ENGINE_COMBINE_H

#include "engine/work.h"

/* Makes the bags and the walk of a form: over the dimensions of its rows. */
void strew_combine_make(strew_bags *bags, strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

/* Returns whether some runs are refused without scratch. */
bool strew_combine_may_need_scratch(const strew_work *work);

/* Runs the bags. Returns false if it refuses them. A separate output of a scatter must hold a copy of data. */
bool strew_combine_run(const strew_work *work, const strew_pointers *pointers, const strew_buffers *buffers,
                       bool in_place, size_t threads, const strew_run_options *options);

/*
 * Inspects entries that go into rows by number (strew_form_has_segment_ids): sorts them into storage of
 * strew_bags_sort_bytes. Returns false if it refuses the entries.
 */
bool strew_combine_inspect(strew_form *inspected, const strew_work *work, const strew_buffers *buffers,
                           char *storage);

/*
 * Runs the entries before the first bad index, on one thread. A gather runs only the rows that end before it. Rows
 * that start from the identity are not run. Until this call only a copy of data may have been written.
 */
void strew_combine_run_prefix(const strew_work *work, const strew_pointers *pointers, const strew_buffers *buffers);

/* Finds out why the bags were refused, and refuses the call for it. */
strew_status strew_combine_refuse(const strew_work *work, const strew_buffers *buffers, size_t threads,
                                  const strew_run_options *options);

#endif
