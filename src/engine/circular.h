/* Windows in a circular cache. A window that reaches the end continues at the beginning, as a second piece. */
#ifndef STREW_ENGINE_CIRCULAR_H
#define STREW_ENGINE_CIRCULAR_H

#include "engine/walk/tiles.h"
#include "engine/work.h"

/*
 * Resolves an index: a window begins at the index modulo the length of the cache. Every non-negative index is good;
 * a negative one is bad.
 */
strew_resolved strew_circular_begin(const strew_work *work, const char *index, int64_t *begin);

/*
 * Writes all windows, batch by batch. Returns false at the first bad index that the policy refuses. Without
 * threads, only checks the indices.
 */
bool strew_circular_run(const strew_work *work, const strew_pointers *pointers, size_t threads,
                        const strew_parallel *parallel);

#endif
