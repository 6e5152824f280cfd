/*
 * Rows that follow each other evenly in the addressed tensor, moved at once: those that adjoin as they do in the
 * dense one (indices that repeat along an inner dimension of elements, or that count upward), and those that are
 * one and the same, with which updates can be combined in any order.
 */
#ifndef STREW_ENGINE_WALK_JOIN_H
#define STREW_ENGINE_WALK_JOIN_H

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

/* Of fewer rows than this at once, on average, finding them costs more than is saved. */
enum { STREW_LEAST_JOINED = 32, STREW_EVEN_ROWS = 4 };

/* Whether the first few rows of a tile can be joined. If none of many can, that mostly tells. */
static inline bool strew_tile_begins_joined(const strew_tiles *tiles, const strew_mover *mover,
                                            const int64_t offsets[STREW_EVEN_ROWS])
{
    const int64_t row_bytes = tiles->walk->row_bytes;
    if (strew_tile_dense_spans(tiles).positions < STREW_LEAST_JOINED || tiles->dense_step != row_bytes)
        return false;
    const int64_t distance = offsets[1] - offsets[0];
    strew_move_kernel *const kernel = distance == row_bytes ? mover->join : distance == 0 ? mover->merge : NULL;
    return kernel && offsets[2] - offsets[1] == distance && offsets[3] - offsets[2] == distance;
}

/* Moves the rows of a tile that begins so as few as they are, if enough are joined. Otherwise returns false. */
bool strew_tile_join(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets);

#endif
