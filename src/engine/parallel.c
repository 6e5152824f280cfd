#include "engine/parallel.h"

#include <stdatomic.h>

/* Rows are cut at multiples of this: no element is split, and no two shards write one cache line. */
enum { ROW_GRAIN = 64 };

enum { CUT_NOTHING = -2, CUT_ROW = -1 }; /* otherwise: the dimension that is cut */

size_t strew_threads(const strew_parallel *parallel)
{
    return parallel ? parallel->threads : 1;
}

strew_range strew_share(int64_t total, size_t index, size_t count)
{
    const int64_t share = total / (int64_t)count, rest = total % (int64_t)count, i = (int64_t)index;
    const int64_t begin = i * share + (i < rest ? i : rest);
    return (strew_range){begin, begin + share + (i < rest)};
}

/* Where the most pieces can be had. */
static int32_t choose_cut(const strew_walk *walk, strew_conflicts conflicts, int64_t *pieces)
{
    int32_t cut = CUT_NOTHING;
    *pieces = 1;
    for (int32_t d = 0; d < walk->dims; d++) {
        const bool apart = conflicts == STREW_CONFLICTS_NONE || walk->dim[d].base_step != 0;
        if (apart && walk->dim[d].size > *pieces) {
            *pieces = walk->dim[d].size;
            cut = d;
        }
    }
    const int64_t grains = walk->row_bytes / ROW_GRAIN;
    if (grains > *pieces) {
        *pieces = grains;
        cut = CUT_ROW;
    }
    return cut;
}

typedef struct shards {
    const strew_walk *walk;
    strew_places at;
    strew_move_kernel *move;
    int32_t cut;
    int64_t pieces;
    size_t count;
    atomic_bool failed;
} shards;

static void run_shard(void *context, size_t index)
{
    shards *all = context;
    strew_walk walk = *all->walk;
    strew_places at = all->at;
    const strew_range range = strew_share(all->pieces, index, all->count);
    if (all->cut == CUT_ROW) {
        const int64_t begin = range.begin * ROW_GRAIN;
        const bool last = range.end == all->pieces;
        walk.row_bytes = (last ? walk.row_bytes : range.end * ROW_GRAIN) - begin;
        at.addressed += begin;
        at.dense += begin;
    } else {
        at = strew_places_along(at, &walk.dim[all->cut], range.begin);
        walk.dim[all->cut].size = range.end - range.begin;
    }
    if (!strew_walk_run(&walk, at, all->move))
        atomic_store_explicit(&all->failed, true, memory_order_relaxed);
}

bool strew_walk_run_parallel(const strew_walk *walk, strew_places at, strew_move_kernel *move,
                             strew_conflicts conflicts, const strew_parallel *parallel)
{
    const size_t threads = strew_threads(parallel);
    int64_t pieces = 1;
    const int32_t cut = threads > 1 ? choose_cut(walk, conflicts, &pieces) : CUT_NOTHING;
    if (cut == CUT_NOTHING)
        return strew_walk_run(walk, at, move);
    shards all = {walk, at, move, cut, pieces, (uint64_t)pieces < threads ? (size_t)pieces : threads, false};
    parallel->run(parallel->pool, run_shard, &all, all.count);
    return !atomic_load_explicit(&all.failed, memory_order_relaxed);
}
