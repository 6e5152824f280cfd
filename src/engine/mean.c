#include "engine/mean.h"

#include <string.h>

#include "engine/identity.h"
#include "engine/share/shard.h"
#include "engine/walk/gaps.h"
#include "engine/walk/run.h"

static const strew_row_dtypes dtypes_of_counters = {STREW_DTYPE_UINT64, STREW_DTYPE_UINT64};

/* The movers of counters: `clear` sets them to 0, `count` adds 1. */
typedef struct mean_counting {
    strew_mover clear, count;
} mean_counting;

/* Makes the movers for a walk whose rows are counters. */
static void make_counting(mean_counting *counting, const strew_walk *walk)
{
    static const strew_counter zero = 0, one = 1;
    strew_mover_assign(&counting->clear, walk, STREW_SCATTERS, 0);
    strew_mover_set_constant_row(&counting->clear, &zero);
    strew_mover_combine(&counting->count, walk, STREW_REDUCTION_SUM);
    strew_mover_set_constant_row(&counting->count, &one);
}

/* Divides rows by their counters. A row with an initial value is the sum of one value more than were counted. */
static void divide(const strew_work *work, int64_t row_bytes, char *addressed, const int64_t *offsets, size_t count,
                   char *counters, const int64_t *counter_offsets)
{
    work->kernels->divide[STREW_ELEMENT_SLOT(work->walk.dtypes.addressed)](
        addressed, offsets, count, (size_t)row_bytes, counters, counter_offsets, work->form.use_init_val ? 1 : 0);
}

/* ---- Lanes --------------------------------------------------------------------------------------- */

/* 256 KiB of counters: they fit into the second-level cache of all but the smallest CPUs. */
enum { GROUP_COUNTERS = 32768 };

/*
 * The lanes of a mean, divided into groups. A dimension along which the base moves consists of lanes, and is cut
 * into pieces. A group spans a piece of each of these dimensions, and all other dimensions.
 */
typedef struct lane_grid {
    const strew_walk *walk;
    int64_t axis_size;              /* the size of the axis in the output, not in the indices */
    int64_t lanes;                  /* of a group, at most */
    int64_t piece[STREW_WALK_DIMS]; /* the steps of a piece of each dimension; the last piece may have fewer */
    int64_t groups;
    bool visits_all_rows; /* clears and divides all rows, because there are at most as many as positions */
} lane_grid;

static bool has_lanes(const strew_dim *dim)
{
    return dim->base_step != 0;
}

static int64_t pieces_of(const lane_grid *grid, int32_t d)
{
    return (grid->walk->dim[d].size - 1) / grid->piece[d] + 1;
}

/* Divides the lanes into at least `threads` groups if there are enough lanes. Outside a dimension that does not fit
 * into a group, a piece is one step. */
static void find_lanes(lane_grid *grid, const strew_work *work, size_t threads)
{
    const strew_walk *const walk = &work->walk;
    const int64_t axis_size = walk->coordinates.each[0].size;
    int64_t lanes = 1;
    for (int32_t d = 0; d < walk->dims; d++)
        lanes *= has_lanes(&walk->dim[d]) ? walk->dim[d].size : 1;
    const int64_t of_a_thread = (uint64_t)lanes < threads ? 1 : lanes / (int64_t)threads;
    const int64_t most = strew_lesser(of_a_thread, GROUP_COUNTERS / axis_size);
    *grid = (lane_grid){walk, axis_size, 1, {0}, 1, axis_size <= work->positions / lanes};
    for (int32_t d = walk->dims; d-- > 0;) {
        const int64_t size = walk->dim[d].size, fitting = most > grid->lanes ? most / grid->lanes : 1;
        grid->piece[d] = has_lanes(&walk->dim[d]) ? strew_lesser(fitting, size) : size;
        grid->lanes *= has_lanes(&walk->dim[d]) ? grid->piece[d] : 1;
        grid->groups *= pieces_of(grid, d);
    }
}

