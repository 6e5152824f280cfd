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
    strew_plan_divide(storage, plan, threads);
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

/* A tensor of the call, in the order in which they are checked. */
enum { DATA, INDICES, UPDATES, OUTPUT, TENSORS };
typedef struct used_tensor {
    strew_operand operand;
    const void *data;
    const strew_extent *extent;
} used_tensor;

static void list_tensors(used_tensor *tensors, const strew_plan_body *plan, const strew_buffers *buffers)
{
    static const strew_extent nothing = {0, 0};
    const strew_form *form = &plan->form;
    const bool scatters = form->direction == STREW_SCATTERS;
    tensors[DATA] = (used_tensor){STREW_OPERAND_DATA, buffers->data, &form->data.extent};
    tensors[INDICES] = (used_tensor){STREW_OPERAND_INDICES, buffers->indices, &form->indices.extent};
    tensors[UPDATES] =
        (used_tensor){STREW_OPERAND_UPDATES, buffers->updates, scatters ? &form->dense.extent : &nothing};
    tensors[OUTPUT] =
        (used_tensor){STREW_OPERAND_OUTPUT, buffers->output, scatters ? &form->output.extent : &form->dense.extent};
}

/* Whether what two tensors reach from their pointers has a byte in common. */
static bool overlap(const void *a, const strew_extent *a_extent, const void *b, const strew_extent *b_extent)
{
    const uintptr_t a_begin = (uintptr_t)a + (uintptr_t)a_extent->low;
    const uintptr_t a_end = (uintptr_t)a + (uintptr_t)a_extent->high;
    const uintptr_t b_begin = (uintptr_t)b + (uintptr_t)b_extent->low;
    const uintptr_t b_end = (uintptr_t)b + (uintptr_t)b_extent->high;
    return a_begin < a_end && b_begin < b_end && a_begin < b_end && b_begin < a_end;
}

static bool overlap_tensor(const used_tensor *a, const used_tensor *b)
{
    return overlap(a->data, a->extent, b->data, b->extent);
}

static bool in_place(const strew_plan_body *plan, const strew_buffers *buffers)
{
    return plan->can_be_in_place && buffers->output == buffers->data;
}

static strew_status check_buffers(const strew_plan_body *plan, const strew_buffers *buffers,
                                  const used_tensor *tensors, strew_error *error)
{
    const bool scatters = plan->form.direction == STREW_SCATTERS;
    if (!scatters && buffers->updates)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_UPDATES);
    for (size_t t = 0; t < TENSORS; t++)
        if (!tensors[t].data && tensors[t].extent->high > tensors[t].extent->low)
            return STREW_REFUSE(error, NULL_DATA, .operand = tensors[t].operand);
    if (!in_place(plan, buffers) && overlap_tensor(&tensors[OUTPUT], &tensors[DATA]))
        return scatters
                   ? STREW_REFUSE(error, OVERLAPS_DATA, .operand = STREW_OPERAND_OUTPUT,
                                  .other = STREW_OPERAND_DATA)
                   : STREW_REFUSE(error, OVERLAP, .operand = STREW_OPERAND_OUTPUT, .other = STREW_OPERAND_DATA);
    for (size_t t = INDICES; t <= UPDATES; t++)
        if (overlap_tensor(&tensors[OUTPUT], &tensors[t]))
            return STREW_REFUSE(error, OVERLAP, .operand = STREW_OPERAND_OUTPUT, .other = tensors[t].operand);
    return STREW_STATUS_OK;
}

/* What is used of the scratch: for partitioning, if there is enough; at least what a mean needs. */
static size_t used_scratch(const strew_division *division, size_t least, size_t given)
{
    const size_t useful = division->partition.scratch_bytes;
    return useful > least && useful <= given ? useful : least;
}

/* Only scatters use any. */
static strew_status check_scratch(const strew_plan_body *plan, const strew_division *division,
                                  const used_tensor *tensors, const strew_run_options *options)
{
    if (plan->form.direction != STREW_SCATTERS)
        return STREW_STATUS_OK;
    const size_t least = least_scratch(plan, division->threads);
    const size_t given = options->scratch ? options->scratch_size : 0;
    if (least > given)
        return STREW_REFUSE(options->error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_SCRATCH,
                            .value = (int64_t)given, .lower = (int64_t)least);
    const strew_extent used = {0, (int64_t)used_scratch(division, least, given)};
    for (size_t t = 0; used.high > 0 && t < TENSORS; t++)
        if (overlap(options->scratch, &used, tensors[t].data, tensors[t].extent))
            return STREW_REFUSE(options->error, OVERLAP, .operand = STREW_OPERAND_SCRATCH,
                                .other = tensors[t].operand);
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

static bool run(const strew_plan_body *plan, const strew_division *division, const strew_buffers *buffers,
                const strew_run_options *options)
{
    const strew_pointers pointers = pointers_of(plan, buffers);
    const size_t scratch_bytes = options->scratch ? options->scratch_size : 0;
    const strew_schedule schedule =
        strew_schedule_choose(plan, division, &pointers, in_place(plan, buffers), scratch_bytes);
    return strew_schedule_carry_out(&schedule, plan, &pointers, steppable(buffers->data), options->scratch,
                                    options->parallel);
}

strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers, const strew_run_options *options)
{
    strew_division storage;
    used_tensor tensors[TENSORS];
    strew_status status = strew_run_options_check(&options);
    if (status != STREW_STATUS_OK)
        return status;
    const strew_plan_body *body = body_of(plan);
    if (!body)
        return STREW_REFUSE(options->error, NOT_A_PLAN, .operand = STREW_OPERAND_PLAN);
    if (!buffers)
        return STREW_REFUSE(options->error, NULL_ARGUMENT, .operand = STREW_OPERAND_BUFFERS);
    list_tensors(tensors, body, buffers);
    status = check_buffers(body, buffers, tensors, options->error);
    if (status != STREW_STATUS_OK)
        return status;
    const strew_division *division =
        division_of(body, options->parallel ? options->parallel->threads : 1, &storage);
    status = check_scratch(body, division, tensors, options);
    if (status != STREW_STATUS_OK)
        return status;
    return run(body, division, buffers, options)
               ? STREW_STATUS_OK
               : strew_refuse_first_offender(body, buffers->indices, options->error);
}
