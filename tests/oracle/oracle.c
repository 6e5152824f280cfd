/*
 * The operators as the header defines them. All forms are two questions. Which position of indices, or tuple of
 * them, stands for this position of the output (of a gather) or of the updates (of a scatter): find_index(). And
 * which position of data does it name: locate().
 */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "tensor.h"

static bool has_batch(const operator_call *call)
{
    return call->kind == STREW_KIND_GATHER_ND || kind_has_axis(call->kind);
}

static int32_t batch_dims(const operator_call *call)
{
    const int64_t given = has_batch(call) ? call->batch_dims : 0;
    return (int32_t)(given < 0 ? given + call->indices->rank : given);
}

static int32_t axis(const operator_call *call)
{
    return (int32_t)(call->axis < 0 ? call->axis + call->data->rank : call->axis);
}

/* ---- Indices ------------------------------------------------------------------------------------- */

/* The dimension of data that the index at this position of indices is a coordinate of. */
static int32_t addressed_dimension(const operator_call *call, const int64_t *position)
{
    if (!kind_has_rows(call->kind))
        return axis(call);
    return batch_dims(call) + (int32_t)position[call->indices->rank - 1];
}

static bool is_valid(const operator_call *call, uint64_t index, int64_t size)
{
    bool negative = element_is_signed(call->indices->dtype) && (int64_t)index < 0;
    if (!negative)
        return index < (uint64_t)size;
    return !(call->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES) && (int64_t)index >= -size;
}

static void tell_offender(const operator_call *call, const int64_t *position, uint64_t index, strew_error *error)
{
    int32_t dimension = addressed_dimension(call, position);
    int64_t size = call->data->shape[dimension];
    *error = (strew_error){
        .status = STREW_STATUS_INDEX_OUT_OF_BOUNDS,
        .operand = STREW_OPERAND_INDICES,
        .dimension = dimension,
        .value_is_unsigned = !element_is_signed(call->indices->dtype),
        .value = (int64_t)index,
        .lower = call->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES ? 0 : -size,
        .upper = size - 1,
        .position_rank = call->indices->rank,
    };
    memcpy(error->position, position, (size_t)call->indices->rank * sizeof *position);
}

/* What goes on with another index, or without the row, has no use for the error. */
static bool is_accepted(const operator_call *call, uint64_t index, int64_t size)
{
    const bool amends = call->bounds == STREW_BOUNDS_CLAMP || call->bounds == STREW_BOUNDS_WRAP;
    return is_valid(call, index, size) || call->bounds == STREW_BOUNDS_SKIP || (amends && size > 0);
}

static bool check_indices(const operator_call *call, strew_error *error)
{
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, call->indices); more; more = position_next(position, call->indices)) {
        uint64_t index = element_load_integer(call->indices->dtype, tensor_element(call->indices, position));
        if (!is_accepted(call, index, call->data->shape[addressed_dimension(call, position)])) {
            tell_offender(call, position, index, error);
            return false;
        }
    }
    return true;
}

/* One step at a time, as the remainder is defined. */
static int64_t remainder_of(uint64_t index, bool negative, int64_t size)
{
    if (!negative)
        return (int64_t)(index % (uint64_t)size);
    const int64_t remainder = (int64_t)index % size;
    return remainder < 0 ? remainder + size : remainder;
}

/* The coordinate that stands at this position of indices; false if there is none. */
static bool find_coordinate(const operator_call *call, const int64_t *position, int64_t *coordinate)
{
    const uint64_t index = element_load_integer(call->indices->dtype, tensor_element(call->indices, position));
    const bool negative = element_is_signed(call->indices->dtype) && (int64_t)index < 0;
    const int64_t size = call->data->shape[addressed_dimension(call, position)];
    if (is_valid(call, index, size))
        *coordinate = (int64_t)index + (negative ? size : 0);
    else if (call->bounds == STREW_BOUNDS_CLAMP)
        *coordinate = negative ? 0 : size - 1;
    else if (call->bounds == STREW_BOUNDS_WRAP)
        *coordinate = remainder_of(index, negative, size);
    else
        return false;
    return true;
}

/* The position in indices that stands for an entry; of a tuple, that of its first coordinate. */
static void find_index(const operator_call *call, const int64_t *entry, int64_t *position)
{
    const int32_t dims = call->indices->rank - kind_has_rows(call->kind);
    for (int32_t d = 0; d < dims; d++)
        position[d] = kind_has_axis(call->kind) && d >= batch_dims(call) ? entry[axis(call) + d - batch_dims(call)]
                                                                         : entry[d];
    if (kind_has_rows(call->kind))
        position[dims] = 0;
}

/* entry = batch, rest of the tuple's position, slice; target = batch, tuple, slice. */
static bool locate_tuple(const operator_call *call, const int64_t *entry, int64_t *position, int64_t *target)
{
    const int32_t batch = batch_dims(call), last = call->indices->rank - 1;
    const int32_t tuple = (int32_t)call->indices->shape[last];
    bool has_row = true;
    for (int32_t d = 0; d < batch; d++)
        target[d] = entry[d];
    for (int32_t i = 0; i < tuple; i++) {
        position[last] = i;
        has_row &= find_coordinate(call, position, &target[batch + i]);
    }
    for (int32_t d = batch + tuple; d < call->data->rank; d++)
        target[d] = entry[last + d - batch - tuple];
    return has_row;
}

/* entry = what is before the axis, the rest of indices' position, what is after the axis. */
static bool locate_on_axis(const operator_call *call, const int64_t *entry, const int64_t *position,
                           int64_t *target)
{
    const int32_t added = kind_has_axis(call->kind) ? call->indices->rank - batch_dims(call) : 1;
    for (int32_t d = 0; d < call->data->rank; d++)
        if (d != axis(call))
            target[d] = entry[d < axis(call) ? d : d - 1 + added];
    return find_coordinate(call, position, &target[axis(call)]);
}

