/* Going over a walk: checking its indices, or moving its rows. */
#ifndef STREW_ENGINE_WALK_RUN_H
#define STREW_ENGINE_WALK_RUN_H

#include "engine/walk.h"

/* Whether all indices are within their sizes. */
bool strew_walk_check(const strew_walk *walk, const char *indices);

/* Resolves and moves everything. False if an index is wrong; what was to move before its tile has moved. */
bool strew_walk_run(const strew_walk *walk, const strew_places *at);

/*
 * strew_walk_run, for walks of so few rows that their offsets can all be held: everything is resolved before
 * anything moves.
 */
bool strew_walk_can_be_held(const strew_walk *walk);
bool strew_walk_run_held(const strew_walk *walk, const strew_places *at);

#endif
