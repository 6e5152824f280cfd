/* The work of a plan: the walks that are made from its form, and the movers of their rows. */
#ifndef STREW_ENGINE_WORK_H
#define STREW_ENGINE_WORK_H

#include "engine/form.h"
#include "engine/walk/mover.h"

typedef struct strew_work {
    strew_form form;
    const strew_kernels *kernels;
    bool can_be_in_place; /* data and output have the same strides, so they may be the same tensor */
    bool is_empty;        /* there are no positions */
    bool is_one_pass;     /* rows move in one pass; a mean and a start from the identity take more */
    bool in_index_order;  /* rows move in the order of indices */
    strew_walk walk;      /* over all positions; for STREW_BAGS over the dimensions of rows */
    strew_bags bags;      /* for STREW_BAGS */
    int64_t positions;    /* of the walk */
    strew_mover mover;
    strew_mover fill; /* sets rows to the identity, if they start from it */
    bool has_copy;    /* whether a scatter to a separate output copies data there first */
    strew_walk copy_walk;
    strew_mover copy_mover;
} strew_work;

/* Whether there are rows, and they have bytes. */
static inline bool strew_work_moves(const strew_work *work)
{
    return !work->is_empty && work->walk.row_bytes.addressed > 0;
}

/* Completes work whose form is filled in. may_copy: the output may be apart from data. */
void strew_work_make(strew_work *work, const strew_kernels *kernels, bool may_copy);

#endif
