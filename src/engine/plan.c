/* Makes plans, answers how much scratch they need, and checks the pointers of a run before the schedule runs it. */
#include "engine/plan.h"

#include "base/error.h"
#include "base/options.h"
#include "base/overlap.h"
#include "dispatch/dispatch.h"
#include "engine/bad_index.h"
#include "engine/combine.h"
#include "engine/inspection.h"

_Static_assert(sizeof(strew_plan_body) <= sizeof(strew_plan), "STREW_PLAN_SIZE is too small");
_Static_assert(_Alignof(strew_plan_body) <= _Alignof(strew_plan), "a strew_plan must be aligned as its body is");

const strew_plan_body *strew_plan_body_of(const strew_plan *plan)
{
    const strew_plan_body *body = (const void *)plan;
    return body && body->made == STREW_PLAN_MADE ? body : NULL;
}

static void complete_plan(strew_plan_body *plan, const strew_kernels *kernels, size_t threads, bool may_copy)
{
    strew_work_make(&plan->work, kernels, may_copy);
    strew_schedule_make(&plan->schedule, &plan->work, threads);
    plan->made = STREW_PLAN_MADE;
}

strew_status strew_plan_make(strew_plan_body *plan, strew_isa isa, size_t threads, bool may_copy,
                             strew_error *error)
{
    const strew_kernels *kernels = strew_kernels_of(isa);
    if (!kernels)
        return STREW_REFUSE(error, ISA_NOT_RUNNABLE, .operand = STREW_OPERAND_ISA, .value = (int64_t)isa);
    plan->work.form.inspected = false;
    complete_plan(plan, kernels, threads, may_copy);
    return STREW_STATUS_OK;
}

/* ---- Scratch ------------------------------------------------------------------------------------- */

/* Makes the schedule for this number of threads. Storage that holds no plan needs no scratch. */
static strew_schedule schedule_for(const strew_plan *plan, size_t threads)
{
    strew_schedule schedule = {.least_scratch = 0};
    const strew_plan_body *body = strew_plan_body_of(plan);
    if (body)
        strew_schedule_make(&schedule, &body->work, threads > 0 ? threads : 1);
    return schedule;
}

size_t strew_plan_least_scratch_size(const strew_plan *plan, size_t threads)
{
    const strew_plan_body *body = strew_plan_body_of(plan);
    return body && strew_combine_may_need_scratch(&body->work) ? strew_plan_scratch_size(plan, threads)
                                                               : schedule_for(plan, threads).least_scratch;
}

size_t strew_plan_scratch_size(const strew_plan *plan, size_t threads)
{
    const strew_schedule schedule = schedule_for(plan, threads);
    const size_t least = schedule.least_scratch, useful = schedule.useful_scratch;
    return useful > least ? useful : least;
}

/* ---- The checks that need pointers ---------------------------------------------------------------- */

static strew_status check_present(const void *data, const strew_extent *extent, strew_operand operand,
                                  strew_error *error)
{
    if (data || extent->low == extent->high)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, NULL_DATA, .operand = operand);
}

/* An operand and the memory that it occupies. */
typedef struct placed_operand {
    strew_operand operand;
    strew_span span;
} placed_operand;

static inline placed_operand place(strew_operand operand, const void *data, const strew_layout *layout)
{
    return (placed_operand){operand, strew_span_of(data, layout)};
}

static inline placed_operand place_bytes(strew_operand operand, const void *data, int64_t bytes)
{
    return (placed_operand){operand, {(uintptr_t)data, bytes, NULL}};
}

/* Inspected indices are one block of memory, whatever their layout is. */
static inline placed_operand place_indices(const strew_form *form, const void *data)
{
    return form->inspected ? place_bytes(STREW_OPERAND_INDICES, data, form->indices.extent.high)
                           : place(STREW_OPERAND_INDICES, data, &form->indices);
}

/* Not inlined: few operands are so close to each other. */
STREW_NOINLINE static strew_status check_interleaved(const placed_operand *written, const placed_operand *other,
                                                     strew_reason reason, strew_error *error)
{
    const strew_overlap overlap = strew_find_overlap(&written->span, &other->span);
    if (overlap == STREW_OVERLAP_NONE)
        return STREW_STATUS_OK;
    return strew_refuse(error, overlap == STREW_OVERLAP_FOUND ? reason : STREW_REASON_INTERLEAVES,
                        &(strew_error){.operand = written->operand, .other = other->operand});
}

