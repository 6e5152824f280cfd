#include "engine/share/owners.h"

#include <string.h>

#include "base/thresholds.h"
#include "dispatch/tuning.h"
#include "engine/walk/gaps.h"
#include "engine/walk/mover.h"

/* A block is at least a cache line, so that no two owners write the same line. In a large tensor it is a page, so
 * that owners do not share pages either. */
enum { MOST_BLOCK_BITS = 12, LEAST_BLOCK_BITS = 6, BLOCKS_EACH = 16 };

int32_t strew_owners_block_bits(const strew_walk *walk, size_t count)
{
    const uint64_t reach = strew_walk_reach(walk);
    int32_t bits = LEAST_BLOCK_BITS;
    while (bits < MOST_BLOCK_BITS && reach >> (bits + 1) >= BLOCKS_EACH * (uint64_t)count)
        bits++;
    return bits;
}

/* ---- Moving a list of rows ------------------------------------------------------------------------ */

/* The rows of a tile that an owner picks. */
typedef struct row_list {
    size_t count;
    int64_t offsets[STREW_TILE_POSITIONS + STREW_PICK_ROOM];
    int64_t dense_offsets[STREW_TILE_POSITIONS + STREW_PICK_ROOM];
} row_list;

/* Rows are collected into a buffer of this size. */
enum { COLLECTED_BYTES = 4096 };

/* Copies short dense rows into a buffer and moves them from there. A constant row need not be copied. */
static void move_collected(const row_list *list, const strew_walk *walk, const strew_pointers *pointers,
                           const strew_mover *mover)
{
    char rows[COLLECTED_BYTES];
    const int64_t row_bytes = walk->row_bytes.dense;
    const size_t most = COLLECTED_BYTES / (size_t)row_bytes;
    strew_move_kernel *const collect = walk->kernels->gather[strew_move_size_of(row_bytes)];
    const strew_dense collected = {.rows = rows, .step = row_bytes, .row_bytes = (size_t)row_bytes};
    for (size_t i = 0; i < list->count; i += most) {
        const size_t count = list->count - i < most ? list->count - i : most;
        if (!mover->constant_row)
            collect(pointers->dense, list->dense_offsets + i, count, &collected);
        strew_mover_move(mover, pointers->addressed, list->offsets + i, count, rows, row_bytes, row_bytes);
    }
}

/* Moves longer rows one by one. The CPU cannot predict where they are, so they are prefetched. If they are written
 * past the caches, only the lines that they fill partly are. */
static void move_each(const row_list *list, const strew_walk *walk, const strew_pointers *pointers,
                      const strew_mover *mover)
{
    const size_t bytes = (size_t)walk->row_bytes.dense, addressed_bytes = (size_t)walk->row_bytes.addressed;
    const size_t most = (size_t)strew_tuning_active()->rows_ahead;
    const size_t ahead = bytes <= STREW_LONGEST_ROW_AHEAD ? most : 0;
    const bool by_lines = mover->access.stream_parts ||
                          strew_mover_streams_lines(mover, pointers->addressed, walk->row_bytes.addressed);
    for (size_t i = 0; i < list->count; i++) {
        strew_prefetch_row_ahead(pointers->dense, list->dense_offsets, i, list->count, bytes, ahead);
        if (by_lines)
            strew_prefetch_ends_ahead(pointers->addressed, list->offsets, i, list->count, addressed_bytes, most);
        else
            strew_prefetch_row_ahead(pointers->addressed, list->offsets, i, list->count, addressed_bytes, ahead);
        strew_mover_move(mover, pointers->addressed, list->offsets + i, 1, pointers->dense + list->dense_offsets[i],
                         0, (int64_t)bytes);
    }
}

static void move_list(const row_list *list, const strew_walk *walk, const strew_pointers *pointers,
                      const strew_mover *mover)
{
    if (walk->row_bytes.dense <= STREW_CACHE_LINE)
        move_collected(list, walk, pointers, mover);
    else
        move_each(list, walk, pointers, mover);
}

/* ---- The rows of an owner ------------------------------------------------------------------------- */

/* Lists the rows of a tile that one owner owns. */
static void pick_owned(row_list *picked, const strew_tiles *tiles, const int64_t *offsets,
                       const int64_t *dense_offsets, strew_ownership ownership)
{
    const size_t count = (size_t)strew_tile_positions(tiles);
    picked->count = 0;
    for (strew_rows rows = strew_rows_from(0, offsets, count); rows.begin < count;
         rows = strew_rows_from(rows.end, offsets, count))
        picked->count += tiles->walk->kernels->pick(
            tiles->pointers.addressed, offsets + rows.begin, dense_offsets + rows.begin, rows.end - rows.begin,
            ownership, picked->offsets + picked->count, picked->dense_offsets + picked->count);
}

/* The rows of one owner that an inspection has listed, after the numbers of all positions (engine/inspection.c). */
typedef struct owner_list {
    const char *numbers, *places;
    uint32_t count;
} owner_list;

/* Finds the list of an owner. Returns false if the list is outside the storage, which was then overwritten. */
static bool find_list(owner_list *list, const strew_walk *walk, const strew_pointers *pointers, uint32_t index)
{
    uint32_t bounds[2];
    const int64_t positions = strew_walk_positions(walk), size = (int64_t)sizeof *bounds;
    const char *const begins = pointers->indices + positions * size;
    const char *const lists = begins + (walk->listed_owners + 1) * size;
    memcpy(bounds, begins + index * size, sizeof bounds);
    list->numbers = lists + bounds[0] * size;
    list->places = list->numbers + positions * size;
    list->count = bounds[1] - bounds[0];
    return bounds[0] <= bounds[1] && bounds[1] <= positions;
}

/* Moves the listed rows. It resolves, and so checks, both the numbers and the places. */
static bool run_list(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                     const owner_list *list)
{
    const int64_t size = (int64_t)sizeof(uint32_t);
    strew_resolve_kernel *const resolve = strew_walk_resolve_kernel(walk);
    strew_coordinates places = {.count = 0};
    row_list picked;
    strew_coordinates_add(&places, (strew_coordinate){walk->dim[0].size, walk->dim[0].dense_step});
    for (uint32_t i = 0; i < list->count; i += STREW_TILE_POSITIONS) {
        picked.count = list->count - i < STREW_TILE_POSITIONS ? list->count - i : STREW_TILE_POSITIONS;
        if (!resolve(list->numbers + i * size, size, picked.count, &walk->coordinates, strew_no_offsets,
                     picked.offsets) ||
            !resolve(list->places + i * size, size, picked.count, &places, strew_no_offsets, picked.dense_offsets))
            return false;
        move_list(&picked, walk, pointers, mover);
    }
    strew_mover_end(mover);
    return true;
}

bool strew_owners_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      strew_ownership ownership)
{
    strew_tiles tiles;
    strew_tile_offsets offsets, dense_offsets;
    row_list picked;
    owner_list listed;
    if (walk->listed_owners == ownership.count)
        return find_list(&listed, walk, pointers, ownership.index) && run_list(walk, mover, pointers, &listed);
    strew_tiles_begin(&tiles, walk, pointers);
    for (strew_tile_dense_offsets(&tiles, dense_offsets); tiles.strips > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, offsets))
            return false;
        pick_owned(&picked, &tiles, offsets, dense_offsets, ownership);
        move_list(&picked, walk, &tiles.pointers, mover);
    }
    strew_mover_end(mover);
    return true;
}
