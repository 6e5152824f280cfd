/*
 * Scattering elements at random over more memory than the caches hold, with scratch of the caller's: updates are
 * first dealt into buckets by where they go, in order (engine/buckets.h), and then applied bucket by bucket, each
 * while the memory it goes to is in the second-level cache.
 *
 * So a cache line is fetched once, not for each of its elements; every index is resolved before anything is
 * written, so that none needs to be checked first; and both dealing and applying are shared between threads.
 */
#ifndef STREW_ENGINE_PARTITION_H
#define STREW_ENGINE_PARTITION_H

#include "engine/plan.h"

/* The scratch that it takes; 0 for a plan that would not be faster so. */
size_t strew_partition_scratch_size(const strew_plan_body *plan, size_t threads);

/* Of a plan that would be: whether it still would with these indices, at some of which it looks. */
bool strew_partition_suits(const strew_plan_body *plan, size_t threads, const strew_places *at);

/* Does all that an update does. If an index is out of bounds returns false, and has written nothing. */
bool strew_partition_run(const strew_plan_body *plan, const strew_places *at, char *scratch,
                         const strew_parallel *parallel);

#endif
