/*
 * Rows that adjoin in the addressed tensor as they do in the dense one, moved at once: indices that repeat along an
 * inner dimension of elements, or that count upward.
 */
#ifndef STREW_ENGINE_WALK_JOIN_H
#define STREW_ENGINE_WALK_JOIN_H

#include "engine/walk/tiling.h"

/* Of fewer rows than this at once, on average, finding them costs more than is saved. */
enum { STREW_LEAST_JOINED = 8 };

/* Whether these rows adjoin in the addressed tensor. */
enum { STREW_ADJOINING_ROWS = 4 };
static inline bool strew_rows_adjoin(const int64_t offsets[STREW_ADJOINING_ROWS], int64_t row_bytes)
{
    return offsets[1] - offsets[0] == row_bytes && offsets[2] - offsets[1] == row_bytes &&
           offsets[3] - offsets[2] == row_bytes;
}

/* Moves rows at once, if enough of those that adjoin in the dense tensor, which are spans, adjoin in the addressed
 * tensor. Otherwise returns false. */
bool strew_join_rows(strew_move_kernel *join, int64_t row_bytes, const strew_pointers *pointers,
                     const int64_t *offsets, strew_spans spans);

#endif
