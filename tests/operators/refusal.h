/* Refused calls as data: a valid call, the argument to spoil, and the library's error. */
#ifndef STREW_TESTS_REFUSAL_H
#define STREW_TESTS_REFUSAL_H

#include "arguments.h"

/* The status of most refusals, by a short name for tables. */
#define INVALID STREW_STATUS_INVALID_ARGUMENT

typedef struct refusal refusal;

/* Spoils the arguments as described. */
typedef void spoiler(arguments *call, const refusal *how);

/* Gives the arguments to a function of the library. */
typedef strew_status runner(const arguments *call);

struct refusal {
    const char *call; /* for arguments_create */
    spoiler *spoil;
    strew_operand operand; /* the spoiled operand */
    int64_t where, value;  /* used by the spoiler, see below */
    strew_status status;
    const char *message;
};

spoiler spoil_nothing;
spoiler spoil_by_forgetting;     /* no such operand */
spoiler spoil_rank;              /* has rank `value` */
spoiler spoil_shape_pointer;     /* has no shape */
spoiler spoil_data_pointer;      /* has no data */
spoiler spoil_size;              /* has `value` in dimension `where` */
spoiler spoil_size_of_empty;     /* has that as well as no elements */
spoiler spoil_stride;            /* has strides, `value` in dimension `where` */
spoiler spoil_dtype;             /* has dtype `value` */
spoiler spoil_packed_row;        /* dtype `value`, like updates and output, `where` in the last dimension of each */
spoiler spoil_packed_stride;     /* int4 like the others, with strides, `value` in dimension `where` */
spoiler spoil_place;             /* begins `value` bytes behind the beginning of operand `where` */
spoiler spoil_place_backwards;   /* and so it does, but its outermost dimension runs backwards */
spoiler spoil_place_transposed;  /* and so it does, but its innermost dimension is the first */
spoiler spoil_place_intricately; /* with many rows, so that a shared byte is hard to find */
spoiler spoil_place_in_place;    /* and so it does, while data is the output as well */
spoiler spoil_axis;              /* is `value` */
spoiler spoil_batch_dims;        /* is `value` */
spoiler spoil_reduction;         /* is `value` */
spoiler spoil_reduction_of_data; /* is `value`, of elements of dtype `where` */
spoiler spoil_given;             /* the bits `where` of `given` are taken away, and `value` is set */
spoiler spoil_by_giving;         /* is given, to a gather */
spoiler spoil_flags;             /* are `value` */
spoiler spoil_isa;               /* is `value` */
spoiler spoil_bounds;            /* are `value` */
spoiler spoil_threads;           /* are `value`, of no run function if `where` is 0 */
spoiler spoil_scratch_place;     /* a mean's scratch begins in the operand, and has `value` bytes */
spoiler spoil_scratch;           /* has `value` bytes, for a mean on `where` threads */
spoiler spoil_indices_to_ones;   /* have the shape [1, 1, ...] of rank `value`, and there is no batch */
spoiler spoil_updates_of_one;    /* have rank 1 and `value` elements; indices name one element */
spoiler spoil_index;             /* entry `where` is `value` */
spoiler spoil_negative_index;    /* and so it is, while negative ones are refused */
spoiler spoil_wrapped_index;     /* and so it is, under STREW_BOUNDS_WRAP */
spoiler spoil_emptied_data;      /* dimension `where` of data is 0, and of a scatter's output */
spoiler spoil_step;              /* is `value` */
spoiler spoil_sliced_axes;       /* two axes, of which the second is `value` */
spoiler spoil_default_index;     /* is given, and is `value` */
spoiler spoil_empty;             /* is `value` */
spoiler spoil_segment_count;     /* is given, and is `value` */
spoiler spoil_order;             /* segments are in no order, and scratch has `value` bytes */
spoiler spoil_order_and_scratch; /* and so it is, while the scratch begins in the operand */

/*
 * Runs the spoilt call and fails unless it is refused as it should be, with all memory as it was. (Only after a
 * wrong index may the elements of a separate output hold anything.)
 */
void refusal_check(const refusal *self, runner *run);

/* Whether any refusal so far has had this reason. */
bool refusal_seen(int32_t reason);

#endif
