#include "engine/memory.h"

#include "dispatch/tuning.h"
#include "engine/near.h"
#include "engine/threshold.h"

/* How many bytes of the addressed tensor the indices can select, from all bases. */
static double selectable_bytes(const strew_walk *walk)
{
    double bytes = (double)walk->row_bytes;
    for (int32_t c = 0; c < walk->coordinates.count; c++)
        bytes *= (double)walk->coordinates.each[c].size;
    for (int32_t d = 0; d < walk->dims; d++)
        if (walk->dim[d].base_step != 0)
            bytes *= (double)walk->dim[d].size;
    return bytes;
}

/*
 * Short rows are fetched a tile at a time if their lines are more than the last-level cache keeps, and the CPU does
 * not foresee them: within a page it does, and where a lane along the axis stays in the cache, lines with more than
 * a few of its elements each are there already. Measured on a CPU of the Zen 5 generation, of the time:
 *
 *   2M elements of 1 to 8 bytes across 24 MB and more     gathered 0.65 to 0.85, summed 0.5 to 0.85
 *   1M rows of 32 and 64 bytes across 16 MB and more      gathered 0.75 to 0.9, summed 0.6 to 0.75
 *   the same across 8 MB, or 200,000 elements             1.1 to 1.25 if the last-level cache is free
 *   elements and rows across 8 MB; 12 to 16 MB            0.5 to 0.9; 0.3 to 0.75 if others use it as well
 *   lanes of 4 to 40 KB, 32 to 8 bytes for each element   gathered 0.6 to 0.85, summed 0.6 to 0.9, assigned 0.65
 *                                                         to 0.95
 *   lanes of 256 bytes; 1 KB, 4 bytes for each element    1.15 to 1.2; 1.25
 */
enum { LEAST_LANE = STREW_THRESHOLD(4096, 1), LEAST_BYTES_EACH = STREW_THRESHOLD(8, 0) };

static bool is_beyond_caches(const strew_walk *walk)
{
    const double least = (double)STREW_THRESHOLD(strew_tuning_active()->least_prefetched, 0);
    return walk->row_bytes <= STREW_CACHE_LINE && (double)strew_walk_positions(walk) * STREW_CACHE_LINE >= least &&
           selectable_bytes(walk) >= least;
}

static bool is_seldom_met(const strew_walk *walk)
{
    const uint64_t reach = strew_walk_reach(walk);
    return reach >= STREW_NEAR_BYTES ||
           (reach >= LEAST_LANE && selectable_bytes(walk) >= LEAST_BYTES_EACH * (double)strew_walk_positions(walk));
}

/* An eighth of a lane, at most what a cache may hold. */
uint64_t strew_near_rows(const strew_walk *walk)
{
    if (!is_beyond_caches(walk) || !is_seldom_met(walk))
        return 0;
    const uint64_t near = strew_walk_reach(walk) / 8;
    return near < STREW_NEAR_BYTES ? near : STREW_NEAR_BYTES;
}

/*
 * While a tile is resolved none of its rows come from memory, and while it is moved no indices do. Where memory is
 * what takes the time tiles are shorter, so that the CPU begins with one while it waits for another. Measured on a
 * CPU of the Zen 5 generation, one thread and two, of the time of whole tiles:
 *
 *   elements along lanes of 20 to 256 bytes, 17 to 70 MB read and written in all    0.65 to 0.9
 *   2M elements or short rows of tables of 2 to 6 MB                                0.7 to 0.95
 *   1M elements and less, up to 11 MB in all                                        1.05 to 1.15
 *   elements that are fetched; rows of 32 and 64 bytes that are                     0.75 to 0.95; 1.1 to 1.4
 *
 * Between 96 and 256 positions none are the best ones everywhere; 64 take 1.1 of the time of 128.
 */
enum { SHORT_TILE = 192 };

/* Whether so much is read and written in all: indices, dense rows, and lines of the addressed tensor. */
static bool waits_for_memory(const strew_walk *walk)
{
    const double least = (double)STREW_THRESHOLD(strew_tuning_active()->least_short_tiles, 0);
    const double positions = (double)strew_walk_positions(walk);
    const double tuple = (double)walk->coordinates.count * (double)strew_dtype_size(walk->index_dtype);
    const double in_order = positions * (tuple + (double)walk->row_bytes), lines = positions * STREW_CACHE_LINE;
    if (in_order + lines < least)
        return false;
    const double selectable = selectable_bytes(walk);
    return in_order + (selectable < lines ? selectable : lines) >= least;
}

int64_t strew_tile_entries(const strew_walk *walk)
{
    if (walk->row_bytes > STREW_CACHE_LINE || !waits_for_memory(walk))
        return STREW_TILE_ENTRIES;
    return walk->row_bytes <= STREW_LONGEST_ELEMENT || strew_near_rows(walk) == 0 ? SHORT_TILE : STREW_TILE_ENTRIES;
}
