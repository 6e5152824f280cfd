/* Running a plan: the checks that need pointers, then what the schedule says, and naming what was wrong. */
#include "base/error.h"
#include "base/options.h"
#include "engine/offender.h"
#include "engine/plan.h"

_Static_assert(sizeof(strew_plan_body) <= sizeof(strew_plan), "STREW_PLAN_SIZE is too small");
_Static_assert(_Alignof(strew_plan_body) <= _Alignof(strew_plan), "a strew_plan must be aligned as its body is");

/* NULL unless the storage holds a plan. */
static const strew_plan_body *body_of(const strew_plan *plan)
{
    const strew_plan_body *body = (const void *)plan;
    return body && body->made == STREW_PLAN_MADE ? body : NULL;
}

/* SIZE_MAX, which nobody can have, if it is more than can be counted. */
static size_t least_scratch(const strew_plan_body *plan, size_t threads)
{
    size_t bytes;
    return __builtin_mul_overflow(plan->counters_bytes, threads, &bytes) ? SIZE_MAX : bytes;
}

static size_t at_least_one(size_t threads)
{
    return threads > 0 ? threads : 1;
}

size_t strew_plan_least_scratch_size(const strew_plan *plan, size_t threads)
{
    const strew_plan_body *body = body_of(plan);
    return body ? least_scratch(body, at_least_one(threads)) : 0;
}

size_t strew_plan_scratch_size(const strew_plan *plan, size_t threads)
{
    strew_division other;
    const strew_plan_body *body = body_of(plan);
    if (!body)
        return 0;
    threads = at_least_one(threads);
    const strew_division *division = &body->division;
    if (threads != division->threads) {
        strew_division_make(&other, body, threads);
        division = &other;
    }
    const size_t least = least_scratch(body, threads), useful = division->partition.scratch_bytes;
    return useful > least ? useful : least;
}

/* ---- What only the pointers show ----------------------------------------------------------------- */

static strew_status check_present(const void *data, const strew_extent *extent, strew_operand operand,
                                  strew_error *error)
{
    if (data || extent->low == extent->high)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, NULL_DATA, .operand = operand);
}

/* What is reached from a pointer: [begin, end). */
typedef struct reach {
    strew_operand operand;
    uintptr_t begin, end;
} reach;

static reach reach_of(strew_operand operand, const void *data, const strew_extent *extent)
{
    return (reach){operand, (uintptr_t)data + (uintptr_t)extent->low, (uintptr_t)data + (uintptr_t)extent->high};
}

static strew_status check_apart(reach written, reach other, strew_reason reason, strew_error *error)
{
    const bool overlap = written.begin < other.end && other.begin < written.end && written.begin < written.end &&
                         other.begin < other.end;
    return overlap ? strew_refuse(error, reason, &(strew_error){.operand = written.operand, .other = other.operand})
                   : STREW_STATUS_OK;
}

static strew_status check_buffers(const strew_plan_body *plan, const strew_buffers *buffers, bool in_place,
                                  strew_error *error)
{
    const strew_form *form = &plan->form;
    const bool scatters = form->direction == STREW_SCATTERS;
    const strew_extent *data = &form->data.extent, *indices = &form->indices.extent, *updates = &form->dense.extent;
    const strew_extent *output = scatters ? &form->output.extent : updates;
    const reach written = reach_of(STREW_OPERAND_OUTPUT, buffers->output, output);
    if (!scatters && buffers->updates)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_UPDATES);
    RETURN_IF_REFUSED(check_present(buffers->data, data, STREW_OPERAND_DATA, error));
    RETURN_IF_REFUSED(check_present(buffers->indices, indices, STREW_OPERAND_INDICES, error));
    if (scatters)
        RETURN_IF_REFUSED(check_present(buffers->updates, updates, STREW_OPERAND_UPDATES, error));
    RETURN_IF_REFUSED(check_present(buffers->output, output, STREW_OPERAND_OUTPUT, error));
    if (!in_place)
        RETURN_IF_REFUSED(check_apart(written, reach_of(STREW_OPERAND_DATA, buffers->data, data),
                                      scatters ? STREW_REASON_OVERLAPS_DATA : STREW_REASON_OVERLAP, error));
    RETURN_IF_REFUSED(check_apart(written, reach_of(STREW_OPERAND_INDICES, buffers->indices, indices),
                                  STREW_REASON_OVERLAP, error));
    return scatters ? check_apart(written, reach_of(STREW_OPERAND_UPDATES, buffers->updates, updates),
                                  STREW_REASON_OVERLAP, error)
                    : STREW_STATUS_OK;
}

