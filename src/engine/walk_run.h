/* Going over a walk: checking its indices, or moving its rows. */
#ifndef STREW_ENGINE_WALK_RUN_H
#define STREW_ENGINE_WALK_RUN_H

#include "engine/walk.h"

/* Whether all indices are within their sizes. */
bool strew_walk_check(const strew_walk *walk, const char *indices);

/* Resolves and moves everything. False if an index is wrong; what was to move before its tile has moved. */
bool strew_walk_run(const strew_walk *walk, strew_places at);

#endif
