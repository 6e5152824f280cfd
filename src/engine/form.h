/* The form of a call: what its tensors are to each other. Operators fill it in, with everything checked. */
#ifndef STREW_ENGINE_FORM_H
#define STREW_ENGINE_FORM_H

#include "base/layout.h"
#include "engine/walk/walk.h"

typedef enum strew_addressing {
    STREW_ROWS,    /* the last dimension of indices holds tuples, each of which names a row */
    STREW_ELEMENTS /* each entry of indices replaces the coordinate on the axis of its own position */
} strew_addressing;

/* `dense` has a row, or an element, for each position of `indices`. */
typedef struct strew_form {
    strew_direction direction;
    strew_addressing addressing;
    int32_t batch_dims; /* of rows */
    int32_t axis;       /* of elements */
    bool wrap;          /* negative indices count from the end */
    strew_reduction reduction;
    bool use_init_val;
    strew_layout data, indices, dense;
    strew_layout output; /* of a scatter: what is written. A gather writes `dense` */
} strew_form;

/* Whether elements that are named start from the identity of the reduction. */
static inline bool strew_form_starts_from_identity(const strew_form *form)
{
    return form->reduction != STREW_REDUCTION_NONE && !form->use_init_val;
}

/* The walk over all positions, not coalesced yet. */
void strew_form_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

/* For STREW_ELEMENTS: walks over the lanes along the axis, coalesced; returns the dimension along one lane. */
strew_dim strew_form_lanes_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

/* A scatter's walk that copies data to output, which is gathering without coordinates. */
void strew_form_copy_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

#endif
