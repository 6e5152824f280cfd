#include "engine/share/parts.h"

#include <string.h>

#include "engine/share/shard.h"
#include "engine/walk/tiles.h"

/* Begins tiles over a range of positions. The walk is changed, and must outlive the tiles, which point to it. */
static void begin_range(strew_tiles *tiles, strew_walk *walk, const strew_pointers *pointers, strew_range range)
{
    const strew_pointers first = strew_pointers_along(pointers, &walk->dim[0], range.begin);
    walk->dim[0].size = range.end - range.begin;
    strew_tiles_begin(tiles, walk, &first);
}

/* Resolves a range of positions. Returns false if they are more than a tile, or if some have no row. */
static bool resolve_range(const strew_walk *list, const strew_pointers *pointers, strew_range range,
                          int64_t *offsets)
{
    strew_walk walk = *list;
    strew_tiles tiles;
    begin_range(&tiles, &walk, pointers, range);
    return strew_tile_positions(&tiles) == strew_walk_positions(&walk) &&
           strew_tile_resolve(&tiles, offsets) == STREW_ALL_ROWS;
}

/* ---- Columns -------------------------------------------------------------------------------------- */

enum { MOST_COLUMNS = 64 };

/* Columns share no element if the next row of the table begins after the last column. */
int64_t strew_parts_columns(const strew_walk *walk)
{
    const strew_coordinate *const axis = &walk->coordinates.each[0];
    const strew_dim *const columns = &walk->dim[1];
    if (walk->dims == 1)
        return 1;
    return walk->dims == 2 && walk->coordinates.count == 1 && columns->size <= MOST_COLUMNS &&
                   columns->base_step >= walk->row_bytes.addressed &&
                   axis->stride / columns->base_step >= columns->size
               ? columns->size
               : 0;
}

/* ---- Where parts begin ---------------------------------------------------------------------------- */

/* Whether every column names a different row than in the row before. */
static bool all_differ(const int64_t *offsets, const int64_t *before, int64_t columns)
{
    int64_t c = 0;
    while (c < columns && offsets[c] != before[c])
        c++;
    return c == columns;
}

/*
 * Moves the beginning of a part forward until all columns name a new row, so that no row is in two parts. Returns
 * false if that is not within a tile.
 */
static bool move_to_next_row(int64_t *begin, const strew_walk *list, const strew_pointers *pointers)
{
    strew_tile_offsets offsets;
    const int64_t columns = strew_parts_columns(list), most = STREW_TILE_POSITIONS / columns;
    const int64_t before = *begin - 1, left = list->dim[0].size - before, count = left < most ? left : most;
    int64_t i = 1;
    if (!resolve_range(list, pointers, (strew_range){before, before + count}, offsets))
        return false;
    while (i < count && !all_differ(offsets + i * columns, offsets + (i - 1) * columns, columns))
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

/* ---- Whether the indices are sorted --------------------------------------------------------------- */

typedef struct parts_look {
    const strew_parts *parts;
    const strew_walk *list;
    const strew_pointers *pointers;
    int64_t columns;
    bool ascends; /* all columns ascend, otherwise all descend */
} parts_look;

/* Whether no offset descends from `from` to `to`; if not `ascends`, whether none ascends. It compares by the signs
 * of differences, for which every vector instruction set has an operation. */
static bool are_in_order(const int64_t *from, const int64_t *to, int64_t count, bool ascends)
{
    const int64_t *const lower = ascends ? from : to, *const upper = ascends ? to : from;
    uint64_t back = 0;
    for (int64_t i = 0; i < count; i++)
        back |= (uint64_t)upper[i] - (uint64_t)lower[i];
    return back >> 63 == 0;
}

/* Looks at the first rows: whether they ascend or descend. */
static bool begins_sorted(parts_look *look)
{
    strew_tile_offsets offsets;
    const int64_t columns = look->columns;
    const int64_t rows = strew_lesser(STREW_TILE_POSITIONS / columns, look->list->dim[0].size);
    if (!resolve_range(look->list, look->pointers, (strew_range){0, rows}, offsets))
        return false;
    look->ascends = are_in_order(offsets, offsets + columns, (rows - 1) * columns, true);
    return look->ascends || are_in_order(offsets, offsets + columns, (rows - 1) * columns, false);
}

/* Compares each row of a part with the row before it, also with the last row of the part and of the tile before. */
static bool look_at_part(void *context, size_t index)
{
    const parts_look *look = context;
    strew_walk walk = *look->list;
    strew_tiles tiles;
    int64_t offsets[MOST_COLUMNS + STREW_TILE_POSITIONS];
    const int64_t columns = look->columns;
    const int64_t *const begin = look->parts->begin;
    int64_t *const rows = offsets + columns, *before = rows;
    begin_range(&tiles, &walk, look->pointers, (strew_range){begin[index] - (index > 0), begin[index + 1]});
    for (; tiles.strips > 0; strew_tiles_next(&tiles), before = offsets) {
        const int64_t positions = strew_tile_positions(&tiles);
        if (positions % columns != 0 || strew_tile_resolve(&tiles, rows) != STREW_ALL_ROWS ||
            !are_in_order(before, before + columns, rows + positions - columns - before, look->ascends))
            return false;
        memcpy(offsets, rows + positions - columns, (size_t)columns * sizeof *offsets);
    }
    return true;
}

bool strew_parts_find(strew_parts *parts, size_t count, const strew_walk *list, const strew_pointers *pointers,
                      const strew_parallel *parallel)
{
    parts_look look = {.parts = parts, .list = list, .pointers = pointers, .columns = strew_parts_columns(list)};
    return begins_sorted(&look) && find_begins(parts, count, list, pointers) &&
           strew_parallel_run(parallel, look_at_part, &look, count);
}
