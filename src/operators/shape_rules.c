#include "operators/operator.h"

#include "base/error.h"
#include "operators/bags.h"
#include "operators/slice.h"

/* Checks that batch_dims is between `least` and `most`. A negative one counts from the rank of indices. */
static strew_status check_batch(const strew_call *call, strew_form *form, int32_t least, int32_t most,
                                strew_error *error)
{
    const int64_t batch_dims = call->attributes.batch_dims;
    const int64_t counted = batch_dims < 0 ? batch_dims + form->indices.rank : batch_dims;
    if (batch_dims < least || batch_dims > most || counted > most) {
        const bool counts_from_end = batch_dims < 0 && least < 0;
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_BATCH_DIMS, .value = batch_dims,
                            .lower = least, .upper = counts_from_end ? most - form->indices.rank : most);
    }
    form->batch_dims = (int32_t)counted;
    for (int32_t d = 0; d < form->batch_dims; d++)
        if (form->indices.size[d] != form->data.size[d])
            return STREW_REFUSE(error, WRONG_SIZE, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                                .dimension = d, .value = form->indices.size[d], .lower = form->data.size[d]);
    return STREW_STATUS_OK;
}

static strew_status check_dense_rank(const strew_form *form, const strew_shape *dense, strew_error *error)
{
    if (dense->rank <= STREW_MAX_RANK)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, RESULT_RANK_TOO_LARGE,
                        .operand = form->direction == STREW_GATHERS ? STREW_OPERAND_OUTPUT : STREW_OPERAND_UPDATES,
                        .value = dense->rank, .upper = STREW_MAX_RANK);
}

/* GatherND, ScatterND: the last dimension of indices holds tuples. Each tuple names a row. */
static strew_status apply_tuple_rule(const strew_call *call, strew_form *form, strew_shape *dense,
                                     strew_error *error)
{
    const strew_layout *data = &form->data, *indices = &form->indices;
    RETURN_IF_REFUSED(check_batch(call, form, 0, (int32_t)strew_lesser(data->rank, indices->rank) - 1, error));
    const int32_t tuple_dim = indices->rank - 1, selectable = data->rank - form->batch_dims;
    const int64_t coordinates = indices->size[tuple_dim];
    if (coordinates > selectable)
        return STREW_REFUSE(error, TUPLE_TOO_LONG, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                            .dimension = tuple_dim, .value = coordinates, .upper = selectable);
    const int32_t row = form->batch_dims + (int32_t)coordinates;
    dense->rank = tuple_dim + data->rank - row;
    RETURN_IF_REFUSED(check_dense_rank(form, dense, error));
    dense->index_dims = tuple_dim;
    for (int32_t d = 0; d < tuple_dim; d++)
        dense->size[d] = indices->size[d];
    for (int32_t d = row; d < data->rank; d++)
        dense->size[tuple_dim + d - row] = data->size[d];
    return STREW_STATUS_OK;
}

static strew_status check_axis(const strew_call *call, strew_form *form, strew_error *error)
{
    const int64_t axis = call->attributes.axis, rank = form->data.rank;
    if (axis < -rank || axis >= rank)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_AXIS, .value = axis, .lower = -rank,
                            .upper = rank - 1);
    form->axis = (int32_t)(axis < 0 ? axis + rank : axis);
    return STREW_STATUS_OK;
}

/* GatherElements, ScatterElements, Scatter: each entry of indices names an element. */
static strew_status apply_element_rule(const strew_call *call, strew_form *form, strew_shape *dense,
                                       strew_error *error)
{
    const strew_layout *data = &form->data, *indices = &form->indices;
    RETURN_IF_REFUSED(check_axis(call, form, error));
    if (indices->rank != data->rank)
        return STREW_REFUSE(error, WRONG_RANK, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                            .value = indices->rank, .lower = data->rank);
    dense->rank = indices->rank;
    dense->index_dims = indices->rank;
    for (int32_t d = 0; d < indices->rank; d++) {
        if (d != form->axis && indices->size[d] > data->size[d])
            return STREW_REFUSE(error, SIZE_TOO_LARGE, .operand = STREW_OPERAND_INDICES,
                                .other = STREW_OPERAND_DATA, .dimension = d, .value = indices->size[d],
                                .upper = data->size[d]);
        dense->size[d] = indices->size[d];
    }
    return STREW_STATUS_OK;
}

