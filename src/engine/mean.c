#include "engine/mean.h"

#include <stdatomic.h>

#include "engine/share/shard.h"
#include "engine/walk/run.h"
#include "engine/walk/tiles.h"

/* ---- Counters ------------------------------------------------------------------------------------ */

/* What is done to the counters of rows before these are added up, and while they are. */
typedef struct mean_counting {
    strew_mover clear, count;
} mean_counting;

/* Of a walk whose rows are counters. */
static void make_counting(mean_counting *counting, const strew_walk *walk)
{
    static const strew_counter zero = 0, one = 1;
    strew_mover_assign(&counting->clear, walk, STREW_SCATTERS, 0);
    strew_mover_repeat(&counting->clear, &zero);
    strew_mover_combine(&counting->count, walk, STREW_REDUCTION_SUM, STREW_DTYPE_UINT64);
    strew_mover_repeat(&counting->count, &one);
}

/* An element that has an initial value has been added to one thing more than its counter says. */
static void divide(const strew_plan_body *plan, char *addressed, const int64_t *offsets, size_t count,
                   char *counters, const int64_t *counter_offsets)
{
    plan->kernels->divide[STREW_ELEMENT_SLOT(plan->form.data.dtype)](
        addressed, offsets, count, counters, counter_offsets, plan->form.use_init_val ? 1 : 0);
}

/* ---- Lanes --------------------------------------------------------------------------------------- */

/* A quarter of a megabyte: within the second-level cache of all but the smallest CPUs. */
enum { GROUP_COUNTERS = 32768 };

/* The lanes of a plan: those of the innermost dimension across the axis are adjacent, and grouped. */
typedef struct lane_grid {
    strew_walk outer; /* over all dimensions but these two */
    strew_dim inner;
    strew_dim axis;
    int64_t axis_size;        /* of the tensor, not of the indices */
    int64_t in_group;         /* lanes of `inner` that are worked on together */
    int64_t groups_per_inner; /* the last of them may be smaller */
} lane_grid;

static strew_dim take_innermost(strew_walk *walk)
{
    return walk->dims > 0 ? walk->dim[--walk->dims] : (strew_dim){1, 0, 0, 0};
}

static void find_lanes(lane_grid *lanes, const strew_plan_body *plan)
{
    lanes->axis = strew_form_lanes_walk(&lanes->outer, &plan->form, plan->kernels);
    lanes->inner = take_innermost(&lanes->outer);
    lanes->axis_size = lanes->outer.coordinates.each[0].size;
    const int64_t fitting = lanes->axis_size > 0 ? GROUP_COUNTERS / lanes->axis_size : lanes->inner.size;
    lanes->in_group = fitting < 1 ? 1 : fitting < lanes->inner.size ? fitting : lanes->inner.size;
    lanes->groups_per_inner = (lanes->inner.size - 1) / lanes->in_group + 1;
}

size_t strew_mean_counters_bytes(const strew_plan_body *plan)
{
    lane_grid lanes;
    size_t bytes;
    if (plan->is_empty)
        return 0;
    find_lanes(&lanes, plan);
    if (__builtin_mul_overflow((uint64_t)lanes.axis_size, (uint64_t)lanes.in_group, &bytes) ||
        __builtin_mul_overflow(bytes, sizeof(strew_counter), &bytes))
        return SIZE_MAX;
    return bytes;
}

/* ---- A group of lanes ---------------------------------------------------------------------------- */

typedef struct lane_group {
    const strew_plan_body *plan;
    strew_pointers pointers;
    strew_walk walk;     /* dimensions: the axis, the lanes of the group */
    strew_walk counting; /* the same positions, addressing counters[axis_size][lanes]; dense is the output */
    char *counters;
} lane_group;

/* The pointers of group number `index`, and how many lanes it has. */
static strew_pointers find_group(const lane_grid *lanes, const strew_pointers *pointers, int64_t index,
                                 int64_t *lane_count)
{
    const int64_t first = index % lanes->groups_per_inner * lanes->in_group;
    index /= lanes->groups_per_inner;
    const int64_t left = lanes->inner.size - first;
    *lane_count = left < lanes->in_group ? left : lanes->in_group;
    strew_pointers found = strew_pointers_along(pointers, &lanes->inner, first);
    for (int32_t d = lanes->outer.dims; d-- > 0;) {
        const strew_dim *outer = &lanes->outer.dim[d];
        found = strew_pointers_along(&found, outer, index % outer->size);
        index /= outer->size;
    }
    return found;
}

static void begin_walk(strew_walk *walk, const strew_plan_body *plan, int64_t row_bytes)
{
    strew_walk_begin(walk, plan->kernels, plan->form.indices.dtype, row_bytes);
    walk->coordinates.wrap = plan->form.wrap;
}

