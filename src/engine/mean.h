/*
 * Mean: add up, count, divide.
 *
 * A lane is all that shares every coordinate but the one on the axis; no update leaves its lane. Lanes are worked
 * on in groups small enough that their counters stay in the second-level cache, so the counters take room for one
 * group per thread, not for the whole tensor, and groups are independent of each other. All work is in proportion
 * to the number of indices: counters are cleared where they will be counted, and elements divided where they were.
 *
 * A bucket of a partition is small enough by itself, and is worked on in the same passes.
 */
#ifndef STREW_ENGINE_MEAN_H
#define STREW_ENGINE_MEAN_H

#include "engine/plan.h"

typedef uint64_t strew_counter;

/* The counters that a thread needs. SIZE_MAX, which nobody can have, if they are more than can be counted. */
size_t strew_mean_counters_bytes(const strew_plan_body *plan);

/* False if an index is out of bounds. The plan has positions; scratch has the counters of each thread. */
bool strew_mean_run(const strew_run *run);

/* To elements that have started from the identity, or as they were. The bucket's scratch has a counter for each. */
void strew_mean_apply_bucket(const strew_plan_body *plan, const strew_bucket *bucket);

#endif
