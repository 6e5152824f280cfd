#include "base/options.h"

#include <string.h>

#include "base/error.h"

enum { KNOWN_FLAGS = STREW_FLAG_REFUSE_NEGATIVE_INDICES | STREW_FLAG_UNIQUE_INDICES };

/*
 * Copies the caller's struct to *whole, which holds the defaults. The caller's struct may be of an older version
 * and then is shorter; its missing fields keep the defaults. A struct of a wrong size is refused without an error,
 * because its `error` pointer cannot be trusted.
 */
static strew_status take_struct(void *whole, size_t size, const void *given, size_t size_in_0_2)
{
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size != size && given_size != size_in_0_2)
        return STREW_REFUSE(NULL, WRONG_STRUCT_SIZE, .operand = STREW_OPERAND_OPTIONS, .value = (int64_t)given_size,
                            .lower = (int64_t)size);
    memcpy((char *)whole + sizeof size, (const char *)given + sizeof size, given_size - sizeof size);
    return STREW_STATUS_OK;
}

static strew_status check_flags(uint32_t flags, strew_error *error)
{
    const uint32_t unknown = flags & ~(uint32_t)KNOWN_FLAGS;
    if (!unknown)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, UNKNOWN_BITS, .operand = STREW_OPERAND_OPTIONS, .value = unknown);
}

static strew_status check_bounds(strew_bounds bounds, strew_error *error)
{
    if ((uint32_t)bounds < STREW_BOUNDS_COUNT)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_BOUNDS, .value = bounds,
                        .upper = STREW_BOUNDS_COUNT - 1);
}

static strew_status check_parallel(const strew_parallel *parallel, strew_error *error)
{
    if (!parallel || (parallel->run && parallel->threads > 0))
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, NO_THREADS, .operand = STREW_OPERAND_PARALLEL);
}

strew_status strew_plan_options_take(strew_plan_options *taken, const strew_plan_options *options)
{
    *taken = (strew_plan_options)STREW_PLAN_OPTIONS_INIT;
    if (options)
        RETURN_IF_REFUSED(take_struct(taken, sizeof *taken, options, offsetof(strew_plan_options, bounds)));
    RETURN_IF_REFUSED(check_flags(taken->flags, taken->error));
    return check_bounds(taken->bounds, taken->error);
}

strew_status strew_run_options_complete(strew_run_options *completed, const strew_run_options **options)
{
    static const strew_run_options defaults = STREW_RUN_OPTIONS_INIT;
    if (!*options)
        *options = &defaults;
    if ((*options)->struct_size != sizeof **options) {
        *completed = defaults;
        RETURN_IF_REFUSED(take_struct(completed, sizeof *completed, *options, offsetof(strew_run_options, fill)));
        *options = completed;
    }
    return check_parallel((*options)->parallel, (*options)->error);
}

strew_status strew_options_take(const strew_options *options, strew_plan_options *planning,
                                strew_run_options *running)
{
    static const strew_options defaults = STREW_OPTIONS_INIT;
    strew_options completed;
    if (!options)
        options = &defaults;
    if (options->struct_size != sizeof *options) {
        completed = defaults;
        RETURN_IF_REFUSED(take_struct(&completed, sizeof completed, options, offsetof(strew_options, bounds)));
        options = &completed;
    }
    RETURN_IF_REFUSED(check_flags(options->flags, options->error));
    RETURN_IF_REFUSED(check_bounds(options->bounds, options->error));
    RETURN_IF_REFUSED(check_parallel(options->parallel, options->error));
    const size_t threads = options->parallel ? options->parallel->threads : 1;
    *planning = (strew_plan_options){
        sizeof *planning, options->isa, options->flags, threads, options->error, options->bounds, 0};
    *running = (strew_run_options){sizeof *running,       options->parallel, options->scratch,
                                   options->scratch_size, options->error,    options->fill};
    return STREW_STATUS_OK;
}
