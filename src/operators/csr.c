/* Multiplies sparse matrices in compressed rows. They are bags by offsets, with one more offset at the end. */
#include <string.h>

#include "base/error.h"
#include "base/integer.h"
#include "base/options.h"
#include "base/overlap.h"
#include "operators/operator.h"

static int64_t integer_at(const strew_tensor *list, const strew_layout *layout, int64_t place)
{
    return strew_read_integer((const char *)list->data + place * layout->stride[0], layout->dtype);
}

static strew_status refuse_offset(const strew_layout *offsets, strew_reason reason, int64_t place, int64_t value,
                                  int64_t lower, int64_t upper, strew_error *error)
{
    return strew_refuse(error, reason,
                        &(strew_error){.operand = STREW_OPERAND_OFFSETS,
                                       .value_is_unsigned = offsets->dtype == STREW_DTYPE_UINT64,
                                       .value = value,
                                       .lower = lower,
                                       .upper = upper,
                                       .position_rank = 1,
                                       .position = {place}});
}

/* Checks a list of integers whose contents will be read. */
static strew_status take_list(strew_layout *layout, const strew_tensor *list, strew_operand operand,
                              strew_error *error)
{
    RETURN_IF_REFUSED(strew_layout_of(layout, list, operand, error));
    RETURN_IF_REFUSED(strew_check_dtype(operand, layout->dtype, STREW_INTEGERS, UINT32_MAX, error));
    if (layout->rank != 1)
        return STREW_REFUSE(error, WRONG_RANK, .operand = operand, .other = STREW_OPERAND_OUTPUT,
                            .value = layout->rank, .lower = 1);
    if (layout->count > 0 && !list->data)
        return STREW_REFUSE(error, NULL_DATA, .operand = operand);
    return STREW_STATUS_OK;
}

/* Checks the offsets of a matrix. There is one more than the matrix has rows. */
static strew_status take_offsets(strew_layout *layout, const strew_tensor *offsets, strew_error *error)
{
    RETURN_IF_REFUSED(take_list(layout, offsets, STREW_OPERAND_OFFSETS, error));
    if (layout->count < 1)
        return STREW_REFUSE(error, WRONG_SIZE, .operand = STREW_OPERAND_OFFSETS, .other = STREW_OPERAND_OUTPUT,
                            .value = 0, .lower = 1);
    return STREW_STATUS_OK;
}

/* Checks that the last offset is the number of entries. */
static strew_status check_last(const strew_tensor *offsets, const strew_layout *layout, int64_t entries,
                               strew_error *error)
{
    const int64_t place = layout->size[0] - 1, last = integer_at(offsets, layout, place);
    if (last == entries)
        return STREW_STATUS_OK;
    return refuse_offset(layout, STREW_REASON_OFFSET_OUTSIDE, place, last, entries, entries, error);
}

strew_status strew_csr_matmul(const strew_tensor *offsets, const strew_tensor *indices, const strew_tensor *weights,
                              const strew_tensor *data, strew_reduction reduction, const strew_tensor *output,
                              const strew_options *options)
{
    strew_layout layout;
    strew_plan_options planning;
    strew_run_options running;
    RETURN_IF_REFUSED(strew_options_take(options, &planning, &running));
    strew_error *const error = planning.error;
    RETURN_IF_REFUSED(take_offsets(&layout, offsets, error));
    if (indices && indices->rank == 1 && indices->shape)
        RETURN_IF_REFUSED(check_last(offsets, &layout, indices->shape[0], error));
    const int64_t rows = layout.size[0] - 1;
    const strew_tensor begins = {offsets->data, offsets->dtype, 1, &rows, offsets->strides};
    return strew_embedding_bag_offsets(data, indices, &begins, weights, reduction, -1, output, options);
}

/*
 * Refuses the first wrong offset: the first must be 0, each other between the one before it and the number of
 * entries.
 */
static strew_status check_offsets(const strew_tensor *offsets, const strew_layout *layout, int64_t entries,
                                  strew_error *error)
{
    int64_t before = integer_at(offsets, layout, 0);
    RETURN_IF_REFUSED(check_last(offsets, layout, entries, error));
    if (before != 0)
        return refuse_offset(layout, STREW_REASON_OFFSET_OUTSIDE, 0, before, 0, 0, error);
    for (int64_t place = 1; place < layout->size[0]; place++) {
        const int64_t value = integer_at(offsets, layout, place);
        if ((uint64_t)value > (uint64_t)entries)
            return refuse_offset(layout, STREW_REASON_OFFSET_OUTSIDE, place, value, 0, entries, error);
        if (value < before)
            return refuse_offset(layout, STREW_REASON_DECREASES, place, value, before, 0, error);
        before = value;
    }
    return STREW_STATUS_OK;
}

static void write_ids(const strew_tensor *offsets, const strew_layout *layout, char *ids, const strew_layout *list)
{
    const int64_t stride = list->stride[0];
    for (int64_t row = 0; row + 1 < layout->size[0]; row++) {
        const int64_t end = integer_at(offsets, layout, row + 1);
        const int32_t narrow = (int32_t)row;
        for (int64_t e = integer_at(offsets, layout, row); e < end; e++)
            memcpy(ids + e * stride, list->element == sizeof narrow ? (const void *)&narrow : (const void *)&row,
                   (size_t)list->element);
    }
}

strew_status strew_expand_offsets(const strew_tensor *offsets, const strew_tensor *segment_ids, strew_error *error)
{
    strew_layout layout, list;
    RETURN_IF_REFUSED(take_offsets(&layout, offsets, error));
    RETURN_IF_REFUSED(take_list(&list, segment_ids, STREW_OPERAND_SEGMENT_IDS, error));
    const uint32_t taken =
        1u << STREW_DTYPE_INT64 | (layout.size[0] - 1 <= INT32_MAX ? 1u << STREW_DTYPE_INT32 : 0);
    RETURN_IF_REFUSED(strew_check_dtype(STREW_OPERAND_SEGMENT_IDS, list.dtype, taken, UINT32_MAX, error));
    RETURN_IF_REFUSED(strew_layout_check_apart(&list, STREW_OPERAND_SEGMENT_IDS, error));
    const strew_span read = strew_span_of(offsets->data, &layout),
                     written = strew_span_of(segment_ids->data, &list);
    if (strew_spans_meet(&read, &written))
        return STREW_REFUSE(error, OVERLAP, .operand = STREW_OPERAND_SEGMENT_IDS, .other = STREW_OPERAND_OFFSETS);
    RETURN_IF_REFUSED(check_offsets(offsets, &layout, list.size[0], error));
    if (list.count > 0)
        write_ids(offsets, &layout, segment_ids->data, &list);
    return STREW_STATUS_OK;
}
