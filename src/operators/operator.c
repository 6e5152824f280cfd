#include "operators/operator.h"

#include "base/choice.h"
#include "base/error.h"
#include "base/options.h"
#include "operators/bags.h"
#include "operators/packed.h"
#include "operators/slice.h"

/* For each attribute, in the order of their bits: the operand that an error about it names. */
static const strew_operand attribute_operands[] = {
    STREW_OPERAND_AXIS,          STREW_OPERAND_BATCH_DIMS, STREW_OPERAND_REDUCTION,     STREW_OPERAND_USE_INIT_VAL,
    STREW_OPERAND_CIRCULAR,      STREW_OPERAND_SLICE,      STREW_OPERAND_SEGMENT_IDS,   STREW_OPERAND_WEIGHTS,
    STREW_OPERAND_DEFAULT_INDEX, STREW_OPERAND_EMPTY,      STREW_OPERAND_SEGMENT_COUNT,
};

enum { ATTRIBUTES = sizeof attribute_operands / sizeof *attribute_operands };

typedef enum indices_presence { ALWAYS, OPTIONAL, NEVER } indices_presence;

/* For each kind: what its operators do and take. */
typedef struct kind_entry {
    strew_direction direction;
    strew_addressing addressing;
    int32_t least_data_rank, least_indices_rank;
    int32_t default_axis;
    indices_presence indices;
} kind_entry;

static const kind_entry kind_entries[] = {
    [STREW_KIND_GATHER_ND] = {STREW_GATHERS, STREW_ROWS, 1, 1, 0, ALWAYS},
    [STREW_KIND_GATHER_ELEMENTS] = {STREW_GATHERS, STREW_ELEMENTS, 1, 1, 0, ALWAYS},
    [STREW_KIND_SCATTER_ND] = {STREW_SCATTERS, STREW_ROWS, 1, 1, 0, ALWAYS},
    [STREW_KIND_SCATTER_ELEMENTS] = {STREW_SCATTERS, STREW_ELEMENTS, 1, 1, 0, ALWAYS},
    [STREW_KIND_GATHER] = {STREW_GATHERS, STREW_AXIS, 1, 0, 0, ALWAYS},
    [STREW_KIND_SCATTER] = {STREW_SCATTERS, STREW_AXIS, 1, 0, 0, ALWAYS},
    [STREW_KIND_TENSOR_SCATTER] = {STREW_SCATTERS, STREW_WINDOWS, 2, 0, -2, OPTIONAL},
    [STREW_KIND_SLICE_SCATTER] = {STREW_SCATTERS, STREW_SLICE, 1, 0, 0, NEVER},
    [STREW_KIND_EMBEDDING_BAG_OFFSETS] = {STREW_GATHERS, STREW_BAGS, 1, 1, 0, ALWAYS},
    [STREW_KIND_EMBEDDING_BAG_PACKED] = {STREW_GATHERS, STREW_BAGS, 1, 1, 0, ALWAYS},
    [STREW_KIND_EMBEDDING_SEGMENTS] = {STREW_GATHERS, STREW_BAGS, 1, 1, 0, ALWAYS},
    [STREW_KIND_SEGMENT_REDUCE] = {STREW_GATHERS, STREW_BAGS, 1, 1, 0, NEVER},
    [STREW_KIND_GATHER_SCATTER] = {STREW_SCATTERS, STREW_BAGS, 1, 1, 0, ALWAYS},
};

static const kind_entry *kind_of(const strew_operator *rules)
{
    return &kind_entries[rules->kind];
}

static bool is_gather(const strew_operator *rules)
{
    return kind_of(rules)->direction == STREW_GATHERS;
}

/* Returns the operand of the attribute with this bit. Some kinds have a name of their own for it. */
static strew_operand operand_of(const strew_call *call, int bit)
{
    const bool names_segments =
        STREW_HAS_BAGS && 1u << bit == STREW_ATTRIBUTE_SEGMENTS && kind_of(call->rules)->addressing == STREW_BAGS;
    return names_segments ? strew_segments_operand(call->rules->kind) : attribute_operands[bit];
}

/* Returns the first reduction that the version has. */
static strew_reduction default_reduction(const strew_operator *rules)
{
    strew_reduction reduction = STREW_REDUCTION_NONE;
    while (rules->reductions && !(rules->reductions >> reduction & 1u))
        reduction++;
    return reduction;
}

/*
 * Refuses attributes that the version does not have, and missing ones that it requires. Gives the others their
 * defaults.
 */
