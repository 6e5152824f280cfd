#include "engine/schedule.h"

#include "base/threshold.h"
#include "engine/mean.h"
#include "engine/partition/locality.h"
#include "engine/share/shard.h"
#include "engine/walk/run.h"

/* ---- What follows from the plan and the threads --------------------------------------------------- */

/* Short rows that lie in order move as fast as owners resolve and pick them, which each does with all of them. */
enum { LONGEST_EASY_ROW = STREW_THRESHOLD(16, 0) };

/* The way of a run that is not partitioned. */
static strew_way way_of(const strew_plan_body *plan, const strew_cut *cut, bool in_place)
{
    if (plan->is_empty)
        return STREW_WAY_NOTHING;
    if (plan->walk.row_bytes == 0)
        return STREW_WAY_CHECK;
    if (!in_place)
        return STREW_WAY_DIRECT;
    if (cut->kind != STREW_CUT_NOTHING || !strew_form_is_one_pass(&plan->form))
        return STREW_WAY_CHECK_FIRST;
    return plan->is_one_tile ? STREW_WAY_DIRECT : plan->can_be_held ? STREW_WAY_HOLD : STREW_WAY_CHECK_FIRST;
}

static void share(strew_division *division, const strew_plan_body *plan)
{
    const bool scatters = plan->form.direction == STREW_SCATTERS;
    if (plan->has_copy)
        division->copy = strew_cut_choose(&plan->copy_walk, STREW_READS, division->threads);
    if (plan->is_empty)
        return;
    division->check = strew_cut_choose(&plan->walk, STREW_CHECKS, division->threads);
    division->move = strew_cut_choose(&plan->walk, scatters ? STREW_WRITES : STREW_READS, division->threads);
    division->may_be_easy = division->move.kind == STREW_CUT_OWNERS && plan->walk.row_bytes > 0 &&
                            plan->walk.row_bytes <= LONGEST_EASY_ROW;
}

void strew_division_make(strew_division *division, const strew_plan_body *plan, size_t threads)
{
    division->threads = threads;
    division->copy = division->check = division->move = strew_cut_nothing;
    division->may_be_easy = false;
    if (threads > 1)
        share(division, plan);
    division->way_apart = way_of(plan, &division->move, false);
    division->way_in_place = way_of(plan, &division->move, true);
    division->partition.scratch_bytes = 0;
    if (plan->form.direction == STREW_SCATTERS && !plan->is_empty)
        strew_partition_make(&division->partition, &plan->walk, &plan->form.output.extent, division->move, threads,
                             plan->form.reduction == STREW_REDUCTION_MEAN ? sizeof(strew_counter) : 0);
}

/* ---- What follows from the buffers --------------------------------------------------------------- */

/* Many threads that cannot be apart otherwise partition whatever the indices are. */
static bool partitions_anyway(const strew_division *division)
{
    return division->threads > 2 && !strew_cut_is_apart(division->move, division->threads);
}

/* Where indices lie in order neither buckets nor owners are of use. */
static void look_at_indices(strew_schedule *schedule, const strew_plan_body *plan, const strew_pointers *pointers,
                            bool in_place, bool partitions)
{
    const bool is_local = strew_walk_is_local(&plan->walk, pointers);
    if (partitions && (!is_local || partitions_anyway(schedule->division))) {
        schedule->way = STREW_WAY_PARTITION;
    } else if (schedule->division->may_be_easy && is_local) {
        schedule->cut = &strew_cut_nothing;
        schedule->way = way_of(plan, schedule->cut, in_place);
    }
}

void strew_schedule_choose(strew_schedule *schedule, const strew_plan_body *plan, const strew_division *division,
                           const strew_pointers *pointers, bool in_place, size_t scratch_bytes)
{
    const size_t useful = division->partition.scratch_bytes;
    const bool partitions = useful > 0 && useful <= scratch_bytes;
    schedule->way = in_place ? division->way_in_place : division->way_apart;
    schedule->copies = !in_place && plan->has_copy;
    schedule->cut = &division->move;
    schedule->division = division;
    if (partitions || division->may_be_easy)
        look_at_indices(schedule, plan, pointers, in_place, partitions);
}

/* ---- Carrying it out ----------------------------------------------------------------------------- */

static void copy_data(const strew_schedule *schedule, const strew_plan_body *plan, char *data, char *output,
                      const strew_parallel *parallel)
{
    const strew_pointers pointers = {.indices = output, .addressed = data, .dense = output};
    strew_shards_run(&plan->copy_walk, &plan->copy_mover, &pointers, &schedule->division->copy, parallel);
}

/* All passes over the positions. */
static bool move(const strew_schedule *schedule, const strew_plan_body *plan, const strew_pointers *pointers,
                 const strew_run_options *options)
{
    if (plan->form.reduction == STREW_REDUCTION_MEAN)
        return strew_mean_run(plan, pointers, options->scratch, options->parallel, schedule->division->threads);
    if (strew_form_starts_from_identity(&plan->form) &&
        !strew_shards_run(&plan->walk, &plan->fill, pointers, schedule->cut, options->parallel))
        return false;
    return strew_shards_run(&plan->walk, &plan->mover, pointers, schedule->cut, options->parallel);
}

/* All passes over the entries of a bucket. */
static void apply_bucket(const void *context, const strew_bucket *bucket)
{
    const strew_plan_body *plan = context;
    if (strew_form_starts_from_identity(&plan->form))
        strew_bucket_move(bucket, &plan->fill);
    if (plan->form.reduction == STREW_REDUCTION_MEAN)
        strew_mean_apply_bucket(plan, bucket);
    else
        strew_bucket_move(bucket, &plan->mover);
}

bool strew_schedule_carry_out(const strew_schedule *schedule, const strew_plan_body *plan,
                              const strew_pointers *pointers, char *data, const strew_run_options *options)
{
    const strew_division *division = schedule->division;
    if (schedule->copies)
        copy_data(schedule, plan, data, pointers->addressed, options->parallel);
    switch (schedule->way) {
    case STREW_WAY_NOTHING: return true;
    case STREW_WAY_CHECK: return strew_shards_check(&plan->walk, pointers, &division->check, options->parallel);
    case STREW_WAY_DIRECT: return move(schedule, plan, pointers, options);
    case STREW_WAY_HOLD: return strew_walk_run_held(&plan->walk, &plan->mover, pointers);
    case STREW_WAY_CHECK_FIRST:
        return strew_shards_check(&plan->walk, pointers, &division->check, options->parallel) &&
               move(schedule, plan, pointers, options);
    default:
        return strew_partition_run(&division->partition, &plan->walk, pointers, options->scratch, options->parallel,
                                   apply_bucket, plan);
    }
}
