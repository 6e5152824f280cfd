/* Running a plan: the checks that need pointers, then copying, combining, and naming what was wrong. */
#include "base/error.h"
#include "base/options.h"
#include "engine/identity.h"
#include "engine/mean.h"
#include "engine/offender.h"
#include "engine/parallel.h"
#include "engine/partition.h"
#include "engine/plan.h"

_Static_assert(sizeof(strew_plan_body) <= sizeof(strew_plan), "STREW_PLAN_SIZE is too small");
_Static_assert(_Alignof(strew_plan_body) <= _Alignof(strew_plan), "a strew_plan must be aligned as its body is");

/* NULL unless the storage holds a plan. */
static const strew_plan_body *body_of(const strew_plan *plan)
{
    const strew_plan_body *body = (const void *)plan;
    return body && body->made == STREW_PLAN_MADE ? body : NULL;
}

size_t strew_plan_least_scratch_size(const strew_plan *plan, size_t threads)
{
    const strew_plan_body *body = body_of(plan);
    if (!body || body->form.reduction != STREW_REDUCTION_MEAN)
        return 0;
    return strew_mean_scratch_size(body, threads > 0 ? threads : 1);
}

size_t strew_plan_scratch_size(const strew_plan *plan, size_t threads)
{
    const strew_plan_body *body = body_of(plan);
    const size_t least = strew_plan_least_scratch_size(plan, threads);
    const size_t useful = body ? strew_partition_scratch_size(body, threads > 0 ? threads : 1) : 0;
    return useful > least ? useful : least;
}

static bool is_missing(const void *pointer, const strew_extent *extent)
{
    return !pointer && extent->high > extent->low;
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

static bool in_place(const strew_plan_body *plan, const strew_buffers *buffers)
{
    return plan->can_be_in_place && buffers->output == buffers->data;
}

static strew_status check_buffers(const strew_plan_body *plan, const strew_buffers *buffers, strew_error *error)
{
    if (!buffers)
        return STREW_REFUSE(error, NULL_ARGUMENT, .operand = STREW_OPERAND_BUFFERS);
    const strew_form *form = &plan->form;
    const bool scatters = form->direction == STREW_SCATTERS;
    const strew_extent *data = &form->data.extent, *indices = &form->indices.extent;
    const strew_extent *updates = &form->dense.extent;
    const strew_extent *output = scatters ? &form->output.extent : &form->dense.extent;
    if (!scatters && buffers->updates)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_UPDATES);
    if (is_missing(buffers->data, data))
        return STREW_REFUSE(error, NULL_DATA, .operand = STREW_OPERAND_DATA);
    if (is_missing(buffers->indices, indices))
        return STREW_REFUSE(error, NULL_DATA, .operand = STREW_OPERAND_INDICES);
    if (scatters && is_missing(buffers->updates, updates))
        return STREW_REFUSE(error, NULL_DATA, .operand = STREW_OPERAND_UPDATES);
    if (is_missing(buffers->output, output))
        return STREW_REFUSE(error, NULL_DATA, .operand = STREW_OPERAND_OUTPUT);
    if (!in_place(plan, buffers) && overlap(buffers->output, output, buffers->data, data)) {
        if (scatters)
            return STREW_REFUSE(error, OVERLAPS_DATA, .operand = STREW_OPERAND_OUTPUT, .other = STREW_OPERAND_DATA);
        return STREW_REFUSE(error, OVERLAP, .operand = STREW_OPERAND_OUTPUT, .other = STREW_OPERAND_DATA);
    }
    if (overlap(buffers->output, output, buffers->indices, indices))
        return STREW_REFUSE(error, OVERLAP, .operand = STREW_OPERAND_OUTPUT, .other = STREW_OPERAND_INDICES);
    if (scatters && overlap(buffers->output, output, buffers->updates, updates))
        return STREW_REFUSE(error, OVERLAP, .operand = STREW_OPERAND_OUTPUT, .other = STREW_OPERAND_UPDATES);
    return STREW_STATUS_OK;
}

/* What partitioning takes of options->scratch; 0 if there is no use for it, or too little. */
static size_t partition_scratch(const strew_plan_body *plan, const strew_run_options *options)
{
    if (!options->scratch || options->scratch_size == 0)
        return 0;
    const size_t useful = strew_partition_scratch_size(plan, strew_threads(options->parallel));
    return useful <= options->scratch_size ? useful : 0;
}

static strew_status check_scratch_apart(const strew_plan_body *plan, const strew_buffers *buffers, size_t least,
                                        const strew_run_options *options)
{
    const strew_form *form = &plan->form;
    const struct {
        strew_operand operand;
        const void *at;
        const strew_extent *extent;
    } others[] = {
        {STREW_OPERAND_DATA, buffers->data, &form->data.extent},
        {STREW_OPERAND_INDICES, buffers->indices, &form->indices.extent},
        {STREW_OPERAND_UPDATES, buffers->updates, &form->dense.extent},
        {STREW_OPERAND_OUTPUT, buffers->output, &form->output.extent},
    };
    const size_t useful = partition_scratch(plan, options);
    const strew_extent scratch = {0, (int64_t)(useful > least ? useful : least)};
    if (scratch.high == 0)
        return STREW_STATUS_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (overlap(options->scratch, &scratch, others[i].at, others[i].extent))
            return STREW_REFUSE(options->error, OVERLAP, .operand = STREW_OPERAND_SCRATCH,
                                .other = others[i].operand);
    return STREW_STATUS_OK;
}

