/* Decides whether two tensors share a byte. Tensors that merely interleave do not. */
#ifndef STREW_BASE_OVERLAP_H
#define STREW_BASE_OVERLAP_H

#include "base/layout.h"

/* The bytes that a tensor reaches, from its lowest one. Without a layout, all of these bytes belong to it. */
typedef struct strew_span {
    uintptr_t begin;
    int64_t bytes;
    const strew_layout *layout;
} strew_span;

static inline strew_span strew_span_of(const void *data, const strew_layout *layout)
{
    const strew_extent extent = layout->extent;
    return (strew_span){(uintptr_t)data + (uintptr_t)extent.low, extent.high - extent.low, layout};
}

/* Returns whether the spans meet. If they do not, the tensors share no byte. This cheap test comes first. */
static inline bool strew_spans_meet(const strew_span *a, const strew_span *b)
{
    return a->bytes > 0 && b->bytes > 0 &&
           (a->begin <= b->begin ? b->begin - a->begin < (uintptr_t)a->bytes
                                 : a->begin - b->begin < (uintptr_t)b->bytes);
}

typedef enum strew_overlap {
    STREW_OVERLAP_NONE,
    STREW_OVERLAP_FOUND,
    STREW_OVERLAP_UNKNOWN /* the strides interleave in a way that takes too many steps to decide */
} strew_overlap;

strew_overlap strew_find_overlap(const strew_span *a, const strew_span *b);

#endif
