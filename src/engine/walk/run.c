#include "engine/walk/run.h"

#include "engine/walk/join.h"
#include "engine/walk/tiling.h"

/* ---- A tile -------------------------------------------------------------------------------------- */

/* What all tiles of a walk share. */
typedef struct walk_pass {
    const strew_walk *walk;
    const strew_mover *mover;
    strew_tiling tiling;
} walk_pass;

/* Whether it is worth looking for rows to join: if the first do not adjoin, few of many do. */
static bool begins_adjoining(const walk_pass *pass, const int64_t *offsets, int64_t positions)
{
    const int64_t row_bytes = pass->walk->row_bytes;
    return positions >= STREW_LEAST_JOINED && strew_rows_adjoin(offsets, row_bytes) && pass->mover->join &&
           pass->tiling.dense_step == row_bytes;
}

static void move_spans(const walk_pass *pass, const strew_pointers *pointers, strew_spans spans,
                       const int64_t *offsets)
{
    for (int64_t s = 0; s < spans.count; s++)
        strew_mover_move(pass->mover, pointers->addressed, offsets + s * spans.positions, (size_t)spans.positions,
                         pointers->dense + s * spans.step, pass->tiling.dense_step, pass->walk->row_bytes);
}

static void move_tile(const walk_pass *pass, const strew_pointers *pointers, int64_t segments,
                      const int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(&pass->tiling, segments);
    if (begins_adjoining(pass, offsets, spans.positions) &&
        strew_join_rows(pass->mover->join, pass->walk->row_bytes, pointers, offsets, spans))
        return;
    if (spans.count > 1)
        move_spans(pass, pointers, spans, offsets);
    else
        strew_mover_move(pass->mover, pointers->addressed, offsets, (size_t)spans.positions, pointers->dense,
                         pass->tiling.dense_step, pass->walk->row_bytes);
}

static bool resolve_tile(const walk_pass *pass, const strew_tiles *tiles, int64_t *offsets)
{
    return strew_tile_resolve(&pass->tiling, pass->walk, tiles->pointers.indices, tiles->segments, offsets);
}

/* Longer tiles join more rows at once. So short ones are left where the first rows adjoin, which a few tell. */
static bool first_rows_adjoin(const walk_pass *pass, const char *indices)
{
    const strew_tiling *tiling = &pass->tiling;
    int64_t offsets[STREW_ADJOINING_ROWS];
    return (tiling->even_indices || tiling->entries >= STREW_ADJOINING_ROWS) &&
           tiling->segments * tiling->entries >= STREW_LEAST_JOINED &&
           strew_tile_resolve_first(tiling, pass->walk, indices, STREW_ADJOINING_ROWS, offsets) &&
           begins_adjoining(pass, offsets, strew_tile_dense_spans(tiling, tiling->segments).positions);
}

static void begin(walk_pass *pass, strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                  const strew_pointers *pointers)
{
    pass->walk = walk;
    pass->mover = mover;
    strew_tiling_make(&pass->tiling, walk, mover->tile_entries);
    if (mover->tile_entries < STREW_TILE_ENTRIES && first_rows_adjoin(pass, pointers->indices))
        strew_tiling_make(&pass->tiling, walk, STREW_TILE_ENTRIES);
    strew_tiles_begin(tiles, walk, &pass->tiling, pointers);
}

/* ---- Ways ---------------------------------------------------------------------------------------- */

/* The rows of a tile are prefetched, as a group, while those of the one before are moved (software pipelining). */
__attribute__((noinline)) static bool run_pipelined(const strew_walk *walk, const strew_mover *mover,
                                                    const strew_pointers *pointers)
{
    walk_pass pass;
    strew_tiles tiles;
    strew_pointers prefetched = *pointers;
    int64_t segments = 0; /* of the tile that was prefetched; 0: there is none yet */
    strew_tile_offsets buffers[2];
    int64_t *offsets = buffers[0], *prefetched_offsets = buffers[1];
    for (begin(&pass, &tiles, walk, mover, pointers); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!resolve_tile(&pass, &tiles, offsets))
            return false;
        if (!begins_adjoining(&pass, offsets, strew_tile_dense_spans(&pass.tiling, tiles.segments).positions))
            strew_prefetch_group(tiles.pointers.addressed, offsets, (size_t)(tiles.segments * pass.tiling.entries),
                                 walk->row_bytes, mover->group_near);
        if (segments > 0)
            move_tile(&pass, &prefetched, segments, prefetched_offsets);
        int64_t *const moved = prefetched_offsets;
        prefetched = tiles.pointers;
        segments = tiles.segments;
        prefetched_offsets = offsets;
        offsets = moved;
    }
    move_tile(&pass, &prefetched, segments, prefetched_offsets);
    strew_mover_end(mover);
    return true;
}

bool strew_walk_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    walk_pass pass;
    strew_tiles tiles;
    strew_tile_offsets offsets;
    if (mover->group_near > 0)
        return run_pipelined(walk, mover, pointers);
    for (begin(&pass, &tiles, walk, mover, pointers); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!resolve_tile(&pass, &tiles, offsets))
            return false;
        move_tile(&pass, &tiles.pointers, tiles.segments, offsets);
    }
    strew_mover_end(mover);
    return true;
}

bool strew_walk_run_held(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    walk_pass pass;
    strew_tiles tiles;
    int64_t offsets[STREW_MOST_HELD], *next = offsets;
    for (begin(&pass, &tiles, walk, mover, pointers); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!resolve_tile(&pass, &tiles, next))
            return false;
        next += tiles.segments * pass.tiling.entries;
    }
    next = offsets;
    for (strew_tiles_begin(&tiles, walk, &pass.tiling, pointers); tiles.segments > 0; strew_tiles_next(&tiles)) {
        move_tile(&pass, &tiles.pointers, tiles.segments, next);
        next += tiles.segments * pass.tiling.entries;
    }
    strew_mover_end(mover);
    return true;
}
