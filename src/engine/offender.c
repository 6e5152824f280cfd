#include "engine/offender.h"

#include <string.h>

#include "base/error.h"
#include "base/integer.h"

/* `index` as strew_read_integer gives it. */
/* Proved in tests/proof/prove_offender.cpp: true exactly of wrong indices. */
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

/* The index at a position, as strew_read_integer gives it. */
static int64_t index_at(const strew_namers *namers, const int64_t *position)
{
    const strew_layout *layout = namers->layout;
    int64_t offset = 0;
    for (int32_t d = 0; d < layout->rank; d++)
        offset += position[d] * layout->stride[d];
    return strew_read_integer((const char *)namers->items + offset, layout->dtype);
}

/* Which coordinate the index at a position is. */
static int32_t coordinate_of(const strew_namers *namers, const int64_t *position)
{
    return namers->are_tuples ? (int32_t)position[namers->layout->rank - 1] : 0;
}

/* Whether another index takes the place of a wrong one, unless the dimension is empty. */
static bool is_amended(strew_bounds bounds)
{
    return bounds == STREW_BOUNDS_CLAMP || bounds == STREW_BOUNDS_WRAP;
}

/* Proved in tests/proof/prove_offender.cpp: finds the first wrong one, and reads within indices. */
bool strew_find_offender(const strew_namers *namers, int64_t *position)
{
    const strew_layout *layout = namers->layout;
    const strew_coordinates *coordinates = namers->coordinates;
    memset(position, 0, STREW_MAX_RANK * sizeof *position);
    if (layout->count == 0)
        return false;
    do {
        const int64_t size = coordinates->each[coordinate_of(namers, position)].size;
        if ((size == 0 || !is_amended(namers->bounds)) &&
            is_outside(index_at(namers, position), layout->dtype, coordinates->wrap, size))
            return true;
    } while (next_position(position, layout));
    return false;
}

bool strew_refuse_offender(const strew_namers *namers, strew_error *error)
{
    int64_t position[STREW_MAX_RANK];
    if (!strew_find_offender(namers, position))
        return false;
    const strew_layout *layout = namers->layout;
    const int32_t c = coordinate_of(namers, position);
    const int64_t size = namers->coordinates->each[c].size;
    strew_error details = {
        .operand = namers->operand,
        .other = namers->other,
        .dimension = namers->first_dimension + c,
        .value_is_unsigned = layout->dtype == STREW_DTYPE_UINT64,
        .value = index_at(namers, position),
        .lower = namers->coordinates->wrap && !strew_is_unsigned(layout->dtype) ? -size : 0,
        .upper = size == STREW_UNLIMITED ? INT64_MAX : size - 1,
        .position_rank = layout->rank,
    };
    memcpy(details.position, position, (size_t)layout->rank * sizeof *position);
    strew_refuse(error, size > 0 ? STREW_REASON_INDEX_OUTSIDE : STREW_REASON_INDEX_INTO_EMPTY, &details);
    return true;
}

strew_namers strew_indices_of(const strew_work *work, const void *indices)
{
    const strew_form *form = &work->form;
    const bool gathers_updates = strew_form_has_bags(form) && form->direction == STREW_SCATTERS;
    return (strew_namers){
        .layout = &form->indices,
        .items = indices,
        .coordinates = &work->walk.coordinates,
        .bounds = form->bounds,
        .are_tuples = form->addressing == STREW_ROWS,
        .operand = STREW_OPERAND_INDICES,
        .other = gathers_updates ? STREW_OPERAND_UPDATES : STREW_OPERAND_DATA,
        .first_dimension = strew_form_first_coordinate(form),
    };
}

strew_status strew_refuse_first_offender(const strew_work *work, const void *indices, strew_error *error)
{
    const strew_namers namers = strew_indices_of(work, indices);
    if (strew_refuse_offender(&namers, error))
        return STREW_STATUS_INDEX_OUT_OF_BOUNDS;
    /* Only if another thread changed the indices meanwhile, which the caller must not allow. */
    return STREW_REFUSE(error, INDEX_OUTSIDE, .operand = STREW_OPERAND_INDICES, .other = STREW_OPERAND_DATA);
}
