/* The caller's options, checked. Once they have passed, the pointer `error` in them may be used. */
#ifndef STREW_BASE_OPTIONS_H
#define STREW_BASE_OPTIONS_H

#include "strew/strew.h"

/* Points *options at what holds: the caller's options, or the defaults if there are none. */
strew_status strew_plan_options_check(const strew_plan_options **options);

strew_status strew_run_options_check_fields(const strew_run_options *options);
static inline strew_status strew_run_options_check(const strew_run_options *options)
{
    return options->struct_size == sizeof *options && !options->parallel ? STREW_STATUS_OK
                                                                         : strew_run_options_check_fields(options);
}
extern const strew_run_options strew_run_options_defaults; /* what holds if there are none */

/* The options of a call that plans and runs, parted in two. The plan is made for the threads of the run. */
strew_status strew_options_check(const strew_options *options, strew_plan_options *planning,
                                 strew_run_options *running);

#endif
