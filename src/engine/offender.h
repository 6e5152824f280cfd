/* Naming the index that is out of bounds, once it is known that there is one. */
#ifndef STREW_ENGINE_OFFENDER_H
#define STREW_ENGINE_OFFENDER_H

#include "engine/work.h"

/* Integers that name rows, or tuples of them that do: what they are, and what of. */
typedef struct strew_namers {
    const strew_layout *layout;
    const void *items;
    const strew_coordinates *coordinates;
    strew_bounds bounds;
    bool are_tuples;              /* the last dimension holds coordinates */
    strew_operand operand, other; /* of an error: theirs, and that of what has the rows */
    int32_t first_dimension;      /* of that, which the first coordinate selects from */
} strew_namers;

/* The first that is wrong, in row-major order: where it stands. False if there is none. */
bool strew_find_offender(const strew_namers *namers, int64_t *position);

/*
 * Finds the first offender in row-major order, and refuses it. The kernels, which may run in any order, say only
 * that there is one; this looks again, one index at a time. False if there is none.
 */
bool strew_refuse_offender(const strew_namers *namers, strew_error *error);

/* The indices of a call. */
strew_namers strew_indices_of(const strew_work *work, const void *indices);

/* Refuses their first offender. */
strew_status strew_refuse_first_offender(const strew_work *work, const void *indices, strew_error *error);

#endif
