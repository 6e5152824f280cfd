/*
 * Rows that follow each other in the addressed tensor as they do in the dense one are moved as one long row:
 * indices that count upward, or that repeat along an inner dimension of elements.
 */
#ifndef STREW_ENGINE_WALK_JOIN_H
#define STREW_ENGINE_WALK_JOIN_H

#include "base/thresholds.h"
#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

/* So many of the first rows of a tile tell. */
enum { STREW_EVEN_ROWS = 4 };

/* Whether the first rows of a tile can be joined. It stands for all rows of the tile. */
static inline bool strew_tile_begins_joined(const strew_tiles *tiles, const strew_mover *mover,
                                            const int64_t offsets[STREW_EVEN_ROWS])
{
    const int64_t row_bytes = tiles->walk->row_bytes;
    if (strew_tile_dense_spans(tiles).positions < STREW_LEAST_JOINED || tiles->dense_step != row_bytes)
        return false;
    return mover->join && offsets[1] - offsets[0] == row_bytes && offsets[2] - offsets[1] == row_bytes &&
           offsets[3] - offsets[2] == row_bytes;
}

/* Joins the rows of such a tile and moves them. Returns false, and moves nothing, if too few can be joined. */
bool strew_tile_join(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets);

#endif