static size_t counters_bytes(const lane_grid *grid)
{
    size_t bytes;
    return strew_multiply_sizes((size_t)grid->axis_size, (size_t)grid->lanes, &bytes) &&
                   strew_multiply_sizes(bytes, sizeof(strew_counter), &bytes)
               ? bytes
               : SIZE_MAX;
}

size_t strew_mean_counters_bytes(const strew_work *work)
{
    lane_grid grid;
    find_lanes(&grid, work, 1);
    return counters_bytes(&grid);
}

/* The walks over the updates of a group, over the counters that indices name, and over all counters (`rows`). The
 * dense tensor of the last two is the output. */
typedef struct group_walks {
    strew_walk updates, named, rows;
    size_t counters_bytes;
} group_walks;

/* Finds the updates of group number `index`. Returns where they begin. */
static strew_pointers find_updates(strew_walk *updates, const lane_grid *grid, const strew_pointers *pointers,
                                   int64_t index)
{
    strew_pointers begin = *pointers;
    *updates = *grid->walk;
    for (int32_t d = updates->dims; d-- > 0; index /= pieces_of(grid, d)) {
        strew_dim *const dim = &updates->dim[d];
        const int64_t first = index % pieces_of(grid, d) * grid->piece[d];
        begin = strew_pointers_along(&begin, dim, first);
        dim->size = strew_lesser(dim->size - first, grid->piece[d]);
    }
    return begin;
}

static void begin_counters(strew_walk *walk, const strew_walk *updates)
{
    *walk = *updates;
    walk->dims = 0;
    walk->element_bytes = sizeof(strew_counter);
    walk->dtypes = dtypes_of_counters;
    walk->row_bytes = (strew_row_bytes){sizeof(strew_counter), sizeof(strew_counter)};
}

/* Adds the axis to the walks over counters. Neighbours along it are `step` bytes apart. */
static void add_axis(group_walks *walks, int64_t step)
{
    strew_coordinate *const axis = &walks->named.coordinates.each[0];
    strew_walk_add_dim(&walks->rows, (strew_dim){axis->size, 0, axis->stride, step});
    axis->stride = step;
}

/* Makes the other walks. Counters are contiguous, in the order of the walk's dimensions. The axis takes the place
 * of the first dimension whose positions are not lanes. */
static void add_counter_walks(group_walks *walks, int64_t axis_size)
{
    const strew_walk *const updates = &walks->updates;
    int64_t step = axis_size * (int64_t)sizeof(strew_counter);
    bool has_axis = false;
    for (int32_t d = 0; d < updates->dims; d++)
        step *= has_lanes(&updates->dim[d]) ? updates->dim[d].size : 1;
    walks->counters_bytes = (size_t)step;
    begin_counters(&walks->named, updates);
    begin_counters(&walks->rows, updates);
    walks->rows.coordinates.count = 0;
    for (int32_t d = 0; d < updates->dims; d++) {
        const strew_dim dim = updates->dim[d];
        if (has_lanes(&dim)) {
            step /= dim.size;
            strew_walk_add_dim(&walks->rows, (strew_dim){dim.size, 0, dim.base_step, step});
            strew_walk_add_dim(&walks->named, (strew_dim){dim.size, dim.index_step, dim.base_step, step});
            continue;
        }
        if (!has_axis)
            add_axis(walks, step /= axis_size);
        has_axis = true;
        strew_walk_add_dim(&walks->named, (strew_dim){dim.size, dim.index_step, 0, 0});
    }
    if (!has_axis)
        add_axis(walks, sizeof(strew_counter));
}

static bool clear_group(const group_walks *walks, const lane_grid *grid, const strew_mover *clear,
                        const strew_pointers *counted)
{
    if (!grid->visits_all_rows)
        return strew_walk_run(&walks->named, clear, counted);
    memset(counted->addressed, 0, walks->counters_bytes);
    return true;
}

static void divide_tile(const strew_work *work, const strew_tiles *tiles, const int64_t *offsets,
                        const int64_t *counter_offsets)
{
    const size_t count = (size_t)strew_tile_positions(tiles);
    for (strew_rows rows = strew_rows_from(0, offsets, count); rows.begin < count;
         rows = strew_rows_from(rows.end, offsets, count))
        divide(work, work->walk.row_bytes.addressed, tiles->pointers.dense, offsets + rows.begin,
               rows.end - rows.begin, tiles->pointers.addressed, counter_offsets + rows.begin);
}