static strew_status complete_attributes(strew_call *call, strew_error *error)
{
    strew_attributes *attributes = &call->attributes;
    const uint32_t given = attributes->given, unexpected = given & ~call->rules->attributes,
                   missing = call->rules->required & ~given;
    if (given >> ATTRIBUTES)
        return STREW_REFUSE(error, UNKNOWN_BITS, .operand = STREW_OPERAND_ATTRIBUTES,
                            .value = given >> ATTRIBUTES << ATTRIBUTES);
    if (unexpected | missing) {
        const int first = strew_lowest_bit(unexpected | missing);
        return strew_refuse(error, unexpected >> first & 1 ? STREW_REASON_UNEXPECTED : STREW_REASON_REQUIRED,
                            &(strew_error){.operand = operand_of(call, first)});
    }
    *attributes = (strew_attributes){
        .given = given,
        .axis = given & STREW_ATTRIBUTE_AXIS ? attributes->axis : kind_of(call->rules)->default_axis,
        .batch_dims = given & STREW_ATTRIBUTE_BATCH_DIMS ? attributes->batch_dims : 0,
        .reduction = given & STREW_ATTRIBUTE_REDUCTION ? attributes->reduction : default_reduction(call->rules),
        .use_init_val = given & STREW_ATTRIBUTE_USE_INIT_VAL ? attributes->use_init_val : true,
        .circular = given & STREW_ATTRIBUTE_CIRCULAR ? attributes->circular : false,
        .slice = given & STREW_ATTRIBUTE_SLICE ? attributes->slice : NULL,
        .segments = given & STREW_ATTRIBUTE_SEGMENTS ? attributes->segments : NULL,
        .weights = given & STREW_ATTRIBUTE_WEIGHTS ? attributes->weights : NULL,
        .default_index = given & STREW_ATTRIBUTE_DEFAULT_INDEX ? attributes->default_index : -1,
        .segment_count = given & STREW_ATTRIBUTE_SEGMENT_COUNT ? attributes->segment_count : -1,
        .empty = given & STREW_ATTRIBUTE_EMPTY ? attributes->empty : STREW_EMPTY_ZERO,
    };
    return STREW_STATUS_OK;
}

/* Returns the bit of a dtype in a set. Opaque elements have the bit of STREW_DTYPE_NONE. */
static uint32_t dtype_bit(strew_dtype dtype)
{
    return 1u << (dtype & STREW_DTYPE_OPAQUE_BIT ? STREW_DTYPE_NONE : dtype);
}

strew_status strew_check_dtype(strew_operand operand, strew_dtype dtype, uint32_t taken, uint32_t built,
                               strew_error *error)
{
    if (dtype_bit(dtype) & taken)
        return STREW_STATUS_OK;
    if (dtype_bit(dtype) & built)
        return STREW_REFUSE(error, DTYPE_NOT_TAKEN, .operand = operand, .value = dtype, .lower = taken);
    return STREW_REFUSE(error, DTYPE_LEFT_OUT, .operand = operand, .value = dtype);
}

static strew_status check_same_dtype(const strew_layout *layout, strew_operand operand, const strew_layout *data,
                                     strew_error *error)
{
    if (layout->dtype == data->dtype)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, DTYPES_DIFFER, .operand = operand, .other = STREW_OPERAND_DATA,
                        .value = layout->dtype, .lower = data->dtype);
}

static strew_status check_reduction(const strew_call *call, strew_dtype dtype, strew_error *error)
{
    const strew_reduction reduction = call->attributes.reduction;
    if (!(call->rules->attributes & STREW_ATTRIBUTE_REDUCTION))
        return STREW_STATUS_OK;
    if ((unsigned)reduction >= STREW_REDUCTION_COUNT)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_REDUCTION, .value = (int64_t)reduction,
                            .upper = STREW_REDUCTION_COUNT - 1);
    if (!(STREW_BUILT_REDUCTIONS >> reduction & 1))
        return STREW_REFUSE(error, REDUCTION_LEFT_OUT, .operand = STREW_OPERAND_REDUCTION,
                            .value = (int64_t)reduction);
    if (!(call->rules->reductions >> reduction & 1u))
        return STREW_REFUSE(error, REDUCTION_NOT_OFFERED, .operand = STREW_OPERAND_REDUCTION,
                            .value = (int64_t)reduction);
    if (!strew_reduction_supports(reduction, dtype))
        return STREW_REFUSE(error, REDUCTION_NOT_DEFINED, .operand = STREW_OPERAND_REDUCTION,
                            .value = (int64_t)reduction, .lower = dtype);
    return STREW_STATUS_OK;
}

