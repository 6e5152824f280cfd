/* x[...] with tensors and masks among the indices, as calls of strew. ¶ The indexed dimensions are moved side by
 * side (to the front, if they are not already adjacent), and the index tensors are broadcast to one shape. The
 * call then gathers or scatters rows: each position of that shape names a row of self by a tuple of coordinates.
 * With one index tensor it becomes a call of elements with an expanded index, which is faster. Several are
 * packed into tuples first. A mask alone becomes tuples by nonzero. */
#ifndef STREW_TORCH_INDEX_H
#define STREW_TORCH_INDEX_H

#include "takeover.h"

/* One of the indices. */
typedef struct index_item {
    int32_t dimensions; /* how many of self it indexes: more than 1 for a mask of more dimensions */
    bool given;         /* not None */
    bool positions;     /* view is what nonzero gives for a mask: (count, dimensions) */
    strew_tensor view;
} index_item;

/* One coordinate of the tuples, broadcast: its index tensor, and the strides of that (in elements) over the
 * common shape. */
typedef struct coordinate {
    strew_tensor view;
    int64_t strides[STREW_MAX_RANK];
} coordinate;

/* The indices, resolved against self. */
typedef struct indexing {
    strew_tensor data;
    int32_t count;                          /* number of coordinates */
    int32_t dimension[STREW_MAX_RANK];      /* the dimension of self that each coordinate indexes, ascending */
    coordinate coordinates[STREW_MAX_RANK]; /* they */
    const strew_tensor *positions;          /* of the last mask; NULL if there is none */
    int32_t rank;                           /* rank of the common shape of the coordinates */
    int64_t shape[STREW_MAX_RANK];          /* it */
    int32_t before, after;                  /* dimensions of self on either side of the indexed ones */
    layout moved;                           /* self, its indexed dimensions side by side */
    int32_t result_rank;                    /* rank of the tensor that is read or written */
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
