/*
 * Entries in any order, made bags in the caller's scratch (counting sort, which leaves the entries of a row in
 * their order): each thread counts how many of a part of the entries go into each row, and then puts them in their
 * places.
 */
#ifndef STREW_ENGINE_BAGS_GROUP_H
#define STREW_ENGINE_BAGS_GROUP_H

#include "engine/bags/window.h"

/* The same bags, as offsets, with lists of their own in scratch. False if an item of a list is wrong. */
bool strew_group(const strew_bags_run_state *run, const strew_bags_resources *resources, strew_bags *grouped,
                 strew_bags_pointers *pointers);

#endif
