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

/* A tile that has been resolved. */
typedef struct resolved_tile {
    strew_pointers pointers;
    int64_t segments;
    const int64_t *offsets;
} resolved_tile;

static bool begins_adjoining(const walk_pass *pass, int64_t segments, const int64_t *offsets)
{
    const int64_t row_bytes = pass->walk->row_bytes;
    return pass->mover->join && pass->tiling.dense_step == row_bytes &&
           strew_rows_begin_adjoining(offsets, (size_t)strew_tile_dense_spans(&pass->tiling, segments).positions,
                                      row_bytes);
}

static void move_tile(const walk_pass *pass, const resolved_tile *tile)
{
    const int64_t row_bytes = pass->walk->row_bytes;
    const strew_spans spans = strew_tile_dense_spans(&pass->tiling, tile->segments);
    if (begins_adjoining(pass, tile->segments, tile->offsets) &&
        strew_join_rows(pass->mover->join, row_bytes, &tile->pointers, tile->offsets, spans))
        return;
    for (int64_t s = 0; s < spans.count; s++)
        strew_mover_move(pass->mover, tile->pointers.addressed, tile->offsets + s * spans.positions,
                         (size_t)spans.positions, tile->pointers.dense + s * spans.step, pass->tiling.dense_step,
                         row_bytes);
}

static bool resolve_tile(const walk_pass *pass, const strew_pointers *pointers, int64_t segments, int64_t *offsets)
{
    return strew_tile_resolve(&pass->tiling, pass->walk, pointers->indices, segments, offsets);
}

/* ---- Tile by tile -------------------------------------------------------------------------------- */

/* Offsets are kept here, for a frame that has to be aligned takes its time. */
typedef struct tile_by_tile {
    walk_pass pass;
    strew_tile_offsets offsets;
} tile_by_tile;

static bool resolve_and_move(void *context, const strew_pointers *pointers, int64_t segments)
{
    tile_by_tile *run = context;
    if (!resolve_tile(&run->pass, pointers, segments, run->offsets))
        return false;
    move_tile(&run->pass, &(resolved_tile){*pointers, segments, run->offsets});
    return true;
}

/* Longer tiles join more rows at once. So short ones are left where the first rows adjoin. */
static void make_tiling(walk_pass *pass, const char *indices)
{
    int64_t offsets[STREW_JOIN_PROBES];
    strew_tiling *tiling = &pass->tiling;
    strew_tiling_make(tiling, pass->walk, pass->mover->tile_entries);
    if (pass->mover->tile_entries < STREW_TILE_ENTRIES &&
        strew_tile_probe(tiling, pass->walk, indices, STREW_JOIN_PROBES, offsets) &&
        begins_adjoining(pass, tiling->segments, offsets))
        strew_tiling_make(tiling, pass->walk, STREW_TILE_ENTRIES);
}

static bool run_tile_by_tile(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    tile_by_tile run;
    run.pass.walk = walk;
    run.pass.mover = mover;
    make_tiling(&run.pass, pointers->indices);
    return strew_walk_tiles(walk, &run.pass.tiling, pointers, resolve_and_move, &run);
}

/* ---- A tile is prefetched while the one before is moved (software pipelining) --------------------- */

typedef struct pipeline {
    walk_pass pass;
    bool is_filled; /* `prefetched` is a tile that has not been moved yet */
    resolved_tile prefetched;
    int next; /* of the buffers: the one that is free */
    strew_tile_offsets buffers[2];
} pipeline;

static void move_prefetched(pipeline *run)
{
    if (run->is_filled)
        move_tile(&run->pass, &run->prefetched);
    run->is_filled = false;
}

static bool resolve_and_prefetch(void *context, const strew_pointers *pointers, int64_t segments)
{
    pipeline *run = context;
    const walk_pass *pass = &run->pass;
    int64_t *const offsets = run->buffers[run->next];
    if (!resolve_tile(pass, pointers, segments, offsets))
        return false;
    if (!begins_adjoining(pass, segments, offsets))
        strew_prefetch_group(pointers->addressed, offsets, (size_t)(segments * pass->tiling.entries),
                             pass->walk->row_bytes, pass->mover->group_near);
    move_prefetched(run);
    run->prefetched = (resolved_tile){*pointers, segments, offsets};
    run->is_filled = true;
    run->next ^= 1;
    return true;
}

static bool run_pipelined(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    pipeline run;
    run.pass.walk = walk;
    run.pass.mover = mover;
    run.is_filled = false;
    run.next = 0;
    make_tiling(&run.pass, pointers->indices);
    if (!strew_walk_tiles(walk, &run.pass.tiling, pointers, resolve_and_prefetch, &run))
        return false;
    move_prefetched(&run);
    return true;
}

bool strew_walk_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    const bool done =
        mover->group_near > 0 ? run_pipelined(walk, mover, pointers) : run_tile_by_tile(walk, mover, pointers);
    strew_mover_end(mover);
    return done;
}

/* ---- Everything is resolved before anything moves ------------------------------------------------ */

typedef struct held_tiles {
    walk_pass pass;
    int64_t *next; /* of the offsets: those of the tile that is next */
    int64_t offsets[STREW_MOST_HELD];
} held_tiles;

static int64_t *take_next(held_tiles *run, int64_t segments)
{
    int64_t *const offsets = run->next;
    run->next += segments * run->pass.tiling.entries;
    return offsets;
}

static bool hold(void *context, const strew_pointers *pointers, int64_t segments)
{
    held_tiles *run = context;
    return resolve_tile(&run->pass, pointers, segments, take_next(run, segments));
}

static bool move_held(void *context, const strew_pointers *pointers, int64_t segments)
{
    held_tiles *run = context;
    move_tile(&run->pass, &(resolved_tile){*pointers, segments, take_next(run, segments)});
    return true;
}

bool strew_walk_run_held(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    held_tiles run;
    run.pass.walk = walk;
    run.pass.mover = mover;
    strew_tiling_make(&run.pass.tiling, walk, mover->tile_entries);
    run.next = run.offsets;
    if (!strew_walk_tiles(walk, &run.pass.tiling, pointers, hold, &run))
        return false;
    run.next = run.offsets;
    strew_walk_tiles(walk, &run.pass.tiling, pointers, move_held, &run);
    strew_mover_end(mover);
    return true;
}
