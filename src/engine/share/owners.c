#include "engine/share/owners.h"

#include <string.h>

#include "engine/walk/gaps.h"
#include "engine/walk/picked.h"

/* A page at most, so that shards keep to their own pages; a cache line at least, so that none is written by two. */
enum { MOST_BLOCK_BITS = 12, LEAST_BLOCK_BITS = 6, BLOCKS_EACH = 16 };

int32_t strew_owners_block_bits(const strew_walk *walk, size_t count)
{
    const uint64_t reach = strew_walk_reach(walk);
    int32_t bits = LEAST_BLOCK_BITS;
    while (bits < MOST_BLOCK_BITS && reach >> (bits + 1) >= BLOCKS_EACH * (uint64_t)count)
        bits++;
    return bits;
}

/* Those of a tile, between gaps. */
static void pick_owned(strew_picked *picked, const strew_tiles *tiles, const int64_t *offsets,
                       const int64_t *dense_offsets, strew_ownership ownership)
{
    const size_t count = (size_t)strew_tile_positions(tiles);
    picked->count = 0;
    for (strew_rows rows = strew_rows_first(offsets, count); rows.begin < count;
         rows = strew_rows_next(rows, offsets, count))
        picked->count += tiles->walk->kernels->pick(
            tiles->pointers.addressed, offsets + rows.begin, dense_offsets + rows.begin, rows.end - rows.begin,
            ownership, picked->offsets + picked->count, picked->dense_offsets + picked->count);
}

/* What is listed for one of a number of shares, after the numbers of a walk. */
typedef struct share_list {
    const char *numbers, *places;
    uint32_t count;
} share_list;

/* False if the list has been overwritten and leads outside. */
static bool find_list(share_list *list, const strew_walk *walk, const strew_pointers *pointers, uint32_t index)
{
    uint32_t bounds[2];
    const int64_t positions = strew_walk_positions(walk), size = (int64_t)sizeof *bounds;
    const char *const ends = pointers->indices + positions * size, *const lists = ends + (walk->shares + 1) * size;
    memcpy(bounds, ends + index * size, sizeof bounds);
    list->numbers = lists + bounds[0] * size;
    list->places = list->numbers + positions * size;
    list->count = bounds[1] - bounds[0];
    return bounds[0] <= bounds[1] && bounds[1] <= positions;
}

/* Both sides are resolved from what is listed, and so checked. */
static bool run_list(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                     const share_list *list)
{
    const int64_t size = (int64_t)sizeof(uint32_t);
    strew_resolve_kernel *const resolve = strew_walk_resolve_kernel(walk);
    strew_coordinates places = {.count = 0};
    strew_picked picked;
    strew_coordinates_add(&places, (strew_coordinate){walk->dim[0].size, walk->dim[0].dense_step});
    for (uint32_t i = 0; i < list->count; i += STREW_TILE_POSITIONS) {
        picked.count = list->count - i < STREW_TILE_POSITIONS ? list->count - i : STREW_TILE_POSITIONS;
        if (!resolve(list->numbers + i * size, size, picked.count, &walk->coordinates, strew_no_offsets,
                     picked.offsets) ||
            !resolve(list->places + i * size, size, picked.count, &places, strew_no_offsets, picked.dense_offsets))
            return false;
        strew_picked_move(&picked, walk, pointers, mover);
    }
    strew_mover_end(mover);
    return true;
}

static bool run_share(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      uint32_t index)
{
    share_list list;
    return find_list(&list, walk, pointers, index) && run_list(walk, mover, pointers, &list);
}

bool strew_owners_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      strew_ownership ownership)
{
    strew_tiles tiles;
    strew_tile_offsets offsets, dense_offsets;
    strew_picked picked;
    if (walk->shares == ownership.count)
        return run_share(walk, mover, pointers, ownership.index);
    strew_tiles_make(&tiles, walk, STREW_TILE_POSITIONS);
    strew_tiles_begin(&tiles, pointers);
    for (strew_tile_dense_offsets(&tiles, dense_offsets); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, offsets))
            return false;
        pick_owned(&picked, &tiles, offsets, dense_offsets, ownership);
        strew_picked_move(&picked, walk, &tiles.pointers, mover);
    }
    strew_mover_end(mover);
    return true;
}
