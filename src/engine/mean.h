/*
 * Mean: add up, count, divide.
 *
 * A lane is all rows that share every coordinate but the one on the axis; no update leaves its lane. Lanes are
 * worked on in groups small enough that their counters stay in the second-level cache, so the counters take room
 * for one group per thread, not for the whole tensor, and groups are independent of each other. Each group is gone
 * over in the order of its indices, whose walk counts and adds as that of any sum. Counters, one for each row, are
 * cleared and rows divided where indices name them or, if there are no more rows than indices, all of them.
 *
 * A bucket of a partition is small enough by itself, and is worked on in the same passes.
 */
#ifndef STREW_ENGINE_MEAN_H
#define STREW_ENGINE_MEAN_H

#include "engine/partition/partition.h"
#include "engine/work.h"

typedef uint64_t strew_counter;

/* The counters that a thread needs. SIZE_MAX, which nobody can have, if they are more than can be counted. */
size_t strew_mean_counters_bytes(const strew_work *work);

/*
 * By so many threads at most, each with the counters that it needs in scratch. The work has positions. False if an
 * index is out of bounds.
 */
bool strew_mean_run(const strew_work *work, const strew_pointers *pointers, char *scratch, size_t threads,
                    const strew_parallel *parallel);

/* To rows that have started from the identity, or as they were. The bucket's scratch has a counter for each. */
void strew_mean_apply_bucket(const strew_work *work, const strew_bucket *bucket);

#endif
