/* How a walk's rows go about memory: to be replaced by the engine's one home for prefetching. */
#ifndef STREW_ENGINE_NEAR_H
#define STREW_ENGINE_NEAR_H

#include "base/prefetch.h"
#include "dispatch/tuning.h"
#include "engine/walk.h"

enum {
    STREW_LONGEST_ELEMENT = 16,
    STREW_ROWS_AHEAD = 16,
    STREW_LONGEST_ROW_AHEAD = 1024,
    STREW_NEAR_BYTES = 1 << 20
};

/* Whether rows lie within so many bytes of the first, to judge by some: what is near need not be prefetched. */
static inline bool strew_rows_are_near(const int64_t *offsets, size_t count, uint64_t bytes)
{
    enum { PROBES = 4 };
    bool near = true;
    for (size_t probe = 1; count > 0 && probe <= PROBES; probe++)
        near &= (uint64_t)(offsets[(count - 1) * probe / PROBES] - offsets[0]) + bytes < 2 * bytes;
    return near;
}

/*
 * Rows of a line at most, all of which fit in the caches, unless they are within `near` bytes: where they begin
 * and, if they are more than elements, where they end. Always inlined, or gcc 12 takes it to do nothing.
 */
static inline __attribute__((always_inline)) void
strew_fetch_far_rows(const char *addressed, const int64_t *offsets, size_t count, size_t bytes, uint64_t near)
{
    if (strew_rows_are_near(offsets, count, near))
        return;
    for (size_t i = 0; i < count; i++) {
        __builtin_prefetch(addressed + offsets[i]);
        if (bytes > STREW_LONGEST_ELEMENT)
            __builtin_prefetch(addressed + offsets[i] + bytes - 1);
    }
}

static inline uint32_t strew_rows_ahead(const strew_prefetch_distance *distance, const int64_t *offsets,
                                        size_t count, size_t bytes)
{
    return bytes >= distance->shortest && bytes <= distance->longest &&
                   !strew_rows_are_near(offsets, count, distance->near)
               ? distance->rows_ahead
               : 0;
}

static inline strew_access strew_access_to(const strew_walk *walk, const char *addressed, const int64_t *offsets,
                                           size_t count, size_t bytes)
{
    strew_access access = {0, 0, false};
    if (count < 16 && !walk->streams)
        return access;
    const strew_tuning *tuning = strew_tuning_active();
    if (walk->streams) {
        const bool whole =
            walk->overwrites && count > 0 && ((uintptr_t)(addressed + offsets[0]) | bytes) % STREW_CACHE_LINE == 0;
        access.stream_pages = tuning->stream_pages;
        access.rows_ahead = !whole && bytes <= STREW_LONGEST_ROW_AHEAD ? STREW_ROWS_AHEAD : 0;
    } else if (walk->overwrites && bytes <= STREW_LONGEST_ELEMENT && (bytes & (bytes - 1)) == 0) {
        access.read_first = tuning->reads_first && !strew_rows_are_near(offsets, count, tuning->read_first_near);
    } else {
        access.rows_ahead = strew_rows_ahead(
            walk->overwrites ? &tuning->prefetch.overwritten : &tuning->prefetch.read, offsets, count, bytes);
    }
    return access;
}

static inline void strew_move(const strew_walk *walk, char *addressed, const int64_t *offsets, size_t count,
                              char *rows, int64_t step)
{
    const size_t bytes = (size_t)walk->row_bytes;
    const strew_dense dense = {rows, step, bytes, strew_access_to(walk, addressed, offsets, count, bytes)};
    walk->move(addressed, offsets, count, &dense);
}

#endif
