/* The work of a plan: the walks that a form comes to, and how their rows are moved. */
#ifndef STREW_ENGINE_WORK_H
#define STREW_ENGINE_WORK_H

#include "engine/form.h"
#include "engine/walk/mover.h"

typedef struct strew_work {
    strew_form form;
    const strew_kernels *kernels;
    bool can_be_in_place; /* data and output put every element at the same place */
    bool is_empty;        /* there are no positions */
    bool is_one_pass;     /* neither a mean nor a start from the identity goes over the indices again */
    bool in_index_order;  /* rows move in the order of indices */
    strew_walk walk;
    strew_bags bags;        /* of STREW_BAGS, of which the walk goes over the dimensions of rows */
    int64_t positions;      /* of the walk */
    strew_mover mover;      /* of its rows */
    strew_mover fill;       /* of a start from the identity */
    bool has_copy;          /* whether the next two are there */
    strew_walk copy_walk;   /* of a scatter to an output of its own: data to output */
    strew_mover copy_mover; /* likewise */
} strew_work;

/* Completes the work that has its form; with a copy, if the output may be apart from data. */
void strew_work_make(strew_work *work, const strew_kernels *kernels, bool may_copy);

#endif
