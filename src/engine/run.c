/* Running a plan: the checks that need pointers, then what the schedule says, and naming what was wrong. */
#include "base/error.h"
#include "base/options.h"
#include "engine/offender.h"
#include "engine/schedule.h"

_Static_assert(sizeof(strew_plan_body) <= sizeof(strew_plan), "STREW_PLAN_SIZE is too small");
_Static_assert(_Alignof(strew_plan_body) <= _Alignof(strew_plan), "a strew_plan must be aligned as its body is");

/* NULL unless the storage holds a plan. */
static const strew_plan_body *body_of(const strew_plan *plan)
{
    const strew_plan_body *body = (const void *)plan;
    return body && body->made == STREW_PLAN_MADE ? body : NULL;
}

/* Among the threads that it was made for, a plan is divided already. */
static const strew_division *division_of(const strew_plan_body *plan, size_t threads, strew_division *storage)
{
    if (threads == plan->division.threads)
        return &plan->division;
    strew_division_make(storage, plan, threads);
    return storage;
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
    strew_division storage;
    const strew_plan_body *body = body_of(plan);
    if (!body)
        return 0;
    const size_t least = least_scratch(body, at_least_one(threads));
    const size_t useful = division_of(body, at_least_one(threads), &storage)->partition.scratch_bytes;
    return useful > least ? useful : least;
}

/* ---- What only the pointers show ----------------------------------------------------------------- */

/* The tensors of a call, in the order in which they are checked. */
enum { DATA, INDICES, UPDATES, OUTPUT, TENSORS };
static const strew_operand operands[TENSORS] = {
    [DATA] = STREW_OPERAND_DATA,
    [INDICES] = STREW_OPERAND_INDICES,
    [UPDATES] = STREW_OPERAND_UPDATES,
    [OUTPUT] = STREW_OPERAND_OUTPUT,
};

/* The bytes that a tensor reaches: [begin, end), none if it has no elements. */
typedef struct reach {
    uintptr_t begin, end;
} reach;

static reach reach_of(const void *data, const strew_extent *extent)
{
    return (reach){(uintptr_t)data + (uintptr_t)extent->low, (uintptr_t)data + (uintptr_t)extent->high};
}

static bool overlap(reach a, reach b)
{
    return a.begin < a.end && b.begin < b.end && a.begin < b.end && b.begin < a.end;
}

/* Notes what every tensor reaches; refuses NULL for one that has elements. */
static strew_status find_reaches(reach *reaches, const strew_plan_body *plan, const strew_buffers *buffers,
                                 strew_error *error)
{
    static const strew_extent nothing = {0, 0};
    const strew_form *form = &plan->form;
    const bool scatters = form->direction == STREW_SCATTERS;
    const void *const data[TENSORS] = {buffers->data, buffers->indices, buffers->updates, buffers->output};
    const strew_extent *const extents[TENSORS] = {&form->data.extent, &form->indices.extent,
                                                  scatters ? &form->dense.extent : &nothing,
                                                  scatters ? &form->output.extent : &form->dense.extent};
    if (!scatters && buffers->updates)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_UPDATES);
    for (size_t t = 0; t < TENSORS; t++) {
        if (!data[t] && extents[t]->high > extents[t]->low)
            return STREW_REFUSE(error, NULL_DATA, .operand = operands[t]);
        reaches[t] = reach_of(data[t], extents[t]);
    }
    return STREW_STATUS_OK;
}

static strew_status check_output(const strew_plan_body *plan, const reach *reaches, bool in_place,
                                 strew_error *error)
{
    const bool scatters = plan->form.direction == STREW_SCATTERS;
    if (!in_place && overlap(reaches[OUTPUT], reaches[DATA]))
        return strew_refuse(error, scatters ? STREW_REASON_OVERLAPS_DATA : STREW_REASON_OVERLAP,
                            &(strew_error){.operand = STREW_OPERAND_OUTPUT, .other = STREW_OPERAND_DATA});
    for (size_t t = INDICES; t <= UPDATES; t++)
        if (overlap(reaches[OUTPUT], reaches[t]))
            return STREW_REFUSE(error, OVERLAP, .operand = STREW_OPERAND_OUTPUT, .other = operands[t]);
    return STREW_STATUS_OK;
}

/* Only scatters use any: for partitioning, if there is enough; at least what a mean needs. */
static strew_status check_scratch(const strew_plan_body *plan, const strew_division *division, const reach *reaches,
                                  const strew_run_options *options)
{
    const size_t least = least_scratch(plan, division->threads), useful = division->partition.scratch_bytes;
    const size_t given = options->scratch ? options->scratch_size : 0;
    if (least > given)
        return STREW_REFUSE(options->error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_SCRATCH,
                            .value = (int64_t)given, .lower = (int64_t)least);
    const strew_extent used = {0, (int64_t)(useful > least && useful <= given ? useful : least)};
    for (size_t t = 0; used.high > 0 && t < TENSORS; t++)
        if (overlap(reach_of(options->scratch, &used), reaches[t]))
            return STREW_REFUSE(options->error, OVERLAP, .operand = STREW_OPERAND_SCRATCH, .other = operands[t]);
    return STREW_STATUS_OK;
}

/* ---- Running ------------------------------------------------------------------------------------- */

/* What is only read is never written through this. A tensor without elements may be NULL, which cannot be stepped.
 */
static char *steppable(const void *pointer)
{
    static const char nothing;
    return (char *)(uintptr_t)(pointer ? pointer : &nothing);
}

static strew_pointers pointers_of(const strew_plan_body *plan, const strew_buffers *buffers)
{
    const bool gathers = plan->form.direction == STREW_GATHERS;
    return (strew_pointers){
        .indices = steppable(buffers->indices),
        .addressed = steppable(gathers ? buffers->data : buffers->output),
        .dense = steppable(gathers ? buffers->output : buffers->updates),
    };
}

strew_status strew_plan_body_run(const strew_plan_body *plan, const strew_buffers *buffers,
                                 const strew_run_options *options)
{
    reach reaches[TENSORS];
    strew_division storage;
    strew_schedule schedule;
    const bool in_place = plan->can_be_in_place && buffers->output == buffers->data;
    const strew_division *division =
        division_of(plan, options->parallel ? options->parallel->threads : 1, &storage);
    RETURN_IF_REFUSED(find_reaches(reaches, plan, buffers, options->error));
    RETURN_IF_REFUSED(check_output(plan, reaches, in_place, options->error));
    if (plan->counters_bytes > 0 || division->partition.scratch_bytes > 0)
        RETURN_IF_REFUSED(check_scratch(plan, division, reaches, options));
    const strew_pointers pointers = pointers_of(plan, buffers);
    strew_schedule_choose(&schedule, plan, division, &pointers, in_place,
                          options->scratch ? options->scratch_size : 0);
    return strew_schedule_carry_out(&schedule, plan, &pointers, steppable(buffers->data), options)
               ? STREW_STATUS_OK
               : strew_refuse_first_offender(plan, buffers->indices, options->error);
}

strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers, const strew_run_options *options)
{
    RETURN_IF_REFUSED(strew_run_options_check(&options));
    const strew_plan_body *body = body_of(plan);
    if (!body)
        return STREW_REFUSE(options->error, NOT_A_PLAN, .operand = STREW_OPERAND_PLAN);
    if (!buffers)
        return STREW_REFUSE(options->error, NULL_ARGUMENT, .operand = STREW_OPERAND_BUFFERS);
    return strew_plan_body_run(body, buffers, options);
}
