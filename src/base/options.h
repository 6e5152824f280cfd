/*
 * Checks the caller's options and completes them where the struct is NULL or of an older version. After they have
 * passed, their `error` pointer may be used.
 */
#ifndef STREW_BASE_OPTIONS_H
#define STREW_BASE_OPTIONS_H

#include "strew/strew.h"

strew_status strew_plan_options_take(strew_plan_options *taken, const strew_plan_options *options);
/*
 * Checks the options. If *options is NULL or of an older version, points it to the defaults, or to a completed
 * copy in `completed`.
 */
strew_status strew_run_options_complete(strew_run_options *completed, const strew_run_options **options);
static inline strew_status strew_run_options_take(strew_run_options *completed, const strew_run_options **options)
{
    const bool is_complete = *options && (*options)->struct_size == sizeof **options &&
                             !(*options)->parallel; /* a `parallel` needs a check */
    return is_complete ? STREW_STATUS_OK : strew_run_options_complete(completed, options);
}

/*
 * Splits the options of a call that plans and runs into both kinds. The plan is made for the threads of the run.
 */
strew_status strew_options_take(const strew_options *options, strew_plan_options *planning,
                                strew_run_options *running);

#endif
