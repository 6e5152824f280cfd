/* Slices of a tensor, with the rules of Python's slices. */
#ifndef STREW_OPERATORS_SLICE_H
#define STREW_OPERATORS_SLICE_H

#include "engine/form.h"

/* For each dimension: where the slice begins, its step, and how many positions it has. */
typedef struct strew_sliced {
    int64_t begin[STREW_MAX_RANK], step[STREW_MAX_RANK], length[STREW_MAX_RANK];
} strew_sliced;

/* Checks a slice and applies it to the tensor. */
strew_status strew_slice_of(strew_sliced *sliced, const strew_slice *slice, const strew_layout *layout,
                            strew_error *error);

/* Returns the last dimension that the slice does not take whole and in order; -1 if there is none. */
int32_t strew_slice_last_cut(const strew_sliced *sliced, const strew_layout *layout);

/* Sets the form's `slice` to the part of the output that the slice selects. */
void strew_slice_address(strew_form *form, const strew_sliced *sliced);

#endif
