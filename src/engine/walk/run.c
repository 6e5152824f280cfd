#include "engine/walk/run.h"

#include "base/float_state.h"
#include "base/thresholds.h"
#include "engine/walk/gaps.h"
#include "engine/walk/join.h"
#include "engine/walk/tables.h"

typedef struct resolved_tile {
    strew_tile_offsets offsets;
    strew_resolved resolved;
    const char *indices; /* that were resolved */
    int64_t positions;   /* 0: nothing has been resolved */
} resolved_tile;

/* Resolves a tile, or keeps the offsets of an earlier one that has the same indices. */
static inline void resolve_or_reuse(const strew_tiles *tiles, resolved_tile *tile)
{
    const int64_t positions = strew_tile_positions(tiles);
    if (positions <= tile->positions && tiles->pointers.indices == tile->indices)
        return;
    tile->resolved = strew_tile_resolve(tiles, tile->offsets);
    tile->indices = tiles->pointers.indices;
    tile->positions = positions;
}

static void move_tile(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets,
                      strew_resolved resolved)
{
    if (resolved == STREW_BAD_INDEX) {
        if (tiles->walk->bounds == STREW_BOUNDS_STOP)
            strew_tile_move_to_gap(tiles, mover, offsets);
        return;
    }
    if (resolved == STREW_SOME_ROWS) {
        strew_tile_move_between_gaps(tiles, mover, offsets);
        return;
    }
    if (strew_tile_begins_joined(tiles, mover, offsets) && strew_tile_join(tiles, mover, offsets))
        return;
    strew_tile_move_first(tiles, mover, offsets, strew_tile_positions(tiles));
}

/* Leaves out the first positions of a tile, which have been moved by table. No later tile may reuse its offsets. */
static void skip_moved(resolved_tile *tile, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        tile->offsets[i] = STREW_NO_ROW;
    if (tile->resolved == STREW_ALL_ROWS)
        tile->resolved = STREW_SOME_ROWS;
    tile->positions = 0;
}

static bool run_in_order(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    strew_tiles tiles;
    resolved_tile tile;
    tile.resolved = STREW_ALL_ROWS;
    tile.positions = 0;
    strew_tables tables = strew_tiles_begin_tables(&tiles, walk, mover, pointers);
    if (!tables.kernel)
        strew_tiles_begin(&tiles, walk, pointers);
    for (; tiles.strips > 0 && tile.resolved != STREW_BAD_INDEX; strew_tiles_next(&tiles)) {
        const int64_t moved = tables.kernel ? strew_tile_move_by_table(&tiles, &tables) : 0;
        if (moved == strew_tile_positions(&tiles))
            continue;
        resolve_or_reuse(&tiles, &tile);
        if (moved > 0)
            skip_moved(&tile, moved);
        move_tile(&tiles, mover, tile.offsets, tile.resolved);
    }
    return tile.resolved != STREW_BAD_INDEX;
}

/* Returns false on a bad index, before anything has moved. */
static bool run_resolved_first(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                               int64_t *offsets)
{
    strew_tiles tiles;
    int64_t *next = offsets;
    for (strew_tiles_begin(&tiles, walk, pointers); tiles.strips > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, next))
            return false;
        next += strew_tile_positions(&tiles);
    }
    next = offsets;
    for (strew_tiles_restart(&tiles, pointers); tiles.strips > 0; strew_tiles_next(&tiles)) {
        move_tile(&tiles, mover, next, STREW_ALL_ROWS);
        next += strew_tile_positions(&tiles);
    }
    return true;
}

/* Combining floats needs the default floating-point mode. */
static bool run_walk(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                     int64_t *offsets)
{
    const strew_float_state state = mover->computes_floats ? strew_floats_enter() : STREW_FLOAT_DEFAULTS;
    const bool is_good =
        offsets ? run_resolved_first(walk, mover, pointers, offsets) : run_in_order(walk, mover, pointers);
    strew_floats_leave(state);
    strew_mover_end(mover);
    return is_good;
}

bool strew_walk_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    return run_walk(walk, mover, pointers, NULL);
}

bool strew_walk_resolve_then_move(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                                  int64_t *offsets)
{
    return run_walk(walk, mover, pointers, offsets);
}
