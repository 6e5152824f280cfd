/* The shape rule of the form of elements: GatherElements, ScatterElements, Scatter. */
#include "base/error.h"
#include "operators/operator.h"

static strew_status check_axis(const strew_call *call, strew_form *form, strew_error *error)
{
    const int64_t axis = call->attributes.axis, rank = form->data.rank;
    if (axis < -rank || axis >= rank)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_AXIS, .value = axis, .lower = -rank,
                            .upper = rank - 1);
    form->axis = (int32_t)(axis < 0 ? axis + rank : axis);
    return STREW_STATUS_OK;
}

strew_status strew_elements_shape(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error)
{
    const strew_layout *data = &form->data, *indices = &form->indices;
    const strew_status status = check_axis(call, form, error);
    if (status != STREW_STATUS_OK)
        return status;
    if (indices->rank != data->rank)
        return STREW_REFUSE(error, WRONG_RANK, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA,
                            .value = indices->rank, .lower = data->rank);
    dense->rank = indices->rank;
    dense->from_indices = indices->rank;
    for (int32_t d = 0; d < indices->rank; d++) {
        if (d != form->axis && indices->size[d] > data->size[d])
            return STREW_REFUSE(error, SIZE_TOO_LARGE, .operand = STREW_OPERAND_INDICES,
                                .other = STREW_OPERAND_DATA, .dimension = d, .value = indices->size[d],
                                .upper = data->size[d]);
        dense->size[d] = indices->size[d];
    }
    return STREW_STATUS_OK;
}
