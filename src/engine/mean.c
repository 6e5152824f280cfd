#include "engine/mean.h"

#include <stdatomic.h>

#include "engine/identity.h"
#include "engine/parallel.h"
#include "engine/tiling.h"
#include "engine/walk_run.h"

/* A quarter of a megabyte: within the second-level cache of all but the smallest CPUs. */
enum { GROUP_COUNTERS = 32768 };

typedef uint64_t counter;

/* The lanes of a plan: those of the innermost lane dimension are adjacent, and grouped. */
typedef struct lanes {
    strew_walk walk; /* over lanes, and over the axis within each */
    int32_t outer_dims;
    strew_dim inner;
    strew_dim axis;
    int64_t axis_size;        /* of the tensor, not of the indices */
    int64_t in_group;         /* lanes of `inner` that are worked on together */
    int64_t groups_per_inner; /* the last of them may be smaller */
    int64_t groups;
} lanes;

static void find_lanes(lanes *of, const strew_plan_body *plan)
{
    strew_walk *walk = &of->walk;
    strew_walk_begin(walk, plan->kernels, plan->form.indices.dtype, plan->walk.row_bytes);
    strew_lanes_walk(walk, &plan->form.output, &plan->form);
    const bool any = walk->dims > 1;
    of->outer_dims = any ? walk->dims - 2 : 0;
    of->inner = any ? walk->dim[walk->dims - 2] : (strew_dim){1, 0, 0, 0};
    of->axis = walk->dim[walk->dims - 1];
    of->axis_size = walk->coordinates.each[0].size;
    const int64_t fitting = of->axis_size > 0 ? GROUP_COUNTERS / of->axis_size : of->inner.size;
    of->in_group = fitting < 1 ? 1 : fitting < of->inner.size ? fitting : of->inner.size;
    of->groups_per_inner = 0;
    of->groups = 0;
    if (strew_walk_is_empty(walk))
        return;
    of->groups_per_inner = (of->inner.size - 1) / of->in_group + 1;
    of->groups = of->groups_per_inner;
    for (int32_t d = 0; d < of->outer_dims; d++)
        of->groups *= walk->dim[d].size;
}

/* SIZE_MAX, which nobody can have, if it is more than can be counted. */
static size_t scratch_bytes(const lanes *of, size_t threads)
{
    size_t bytes;
    if (__builtin_mul_overflow((uint64_t)of->axis_size, (uint64_t)of->in_group, &bytes) ||
        __builtin_mul_overflow(bytes, sizeof(counter), &bytes) || __builtin_mul_overflow(bytes, threads, &bytes))
        return SIZE_MAX;
    return bytes;
}

size_t strew_mean_scratch_size(const strew_plan_body *plan, size_t threads)
{
    lanes of;
    find_lanes(&of, plan);
    return of.groups > 0 ? scratch_bytes(&of, threads) : 0;
}

/* One group: its axis and its lanes, over places that begin with it. */
typedef struct group {
    const strew_plan_body *plan;
    strew_walk walk;     /* dimensions: the axis, the lanes of the group */
    strew_walk counting; /* the same positions, addressing counters[axis_size][lanes] */
    strew_places at;
    char *counters;
} group;

/* The places of group number `index`, and how many lanes it has. */
static strew_places find_group(const lanes *of, const strew_places *at, int64_t index, int64_t *lane_count)
{
    const int64_t first = index % of->groups_per_inner * of->in_group;
    index /= of->groups_per_inner;
    const int64_t left = of->inner.size - first;
    *lane_count = left < of->in_group ? left : of->in_group;
    strew_places found = strew_places_along(at, &of->inner, first);
    for (int32_t d = of->outer_dims; d-- > 0;) {
        const strew_dim *outer = &of->walk.dim[d];
        found = strew_places_along(&found, outer, index % outer->size);
        index /= outer->size;
    }
    return found;
}

static void begin_walk(strew_walk *walk, const strew_plan_body *plan, int64_t row_bytes)
{
    strew_walk_begin(walk, plan->kernels, plan->form.indices.dtype, row_bytes);
    walk->coordinates.wrap = plan->walk.coordinates.wrap;
}

