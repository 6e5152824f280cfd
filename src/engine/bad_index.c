#include "engine/bad_index.h"

#include <string.h>

#include "base/error.h"
#include "base/integer.h"

/* Whether an index that strew_read_integer has read is bad. */
/* Proved in tests/proof/prove_bad_index.cpp: true for bad indices and for no others. */
static bool is_outside(int64_t index, strew_dtype dtype, bool wrap, int64_t size)
{
    if (index >= 0 || dtype == STREW_DTYPE_UINT64)
        return size != STREW_UNLIMITED && (uint64_t)index >= (uint64_t)size;
    return !wrap || index < -size;
}

/* Steps to the next position in row-major order. Returns false after the last one. */
static bool next_position(int64_t *position, const strew_layout *layout)
{
    for (int32_t d = layout->rank; d-- > 0;) {
        if (++position[d] < layout->size[d])
            return true;
        position[d] = 0;
    }
    return false;
}

static int64_t index_at(const strew_index_list *list, const int64_t *position)
{
    const strew_layout *layout = list->layout;
    int64_t offset = 0;
    for (int32_t d = 0; d < layout->rank; d++)
        offset += position[d] * layout->stride[d];
    return strew_read_integer((const char *)list->items + offset, layout->dtype);
}

/* Returns which coordinate the index at a position is. */
static int32_t coordinate_of(const strew_index_list *list, const int64_t *position)
{
    return list->has_tuples ? (int32_t)position[list->layout->rank - 1] : 0;
}

/* Proved in tests/proof/prove_bad_index.cpp: finds the first bad index, and every read is within indices. */
bool strew_find_bad_index(const strew_index_list *list, int64_t *position)
{
    const strew_layout *layout = list->layout;
    const strew_coordinates *coordinates = list->coordinates;
    /* Whether the policy replaces a bad index by a good one. An empty dimension has no good one. */
    const bool is_amended = list->bounds == STREW_BOUNDS_CLAMP || list->bounds == STREW_BOUNDS_WRAP;
    memset(position, 0, STREW_MAX_RANK * sizeof *position);
    if (layout->count == 0)
        return false;
    do {
        const int64_t size = coordinates->each[coordinate_of(list, position)].size;
        if ((size == 0 || !is_amended) &&
            is_outside(index_at(list, position), layout->dtype, coordinates->wrap, size))
            return true;
    } while (next_position(position, layout));
    return false;
}

bool strew_refuse_bad_index(const strew_index_list *list, strew_error *error)
{
    int64_t position[STREW_MAX_RANK];
    if (!strew_find_bad_index(list, position))
        return false;
    const strew_layout *layout = list->layout;
    const int32_t c = coordinate_of(list, position);
    const int64_t size = list->coordinates->each[c].size;
    strew_error details = {
        .operand = list->operand,
        .other = list->other,
        .dimension = list->first_dimension + c,
        .value_is_unsigned = layout->dtype == STREW_DTYPE_UINT64,
        .value = index_at(list, position),
        .lower = list->coordinates->wrap && !strew_is_unsigned(layout->dtype) ? -size : 0,
        .upper = size == STREW_UNLIMITED ? INT64_MAX : size - 1,
        .position_rank = layout->rank,
    };
    memcpy(details.position, position, (size_t)layout->rank * sizeof *position);
    strew_refuse(error, size > 0 ? STREW_REASON_INDEX_OUTSIDE : STREW_REASON_INDEX_INTO_EMPTY, &details);
    return true;
}

strew_index_list strew_index_list_of(const strew_work *work, const void *indices)
{
    const strew_form *form = &work->form;
    const bool gathers_updates = strew_form_has_bags(form) && form->direction == STREW_SCATTERS;
    return (strew_index_list){
        .layout = &form->indices,
        .items = indices,
        .coordinates = &work->walk.coordinates,
        .bounds = form->bounds,
        .has_tuples = form->addressing == STREW_ROWS,
        .operand = STREW_OPERAND_INDICES,
        .other = gathers_updates ? STREW_OPERAND_UPDATES : STREW_OPERAND_DATA,
        .first_dimension = strew_form_first_coordinate(form),
    };
}
