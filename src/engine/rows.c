/* The form of rows: GatherND, ScatterND. */
#include "engine/plan.h"

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

void strew_rows_walk(strew_walk *walk, const strew_layout *addressed, const strew_form *form)
{
    const strew_layout *indices = &form->indices, *dense = &form->dense;
    const int32_t tuple = indices->rank - 1;
    for (int32_t d = 0; d < tuple; d++)
        strew_walk_add_dim(walk, (strew_dim){indices->size[d], indices->stride[d], dense->stride[d],
                                             d < form->batch_dims ? addressed->stride[d] : 0});
    const int32_t coordinates = (int32_t)indices->size[tuple];
    for (int32_t c = 0; c < coordinates; c++)
        strew_walk_add_coordinate(walk, addressed->size[form->batch_dims + c],
                                  addressed->stride[form->batch_dims + c]);
    walk->coordinates.step = indices->stride[tuple];
    walk->coordinates.wrap = form->wrap;
    add_row(walk, addressed, form->batch_dims + coordinates, dense, tuple);
}
