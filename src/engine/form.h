/* A form describes a call: its tensors and how the indices address them. Operators fill it in after all checks. */
#ifndef STREW_ENGINE_FORM_H
#define STREW_ENGINE_FORM_H

#include "base/choice.h"
#include "base/layout.h"
#include "engine/bags/bags.h"
#include "engine/walk/walk.h"

typedef enum strew_addressing {
    STREW_ROWS,     /* the last dimension of indices holds tuples; each tuple names a row */
    STREW_ELEMENTS, /* each index replaces, in its own position, the coordinate on the axis */
    STREW_AXIS,     /* each index names a row along the axis, once for each position in the dimensions before it */
    STREW_WINDOWS,  /* there is one index for each batch; a window begins there along the axis */
    STREW_SLICE,    /* there are no indices; all of dense goes to a slice of the addressed tensor */
    STREW_BAGS      /* each index names a row of one tensor, which is combined into a row of another */
} strew_addressing;

typedef struct strew_form {
    strew_direction direction;
    strew_addressing addressing;
    int32_t batch_dims; /* for ROWS and AXIS; 1 for WINDOWS */
    int32_t axis;       /* for ELEMENTS, AXIS and WINDOWS; for SLICE, the last dimension that is cut */
    bool circular;      /* windows continue at the beginning of the axis when they reach its end */
    bool wrap;          /* negative indices count from the end */
    bool inspected;     /* indices are numbers that strew wrote (engine/inspection.h) */
    bool is_unique;     /* the caller promises that no two indices name the same element */
    strew_bounds bounds;
    strew_reduction reduction;
    bool use_init_val;
    int64_t fill_bytes; /* the size of the element that fills skipped rows of a gather */
    strew_layout data, indices;
    strew_layout dense;           /* has a row or an element for each position; a gather writes it */
    strew_layout output;          /* for a scatter, which writes it */
    union {                       /* a union keeps plans small enough for stacks */
        strew_layout slice;       /* for SLICE: the part of output that is addressed */
        strew_layout segment_ids; /* for BAGS: the row into which each entry goes, or where each bag begins */
    };
    int64_t slice_begin;    /* for SLICE: the bytes from the beginning of output to the slice */
    uint64_t seal;          /* for inspected: identifies the inspection */
    uint32_t listed_owners; /* for inspected: the number of owners whose rows it lists; 0: it lists none */
    /* For BAGS: */
    strew_segmentation segments;
    strew_operand segment_ids_operand; /* the operand that the caller passed as segment_ids, for errors */
    strew_layout weights;              /* its dtype is STREW_DTYPE_NONE if there are no weights */
    int64_t default_row;               /* the row of data that rows without entries get; -1: `empty` */
    const void *empty;                 /* the element that fills rows without entries; NULL: they stay */
    bool drops_beyond;                 /* entries that go beyond the last row are left out */
    bool sorted;                       /* inspected: the storage holds indices, offsets and the order of entries */
    bool indices_first;                /* for AXIS: dimensions before the axis come after those of indices */
} strew_form;

/* The size of a coordinate that accepts every non-negative index: that of a circular window. */
#define STREW_UNLIMITED INT64_MAX

/* Whether the elements that indices name start from the identity of the reduction. */
static inline bool strew_form_starts_from_identity(const strew_form *form)
{
    return form->reduction != STREW_REDUCTION_NONE && !form->use_init_val;
}

/* These are constants in a build without the operator or reduction, so that the compiler removes its code. */
STREW_INLINE bool strew_form_has_bags(const strew_form *form)
{
    return STREW_HAS_BAGS && form->addressing == STREW_BAGS;
}
/* Whether segment_ids holds, for each entry, the number of the row that it goes into. */
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

static inline const strew_layout *strew_form_addressed(const strew_form *form)
{
    return form->addressing == STREW_SLICE    ? &form->slice
           : form->direction == STREW_GATHERS ? &form->data
                                              : &form->output;
}

/* Returns how many dimensions of indices are positions: all but the one that holds tuples. */
static inline int32_t strew_form_index_dims(const strew_form *form)
{
    switch (form->addressing) {
    case STREW_ROWS: return form->indices.rank - 1;
    case STREW_SLICE: return 0;
    default: return form->indices.rank;
    }
}

/* Returns the dimension of the addressed tensor that the first coordinate selects from. */
static inline int32_t strew_form_first_coordinate(const strew_form *form)
{
    return form->addressing == STREW_ROWS ? form->batch_dims : form->axis;
}

/* Makes a dimension of a walk from dimension d of indices. */
strew_dim strew_form_index_dim(const strew_form *form, int32_t d);

/* Whether positions are in the order of indices. Not if an index along an axis names rows at several places. */
bool strew_form_is_in_index_order(const strew_form *form);

/* Makes the walk over all positions. It is not coalesced. */
void strew_form_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

/* Makes the walk over `length` positions along the axis of a window in one batch, with all rows at each. */
void strew_form_window_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels, int64_t length);

/* Makes the walk that copies data to the output of a scatter: a gather without coordinates. */
void strew_form_copy_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels);

#endif
