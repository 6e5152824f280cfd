/* A tensor without its data pointer: checked, with every stride in bytes. What all later code works with. */
#ifndef STREW_BASE_LAYOUT_H
#define STREW_BASE_LAYOUT_H

#include "strew/strew.h"

/* The bytes that a tensor reaches, counted from its data pointer: [low, high). Both 0 if it has no elements. */
typedef struct strew_extent {
    int64_t low, high;
} strew_extent;

typedef struct strew_layout {
    int32_t rank;
    strew_dtype dtype;
    int64_t element; /* bytes of one */
    int64_t count;   /* elements */
    strew_extent extent;
    int64_t size[STREW_MAX_RANK];
    int64_t stride[STREW_MAX_RANK]; /* bytes; all 0 if there are no elements */
} strew_layout;

/*
 * Checks that the tensor is one, whatever its contents. Packed elements count as a byte each: operators/packed.c
 * makes bytes of them.
 */
strew_status strew_layout_of(strew_layout *layout, const strew_tensor *tensor, strew_operand operand,
                             strew_error *error);

/* Refuses a layout in which two elements could share a byte. Strides that interleave are refused as well. */
strew_status strew_layout_check_apart(const strew_layout *layout, strew_operand operand, strew_error *error);

/* Whether both put the element of every position at the same distance from their data pointers. */
bool strew_layout_same_places(const strew_layout *a, const strew_layout *b);

#endif
