/* The form of elements: GatherElements, ScatterElements. */
#include "engine/plan.h"

static strew_dim position(const strew_layout *addressed, const strew_form *form, int32_t d)
{
    return (strew_dim){form->indices.size[d], form->indices.stride[d], form->dense.stride[d],
                       d == form->axis ? 0 : addressed->stride[d]};
}

static void add_axis_coordinate(strew_walk *walk, const strew_layout *addressed, const strew_form *form)
{
    strew_walk_add_coordinate(walk, addressed->size[form->axis], addressed->stride[form->axis]);
    walk->coordinates.wrap = form->wrap;
}

void strew_elements_walk(strew_walk *walk, const strew_layout *addressed, const strew_form *form)
{
    for (int32_t d = 0; d < form->indices.rank; d++)
        strew_walk_add_dim(walk, position(addressed, form, d));
    add_axis_coordinate(walk, addressed, form);
}

void strew_lanes_walk(strew_walk *walk, const strew_layout *addressed, const strew_form *form)
{
    for (int32_t d = 0; d < form->indices.rank; d++)
        if (d != form->axis)
            strew_walk_add_dim(walk, position(addressed, form, d));
    strew_walk_merge(walk);
    strew_walk_add_dim(walk, position(addressed, form, form->axis));
    add_axis_coordinate(walk, addressed, form);
}