/* Divides the rows of a group, which `coordinates` address in the output. Not inlined: it takes stack that other
 * passes do not need. */
STREW_NOINLINE static bool divide_group(const strew_work *work, const strew_walk *counters,
                                        const strew_coordinates *coordinates, const strew_pointers *counted)
{
    strew_tiles tiles;
    strew_tile_offsets output_bases, offsets, counter_offsets;
    strew_tiles_begin(&tiles, counters, counted);
    for (strew_tile_dense_offsets(&tiles, output_bases); tiles.strips > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, counter_offsets) ||
            !strew_tile_resolve_other(&tiles, coordinates, output_bases, offsets))
            return false;
        divide_tile(work, &tiles, offsets, counter_offsets);
    }
    return true;
}

static bool run_group(const strew_work *work, const lane_grid *grid, const strew_pointers *pointers, int64_t index,
                      char *counters)
{
    group_walks walks;
    mean_counting movers;
    const strew_pointers group = find_updates(&walks.updates, grid, pointers, index);
    const strew_pointers counted = {group.indices, counters, group.addressed, NULL};
    add_counter_walks(&walks, grid->axis_size);
    make_counting(&movers, &walks.named);
    const strew_walk *const divided = grid->visits_all_rows ? &walks.rows : &walks.named;
    const strew_coordinates *const coordinates =
        &(grid->visits_all_rows ? &walks.rows : &walks.updates)->coordinates;
    return clear_group(&walks, grid, &movers.clear, &counted) &&
           strew_walk_run(&walks.named, &movers.count, &counted) &&
           (work->form.use_init_val || strew_walk_run(&walks.updates, &work->fill, &group)) &&
           strew_walk_run(&walks.updates, &work->mover, &group) &&
           divide_group(work, divided, coordinates, &counted);
}

typedef struct mean_run {
    const strew_work *work;
    const lane_grid *grid;
    const strew_pointers *pointers;
    char *scratch;
    size_t threads;
} mean_run;

static bool run_groups(void *context, size_t index)
{
    const mean_run *run = context;
    char *const counters = run->scratch + index * counters_bytes(run->grid);
    const strew_range range = strew_range_of(run->grid->groups, index, run->threads);
    bool done = true;
    for (int64_t group = range.begin; group < range.end && done; group++)
        done = run_group(run->work, run->grid, run->pointers, group, counters);
    return done;
}

bool strew_mean_run(const strew_work *work, const strew_pointers *pointers, char *scratch, size_t threads,
                    const strew_parallel *parallel)
{
    lane_grid grid;
    find_lanes(&grid, work, threads);
    const size_t used = (uint64_t)grid.groups < threads ? (size_t)grid.groups : threads;
    mean_run run = {work, &grid, pointers, scratch, used};
    return strew_parallel_run(parallel, run_groups, &run, used);
}

/* ---- A bucket ------------------------------------------------------------------------------------ */

/* Computes the offset of each row's counter. The size of a row is a power of 2. */
static void find_counters(const strew_work *work, const strew_entries *entries, int64_t *counter_offsets)
{
    const int row_bits = strew_lowest_bit((uint64_t)work->walk.row_bytes.addressed);
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
    strew_walk_begin(&counters, work->kernels, work->form.indices.dtype, dtypes_of_counters,
                     (strew_row_bytes){sizeof(strew_counter), sizeof(strew_counter)});
    make_counting(&counting, &counters);
    move_counters(work, bucket, &counting.clear);
    move_counters(work, bucket, &counting.count);
    strew_bucket_move(bucket, &work->mover);
    for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries)) {
        find_counters(work, &entries, counter_offsets);
        divide(work, work->walk.row_bytes.addressed, bucket->addressed, entries.offsets, entries.count,
               bucket->scratch, counter_offsets);
    }
}
