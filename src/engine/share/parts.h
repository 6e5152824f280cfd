/*
 * Parts of sorted indices, ascending or descending. No two parts name the same row, so each part can be a shard,
 * and no owners are needed (engine/share/owners.h).
 */
#ifndef STREW_ENGINE_SHARE_PARTS_H
#define STREW_ENGINE_SHARE_PARTS_H

#include "engine/walk/walk.h"

enum { STREW_MOST_PARTS = 128 };

/* Part p is the positions [begin[p], begin[p + 1]). No part is empty. */
typedef struct strew_parts {
    int64_t begin[STREW_MOST_PARTS + 1];
} strew_parts;

/*
 * Returns how many columns the indices of a walk have. Each column is sorted by itself, and no two columns share an
 * element. 1 for a walk of one dimension; 0 if there are too many columns, or columns that may share an element.
 */
int64_t strew_parts_columns(const strew_walk *walk);

/*
 * Finds `count` parts, 2 to STREW_MOST_PARTS. Returns false if some column is not sorted in the direction of the
 * first one. If it returns true, no index is bad. It first looks at one tile. Only if that is sorted, it looks at
 * all rows, on the caller's threads.
 */
bool strew_parts_find(strew_parts *parts, size_t count, const strew_walk *list, const strew_pointers *pointers,
                      const strew_parallel *parallel);

#endif