/* False for an entry that names no position of data, and has no part in the call. */
static bool locate(const operator_call *call, const int64_t *entry, int64_t *target)
{
    int64_t position[STREW_MAX_RANK];
    find_index(call, entry, position);
    return kind_has_rows(call->kind) ? locate_tuple(call, entry, position, target)
                                     : locate_on_axis(call, entry, position, target);
}

bool oracle_takes_part(const operator_call *call, const strew_error *offender, const int64_t *entry)
{
    int64_t position[STREW_MAX_RANK], first_wrong[STREW_MAX_RANK];
    memcpy(first_wrong, offender->position, sizeof first_wrong);
    if (kind_has_rows(call->kind))
        first_wrong[call->indices->rank - 1] = 0;
    find_index(call, entry, position);
    return position_ordinal(position, call->indices) < position_ordinal(first_wrong, call->indices);
}

/* ---- Operators ----------------------------------------------------------------------------------- */

static void fill_element(const operator_call *call, void *element)
{
    const size_t size = element_size(call->data->dtype);
    if (call->fill)
        memcpy(element, call->fill, size);
    else
        memset(element, 0, size);
}

/* `offender`, here and below, if the call stops at one. */
static void gather(const operator_call *call, const strew_error *offender)
{
    size_t size = element_size(call->data->dtype);
    int64_t entry[STREW_MAX_RANK], source[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->output); more; more = position_next(entry, call->output)) {
        if (offender && !oracle_takes_part(call, offender, entry))
            continue;
        if (locate(call, entry, source))
            memcpy(tensor_element(call->output, entry), tensor_element(call->data, source), size);
        else
            fill_element(call, tensor_element(call->output, entry));
    }
}

static void copy_data_to_output(const operator_call *call)
{
    if (call->output->data == call->data->data)
        return;
    size_t size = element_size(call->data->dtype);
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, call->data); more; more = position_next(position, call->data))
        memcpy(tensor_element(call->output, position), tensor_element(call->data, position), size);
}

static void start_from_identity(const operator_call *call)
{
    int64_t entry[STREW_MAX_RANK], target[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->updates); more; more = position_next(entry, call->updates)) {
        if (locate(call, entry, target))
            element_identity(call->output->dtype, call->reduction, tensor_element(call->output, target));
    }
}

static void apply_updates(const operator_call *call, const strew_error *offender)
{
    int64_t entry[STREW_MAX_RANK], target[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->updates); more; more = position_next(entry, call->updates)) {
        if ((!offender || oracle_takes_part(call, offender, entry)) && locate(call, entry, target))
            element_combine(call->output->dtype, call->reduction, tensor_element(call->output, target),
                            tensor_element(call->updates, entry));
    }
}

static void divide_by_counts(const operator_call *call)
{
    int64_t elements = shape_count(call->output->shape, call->output->rank);
    int64_t *counts = calloc((size_t)elements + 1, sizeof *counts);
    if (!counts)
        abort();
    int64_t entry[STREW_MAX_RANK], target[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->updates); more; more = position_next(entry, call->updates)) {
        if (locate(call, entry, target))
            counts[position_ordinal(target, call->output)]++;
    }
    for (bool more = position_first(entry, call->updates); more; more = position_next(entry, call->updates)) {
        if (!locate(call, entry, target))
            continue;
        int64_t *count = &counts[position_ordinal(target, call->output)];
        if (*count > 0)
            element_divide(call->output->dtype, tensor_element(call->output, target), *count + call->use_init_val);
        *count = 0; /* an element named again is divided already */
    }
    free(counts);
}

static bool starts_from_identity(const operator_call *call)
{
    return kind_has_initial_value(call->kind) && call->reduction != STREW_REDUCTION_NONE && !call->use_init_val;
}

/* What goes over the updates more than once is done as a whole, or not at all. */
static void scatter(const operator_call *call, const strew_error *offender)
{
    copy_data_to_output(call);
    if (offender && (starts_from_identity(call) || call->reduction == STREW_REDUCTION_MEAN))
        return;
    if (starts_from_identity(call))
        start_from_identity(call);
    apply_updates(call, offender);
    if (call->reduction == STREW_REDUCTION_MEAN)
        divide_by_counts(call);
}

bool oracle_run(const operator_call *call, strew_error *error)
{
    const bool right = check_indices(call, error);
    if (!right && call->bounds != STREW_BOUNDS_STOP)
        return false;
    if (call->updates)
        scatter(call, right ? NULL : error);
    else
        gather(call, right ? NULL : error);
    return right;
}

/* ---- Comparison ---------------------------------------------------------------------------------- */

static bool same_memory(const strew_tensor *expected, const strew_tensor *actual)
{
    if (expected->strides || actual->strides)
        return false;
    size_t count = (size_t)shape_count(expected->shape, expected->rank);
    return count == 0 || memcmp(expected->data, actual->data, count * element_size(expected->dtype)) == 0;
}

bool oracle_equal(const strew_tensor *expected, const strew_tensor *actual, oracle_strictness strictness,
                  int64_t position[STREW_MAX_RANK])
{
    /* The layers are too large to be compared one element at a time. */
    if (same_memory(expected, actual))
        return true;
    size_t size = element_size(expected->dtype);
    for (bool more = position_first(position, expected); more; more = position_next(position, expected)) {
        const void *left = tensor_element(expected, position);
        const void *right = tensor_element(actual, position);
        bool same = strictness == ORACLE_SAME_BITS ? memcmp(left, right, size) == 0
                                                   : element_same(expected->dtype, left, right);
        if (!same)
            return false;
    }
    return true;
}