static strew_status check_rank(const strew_layout *layout, strew_operand operand, int32_t least, strew_error *error)
{
    if (layout->rank >= least)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, RANK_TOO_SMALL, .operand = operand, .value = layout->rank, .lower = least);
}

/* Returns the policy of the call; if the caller left it at the default, that of the version. */
static strew_bounds bounds_of(const strew_call *call)
{
    const bool is_default = call->bounds == STREW_BOUNDS_REFUSE;
    return is_default && (call->rules->rules & STREW_RULE_ZERO_OUTSIDE) ? STREW_BOUNDS_SKIP : call->bounds;
}

/*
 * Makes up a layout for a call without indices: one index for each batch, or for each row of data. It is never
 * read.
 */
static void take_no_indices(const strew_call *call, strew_form *form)
{
    const bool has_some = kind_of(call->rules)->addressing != STREW_SLICE;
    form->indices = (strew_layout){.rank = has_some, .dtype = STREW_DTYPE_INT64, .element = sizeof(int64_t)};
    form->indices.size[0] = form->data.rank > 0 ? form->data.size[0] : 0;
}

static strew_status take_indices(const strew_call *call, strew_form *form, strew_error *error)
{
    const kind_entry *kind = kind_of(call->rules);
    if (kind->indices == NEVER && call->indices)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_INDICES);
    if (kind->indices != ALWAYS && !call->indices) {
        take_no_indices(call, form);
        return STREW_STATUS_OK;
    }
    RETURN_IF_REFUSED(strew_layout_of(&form->indices, call->indices, STREW_OPERAND_INDICES, error));
    return strew_check_dtype(STREW_OPERAND_INDICES, form->indices.dtype, call->rules->index_dtypes,
                             STREW_BUILT_DTYPES | STREW_BUILT_INDEX_DTYPES, error);
}

/* Checks data and indices, first each by itself and against the rules, then against each other. */
static strew_status check_inputs(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error)
{
    const kind_entry *kind = kind_of(call->rules);
    RETURN_IF_REFUSED(strew_layout_of(&form->data, call->data, STREW_OPERAND_DATA, error));
    RETURN_IF_REFUSED(strew_check_dtype(STREW_OPERAND_DATA, form->data.dtype, call->rules->data_dtypes,
                                        STREW_BUILT_DTYPES, error));
    RETURN_IF_REFUSED(take_indices(call, form, error));
    RETURN_IF_REFUSED(check_reduction(call, form->data.dtype, error));
    RETURN_IF_REFUSED(check_rank(&form->data, STREW_OPERAND_DATA, kind->least_data_rank, error));
    RETURN_IF_REFUSED(check_rank(&form->indices, STREW_OPERAND_INDICES, kind->least_indices_rank, error));
    form->direction = kind->direction;
    form->addressing = kind->addressing;
    form->batch_dims = 0;
    form->axis = 0;
    form->circular = false;
    form->indices_first = false;
    form->slice_begin = 0;
    form->segments = STREW_UNIFORM;
    form->sorted = false;
    form->fill_bytes = form->data.element;
    form->wrap =
        !(call->rules->rules & STREW_RULE_REFUSES_NEGATIVE) && !(call->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES);
    form->is_unique = (call->flags & STREW_FLAG_UNIQUE_INDICES) != 0;
    form->bounds = bounds_of(call);
    form->reduction = call->attributes.reduction;
    form->use_init_val = call->attributes.use_init_val != 0;
    return strew_shape_rule(call, form, dense, error);
}

static bool is_of_indices(const strew_shape *shape, int32_t d)
{
    return d >= shape->first_index_dim && d < shape->first_index_dim + shape->index_dims;
}

static strew_status check_shape(const strew_layout *layout, strew_operand operand, const strew_shape *shape,
                                strew_error *error)
{
    if (layout->rank != shape->rank)
        return STREW_REFUSE(error, WRONG_RANK, .operand = operand, .value = layout->rank, .lower = shape->rank,
                            .other = shape->index_dims >= 0 ? shape->index_operand : STREW_OPERAND_DATA);
    for (int32_t d = 0; d < shape->rank; d++) {
        if (d == shape->dim_at_most && layout->size[d] > shape->size[d])
            return STREW_REFUSE(error, LONGER_THAN_AXIS, .operand = operand, .other = STREW_OPERAND_DATA,
                                .dimension = d, .value = layout->size[d], .upper = shape->size[d]);
        if (d != shape->dim_at_most && layout->size[d] != shape->size[d])
            return STREW_REFUSE(error, WRONG_SIZE, .operand = operand, .dimension = d, .value = layout->size[d],
                                .lower = shape->size[d],
                                .other = is_of_indices(shape, d) ? shape->index_operand : STREW_OPERAND_DATA);
    }
    return STREW_STATUS_OK;
}

