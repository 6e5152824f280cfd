#include "engine/plan.h"

#include "base/error.h"
#include "dispatch/dispatch.h"
#include "engine/identity.h"
#include "engine/mean.h"
#include "engine/walk/run.h"

static int64_t bytes_of(const strew_layout *layout)
{
    return layout->count * layout->element;
}

/* Of a few rows that are overwritten again and again no more is written than there are. */
static int64_t bytes_scattered(const strew_form *form)
{
    const int64_t updates = bytes_of(&form->dense), output = bytes_of(&form->output);
    return updates < output ? updates : output;
}

/* What starts from the identity does so one element at a time, and a mean divides so: only their rows are not
 * folded. */
static void make_walk(strew_plan_body *plan)
{
    strew_walk *walk = &plan->walk;
    strew_form_walk(walk, &plan->form, plan->kernels);
    strew_walk_coalesce(walk);
    plan->is_empty = strew_walk_is_empty(walk);
    plan->is_one_pass = strew_form_is_one_pass(&plan->form);
    if (!plan->is_empty && plan->is_one_pass)
        strew_walk_fold(walk);
}

static void make_movers(strew_plan_body *plan)
{
    const strew_form *form = &plan->form;
    const strew_walk *walk = &plan->walk;
    if (form->direction == STREW_GATHERS)
        strew_mover_assign(&plan->mover, walk, STREW_GATHERS, bytes_of(&form->dense));
    else if (form->reduction == STREW_REDUCTION_NONE)
        strew_mover_assign(&plan->mover, walk, STREW_SCATTERS, bytes_scattered(form));
    else
        strew_mover_combine(&plan->mover, walk, form->reduction, form->data.dtype);
    if (strew_form_starts_from_identity(form)) {
        strew_mover_assign(&plan->fill, walk, STREW_SCATTERS, bytes_scattered(form));
        strew_mover_repeat(&plan->fill, strew_identity(form->data.dtype, form->reduction));
    }
}

static void make_copy(strew_plan_body *plan)
{
    const strew_form *form = &plan->form;
    strew_form_copy_walk(&plan->copy_walk, form, plan->kernels);
    strew_walk_coalesce(&plan->copy_walk);
    strew_walk_fold(&plan->copy_walk);
    strew_mover_assign(&plan->copy_mover, &plan->copy_walk, STREW_GATHERS, bytes_of(&form->data));
}

strew_status strew_plan_make(strew_plan_body *plan, strew_isa isa, size_t threads, bool may_be_apart,
                             strew_error *error)
{
    const strew_form *form = &plan->form;
    plan->kernels = strew_kernels_of(isa);
    if (!plan->kernels)
        return STREW_REFUSE(error, ISA_NOT_RUNNABLE, .operand = STREW_OPERAND_ISA, .value = (int64_t)isa);
    make_walk(plan);
    make_movers(plan);
    plan->can_be_in_place =
        form->direction == STREW_SCATTERS && strew_layout_same_places(&form->data, &form->output);
    plan->positions = strew_walk_positions(&plan->walk);
    plan->is_one_tile = plan->walk.dims <= 2 && plan->positions <= plan->mover.tile_entries;
    plan->counters_bytes = form->reduction == STREW_REDUCTION_MEAN ? strew_mean_counters_bytes(plan) : 0;
    plan->has_copy = may_be_apart && form->direction == STREW_SCATTERS && form->data.count > 0;
    if (plan->has_copy)
        make_copy(plan);
    strew_division_make(&plan->division, plan, threads);
    plan->made = STREW_PLAN_MADE;
    return STREW_STATUS_OK;
}
