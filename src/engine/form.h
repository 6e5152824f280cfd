/* The form of a call: what its tensors are to each other. Operators fill it in, with everything checked. */
#ifndef STREW_ENGINE_FORM_H
#define STREW_ENGINE_FORM_H

#include "base/choice.h"
#include "base/layout.h"
#include "engine/bags/bags.h"
#include "engine/walk/walk.h"

typedef enum strew_addressing {
    STREW_ROWS,     /* the last dimension of indices holds tuples, each of which names a row */
    STREW_ELEMENTS, /* each entry of indices replaces the coordinate on the axis of its own position */
    STREW_AXIS,     /* each entry of indices names a row along the axis, once for each position before the axis */
    STREW_WINDOWS,  /* each entry of indices, one for each batch, says where along the axis a window begins */
    STREW_SLICE,    /* there are no indices: all of dense goes to a part of the addressed tensor */
    STREW_BAGS      /* each entry of indices names a row of one tensor, which goes into a row of another */
} strew_addressing;

/* `dense` has a row, or an element, for each position of `indices`; along an axis, at each position before it. */
typedef struct strew_form {
    strew_direction direction;
    strew_addressing addressing;
    int32_t batch_dims; /* of rows, and along an axis; 1 of windows */
    int32_t axis;       /* of elements, along an axis, and of windows; of a slice, the last dimension it cuts */
    bool circular;      /* windows that would go beyond the end go on at the beginning */
    bool wrap;          /* negative indices count from the end */
    bool inspected;     /* indices are numbers that strew has written (engine/inspection.h) */
    bool is_unique;     /* the caller says that no two name one element */
    strew_bounds bounds;
    strew_reduction reduction;
    bool use_init_val;
    int64_t fill_bytes; /* of what a gather that skips writes again and again */
    strew_layout data, indices, dense;
    strew_layout output;          /* of a scatter: what is written. A gather writes `dense` */
    union {                       /* of one addressing each, for plans have to fit on stacks: */
        strew_layout slice;       /* of STREW_SLICE: the part of output that is addressed, */
        strew_layout segment_ids; /* of STREW_BAGS: into which rows entries go, or where bags begin */
    };
    int64_t slice_begin; /* of a slice: so many bytes after the beginning of output where it begins */
    uint64_t seal;       /* of an inspection: what tells it from others, */
    uint32_t shares;     /* and of how many owners it lists the rows; 0: of none */
    /* Of STREW_BAGS: */
    strew_segments segments;
    strew_operand segments_operand; /* what the caller calls segment_ids */
    strew_layout weights;           /* of dtype STREW_DTYPE_NONE if there are none */
    int64_t default_row;            /* of data, which rows are given that nothing goes into; -1 for `empty` */
    const void *empty;              /* an element; NULL where such a row is left as it is */
    bool drops_beyond;              /* entries that go beyond the last row are left out */
    bool sorted; /* inspected: indices, offsets and the order of entries all lie in the storage */
} strew_form;

/* The size of a coordinate of which any value is good that is not negative: of a circular window. */
#define STREW_UNLIMITED INT64_MAX

/* Whether elements that are named start from the identity of the reduction. */
static inline bool strew_form_starts_from_identity(const strew_form *form)
{
    return form->reduction != STREW_REDUCTION_NONE && !form->use_init_val;
}

/* Questions whose answer is a constant where the build has no such operator or reduction, so that code goes with
 * it. */
STREW_INLINE bool strew_form_has_bags(const strew_form *form)
{
    return STREW_HAS_BAGS && form->addressing == STREW_BAGS;
}
/* Whether a list says the number of the row that each entry goes into. */
STREW_INLINE bool strew_form_has_segment_ids(const strew_form *form)
{
    return strew_form_has_bags(form) && (form->segments == STREW_SORTED || form->segments == STREW_ANY);
}
STREW_INLINE bool strew_form_is_slice(const strew_form *form)
{
    return STREW_HAS(SLICE_SCATTER) && form->addressing == STREW_SLICE;
}
STREW_INLINE bool strew_form_is_circular(const strew_form *form)
{
    return STREW_HAS(TENSOR_SCATTER) && form->circular;
}
STREW_INLINE bool strew_form_is_mean(const strew_form *form)
{
    return STREW_HAS(MEAN) && form->reduction == STREW_REDUCTION_MEAN;
}

/* The tensor that indices address. */
static inline const strew_layout *strew_form_addressed(const strew_form *form)
{
    return form->addressing == STREW_SLICE    ? &form->slice
           : form->direction == STREW_GATHERS ? &form->data
                                              : &form->output;
}

/* How many dimensions of indices are positions: all but that of tuples. */
static inline int32_t strew_form_index_dims(const strew_form *form)
{
    switch (form->addressing) {
    case STREW_ROWS: return form->indices.rank - 1;
    case STREW_SLICE: return 0;
    default: return form->indices.rank;
    }
}

/* The dimension of the addressed tensor that the first coordinate selects from. */
static inline int32_t strew_form_first_coordinate(const strew_form *form)
{
    return form->addressing == STREW_ROWS ? form->batch_dims : form->axis;
}

/* Dimension d of indices, as one of positions. */
strew_dim strew_form_index_dim(const strew_form *form, int32_t d);

/* Whether positions come in the order of indices: not where each index names rows at several places. */
bool strew_form_is_in_index_order(const strew_form *form);

/* The walk over all positions, not coalesced yet. */
void strew_form_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

/* The walk over `length` positions of a window of one batch, and all rows at each. */
void strew_form_window_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels, int64_t length);

/* A scatter's walk that copies data to output, which is gathering without coordinates. */
void strew_form_copy_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

#endif
