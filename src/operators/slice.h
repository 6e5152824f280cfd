/* Slices of a tensor, as Python has them: what they select, dimension by dimension. */
#ifndef STREW_OPERATORS_SLICE_H
#define STREW_OPERATORS_SLICE_H

#include "engine/form.h"

/* Of each dimension: where the slice begins, by how many it steps, and how many it takes. */
typedef struct strew_sliced {
    int64_t begin[STREW_MAX_RANK], step[STREW_MAX_RANK], length[STREW_MAX_RANK];
} strew_sliced;

/* Checks the slice against the tensor. */
strew_status strew_slice_of(strew_sliced *sliced, const strew_slice *slice, const strew_layout *layout,
                            strew_error *error);

/* The last dimension of which the slice does not take all, one after the other; -1 if there is none. */
int32_t strew_slice_last_cut(const strew_sliced *sliced, const strew_layout *layout);

/* The part of the form's output that is sliced. */
void strew_slice_address(strew_form *form, const strew_sliced *sliced);

#endif
