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
    move_tile(&run->pass, pointers, segments, run->offsets);
    return true;
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

static void make_tiling(walk_pass *pass, const char *indices)
{
    strew_tiling_make(&pass->tiling, pass->walk, pass->mover->tile_entries);
    if (pass->mover->tile_entries < STREW_TILE_ENTRIES && first_rows_adjoin(pass, indices))
        strew_tiling_make(&pass->tiling, pass->walk, STREW_TILE_ENTRIES);
}

/* ---- A tile is prefetched while the one before is moved (software pipelining) --------------------- */

typedef struct pipeline {
    walk_pass pass;
    int64_t segments; /* of the tile that was prefetched and has not been moved; 0: there is none */
    strew_pointers pointers;
    const int64_t *offsets;
    int next; /* of the buffers: the one that is free */
    strew_tile_offsets buffers[2];
} pipeline;

static void move_prefetched(const pipeline *run)
{
    if (run->segments > 0)
        move_tile(&run->pass, &run->pointers, run->segments, run->offsets);
}

static bool resolve_and_prefetch(void *context, const strew_pointers *pointers, int64_t segments)
{
    pipeline *run = context;
    const walk_pass *pass = &run->pass;
    int64_t *const offsets = run->buffers[run->next];
    if (!resolve_tile(pass, pointers, segments, offsets))
        return false;
    if (!begins_adjoining(pass, offsets, strew_tile_dense_spans(&pass->tiling, segments).positions))
        strew_prefetch_group(pointers->addressed, offsets, (size_t)(segments * pass->tiling.entries),
                             pass->walk->row_bytes, pass->mover->group_near);
    move_prefetched(run);
    run->segments = segments;
    run->pointers = *pointers;
    run->offsets = offsets;
    run->next ^= 1;
    return true;
}

__attribute__((noinline)) static bool run_pipelined(const strew_walk *walk, const strew_mover *mover,
                                                    const strew_pointers *pointers)
{
    pipeline run;
    run.pass.walk = walk;
    run.pass.mover = mover;
    run.segments = 0;
    run.next = 0;
    make_tiling(&run.pass, pointers->indices);
    if (!strew_walk_tiles(walk, &run.pass.tiling, pointers, resolve_and_prefetch, &run))
        return false;
    move_prefetched(&run);
    return true;
}

bool strew_walk_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    if (mover->group_near > 0)
        return run_pipelined(walk, mover, pointers);
    tile_by_tile run;
    run.pass.walk = walk;
    run.pass.mover = mover;
    make_tiling(&run.pass, pointers->indices);
    const bool done = strew_walk_tiles(walk, &run.pass.tiling, pointers, resolve_and_move, &run);
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
    move_tile(&run->pass, pointers, segments, take_next(run, segments));
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