static void begin_group(group *it, const strew_plan_body *plan, const lanes *of, const strew_places *at,
                        int64_t index, char *counters)
{
    int64_t lane_count;
    it->plan = plan;
    it->at = find_group(of, at, index, &lane_count);
    it->counters = counters;
    const strew_dim axis = of->axis, inner = of->inner;
    begin_walk(&it->walk, plan, plan->walk.row_bytes);
    it->walk.move = plan->walk.move;
    strew_walk_add_dim(&it->walk, axis);
    strew_walk_add_dim(&it->walk, (strew_dim){lane_count, inner.index_step, inner.dense_step, inner.base_step});
    strew_walk_add_coordinate(&it->walk, of->axis_size, plan->walk.coordinates.each[0].stride);
    begin_walk(&it->counting, plan, sizeof(counter));
    strew_walk_add_dim(&it->counting, (strew_dim){axis.size, axis.index_step, 0, 0});
    strew_walk_add_dim(&it->counting, (strew_dim){lane_count, inner.index_step, 0, sizeof(counter)});
    strew_walk_add_coordinate(&it->counting, of->axis_size, lane_count * (int64_t)sizeof(counter));
}

/* Walks the group's counters, with one value for every position. False if an index is out of bounds. */
static bool over_counters(group *it, counter value, strew_move_kernel *move)
{
    const strew_places at = {it->at.indices, it->counters, (char *)&value};
    it->counting.move = move;
    return strew_walk_run(&it->counting, &at);
}

/* A group's tiling, and where its positions' counters are: the dense side of the walk is the counters. */
typedef struct divider {
    const group *of;
    strew_tiling tiling;
    strew_tile_offsets counter_bases;
} divider;

static bool divide_tile(void *context, const strew_places *at, int64_t runs)
{
    const divider *with = context;
    const group *it = with->of;
    const strew_tiling *tiling = &with->tiling;
    strew_tile_offsets offsets, counter_offsets;
    if (!strew_tile_resolve(tiling, &it->walk, &it->walk.coordinates, at->indices, runs, tiling->bases, offsets) ||
        !strew_tile_resolve(tiling, &it->walk, &it->counting.coordinates, at->indices, runs, with->counter_bases,
                            counter_offsets))
        return false;
    it->plan->kernels->divide[STREW_ELEMENT_SLOT(it->plan->form.data.dtype)](
        at->addressed, offsets, (size_t)(runs * tiling->entries), at->dense, counter_offsets,
        it->plan->form.use_init_val ? 1 : 0);
    return true;
}

static bool divide(group *it)
{
    for (int32_t d = 0; d < it->walk.dims; d++)
        it->walk.dim[d].dense_step = it->counting.dim[d].base_step;
    if (strew_walk_is_empty(&it->walk))
        return true;
    divider with;
    with.of = it;
    strew_walk_tile(&it->walk, STREW_TILE_ENTRIES, &with.tiling);
    strew_tile_dense_offsets(&with.tiling, with.counter_bases);
    const strew_places at = {it->at.indices, it->at.addressed, it->counters};
    return strew_walk_tiles(&it->walk, &with.tiling, &at, divide_tile, &with);
}

static bool run_group(group *it)
{
    const strew_kernels *kernels = it->plan->kernels;
    return over_counters(it, 0, kernels->scatter[STREW_MOVE_x64]) &&
           over_counters(it, 1, kernels->reduce_elements[0][STREW_ELEMENT_SLOT(STREW_DTYPE_UINT64)]) &&
           (it->plan->form.use_init_val || strew_start_from_identity(it->plan, &it->walk, &it->at, NULL)) &&
           strew_walk_run(&it->walk, &it->at) && divide(it);
}

typedef struct shards {
    const strew_plan_body *plan;
    const lanes *of;
    const strew_places *at;
    char *scratch;
    size_t count;
    atomic_bool failed;
} shards;

static void run_shard(void *context, size_t index)
{
    shards *all = context;
    const strew_range share = strew_share(all->of->groups, index, all->count);
    for (int64_t g = share.begin; g < share.end; g++) {
        group it;
        begin_group(&it, all->plan, all->of, all->at, g, all->scratch + scratch_bytes(all->of, index));
        if (!run_group(&it)) {
            atomic_store_explicit(&all->failed, true, memory_order_relaxed);
            return;
        }
    }
}

bool strew_mean_run(const strew_plan_body *plan, const strew_places *at, char *scratch,
                    const strew_parallel *parallel)
{
    lanes of;
    find_lanes(&of, plan);
    shards all = {plan, &of, at, scratch, strew_threads(parallel), false};
    strew_run_tasks(parallel, run_shard, &all, all.count);
    return !atomic_load_explicit(&all.failed, memory_order_relaxed);
}