static void begin_group(lane_group *group, const strew_plan_body *plan, const lane_grid *lanes,
                        const strew_pointers *pointers, int64_t index, char *counters)
{
    int64_t lane_count;
    group->plan = plan;
    group->pointers = find_group(lanes, pointers, index, &lane_count);
    group->counters = counters;
    const strew_dim axis = lanes->axis, inner = lanes->inner;
    const strew_coordinate coordinate = lanes->outer.coordinates.each[0];
    begin_walk(&group->walk, plan, plan->walk.row_bytes);
    strew_walk_add_dim(&group->walk, axis);
    strew_walk_add_dim(&group->walk, (strew_dim){lane_count, inner.index_step, inner.dense_step, inner.base_step});
    strew_walk_add_coordinate(&group->walk, coordinate.size, coordinate.stride);
    begin_walk(&group->counting, plan, sizeof(strew_counter));
    strew_walk_add_dim(&group->counting, (strew_dim){axis.size, axis.index_step, axis.base_step, 0});
    strew_walk_add_dim(&group->counting,
                       (strew_dim){lane_count, inner.index_step, inner.base_step, sizeof(strew_counter)});
    strew_walk_add_coordinate(&group->counting, coordinate.size, lane_count * (int64_t)sizeof(strew_counter));
}

/* Tiles are those of the counters, whose dense side is the output. */
static bool divide_group(const lane_group *group, const strew_pointers *counters)
{
    strew_tiles tiles;
    strew_tile_offsets output_bases, offsets, counter_offsets;
    strew_tiles_make(&tiles, &group->counting, STREW_TILE_ENTRIES);
    strew_tiles_begin(&tiles, counters);
    for (strew_tile_dense_offsets(&tiles, output_bases); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, counter_offsets) ||
            !strew_tile_resolve_other(&tiles, &group->walk.coordinates, output_bases, offsets))
            return false;
        divide(group->plan, tiles.pointers.dense, offsets, (size_t)strew_tile_positions(&tiles),
               tiles.pointers.addressed, counter_offsets);
    }
    return true;
}

static bool run_group(const lane_group *group)
{
    const strew_plan_body *plan = group->plan;
    const strew_pointers counters = {group->pointers.indices, group->counters, group->pointers.addressed};
    mean_counting counting;
    make_counting(&counting, &group->counting);
    return strew_walk_run(&group->counting, &counting.clear, &counters) &&
           strew_walk_run(&group->counting, &counting.count, &counters) &&
           (plan->form.use_init_val || strew_walk_run(&group->walk, &plan->fill, &group->pointers)) &&
           strew_walk_run(&group->walk, &plan->mover, &group->pointers) && divide_group(group, &counters);
}

/* ---- All groups ---------------------------------------------------------------------------------- */

typedef struct mean_run {
    const strew_plan_body *plan;
    const lane_grid *lanes;
    const strew_pointers *pointers;
    char *scratch;
    int64_t groups;
    size_t tasks;
    atomic_bool failed;
} mean_run;

static void run_groups(void *context, size_t index)
{
    mean_run *run = context;
    char *const counters = run->scratch + index * run->plan->counters_bytes;
    const strew_range range = strew_range_of(run->groups, index, run->tasks);
    for (int64_t g = range.begin; g < range.end; g++) {
        lane_group group;
        begin_group(&group, run->plan, run->lanes, run->pointers, g, counters);
        if (!run_group(&group)) {
            atomic_store_explicit(&run->failed, true, memory_order_relaxed);
            return;
        }
    }
}

bool strew_mean_run(const strew_run *run)
{
    lane_grid lanes;
    find_lanes(&lanes, run->plan);
    const size_t threads = run->division->threads;
    const int64_t groups = lanes.groups_per_inner * strew_walk_positions(&lanes.outer);
    const size_t tasks = (uint64_t)groups < threads ? (size_t)groups : threads;
    mean_run mean = {run->plan, &lanes, &run->pointers, run->options->scratch, groups, tasks, false};
    strew_run_tasks(run->options->parallel, run_groups, &mean, tasks);
    return !atomic_load_explicit(&mean.failed, memory_order_relaxed);
}

/* ---- A bucket ------------------------------------------------------------------------------------ */

/* The counter of each element, whose size is a power of 2. */
static void find_counters(const strew_plan_body *plan, const strew_entries *entries, int64_t *counter_offsets)
{
    const int row_bits = __builtin_ctzll((uint64_t)plan->walk.row_bytes);
    for (size_t i = 0; i < entries->count; i++)
        counter_offsets[i] = (entries->offsets[i] >> row_bits) * (int64_t)sizeof(strew_counter);
}

static void move_counters(const strew_plan_body *plan, const strew_bucket *bucket, const strew_mover *mover)
{
    strew_entries entries;
    strew_tile_offsets counter_offsets;
    for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries)) {
        find_counters(plan, &entries, counter_offsets);
        strew_mover_move(mover, bucket->scratch, counter_offsets, entries.count, NULL, 0, sizeof(strew_counter));
    }
}

void strew_mean_apply_bucket(const strew_plan_body *plan, const strew_bucket *bucket)
{
    mean_counting counting;
    strew_walk counters;
    strew_entries entries;
    strew_tile_offsets counter_offsets;
    strew_walk_begin(&counters, plan->kernels, plan->form.indices.dtype, sizeof(strew_counter));
    make_counting(&counting, &counters);
    move_counters(plan, bucket, &counting.clear);
    move_counters(plan, bucket, &counting.count);
    strew_bucket_move(bucket, &plan->mover);
    for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries)) {
        find_counters(plan, &entries, counter_offsets);
        divide(plan, bucket->addressed, entries.offsets, entries.count, bucket->scratch, counter_offsets);
    }
}
