/*
 * What a strew_plan holds. Operators fill in a strew_form, which says what the tensors are to each other; the
 * engine makes a plan of it, and runs it.
 */
#ifndef STREW_ENGINE_PLAN_H
#define STREW_ENGINE_PLAN_H

#include "base/layout.h"
#include "engine/walk.h"

typedef enum strew_direction {
    STREW_GATHERS, /* reads the addressed tensor */
    STREW_SCATTERS /* writes it: assigning, or combining if there is a reduction */
} strew_direction;

typedef enum strew_addressing {
    STREW_ROWS,    /* the last dimension of indices holds tuples, each of which names a row */
    STREW_ELEMENTS /* each entry of indices replaces the coordinate on the axis of its own position */
} strew_addressing;

/* An operator, with its shapes checked. `dense` has a row, or an element, for each position of `indices`. */
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

typedef struct strew_plan_body {
    uint64_t made; /* STREW_PLAN_MADE */
    const strew_kernels *kernels;
    strew_form form;
    bool can_be_in_place; /* data and output put every element at the same place */
    strew_walk walk;
} strew_plan_body;

#define STREW_PLAN_MADE UINT64_C(0x7374726577000001) /* "strew", and the layout of this struct */

/* Completes a plan that has its form. */
void strew_plan_make(strew_plan_body *plan, const strew_kernels *kernels);

/* A scatter's walk that copies data to output. */
void strew_plan_copy(strew_walk *walk, const strew_plan_body *plan);

/* The gather and scatter kernels that serve rows of this many bytes. */
strew_move_size strew_move_size_of(int64_t row_bytes);
/* What is near (walk.h) to a scatter. */
uint64_t strew_scatter_near(const strew_walk *walk);

/* The walks of the two forms; `addressed` is data when gathering, output when scattering. */
void strew_rows_walk(strew_walk *walk, const strew_layout *addressed, const strew_form *form);
void strew_elements_walk(strew_walk *walk, const strew_layout *addressed, const strew_form *form);
/* The positions of elements in another order: lanes across the axis, merged, then the axis. */
void strew_lanes_walk(strew_walk *walk, const strew_layout *addressed, const strew_form *form);

#endif
