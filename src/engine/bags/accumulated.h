/* Entries in any order whose rows are added as they are named. */
#ifndef STREW_ENGINE_BAGS_ACCUMULATED_H
#define STREW_ENGINE_BAGS_ACCUMULATED_H

#include "engine/bags/part.h"

/* Whether these entries, so many bytes of whose rows are added, are faster so than folded (part.c). */
bool strew_bags_are_accumulated(const strew_bags_run_state *run, strew_range entries, strew_range bytes);

/* Adds these bytes of their rows. False if an item of a list is wrong. */
bool strew_bags_accumulate(const strew_bags_run_state *run, strew_range entries, const strew_pointers *lane,
                           strew_range bytes);

/* Whether sums that start from zero are faster so than sorted (group.h), and the scratch that they take then. */
bool strew_bags_are_summed(const strew_bags *bags, const strew_walk *walk, size_t threads);
size_t strew_bags_sums_bytes(const strew_bags *bags, const strew_walk *walk);

/* Sums them. False if an item of a list is wrong. */
bool strew_bags_sum(const strew_bags_run_state *run, char *scratch);

#endif
