/* Bags that are only sums or means of rows: kernels go over their indices themselves (kernels.h, "Pools"). */
#ifndef STREW_ENGINE_BAGS_POOLED_H
#define STREW_ENGINE_BAGS_POOLED_H

#include "engine/bags/part.h"

bool strew_bags_are_pooled(const strew_bags_run_state *run);

/* Some bytes of the rows of a lane. False if an index is out of bounds. */
bool strew_bags_pool(const strew_bags_run_state *run, strew_part part, const strew_pointers *lane,
                     strew_range bytes);

/* Whether rows are sums that start from zero, also those that nothing goes into. */
bool strew_bags_start_from_zero(const strew_bags *bags);

#endif