static strew_status take_updates(const strew_call *call, strew_form *form, const strew_shape *shape,
                                 strew_error *error)
{
    strew_layout *updates = &form->dense;
    RETURN_IF_REFUSED(strew_layout_of(updates, call->updates, STREW_OPERAND_UPDATES, error));
    RETURN_IF_REFUSED(check_same_dtype(updates, STREW_OPERAND_UPDATES, &form->data, error));
    if (shape->rank == 0 && (call->rules->rules & STREW_RULE_ONE_ELEMENT_UPDATES)) {
        if (updates->count != 1)
            return STREW_REFUSE(error, NOT_ONE_ELEMENT, .operand = STREW_OPERAND_UPDATES, .value = updates->count);
        updates->rank = 0;
        return STREW_STATUS_OK;
    }
    return check_shape(updates, STREW_OPERAND_UPDATES, shape, error);
}

/* Makes several batch dimensions one: their product. The output of GatherND-5 has that shape. */
static void flatten_batch(strew_shape *flat, const strew_shape *rows, int32_t batch_dims)
{
    strew_shape_take(flat, 0, NULL);
    flat->index_dims = rows->index_dims - batch_dims + 1;
    flat->size[flat->rank++] = 1;
    for (int32_t d = 0; d < batch_dims; d++)
        flat->size[0] *= rows->size[d];
    for (int32_t d = batch_dims; d < rows->rank; d++)
        flat->size[flat->rank++] = rows->size[d];
}

/* Splits the flattened batch dimension of such an output again, to get its strides. */
static void unflatten_batch(strew_layout *output, const strew_shape *rows, int32_t batch_dims)
{
    const strew_layout flat = *output;
    output->rank = rows->rank;
    int64_t stride = flat.stride[0];
    for (int32_t d = rows->rank; d-- > 0;) {
        output->size[d] = rows->size[d];
        if (d >= batch_dims) {
            output->stride[d] = flat.stride[d - batch_dims + 1];
        } else {
            output->stride[d] = stride;
            stride = (int64_t)((uint64_t)stride * (uint64_t)rows->size[d]); /* the last may wrap; it is not used */
        }
    }
}

static bool has_flat_batch(const strew_call *call, const strew_form *form)
{
    return (call->rules->rules & STREW_RULE_FLATTENS_BATCH) && form->batch_dims > 1;
}

/* Returns the shape of the output: `dense`, or another one in *storage. */
static const strew_shape *output_shape(const strew_call *call, const strew_form *form, const strew_shape *dense,
                                       strew_shape *storage)
{
    if (form->direction == STREW_SCATTERS)
        strew_shape_take(storage, form->data.rank, form->data.size);
    else if (has_flat_batch(call, form))
        flatten_batch(storage, dense, form->batch_dims);
    else
        return dense;
    return storage;
}

static strew_status take_output(const strew_call *call, strew_form *form, const strew_shape *dense,
                                strew_error *error)
{
    strew_layout *output = form->direction == STREW_GATHERS ? &form->dense : &form->output;
    strew_shape storage;
    const strew_shape *const shape = output_shape(call, form, dense, &storage);
    RETURN_IF_REFUSED(strew_layout_of(output, call->output, STREW_OPERAND_OUTPUT, error));
    RETURN_IF_REFUSED(check_same_dtype(output, STREW_OPERAND_OUTPUT, &form->data, error));
    RETURN_IF_REFUSED(check_shape(output, STREW_OPERAND_OUTPUT, shape, error));
    if (call->output->strides)
        RETURN_IF_REFUSED(strew_layout_check_apart(output, STREW_OPERAND_OUTPUT, error));
    if (has_flat_batch(call, form))
        unflatten_batch(output, dense, form->batch_dims);
    return strew_form_is_packed(form) ? strew_packed_check(form, output, STREW_OPERAND_OUTPUT, error)
                                      : STREW_STATUS_OK;
}

