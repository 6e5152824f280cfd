#include "engine/plan.h"

#include "dispatch/dispatch.h"
#include "dispatch/tuning.h"
#include "engine/memory.h"
#include "engine/near.h"

/* Leaves the function with the one of the sizes that has so many bytes, if one has. */
#define RETURN_SIZE(name, bytes) \
    if (row_bytes == (bytes))    \
        return STREW_MOVE_##name;

strew_move_size strew_move_size_of(int64_t row_bytes)
{
    STREW_MOVE_FIXED_SIZES(RETURN_SIZE)
    return STREW_MOVE_rows;
}

/* Of rows that are assigned only elements: the kernel of longer ones fetches them itself. */
uint64_t strew_scatter_near(const strew_walk *walk)
{
    return walk->row_bytes <= STREW_LONGEST_ELEMENT ? strew_near_rows(walk) : 0;
}

/* Shorter rows gain nothing (measured with 1M rows of 64 bytes at random: they take 1.15 times as long). */
enum { SHORTEST_STREAMED_ROW = 128 };

/* Rows as long as this are moved as fast one by one. */
enum { LONGEST_JOINED_ROW = 256 };

/* Rows of which so many bytes are gathered, or scattered, by the kernel of this size or past the caches. */
static void assign(strew_walk *walk, strew_move_kernel *const *by_size, int64_t bytes)
{
    walk->streams = walk->row_bytes >= SHORTEST_STREAMED_ROW && bytes >= strew_tuning_streamed_bytes();
    walk->move = by_size[strew_move_size_of(walk->row_bytes)];
    walk->join = walk->row_bytes < LONGEST_JOINED_ROW ? by_size[STREW_MOVE_rows] : NULL;
}

static void gather(strew_walk *walk, const strew_kernels *kernels, int64_t bytes)
{
    assign(walk, kernels->gather, bytes);
    walk->near = strew_near_rows(walk);
}

static void scatter(strew_walk *walk, const strew_kernels *kernels, int64_t bytes)
{
    assign(walk, kernels->scatter, bytes);
    walk->overwrites = true;
    walk->near = strew_scatter_near(walk);
}

static void combine(strew_walk *walk, const strew_kernels *kernels, strew_reduction reduction, strew_dtype dtype)
{
    const strew_reduction combination = reduction == STREW_REDUCTION_MEAN ? STREW_REDUCTION_SUM : reduction;
    const bool elements = walk->row_bytes == (int64_t)strew_dtype_size(dtype);
    const size_t c = STREW_COMBINATION_SLOT(combination), e = STREW_ELEMENT_SLOT(dtype);
    walk->join = kernels->reduce_rows[c][e];
    walk->move = elements ? kernels->reduce_elements[c][e] : walk->join;
    walk->near = strew_near_rows(walk);
}

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

static void choose_move(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    if (form->direction == STREW_GATHERS)
        gather(walk, kernels, bytes_of(&form->dense));
    else if (form->reduction == STREW_REDUCTION_NONE)
        scatter(walk, kernels, bytes_scattered(form));
    else
        combine(walk, kernels, form->reduction, form->data.dtype);
}

/*
 * A reduction without initial values first writes its identity, one element at a time, to every place that will be
 * updated; a mean divides one element at a time. Only their walks are not folded.
 */
static void make_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    const strew_layout *addressed = form->direction == STREW_GATHERS ? &form->data : &form->output;
    strew_walk_begin(walk, kernels, form->indices.dtype, form->data.element);
    if (form->addressing == STREW_ROWS)
        strew_rows_walk(walk, addressed, form);
    else
        strew_elements_walk(walk, addressed, form);
    strew_walk_merge(walk);
    if (form->reduction == STREW_REDUCTION_NONE || (form->use_init_val && form->reduction != STREW_REDUCTION_MEAN))
        strew_walk_fold(walk);
}

/* Copying is gathering without coordinates. Any resolving will do: there is nothing to resolve. */
void strew_plan_copy(strew_walk *walk, const strew_plan_body *plan)
{
    const strew_layout *from = &plan->form.data, *to = &plan->form.output;
    strew_walk_begin(walk, plan->kernels, STREW_DTYPE_INT64, from->element);
    for (int32_t d = 0; d < from->rank; d++)
        strew_walk_add_dim(walk, (strew_dim){from->size[d], 0, to->stride[d], from->stride[d]});
    strew_walk_merge(walk);
    strew_walk_fold(walk);
    gather(walk, plan->kernels, bytes_of(from));
}

void strew_plan_make(strew_plan_body *plan, const strew_kernels *kernels)
{
    plan->kernels = kernels;
    make_walk(&plan->walk, &plan->form, kernels);
    choose_move(&plan->walk, &plan->form, kernels);
    plan->walk.tile = strew_tile_entries(&plan->walk);
    plan->can_be_in_place =
        plan->form.direction == STREW_SCATTERS && strew_layout_same_places(&plan->form.data, &plan->form.output);
    plan->made = STREW_PLAN_MADE;
}
