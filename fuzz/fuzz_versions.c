/*
 * Fuzzes the published versions: a version accepts the attributes of its table, its call equals the unversioned
 * call, and so do its plan and the shape of its output.
 */
#include <string.h>

#include "outcome.h"
#include "ways.h"

/* A call under the rules of one version. */
typedef struct versioned_call {
    const strew_operator *op;
    strew_attributes attributes;
    fuzz_call call;
} versioned_call;

/* Attributes: mostly those that the version has and requires. */
static uint32_t some_attributes(const strew_operator *op, input *bytes)
{
    const uint32_t some = (uint32_t)input_bits(bytes, 2);
    return input_rarely(bytes, 8) ? some : (some & op->attributes) | op->required;
}

/* Changes the output to the version's form: flattened batch dimensions, or updates of one element with another
 * rank. */
static void follow_rules(versioned_call *self)
{
    fuzz_operand *output = &self->call.operand[OPERAND_OUTPUT], *updates = &self->call.operand[OPERAND_UPDATES];
    const int64_t batch_dims = self->attributes.batch_dims;
    if (self->op->rules & STREW_RULE_FLATTENS_BATCH && self->attributes.given & STREW_ATTRIBUTE_BATCH_DIMS &&
        batch_dims > 1 && batch_dims <= output->view.rank) {
        for (int64_t d = 1; d < batch_dims; d++)
            output->shape[0] *= output->shape[d];
        memmove(&output->shape[1], &output->shape[batch_dims],
                sizeof output->shape - (size_t)batch_dims * sizeof *output->shape);
        output->view.rank -= (int32_t)batch_dims - 1;
    }
    if (self->op->rules & STREW_RULE_ONE_ELEMENT_UPDATES && updates->view.rank == 0)
        updates->shape[updates->view.rank++] = 1;
}

/* Turns the call into attributes. Values of attributes that are not given must have no effect. */
static void describe(versioned_call *self, input *bytes)
{
    self->op = strew_operator_at(input_below(bytes, strew_operator_count()));
    fuzz_call_describe_kind(&self->call, self->op->kind, bytes);
    operator_call *call = &self->call.call;
    call->bounds = input_rarely(bytes, 4) ? call->bounds : STREW_BOUNDS_REFUSE;
    self->attributes = (strew_attributes){
        .given = some_attributes(self->op, bytes),
        .reduction = call->reduction,
        .axis = call->axis,
        .batch_dims = call->batch_dims,
        .use_init_val = call->use_init_val,
        .circular = call->circular,
        .default_index = call->default_index,
        .segment_count = input_rarely(bytes, 4) ? input_number(bytes) : self->call.operand[OPERAND_OUTPUT].shape[0],
        .empty = call->empty,
    };
    follow_rules(self);
}

/* The attributes that are tensors, or an array, of a call that is attached to its memory. */
static strew_attributes attributes_of(const versioned_call *self, const fuzz_call *attached)
{
    strew_attributes attributes = self->attributes;
    attributes.slice = attached->call.slice;
    attributes.segments = attached->call.segments;
    attributes.weights = attached->call.weights;
    return attributes;
}

static strew_options options_of(const outcome *found, input *bytes)
{
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = fuzz_isa(bytes);
    options.parallel = fuzz_threads(bytes);
    options.flags = found->call.call.flags;
    options.bounds = found->call.call.bounds;
    options.fill = found->call.call.fill;
    return options;
}

static void run(const versioned_call *self, outcome *found, input *bytes)
{
    const operator_call *call = &found->call.call;
    const strew_attributes attributes = attributes_of(self, &found->call);
    strew_options options = options_of(found, bytes);
    options.error = &found->error;
    found->status =
        strew_operator_run(self->op, &attributes, call->data, call->indices, call->updates, call->output, &options);
}

/* Gives no scratch, and some plans refuse that. */
static void run_plan(const versioned_call *self, outcome *found, input *bytes)
{
    const operator_call *call = &found->call.call;
    const strew_attributes attributes = attributes_of(self, &found->call);
    strew_plan plan;
    strew_options options = options_of(found, bytes);
    options.error = &found->error;
    const strew_plan_options planning = call_plan_options(&options);
    const strew_run_options running = call_run_options(&options);
    found->status = strew_operator_plan(&plan, self->op, &attributes, call->data, call->indices, call->updates,
                                        call->output, &planning);
    if (found->status != STREW_STATUS_OK || !call->data || !call->output)
        return;
    const strew_buffers buffers = call_buffers(call);
    found->status = strew_plan_run(&plan, &buffers, &running);
}

/* ---- What must be so ----------------------------------------------------------------------------- */

static void require(bool condition, const char *what, const versioned_call *self)
{
    fuzz_require(condition, what, &self->call);
}

static void check_table(const versioned_call *self)
{
    const strew_operator *op = self->op;
    const operator_call *call = &self->call.call;
    const uint32_t given = self->attributes.given;
    require((given & ~op->attributes) == 0, "an attribute was taken that the version has not", self);
    require((op->required & ~given) == 0, "an attribute that is required was not missed", self);
    require(op->data_dtypes >> call->data->dtype & 1u, "a dtype of data was taken that the version has not", self);
    require(!call->indices || op->index_dtypes >> call->indices->dtype & 1u,
            "a dtype of indices was taken that the version has not", self);
    require(!(given & STREW_ATTRIBUTE_REDUCTION) || op->reductions >> call->reduction & 1u,
            "a reduction was taken that the version has not", self);
}

static strew_reduction first_reduction(uint32_t reductions)
{
    strew_reduction first = STREW_REDUCTION_NONE;
    while (reductions != 0 && !(reductions >> first & 1u))
        first++;
    return first;
}

