#include "engine/schedule.h"

#include "base/threshold.h"
#include "engine/mean.h"
#include "engine/partition/locality.h"
#include "engine/share/shard.h"
#include "engine/walk/run.h"

/* ---- Choosing ------------------------------------------------------------------------------------ */

/* Short rows that lie in order move as fast as owners resolve and pick them, which each does with all of them. */
enum { LONGEST_EASY_ROW = STREW_THRESHOLD(16, 0) };

static bool may_be_easy(const strew_plan_body *plan, const strew_division *division)
{
    return division->move.kind == STREW_CUT_OWNERS && plan->walk.row_bytes <= LONGEST_EASY_ROW;
}

static bool can_partition(const strew_division *division, size_t scratch_bytes)
{
    return division->partition.scratch_bytes > 0 && division->partition.scratch_bytes <= scratch_bytes;
}

/* Many threads that cannot be apart otherwise partition whatever the indices are. */
static bool partitions_anyway(const strew_division *division)
{
    return division->threads > 2 && !strew_cut_is_apart(division->move, division->threads);
}

/* The way of what has positions, whose rows have bytes, and is not partitioned. */
static strew_way choose_way(const strew_plan_body *plan, strew_cut cut, bool in_place)
{
    if (!in_place)
        return STREW_WAY_DIRECT;
    if (cut.kind != STREW_CUT_NOTHING || !strew_form_is_one_pass(&plan->form))
        return STREW_WAY_CHECK_FIRST;
    return plan->is_one_tile ? STREW_WAY_DIRECT : plan->can_be_held ? STREW_WAY_HOLD : STREW_WAY_CHECK_FIRST;
}

strew_schedule strew_schedule_choose(const strew_plan_body *plan, const strew_division *division,
                                     const strew_pointers *pointers, bool in_place, size_t scratch_bytes)
{
    strew_schedule schedule = {
        .copies = plan->form.direction == STREW_SCATTERS && !in_place && plan->form.data.count > 0,
        .way = plan->is_empty ? STREW_WAY_NOTHING : STREW_WAY_CHECK,
        .division = division,
    };
    if (plan->is_empty || plan->walk.row_bytes == 0)
        return schedule;
    schedule.cut = division->move;
    const bool partitions = can_partition(division, scratch_bytes);
    const bool is_local = (partitions || may_be_easy(plan, division)) && strew_walk_is_local(&plan->walk, pointers);
    if (partitions && (!is_local || partitions_anyway(division))) {
        schedule.way = STREW_WAY_PARTITION;
        return schedule;
    }
    if (is_local && may_be_easy(plan, division))
        schedule.cut = (strew_cut){.kind = STREW_CUT_NOTHING, .pieces = 1, .shards = 1};
    schedule.way = choose_way(plan, schedule.cut, in_place);
    return schedule;
}

/* ---- Carrying out -------------------------------------------------------------------------------- */

static void copy_data(const strew_schedule *schedule, const strew_plan_body *plan, char *data, char *output,
                      const strew_parallel *parallel)
{
    const strew_pointers pointers = {.indices = output, .addressed = data, .dense = output};
    strew_shards_run(&plan->copy_walk, &plan->copy_mover, &pointers, schedule->division->copy, parallel);
}

/* All passes over the positions. */
static bool move(const strew_schedule *schedule, const strew_plan_body *plan, const strew_pointers *pointers,
                 char *scratch, const strew_parallel *parallel)
{
    if (plan->form.reduction == STREW_REDUCTION_MEAN)
        return strew_mean_run(plan, pointers, scratch, parallel, schedule->division->threads);
    if (strew_form_starts_from_identity(&plan->form) &&
        !strew_shards_run(&plan->walk, &plan->fill, pointers, schedule->cut, parallel))
        return false;
    return strew_shards_run(&plan->walk, &plan->mover, pointers, schedule->cut, parallel);
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
                              const strew_pointers *pointers, char *data, char *scratch,
                              const strew_parallel *parallel)
{
    const strew_division *division = schedule->division;
    if (schedule->copies)
        copy_data(schedule, plan, data, pointers->addressed, parallel);
    switch (schedule->way) {
    case STREW_WAY_NOTHING: return true;
    case STREW_WAY_CHECK: return strew_shards_check(&plan->walk, pointers, division->check, parallel);
    case STREW_WAY_DIRECT: return move(schedule, plan, pointers, scratch, parallel);
    case STREW_WAY_HOLD: return strew_walk_run_held(&plan->walk, &plan->mover, pointers);
    case STREW_WAY_CHECK_FIRST:
        return strew_shards_check(&plan->walk, pointers, division->check, parallel) &&
               move(schedule, plan, pointers, scratch, parallel);
    case STREW_WAY_PARTITION:
        return strew_partition_run(&division->partition, &plan->walk, pointers, scratch, parallel, apply_bucket,
                                   plan);
    }
    return true;
}