static inline strew_status check_apart(const placed_operand *written, placed_operand other, strew_reason reason,
                                       strew_error *error)
{
    return strew_spans_meet(&written->span, &other.span) ? check_interleaved(written, &other, reason, error)
                                                         : STREW_STATUS_OK;
}

STREW_NOINLINE static strew_status check_bag_buffers(const strew_form *form, const strew_buffers *buffers,
                                                     const placed_operand *written, strew_error *error)
{
    const strew_layout *segment_ids = &form->segment_ids, *weights = &form->weights;
    RETURN_IF_REFUSED(check_present(buffers->segments, &segment_ids->extent, form->segment_ids_operand, error));
    RETURN_IF_REFUSED(check_present(buffers->weights, &weights->extent, STREW_OPERAND_WEIGHTS, error));
    RETURN_IF_REFUSED(check_apart(written, place(form->segment_ids_operand, buffers->segments, segment_ids),
                                  STREW_REASON_OVERLAP, error));
    return check_apart(written, place(STREW_OPERAND_WEIGHTS, buffers->weights, weights), STREW_REASON_OVERLAP,
                       error);
}

static inline strew_status check_no_bag_buffers(const strew_buffers *buffers, strew_error *error)
{
    if (!buffers->segments && !buffers->weights)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, UNEXPECTED,
                        .operand = buffers->segments ? STREW_OPERAND_SEGMENT_IDS : STREW_OPERAND_WEIGHTS);
}

static strew_status check_buffers(const strew_form *form, const strew_buffers *buffers, bool in_place,
                                  strew_error *error)
{
    const bool scatters = form->direction == STREW_SCATTERS;
    const strew_layout *output = scatters ? &form->output : &form->dense;
    const placed_operand written = place(STREW_OPERAND_OUTPUT, buffers->output, output);
    if (!scatters && buffers->updates)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_UPDATES);
    RETURN_IF_REFUSED(check_present(buffers->data, &form->data.extent, STREW_OPERAND_DATA, error));
    RETURN_IF_REFUSED(check_present(buffers->indices, &form->indices.extent, STREW_OPERAND_INDICES, error));
    if (scatters)
        RETURN_IF_REFUSED(check_present(buffers->updates, &form->dense.extent, STREW_OPERAND_UPDATES, error));
    RETURN_IF_REFUSED(check_present(buffers->output, &output->extent, STREW_OPERAND_OUTPUT, error));
    if (!in_place)
        RETURN_IF_REFUSED(check_apart(&written, place(STREW_OPERAND_DATA, buffers->data, &form->data),
                                      scatters ? STREW_REASON_OVERLAPS_DATA : STREW_REASON_OVERLAP, error));
    RETURN_IF_REFUSED(check_apart(&written, place_indices(form, buffers->indices), STREW_REASON_OVERLAP, error));
    if (scatters)
        RETURN_IF_REFUSED(check_apart(&written, place(STREW_OPERAND_UPDATES, buffers->updates, &form->dense),
                                      STREW_REASON_OVERLAP, error));
    return strew_form_has_bags(form) ? check_bag_buffers(form, buffers, &written, error)
                                     : check_no_bag_buffers(buffers, error);
}

/* Refuses scratch that is too small for a mean, and scratch that overlaps a tensor in the bytes that the run uses.
 */