/* Only scatters use any. */
static strew_status check_scratch(const strew_plan_body *plan, const strew_buffers *buffers,
                                  const strew_run_options *options)
{
    if (plan->form.direction != STREW_SCATTERS)
        return STREW_STATUS_OK;
    const bool counts = plan->form.reduction == STREW_REDUCTION_MEAN;
    const size_t least = counts ? strew_mean_scratch_size(plan, strew_threads(options->parallel)) : 0;
    if (least > (options->scratch ? options->scratch_size : 0))
        return STREW_REFUSE(options->error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_SCRATCH,
                            .value = options->scratch ? (int64_t)options->scratch_size : 0,
                            .lower = (int64_t)least);
    return options->scratch ? check_scratch_apart(plan, buffers, least, options) : STREW_STATUS_OK;
}

/* Whether indices are read once: neither a mean nor a start from the identity needs them. */
static bool is_one_pass(const strew_form *form)
{
    return form->reduction == STREW_REDUCTION_NONE ||
           (form->use_init_val && form->reduction != STREW_REDUCTION_MEAN);
}

static bool update(const strew_plan_body *plan, const strew_places *at, const strew_run_options *options)
{
    if (plan->form.reduction == STREW_REDUCTION_MEAN)
        return strew_mean_run(plan, at, options->scratch, options->parallel);
    if (!is_one_pass(&plan->form) && !strew_start_from_identity(plan, &plan->walk, at, options->parallel))
        return false;
    return strew_walk_run_parallel(&plan->walk, at, STREW_WRITES, options->parallel);
}

/*
 * The kernels' types are those of the direction that writes; what is only read is never written through them. A
 * tensor without elements may be NULL, from which not even nothing may be stepped.
 */
static char *steppable(const void *pointer)
{
    static const char nothing;
    return (char *)(uintptr_t)(pointer ? pointer : &nothing);
}

static void copy_data(const strew_plan_body *plan, const strew_buffers *buffers, const strew_parallel *parallel)
{
    const strew_places at = {steppable(NULL), steppable(buffers->data), steppable(buffers->output)};
    strew_walk copy;
    strew_plan_copy(&copy, plan);
    strew_walk_run_parallel(&copy, &at, STREW_READS, parallel);
}

static bool is_partitioned(const strew_plan_body *plan, const strew_places *at, const strew_run_options *options)
{
    return partition_scratch(plan, options) > 0 &&
           strew_partition_suits(plan, strew_threads(options->parallel), at);
}

/* Nothing is written before every index is known to be good. */
static bool update_in_place(const strew_plan_body *plan, const strew_places *at, const strew_run_options *options)
{
    if (is_one_pass(&plan->form))
        return strew_walk_update(&plan->walk, at, options->parallel);
    return strew_walk_run_parallel(&plan->walk, at, STREW_CHECKS, options->parallel) && update(plan, at, options);
}

static bool scatter(const strew_plan_body *plan, const strew_buffers *buffers, const strew_run_options *options)
{
    const strew_places at = {steppable(buffers->indices), steppable(buffers->output), steppable(buffers->updates)};
    const bool partitioned = is_partitioned(plan, &at, options), is_in_place = in_place(plan, buffers);
    if (!is_in_place)
        copy_data(plan, buffers, options->parallel);
    if (partitioned)
        return strew_partition_run(plan, &at, options->scratch, options->parallel);
    return is_in_place ? update_in_place(plan, &at, options) : update(plan, &at, options);
}

static bool gather(const strew_plan_body *plan, const strew_buffers *buffers, const strew_run_options *options)
{
    const strew_places at = {steppable(buffers->indices), steppable(buffers->data), steppable(buffers->output)};
    return strew_walk_run_parallel(&plan->walk, &at, STREW_READS, options->parallel);
}

strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers, const strew_run_options *options)
{
    strew_status status = strew_run_options_check(&options);
    if (status != STREW_STATUS_OK)
        return status;
    const strew_plan_body *body = body_of(plan);
    if (!body)
        return STREW_REFUSE(options->error, NOT_A_PLAN, .operand = STREW_OPERAND_PLAN);
    status = check_buffers(body, buffers, options->error);
    if (status != STREW_STATUS_OK)
        return status;
    status = check_scratch(body, buffers, options);
    if (status != STREW_STATUS_OK)
        return status;
    const bool done =
        body->form.direction == STREW_SCATTERS ? scatter(body, buffers, options) : gather(body, buffers, options);
    return done ? STREW_STATUS_OK : strew_refuse_first_offender(body, buffers->indices, options->error);
}
