#include "engine/share/shard.h"

#include <stdatomic.h>

#include "base/float_state.h"
#include "engine/share/owners.h"
#include "engine/walk/run.h"

/* A task that runs on a thread whose floating-point mode is unknown. */
typedef struct foreign_task {
    strew_shared_task *task;
    void *context;
    atomic_bool failed;
} foreign_task;

static void run_foreign(void *context, size_t index)
{
    foreign_task *foreign = context;
    const strew_float_state state = strew_floats_enter();
    if (!foreign->task(foreign->context, index))
        atomic_store_explicit(&foreign->failed, true, memory_order_relaxed);
    strew_floats_leave(state);
}

bool strew_parallel_run(const strew_parallel *parallel, strew_shared_task *task, void *context, size_t count)
{
    foreign_task foreign = {task, context, false};
    if (count > 1)
        parallel->run(parallel->pool, run_foreign, &foreign, count);
    else
        run_foreign(&foreign, 0);
    return !atomic_load_explicit(&foreign.failed, memory_order_relaxed);
}

strew_range strew_range_of(int64_t total, size_t index, size_t count)
{
    const int64_t each = total / (int64_t)count, rest = total % (int64_t)count, i = (int64_t)index;
    const int64_t begin = i * each + (i < rest ? i : rest);
    return (strew_range){begin, begin + each + (i < rest)};
}

typedef struct shard_run {
    const strew_walk *walk;
    const strew_mover *mover; /* NULL: only checks indices */
    const strew_pointers *pointers;
    const strew_cut *cut;
} shard_run;

static bool run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers)
{
    return mover ? strew_walk_run(walk, mover, pointers) : strew_walk_check(walk, pointers->indices);
}

static bool run_dimension(const shard_run *shards, strew_range range)
{
    strew_walk walk = *shards->walk;
    strew_dim *dim = &walk.dim[shards->cut->dimension];
    dim->size = range.end - range.begin;
    const strew_pointers pointers = strew_pointers_along(shards->pointers, dim, range.begin);
    return run(&walk, shards->mover, &pointers);
}

static bool run_rows(const shard_run *shards, strew_range range)
{
    strew_walk walk = *shards->walk;
    strew_pointers pointers = *shards->pointers;
    const int64_t begin = range.begin * STREW_ROW_GRAIN;
    const bool last = range.end == shards->cut->pieces;
    const int64_t bytes = (last ? walk.row_bytes.dense : range.end * STREW_ROW_GRAIN) - begin;
    walk.row_bytes = (strew_row_bytes){bytes, bytes};
    pointers.addressed += begin;
    pointers.dense += begin;
    return run(&walk, shards->mover, &pointers);
}

static bool run_shard(void *context, size_t index)
{
    const shard_run *shards = context;
    const strew_cut *cut = shards->cut;
    const strew_range even = strew_range_of(cut->pieces, index, cut->shards);
    switch (cut->kind) {
    case STREW_CUT_DIMENSION: return run_dimension(shards, even);
    case STREW_CUT_ROWS: return run_rows(shards, even);
    case STREW_CUT_PARTS:
        return run_dimension(shards, (strew_range){cut->parts->begin[index], cut->parts->begin[index + 1]});
    default:
        return strew_owners_run(shards->walk, shards->mover, shards->pointers,
                                (strew_ownership){(uint32_t)index, (uint32_t)cut->shards, cut->block_bits});
    }
}

bool strew_shards_run(const strew_walk *walk, const strew_mover *mover, const strew_pointers *pointers,
                      const strew_cut *cut, const strew_parallel *parallel)
{
    if (cut->kind == STREW_CUT_NOTHING)
        return run(walk, mover, pointers);
    shard_run shards = {walk, mover, pointers, cut};
    return strew_parallel_run(parallel, run_shard, &shards, cut->shards);
}
