#include "engine/schedule.h"

#include "base/threshold.h"
#include "engine/mean.h"
#include "engine/partition/locality.h"
#include "engine/share/shard.h"
#include "engine/walk/run.h"

/* Short rows that lie in order move as fast as owners resolve and pick them, which each does with all of them. */
enum { LONGEST_EASY_ROW = STREW_THRESHOLD(16, 0) };

/* The way of a run that is not partitioned. */
static strew_way way_of(const strew_work *work, const strew_cut *cut, bool in_place)
{
    if (work->is_empty)
        return STREW_WAY_NOTHING;
    if (work->walk.row_bytes == 0)
        return STREW_WAY_CHECK;
    if (!in_place)
        return STREW_WAY_DIRECT;
    if (cut->kind != STREW_CUT_NOTHING || !work->is_one_pass)
        return STREW_WAY_CHECK_FIRST;
    return work->is_one_tile                    ? STREW_WAY_DIRECT
           : work->positions <= STREW_MOST_HELD ? STREW_WAY_HOLD
                                                : STREW_WAY_CHECK_FIRST;
}

static void share(strew_division *division, const strew_work *work)
{
    const bool scatters = work->form.direction == STREW_SCATTERS;
    division->copy = division->check = division->move = strew_cut_nothing;
    if (work->has_copy)
        division->copy = strew_cut_choose(&work->copy_walk, STREW_READS, division->threads);
    if (work->is_empty)
        return;
    division->check = strew_cut_choose(&work->walk, STREW_CHECKS, division->threads);
    division->move = strew_cut_choose(&work->walk, scatters ? STREW_WRITES : STREW_READS, division->threads);
    division->may_be_easy = division->move.kind == STREW_CUT_OWNERS && work->walk.row_bytes > 0 &&
                            work->walk.row_bytes <= LONGEST_EASY_ROW;
}

void strew_division_make(strew_division *division, const strew_work *work, size_t threads)
{
    division->threads = threads;
    division->may_be_easy = false;
    if (threads > 1)
        share(division, work);
    division->way_apart = way_of(work, strew_cut_of(division, &division->move), false);
    division->way_in_place = way_of(work, strew_cut_of(division, &division->move), true);
    const bool counts = work->form.reduction == STREW_REDUCTION_MEAN && !work->is_empty;
    if (__builtin_mul_overflow(counts ? strew_mean_counters_bytes(work) : 0, threads, &division->least_scratch))
        division->least_scratch = SIZE_MAX; /* which nobody can have */
    division->partition.scratch_bytes = 0;
    if (work->form.direction == STREW_SCATTERS && work->positions >= STREW_LEAST_PARTITIONED)
        strew_partition_make(&division->partition, &work->walk, &work->form.output.extent,
                             strew_cut_of(division, &division->move), threads, counts ? sizeof(strew_counter) : 0);
}

/* Many threads that cannot be apart otherwise partition whatever the indices are. */
static bool partitions_anyway(const strew_division *division)
{
    return division->threads > 2 && !strew_cut_is_apart(&division->move);
}

void strew_run_look_at_indices(strew_run *run, bool partitions)
{
    const bool is_local = strew_walk_is_local(&run->work->walk, &run->pointers);
    if (partitions && (!is_local || partitions_anyway(run->division))) {
        run->way = STREW_WAY_PARTITION;
    } else if (run->division->may_be_easy && is_local) {
        run->cut = &strew_cut_nothing;
        run->way = way_of(run->work, run->cut, run->in_place);
    }
}

static void copy_data(const strew_run *run)
{
    char *const output = run->pointers.addressed;
    const strew_pointers pointers = {.indices = output, .addressed = run->copied, .dense = output};
    strew_shards_run(&run->work->copy_walk, &run->work->copy_mover, &pointers,
                     strew_cut_of(run->division, &run->division->copy), run->options->parallel);
}

static bool check(const strew_run *run)
{
    return strew_shards_run(&run->work->walk, NULL, &run->pointers,
                            strew_cut_of(run->division, &run->division->check), run->options->parallel);
}

/* One pass over the positions. */
static bool move_by(const strew_run *run, const strew_mover *mover)
{
    return strew_shards_run(&run->work->walk, mover, &run->pointers, run->cut, run->options->parallel);
}

/* All passes. */
static bool move(const strew_run *run)
{
    const strew_work *work = run->work;
    if (work->is_one_pass)
        return move_by(run, &work->mover);
    if (work->form.reduction == STREW_REDUCTION_MEAN)
        return strew_mean_run(work, &run->pointers, run->options->scratch, run->division->threads,
                              run->options->parallel);
    return move_by(run, &work->fill) && move_by(run, &work->mover);
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

bool strew_run_carry_out(const strew_run *run)
{
    const strew_work *work = run->work;
    if (run->copied)
        copy_data(run);
    switch (run->way) {
    case STREW_WAY_NOTHING: return true;
    case STREW_WAY_CHECK: return check(run);
    case STREW_WAY_HOLD: return strew_walk_run_held(&work->walk, &work->mover, &run->pointers);
    case STREW_WAY_CHECK_FIRST:
        if (!check(run))
            return false;
        /* fall through */
    case STREW_WAY_DIRECT: return move(run);
    default:
        return strew_partition_run(&run->division->partition, &work->walk, &run->pointers, run->options->scratch,
                                   run->options->parallel, apply_bucket, work);
    }
}
