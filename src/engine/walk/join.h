/*
 * Joins rows that are consecutive in both tensors into one long row. Indices that count upward name such rows, and
 * so do indices that are the same along an inner dimension of elements.
 */
#ifndef STREW_ENGINE_WALK_JOIN_H
#define STREW_ENGINE_WALK_JOIN_H

#include "base/thresholds.h"
#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

/* The number of first rows that are looked at. */
enum { STREW_JOIN_PROBES = 4 };

/* Whether the first rows of a tile can be joined: a guess for all of its rows. */
static inline bool strew_tile_begins_joined(const strew_tiles *tiles, const strew_mover *mover,
                                            const int64_t offsets[STREW_JOIN_PROBES])
{
    const int64_t row_bytes = tiles->walk->row_bytes.addressed;
    if (strew_tile_dense_spans(tiles).positions < STREW_LEAST_JOINED ||
        tiles->dense_step != tiles->walk->row_bytes.dense)
        return false;
    return mover->join && offsets[1] - offsets[0] == row_bytes && offsets[2] - offsets[1] == row_bytes &&
           offsets[3] - offsets[2] == row_bytes;
}

/* Joins the rows of a tile and moves them. If too few can be joined, moves nothing and returns false. */
bool strew_tile_join(const strew_tiles *tiles, const strew_mover *mover, const int64_t *offsets);

#endif
