#include "operators/slice.h"

#include "base/error.h"

static int64_t clamped(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/*
 * Returns a bound of a slice along a dimension of this size. A negative value counts from the end; then it is
 * clamped.
 */
static int64_t bound_of(int64_t value, int64_t step, int64_t size)
{
    const int64_t from_start = value < 0 ? value + size : value;
    return step > 0 ? clamped(from_start, 0, size) : clamped(from_start, -1, size - 1);
}

/*
 * Returns how many steps go from `begin` to `end`, which is excluded. INT64_MIN cannot be negated as a signed
 * number.
 */
static int64_t length_of(int64_t begin, int64_t end, int64_t step)
{
    const int64_t distance = step > 0 ? end - begin : begin - end;
    const uint64_t by = step > 0 ? (uint64_t)step : -(uint64_t)step;
    return distance > 0 ? (int64_t)(((uint64_t)distance - 1) / by) + 1 : 0;
}

static strew_status check_slice(const strew_slice *slice, int32_t rank, strew_error *error)
{
    if (!slice)
        return STREW_REFUSE(error, NULL_ARGUMENT, .operand = STREW_OPERAND_SLICE);
    if (slice->count < 0 || slice->count > rank)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_SLICE, .value = slice->count,
                            .upper = rank);
    if (slice->count > 0 && !(slice->starts && slice->stops && slice->steps))
        return STREW_REFUSE(error, NULL_ARGUMENT, .operand = STREW_OPERAND_SLICE);
    return STREW_STATUS_OK;
}

static strew_status take_axis(const strew_slice *slice, int32_t i, int32_t rank, uint32_t *taken, int32_t *axis,
                              strew_error *error)
{
    const int64_t given = slice->axes ? slice->axes[i] : i;
    if (given < -rank || given >= rank)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_SLICE, .value = given, .lower = -rank,
                            .upper = rank - 1);
    *axis = (int32_t)(given < 0 ? given + rank : given);
    if (*taken >> *axis & 1)
        return STREW_REFUSE(error, REPEATED_AXIS, .operand = STREW_OPERAND_SLICE, .dimension = *axis);
    *taken |= UINT32_C(1) << *axis;
    return STREW_STATUS_OK;
}

/* Proved in tests/proof/prove_slice.cpp: refuses only steps of 0, and selects what a slice of Python selects. */
strew_status strew_slice_of(strew_sliced *sliced, const strew_slice *slice, const strew_layout *layout,
                            strew_error *error)
{
    uint32_t taken = 0;
    RETURN_IF_REFUSED(check_slice(slice, layout->rank, error));
    for (int32_t d = 0; d < layout->rank; d++) {
        sliced->begin[d] = 0;
        sliced->step[d] = 1;
        sliced->length[d] = layout->size[d];
    }
    for (int32_t i = 0; i < slice->count; i++) {
        const int64_t step = slice->steps[i];
        int32_t d = 0;
        RETURN_IF_REFUSED(take_axis(slice, i, layout->rank, &taken, &d, error));
        if (step == 0)
            return STREW_REFUSE(error, ZERO_STEP, .operand = STREW_OPERAND_SLICE, .dimension = d);
        sliced->begin[d] = bound_of(slice->starts[i], step, layout->size[d]);
        sliced->step[d] = step;
        sliced->length[d] = length_of(sliced->begin[d], bound_of(slice->stops[i], step, layout->size[d]), step);
    }
    return STREW_STATUS_OK;
}

int32_t strew_slice_last_cut(const strew_sliced *sliced, const strew_layout *layout)
{
    int32_t d = layout->rank - 1;
    while (d >= 0 && sliced->step[d] == 1 && sliced->length[d] == layout->size[d])
        d--;
    return d;
}

/* A step along more than one element stays within the tensor, so no product overflows. */
/* Proved in tests/proof/prove_slice.cpp: each element of the part has its place in the output, and is within it. */
void strew_slice_address(strew_form *form, const strew_sliced *sliced)
{
    bool is_empty = false;
    form->slice = form->output;
    for (int32_t d = 0; d < form->output.rank; d++) {
        form->slice.size[d] = sliced->length[d];
        form->slice.stride[d] = sliced->length[d] > 1 ? form->output.stride[d] * sliced->step[d] : 0;
        is_empty |= sliced->length[d] == 0;
    }
    for (int32_t d = 0; d < form->output.rank && !is_empty; d++)
        form->slice_begin += sliced->begin[d] * form->output.stride[d];
}
