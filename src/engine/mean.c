#include "engine/mean.h"

#include <stdatomic.h>

#include "engine/identity.h"
#include "engine/share/shard.h"
#include "engine/walk/gaps.h"
#include "engine/walk/run.h"

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

/* A row that has an initial value has been added to one thing more than its counter says. */
static void divide(const strew_work *work, int64_t row_bytes, char *addressed, const int64_t *offsets, size_t count,
                   char *counters, const int64_t *counter_offsets)
{
    work->kernels->divide[STREW_ELEMENT_SLOT(work->form.data.dtype)](
        addressed, offsets, count, (size_t)row_bytes, counters, counter_offsets, work->form.use_init_val ? 1 : 0);
}

/* ---- Lanes --------------------------------------------------------------------------------------- */

/* A quarter of a megabyte: within the second-level cache of all but the smallest CPUs. */
enum { GROUP_COUNTERS = 32768 };

/* The lanes of a mean: those of the innermost dimension across the axis are adjacent, and grouped. */
typedef struct lane_grid {
    strew_walk outer; /* over all dimensions but `inner` and those along the axis */
    strew_dim inner;
    strew_walk along;
    strew_mover fill, sum;    /* of the rows of `outer` */
    int64_t axis_size;        /* of the tensor, not of the indices */
    int64_t in_group;         /* lanes of `inner` that are worked on together */
    int64_t groups_per_inner; /* the last of them may be smaller */
} lane_grid;

static strew_dim take_innermost(strew_walk *walk)
{
    return walk->dims > 0 ? walk->dim[--walk->dims] : (strew_dim){1, 0, 0, 0};
}

static void find_lanes(lane_grid *lanes, const strew_work *work)
{
    strew_form_lanes_walks(&lanes->outer, &lanes->along, &work->form, work->kernels);
    lanes->inner = take_innermost(&lanes->outer);
    lanes->axis_size = lanes->outer.coordinates.each[0].size;
    const int64_t fitting = lanes->axis_size > 0 ? GROUP_COUNTERS / lanes->axis_size : lanes->inner.size;
    lanes->in_group = fitting < 1 ? 1 : fitting < lanes->inner.size ? fitting : lanes->inner.size;
    lanes->groups_per_inner = (lanes->inner.size - 1) / lanes->in_group + 1;
}

static void make_lane_movers(lane_grid *lanes, const strew_form *form)
{
    strew_mover_combine(&lanes->sum, &lanes->outer, STREW_REDUCTION_MEAN, form->data.dtype);
    strew_mover_fill(&lanes->fill, &lanes->outer, strew_identity(form->data.dtype, STREW_REDUCTION_MEAN), 0);
}

static size_t counters_bytes(const lane_grid *lanes)
{
    size_t bytes;
    return strew_multiply_sizes((size_t)lanes->axis_size, (size_t)lanes->in_group, &bytes) &&
                   strew_multiply_sizes(bytes, sizeof(strew_counter), &bytes)
               ? bytes
               : SIZE_MAX;
}

size_t strew_mean_counters_bytes(const strew_work *work)
{
    lane_grid lanes;
    find_lanes(&lanes, work);
    return counters_bytes(&lanes);
}

/* The pointers of group number `index`, and the dimension of its lanes. */
static strew_pointers find_group(const lane_grid *lanes, const strew_pointers *pointers, int64_t index,
                                 strew_dim *inner)
{
    const int64_t first = index % lanes->groups_per_inner * lanes->in_group, left = lanes->inner.size - first;
    strew_pointers found = strew_pointers_along(pointers, &lanes->inner, first);
    index /= lanes->groups_per_inner;
    for (int32_t d = lanes->outer.dims; d-- > 0;) {
        const strew_dim *outer = &lanes->outer.dim[d];
        found = strew_pointers_along(&found, outer, index % outer->size);
        index /= outer->size;
    }
    *inner = lanes->inner;
    inner->size = left < lanes->in_group ? left : lanes->in_group;
    return found;
}

/* Along the axis, and over the lanes of a group. Its rows, and what the lanes step by, are the caller's to say. */
static void make_group_walk(strew_walk *walk, const lane_grid *lanes, strew_dim inner, strew_coordinate coordinate)
{
    *walk = lanes->along;
    strew_walk_add_dim(walk, inner);
    strew_coordinates_add(&walk->coordinates, coordinate);
    walk->coordinates.wrap = lanes->outer.coordinates.wrap;
    walk->bounds = lanes->outer.bounds;
}

/* The same whose rows are counters, counters[axis_size][lanes], and whose dense side is the output. */
static void make_counting_walk(strew_walk *walk, const lane_grid *lanes, strew_dim inner, int64_t axis_size)
{
    make_group_walk(walk, lanes, (strew_dim){inner.size, inner.index_step, inner.base_step, sizeof(strew_counter)},
                    (strew_coordinate){axis_size, inner.size * (int64_t)sizeof(strew_counter)});
    walk->element_bytes = walk->row_bytes = sizeof(strew_counter);
    for (int32_t d = 0; d < lanes->along.dims; d++)
        walk->dim[d].dense_step = 0;
}

