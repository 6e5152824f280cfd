/*
 * Rows that adjoin in the addressed tensor as they do in the dense one, moved at once: indices that repeat along an
 * inner dimension of elements, or that count upward.
 */
#ifndef STREW_ENGINE_WALK_JOIN_H
#define STREW_ENGINE_WALK_JOIN_H

#include "engine/walk/tiles.h"

/* Of fewer rows than this at once, on average, finding them costs more than is saved. */
enum { STREW_LEAST_JOINED = 32, STREW_ADJOINING_ROWS = 4 };

/* Whether the first few rows of a tile adjoin. If none of many do, that mostly tells. `join` is NULL if no use. */
static inline bool strew_tile_begins_adjoining(const strew_tiles *tiles, strew_move_kernel *join,
                                               const int64_t offsets[STREW_ADJOINING_ROWS])
{
    const int64_t row_bytes = tiles->walk->row_bytes;
    return strew_tile_dense_spans(tiles).positions >= STREW_LEAST_JOINED && offsets[1] - offsets[0] == row_bytes &&
           offsets[2] - offsets[1] == row_bytes && offsets[3] - offsets[2] == row_bytes && join &&
           tiles->dense_step == row_bytes;
}

/* Moves the rows of a tile by a kernel for rows of any length, if enough adjoin. Otherwise returns false. */
bool strew_tile_join(const strew_tiles *tiles, strew_move_kernel *join, const int64_t *offsets);

#endif
