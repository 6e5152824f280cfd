/* The oracle's windows and slices: one element at a time. */
#include <string.h>

#include "element.h"
#include "oracle.h"
#include "oracle_parts.h"
#include "tensor.h"

/* ---- Windows of a cache -------------------------------------------------------------------------- */

static int32_t cache_axis(const operator_call *call)
{
    return (int32_t)(call->axis < 0 ? call->axis + call->data->rank : call->axis);
}

/* The length of the cache along its axis, and the number of possible begins of windows. */
static int64_t cache_length(const operator_call *call)
{
    return call->data->shape[cache_axis(call)];
}

static int64_t begins_within(const operator_call *call)
{
    return cache_length(call) - call->updates->shape[cache_axis(call)] + 1;
}

/* The begin of a batch's window. A circular cache takes any index that is not negative. */
static oracle_fate find_begin(const operator_call *call, const int64_t *batch, int64_t *begin)
{
    *begin = 0;
    if (!call->indices)
        return ORACLE_GOES;
    const int64_t length = cache_length(call);
    const bool goes_around = call->circular && length > 0;
    const oracle_index index =
        oracle_index_at(call->indices, batch, goes_around ? length : begins_within(call), false);
    if (!call->circular || index.is_negative)
        return oracle_resolve(&index, call->bounds, begin);
    *begin = goes_around ? oracle_remainder(&index, length) : 0;
    return ORACLE_GOES;
}

static void tell_batch(const operator_call *call, const int64_t *batch, strew_error *error)
{
    const oracle_index index = oracle_index_at(call->indices, batch, begins_within(call), false);
    oracle_tell_bad_index(&index, STREW_OPERAND_INDICES, cache_axis(call), error);
    if (call->circular)
        error->upper = INT64_MAX;
}

/* The first batch whose window is refused; the number of batches if there is none. */
static int64_t refused_batch(const operator_call *call)
{
    int64_t begin, batch = 0;
    while (batch < call->data->shape[0] && find_begin(call, &batch, &begin) != ORACLE_REFUSED)
        batch++;
    return batch;
}

static void write_windows(const operator_call *call, int64_t batches)
{
    const strew_tensor *updates = call->updates;
    const int32_t axis = cache_axis(call);
    int64_t entry[STREW_MAX_RANK], target[STREW_MAX_RANK], begin;
    for (bool more = position_first(entry, updates); more; more = position_next(entry, updates)) {
        if (entry[0] >= batches || find_begin(call, entry, &begin) != ORACLE_GOES)
            continue;
        memcpy(target, entry, sizeof target);
        target[axis] = (begin + entry[axis]) % cache_length(call);
        memcpy(tensor_element(call->output, target), tensor_element(updates, entry), element_size(updates->dtype));
    }
}

bool oracle_run_windows(const operator_call *call, strew_error *error)
{
    const int64_t batches = refused_batch(call);
    const bool right = batches == call->data->shape[0];
    if (!right)
        tell_batch(call, &batches, error);
    if (right || call->bounds == STREW_BOUNDS_STOP) {
        oracle_copy_data(call);
        write_windows(call, batches);
    }
    return right;
}

/* ---- Slices -------------------------------------------------------------------------------------- */

/* Counted one element at a time, from a bound that has been clamped. */
static oracle_selection select_by_counting(int64_t size, int64_t start, int64_t stop, int64_t step)
{
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    start = start < 0 ? start + size : start;
    stop = stop < 0 ? stop + size : stop;
    start = start < low ? low : start > high ? high : start;
    stop = stop < low ? low : stop > high ? high : stop;
    oracle_selection selection = {start, step, 0};
    while (step > 0 ? start < stop : start > stop) {
        selection.length++;
        if (step > size || step < -size)
            break;
        start += step;
    }
    return selection;
}

void oracle_select(const strew_slice *slice, int32_t rank, const int64_t *shape,
                   oracle_selection selections[STREW_MAX_RANK])
{
    for (int32_t d = 0; d < rank; d++)
        selections[d] = (oracle_selection){0, 1, shape[d]};
    for (int32_t i = 0; i < slice->count; i++) {
        const int64_t axis = slice->axes ? slice->axes[i] : i, d = axis < 0 ? axis + rank : axis;
        selections[d] = select_by_counting(shape[d], slice->starts[i], slice->stops[i], slice->steps[i]);
    }
}

void oracle_run_slice(const operator_call *call)
{
    const strew_tensor *updates = call->updates;
    oracle_selection selections[STREW_MAX_RANK];
    int64_t entry[STREW_MAX_RANK], target[STREW_MAX_RANK];
    oracle_select(call->slice, call->data->rank, call->data->shape, selections);
    oracle_copy_data(call);
    for (bool more = position_first(entry, updates); more; more = position_next(entry, updates)) {
        for (int32_t d = 0; d < updates->rank; d++)
            target[d] = selections[d].begin + entry[d] * selections[d].step;
        memcpy(tensor_element(call->output, target), tensor_element(updates, entry), element_size(updates->dtype));
    }
}
