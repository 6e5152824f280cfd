/*
 * A mean adds up rows, counts the updates of each, and divides.
 *
 * A lane is all rows that share every coordinate but the one on the axis, so an update stays within its lane. Lanes
 * are processed in groups whose counters fit into the second-level cache. Groups are independent of each other, and
 * each thread needs counters for one group only. Within a group, updates are counted and added in the order of
 * indices. Each row has a counter. Only rows that indices name are cleared and divided, unless there are at most as
 * many rows as indices; then all rows are.
 *
 * A bucket of a partition is small enough to be a group, and is processed in the same passes.
 */
#ifndef STREW_ENGINE_MEAN_H
#define STREW_ENGINE_MEAN_H

#include "engine/partition/partition.h"
#include "engine/work.h"

typedef uint64_t strew_counter;

/* Returns the bytes of the counters that a thread needs, or SIZE_MAX if they overflow. */
size_t strew_mean_counters_bytes(const strew_work *work);

/*
 * Runs a mean on up to `threads` threads. The scratch must have counters for each of them, and the work positions.
 * Returns false if it refuses an index.
 */
bool strew_mean_run(const strew_work *work, const strew_pointers *pointers, char *scratch, size_t threads,
                    const strew_parallel *parallel);

/* Applies a bucket whose rows have their start values. The bucket's scratch must have a counter for each row. */
void strew_mean_apply_bucket(const strew_work *work, const strew_bucket *bucket);

#endif