static void divide_tile(const strew_work *work, const lane_grid *lanes, const strew_tiles *tiles,
                        const int64_t *offsets, const int64_t *counter_offsets)
{
    const size_t count = (size_t)strew_tile_positions(tiles);
    for (strew_rows rows = strew_rows_first(offsets, count); rows.begin < count;
         rows = strew_rows_next(rows, offsets, count))
        divide(work, lanes->outer.row_bytes, tiles->pointers.dense, offsets + rows.begin, rows.end - rows.begin,
               tiles->pointers.addressed, counter_offsets + rows.begin);
}

/* Apart, for it takes stack that other passes do not need. */
STREW_NOINLINE static bool divide_group(const strew_work *work, const lane_grid *lanes, const strew_walk *counting,
                                        const strew_pointers *counters, const strew_coordinates *coordinates)
{
    strew_tiles tiles;
    strew_tile_offsets output_bases, offsets, counter_offsets;
    strew_tiles_make(&tiles, counting, STREW_TILE_POSITIONS);
    strew_tiles_begin(&tiles, counters);
    for (strew_tile_dense_offsets(&tiles, output_bases); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, counter_offsets) ||
            !strew_tile_resolve_other(&tiles, coordinates, output_bases, offsets))
            return false;
        divide_tile(work, lanes, &tiles, offsets, counter_offsets);
    }
    return true;
}

static bool run_group(const strew_work *work, const lane_grid *lanes, const strew_pointers *pointers, int64_t index,
                      char *counters)
{
    strew_walk walk, counting;
    mean_counting movers;
    strew_dim inner;
    const strew_coordinate coordinate = lanes->outer.coordinates.each[0];
    const strew_pointers group = find_group(lanes, pointers, index, &inner);
    const strew_pointers counted = {group.indices, counters, group.addressed, NULL};
    make_group_walk(&walk, lanes, inner, coordinate);
    walk.row_bytes = lanes->outer.row_bytes;
    make_counting_walk(&counting, lanes, inner, coordinate.size);
    make_counting(&movers, &counting);
    return strew_walk_run(&counting, &movers.clear, &counted) &&
           strew_walk_run(&counting, &movers.count, &counted) &&
           (work->form.use_init_val || strew_walk_run(&walk, &lanes->fill, &group)) &&
           strew_walk_run(&walk, &lanes->sum, &group) &&
           divide_group(work, lanes, &counting, &counted, &walk.coordinates);
}

typedef struct mean_run {
    const strew_work *work;
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
    char *const counters = run->scratch + index * counters_bytes(run->lanes);
    const strew_range range = strew_range_of(run->groups, index, run->tasks);
    bool done = true;
    for (int64_t group = range.begin; group < range.end && done; group++)
        done = run_group(run->work, run->lanes, run->pointers, group, counters);
    if (!done)
        atomic_store_explicit(&run->failed, true, memory_order_relaxed);
}

bool strew_mean_run(const strew_work *work, const strew_pointers *pointers, char *scratch, size_t threads,
                    const strew_parallel *parallel)
{
    lane_grid lanes;
    find_lanes(&lanes, work);
    make_lane_movers(&lanes, &work->form);
    const int64_t groups = lanes.groups_per_inner * strew_walk_positions(&lanes.outer);
    const size_t tasks = (uint64_t)groups < threads ? (size_t)groups : threads;
    mean_run run = {work, &lanes, pointers, scratch, groups, tasks, false};
    strew_parallel_run(parallel, run_groups, &run, tasks);
    return !atomic_load_explicit(&run.failed, memory_order_relaxed);
}

/* ---- A bucket ------------------------------------------------------------------------------------ */

/* The counter of each row, whose size is a power of 2. */
static void find_counters(const strew_work *work, const strew_entries *entries, int64_t *counter_offsets)
{
    const int row_bits = strew_lowest_bit((uint64_t)work->walk.row_bytes);
    for (size_t i = 0; i < entries->count; i++)
        counter_offsets[i] = (entries->offsets[i] >> row_bits) * (int64_t)sizeof(strew_counter);
}

static void move_counters(const strew_work *work, const strew_bucket *bucket, const strew_mover *mover)
{
    strew_entries entries;
    strew_tile_offsets counter_offsets;
    for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries)) {
        find_counters(work, &entries, counter_offsets);
        strew_mover_move(mover, bucket->scratch, counter_offsets, entries.count, NULL, 0, sizeof(strew_counter));
    }
}

void strew_mean_apply_bucket(const strew_work *work, const strew_bucket *bucket)
{
    mean_counting counting;
    strew_walk counters;
    strew_entries entries;
    strew_tile_offsets counter_offsets;
    strew_walk_begin(&counters, work->kernels, work->form.indices.dtype, sizeof(strew_counter));
    make_counting(&counting, &counters);
    move_counters(work, bucket, &counting.clear);
    move_counters(work, bucket, &counting.count);
    strew_bucket_move(bucket, &work->mover);
    for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries)) {
        find_counters(work, &entries, counter_offsets);
        divide(work, work->walk.row_bytes, bucket->addressed, entries.offsets, entries.count, bucket->scratch,
               counter_offsets);
    }
}