/* Gather, Scatter: the dimensions of indices, without the batch dimensions, replace the axis. */
static strew_status apply_axis_rule(const strew_call *call, strew_form *form, strew_shape *dense,
                                    strew_error *error)
{
    const strew_layout *data = &form->data, *indices = &form->indices;
    RETURN_IF_REFUSED(check_axis(call, form, error));
    RETURN_IF_REFUSED(
        check_batch(call, form, -indices->rank, (int32_t)strew_lesser(form->axis, indices->rank), error));
    const int32_t added = indices->rank - form->batch_dims;
    dense->rank = data->rank - 1 + added;
    RETURN_IF_REFUSED(check_dense_rank(form, dense, error));
    dense->first_index_dim = form->axis;
    dense->index_dims = added;
    for (int32_t d = 0; d < form->axis; d++)
        dense->size[d] = data->size[d];
    for (int32_t d = 0; d < added; d++)
        dense->size[form->axis + d] = indices->size[form->batch_dims + d];
    for (int32_t d = form->axis + 1; d < data->rank; d++)
        dense->size[added + d - 1] = data->size[d];
    return STREW_STATUS_OK;
}

/* TensorScatter: one index for each batch, and windows no longer than the cache. */
static strew_status apply_window_rule(const strew_call *call, strew_form *form, strew_shape *dense,
                                      strew_error *error)
{
    const strew_layout *data = &form->data, *indices = &form->indices;
    RETURN_IF_REFUSED(check_axis(call, form, error));
    if (form->axis == 0)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_AXIS, .value = call->attributes.axis,
                            .lower = 1, .upper = data->rank - 1);
    if (indices->rank != 1)
        return STREW_REFUSE(error, WRONG_RANK, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                            .value = indices->rank, .lower = 1);
    form->batch_dims = 1;
    if (indices->size[0] != data->size[0])
        return STREW_REFUSE(error, WRONG_SIZE, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                            .value = indices->size[0], .lower = data->size[0]);
    form->wrap = false;
    form->circular = call->attributes.circular != 0;
    strew_shape_take(dense, data->rank, data->size);
    dense->dim_at_most = form->axis;
    return STREW_STATUS_OK;
}

/* SliceScatter: updates have the shape of the slice. */
static strew_status apply_slice_rule(const strew_call *call, strew_form *form, strew_shape *dense,
                                     strew_error *error)
{
    strew_sliced sliced;
    RETURN_IF_REFUSED(strew_slice_of(&sliced, call->attributes.slice, &form->data, error));
    form->axis = strew_slice_last_cut(&sliced, &form->data);
    strew_shape_take(dense, form->data.rank, sliced.length);
    return STREW_STATUS_OK;
}

strew_status strew_shape_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error)
{
    strew_shape_take(dense, 0, NULL);
    switch (form->addressing) {
    case STREW_ROWS: return apply_tuple_rule(call, form, dense, error);
    case STREW_ELEMENTS: return apply_element_rule(call, form, dense, error);
    case STREW_AXIS: return apply_axis_rule(call, form, dense, error);
    case STREW_WINDOWS: return apply_window_rule(call, form, dense, error);
    case STREW_SLICE:
        return STREW_HAS(SLICE_SCATTER) ? apply_slice_rule(call, form, dense, error) : STREW_STATUS_OK;
    default: return STREW_HAS_BAGS ? strew_bags_rule(call, form, dense, error) : STREW_STATUS_OK;
    }
}
