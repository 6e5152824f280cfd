#include "operators/operator.h"

#include "base/error.h"

static strew_status check_batch(const strew_call *call, strew_form *form, strew_error *error)
{
    const int32_t least_rank = form->data.rank < form->indices.rank ? form->data.rank : form->indices.rank;
    const int64_t batch_dims = call->attributes.batch_dims;
    if (batch_dims < 0 || batch_dims >= least_rank)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_BATCH_DIMS, .value = batch_dims,
                            .upper = least_rank - 1);
    form->batch_dims = (int32_t)batch_dims;
    for (int32_t d = 0; d < form->batch_dims; d++)
        if (form->indices.size[d] != form->data.size[d])
            return STREW_REFUSE(error, WRONG_SIZE, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                                .dimension = d, .value = form->indices.size[d], .lower = form->data.size[d]);
    return STREW_STATUS_OK;
}

/* GatherND, ScatterND: the last dimension of indices holds tuples, the rest are positions; each has a row. */
static strew_status rule_of_tuples(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error)
{
    const strew_layout *data = &form->data, *indices = &form->indices;
    RETURN_IF_REFUSED(check_batch(call, form, error));
    const int32_t tuple_dim = indices->rank - 1, selectable = data->rank - form->batch_dims;
    const int64_t coordinates = indices->size[tuple_dim];
    if (coordinates > selectable)
        return STREW_REFUSE(error, TUPLE_TOO_LONG, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                            .dimension = tuple_dim, .value = coordinates, .upper = selectable);
    const int32_t row = form->batch_dims + (int32_t)coordinates;
    dense->rank = tuple_dim + data->rank - row;
    if (dense->rank > STREW_MAX_RANK)
        return STREW_REFUSE(error, RESULT_RANK_TOO_LARGE,
                            .operand =
                                form->direction == STREW_GATHERS ? STREW_OPERAND_OUTPUT : STREW_OPERAND_UPDATES,
                            .value = dense->rank, .upper = STREW_MAX_RANK);
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

/* GatherElements, ScatterElements, Scatter: every entry of indices has an element. */
static strew_status rule_of_axis(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error)
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

strew_status strew_shape_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error)
{
    return form->addressing == STREW_ROWS ? rule_of_tuples(call, form, dense, error)
                                          : rule_of_axis(call, form, dense, error);
}
