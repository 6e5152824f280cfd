/* Runs a walk on one thread: resolves its tiles and moves their rows. */
#ifndef STREW_ENGINE_WALK_RUN_H
#define STREW_ENGINE_WALK_RUN_H

#include "engine/walk/mover.h"

/*
 * Resolves and moves tile by tile. Returns false if an index is bad and the policy neither skips nor amends it.
 * Earlier tiles have then moved. If the policy is STOP, so have the rows before the bad index in its tile.
 */
bool strew_walk_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers);

/* Resolves all positions, then moves all rows. `offsets` must have room for every position. */
bool strew_walk_resolve_then_move(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                                  int64_t *offsets);

#endif
