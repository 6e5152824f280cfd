/* Where the rows of a walk come from, the caches or memory, and what follows from it. */
#ifndef STREW_ENGINE_MEMORY_H
#define STREW_ENGINE_MEMORY_H

#include "engine/walk.h"

/* What is near, in the sense of walk.h, if the walk's short rows are to be fetched. Otherwise 0. */
uint64_t strew_near_rows(const strew_walk *walk);

/* How many positions of the walk are best resolved at once. */
int64_t strew_tile_entries(const strew_walk *walk);

#endif
