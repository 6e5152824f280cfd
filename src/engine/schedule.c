#include "engine/schedule.h"

#include <string.h>

#include "base/threshold.h"
#include "engine/circular.h"
#include "engine/combine.h"
#include "engine/mean.h"
#include "engine/prefix.h"
#include "engine/share/parts.h"
#include "engine/share/shard.h"
#include "engine/walk/run.h"

/* Short rows that lie in order move as fast as owners resolve and pick them, which each does with all of them. */
enum { LONGEST_LOCAL_ROW = STREW_THRESHOLD(16, 0) };

static bool goes_on(const strew_work *work)
{
    return work->walk.bounds != STREW_BOUNDS_REFUSE && work->walk.bounds != STREW_BOUNDS_STOP;
}

/* Whether rows are moved one by one as their indices come, so that what comes before a wrong one has been done. */
static bool stops_in_order(const strew_work *work, const strew_cut *cut)
{
    return work->walk.bounds == STREW_BOUNDS_STOP && work->is_one_pass && work->in_index_order &&
           (cut->kind == STREW_CUT_NOTHING || work->form.circular);
}

/* What lies on the stack: the offsets of so many positions, or a copy of the output of so many bytes. */
enum { MOST_HELD = STREW_THRESHOLD(3200, 64), MOST_ASIDE = STREW_THRESHOLD(16 << 10, 256) };
/* Of fewer positions no copy is made: they are held. */
enum { LEAST_ASIDE = MOST_HELD };
/* Tuples of fewer coordinates are checked as fast as their offsets are written and read. */
enum { LEAST_COORDINATES_HELD = 3 };

static size_t output_bytes(const strew_work *work)
{
    const strew_extent *extent = &work->form.output.extent;
    return (size_t)(extent->high - extent->low);
}

/* Where the output, without gaps, is copied and copied back sooner than the indices of all updates are checked. */
static bool pays_aside(const strew_work *work, const strew_cut *cut)
{
    const strew_layout *output = &work->form.output;
    return cut->kind == STREW_CUT_NOTHING && work->form.addressing != STREW_WINDOWS &&
           work->positions > LEAST_ASIDE && output_bytes(work) / 3 <= (size_t)work->positions / 2 &&
           output_bytes(work) == (size_t)output->count * (size_t)output->element;
}

/* Whether one pass resolves all positions, whose offsets are then used in their order. */
static bool can_hold(const strew_work *work, const strew_cut *cut)
{
    return cut->kind == STREW_CUT_NOTHING && work->is_one_pass && !work->form.circular;
}

/* The way of a run that is not partitioned. */
static strew_way way_of(const strew_work *work, const strew_cut *cut, bool in_place)
{
    if (work->is_empty)
        return STREW_WAY_NOTHING;
    const bool is_known = goes_on(work) || work->form.inspected || work->walk.coordinates.count == 0;
    if (work->walk.row_bytes == 0)
        return is_known ? STREW_WAY_NOTHING : STREW_WAY_CHECK;
    if (!in_place || is_known || stops_in_order(work, cut))
        return STREW_WAY_DIRECT;
    if (pays_aside(work, cut) && output_bytes(work) <= MOST_ASIDE)
        return STREW_WAY_ASIDE;
    if (!can_hold(work, cut) || work->positions > MOST_HELD)
        return STREW_WAY_CHECK_FIRST;
    /* A wrong tile is left alone, but for one that stops: its order is not that of indices. */
    return work->is_one_tile && work->walk.bounds == STREW_BOUNDS_REFUSE ? STREW_WAY_DIRECT : STREW_WAY_HOLD;
}

static strew_use use_of(const strew_form *form)
{
    if (form->direction == STREW_GATHERS)
        return STREW_READS;
    return form->is_unique ? STREW_WRITES_ONCE : STREW_WRITES;
}

static void cut_for_threads(strew_schedule *schedule, const strew_work *work)
{
    const strew_use use = use_of(&work->form);
    if (work->has_copy)
        schedule->copy_cut = strew_cut_choose(&work->copy_walk, STREW_READS, schedule->threads);
    if (work->is_empty)
        return;
    schedule->check_cut = strew_cut_choose(&work->walk, STREW_CHECKS, schedule->threads);
    if (work->form.circular)
        return; /* each window is cut by itself */
    schedule->move_cut = strew_cut_choose(&work->walk, use, schedule->threads);
    schedule->may_be_parts = work->walk.row_bytes > 0 && work->form.reduction != STREW_REDUCTION_MEAN &&
                             strew_cut_may_be_parts(&schedule->move_cut, &work->walk, use);
    schedule->owners_unless_local = schedule->move_cut.kind == STREW_CUT_OWNERS && work->walk.row_bytes > 0 &&
                                    work->walk.row_bytes <= LONGEST_LOCAL_ROW && work->walk.shares == 0;
}

