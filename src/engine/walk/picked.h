/* Rows of a tile that have been picked out, and are moved without those between them. */
#ifndef STREW_ENGINE_WALK_PICKED_H
#define STREW_ENGINE_WALK_PICKED_H

#include "base/thresholds.h"
#include "engine/walk/mover.h"

/* Where they are in both tensors. */
typedef struct strew_picked {
    size_t count;
    int64_t offsets[STREW_TILE_POSITIONS + STREW_PICK_ROOM];
    int64_t dense_offsets[STREW_TILE_POSITIONS + STREW_PICK_ROOM];
} strew_picked;

/* Scatters them. */
void strew_picked_move(const strew_picked *picked, const strew_walk *walk, const strew_pointers *pointers,
                       const strew_mover *mover);

#endif
