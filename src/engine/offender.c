#include "engine/offender.h"

#include <string.h>

#include "base/error.h"
#include "base/integer.h"

/* `index` as strew_read_integer gives it. */
static bool is_outside(int64_t index, strew_dtype dtype, bool wrap, int64_t size)
{
    if (index >= 0)
        return index >= size;
    return dtype == STREW_DTYPE_UINT64 || !wrap || index < -size;
}

/* Steps to the next position, row-major. False after the last one. */
static bool next_position(int64_t *position, const strew_layout *layout)
{
    for (int32_t d = layout->rank; d-- > 0;) {
        if (++position[d] < layout->size[d])
            return true;
        position[d] = 0;
    }
    return false;
}

/* Of data: the one that the first coordinate selects from. */
static int32_t first_dimension(const strew_form *form)
{
    return form->addressing == STREW_ROWS ? form->batch_dims : form->axis;
}

static strew_status refuse(const strew_work *work, const int64_t *position, int32_t c, int64_t index,
                           strew_error *error)
{
    const int64_t size = work->walk.coordinates.each[c].size;
    strew_error details = {
        .operand = STREW_OPERAND_INDICES,
        .other = STREW_OPERAND_DATA,
        .dimension = first_dimension(&work->form) + c,
        .value_is_unsigned = work->form.indices.dtype == STREW_DTYPE_UINT64,
        .value = index,
        .lower = work->walk.coordinates.wrap ? -size : 0,
        .upper = size - 1,
        .position_rank = work->form.indices.rank,
    };
    memcpy(details.position, position, (size_t)work->form.indices.rank * sizeof *position);
    return strew_refuse(error, size > 0 ? STREW_REASON_INDEX_OUTSIDE : STREW_REASON_INDEX_INTO_EMPTY, &details);
}

strew_status strew_refuse_first_offender(const strew_work *work, const void *indices, strew_error *error)
{
    const strew_layout *layout = &work->form.indices;
    int64_t position[STREW_MAX_RANK] = {0};
    do {
        int64_t offset = 0;
        for (int32_t d = 0; d < layout->rank; d++)
            offset += position[d] * layout->stride[d];
        const int64_t index = strew_read_integer((const char *)indices + offset, layout->dtype);
        const int32_t c = work->form.addressing == STREW_ROWS ? (int32_t)position[layout->rank - 1] : 0;
        if (is_outside(index, layout->dtype, work->walk.coordinates.wrap, work->walk.coordinates.each[c].size))
            return refuse(work, position, c, index, error);
    } while (next_position(position, layout));
    /* Only if another thread changed the indices meanwhile, which the caller must not allow. */
    return STREW_REFUSE(error, INDEX_OUTSIDE, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA);
}
