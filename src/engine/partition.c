#include "engine/partition.h"

#include <stdatomic.h>

#include "dispatch/tuning.h"
#include "engine/buckets.h"
#include "engine/identity.h"
#include "engine/locality.h"
#include "engine/near.h"
#include "engine/parallel.h"
#include "engine/threshold.h"
#include "engine/tiling.h"

/* More could not be counted in pages, nor their entries' bytes in a size_t. */
#define MOST_POSITIONS (INT64_C(1) << (sizeof(size_t) > 4 ? 38 : 24))

enum { MOST_TASKS = 64 };

typedef uint64_t counter;

/* How a plan is partitioned. */
typedef struct partition {
    const strew_plan_body *plan;
    const strew_places *at;
    size_t tasks; /* that run at once */
    strew_buckets buckets;
    size_t counters_bytes; /* of each task: a mean's, for one bucket */
    char *counters;
    atomic_size_t next_bucket;
    atomic_bool failed;
} partition;

/* Alone, partitioning pays where elements come from beyond the caches, and cache lines have some each. */
enum { LONGEST_ELEMENT_ALONE = 8, LEAST_ELEMENTS_A_LINE = 2 };

static bool pays_alone(int64_t element, int64_t elements, int64_t reach)
{
    return element <= LONGEST_ELEMENT_ALONE && reach >= strew_tuning_active()->least_partitioned &&
           reach / STREW_CACHE_LINE <= elements / LEAST_ELEMENTS_A_LINE;
}

/*
 * Where threads cannot share the elements otherwise but by who owns them, it lets them share all work, and takes
 * 0.4 to 0.85 of the time from so many elements on, unless they are strewn so thin that buckets have few. But what
 * is moved easily, in little memory or near each other, two threads deal and apply no faster than one moves it.
 */
enum { LEAST_SHARED_ELEMENTS = 65536, MOST_LINES_AN_ELEMENT = 8 };

static bool pays_shared(int64_t elements, int64_t reach, size_t threads)
{
    return reach / STREW_CACHE_LINE / MOST_LINES_AN_ELEMENT <= elements &&
           (threads > 2 || reach >= strew_tuning_active()->least_partitioned_by_two);
}

/* So few elements as most calls have are told first: they are not to wait for the rest. */
static bool can_be_partitioned(const strew_plan_body *plan)
{
    const strew_walk *walk = &plan->walk;
    const strew_extent extent = plan->form.output.extent;
    const int64_t positions = strew_walk_positions(walk);
    return plan->form.direction == STREW_SCATTERS && positions >= STREW_THRESHOLD(LEAST_SHARED_ELEMENTS, 1) &&
           positions <= MOST_POSITIONS && walk->coordinates.count > 0 && walk->dims > 0 &&
           strew_buckets_take(walk->row_bytes, extent.high - extent.low);
}

static bool pays(const strew_plan_body *plan, size_t threads)
{
    if (STREW_THRESHOLD(false, true))
        return true;
    const strew_walk *walk = &plan->walk;
    const strew_extent extent = plan->form.output.extent;
    const int64_t positions = strew_walk_positions(walk), reach = extent.high - extent.low;
    return strew_walk_can_be_shared(walk, threads) ? pays_alone(walk->row_bytes, positions, reach)
                                                   : pays_shared(positions, reach, threads);
}

/* Positions are cut along the outermost dimension: dealers deal parts that follow each other. */
static void make_partition(partition *of, const strew_plan_body *plan, size_t threads)
{
    const strew_walk *walk = &plan->walk;
    const strew_extent extent = plan->form.output.extent;
    const int64_t cut = walk->dim[0].size;
    of->plan = plan;
    of->tasks = threads < MOST_TASKS ? threads : MOST_TASKS;
    const size_t dealers = (uint64_t)cut < of->tasks ? (size_t)cut : of->tasks;
    const int64_t most_cut = strew_share(cut, 0, dealers).end, within = strew_walk_positions(walk) / cut;
    of->buckets = strew_buckets_of(extent.low, extent.high, walk->row_bytes, dealers, (size_t)(most_cut * within));
    of->counters_bytes = plan->form.reduction == STREW_REDUCTION_MEAN
                             ? ((size_t)1 << of->buckets.bits) / of->buckets.row_bytes * sizeof(counter)
                             : 0;
    atomic_init(&of->next_bucket, 0);
    atomic_init(&of->failed, false);
}

