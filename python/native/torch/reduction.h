/* A scatter of elements with a reduction, which scatter.c and halves.c carry out. */
#ifndef STREW_TORCH_REDUCTION_H
#define STREW_TORCH_REDUCTION_H

#include "takeover.h"

typedef struct reduction_call {
    const strew_tensor *data, *index, *source, *output;
    int64_t axis;
    strew_reduction reduction;
    bool include_self;
    bool of_rows; /* one index for all that lies off the axis */
} reduction_call;

/* Below this many elements the one call is over before several have begun. */
enum { SEVERAL_CALLS_FROM = 4096 };

/* The tensor that the call writes. */
AtenTensorHandle output_handle(const call *self);

/* Divides the sums of a mean by how many updates, and data, went into each. */
outcome divide_by_counts(const reduction_call *self, AtenTensorHandle sums);

/* Whether PyTorch is faster at a sum, mean or product of halves, since they are few. */
bool is_few_halves(const reduction_call *call);

/* Sums, means and products of halves, in float32. */
outcome reduce_halves(const call *self, const reduction_call *call);

#endif
