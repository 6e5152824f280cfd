/* What the shapes of data and indices have to do with each other, and with those of updates and output. */
#ifndef STREW_OPERATORS_SHAPE_RULES_H
#define STREW_OPERATORS_SHAPE_RULES_H

#include "operators/operator.h"

/* A shape that a tensor must have. */
typedef struct strew_shape {
    int32_t rank;
    int32_t index_dims; /* how many of its first dimensions are those of indices; -1 if it is that of data */
    int64_t size[STREW_MAX_RANK];
} strew_shape;

/*
 * Checks data against indices and the attributes, completes the form, and says what shape the rows, or elements,
 * that `indices` names make together: a gather's output, a scatter's updates.
 */
strew_status strew_shape_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error);

#endif
