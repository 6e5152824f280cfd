/*
 * Mean: add up, count, divide.
 *
 * A lane is all that shares every coordinate but the one on the axis; no update leaves its lane. Lanes are worked
 * on in groups small enough that their counters stay in the second-level cache, so the counters take room for one
 * group per thread, not for the whole tensor, and groups are independent of each other. All work is in proportion
 * to the number of indices: counters are cleared where they will be counted, and elements divided where they were.
 */
#ifndef STREW_ENGINE_MEAN_H
#define STREW_ENGINE_MEAN_H

#include "engine/plan.h"

size_t strew_mean_scratch_size(const strew_plan_body *plan, size_t threads);

/* False if an index is out of bounds. scratch has strew_mean_scratch_size bytes. */
bool strew_mean_run(const strew_plan_body *plan, const strew_places *at, char *scratch,
                    const strew_parallel *parallel);

#endif
