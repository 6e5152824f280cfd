#include "engine/share/owners.h"

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

/* The CPU cannot foresee which rows are picked. What passes the caches by whole lines is not prefetched. */
static void move_each(const strew_mover *mover, const strew_tiles *tiles, const strew_picked *picked)
{
    const strew_prefetch_distance *distance = &strew_tuning_active()->prefetch.read;
    const strew_pointers *pointers = &tiles->pointers;
    const int64_t row_bytes = tiles->walk->row_bytes;
    const size_t bytes = (size_t)row_bytes, ahead = bytes <= distance->longest ? distance->rows_ahead : 0;
    const size_t addressed_ahead = strew_mover_streams_lines(mover, pointers->addressed, row_bytes) ? 0 : ahead;
    for (size_t i = 0; i < picked->count; i++) {
        strew_prefetch_row_ahead(pointers->dense, picked->dense_offsets, i, picked->count, bytes, ahead);
        strew_prefetch_row_ahead(pointers->addressed, picked->offsets, i, picked->count, bytes, addressed_ahead);
        strew_mover_move(mover, pointers->addressed, picked->offsets + i, 1,
                         pointers->dense + picked->dense_offsets[i], 0, row_bytes);
    }
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

bool strew_owners_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      strew_ownership ownership)
{
    strew_tiles tiles;
    strew_tile_offsets offsets, dense_offsets;
    strew_picked picked;
    strew_tiles_make(&tiles, walk, STREW_TILE_POSITIONS);
    strew_tiles_begin(&tiles, pointers);
    for (strew_tile_dense_offsets(&tiles, dense_offsets); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, offsets))
            return false;
        pick_owned(&picked, &tiles, offsets, dense_offsets, ownership);
        if (walk->row_bytes <= STREW_LONGEST_COLLECTED_ROW)
            strew_picked_move_collected(&picked, &tiles, mover);
        else
            move_each(mover, &tiles, &picked);
    }
    strew_mover_end(mover);
    return true;
}
