/* A list of the rows of a tile that an owner picks. */
#ifndef STREW_ENGINE_WALK_ROW_LIST_H
#define STREW_ENGINE_WALK_ROW_LIST_H

#include "base/thresholds.h"
#include "engine/walk/mover.h"

typedef struct strew_row_list {
    size_t count;
    int64_t offsets[STREW_TILE_POSITIONS + STREW_PICK_ROOM];
    int64_t dense_offsets[STREW_TILE_POSITIONS + STREW_PICK_ROOM];
} strew_row_list;

/* Scatters the rows of a list. */
void strew_row_list_move(const strew_row_list *list, const strew_walk *walk, const strew_pointers *pointers,
                         const strew_mover *mover);

#endif
