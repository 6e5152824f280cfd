/*
 * The operators as the header defines them, by plain loops. find_index() finds the index, or the tuple, that
 * belongs to a position of the output (of a gather) or of the updates (of a scatter). locate() finds the position
 * of data that it names.
 */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "oracle_parts.h"
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

static oracle_index index_at(const operator_call *call, const int64_t *position)
{
    return oracle_index_at(call->indices, position, call->data->shape[addressed_dimension(call, position)],
                           oracle_counts_back(call));
}

static bool check_indices(const operator_call *call, strew_error *error)
{
    int64_t position[STREW_MAX_RANK], unused;
    for (bool more = position_first(position, call->indices); more; more = position_next(position, call->indices)) {
        const oracle_index index = index_at(call, position);
        if (oracle_resolve(&index, call->bounds, &unused) == ORACLE_REFUSED) {
            oracle_tell_bad_index(&index, STREW_OPERAND_INDICES, addressed_dimension(call, position), error);
            return false;
        }
    }
    return true;
}

/* The coordinate at this position of indices; false if it is skipped. */
static bool find_coordinate(const operator_call *call, const int64_t *position, int64_t *coordinate)
{
    const oracle_index index = index_at(call, position);
    return oracle_resolve(&index, call->bounds, coordinate) == ORACLE_GOES;
}

/* The position in indices for an entry; for a tuple, that of its first coordinate. */
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

/* entry = position before the axis, the rest of indices' position, position after the axis. */
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

/* For operators with one list of indices. */
static bool comes_before(const operator_call *call, const strew_error *bad_index, const int64_t *entry)
{
    int64_t position[STREW_MAX_RANK], first_wrong[STREW_MAX_RANK];
    memcpy(first_wrong, bad_index->position, sizeof first_wrong);
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

/* `bad_index`, here and below, if the call stops at one. */
static void gather(const operator_call *call, const strew_error *bad_index)
{
    size_t size = element_size(call->data->dtype);
    int64_t entry[STREW_MAX_RANK], source[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->output); more; more = position_next(entry, call->output)) {
        if (bad_index && !comes_before(call, bad_index, entry))
            continue;
        if (locate(call, entry, source))
            memcpy(tensor_element(call->output, entry), tensor_element(call->data, source), size);
        else
            fill_element(call, tensor_element(call->output, entry));
    }
}

void oracle_copy_data(const operator_call *call)
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

static void apply_updates(const operator_call *call, const strew_error *bad_index)
{
    int64_t entry[STREW_MAX_RANK], target[STREW_MAX_RANK];
    for (bool more = position_first(entry, call->updates); more; more = position_next(entry, call->updates)) {
        if ((!bad_index || comes_before(call, bad_index, entry)) && locate(call, entry, target))
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

/* Operators that go over the updates several times are done as a whole, or not at all. */
static void scatter(const operator_call *call, const strew_error *bad_index)
{
    oracle_copy_data(call);
    if (bad_index && (starts_from_identity(call) || call->reduction == STREW_REDUCTION_MEAN))
        return;
    if (starts_from_identity(call))
        start_from_identity(call);
    apply_updates(call, bad_index);
    if (call->reduction == STREW_REDUCTION_MEAN)
        divide_by_counts(call);
}

static bool run_indexed(const operator_call *call, strew_error *error)
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

bool oracle_run(const operator_call *call, strew_error *error)
{
    if (kind_has_bags(call->kind))
        return oracle_run_bags(call, error);
    if (call->kind == STREW_KIND_TENSOR_SCATTER)
        return oracle_run_windows(call, error);
    if (call->kind != STREW_KIND_SLICE_SCATTER)
        return run_indexed(call, error);
    oracle_run_slice(call);
    return true;
}

/* ---- Calls that stop ----------------------------------------------------------------------------- */

bool oracle_takes_part(const operator_call *call, const strew_error *bad_index, const int64_t *entry)
{
    return kind_has_bags(call->kind) ? entry[0] < oracle_bags_before(call, bad_index)
                                     : comes_before(call, bad_index, entry);
}

oracle_extent oracle_says(const operator_call *call, const strew_error *refusal)
{
    if (!refusal)
        return ORACLE_SAYS_ALL;
    if (refusal->status != STREW_STATUS_INDEX_OUT_OF_BOUNDS || call->bounds != STREW_BOUNDS_STOP)
        return ORACLE_SAYS_NOTHING;
    if (!kind_gathers(call->kind))
        return ORACLE_SAYS_ALL;
    if (!kind_has_bags(call->kind))
        return ORACLE_SAYS_A_PART;
    return !kind_has_numbers(call->kind) || oracle_ids_ascend(call) ? ORACLE_SAYS_ALL : ORACLE_SAYS_NOTHING;
}

/* ---- Comparison ---------------------------------------------------------------------------------- */

static bool same_memory(const strew_tensor *expected, const strew_tensor *actual)
{
    if (expected->strides || actual->strides)
        return false;
    size_t count = (size_t)shape_count(expected->shape, expected->rank);
    return count == 0 || memcmp(expected->data, actual->data, count * element_size(expected->dtype)) == 0;
}

static bool same_element(const strew_tensor *expected, const strew_tensor *actual, oracle_strictness strictness,
                         const int64_t *position)
{
    const void *left = tensor_element(expected, position), *right = tensor_element(actual, position);
    return strictness == ORACLE_SAME_BITS ? memcmp(left, right, element_size(expected->dtype)) == 0
                                          : element_same(expected->dtype, left, right);
}

bool oracle_equal(const strew_tensor *expected, const strew_tensor *actual, oracle_strictness strictness,
                  int64_t position[STREW_MAX_RANK])
{
    /* The layers are too large to be compared one element at a time. */
    if (same_memory(expected, actual))
        return true;
    for (bool more = position_first(position, expected); more; more = position_next(position, expected))
        if (!same_element(expected, actual, strictness, position))
            return false;
    return true;
}

bool oracle_agrees(const operator_call *call, const strew_error *refusal, const strew_tensor *expected,
                   oracle_strictness strictness, int64_t position[STREW_MAX_RANK])
{
    const oracle_extent extent = oracle_says(call, refusal);
    if (extent != ORACLE_SAYS_A_PART)
        return extent == ORACLE_SAYS_NOTHING || oracle_equal(expected, call->output, strictness, position);
    for (bool more = position_first(position, expected); more; more = position_next(position, expected))
        if (oracle_takes_part(call, refusal, position) &&
            !same_element(expected, call->output, strictness, position))
            return false;
    return true;
}

bool oracle_same_bad_index(const strew_error *expected, const strew_error *found)
{
    /* An unsigned value that fits in a signed one may be reported as either. */
    const bool same_sign = expected->value >= 0 || expected->value_is_unsigned == found->value_is_unsigned;
    return expected->status == found->status && expected->operand == found->operand &&
           expected->dimension == found->dimension && expected->value == found->value && same_sign &&
           expected->lower == found->lower && expected->upper == found->upper &&
           expected->position_rank == found->position_rank &&
           memcmp(expected->position, found->position, sizeof expected->position) == 0;
}
