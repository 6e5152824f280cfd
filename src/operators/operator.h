/*
 * The way every call takes: a strew_call holds what was asked, under the rules of one version of an operator (the
 * unversioned calls have rules of their own, which allow everything); it is checked, made into a form, planned,
 * run.
 */
#ifndef STREW_OPERATORS_OPERATOR_H
#define STREW_OPERATORS_OPERATOR_H

#include "engine/plan.h"
#include "strew/operators.h"

typedef struct strew_call {
    const strew_operator *rules;
    strew_attributes attributes;
    const strew_tensor *data;
    const strew_tensor *indices; /* NULL where there are none */
    const strew_tensor *updates; /* NULL for a gather */
    const strew_tensor *output;  /* NULL when only its shape is wanted */
    uint32_t flags;              /* these three are the options', and filled in by the functions below */
    strew_bounds bounds;
    strew_error *error;
} strew_call;

strew_status strew_call_shape(strew_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error);
strew_status strew_call_plan(strew_call *call, strew_plan *plan, const strew_plan_options *options);
strew_status strew_call_run(strew_call *call, const strew_options *options);

/* The rules of the unversioned call of each kind. */
const strew_operator *strew_unversioned(strew_kind kind);

/* Refuses a dtype that the rules do not have: because the operator does not take it, or because it is not among
 * those that were built. */
strew_status strew_refuse_dtype(strew_operand operand, strew_dtype dtype, uint32_t built, strew_error *error);

/* A shape that a tensor must have. */
typedef struct strew_shape {
    int32_t rank;
    int32_t first_index_dim;
    int32_t
        index_dims; /* so many from there are those of indices, the rest those of data; -1 if it is that of data */
    strew_operand index_operand; /* from which they are */
    int32_t dim_at_most;         /* the dimension that may be smaller as well; -1 for none */
    int64_t size[STREW_MAX_RANK];
} strew_shape;

/*
 * Checks data against indices and the attributes, completes the form, and says what shape the rows, or elements,
 * that `indices` names make together: a gather's output, a scatter's updates.
 */
strew_status strew_shape_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error);

#endif
