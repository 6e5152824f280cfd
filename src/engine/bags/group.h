/*
 * Sorts entries in any order into bags, in the caller's scratch. It is a counting sort, which keeps the order of
 * the entries of a row. Each thread takes a part of the entries: it counts how many go into each row, then it puts
 * them into their places.
 */
#ifndef STREW_ENGINE_BAGS_GROUP_H
#define STREW_ENGINE_BAGS_GROUP_H

#include "engine/bags/window.h"

/* Makes bags with offsets and indices in scratch. Returns false if an item of a list is wrong. */
bool strew_group(const strew_bags_run_state *run, const strew_bags_resources *resources, strew_bags *grouped,
                 strew_bags_pointers *pointers);

#endif
