#include "base/layout.h"

#include "base/error.h"

static strew_status refuse_too_large(strew_operand operand, int32_t dimension, strew_error *error)
{
    return STREW_REFUSE(error, TOO_LARGE, .operand = operand, .dimension = dimension, .upper = PTRDIFF_MAX);
}

static strew_status check_fields(const strew_tensor *tensor, strew_operand operand, strew_error *error)
{
    if (!tensor)
        return STREW_REFUSE(error, NULL_ARGUMENT, .operand = operand);
    if (tensor->rank < 0 || tensor->rank > STREW_MAX_RANK)
        return STREW_REFUSE(error, RANK_OUT_OF_RANGE, .operand = operand, .value = tensor->rank,
                            .upper = STREW_MAX_RANK);
    if (tensor->rank > 0 && !tensor->shape)
        return STREW_REFUSE(error, NULL_SHAPE, .operand = operand, .value = tensor->rank);
    return STREW_STATUS_OK;
}

/*
 * Reads the sizes and computes the number of elements. The overflow check leaves out sizes of 0, so that no
 * partial product of the others can overflow later.
 */
static strew_status take_shape(strew_layout *layout, const strew_tensor *tensor, strew_operand operand,
                               strew_error *error)
{
    int64_t bytes = layout->element, count = 1;
    for (int32_t d = 0; d < layout->rank; d++) {
        const int64_t size = tensor->shape[d];
        if (size < 0)
            return STREW_REFUSE(error, NEGATIVE_SIZE, .operand = operand, .dimension = d, .value = size);
        layout->size[d] = size;
        if (size > 0 && (!strew_multiply(bytes, size, &bytes) || bytes > PTRDIFF_MAX))
            return refuse_too_large(operand, d, error);
        count *= size;
    }
    layout->count = count;
    return STREW_STATUS_OK;
}

static void take_contiguous_strides(strew_layout *layout)
{
    int64_t step = layout->element;
    for (int32_t d = layout->rank; d-- > 0;) {
        layout->stride[d] = step;
        if (layout->size[d] > 0)
            step *= layout->size[d];
    }
    layout->extent = (strew_extent){0, layout->count * layout->element};
}

/* Clears the strides of a tensor without elements. Such strides might lead beyond any memory. */
static void clear_strides(strew_layout *layout)
{
    for (int32_t d = 0; d < layout->rank; d++)
        layout->stride[d] = 0;
    layout->extent = (strew_extent){0, 0};
}

/*
 * Reads the strides and computes the extent. Strides of dimensions of size 0 or 1 are never used, so they are
 * ignored.
 */
static strew_status take_given_strides(strew_layout *layout, const strew_tensor *tensor, strew_operand operand,
                                       strew_error *error)
{
    strew_extent extent = {0, layout->element};
    for (int32_t d = 0; d < layout->rank; d++) {
        const int64_t steps = layout->size[d] > 1 ? layout->size[d] - 1 : 0;
        int64_t distance;
        if (steps == 0) {
            layout->stride[d] = 0;
            continue;
        }
        if (!strew_multiply(tensor->strides[d], layout->element, &layout->stride[d]) ||
            !strew_multiply(layout->stride[d], steps, &distance))
            return refuse_too_large(operand, d, error);
        int64_t *const end = distance < 0 ? &extent.low : &extent.high;
        /* low <= 0 <= high, so that their unsigned difference is exact. */
        if (!strew_add(*end, distance, end) || (uint64_t)extent.high - (uint64_t)extent.low > (uint64_t)PTRDIFF_MAX)
            return refuse_too_large(operand, d, error);
    }
    layout->extent = extent;
    return STREW_STATUS_OK;
}

/* Proved in tests/proof/prove_layout.cpp: refuses only what reaches too far; all else lies in the extent. */
strew_status strew_layout_of(strew_layout *layout, const strew_tensor *tensor, strew_operand operand,
                             strew_error *error)
{
    RETURN_IF_REFUSED(check_fields(tensor, operand, error));
    layout->rank = tensor->rank;
    layout->dtype = tensor->dtype;
    const uint64_t bits = strew_dtype_bits(tensor->dtype);
    if (bits == 0)
        return STREW_REFUSE(error, UNKNOWN_DTYPE, .operand = operand, .value = tensor->dtype);
    layout->element = bits < 8 ? 1 : (int64_t)(bits / 8);
    RETURN_IF_REFUSED(take_shape(layout, tensor, operand, error));
    if (tensor->strides)
        RETURN_IF_REFUSED(take_given_strides(layout, tensor, operand, error));
    else
        take_contiguous_strides(layout);
    if (layout->count == 0)
        clear_strides(layout);
    return STREW_STATUS_OK;
}

static int64_t magnitude(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Returns the dimension with the smallest stride among those not in `done`; -1 if there is none. */
static int32_t next_by_stride(const strew_layout *layout, uint32_t done)
{
    int32_t best = -1;
    for (int32_t d = 0; d < layout->rank; d++) {
        if (layout->size[d] < 2 || (done >> d & 1))
            continue;
        if (best < 0 || magnitude(layout->stride[d]) < magnitude(layout->stride[best]))
            best = d;
    }
    return best;
}

/* Proved in tests/proof/prove_layout.cpp: no elements of what passes share a byte; what has no gaps passes. */
strew_status strew_layout_check_apart(const strew_layout *layout, strew_operand operand, strew_error *error)
{
    if (layout->count == 0)
        return STREW_STATUS_OK;
    int64_t covered = layout->element; /* bytes that the dimensions so far reach */
    uint32_t done = 0;
    for (int32_t d = next_by_stride(layout, done); d >= 0; d = next_by_stride(layout, done)) {
        const int64_t stride = magnitude(layout->stride[d]);
        if (stride < covered)
            return STREW_REFUSE(error, OVERLAPS_ITSELF, .operand = operand, .dimension = d,
                                .value = layout->stride[d] / layout->element, .lower = covered / layout->element);
        covered += stride * (layout->size[d] - 1);
        done |= 1u << d;
    }
    return STREW_STATUS_OK;
}

/* Proved in tests/proof/prove_layout.cpp: true exactly if each position has the same distance in both. */
bool strew_layout_same_places(const strew_layout *a, const strew_layout *b)
{
    if (a->rank != b->rank || a->element != b->element)
        return false;
    for (int32_t d = 0; d < a->rank; d++) {
        if (a->size[d] != b->size[d])
            return false;
        if (a->size[d] > 1 && a->stride[d] != b->stride[d])
            return false;
    }
    return true;
}
