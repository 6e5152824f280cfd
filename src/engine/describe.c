/* strew_plan_describe says in one line which strategy, cut, kernels and prefetching a plan takes, and why. */
#include "base/text.h"
#include "dispatch/dispatch.h"
#include "engine/plan.h"
#include "engine/walk/tables.h"
#include "strew/strew.h"

static void add_work(strew_text *text, const strew_work *work)
{
    const strew_form *form = &work->form;
    if (form->addressing == STREW_BAGS)
        strew_text_add(text, "combines rows as it gathers them, by %s", strew_reduction_name(form->reduction));
    else
        strew_text_add(text, "%s %lld row%s of %lld byte%s",
                       form->direction == STREW_GATHERS ? "gathers" : "scatters", (long long)work->positions,
                       work->positions == 1 ? "" : "s", (long long)work->walk.row_bytes.addressed,
                       work->walk.row_bytes.addressed == 1 ? "" : "s");
}

static const char *text_of_strategy(strew_strategy strategy)
{
    switch (strategy) {
    case STREW_RESOLVE_FIRST: return "resolves all indices, then moves all rows";
    case STREW_COPY_FIRST: return "moves into a copy of the output, then copies it back";
    case STREW_CHECK_FIRST: return "checks all indices, then resolves and moves tile by tile";
    case STREW_PARTITION: return "sorts updates into buckets, then applies the buckets";
    default: return "resolves and moves tile by tile";
    }
}

static const char *reason_of(strew_guarantee guarantee)
{
    switch (guarantee) {
    case STREW_GUARANTEES_ALL: return " (a bad index must leave the output as it was)";
    case STREW_GUARANTEES_PREFIX: return " (everything before a bad index must be written)";
    default: return "";
    }
}

static void add_strategy(strew_text *text, const strew_plan_body *plan, const strew_schedule *schedule,
                         bool in_place)
{
    const strew_work *work = &plan->work;
    const strew_strategy strategy = strew_strategy_of(work, schedule, in_place, false);
    if (strategy == STREW_COMBINE)
        return;
    strew_text_add(text, "; ");
    if (work->form.direction == STREW_SCATTERS)
        strew_text_add(text, in_place ? "in place " : work->has_copy ? "otherwise copies data and " : "otherwise ");
    strew_text_add(text, "%s%s",
                   strategy == STREW_MOVE_DIRECTLY && !strew_work_moves(work) ? "nothing moves"
                                                                              : text_of_strategy(strategy),
                   reason_of(strew_guarantee_of(work, in_place)));
}

static void add_scratch(strew_text *text, const strew_plan_body *plan, const strew_schedule *schedule)
{
    if (schedule->least_scratch > 0)
        strew_text_add(text, "; needs %zu bytes of scratch to count the updates of a mean",
                       schedule->least_scratch);
    if (schedule->useful_scratch == 0)
        return;
    strew_text_add(text, "; with %zu bytes of scratch it %s", schedule->useful_scratch,
                   plan->work.form.addressing == STREW_BAGS ? "sorts entries that come in any order"
                   : schedule->partition.scratch_bytes > 0
                       ? text_of_strategy(STREW_PARTITION)
                       : text_of_strategy(strew_strategy_of(&plan->work, schedule, true, true)));
}

static void add_threads(strew_text *text, const strew_plan_body *plan, const strew_schedule *schedule)
{
    const strew_cut *cut = &schedule->move_cut;
    strew_text_add(text, "; %zu thread%s", schedule->threads, schedule->threads == 1 ? "" : "s");
    if (schedule->threads == 1 || plan->work.form.addressing == STREW_BAGS)
        return;
    switch (cut->kind) {
    case STREW_CUT_DIMENSION:
        strew_text_add(text, ", each with a part of dimension %d of the walk", (int)cut->dimension);
        break;
    case STREW_CUT_ROWS: strew_text_add(text, ", each with a part of every row"); break;
    case STREW_CUT_OWNERS: strew_text_add(text, ", each with the rows that it owns"); break;
    default:
        strew_text_add(text, plan->work.form.circular                        ? ", each with a part of every window"
                             : schedule->check_cut.kind != STREW_CUT_NOTHING ? ", of which one moves all rows"
                                                                             : ", of which one does all");
    }
    if (schedule->may_be_parts)
        strew_text_add(text, "; sorted indices are cut into parts");
}

static void add_kernel(strew_text *text, const strew_kernels *kernels, const void *kernel)
{
    strew_kernel_info info;
    if (strew_kernel_find(kernels, kernel, &info))
        strew_text_add(text, "; %s_%s of %s", info.operation, info.operand, strew_isa_name(info.isa));
}

static void add_movers(strew_text *text, const strew_work *work, const strew_schedule *schedule)
{
    const strew_mover *mover = &work->mover;
    strew_resolve_kernel *const resolve = strew_walk_resolve_kernel(&work->walk);
    if (work->form.addressing == STREW_BAGS || !strew_work_moves(work))
        return;
    if (strew_walk_has_tables(&work->walk, mover) && schedule->move_cut.kind != STREW_CUT_OWNERS &&
        strew_strategy_of(work, schedule, work->can_be_in_place, false) != STREW_RESOLVE_FIRST) {
        add_kernel(text, work->kernels, &mover->table);
        return;
    }
    add_kernel(text, work->kernels, &resolve);
    add_kernel(text, work->kernels, mover->combine ? (const void *)&mover->combine : (const void *)&mover->kernel);
    if (mover->access.rows_ahead > 0)
        strew_text_add(text, "; prefetches %d rows ahead", (int)mover->access.rows_ahead);
    if (mover->access.stream_pages > 0)
        strew_text_add(text, "; writes past the caches");
}

static void describe_plan(strew_text *text, const strew_plan_body *plan, const strew_schedule *schedule)
{
    add_work(text, &plan->work);
    if (plan->work.can_be_in_place)
        add_strategy(text, plan, schedule, true);
    if (!plan->work.can_be_in_place || plan->work.has_copy)
        add_strategy(text, plan, schedule, false);
    add_scratch(text, plan, schedule);
    add_threads(text, plan, schedule);
    add_movers(text, &plan->work, schedule);
}

size_t strew_plan_describe(const strew_plan *plan, size_t threads, char *buffer, size_t size)
{
    strew_text text = strew_text_begin(buffer, size);
    strew_schedule schedule;
    const strew_plan_body *body = strew_plan_body_of(plan);
    if (!body) {
        strew_text_add(&text, "not a plan");
        return text.length;
    }
    strew_schedule_make(&schedule, &body->work, threads > 0 ? threads : 1);
    describe_plan(&text, body, &schedule);
    return text.length;
}
