/* Windows in a circular cache: one that would go beyond the end goes on at the beginning, and is written in two. */
#ifndef STREW_ENGINE_CIRCULAR_H
#define STREW_ENGINE_CIRCULAR_H

#include "engine/walk/tiles.h"
#include "engine/work.h"

/*
 * Where a window begins: the index modulo the length of the cache, which any that is not negative has. A negative
 * one is as the policy says.
 */
strew_resolved strew_circular_begin(const strew_work *work, const char *index, int64_t *begin);

/* Whether every index is one that a window can begin at. */
bool strew_circular_check(const strew_work *work, const strew_pointers *pointers);

/* Writes all windows, one batch after the other. False at the first index that is wrong. */
bool strew_circular_run(const strew_work *work, const strew_pointers *pointers, size_t threads,
                        const strew_parallel *parallel);

#endif
