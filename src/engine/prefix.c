#include "engine/prefix.h"

#include "engine/offender.h"
#include "engine/walk/run.h"

/* The form of the positions that share the offender's place in the dimensions before d, and come before it in d. */
static void take_slice(strew_form *slice, strew_pointers *pointers, const int64_t *offender, int32_t d)
{
    for (int32_t outer = 0; outer < d; outer++) {
        const strew_dim dim = strew_form_index_dim(slice, outer);
        *pointers = strew_pointers_along(pointers, &dim, offender[outer]);
        slice->indices.size[outer] = 1;
    }
    slice->indices.size[d] = offender[d];
}

static void run_slice(const strew_work *work, const strew_form *form, const strew_pointers *pointers)
{
    strew_work slice = {.form = *form};
    strew_work_make(&slice, work->kernels, false);
    if (!slice.is_empty)
        strew_walk_run(&slice.walk, &slice.mover, pointers);
}

/* A box of positions for each dimension of indices: together they are what comes before the offender, in order. */
STREW_NOINLINE void strew_prefix_run(const strew_work *work, const strew_pointers *pointers)
{
    int64_t offender[STREW_MAX_RANK];
    const strew_namers namers = strew_indices_of(work, pointers->indices);
    if (!strew_find_offender(&namers, offender))
        return;
    for (int32_t d = 0; d < strew_form_index_dims(&work->form); d++) {
        strew_form slice = work->form;
        strew_pointers begin = *pointers;
        take_slice(&slice, &begin, offender, d);
        run_slice(work, &slice, &begin);
    }
}
