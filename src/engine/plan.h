/* What a strew_plan holds: its work, and how the threads divide it that it was made for. */
#ifndef STREW_ENGINE_PLAN_H
#define STREW_ENGINE_PLAN_H

#include "engine/schedule.h"

typedef struct strew_plan_body {
    uint64_t made; /* STREW_PLAN_MADE */
    strew_work work;
    strew_schedule schedule;
} strew_plan_body;

#define STREW_PLAN_MADE UINT64_C(0x7374726577000002) /* "strew", and the layout of this struct */

/* NULL unless the storage holds a plan. */
const strew_plan_body *strew_plan_body_of(const strew_plan *plan);

/*
 * Completes a plan whose work has its form, for so many threads, and for outputs apart from data if they may be.
 * Refuses an instruction set that cannot run here.
 */
strew_status strew_plan_make(strew_plan_body *plan, strew_isa isa, size_t threads, bool may_copy,
                             strew_error *error);

/* strew_plan_run, of a plan and options that are known to be good. */
strew_status strew_plan_body_run(const strew_plan_body *plan, const strew_buffers *buffers,
                                 const strew_run_options *options);

#endif
