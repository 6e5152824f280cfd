/* Going over a walk: its rows are resolved, a tile at a time, and moved. */
#ifndef STREW_ENGINE_WALK_RUN_H
#define STREW_ENGINE_WALK_RUN_H

#include "engine/walk/mover.h"

/*
 * Resolves and moves tile by tile. Returns false if an index is wrong and not skipped or amended. Earlier tiles
 * have moved then; of the wrong tile, a walk that stops has moved the rows before the index.
 */
bool strew_walk_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers);

/* Resolves all positions before anything moves. `offsets` has room for every position. */
bool strew_walk_resolve_then_move(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                                  int64_t *offsets);

#endif