/* Checks everything that the shape of the output depends on. */
static strew_status check_call(strew_call *call, strew_form *form, strew_shape *dense)
{
    strew_error *error = call->error;
    if (!call->rules)
        return STREW_REFUSE(error, NULL_ARGUMENT, .operand = STREW_OPERAND_OPERATOR);
    if (!(STREW_BUILT_KINDS >> call->rules->kind & 1))
        return STREW_REFUSE(error, OPERATOR_LEFT_OUT, .operand = STREW_OPERAND_OPERATOR,
                            .value = call->rules->kind);
    RETURN_IF_REFUSED(complete_attributes(call, error));
    if (is_gather(call->rules) && call->updates)
        return STREW_REFUSE(error, UNEXPECTED, .operand = STREW_OPERAND_UPDATES);
    RETURN_IF_REFUSED(check_inputs(call, form, dense, error));
    if (!is_gather(call->rules))
        RETURN_IF_REFUSED(take_updates(call, form, dense, error));
    return strew_form_is_packed(form) ? strew_packed_check_inputs(form, error) : STREW_STATUS_OK;
}

strew_status strew_call_shape(strew_call *call, int64_t shape[STREW_MAX_RANK], int32_t *rank, strew_error *error)
{
    strew_form form;
    strew_shape dense, storage;
    call->error = error;
    RETURN_IF_REFUSED(check_call(call, &form, &dense));
    if (STREW_HAS_BAGS && strew_bags_need_count(call, &form))
        return STREW_REFUSE(error, REQUIRED, .operand = STREW_OPERAND_SEGMENT_COUNT);
    if (!shape || !rank)
        return STREW_REFUSE(error, NULL_ARGUMENT, .operand = shape ? STREW_OPERAND_RANK : STREW_OPERAND_SHAPE);
    const strew_shape *const output = output_shape(call, &form, &dense, &storage);
    for (int32_t d = 0; d < output->rank; d++)
        shape[d] = output->size[d];
    *rank = output->rank;
    return STREW_STATUS_OK;
}

/*
 * Completes the form with what needs whole bytes: turns packed elements into bytes, and finds the slice in the
 * output.
 */
static strew_status complete_form(const strew_call *call, strew_form *form)
{
    strew_sliced sliced;
    if (strew_form_is_slice(form))
        RETURN_IF_REFUSED(strew_slice_of(&sliced, call->attributes.slice, &form->data, call->error));
    if (strew_form_is_packed(form))
        strew_packed_to_bytes(form);
    if (strew_form_is_slice(form))
        strew_slice_address(form, &sliced);
    return STREW_STATUS_OK;
}

/* Makes a plan. The options have been checked. */
static strew_status make_plan(strew_call *call, strew_plan_body *plan, const strew_plan_options *options,
                              bool may_copy)
{
    strew_shape dense;
    strew_error *error = options->error;
    call->flags = options->flags;
    call->bounds = options->bounds;
    call->error = error;
    RETURN_IF_REFUSED(check_call(call, &plan->work.form, &dense));
    RETURN_IF_REFUSED(take_output(call, &plan->work.form, &dense, error));
    RETURN_IF_REFUSED(complete_form(call, &plan->work.form));
    return strew_plan_make(plan, options->isa, options->threads > 0 ? options->threads : 1, may_copy, error);
}

strew_status strew_call_plan(strew_call *call, strew_plan *plan, const strew_plan_options *options)
{
    strew_plan_body *body = (void *)plan;
    if (body)
        body->made = 0;
    strew_plan_options planning;
    RETURN_IF_REFUSED(strew_plan_options_take(&planning, options));
    if (!plan)
        return STREW_REFUSE(planning.error, NULL_ARGUMENT, .operand = STREW_OPERAND_PLAN);
    return make_plan(call, body, &planning, true);
}

strew_status strew_call_run(strew_call *call, const strew_options *options)
{
    strew_plan_body plan;
    strew_plan_options planning;
    strew_run_options running;
    RETURN_IF_REFUSED(strew_options_take(options, &planning, &running));
    const bool may_copy = call->output && call->data && call->output->data != call->data->data;
    RETURN_IF_REFUSED(make_plan(call, &plan, &planning, may_copy));
    const strew_buffers buffers = {
        call->data->data,
        call->indices ? call->indices->data : NULL,
        call->updates ? call->updates->data : NULL,
        call->output->data,
        call->attributes.segments ? call->attributes.segments->data : NULL,
        call->attributes.weights ? call->attributes.weights->data : NULL,
    };
    return strew_run_scheduled(&plan.work, &plan.schedule, &buffers, &running);
}
