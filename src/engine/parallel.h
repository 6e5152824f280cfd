/* Running a walk on the caller's threads, cut into shards that leave the same bits as the whole. */
#ifndef STREW_ENGINE_PARALLEL_H
#define STREW_ENGINE_PARALLEL_H

#include "engine/cut.h"

/* strew_walk_check or strew_walk_run. `parallel` may be NULL. */
bool strew_walk_run_parallel(const strew_walk *walk, const strew_places *at, strew_use use,
                             const strew_parallel *parallel);

/* The same for STREW_WRITES, but nothing is written before every index is known to be good. */
bool strew_walk_update(const strew_walk *walk, const strew_places *at, const strew_parallel *parallel);

/* Threads to count on: 1 if there are none to share with. */
size_t strew_threads(const strew_parallel *parallel);

/* Calls the task for each index below count, which is at least 1, and not more if there are no threads. */
void strew_run_tasks(const strew_parallel *parallel, strew_task task, void *context, size_t count);

/* The part of 0..total that shard `index` of `count` does. */
typedef struct strew_range {
    int64_t begin, end;
} strew_range;
strew_range strew_share(int64_t total, size_t index, size_t count);

#endif
