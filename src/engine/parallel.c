#include "engine/parallel.h"

#include <stdatomic.h>

#include "engine/locality.h"
#include "engine/owned.h"
#include "engine/threshold.h"
#include "engine/walk_run.h"

/* Less than this, a row counting as some bytes more than it has, is done before another thread has begun. */
enum { LEAST_PARALLEL_BYTES = STREW_THRESHOLD(131072, 0), ROW_COUNTS_AS = 16 };

/* Checking indices takes an eighth of the time that moving as many bytes does. */
enum { CHECKS_FASTER = 8 };

size_t strew_threads(const strew_parallel *parallel)
{
    return parallel ? parallel->threads : 1;
}

void strew_run_tasks(const strew_parallel *parallel, strew_task task, void *context, size_t count)
{
    if (count > 1)
        parallel->run(parallel->pool, task, context, count);
    else
        task(context, 0);
}

strew_range strew_share(int64_t total, size_t index, size_t count)
{
    const int64_t share = total / (int64_t)count, rest = total % (int64_t)count, i = (int64_t)index;
    const int64_t begin = i * share + (i < rest ? i : rest);
    return (strew_range){begin, begin + share + (i < rest)};
}

/*
 * Of short rows that lie in order moving takes no longer than resolving and picking, which every owner does with
 * all of them. Measured in nanoseconds an element of 4 bytes, alone and with two owners: 2.4 and 3.9.
 */
enum { LONGEST_EASY_ROW = STREW_THRESHOLD(16, 0) };

static bool is_easy(const strew_walk *walk, const strew_places *at)
{
    return walk->row_bytes <= LONGEST_EASY_ROW && strew_walk_is_local(walk, at);
}

typedef struct shards {
    const strew_walk *walk;
    const strew_places *at;
    strew_use use;
    strew_cut cut;
    size_t count;
    atomic_bool failed;
} shards;

static bool run(const strew_walk *walk, const strew_places *at, strew_use use)
{
    return use == STREW_CHECKS ? strew_walk_check(walk, at->indices) : strew_walk_run(walk, at);
}

static bool run_dimension(const shards *all, strew_range range)
{
    strew_walk walk = *all->walk;
    strew_dim *dim = &walk.dim[all->cut.dimension];
    dim->size = range.end - range.begin;
    const strew_places at = strew_places_along(all->at, dim, range.begin);
    return run(&walk, &at, all->use);
}

static bool run_rows(const shards *all, strew_range range)
{
    strew_walk walk = *all->walk;
    strew_places at = *all->at;
    const int64_t begin = range.begin * STREW_ROW_GRAIN;
    const bool last = range.end == all->cut.pieces;
    walk.row_bytes = (last ? walk.row_bytes : range.end * STREW_ROW_GRAIN) - begin;
    at.addressed += begin;
    at.dense += begin;
    return run(&walk, &at, all->use);
}

static bool run_owned(const shards *all, size_t index)
{
    const strew_ownership ownership = {(uint32_t)index, (uint32_t)all->count,
                                       strew_ownership_block_bits(all->walk, all->count)};
    return strew_walk_run_owned(all->walk, all->at, ownership);
}

static void run_shard(void *context, size_t index)
{
    shards *all = context;
    const strew_range range = strew_share(all->cut.pieces, index, all->count);
    const bool done = all->cut.kind == STREW_CUT_OWNERS ? run_owned(all, index)
                      : all->cut.kind == STREW_CUT_ROWS ? run_rows(all, range)
                                                        : run_dimension(all, range);
    if (!done)
        atomic_store_explicit(&all->failed, true, memory_order_relaxed);
}

/* What is read or written of rows and indices, at least. */
static bool is_worth_sharing(const strew_walk *walk, strew_use use)
{
    const double least = use == STREW_CHECKS ? LEAST_PARALLEL_BYTES * CHECKS_FASTER : LEAST_PARALLEL_BYTES;
    return (double)strew_walk_positions(walk) * ((double)walk->row_bytes + ROW_COUNTS_AS) >= least;
}

/* How the threads share a walk; nothing is cut if one of them is to do it alone. */
static strew_cut choose_sharing(const strew_walk *walk, const strew_places *at, strew_use use, size_t threads)
{
    const strew_cut nothing = {STREW_CUT_NOTHING, 0, 1};
    if (threads == 1 || !is_worth_sharing(walk, use))
        return nothing;
    const strew_cut chosen = strew_walk_choose_cut(walk, use, threads);
    return chosen.kind == STREW_CUT_OWNERS && is_easy(walk, at) ? nothing : chosen;
}

static bool run_cut(const strew_walk *walk, const strew_places *at, strew_use use, strew_cut chosen,
                    const strew_parallel *parallel)
{
    const size_t threads = strew_threads(parallel);
    shards all = {walk, at, use, chosen, (uint64_t)chosen.pieces < threads ? (size_t)chosen.pieces : threads,
                  false};
    strew_run_tasks(parallel, run_shard, &all, all.count);
    return !atomic_load_explicit(&all.failed, memory_order_relaxed);
}

bool strew_walk_run_parallel(const strew_walk *walk, const strew_places *at, strew_use use,
                             const strew_parallel *parallel)
{
    const strew_cut chosen = choose_sharing(walk, at, use, strew_threads(parallel));
    return chosen.kind == STREW_CUT_NOTHING ? run(walk, at, use) : run_cut(walk, at, use, chosen, parallel);
}

bool strew_walk_update(const strew_walk *walk, const strew_places *at, const strew_parallel *parallel)
{
    const strew_cut chosen = choose_sharing(walk, at, STREW_WRITES, strew_threads(parallel));
    const bool whole = chosen.kind == STREW_CUT_NOTHING;
    if (whole && strew_walk_is_one_tile(walk))
        return strew_walk_run(walk, at);
    if (whole && strew_walk_can_be_held(walk))
        return strew_walk_run_held(walk, at);
    if (!strew_walk_run_parallel(walk, at, STREW_CHECKS, parallel))
        return false;
    return whole ? strew_walk_run(walk, at) : run_cut(walk, at, STREW_WRITES, chosen, parallel);
}
