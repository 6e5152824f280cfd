#include "engine/offender.h"

#include <string.h>

#include "base/error.h"
#include "base/integer.h"

/* `index` as strew_read_integer gives it. */
static bool is_outside(int64_t index, strew_dtype dtype, bool wrap, int64_t size)
{
    if (index >= 0 || dtype == STREW_DTYPE_UINT64)
        return size != STREW_UNLIMITED && (uint64_t)index >= (uint64_t)size;
    return !wrap || index < -size;
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

static strew_status refuse(const strew_work *work, const int64_t *position, int32_t c, int64_t index,
                           strew_error *error)
{
    const int64_t size = work->walk.coordinates.each[c].size;
    strew_error details = {
        .operand = STREW_OPERAND_INDICES,
        .other = STREW_OPERAND_DATA,
        .dimension = strew_form_first_coordinate(&work->form) + c,
        .value_is_unsigned = work->form.indices.dtype == STREW_DTYPE_UINT64,
        .value = index,
        .lower = work->walk.coordinates.wrap ? -size : 0,
        .upper = size == STREW_UNLIMITED ? INT64_MAX : size - 1,
        .position_rank = work->form.indices.rank,
    };
    memcpy(details.position, position, (size_t)work->form.indices.rank * sizeof *position);
    return strew_refuse(error, size > 0 ? STREW_REASON_INDEX_OUTSIDE : STREW_REASON_INDEX_INTO_EMPTY, &details);
}

/* The index at a position, as strew_read_integer gives it. */
static int64_t index_at(const strew_layout *layout, const void *indices, const int64_t *position)
{
    int64_t offset = 0;
    for (int32_t d = 0; d < layout->rank; d++)
        offset += position[d] * layout->stride[d];
    return strew_read_integer((const char *)indices + offset, layout->dtype);
}

/* Which coordinate the index at a position is. */
static int32_t coordinate_of(const strew_form *form, const int64_t *position)
{
    return form->addressing == STREW_ROWS ? (int32_t)position[form->indices.rank - 1] : 0;
}

/* Whether another index takes the place of a wrong one, unless the dimension is empty. */
static bool is_amended(strew_bounds bounds)
{
    return bounds == STREW_BOUNDS_CLAMP || bounds == STREW_BOUNDS_WRAP;
}

bool strew_find_first_offender(const strew_work *work, const void *indices, int64_t *position)
{
    const strew_layout *layout = &work->form.indices;
    const strew_coordinates *coordinates = &work->walk.coordinates;
    memset(position, 0, STREW_MAX_RANK * sizeof *position);
    do {
        const int64_t size = coordinates->each[coordinate_of(&work->form, position)].size;
        if ((size == 0 || !is_amended(work->form.bounds)) &&
            is_outside(index_at(layout, indices, position), layout->dtype, coordinates->wrap, size))
            return true;
    } while (next_position(position, layout));
    return false;
}

strew_status strew_refuse_first_offender(const strew_work *work, const void *indices, strew_error *error)
{
    int64_t position[STREW_MAX_RANK];
    if (strew_find_first_offender(work, indices, position))
        return refuse(work, position, coordinate_of(&work->form, position),
                      index_at(&work->form.indices, indices, position), error);
    /* Only if another thread changed the indices meanwhile, which the caller must not allow. */
    return STREW_REFUSE(error, INDEX_OUTSIDE, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA);
}