STREW_NOINLINE static strew_status check_scratch(const strew_form *form, const strew_schedule *schedule,
                                                 const strew_buffers *buffers, const strew_run_options *options)
{
    const uint64_t least = schedule->least_scratch, useful = schedule->useful_scratch;
    const size_t given = options->scratch ? options->scratch_size : 0;
    if (least > given)
        return STREW_REFUSE(options->error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_SCRATCH,
                            .value = (int64_t)given, .lower = least < INT64_MAX ? (int64_t)least : INT64_MAX);
    const uint64_t used = useful > least && useful <= given ? useful : least;
    const placed_operand scratch = place_bytes(STREW_OPERAND_SCRATCH, options->scratch, (int64_t)used);
    const bool scatters = form->direction == STREW_SCATTERS, has_bags = strew_form_has_bags(form);
    const placed_operand tensors[] = {
        place(STREW_OPERAND_DATA, buffers->data, &form->data),
        place_indices(form, buffers->indices),
        scatters ? place(STREW_OPERAND_UPDATES, buffers->updates, &form->dense)
                 : place_bytes(STREW_OPERAND_UPDATES, NULL, 0),
        place(STREW_OPERAND_OUTPUT, buffers->output, scatters ? &form->output : &form->dense),
        has_bags ? place(form->segment_ids_operand, buffers->segments, &form->segment_ids)
                 : place_bytes(STREW_OPERAND_SEGMENT_IDS, NULL, 0),
        has_bags ? place(STREW_OPERAND_WEIGHTS, buffers->weights, &form->weights)
                 : place_bytes(STREW_OPERAND_WEIGHTS, NULL, 0),
    };
    for (size_t t = 0; t < sizeof tensors / sizeof *tensors; t++)
        RETURN_IF_REFUSED(check_apart(&scratch, tensors[t], STREW_REASON_OVERLAP, options->error));
    return STREW_STATUS_OK;
}

/* ---- Running ------------------------------------------------------------------------------------- */

/* Makes a pointer that can be stepped: not const, as a run writes only the output, and not NULL, as the data
 * pointer of a tensor without elements may be. */
static inline char *make_steppable(const void *pointer)
{
    static const char nothing;
    return (char *)(uintptr_t)(pointer ? pointer : &nothing);
}

/* Reports why a run or an inspection was refused. */
static strew_status refuse_run(const strew_work *work, size_t threads, const strew_buffers *buffers,
                               const strew_run_options *options)
{
    if (strew_form_has_bags(&work->form))
        return strew_combine_refuse(work, buffers, threads, options);
    if (work->form.inspected)
        return STREW_REFUSE(options->error, NOT_ITS_INSPECTION, .operand = STREW_OPERAND_INSPECTION);
    const strew_index_list list = strew_index_list_of(work, buffers->indices);
    if (strew_refuse_bad_index(&list, options->error))
        return STREW_STATUS_INDEX_OUT_OF_BOUNDS;
    /* Another thread changed the indices meanwhile, which the caller must not allow. */
    return STREW_REFUSE(options->error, INDEX_OUTSIDE, .operand = STREW_OPERAND_INDICES,
                        .other = STREW_OPERAND_DATA);
}

strew_status strew_run_scheduled(const strew_work *work, const strew_schedule *schedule,
                                 const strew_buffers *buffers, const strew_run_options *options)
{
    const strew_form *form = &work->form;
    const bool gathers = form->direction == STREW_GATHERS;
    strew_run run; /* set field by field: an initialiser clears it with vector stores, and later loads stall */
    run.work = work;
    run.schedule = schedule;
    run.options = options;
    run.buffers = buffers;
    run.pointers.indices = make_steppable(buffers->indices) + (form->inspected ? STREW_INSPECTION_BEGIN : 0);
    run.pointers.addressed = make_steppable(gathers ? buffers->data : buffers->output);
    run.pointers.dense = make_steppable(gathers ? buffers->output : buffers->updates);
    run.pointers.fill = options->fill;
    run.in_place = work->can_be_in_place && buffers->output == buffers->data;
    run.copied = work->has_copy && !run.in_place ? make_steppable(buffers->data) : NULL;
    RETURN_IF_REFUSED(check_buffers(form, buffers, run.in_place, options->error));
    if (form->inspected && !strew_inspection_is_sealed(form, buffers->indices))
        return STREW_REFUSE(options->error, NOT_ITS_INSPECTION, .operand = STREW_OPERAND_INSPECTION);
    run.pointers.addressed += form->slice_begin;
    if (schedule->least_scratch > 0 || schedule->useful_scratch > 0)
        RETURN_IF_REFUSED(check_scratch(form, schedule, buffers, options));
    if (strew_run_execute(&run))
        return STREW_STATUS_OK;
    return refuse_run(work, schedule->threads, buffers, options);
}

