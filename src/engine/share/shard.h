/* Running a walk on the caller's threads, cut into shards that leave the same bits as the whole. */
#ifndef STREW_ENGINE_SHARE_SHARD_H
#define STREW_ENGINE_SHARE_SHARD_H

#include "engine/share/cut.h"
#include "engine/walk/mover.h"

/* strew_walk_run, cut so; without a mover strew_walk_check. `parallel` may be NULL if there is one shard. */
bool strew_shards_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      const strew_cut *cut, const strew_parallel *parallel);

/* Calls the task for each index below count, which is at least 1, and 1 if there are no threads. */
void strew_parallel_run(const strew_parallel *parallel, strew_task task, void *context, size_t count);

/* The part of 0..total that the one numbered `index` of `count` does. */
typedef struct strew_range {
    int64_t begin, end;
} strew_range;
strew_range strew_range_of(int64_t total, size_t index, size_t count);

#endif
