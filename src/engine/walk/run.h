/* Going over a walk: its rows are resolved, a tile at a time, and moved. */
#ifndef STREW_ENGINE_WALK_RUN_H
#define STREW_ENGINE_WALK_RUN_H

#include "engine/walk/mover.h"

/*
 * Resolves and moves everything. False if an index is wrong and not skipped or amended: then the rows of tiles
 * before its own have moved, and of its own, if the walk stops there, those before it.
 */
bool strew_walk_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers);

/* The same, but all are resolved before anything moves: there is room for the offsets of all positions. */
bool strew_walk_run_held(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                         int64_t *offsets);

#endif
