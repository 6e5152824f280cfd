/*
 * The caller's options, checked, and completed where the caller's struct is of an older version, or NULL. Once they
 * have passed, the pointer `error` in them may be used.
 */
#ifndef STREW_BASE_OPTIONS_H
#define STREW_BASE_OPTIONS_H

#include "strew/strew.h"

strew_status strew_plan_options_take(strew_plan_options *taken, const strew_plan_options *options);
/* Leaves *options as they are if they are complete, and otherwise points it to `room`, or to the defaults. */
strew_status strew_run_options_complete(strew_run_options *room, const strew_run_options **options);
static inline strew_status strew_run_options_take(strew_run_options *room, const strew_run_options **options)
{
    const bool is_complete =
        *options && (*options)->struct_size == sizeof **options && !(*options)->parallel; /* which is checked */
    return is_complete ? STREW_STATUS_OK : strew_run_options_complete(room, options);
}

/* Those of a call that plans and runs, parted in two. The plan is made for the threads of the run. */
strew_status strew_options_take(const strew_options *options, strew_plan_options *planning,
                                strew_run_options *running);

#endif
