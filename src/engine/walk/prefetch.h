/*
 * Which rows are prefetched, and when: the policy of the engine (how is base/prefetch.h, the distances are the
 * tuning's). A mover takes one way:
 *
 *   - rows so many ahead of the one that moves, by the kernel (software prefetching at a fixed distance);
 *   - all short rows of a tile before the first of them moves (group prefetching, Chen et al. 2004);
 *   - single elements that are overwritten, by reading them first.
 *
 * Rows that are joined (join.c) or picked (share/owners.c) are prefetched where they are found, at the same
 * distances.
 */
#ifndef STREW_ENGINE_WALK_PREFETCH_H
#define STREW_ENGINE_WALK_PREFETCH_H

#include "base/prefetch.h"
#include "base/thresholds.h"
#include "dispatch/tuning.h"
#include "engine/walk/walk.h"

/* Short rows of a tile are prefetched as a group unless they lie within so many bytes. 0: they are not prefetched.
 */
uint64_t strew_prefetch_group_unless_within(const strew_walk *walk);

/* Whether rows lie within so many bytes of the first, to judge by four of them: what is near is cached already. */
static inline bool strew_rows_are_near(const int64_t *offsets, size_t count, uint64_t bytes)
{
    enum { PROBES = 4 };
    bool near = true;
    for (size_t probe = 1; count > 0 && probe <= PROBES; probe++)
        near &= (uint64_t)(offsets[(count - 1) * probe / PROBES] - offsets[0]) + bytes < 2 * bytes;
    return near;
}

/* Rows of a line at most, all of which fit in the caches, unless they lie within so many bytes of the first. */
void strew_prefetch_group(const char *addressed, const int64_t *offsets, size_t count, int64_t row_bytes,
                          uint64_t unless_within);

#endif