/* How bags are shared among threads depends on what is in them. */
static void schedule_bags(strew_schedule *schedule, const strew_work *work, size_t threads)
{
    const size_t useful = strew_combine_scratch_bytes(work, threads);
    if (work->has_copy && threads > 1)
        schedule->copy_cut = strew_cut_choose(&work->copy_walk, STREW_READS, threads);
    schedule->way_out_of_place = schedule->way_in_place = STREW_WAY_BAGS;
    schedule->least_scratch = 0;
    schedule->useful_scratch = useful < SIZE_MAX ? useful : 0;
}

/* In place no index has to be read twice where there is scratch for the output, or for the offsets of tuples. */
static void use_scratch_in_place(strew_schedule *schedule, const strew_work *work)
{
    size_t offsets;
    if (pays_aside(work, &schedule->move_cut)) {
        schedule->way_with_scratch = STREW_WAY_ASIDE;
        schedule->useful_scratch = output_bytes(work);
    } else if (can_hold(work, &schedule->move_cut) && work->walk.coordinates.count >= LEAST_COORDINATES_HELD &&
               strew_multiply_sizes((size_t)work->positions, sizeof(int64_t), &offsets) &&
               offsets < SIZE_MAX - STREW_CACHE_LINE) {
        schedule->way_with_scratch = STREW_WAY_HOLD;
        schedule->useful_scratch = offsets + STREW_CACHE_LINE;
    }
}

void strew_schedule_make(strew_schedule *schedule, const strew_work *work, size_t threads)
{
    const bool moves = !work->is_empty && work->walk.row_bytes > 0;
    const bool counts = work->form.reduction == STREW_REDUCTION_MEAN && moves;
    schedule->threads = threads;
    schedule->copy_cut = schedule->check_cut = schedule->move_cut = strew_cut_nothing;
    schedule->may_be_parts = schedule->owners_unless_local = false;
    if (work->form.addressing == STREW_BAGS) {
        schedule_bags(schedule, work, threads);
        return;
    }
    if (threads > 1)
        cut_for_threads(schedule, work);
    schedule->way_out_of_place = way_of(work, &schedule->move_cut, false);
    schedule->way_in_place = way_of(work, &schedule->move_cut, work->can_be_in_place);
    if (!strew_multiply_sizes(counts ? strew_mean_counters_bytes(work) : 0, threads, &schedule->least_scratch))
        schedule->least_scratch = SIZE_MAX;
    schedule->partition.scratch_bytes = 0;
    if (work->form.direction == STREW_SCATTERS && !work->form.circular &&
        work->positions >= STREW_LEAST_PARTITIONED)
        strew_partition_make(&schedule->partition, &work->walk, &work->form.output.extent, &schedule->move_cut,
                             threads, counts ? sizeof(strew_counter) : 0);
    schedule->useful_scratch = schedule->partition.scratch_bytes;
    schedule->way_with_scratch = schedule->way_in_place;
    if (schedule->useful_scratch == 0 && schedule->way_in_place == STREW_WAY_CHECK_FIRST && !counts)
        use_scratch_in_place(schedule, work);
}

/* All indices have been looked at then, and none is wrong. */
static bool run_by_parts(strew_run *run)
{
    const size_t threads = run->schedule->threads;
    const size_t count = threads < STREW_MOST_PARTS ? threads : STREW_MOST_PARTS;
    if (!strew_parts_find(&run->parts, count, &run->work->walk, &run->pointers, run->options->parallel))
        return false;
    run->parts_cut = strew_cut_into_parts(&run->parts, count);
    run->cut = &run->parts_cut;
    run->way = STREW_WAY_DIRECT;
    return true;
}

/*
 * Parts if the indices have them. Otherwise buckets if there is scratch, owners if it pays; where indices lie in
 * order neither is of use.
 */
static void choose(strew_run *run)
{
    const strew_schedule *schedule = run->schedule;
    const strew_partition *partition = &schedule->partition;
    const bool has_scratch = schedule->useful_scratch > 0 && run->options->scratch &&
                             schedule->useful_scratch <= run->options->scratch_size;
    const bool partitions = has_scratch && partition->scratch_bytes > 0;
    run->way = run->in_place ? schedule->way_in_place : schedule->way_out_of_place;
    run->cut = &schedule->move_cut;
    if (run->way == STREW_WAY_BAGS || (schedule->may_be_parts && run_by_parts(run)))
        return;
    if (has_scratch && !partitions && run->in_place)
        run->way = schedule->way_with_scratch;
    if (!partitions && !schedule->owners_unless_local)
        return;
    const bool is_local =
        !(partitions && partition->even_if_local) && strew_walk_is_local(&run->work->walk, &run->pointers);
    if (partitions && !is_local) {
        run->way = STREW_WAY_PARTITION;
    } else if (schedule->owners_unless_local && is_local) {
        run->cut = &strew_cut_nothing;
        run->way = way_of(run->work, run->cut, run->in_place);
    }
}

/* Where the output begins; a slice of it may begin later. */
static char *output_of(const strew_run *run)
{
    return run->pointers.addressed - run->work->form.slice_begin;
}

