/* What a strew_plan holds: all that follows from the form of a call, and from a number of threads. */
#ifndef STREW_ENGINE_PLAN_H
#define STREW_ENGINE_PLAN_H

#include "engine/form.h"
#include "engine/schedule.h"
#include "engine/walk/mover.h"

typedef struct strew_plan_body {
    uint64_t made; /* STREW_PLAN_MADE */
    const strew_kernels *kernels;
    strew_form form;
    bool can_be_in_place;  /* data and output put every element at the same place */
    bool is_empty;         /* there are no positions */
    bool is_one_pass;      /* the indices are gone over once */
    bool is_one_tile;      /* all indices are resolved before the first row moves */
    size_t counters_bytes; /* of a mean, for each thread */
    strew_walk walk;
    int64_t positions;       /* of the walk */
    strew_mover mover;       /* of its rows */
    strew_mover fill;        /* of a start from the identity */
    bool has_copy;           /* whether the next two are there */
    strew_walk copy_walk;    /* of a scatter to an output of its own: data to output */
    strew_mover copy_mover;  /* likewise */
    strew_division division; /* among the threads that the plan was made for */
} strew_plan_body;

#define STREW_PLAN_MADE UINT64_C(0x7374726577000002) /* "strew", and the layout of this struct */

/*
 * Completes a plan that has its form, for so many threads, and for outputs apart from data if they may be. Refuses
 * an instruction set that cannot run here.
 */
strew_status strew_plan_make(strew_plan_body *plan, strew_isa isa, size_t threads, bool may_be_apart,
                             strew_error *error);

/* strew_plan_run, of a plan and options that are known to be good. */
strew_status strew_plan_body_run(const strew_plan_body *plan, const strew_buffers *buffers,
                                 const strew_run_options *options);

#endif
