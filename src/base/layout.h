/*
 * A layout is a checked tensor without its data pointer, with every stride in bytes. All later code uses layouts.
 */
#ifndef STREW_BASE_LAYOUT_H
#define STREW_BASE_LAYOUT_H

#include "strew/strew.h"

/*
 * The bytes that a tensor reaches: [low, high), counted from its data pointer. Both are 0 if it has no elements.
 */
typedef struct strew_extent {
    int64_t low, high;
} strew_extent;

typedef struct strew_layout {
    int32_t rank;
    strew_dtype dtype;
    int64_t element; /* bytes of one element */
    int64_t count;   /* number of elements */
    strew_extent extent;
    int64_t size[STREW_MAX_RANK];
    int64_t stride[STREW_MAX_RANK]; /* in bytes; all 0 if there are no elements */
} strew_layout;

/*
 * Checks the fields of the tensor and makes its layout. Does not read its elements. Each packed element counts as
 * one byte here; operators/packed.c turns packed elements into bytes later.
 */
strew_status strew_layout_of(strew_layout *layout, const strew_tensor *tensor, strew_operand operand,
                             strew_error *error);

/* Describes an operand that is not given: it has no dimensions and occupies no memory. */
static inline void strew_layout_clear(strew_layout *layout)
{
    layout->rank = 0;
    layout->dtype = STREW_DTYPE_NONE;
    layout->element = layout->count = 0;
    layout->extent.low = layout->extent.high = 0;
}

/* Refuses a layout in which two elements might share a byte. Interleaved strides are refused as well. */
strew_status strew_layout_check_apart(const strew_layout *layout, strew_operand operand, strew_error *error);

/* Returns whether the element of every position has the same distance from the data pointer in both layouts. */
bool strew_layout_same_places(const strew_layout *a, const strew_layout *b);

#endif
