#include "engine/form.h"

static const strew_layout *addressed_of(const strew_form *form)
{
    return form->direction == STREW_GATHERS ? &form->data : &form->output;
}

/* The dimensions of a row, as positions along which the indices do not move; folding makes one row of them. */
static void add_row(strew_walk *walk, const strew_layout *addressed, int32_t first, const strew_layout *dense,
                    int32_t dense_first)
{
    for (int32_t d = first; d < addressed->rank; d++)
        if (addressed->size[d] == 0) {
            walk->row_bytes = 0; /* nothing moves, but the indices are still checked */
            return;
        }
    for (int32_t d = first; d < addressed->rank; d++)
        strew_walk_add_dim(
            walk, (strew_dim){addressed->size[d], 0, dense->stride[dense_first + d - first], addressed->stride[d]});
}

static void walk_rows(strew_walk *walk, const strew_form *form)
{
    const strew_layout *addressed = addressed_of(form), *indices = &form->indices, *dense = &form->dense;
    const int32_t tuple_dim = indices->rank - 1;
    for (int32_t d = 0; d < tuple_dim; d++)
        strew_walk_add_dim(walk, (strew_dim){indices->size[d], indices->stride[d], dense->stride[d],
                                             d < form->batch_dims ? addressed->stride[d] : 0});
    const int32_t coordinates = (int32_t)indices->size[tuple_dim];
    for (int32_t c = 0; c < coordinates; c++)
        strew_walk_add_coordinate(walk, addressed->size[form->batch_dims + c],
                                  addressed->stride[form->batch_dims + c]);
    walk->coordinates.step = indices->stride[tuple_dim];
    walk->coordinates.wrap = form->wrap;
    add_row(walk, addressed, form->batch_dims + coordinates, dense, tuple_dim);
}

static strew_dim element_dim(const strew_form *form, int32_t d)
{
    return (strew_dim){form->indices.size[d], form->indices.stride[d], form->dense.stride[d],
                       d == form->axis ? 0 : addressed_of(form)->stride[d]};
}

static void add_axis_coordinate(strew_walk *walk, const strew_form *form)
{
    const strew_layout *addressed = addressed_of(form);
    strew_walk_add_coordinate(walk, addressed->size[form->axis], addressed->stride[form->axis]);
    walk->coordinates.wrap = form->wrap;
}

static void walk_elements(strew_walk *walk, const strew_form *form)
{
    for (int32_t d = 0; d < form->indices.rank; d++)
        strew_walk_add_dim(walk, element_dim(form, d));
    add_axis_coordinate(walk, form);
}

static void begin_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    strew_walk_begin(walk, kernels, form->indices.dtype, form->data.element);
}

void strew_form_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    begin_walk(walk, form, kernels);
    if (form->addressing == STREW_ROWS)
        walk_rows(walk, form);
    else
        walk_elements(walk, form);
}

strew_dim strew_form_lanes_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    begin_walk(walk, form, kernels);
    for (int32_t d = 0; d < form->indices.rank; d++)
        if (d != form->axis)
            strew_walk_add_dim(walk, element_dim(form, d));
    strew_walk_coalesce(walk);
    add_axis_coordinate(walk, form);
    return element_dim(form, form->axis);
}

void strew_form_copy_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    begin_walk(walk, form, kernels);
    for (int32_t d = 0; d < form->data.rank; d++)
        strew_walk_add_dim(walk, (strew_dim){form->data.size[d], 0, form->output.stride[d], form->data.stride[d]});
}
