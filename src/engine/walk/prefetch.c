#include "engine/walk/prefetch.h"

enum { LONGEST_ELEMENT = 16 };

/* Counts the bytes of the addressed tensor from which the coordinates select, at all bases. */
static double total_reach(const strew_walk *walk)
{
    double bytes = (double)walk->row_bytes.addressed;
    for (int32_t c = 0; c < walk->coordinates.count; c++)
        bytes *= (double)walk->coordinates.each[c].size;
    for (int32_t d = 0; d < walk->dims; d++)
        if (walk->dim[d].base_step != 0)
            bytes *= (double)walk->dim[d].size;
    return bytes;
}

/* Whether the walk's rows take more cache lines than the last-level cache keeps. */
static bool is_beyond_caches(const strew_walk *walk)
{
    const double least = STREW_THRESHOLD(strew_tuning_active()->least_prefetched, 0);
    return (double)strew_walk_positions(walk) * (double)STREW_CACHE_LINE >= least && total_reach(walk) >= least;
}

/* Rows are near within an eighth of what the coordinates reach, and at most within the second-level cache. */
uint64_t strew_prefetch_group_extent(const strew_walk *walk)
{
    const uint64_t eighth = strew_walk_reach(walk) / 8;
    if (walk->row_bytes.addressed > STREW_CACHE_LINE || strew_walk_reach(walk) < STREW_SECOND_LEVEL_BYTES ||
        !is_beyond_caches(walk))
        return 0;
    return eighth < STREW_SECOND_LEVEL_BYTES ? eighth : STREW_SECOND_LEVEL_BYTES;
}

/* A row that is longer than an element may reach into a second line. */
void strew_prefetch_group(const char *addressed, const int64_t *offsets, size_t count, int64_t row_bytes,
                          uint64_t extent)
{
    if (strew_rows_are_near(offsets, count, extent))
        return;
    for (size_t i = 0; i < count; i++) {
        STREW_PREFETCH(addressed + offsets[i]);
        if (row_bytes > LONGEST_ELEMENT)
            STREW_PREFETCH(addressed + offsets[i] + row_bytes - 1);
    }
}
