/* Runs the shards of a walk on the caller's threads. The result is bit for bit that of one thread. */
#ifndef STREW_ENGINE_SHARE_SHARD_H
#define STREW_ENGINE_SHARE_SHARD_H

#include "engine/share/cut.h"
#include "engine/walk/mover.h"

/* Runs each shard. Without a mover it only checks indices. For one shard `parallel` may be NULL. */
bool strew_shards_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      const strew_cut *cut, const strew_parallel *parallel);

/*
 * Calls the task for each index below count, and returns whether every call returned true. count is at least 1, and
 * is 1 if `parallel` is NULL.
 */
typedef bool strew_shared_task(void *context, size_t index);
bool strew_parallel_run(const strew_parallel *parallel, strew_shared_task *task, void *context, size_t count);

/* Returns part number `index` of [0, total), divided as evenly as possible into `count` parts. */
typedef struct strew_range {
    int64_t begin, end;
} strew_range;
strew_range strew_range_of(int64_t total, size_t index, size_t count);

#endif
