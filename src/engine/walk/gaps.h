/* Gaps: positions that are skipped because their index is bad. Their offset is STREW_NO_ROW. */
#ifndef STREW_ENGINE_WALK_GAPS_H
#define STREW_ENGINE_WALK_GAPS_H

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

/* A range of positions of which none is a gap. */
typedef struct strew_rows {
    size_t begin, end;
} strew_rows;

/*
 * Finds the first range at or after `begin`. Without one, the range is empty and begins at `count`.
 *
 *   for (rows = strew_rows_from(0, offsets, count); rows.begin < count; rows = strew_rows_from(rows.end, ...))
 */
strew_rows strew_rows_from(size_t begin, const int64_t *offsets, size_t count);

/* Moves the first `count` positions of a tile, which has no gap among them. */
void strew_tile_move_first(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets,
                           int64_t count);

/* Moves the rows of a tile that has gaps. A gather fills the dense rows of the gaps. */
void strew_tile_move_between_gaps(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets);

/* Moves the rows before the first gap. */
void strew_tile_move_to_gap(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets);

#endif
