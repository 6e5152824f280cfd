#include "engine/work.h"

#include "engine/combine.h"
#include "engine/identity.h"

static int64_t bytes_of(const strew_layout *layout)
{
    return layout->count * layout->element;
}

/* Returns how many bytes a scatter writes: at most those of the output, as updates may overwrite each other. */
static int64_t bytes_scattered(const strew_form *form)
{
    const int64_t updates = bytes_of(&form->dense), output = bytes_of(&form->output);
    return updates < output ? updates : output;
}

static void make_walk(strew_work *work)
{
    strew_walk *walk = &work->walk;
    strew_form_walk(walk, &work->form, work->kernels);
    strew_walk_coalesce(walk);
    work->is_empty = strew_walk_is_empty(walk);
    work->is_one_pass =
        work->form.reduction != STREW_REDUCTION_MEAN && !strew_form_starts_from_identity(&work->form);
    if (!work->is_empty)
        strew_walk_fold(walk);
}

static void make_movers(strew_work *work)
{
    const strew_form *form = &work->form;
    const strew_walk *walk = &work->walk;
    if (form->direction == STREW_GATHERS)
        strew_mover_assign(&work->mover, walk, STREW_GATHERS, bytes_of(&form->dense));
    else if (form->reduction == STREW_REDUCTION_NONE)
        strew_mover_assign(&work->mover, walk, STREW_SCATTERS, bytes_scattered(form));
    else
        strew_mover_combine(&work->mover, walk, form->reduction);
    if (strew_form_starts_from_identity(form))
        strew_mover_fill(&work->fill, walk, strew_identity(form->data.dtype, form->reduction),
                         bytes_scattered(form));
}

static void make_copy(strew_work *work)
{
    const strew_form *form = &work->form;
    strew_form_copy_walk(&work->copy_walk, form, work->kernels);
    strew_walk_coalesce(&work->copy_walk);
    strew_walk_fold(&work->copy_walk);
    strew_mover_assign(&work->copy_mover, &work->copy_walk, STREW_GATHERS, bytes_of(&form->data));
}

void strew_work_make(strew_work *work, const strew_kernels *kernels, bool may_copy)
{
    const strew_form *form = &work->form;
    const bool scatters = form->direction == STREW_SCATTERS;
    work->kernels = kernels;
    if (strew_form_has_bags(form)) {
        strew_combine_make(&work->bags, &work->walk, form, kernels);
        work->is_empty = false;
    } else {
        make_walk(work);
        make_movers(work);
    }
    work->can_be_in_place = scatters && strew_layout_same_places(&form->data, &form->output);
    work->positions = strew_walk_positions(&work->walk);
    work->in_index_order = strew_form_is_in_index_order(form);
    work->has_copy = may_copy && scatters && form->data.count > 0;
    if (work->has_copy)
        make_copy(work);
}
