/*
 * The four operators as the header defines them. Both forms are one question, answered by locate(): which
 * position of data does this position of the output (of a gather) or of the updates (of a scatter) name?
 */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "tensor.h"

static int32_t batch_dims(const operator_call *call)
{
    return call->kind == STREW_KIND_GATHER_ND ? (int32_t)call->batch_dims : 0;
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

static bool check_indices(const operator_call *call, strew_error *error)
{
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, call->indices); more; more = position_next(position, call->indices)) {
        uint64_t index = element_load_integer(call->indices->dtype, tensor_element(call->indices, position));
        if (!is_valid(call, index, call->data->shape[addressed_dimension(call, position)])) {
            tell_offender(call, position, index, error);
            return false;
        }
    }
    return true;
}

/* The coordinate that stands at this position of indices; a negative one counts from the end. */
static int64_t coordinate(const operator_call *call, const int64_t *position)
{
    uint64_t index = element_load_integer(call->indices->dtype, tensor_element(call->indices, position));
    bool negative = element_is_signed(call->indices->dtype) && (int64_t)index < 0;
    return (int64_t)index + (negative ? call->data->shape[addressed_dimension(call, position)] : 0);
}

/* entry = batch, rest of the tuple's position, slice; target = batch, tuple, slice. */
static void locate_in_row(const operator_call *call, const int64_t *entry, int64_t *target)
{
    int32_t batch = batch_dims(call);
    int32_t last = call->indices->rank - 1;
    int32_t tuple = (int32_t)call->indices->shape[last];
    int64_t position[STREW_MAX_RANK];
    for (int32_t d = 0; d < last; d++)
        position[d] = entry[d];
    for (int32_t d = 0; d < batch; d++)
        target[d] = entry[d];
    for (int32_t i = 0; i < tuple; i++) {
        position[last] = i;
        target[batch + i] = coordinate(call, position);
    }
    for (int32_t d = batch + tuple; d < call->data->rank; d++)
        target[d] = entry[last + d - batch - tuple];
}

static void locate(const operator_call *call, const int64_t *entry, int64_t *target)
{
    if (kind_has_rows(call->kind)) {
        locate_in_row(call, entry, target);
        return;
    }
    for (int32_t d = 0; d < call->data->rank; d++)
        target[d] = entry[d];
    target[axis(call)] = coordinate(call, entry);
}

/* ---- Operators ----------------------------------------------------------------------------------- */

static void gather(const operator_call *call)
{
    size_t size = element_size(call->data->dtype);
    int64_t entry[STREW_MAX_RANK], source[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->output); more; more = position_next(entry, call->output)) {
        locate(call, entry, source);
        memcpy(tensor_element(call->output, entry), tensor_element(call->data, source), size);
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
        locate(call, entry, target);
        element_identity(call->output->dtype, call->reduction, tensor_element(call->output, target));
    }
}

static void apply_updates(const operator_call *call)
{
    int64_t entry[STREW_MAX_RANK], target[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->updates); more; more = position_next(entry, call->updates)) {
        locate(call, entry, target);
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
        locate(call, entry, target);
        counts[position_ordinal(target, call->output)]++;
    }
    for (bool more = position_first(entry, call->updates); more; more = position_next(entry, call->updates)) {
        locate(call, entry, target);
        int64_t *count = &counts[position_ordinal(target, call->output)];
        if (*count > 0)
            element_divide(call->output->dtype, tensor_element(call->output, target), *count + call->use_init_val);
        *count = 0; /* an element named again is divided already */
    }
    free(counts);
}

static void scatter(const operator_call *call)
{
    copy_data_to_output(call);
    if (call->kind == STREW_KIND_SCATTER_ELEMENTS && call->reduction != STREW_REDUCTION_NONE && !call->use_init_val)
        start_from_identity(call);
    apply_updates(call);
    if (call->reduction == STREW_REDUCTION_MEAN)
        divide_by_counts(call);
}

bool oracle_run(const operator_call *call, strew_error *error)
{
    if (!check_indices(call, error))
        return false;
    if (call->updates)
        scatter(call);
    else
        gather(call);
    return true;
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
