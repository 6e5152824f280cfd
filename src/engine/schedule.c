#include "engine/schedule.h"

#include <string.h>

#include "base/thresholds.h"
#include "engine/circular.h"
#include "engine/combine.h"
#include "engine/mean.h"
#include "engine/share/parts.h"
#include "engine/share/shard.h"
#include "engine/walk/run.h"

/* ---- The guarantee ------------------------------------------------------------------------------- */

/* Whether the run can meet a bad index that its policy refuses. */
static bool can_refuse_index(const strew_work *work)
{
    const strew_bounds bounds = work->walk.bounds;
    return (bounds == STREW_BOUNDS_REFUSE || bounds == STREW_BOUNDS_STOP) && !work->form.inspected &&
           work->walk.coordinates.count > 0 && !work->is_empty;
}

strew_guarantee strew_guarantee_of(const strew_work *work, bool in_place)
{
    if (!can_refuse_index(work))
        return STREW_GUARANTEES_NOTHING;
    if (work->form.bounds == STREW_BOUNDS_STOP)
        return STREW_GUARANTEES_PREFIX;
    return in_place ? STREW_GUARANTEES_ALL : STREW_GUARANTEES_NOTHING;
}

/* ---- The strategy -------------------------------------------------------------------------------- */

/* Whether moving directly stops at the first bad index: one thread moves rows in the order of indices. */
static bool stops_in_order(const strew_work *work, const strew_cut *cut)
{
    return work->is_one_pass && work->in_index_order && cut->kind == STREW_CUT_NOTHING;
}

/* Returns the bytes that a strategy stores: of a copy of the output, or of the offsets of all positions. */
static size_t storage_bytes(const strew_work *work, strew_strategy strategy)
{
    const strew_layout *output = &work->form.output;
    size_t bytes;
    if (strategy == STREW_COPY_FIRST)
        return (size_t)(output->count * output->element);
    return strew_multiply_sizes((size_t)work->positions, sizeof(int64_t), &bytes) ? bytes : SIZE_MAX;
}

/* Whether copying the output there and back costs less than checking all indices first, which threads share. */
static bool pays_to_copy(const strew_work *work, size_t threads)
{
    const strew_layout *output = &work->form.output, *indices = &work->form.indices;
    const int64_t bytes = (int64_t)storage_bytes(work, STREW_COPY_FIRST);
    return bytes == output->extent.high - output->extent.low && work->positions > STREW_TILE_POSITIONS &&
           bytes <= indices->count * indices->element / STREW_LEAST_INDEX_BYTES / (int64_t)threads;
}

/* Returns how a run with storage reads its indices once, or CHECK_FIRST if that does not pay. */
STREW_NOINLINE static strew_strategy strategy_with_storage(const strew_work *work, const strew_schedule *schedule)
{
    if (!work->is_one_pass || work->form.circular)
        return STREW_CHECK_FIRST;
    if (pays_to_copy(work, schedule->threads))
        return STREW_COPY_FIRST;
    const bool pays = storage_bytes(work, STREW_RESOLVE_FIRST) <= STREW_MOST_ON_STACK ||
                      work->walk.coordinates.count >= STREW_LEAST_COORDINATES_IN_SCRATCH;
    return pays && schedule->move_cut.kind == STREW_CUT_NOTHING ? STREW_RESOLVE_FIRST : STREW_CHECK_FIRST;
}

strew_strategy strew_strategy_of(const strew_work *work, const strew_schedule *schedule, bool in_place,
                                 bool has_scratch)
{
    const strew_guarantee guarantee = strew_guarantee_of(work, in_place);
    if (strew_form_has_bags(&work->form))
        return STREW_COMBINE;
    if (!strew_work_moves(work) && can_refuse_index(work))
        return STREW_CHECK_FIRST;
    if (guarantee == STREW_GUARANTEES_NOTHING || !in_place ||
        (guarantee == STREW_GUARANTEES_PREFIX && stops_in_order(work, &schedule->move_cut)))
        return STREW_MOVE_DIRECTLY;
    const strew_strategy strategy = strategy_with_storage(work, schedule);
    return has_scratch || storage_bytes(work, strategy) <= STREW_MOST_ON_STACK ? strategy : STREW_CHECK_FIRST;
}

/* ---- The schedule -------------------------------------------------------------------------------- */

static void cut_for_threads(strew_schedule *schedule, const strew_work *work)
{
    const strew_use use = work->form.direction == STREW_GATHERS ? STREW_READS
                          : work->form.is_unique                ? STREW_WRITES_ONCE
                                                                : STREW_WRITES;
    if (work->is_empty || work->form.circular)
        return; /* strew_circular_run cuts each window by itself */
    schedule->check_cut = strew_cut_choose(&work->walk, STREW_CHECKS, schedule->threads);
    schedule->move_cut = strew_cut_choose(&work->walk, use, schedule->threads);
    schedule->may_be_parts = strew_work_moves(work) && work->form.reduction != STREW_REDUCTION_MEAN &&
                             strew_cut_may_be_parts(&schedule->move_cut, &work->walk, use);
}

