#include "engine/form.h"

strew_dim strew_form_index_dim(const strew_form *form, int32_t d)
{
    const strew_layout *addressed = strew_form_addressed(form);
    const bool is_batch = d < form->batch_dims;
    const bool is_dim_of_addressed = form->addressing == STREW_ELEMENTS ? d != form->axis : is_batch;
    const int32_t dense_dim = form->addressing == STREW_AXIS && !is_batch ? form->axis + d - form->batch_dims : d;
    return (strew_dim){form->indices.size[d], form->indices.stride[d], form->dense.stride[dense_dim],
                       is_dim_of_addressed ? addressed->stride[d] : 0};
}

/* Adds dimensions [first, end) of the addressed tensor as positions along which the indices do not move. */
static void add_unindexed_dims(strew_walk *walk, const strew_form *form, int32_t first, int32_t end,
                               int32_t dense_first)
{
    const strew_layout *addressed = strew_form_addressed(form), *dense = &form->dense;
    for (int32_t d = first; d < end && walk->row_bytes.addressed > 0; d++) {
        const int32_t dense_dim = dense_first + d - first;
        strew_walk_add_dim(walk,
                           (strew_dim){dense->size[dense_dim], 0, dense->stride[dense_dim], addressed->stride[d]});
    }
}

static int32_t coordinate_count(const strew_form *form)
{
    const strew_layout *addressed = strew_form_addressed(form);
    switch (form->addressing) {
    case STREW_ROWS: /* indices select from all dimensions but the batch's and those of the rows of dense */
        return addressed->rank - form->batch_dims - (form->dense.rank - (form->indices.rank - 1));
    case STREW_WINDOWS: return form->indices.extent.high > form->indices.extent.low ? 1 : 0;
    case STREW_SLICE: return 0;
    default: return 1;
    }
}

/*
 * Returns the number of good indices into dimension d. A window of length 0 may also begin after the last position;
 * if the dimension has INT64_MAX positions, that number cannot be represented.
 */
static int64_t coordinate_size(const strew_form *form, int32_t d)
{
    const int64_t size = strew_form_addressed(form)->size[d];
    if (form->addressing != STREW_WINDOWS)
        return size;
    const int64_t last = size - form->dense.size[d];
    return form->circular || last == INT64_MAX ? STREW_UNLIMITED : last + 1;
}

static void add_coordinates(strew_walk *walk, const strew_form *form)
{
    const strew_layout *addressed = strew_form_addressed(form);
    const int32_t first = strew_form_first_coordinate(form);
    for (int32_t d = first; d < first + coordinate_count(form); d++) {
        const strew_coordinate coordinate = {coordinate_size(form, d), addressed->stride[d]};
        (form->inspected ? strew_coordinates_join : strew_coordinates_add)(&walk->coordinates, coordinate);
        walk->bounds = strew_walk_bounds(coordinate.size, walk->bounds);
    }
    walk->coordinates.wrap = form->wrap;
    if (form->addressing == STREW_ROWS)
        walk->coordinates.step = form->indices.stride[form->indices.rank - 1];
    walk->index_dtype = strew_coordinates_read_as(&walk->coordinates, form->indices.dtype);
}

/* Whether a dimension along which indices do not move is empty. */
static bool has_empty_rows(const strew_form *form)
{
    const int32_t index_dims = strew_form_index_dims(form), indexed = index_dims - form->batch_dims;
    const bool is_axis = form->addressing == STREW_AXIS;
    const int32_t before = is_axis ? form->axis : index_dims, after = is_axis ? form->axis + indexed : index_dims;
    for (int32_t d = is_axis ? form->batch_dims : index_dims; d < form->dense.rank; d++)
        if (form->dense.size[d] == 0 && (d < before || d >= after))
            return true;
    return false;
}

static void begin_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    strew_walk_begin_between(walk, kernels, form->indices.dtype, strew_form_addressed(form), &form->dense);
    walk->bounds = form->bounds;
    walk->element_bytes = form->fill_bytes;
    walk->listed_owners = form->inspected ? form->listed_owners : 0;
    if (has_empty_rows(form) || (form->direction == STREW_SCATTERS && form->output.count == 0))
        walk->row_bytes = (strew_row_bytes){0, 0}; /* nothing moves, but indices are checked */
}

/* Adds the dimensions of rows as positions. strew_walk_fold makes them part of the row again. */
static void add_rows(strew_walk *walk, const strew_form *form)
{
    const int32_t rank = strew_form_addressed(form)->rank, index_dims = strew_form_index_dims(form);
    switch (form->addressing) {
    case STREW_ROWS:
        add_unindexed_dims(walk, form, form->batch_dims + coordinate_count(form), rank, index_dims);
        break;
    case STREW_AXIS:
        add_unindexed_dims(walk, form, form->axis + 1, rank, form->axis + index_dims - form->batch_dims);
        break;
    case STREW_WINDOWS:
    case STREW_SLICE: add_unindexed_dims(walk, form, form->batch_dims, rank, form->batch_dims); break;
    default: break;
    }
}

/* Proved in tests/proof/prove_walk.cpp: every position, with any good index, stays within all three tensors. */
void strew_form_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    const int32_t dims = strew_form_index_dims(form), before_axis = form->indices_first ? dims : form->batch_dims;
    begin_walk(walk, form, kernels);
    for (int32_t d = 0; d <= dims; d++) {
        if (d == before_axis && form->addressing == STREW_AXIS)
            add_unindexed_dims(walk, form, form->batch_dims, form->axis, form->batch_dims);
        if (d < dims)
            strew_walk_add_dim(walk, strew_form_index_dim(form, d));
    }
    add_coordinates(walk, form);
    add_rows(walk, form);
}

bool strew_form_is_in_index_order(const strew_form *form)
{
    for (int32_t d = form->batch_dims; d < form->axis; d++)
        if (form->addressing == STREW_AXIS && strew_form_addressed(form)->size[d] != 1)
            return false;
    return true;
}

void strew_form_window_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels, int64_t length)
{
    begin_walk(walk, form, kernels);
    add_rows(walk, form);
    walk->dim[form->axis - form->batch_dims].size = length;
    strew_walk_coalesce(walk);
    strew_walk_fold(walk);
}

void strew_form_copy_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    strew_walk_begin_between(walk, kernels, form->indices.dtype, &form->data, &form->output);
    for (int32_t d = 0; d < form->data.rank; d++)
        strew_walk_add_dim(walk, (strew_dim){form->data.size[d], 0, form->output.stride[d], form->data.stride[d]});
}
