/* The content of a strew_plan: its work, and the schedule for the number of threads that it was made for. */
#ifndef STREW_ENGINE_PLAN_H
#define STREW_ENGINE_PLAN_H

#include "engine/schedule.h"

typedef struct strew_plan_body {
    uint64_t made; /* STREW_PLAN_MADE */
    strew_work work;
    strew_schedule schedule;
} strew_plan_body;

#define STREW_PLAN_MADE UINT64_C(0x7374726577000002) /* "strew", and the version of this struct's layout */

/* Returns the content of a plan, or NULL if the storage holds none. */
const strew_plan_body *strew_plan_body_of(const strew_plan *plan);

/*
 * Completes a plan whose form is filled in, for this number of threads. With may_copy, the output may be apart from
 * data. Refuses an instruction set that cannot run here.
 */
strew_status strew_plan_make(strew_plan_body *plan, strew_isa isa, size_t threads, bool may_copy,
                             strew_error *error);

/* Checks the buffers and runs the work as scheduled. The options have been checked and have the schedule's threads.
 */
strew_status strew_run_scheduled(const strew_work *work, const strew_schedule *schedule,
                                 const strew_buffers *buffers, const strew_run_options *options);

#endif