size_t strew_partition_scratch_size(const strew_plan_body *plan, size_t threads)
{
    if (!can_be_partitioned(plan) || !pays(plan, threads))
        return 0;
    partition of;
    make_partition(&of, plan, threads);
    return STREW_BUCKETS_ALIGNMENT - 1 + strew_buckets_bytes(&of.buckets) + of.tasks * of.counters_bytes;
}

bool strew_partition_suits(const strew_plan_body *plan, size_t threads, const strew_places *at)
{
    return (threads > 2 && !strew_walk_can_be_shared(&plan->walk, threads)) ||
           !strew_walk_is_local(&plan->walk, at);
}

/* ---- Dealing ---- */

/* One dealer's part of the positions. */
typedef struct share {
    const char *addressed; /* what offsets count from */
    strew_walk walk;
    strew_tiling tiling;
    strew_dealer dealer;
} share;

static bool deal_tile(void *context, const strew_places *at, int64_t runs)
{
    share *it = context;
    const strew_tiling *tiling = &it->tiling;
    const int64_t entries = tiling->entries, base = at->addressed - it->addressed;
    strew_tile_offsets offsets;
    if (!strew_tile_resolve(tiling, &it->walk, &it->walk.coordinates, at->indices, runs, tiling->bases, offsets))
        return false;
    if (tiling->even_dense)
        strew_dealer_deal(&it->dealer, base, offsets, (size_t)(runs * entries), at->dense, tiling->dense_step);
    else
        for (int64_t r = 0; r < runs; r++)
            strew_dealer_deal(&it->dealer, base, offsets + r * entries, (size_t)entries,
                              at->dense + r * tiling->run.dense_step, tiling->dense_step);
    return true;
}

static void deal_share(void *context, size_t index)
{
    partition *of = context;
    share it;
    it.addressed = of->at->addressed;
    it.walk = of->plan->walk;
    strew_dim *outer = &it.walk.dim[0];
    const strew_range range = strew_share(outer->size, index, of->buckets.dealers);
    outer->size = range.end - range.begin;
    strew_walk_tile(&it.walk, STREW_TILE_ENTRIES, &it.tiling);
    strew_dealer_begin(&it.dealer, &of->buckets, index, of->plan->kernels);
    const strew_places part = strew_places_along(of->at, outer, range.begin);
    if (!strew_walk_tiles(&it.walk, &it.tiling, &part, deal_tile, &it))
        atomic_store_explicit(&of->failed, true, memory_order_relaxed);
    strew_dealer_end(&it.dealer);
}

/* ---- Applying ---- */

/* A bucket, and what is written to where its entries say. */
typedef struct target {
    const strew_plan_body *plan;
    char *bucket;
    char *counters;
} target;

static void apply(void *context, const int64_t *offsets, size_t count, char *rows, int64_t row_step)
{
    const target *to = context;
    const strew_walk *walk = &to->plan->walk;
    strew_move(walk, to->bucket, offsets, count, rows, row_step);
}

static void start_from_identity(void *context, const int64_t *offsets, size_t count, char *rows, int64_t row_step)
{
    (void)rows, (void)row_step;
    const target *to = context;
    const strew_form *form = &to->plan->form;
    const int64_t row_bytes = to->plan->walk.row_bytes;
    char *const identity = (char *)(uintptr_t)strew_identity(form->data.dtype, form->reduction);
    const strew_dense dense = {identity, 0, (size_t)row_bytes, {0, 0, false}};
    to->plan->kernels->scatter[strew_move_size_of(row_bytes)](to->bucket, offsets, count, &dense);
}

