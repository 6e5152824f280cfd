#include "base/options.h"

#include "base/error.h"

enum { KNOWN_FLAGS = STREW_FLAG_REFUSE_NEGATIVE_INDICES };

/* Of a struct whose size is wrong nothing else can be trusted, `error` included. */
static strew_status check_size(size_t size, size_t known_size)
{
    if (size == known_size)
        return STREW_STATUS_OK;
    return STREW_REFUSE(NULL, WRONG_STRUCT_SIZE, .operand = STREW_OPERAND_OPTIONS, .value = (int64_t)size,
                        .lower = (int64_t)known_size);
}

static strew_status check_flags(uint32_t flags, strew_error *error)
{
    const uint32_t unknown = flags & ~(uint32_t)KNOWN_FLAGS;
    if (!unknown)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, UNKNOWN_BITS, .operand = STREW_OPERAND_OPTIONS, .value = unknown);
}

static strew_status check_parallel(const strew_parallel *parallel, strew_error *error)
{
    if (!parallel || (parallel->run && parallel->threads > 0))
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, NO_THREADS, .operand = STREW_OPERAND_PARALLEL);
}

strew_status strew_plan_options_check(const strew_plan_options **options)
{
    static const strew_plan_options defaults = STREW_PLAN_OPTIONS_INIT;
    if (!*options)
        *options = &defaults;
    RETURN_IF_REFUSED(check_size((*options)->struct_size, sizeof **options));
    return check_flags((*options)->flags, (*options)->error);
}

const strew_run_options strew_run_options_defaults = STREW_RUN_OPTIONS_INIT;

strew_status strew_run_options_check_fields(const strew_run_options *options)
{
    RETURN_IF_REFUSED(check_size(options->struct_size, sizeof *options));
    return check_parallel(options->parallel, options->error);
}

strew_status strew_options_check(const strew_options *options, strew_plan_options *planning,
                                 strew_run_options *running)
{
    static const strew_options defaults = STREW_OPTIONS_INIT;
    if (!options)
        options = &defaults;
    RETURN_IF_REFUSED(check_size(options->struct_size, sizeof *options));
    RETURN_IF_REFUSED(check_flags(options->flags, options->error));
    RETURN_IF_REFUSED(check_parallel(options->parallel, options->error));
    *planning = (strew_plan_options){sizeof *planning, options->isa, options->flags,
                                     options->parallel ? options->parallel->threads : 1, options->error};
    *running = (strew_run_options){sizeof *running, options->parallel, options->scratch, options->scratch_size,
                                   options->error};
    return STREW_STATUS_OK;
}
