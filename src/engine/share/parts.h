/*
 * Parts of a list whose indices are sorted, up or down. Parts name rows that lie apart, so each part can be a shard
 * by itself, and nobody needs to own rows (engine/share/owners.h).
 */
#ifndef STREW_ENGINE_SHARE_PARTS_H
#define STREW_ENGINE_SHARE_PARTS_H

#include "engine/walk/walk.h"

enum { STREW_MOST_PARTS = 64 };

/* Part p has the positions begin[p] up to begin[p + 1]; all parts have some. */
typedef struct strew_parts {
    int64_t begin[STREW_MOST_PARTS + 1];
} strew_parts;

/*
 * How many lists a walk has side by side, as columns whose elements are apart. 1 for a walk of one dimension, 0 if
 * the columns are too many or not apart.
 */
int64_t strew_parts_columns(const strew_walk *walk);

/*
 * Finds `count` parts, 2 to STREW_MOST_PARTS. Returns false if some column is not sorted as the first one is. If it
 * returns true, no index is wrong or skipped. It looks at a few rows first, and at all rows only if these are
 * sorted, on the caller's threads.
 */
bool strew_parts_find(strew_parts *parts, size_t count, const strew_walk *list, const strew_pointers *pointers,
                      const strew_parallel *parallel);

#endif