/* Returns the bytes of scratch in which a run stores the output or all offsets, or 0 if that does not pay. */
static size_t storage_in_scratch(const strew_work *work, const strew_schedule *schedule)
{
    const strew_strategy strategy = strategy_with_storage(work, schedule);
    size_t bytes = storage_bytes(work, strategy);
    const bool needs_scratch = strategy != STREW_CHECK_FIRST && bytes > STREW_MOST_ON_STACK;
    return needs_scratch && strew_add_sizes(bytes, STREW_CACHE_LINE, &bytes) ? bytes : 0;
}

/* Scratch holds the counters of a mean, buckets, offsets, or a copy of the output. */
static void schedule_scratch(strew_schedule *schedule, const strew_work *work, size_t threads)
{
    const bool counts = strew_work_moves(work) && strew_form_is_mean(&work->form);
    if (!strew_multiply_sizes(counts ? strew_mean_counters_bytes(work) : 0, threads, &schedule->least_scratch))
        schedule->least_scratch = SIZE_MAX;
    if (work->form.direction == STREW_SCATTERS && !work->form.circular &&
        work->positions >= STREW_LEAST_PARTITIONED)
        strew_partition_make(&schedule->partition, &work->walk, &work->form.output.extent, &schedule->move_cut,
                             threads, counts ? sizeof(strew_counter) : 0);
    schedule->useful_scratch = schedule->partition.scratch_bytes;
    if (schedule->useful_scratch == 0 && strew_work_moves(work) &&
        strew_guarantee_of(work, work->can_be_in_place) == STREW_GUARANTEES_ALL)
        schedule->useful_scratch = storage_in_scratch(work, schedule);
}

void strew_schedule_make(strew_schedule *schedule, const strew_work *work, size_t threads)
{
    schedule->threads = threads;
    schedule->copy_cut = schedule->check_cut = schedule->move_cut = strew_cut_nothing;
    schedule->may_be_parts = false;
    schedule->least_scratch = schedule->partition.scratch_bytes = 0;
    if (work->has_copy && threads > 1)
        schedule->copy_cut = strew_cut_choose(&work->copy_walk, STREW_READS, threads);
    if (strew_form_has_bags(&work->form)) { /* how threads share bags depends on the entries */
        const size_t useful = strew_bags_scratch_bytes(&work->bags, &work->walk, threads);
        schedule->useful_scratch = useful < SIZE_MAX ? useful : 0;
        return;
    }
    if (threads > 1)
        cut_for_threads(schedule, work);
    schedule_scratch(schedule, work, threads);
}

/* ---- The choice ---------------------------------------------------------------------------------- */

/* Cuts sorted indices into parts. If it returns true, all indices are good. */
static bool find_parts(strew_run *run)
{
    const size_t shards = strew_cut_shards(&run->work->walk, run->schedule->threads);
    const size_t count = shards < STREW_MOST_PARTS ? shards : STREW_MOST_PARTS;
    if (!strew_parts_find(&run->parts, count, &run->work->walk, &run->pointers, run->options->parallel))
        return false;
    run->parts_cut =
        (strew_cut){.kind = STREW_CUT_PARTS, .pieces = (int64_t)count, .shards = count, .parts = &run->parts};
    return true;
}

/*
 * Decides how a run goes. Looks at two facts about the indices, and only where they matter:
 * whether they are sorted and make parts, and whether consecutive rows are local.
 */
static void choose(strew_run *run)
{
    const strew_schedule *schedule = run->schedule;
    run->cut = &schedule->move_cut;
    if (schedule->may_be_parts && find_parts(run)) {
        run->cut = &run->parts_cut;
        run->strategy = STREW_MOVE_DIRECTLY;
        return;
    }
    const bool takes_buckets = schedule->partition.scratch_bytes > 0,
               has_scratch = schedule->useful_scratch > 0 && run->options->scratch &&
                             schedule->useful_scratch <= run->options->scratch_size;
    if (has_scratch && takes_buckets &&
        (schedule->partition.even_if_local || !strew_walk_is_local(&run->work->walk, &run->pointers)))
        run->strategy = STREW_PARTITION;
    else
        run->strategy = strew_strategy_of(run->work, schedule, run->in_place, has_scratch && !takes_buckets);
}

/* ---- The run ------------------------------------------------------------------------------------- */

/* Copies data to the output, of which a slice may be addressed. The copy walk has no coordinates, so it reads no
 * index: any valid pointer will do. */
static void copy_data(const strew_run *run)
{
    char *const output = run->pointers.addressed - run->work->form.slice_begin;
    const strew_pointers pointers = {.indices = output, .addressed = run->copied, .dense = output};
    strew_shards_run(&run->work->copy_walk, &run->work->copy_mover, &pointers, &run->schedule->copy_cut,
                     run->options->parallel);
}

static bool check_indices(const strew_run *run)
{
    if (strew_form_is_circular(&run->work->form))
        return strew_circular_run(run->work, &run->pointers, 0, NULL);
    return strew_shards_run(&run->work->walk, NULL, &run->pointers, &run->schedule->check_cut,
                            run->options->parallel);
}

