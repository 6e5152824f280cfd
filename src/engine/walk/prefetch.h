/*
 * The engine's policy on which rows are prefetched and when. base/prefetch.h has the instructions, and the tuning
 * the distances. A mover uses one of three ways:
 *
 *   - The kernel prefetches rows at a fixed distance ahead of the one that it moves.
 *   - All short rows of a tile are prefetched before the first of them moves (group prefetching, Chen et al. 2004).
 *   - The kernel reads single elements before it overwrites them.
 *
 * walk/join.c and share/owners.c prefetch rows themselves, at the same distances.
 */
#ifndef STREW_ENGINE_WALK_PREFETCH_H
#define STREW_ENGINE_WALK_PREFETCH_H

#include "base/prefetch.h"
#include "base/thresholds.h"
#include "dispatch/tuning.h"
#include "engine/walk/walk.h"

/* A tile is prefetched as a group if its rows extend over more than this many bytes. 0: no tile is. */
uint64_t strew_prefetch_group_extent(const strew_walk *walk);

/* Whether rows lie within `bytes` of the first one, judged by four of them. Near rows are cached already. */
static inline bool strew_rows_are_near(const int64_t *offsets, size_t count, uint64_t bytes)
{
    enum { PROBES = 4 };
    bool near = true;
    for (size_t probe = 1; count > 0 && probe <= PROBES; probe++)
        near &= (uint64_t)(offsets[(count - 1) * probe / PROBES] - offsets[0]) + bytes < 2 * bytes;
    return near;
}

/* Prefetches rows of at most one cache line each, if they extend over more than `extent` bytes. */
void strew_prefetch_group(const char *addressed, const int64_t *offsets, size_t count, int64_t row_bytes,
                          uint64_t extent);

#endif
