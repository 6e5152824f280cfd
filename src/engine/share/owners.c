#include "engine/share/owners.h"

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

/* Short rows are collected, so many bytes at a time, and moved by one call; longer ones are worth their own. */
enum { LONGEST_COLLECTED_ROW = 64, COLLECTED_BYTES = 4096 };

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

typedef struct owner_pass {
    const strew_walk *walk;
    const strew_mover *mover;
    strew_move_kernel *collect; /* gathers short rows */
    strew_ownership ownership;
    const int64_t *dense_offsets; /* of each position of a tile, from where it begins */
} owner_pass;

/* The rows of a tile that are owned: where they are in both tensors. */
typedef struct picked_rows {
    size_t count;
    int64_t offsets[STREW_TILE_ENTRIES + STREW_PICK_ROOM];
    int64_t dense_offsets[STREW_TILE_ENTRIES + STREW_PICK_ROOM];
} picked_rows;

static void move_collected(const owner_pass *owner, const strew_pointers *pointers, const picked_rows *picked)
{
    char rows[COLLECTED_BYTES];
    const int64_t row_bytes = owner->walk->row_bytes;
    const size_t most = COLLECTED_BYTES / (size_t)row_bytes;
    if (owner->mover->group_near > 0)
        strew_prefetch_group(pointers->addressed, picked->offsets, picked->count, row_bytes,
                             owner->mover->group_near);
    for (size_t i = 0; i < picked->count; i += most) {
        const size_t count = picked->count - i < most ? picked->count - i : most;
        const strew_dense collected = {.rows = rows, .step = row_bytes, .row_bytes = (size_t)row_bytes};
        owner->collect(pointers->dense, picked->dense_offsets + i, count, &collected);
        strew_mover_move(owner->mover, pointers->addressed, picked->offsets + i, count, rows, row_bytes, row_bytes);
    }
}

/* The CPU cannot foresee which rows are picked. What is written past the caches by whole lines is not prefetched.
 */
static void move_each(const owner_pass *owner, const strew_pointers *pointers, const picked_rows *picked)
{
    const strew_prefetch_distance *distance = &strew_tuning_active()->prefetch.read;
    const size_t bytes = (size_t)owner->walk->row_bytes, count = picked->count;
    const size_t ahead = bytes <= distance->longest ? distance->rows_ahead : 0;
    const bool streams = strew_mover_streams_lines(owner->mover, pointers->addressed, owner->walk->row_bytes);
    for (size_t i = 0; i < count; i++) {
        strew_prefetch_row_ahead(pointers->dense, picked->dense_offsets, i, count, bytes, ahead);
        strew_prefetch_row_ahead(pointers->addressed, picked->offsets, i, count, bytes, streams ? 0 : ahead);
        strew_mover_move(owner->mover, pointers->addressed, picked->offsets + i, 1,
                         pointers->dense + picked->dense_offsets[i], 0, owner->walk->row_bytes);
    }
}

static void move_owned(const owner_pass *owner, const strew_pointers *pointers, const int64_t *offsets,
                       size_t count)
{
    picked_rows picked;
    picked.count = owner->walk->kernels->pick(pointers->addressed, offsets, owner->dense_offsets, count,
                                              owner->ownership, picked.offsets, picked.dense_offsets);
    if (owner->walk->row_bytes <= LONGEST_COLLECTED_ROW)
        move_collected(owner, pointers, &picked);
    else
        move_each(owner, pointers, &picked);
}

bool strew_owners_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      strew_ownership ownership)
{
    owner_pass owner = {.walk = walk, .mover = mover, .ownership = ownership};
    strew_tiles tiles;
    strew_tile_offsets offsets, dense_offsets;
    owner.collect = walk->kernels->gather[strew_move_size_of(walk->row_bytes)];
    owner.dense_offsets = dense_offsets;
    strew_tiles_make(&tiles, walk, STREW_TILE_ENTRIES);
    strew_tiles_begin(&tiles, pointers);
    for (strew_tile_dense_offsets(&tiles, dense_offsets); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, offsets))
            return false;
        move_owned(&owner, &tiles.pointers, offsets, (size_t)strew_tile_positions(&tiles));
    }
    strew_mover_end(mover);
    return true;
}