/* A mean needs some, and what is used lies apart: for partitioning, if there is enough; at least for a mean. */
__attribute__((noinline)) static strew_status check_scratch(const strew_plan_body *plan,
                                                            const strew_division *division,
                                                            const strew_buffers *buffers,
                                                            const strew_run_options *options)
{
    const strew_form *form = &plan->form;
    const size_t least = least_scratch(plan, division->threads), useful = division->partition.scratch_bytes;
    const size_t given = options->scratch ? options->scratch_size : 0;
    if (least > given)
        return STREW_REFUSE(options->error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_SCRATCH,
                            .value = (int64_t)given, .lower = (int64_t)least);
    const strew_extent used = {0, (int64_t)(useful > least && useful <= given ? useful : least)};
    const reach scratch = reach_of(STREW_OPERAND_SCRATCH, options->scratch, &used);
    const reach tensors[] = {
        reach_of(STREW_OPERAND_DATA, buffers->data, &form->data.extent),
        reach_of(STREW_OPERAND_INDICES, buffers->indices, &form->indices.extent),
        reach_of(STREW_OPERAND_UPDATES, buffers->updates, &form->dense.extent),
        reach_of(STREW_OPERAND_OUTPUT, buffers->output, &form->output.extent),
    };
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++)
        RETURN_IF_REFUSED(check_apart(scratch, tensors[t], STREW_REASON_OVERLAP, options->error));
    return STREW_STATUS_OK;
}

/* ---- Running ------------------------------------------------------------------------------------- */

/* What is only read is never written through this. A tensor without elements may be NULL, which cannot be stepped.
 */
static inline char *steppable(const void *pointer)
{
    static const char nothing;
    return (char *)(uintptr_t)(pointer ? pointer : &nothing);
}

static strew_status run_divided(const strew_plan_body *plan, const strew_division *division,
                                const strew_buffers *buffers, const strew_run_options *options)
{
    const bool gathers = plan->form.direction == STREW_GATHERS;
    strew_run run;
    run.plan = plan;
    run.division = division;
    run.options = options;
    run.pointers.indices = steppable(buffers->indices);
    run.pointers.addressed = steppable(gathers ? buffers->data : buffers->output);
    run.pointers.dense = steppable(gathers ? buffers->output : buffers->updates);
    run.in_place = plan->can_be_in_place && buffers->output == buffers->data;
    run.copied = plan->has_copy && !run.in_place ? steppable(buffers->data) : NULL;
    RETURN_IF_REFUSED(check_buffers(plan, buffers, run.in_place, options->error));
    if (plan->counters_bytes > 0 || division->partition.scratch_bytes > 0)
        RETURN_IF_REFUSED(check_scratch(plan, division, buffers, options));
    strew_run_schedule(&run);
    return strew_run_carry_out(&run) ? STREW_STATUS_OK
                                     : strew_refuse_first_offender(plan, buffers->indices, options->error);
}

__attribute__((noinline)) static strew_status run_by_other_threads(const strew_plan_body *plan, size_t threads,
                                                                   const strew_buffers *buffers,
                                                                   const strew_run_options *options)
{
    strew_division division;
    strew_division_make(&division, plan, threads);
    return run_divided(plan, &division, buffers, options);
}

strew_status strew_plan_body_run(const strew_plan_body *plan, const strew_buffers *buffers,
                                 const strew_run_options *options)
{
    const size_t threads = options->parallel ? options->parallel->threads : 1;
    return threads == plan->division.threads ? run_divided(plan, &plan->division, buffers, options)
                                             : run_by_other_threads(plan, threads, buffers, options);
}

strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers, const strew_run_options *options)
{
    options = options ? options : &strew_run_defaults;
    RETURN_IF_REFUSED(strew_run_options_check(options));
    const strew_plan_body *body = body_of(plan);
    if (!body)
        return STREW_REFUSE(options->error, NOT_A_PLAN, .operand = STREW_OPERAND_PLAN);
    if (!buffers)
        return STREW_REFUSE(options->error, NULL_ARGUMENT, .operand = STREW_OPERAND_BUFFERS);
    return strew_plan_body_run(body, buffers, options);
}