/* Without coordinates no index is read: their pointer need only be steppable. */
static void copy_data(const strew_run *run)
{
    char *const output = output_of(run);
    const strew_pointers pointers = {.indices = output, .addressed = run->copied, .dense = output};
    strew_shards_run(&run->work->copy_walk, &run->work->copy_mover, &pointers, &run->schedule->copy_cut,
                     run->options->parallel);
}

static bool check_indices(const strew_run *run)
{
    if (run->work->form.circular)
        return strew_circular_check(run->work, &run->pointers);
    return strew_shards_run(&run->work->walk, NULL, &run->pointers, &run->schedule->check_cut,
                            run->options->parallel);
}

/* One pass over the positions. */
static bool run_pass(const strew_run *run, const strew_mover *mover)
{
    return strew_shards_run(&run->work->walk, mover, &run->pointers, run->cut, run->options->parallel);
}

/* All passes. */
static bool run_passes(const strew_run *run)
{
    const strew_work *work = run->work;
    if (work->form.circular)
        return strew_circular_run(work, &run->pointers, run->schedule->threads, run->options->parallel);
    if (work->form.reduction == STREW_REDUCTION_MEAN)
        return strew_mean_run(work, &run->pointers, run->options->scratch,
                              run->cut->kind == STREW_CUT_NOTHING ? 1 : run->schedule->threads,
                              run->options->parallel);
    return (!strew_form_starts_from_identity(&work->form) || run_pass(run, &work->fill)) &&
           run_pass(run, &work->mover);
}

/* In place nothing may be written before every index is known to be good: to a copy it may. */
static bool run_aside(const strew_run *run, char *copy)
{
    char *const output = output_of(run) + run->work->form.output.extent.low;
    const size_t bytes = output_bytes(run->work);
    strew_run aside = *run;
    memcpy(copy, output, bytes);
    aside.pointers.addressed = copy + (run->pointers.addressed - output);
    if (!run_passes(&aside))
        return false;
    memcpy(output, copy, bytes);
    return true;
}

static bool run_with_offsets(const strew_run *run, int64_t *offsets)
{
    return strew_walk_run_held(&run->work->walk, &run->work->mover, &run->pointers, offsets);
}

/* Apart, for their stack. */
STREW_NOINLINE static bool run_aside_on_stack(const strew_run *run)
{
    _Alignas(STREW_CACHE_LINE) char copy[MOST_ASIDE];
    return run_aside(run, copy);
}
STREW_NOINLINE static bool run_held_on_stack(const strew_run *run)
{
    int64_t offsets[MOST_HELD];
    return run_with_offsets(run, offsets);
}

/* Scratch of a cache line more than what is to be aligned in it. */
static void *aligned(void *scratch)
{
    return (char *)scratch + (0 - (uintptr_t)scratch) % STREW_CACHE_LINE;
}

/* All passes over the entries of a bucket. */
static void apply_bucket(const void *context, const strew_bucket *bucket)
{
    const strew_work *work = context;
    if (strew_form_starts_from_identity(&work->form))
        strew_bucket_move(bucket, &work->fill);
    if (work->form.reduction == STREW_REDUCTION_MEAN)
        strew_mean_apply_bucket(work, bucket);
    else
        strew_bucket_move(bucket, &work->mover);
}

static bool go(const strew_run *run)
{
    const strew_work *work = run->work;
    if (run->copied)
        copy_data(run);
    switch (run->way) {
    case STREW_WAY_NOTHING: return true;
    case STREW_WAY_CHECK: return check_indices(run);
    case STREW_WAY_HOLD:
        return work->positions <= MOST_HELD ? run_held_on_stack(run)
                                            : run_with_offsets(run, aligned(run->options->scratch));
    case STREW_WAY_ASIDE:
        return output_bytes(work) <= MOST_ASIDE ? run_aside_on_stack(run) : run_aside(run, run->options->scratch);
    case STREW_WAY_CHECK_FIRST:
        if (!check_indices(run))
            return false;
        /* fall through */
    case STREW_WAY_DIRECT: return run_passes(run);
    case STREW_WAY_BAGS:
        return strew_combine_run(work, &run->pointers, run->buffers, run->in_place, run->schedule->threads,
                                 run->options);
    default:
        return strew_partition_run(&run->schedule->partition, &work->walk, &run->pointers, run->options->scratch,
                                   run->options->parallel, apply_bucket, work);
    }
}

/* What a refused run leaves where it stops at the first offender: all that comes before that, and nothing else. */
static void leave_prefix(const strew_run *run)
{
    const strew_work *work = run->work;
    if (run->way == STREW_WAY_DIRECT && stops_in_order(work, run->cut))
        return;
    if (run->way == STREW_WAY_BAGS) {
        strew_combine_run_prefix(work, &run->pointers, run->buffers);
        return;
    }
    if (run->copied)
        copy_data(run); /* over what has been combined with it */
    if (work->is_one_pass && work->walk.row_bytes > 0)
        strew_prefix_run(work, &run->pointers);
}

bool strew_run_go(strew_run *run)
{
    choose(run);
    const bool right = go(run);
    if (!right && run->work->form.bounds == STREW_BOUNDS_STOP)
        leave_prefix(run);
    return right;
}