/* Removes the tensors whose attributes are not given. */
static void leave_out_tensors(fuzz_call *call, uint32_t given)
{
    call->operand[OPERAND_WEIGHTS].is_given &= (given & STREW_ATTRIBUTE_WEIGHTS) != 0;
    call->operand[OPERAND_SEGMENTS].is_given &= (given & STREW_ATTRIBUTE_SEGMENTS) != 0;
}

/* The equal unversioned call. */
static fuzz_call unversioned(const versioned_call *self)
{
    fuzz_call plain = self->call;
    operator_call *call = &plain.call;
    const uint32_t given = self->attributes.given;
    if (!(given & STREW_ATTRIBUTE_AXIS))
        call->axis = call->kind == STREW_KIND_TENSOR_SCATTER ? -2 : 0;
    if (!(given & STREW_ATTRIBUTE_BATCH_DIMS))
        call->batch_dims = 0;
    if (!(given & STREW_ATTRIBUTE_REDUCTION))
        call->reduction = first_reduction(self->op->reductions);
    call->use_init_val |= !(given & STREW_ATTRIBUTE_USE_INIT_VAL);
    call->circular &= (given & STREW_ATTRIBUTE_CIRCULAR) != 0;
    if (!(given & STREW_ATTRIBUTE_DEFAULT_INDEX))
        call->default_index = -1;
    if (!(given & STREW_ATTRIBUTE_EMPTY))
        call->empty = STREW_EMPTY_ZERO;
    leave_out_tensors(&plain, given);
    if (self->op->rules & STREW_RULE_REFUSES_NEGATIVE)
        call->flags |= STREW_FLAG_REFUSE_NEGATIVE_INDICES;
    if (self->op->rules & STREW_RULE_ZERO_OUTSIDE && call->bounds == STREW_BOUNDS_REFUSE)
        call->bounds = STREW_BOUNDS_SKIP;
    return plain;
}

/* Rules by which shapes, or the rows that count, are others than those of an unversioned call. */
static const uint32_t other_shapes =
    STREW_RULE_FLATTENS_BATCH | STREW_RULE_ONE_ELEMENT_UPDATES | STREW_RULE_DROPS_BEYOND | STREW_RULE_NAMES_DEFAULT;

static void check_shape(const versioned_call *self, const outcome *found)
{
    const operator_call *call = &found->call.call;
    const strew_attributes attributes = attributes_of(self, &found->call);
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    if (strew_operator_shape(self->op, &attributes, call->data, call->indices, call->updates, shape, &rank, NULL) !=
            STREW_STATUS_OK ||
        found->status != STREW_STATUS_OK)
        return;
    require(rank == call->output->rank && memcmp(shape, call->output->shape, (size_t)rank * sizeof *shape) == 0,
            "an output was taken that has not the shape that is said", self);
}

static void check(const versioned_call *self, outcome *found, const fuzz_memory *memory)
{
    static fuzz_call plain;
    check_shape(self, found);
    leave_out_tensors(&found->call, self->attributes.given);
    outcome_check_memory(found, memory);
    if (found->status != STREW_STATUS_OK && found->status != STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        return;
    check_table(self);
    if (self->op->rules & other_shapes)
        return;
    plain = unversioned(self);
    fuzz_call_attach(&plain, memory);
    outcome_check(found, &plain, memory);
}

static void fuzz_on(const versioned_call *self, const fuzz_memory *memory, input *bytes)
{
    static outcome found, planned;
    outcome_begin(&found, &self->call, memory);
    outcome_begin(&planned, &self->call, memory);
    run(self, &found, bytes);
    run_plan(self, &planned, bytes);
    check(self, &found, memory);
    /* How much scratch is needed depends on the number of threads. */
    const bool lacks_scratch =
        found.status == STREW_STATUS_INVALID_ARGUMENT && found.error.operand == STREW_OPERAND_SCRATCH;
    if (planned.status != STREW_STATUS_INVALID_ARGUMENT && !lacks_scratch)
        outcome_check_same(&planned, &found);
    outcome_end(&planned);
    outcome_end(&found);
}

/* A text finds nothing, or a version whose name begins with it, apart from the collection. */
static void fuzz_name(input *bytes)
{
    char text[64];
    size_t length = 0;
    while (bytes->left > 0 && length + 1 < sizeof text)
        text[length++] = (char)input_bits(bytes, 1);
    text[length] = '\0';
    const strew_operator *op = strew_operator_find(text);
    const char *colon = strchr(text, ':'), *name = colon ? colon + 1 : text;
    fuzz_require(!op || strncmp(op->name, name, strlen(name)) == 0, "a name finds another operator", NULL);
}

/* Reads an axis from any tensor, and from one without memory. */
static void fuzz_axis(const strew_tensor *tensor)
{
    strew_tensor copy;
    int64_t axis;
    if (!tensor || tensor->rank < 0 || tensor->rank > STREW_MAX_RANK)
        return;
    strew_axis_read(tensor, &axis, NULL);
    copy = *tensor;
    copy.data = NULL;
    fuzz_require(strew_axis_read(&copy, &axis, NULL) != STREW_STATUS_OK, "an axis was read from nowhere", NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static versioned_call call;
    input left = {bytes, size};
    fuzz_memory memory;
    describe(&call, &left);
    fuzz_call_tune(&call.call);
    if (fuzz_call_lay_out(&call.call, &left, &memory)) {
        fuzz_memory_create(&memory, &call.call, &left);
        fuzz_call_attach(&call.call, &memory);
        fuzz_on(&call, &memory, &left);
        fuzz_axis(call.call.call.indices);
        fuzz_axis(call.call.call.data);
        fuzz_memory_destroy(&memory);
    }
    fuzz_name(&left);
    return 0;
}
