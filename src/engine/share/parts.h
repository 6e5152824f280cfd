/*
 * Parts of a list whose indices are sorted, either way: they name rows that lie apart, so that each can be a shard
 * by itself, and nobody needs to own rows (engine/share/owners.h). Only the indices can tell.
 */
#ifndef STREW_ENGINE_SHARE_PARTS_H
#define STREW_ENGINE_SHARE_PARTS_H

#include "engine/walk/walk.h"

enum { STREW_MOST_PARTS = 64 };

/* Part p has the positions begin[p] up to begin[p + 1]; all parts have some. */
typedef struct strew_parts {
    int64_t begin[STREW_MOST_PARTS + 1];
} strew_parts;

/* How many lists stand side by side, as columns whose elements are apart: 1 for a walk of one dimension, 0 if they
 * are not, or too many. */
int64_t strew_parts_columns(const strew_walk *walk);

/*
 * Finds so many such parts, 2 to STREW_MOST_PARTS, of a walk of columns, each of which is sorted the same way. If
 * there are, each position has a row. Looks at some positions, and if these are sorted, at all of them, on the
 * caller's threads.
 */
bool strew_parts_find(strew_parts *parts, size_t count, const strew_walk *list, const strew_pointers *pointers,
                      const strew_parallel *parallel);

#endif