/* The counter of each element, whose size is a power of 2. */
static void find_counters(const target *to, const int64_t *offsets, size_t count, int64_t *counter_offsets)
{
    const int row_bits = __builtin_ctzll((uint64_t)to->plan->walk.row_bytes);
    for (size_t i = 0; i < count; i++)
        counter_offsets[i] = (offsets[i] >> row_bits) * (int64_t)sizeof(counter);
}

static void clear_counters(void *context, const int64_t *offsets, size_t count, char *rows, int64_t row_step)
{
    (void)rows, (void)row_step;
    const target *to = context;
    strew_tile_offsets counter_offsets;
    counter zero = 0;
    find_counters(to, offsets, count, counter_offsets);
    const strew_dense dense = {(char *)&zero, 0, sizeof zero, {0, 0, false}};
    to->plan->kernels->scatter[STREW_MOVE_x64](to->counters, counter_offsets, count, &dense);
}

static void apply_and_count(void *context, const int64_t *offsets, size_t count, char *rows, int64_t row_step)
{
    const target *to = context;
    strew_tile_offsets counter_offsets;
    counter one = 1;
    apply(context, offsets, count, rows, row_step);
    find_counters(to, offsets, count, counter_offsets);
    const strew_dense dense = {(char *)&one, 0, sizeof one, {0, 0, false}};
    to->plan->kernels->reduce_elements[0][STREW_ELEMENT_SLOT(STREW_DTYPE_UINT64)](to->counters, counter_offsets,
                                                                                  count, &dense);
}

static void divide(void *context, const int64_t *offsets, size_t count, char *rows, int64_t row_step)
{
    (void)rows, (void)row_step;
    const target *to = context;
    const strew_form *form = &to->plan->form;
    strew_tile_offsets counter_offsets;
    find_counters(to, offsets, count, counter_offsets);
    to->plan->kernels->divide[STREW_ELEMENT_SLOT(form->data.dtype)](to->bucket, offsets, count, to->counters,
                                                                    counter_offsets, form->use_init_val ? 1 : 0);
}

static void apply_bucket(const partition *of, size_t bucket, char *counters)
{
    const strew_form *form = &of->plan->form;
    const strew_buckets *buckets = &of->buckets;
    target to = {of->plan, of->at->addressed + strew_bucket_begin(buckets, bucket), counters};
    if (form->reduction != STREW_REDUCTION_NONE && !form->use_init_val)
        strew_bucket_visit(buckets, bucket, start_from_identity, &to);
    if (form->reduction != STREW_REDUCTION_MEAN) {
        strew_bucket_visit(buckets, bucket, apply, &to);
        return;
    }
    strew_bucket_visit(buckets, bucket, clear_counters, &to);
    strew_bucket_visit(buckets, bucket, apply_and_count, &to);
    strew_bucket_visit(buckets, bucket, divide, &to);
}

/* Buckets may differ much in how many updates they have: each task takes the next one. */
static void apply_share(void *context, size_t index)
{
    partition *of = context;
    for (;;) {
        const size_t bucket = atomic_fetch_add_explicit(&of->next_bucket, 1, memory_order_relaxed);
        if (bucket >= of->buckets.count)
            return;
        apply_bucket(of, bucket, of->counters + index * of->counters_bytes);
    }
}

bool strew_partition_run(const strew_plan_body *plan, const strew_places *at, char *scratch,
                         const strew_parallel *parallel)
{
    partition of;
    make_partition(&of, plan, strew_threads(parallel));
    of.at = at;
    of.buckets.memory = scratch + (-(uintptr_t)scratch & (STREW_BUCKETS_ALIGNMENT - 1));
    of.counters = of.buckets.memory + strew_buckets_bytes(&of.buckets);
    strew_run_tasks(parallel, deal_share, &of, of.buckets.dealers);
    if (atomic_load_explicit(&of.failed, memory_order_relaxed))
        return false;
    strew_run_tasks(parallel, apply_share, &of, of.tasks);
    return true;
}
