/*
 * Runs, plans and infers the shape of every call. A strew_call holds the arguments and the rules of one version of
 * an operator; the unversioned calls have rules of their own, which allow everything. A call is checked, made into
 * a form, planned and run.
 */
#ifndef STREW_OPERATORS_OPERATOR_H
#define STREW_OPERATORS_OPERATOR_H

#include "engine/plan.h"
#include "strew/operators.h"

typedef struct strew_call {
    const strew_operator *rules;
    strew_attributes attributes;
    const strew_tensor *data;
    const strew_tensor *indices; /* NULL if there are none */
    const strew_tensor *updates; /* NULL for a gather */
    const strew_tensor *output;  /* NULL if only its shape is wanted */
    uint32_t flags;              /* the functions below copy these three from the options */
    strew_bounds bounds;
    strew_error *error;
} strew_call;

strew_status strew_call_shape(strew_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error);
strew_status strew_call_plan(strew_call *call, strew_plan *plan, const strew_plan_options *options);
strew_status strew_call_run(strew_call *call, const strew_options *options);

/* Returns the rules of the unversioned call of a kind. */
const strew_operator *strew_unversioned(strew_kind kind);

/*
 * Refuses a dtype that is not in `taken`: either the operator does not take it, or it is not in `built`, the dtypes
 * of this build.
 */
strew_status strew_check_dtype(strew_operand operand, strew_dtype dtype, uint32_t taken, uint32_t built,
                               strew_error *error);

/* A shape that a tensor must have. */
typedef struct strew_shape {
    int32_t rank;
    int32_t first_index_dim;
    int32_t index_dims; /* this many sizes from first_index_dim on come from indices, the others from data; -1: all
                           come from data */
    strew_operand index_operand; /* the operand that these sizes come from */
    int32_t dim_at_most;         /* the dimension that may be smaller too; -1 for none */
    int64_t size[STREW_MAX_RANK];
} strew_shape;

/* Makes a shape of these sizes, which all come from data. */
static inline void strew_shape_take(strew_shape *shape, int32_t rank, const int64_t *size)
{
    shape->rank = rank;
    shape->first_index_dim = 0;
    shape->index_dims = shape->dim_at_most = -1;
    shape->index_operand = STREW_OPERAND_INDICES;
    for (int32_t d = 0; d < rank; d++)
        shape->size[d] = size[d];
}

/*
 * Checks data against indices and the attributes, completes the form, and infers the shape of the dense tensor:
 * the output of a gather, the updates of a scatter.
 */
strew_status strew_shape_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error);

#endif
