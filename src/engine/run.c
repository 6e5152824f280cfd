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

enum { DATA, INDICES, UPDATES, OUTPUT, TENSORS };

/* A tensor of the call. They are checked in this order. */
typedef struct used_tensor {
    strew_operand operand;
    const void *data;
    const strew_extent *extent;
} used_tensor;

static void list_tensors(used_tensor tensors[TENSORS], const strew_plan_body *plan, const strew_buffers *buffers)
{
    static const strew_extent nothing = {0, 0};
    const strew_form *form = &plan->form;
    const bool gathers = form->direction == STREW_GATHERS;
    const strew_extent *updates = gathers ? &nothing : &form->dense.extent;
    const strew_extent *output = gathers ? &form->dense.extent : &form->output.extent;
    tensors[DATA] = (used_tensor){STREW_OPERAND_DATA, buffers->data, &form->data.extent};
    tensors[INDICES] = (used_tensor){STREW_OPERAND_INDICES, buffers->indices, &form->indices.extent};
    tensors[UPDATES] = (used_tensor){STREW_OPERAND_UPDATES, buffers->updates, updates};
    tensors[OUTPUT] = (used_tensor){STREW_OPERAND_OUTPUT, buffers->output, output};
}

/* Whether what is reached from two pointers has a byte in common, if both reach any. */
static bool may_overlap(const void *a, const strew_extent *a_extent, const void *b, const strew_extent *b_extent)
{
    return (uintptr_t)a + (uintptr_t)a_extent->low < (uintptr_t)b + (uintptr_t)b_extent->high &&
           (uintptr_t)b + (uintptr_t)b_extent->low < (uintptr_t)a + (uintptr_t)a_extent->high;
}

static bool overlap(const used_tensor *a, const used_tensor *b)
{
    return may_overlap(a->data, a->extent, b->data, b->extent) && a->extent->low < a->extent->high &&
           b->extent->low < b->extent->high;
}

/* A quick look, which most calls pass: whether something is NULL, or could overlap. */
static bool is_suspicious(const strew_plan_body *plan, const strew_buffers *buffers, bool in_place)
{
    const strew_form *form = &plan->form;
    const bool gathers = form->direction == STREW_GATHERS;
    const strew_extent *output = gathers ? &form->dense.extent : &form->output.extent;
    return !buffers->data || !buffers->indices || !buffers->output || !buffers->updates != gathers ||
           may_overlap(buffers->output, output, buffers->indices, &form->indices.extent) ||
           (!gathers && may_overlap(buffers->output, output, buffers->updates, &form->dense.extent)) ||
           (!in_place && may_overlap(buffers->output, output, buffers->data, &form->data.extent));
}

__attribute__((noinline)) static strew_status
check_tensors(const strew_plan_body *plan, const strew_buffers *buffers, bool in_place, strew_error *error)
{
    used_tensor tensors[TENSORS];
    const bool gathers = plan->form.direction == STREW_GATHERS;
    list_tensors(tensors, plan, buffers);
    if (gathers && buffers->updates)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_UPDATES);
    for (size_t t = 0; t < TENSORS; t++)
        if (!tensors[t].data && tensors[t].extent->low < tensors[t].extent->high)
            return STREW_REFUSE(error, NULL_DATA, .operand = tensors[t].operand);
    for (size_t t = in_place ? INDICES : DATA; t < OUTPUT; t++)
        if (overlap(&tensors[OUTPUT], &tensors[t]))
            return strew_refuse(error, t == DATA && !gathers ? STREW_REASON_OVERLAPS_DATA : STREW_REASON_OVERLAP,
                                &(strew_error){.operand = STREW_OPERAND_OUTPUT, .other = tensors[t].operand});
    return STREW_STATUS_OK;
}

/* A mean needs some, and what is used lies apart: for partitioning, if there is enough; at least for a mean. */
__attribute__((noinline)) static strew_status check_scratch(const strew_plan_body *plan,
                                                            const strew_division *division,
                                                            const strew_buffers *buffers,
                                                            const strew_run_options *options)
{
    used_tensor tensors[TENSORS];
    const size_t least = least_scratch(plan, division->threads), useful = division->partition.scratch_bytes;
    const size_t given = options->scratch ? options->scratch_size : 0;
    if (least > given)
        return STREW_REFUSE(options->error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_SCRATCH,
                            .value = (int64_t)given, .lower = (int64_t)least);
    const strew_extent used = {0, (int64_t)(useful > least && useful <= given ? useful : least)};
    const used_tensor scratch = {STREW_OPERAND_SCRATCH, options->scratch, &used};
    list_tensors(tensors, plan, buffers);
    for (size_t t = 0; t < TENSORS; t++)
        if (overlap(&scratch, &tensors[t]))
            return STREW_REFUSE(options->error, OVERLAP, .operand = STREW_OPERAND_SCRATCH,
                                .other = tensors[t].operand);
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
    if (is_suspicious(plan, buffers, run.in_place))
        RETURN_IF_REFUSED(check_tensors(plan, buffers, run.in_place, options->error));
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