static bool run_passes(const strew_run *run)
{
    const strew_work *work = run->work;
    const strew_parallel *parallel = run->options->parallel;
    if (!strew_work_moves(work))
        return true;
    if (strew_form_is_circular(&work->form))
        return strew_circular_run(work, &run->pointers, run->schedule->threads, parallel);
    if (strew_form_is_mean(&work->form))
        return strew_mean_run(work, &run->pointers, run->options->scratch,
                              run->cut->kind == STREW_CUT_NOTHING ? 1 : run->schedule->threads, parallel);
    if (strew_form_starts_from_identity(&work->form) &&
        !strew_shards_run(&work->walk, &work->fill, &run->pointers, run->cut, parallel))
        return false;
    return strew_shards_run(&work->walk, &work->mover, &run->pointers, run->cut, parallel);
}

/* Moves into a copy of the output. If an index is bad, the output does not change at any moment. */
static bool run_on_copy(const strew_run *run, char *copy)
{
    const int64_t low = run->work->form.output.extent.low;
    const size_t bytes = storage_bytes(run->work, STREW_COPY_FIRST);
    strew_pointers pointers = run->pointers;
    memcpy(copy, run->pointers.addressed + low, bytes);
    pointers.addressed = copy - low;
    if (!strew_shards_run(&run->work->walk, &run->work->mover, &pointers, run->cut, run->options->parallel))
        return false;
    memcpy(run->pointers.addressed + low, copy, bytes);
    return true;
}

STREW_NOINLINE static bool run_with_storage(const strew_run *run, void *storage)
{
    return run->strategy == STREW_COPY_FIRST
               ? run_on_copy(run, storage)
               : strew_walk_resolve_then_move(&run->work->walk, &run->work->mover, &run->pointers, storage);
}

/* Not inlined: its storage takes stack that other runs do not need. */
STREW_NOINLINE static bool run_with_stack(const strew_run *run)
{
    _Alignas(STREW_CACHE_LINE) char storage[STREW_MOST_ON_STACK];
    return run_with_storage(run, storage);
}

static void apply_bucket(const void *context, const strew_bucket *bucket)
{
    const strew_work *work = context;
    if (strew_form_starts_from_identity(&work->form))
        strew_bucket_move(bucket, &work->fill);
    if (strew_form_is_mean(&work->form))
        strew_mean_apply_bucket(work, bucket);
    else
        strew_bucket_move(bucket, &work->mover);
}

static bool run_strategy(const strew_run *run)
{
    const strew_work *work = run->work;
    char *const scratch = run->options->scratch;
    if (run->copied)
        copy_data(run);
    switch (run->strategy) {
    case STREW_RESOLVE_FIRST:
    case STREW_COPY_FIRST:
        if (storage_bytes(work, run->strategy) <= STREW_MOST_ON_STACK)
            return run_with_stack(run);
        return run_with_storage(run, scratch + (0 - (uintptr_t)scratch) % STREW_CACHE_LINE);
    case STREW_CHECK_FIRST: return check_indices(run) && run_passes(run);
    case STREW_MOVE_DIRECTLY: return run_passes(run);
    case STREW_COMBINE:
        return STREW_HAS_BAGS && strew_combine_run(work, &run->pointers, run->buffers, run->in_place,
                                                   run->schedule->threads, run->options);
    default:
        return strew_partition_run(&run->schedule->partition, &work->walk, &run->pointers, scratch,
                                   run->options->parallel, apply_bucket, work);
    }
}

/* ---- The positions before the first bad index ----------------------------------------------------- */

/* Moves the positions before the first bad index on one thread, in the order of indices. */
STREW_NOINLINE static void run_prefix(const strew_work *work, const strew_pointers *pointers)
{
    strew_work ordered = {.form = work->form};
    ordered.form.indices_first = true;
    strew_work_make(&ordered, work->kernels, false);
    strew_walk_run(&ordered.walk, &ordered.mover, pointers);
}

/* Makes sure that all positions before the first bad index have been written, and no others. Scatters of several
 * passes write none. */
static void leave_prefix(const strew_run *run)
{
    const strew_work *work = run->work;
    if (run->strategy == STREW_MOVE_DIRECTLY && stops_in_order(work, run->cut))
        return;
    if (STREW_HAS_BAGS && run->strategy == STREW_COMBINE) {
        strew_combine_run_prefix(work, &run->pointers, run->buffers);
        return;
    }
    if (run->copied)
        copy_data(run); /* undoes updates that have been combined with it */
    if (work->is_one_pass && strew_work_moves(work))
        run_prefix(work, &run->pointers);
}

bool strew_run_execute(strew_run *run)
{
    choose(run);
    const bool is_good = run_strategy(run);
    if (!is_good && strew_guarantee_of(run->work, run->in_place) == STREW_GUARANTEES_PREFIX)
        leave_prefix(run);
    return is_good;
}
