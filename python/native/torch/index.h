/* x[...] with tensors and masks among the indices, as calls of strew.
 *
 * The indexed dimensions come to stand side by side (first of all, if they do not already), the index tensors are
 * broadcast to one shape, and the call becomes one of rows: each position of that shape names a row of self by a
 * tuple of coordinates. One index tensor is one coordinate, and then it is a call of elements with an expanded
 * index, which is the faster one. Several are packed into tuples first; a mask alone is tuples already, once
 * nonzero has seen it. */
#ifndef STREW_TORCH_INDEX_H
#define STREW_TORCH_INDEX_H

#include "takeover.h"

/* One of the indices. */
typedef struct index_item {
    int32_t dimensions; /* of self that it stands for: more than 1 for a mask of more dimensions */
    bool given;         /* not None */
    bool positions;     /* of a mask: a tensor of (count, dimensions), as nonzero gives it */
    strew_tensor view;
} index_item;

/* One coordinate of the tuples, broadcast: where it lies, and its strides (in elements) over the common shape. */
typedef struct coordinate {
    strew_tensor view;
    int64_t strides[STREW_MAX_RANK];
} coordinate;

/* What the indices come to. */
typedef struct indexing {
    strew_tensor data;
    int32_t count;                          /* of coordinates */
    int32_t dimension[STREW_MAX_RANK];      /* of self that each coordinate indexes, ascending */
    coordinate coordinates[STREW_MAX_RANK]; /* they */
    const strew_tensor *positions;          /* of the last mask; NULL if there is none */
    int32_t rank;                           /* of the common shape of the coordinates */
    int64_t shape[STREW_MAX_RANK];          /* it */
    int32_t before, after;                  /* dimensions of self on either side of the indexed ones */
    layout moved;                           /* self, its indexed dimensions side by side */
    int32_t result_rank;                    /* of what is read or written */
    int64_t result_shape[STREW_MAX_RANK];   /* its shape */
} indexing;

/* Makes one for a tensor and its indices, which have to outlive it. */
outcome indexing_make(indexing *self, const strew_tensor *data, const index_item *items, int32_t count);

/* The strides that PyTorch gives a new result. */
void indexing_strides(const indexing *self, int64_t *strides);

/* Reads into a tensor of the result's shape. */
outcome indexing_get(const indexing *self, const strew_tensor *output);

/* Writes values, of any shape that can be broadcast to the result's, into self. */
outcome indexing_put(const indexing *self, const strew_tensor *values, strew_reduction reduction);

#endif
