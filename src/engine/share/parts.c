#include "engine/share/parts.h"

#include <stdatomic.h>

#include "engine/share/shard.h"
#include "engine/walk/tiles.h"

/* Where rows begin: at the first of these offsets, the last, or between. */
typedef struct span {
    int64_t first, last;
} span;

/* Positions of the list. The walk is the caller's to keep, as tiles refer to it. */
static void begin_range(strew_tiles *tiles, strew_walk *walk, const strew_pointers *pointers, strew_range range)
{
    const strew_pointers first = strew_pointers_along(pointers, &walk->dim[0], range.begin);
    walk->dim[0].size = range.end - range.begin;
    strew_tiles_make(tiles, walk, STREW_TILE_POSITIONS);
    strew_tiles_begin(tiles, &first);
}

/* Resolves so many positions, a tile at most, of which each has a row. */
static bool resolve_range(const strew_walk *list, const strew_pointers *pointers, strew_range range,
                          int64_t *offsets)
{
    strew_walk walk = *list;
    strew_tiles tiles;
    begin_range(&tiles, &walk, pointers, range);
    return strew_tile_resolve(&tiles, offsets) == STREW_ROWS_ALL;
}

/* ---- Where parts begin ---------------------------------------------------------------------------- */

/*
 * Moves a begin on to where another row is named than just before, so that no row is of two parts. False if that is
 * not within a tile.
 */
static bool move_to_next_row(int64_t *begin, const strew_walk *list, const strew_pointers *pointers)
{
    strew_tile_offsets offsets;
    const int64_t before = *begin - 1, left = list->dim[0].size - before;
    const int64_t count = left < STREW_TILE_POSITIONS ? left : STREW_TILE_POSITIONS;
    int64_t i = 1;
    if (!resolve_range(list, pointers, (strew_range){before, before + count}, offsets))
        return false;
    while (i < count && offsets[i] == offsets[0])
        i++;
    *begin = before + i;
    return i < count;
}

static bool find_begins(strew_parts *parts, size_t count, const strew_walk *list, const strew_pointers *pointers)
{
    for (size_t p = 0; p <= count; p++) {
        int64_t *const begin = &parts->begin[p];
        *begin = strew_range_of(list->dim[0].size, p, count).begin;
        if (p > 0 && p < count && !move_to_next_row(begin, list, pointers))
            return false;
        if (p > 0 && *begin <= begin[-1])
            return false;
    }
    return true;
}

/* ---- What they name ------------------------------------------------------------------------------- */

/* What some positions of a part name, the first and the last among them, resolved at once as a list of their own:
 * if the part is sorted, all lies between. */
static bool sample(span *rows, const strew_walk *list, const strew_pointers *pointers, strew_range part)
{
    enum { SAMPLED = 16 };
    int64_t offsets[SAMPLED];
    strew_walk samples = *list;
    const int64_t last = part.end - part.begin - 1, steps = last < SAMPLED - 2 ? 0 : SAMPLED - 2;
    const strew_pointers first = strew_pointers_along(pointers, &list->dim[0], part.begin);
    samples.dim[0].index_step *= steps > 0 ? last / steps : 1;
    if (!resolve_range(&samples, &first, (strew_range){0, steps + 1}, offsets) ||
        !resolve_range(list, pointers, (strew_range){part.end - 1, part.end}, &offsets[steps + 1]))
        return false;
    *rows = (span){offsets[0], offsets[0]};
    for (int64_t i = 1; i < steps + 2; i++) {
        rows->first = offsets[i] < rows->first ? offsets[i] : rows->first;
        rows->last = offsets[i] > rows->last ? offsets[i] : rows->last;
    }
    return true;
}

/* Whether no row of one part is, or overlaps, a row of another. */
static bool are_apart(const span *rows, size_t count, int64_t row_bytes)
{
    for (size_t p = 0; p < count; p++)
        for (size_t q = 0; q < p; q++)
            if (rows[p].first < rows[q].last + row_bytes && rows[q].first < rows[p].last + row_bytes)
                return false;
    return true;
}

/* By signs: not every instruction set compares 64 bits, or does so two at a time. */
static bool all_lie_within(const span *rows, const int64_t *offsets, int64_t count)
{
    uint64_t outside = 0;
    for (int64_t i = 0; i < count; i++)
        outside |= ((uint64_t)offsets[i] - (uint64_t)rows->first) | ((uint64_t)rows->last - (uint64_t)offsets[i]);
    return outside >> 63 == 0;
}

/* Whether the parts name what was sampled of them, or rows between. */
typedef struct parts_look {
    const strew_parts *parts;
    const strew_walk *list;
    const strew_pointers *pointers;
    span rows[STREW_MOST_PARTS];
    atomic_bool failed;
} parts_look;

static void look_at_part(void *context, size_t index)
{
    parts_look *look = context;
    strew_walk walk = *look->list;
    strew_tiles tiles;
    strew_tile_offsets offsets;
    begin_range(&tiles, &walk, look->pointers,
                (strew_range){look->parts->begin[index], look->parts->begin[index + 1]});
    for (; tiles.segments > 0; strew_tiles_next(&tiles))
        if (strew_tile_resolve(&tiles, offsets) != STREW_ROWS_ALL ||
            !all_lie_within(&look->rows[index], offsets, strew_tile_positions(&tiles))) {
            atomic_store_explicit(&look->failed, true, memory_order_relaxed);
            return;
        }
}

bool strew_parts_find(strew_parts *parts, size_t count, const strew_walk *list, const strew_pointers *pointers,
                      const strew_parallel *parallel)
{
    parts_look look = {.parts = parts, .list = list, .pointers = pointers};
    if (!find_begins(parts, count, list, pointers))
        return false;
    for (size_t p = 0; p < count; p++)
        if (!sample(&look.rows[p], list, pointers, (strew_range){parts->begin[p], parts->begin[p + 1]}))
            return false;
    if (!are_apart(look.rows, count, list->row_bytes))
        return false;
    strew_parallel_run(parallel, look_at_part, &look, count);
    return !atomic_load_explicit(&look.failed, memory_order_relaxed);
}