/* Not inlined: its schedule takes stack that other runs do not need. */
STREW_NOINLINE static strew_status run_with_another_count(const strew_work *work, size_t threads,
                                                          const strew_buffers *buffers,
                                                          const strew_run_options *options)
{
    strew_schedule schedule;
    strew_schedule_make(&schedule, work, threads);
    return strew_run_scheduled(work, &schedule, buffers, options);
}

strew_status strew_plan_run(const strew_plan *plan, const strew_buffers *buffers, const strew_run_options *options)
{
    strew_run_options room;
    RETURN_IF_REFUSED(strew_run_options_take(&room, &options));
    const strew_plan_body *body = strew_plan_body_of(plan);
    if (!body)
        return STREW_REFUSE(options->error, NOT_A_PLAN, .operand = STREW_OPERAND_PLAN);
    if (!buffers)
        return STREW_REFUSE(options->error, NULL_ARGUMENT, .operand = STREW_OPERAND_BUFFERS);
    const size_t threads = options->parallel ? options->parallel->threads : 1;
    return threads == body->schedule.threads ? strew_run_scheduled(&body->work, &body->schedule, buffers, options)
                                             : run_with_another_count(&body->work, threads, buffers, options);
}

/* ---- Inspecting ---------------------------------------------------------------------------------- */

size_t strew_plan_inspection_size(const strew_plan *plan)
{
    const strew_plan_body *body = strew_plan_body_of(plan);
    return body ? strew_inspection_size(&body->work, &body->schedule.move_cut) : 0;
}

static strew_status check_inspection(const strew_plan_body *plan, const strew_buffers *buffers, const void *storage,
                                     size_t storage_size, strew_error *error)
{
    const strew_form *form = &plan->work.form;
    const uint64_t needed = strew_inspection_size(&plan->work, &plan->schedule.move_cut);
    const size_t given = storage ? storage_size : 0;
    const placed_operand written = place_bytes(STREW_OPERAND_INSPECTION, storage, (int64_t)needed);
    RETURN_IF_REFUSED(check_present(buffers->indices, &form->indices.extent, STREW_OPERAND_INDICES, error));
    if (given < needed)
        return STREW_REFUSE(error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_INSPECTION, .value = (int64_t)given,
                            .lower = needed < INT64_MAX ? (int64_t)needed : INT64_MAX);
    RETURN_IF_REFUSED(check_apart(&written, place_indices(form, buffers->indices), STREW_REASON_OVERLAP, error));
    if (!strew_form_has_segment_ids(form))
        return STREW_STATUS_OK;
    const strew_layout *segment_ids = &form->segment_ids;
    RETURN_IF_REFUSED(check_present(buffers->segments, &segment_ids->extent, form->segment_ids_operand, error));
    return check_apart(&written, place(form->segment_ids_operand, buffers->segments, segment_ids),
                       STREW_REASON_OVERLAP, error);
}

strew_status strew_plan_inspect(strew_plan *inspected, const strew_plan *plan, const strew_buffers *buffers,
                                void *storage, size_t storage_size, const strew_run_options *options)
{
    strew_run_options room;
    strew_plan_body *made = (void *)inspected;
    RETURN_IF_REFUSED(strew_run_options_take(&room, &options));
    const strew_plan_body *body = strew_plan_body_of(plan);
    if (!body || body->work.form.inspected)
        return STREW_REFUSE(options->error, NOT_A_PLAN, .operand = STREW_OPERAND_PLAN);
    if (!inspected)
        return STREW_REFUSE(options->error, NULL_ARGUMENT, .operand = STREW_OPERAND_PLAN);
    if (inspected == plan)
        return STREW_REFUSE(options->error, OVERLAP, .operand = STREW_OPERAND_PLAN, .other = STREW_OPERAND_PLAN);
    made->made = 0;
    if (!buffers)
        return STREW_REFUSE(options->error, NULL_ARGUMENT, .operand = STREW_OPERAND_BUFFERS);
    RETURN_IF_REFUSED(check_inspection(body, buffers, storage, storage_size, options->error));
    if (!strew_inspect(&made->work.form, &body->work, &body->schedule.move_cut, buffers, storage))
        return refuse_run(&body->work, body->schedule.threads, buffers, options);
    complete_plan(made, body->work.kernels, body->schedule.threads, body->work.has_copy);
    return STREW_STATUS_OK;
}
