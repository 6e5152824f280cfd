/* Reads an axis that is an input tensor. */
#include "base/error.h"
#include "base/integer.h"
#include "operators/operator.h"

strew_status strew_axis_read(const strew_tensor *tensor, int64_t *axis, strew_error *error)
{
    strew_layout layout;
    RETURN_IF_REFUSED(strew_layout_of(&layout, tensor, STREW_OPERAND_AXIS, error));
    if (layout.rank > 1)
        return STREW_REFUSE(error, RANK_TOO_LARGE, .operand = STREW_OPERAND_AXIS, .value = layout.rank, .upper = 1);
    if (layout.count != 1)
        return STREW_REFUSE(error, NOT_ONE_ELEMENT, .operand = STREW_OPERAND_AXIS, .value = layout.count);
    if (!tensor->data)
        return STREW_REFUSE(error, NULL_DATA, .operand = STREW_OPERAND_AXIS);
    if (!axis)
        return STREW_REFUSE(error, NULL_ARGUMENT, .operand = STREW_OPERAND_AXIS);
    RETURN_IF_REFUSED(strew_check_dtype(STREW_OPERAND_AXIS, tensor->dtype, STREW_INTEGERS, UINT32_MAX, error));
    const int64_t value = strew_read_integer(tensor->data, tensor->dtype);
    *axis = tensor->dtype == STREW_DTYPE_UINT64 && value < 0 ? INT64_MAX : value;
    return STREW_STATUS_OK;
}
