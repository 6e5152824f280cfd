/* One index and the effect of a policy on it. */
#include <string.h>

#include "element.h"
#include "oracle_parts.h"
#include "tensor.h"

oracle_index oracle_index_at(const strew_tensor *list, const int64_t *position, int64_t size, bool counts_back)
{
    const uint64_t value = element_load_integer(list->dtype, tensor_element(list, position));
    return (oracle_index){.list = list,
                          .position = position,
                          .value = value,
                          .is_negative = element_is_signed(list->dtype) && (int64_t)value < 0,
                          .counts_back = counts_back && element_is_signed(list->dtype),
                          .size = size};
}

bool oracle_counts_back(const operator_call *call)
{
    return !(call->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES);
}

static bool is_valid(const oracle_index *index)
{
    return index->is_negative ? index->counts_back && (int64_t)index->value >= -index->size
                              : index->value < (uint64_t)index->size;
}

/* Computes the remainder in plain steps, as it is defined. */
int64_t oracle_remainder(const oracle_index *index, int64_t size)
{
    if (!index->is_negative)
        return (int64_t)(index->value % (uint64_t)size);
    const int64_t remainder = (int64_t)index->value % size;
    return remainder < 0 ? remainder + size : remainder;
}

oracle_fate oracle_resolve(const oracle_index *index, strew_bounds bounds, int64_t *coordinate)
{
    const bool amends = (bounds == STREW_BOUNDS_CLAMP || bounds == STREW_BOUNDS_WRAP) && index->size > 0;
    if (is_valid(index))
        *coordinate = (int64_t)index->value + (index->is_negative ? index->size : 0);
    else if (amends && bounds == STREW_BOUNDS_CLAMP)
        *coordinate = index->is_negative ? 0 : index->size - 1;
    else if (amends)
        *coordinate = oracle_remainder(index, index->size);
    else
        return bounds == STREW_BOUNDS_SKIP ? ORACLE_LEFT_OUT : ORACLE_REFUSED;
    return ORACLE_GOES;
}

void oracle_tell_bad_index(const oracle_index *index, strew_operand operand, int32_t dimension, strew_error *error)
{
    const int32_t rank = index->list->rank;
    *error = (strew_error){
        .status = STREW_STATUS_INDEX_OUT_OF_BOUNDS,
        .operand = operand,
        .dimension = dimension,
        .value_is_unsigned = !element_is_signed(index->list->dtype),
        .value = (int64_t)index->value,
        .lower = index->counts_back ? -index->size : 0,
        .upper = index->size - 1,
        .position_rank = rank,
    };
    memcpy(error->position, index->position, (size_t)rank * sizeof *index->position);
}
