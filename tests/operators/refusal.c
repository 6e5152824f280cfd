/* Spoils calls, and checks how they are refused. */
#include "refusal.h"

#include "base/error.h"
#include "element.h"
#include "tensor.h"
#include "test.h"

/* ---- Spoilers: tensors --------------------------------------------------------------------------- */

void spoil_nothing(arguments *call, const refusal *how)
{
    (void)call;
    (void)how;
}

void spoil_by_forgetting(arguments *call, const refusal *how)
{
    call->given[how->operand] = NULL;
}

void spoil_rank(arguments *call, const refusal *how)
{
    call->tensor[how->operand].rank = (int32_t)how->value;
}

void spoil_shape_pointer(arguments *call, const refusal *how)
{
    call->tensor[how->operand].shape = NULL;
}

void spoil_data_pointer(arguments *call, const refusal *how)
{
    call->tensor[how->operand].data = NULL;
}

void spoil_size(arguments *call, const refusal *how)
{
    call->shape[how->operand][how->where] = how->value;
}

void spoil_size_of_empty(arguments *call, const refusal *how)
{
    call->shape[how->operand][0] = 0;
    spoil_size(call, how);
}

void spoil_stride(arguments *call, const refusal *how)
{
    arguments_use_strides(call, how->operand);
    call->strides[how->operand][how->where] = how->value;
}

void spoil_dtype(arguments *call, const refusal *how)
{
    call->tensor[how->operand].dtype = (strew_dtype)how->value;
}

static void use_dtype(arguments *call, strew_dtype dtype)
{
    call->tensor[DATA].dtype = call->tensor[UPDATES].dtype = call->tensor[OUTPUT].dtype = dtype;
}

void spoil_packed_row(arguments *call, const refusal *how)
{
    use_dtype(call, (strew_dtype)how->value);
    for (strew_operand operand = DATA; operand <= OUTPUT; operand++)
        if (operand != INDICES)
            call->shape[operand][call->tensor[operand].rank - 1] = how->where;
}

void spoil_packed_stride(arguments *call, const refusal *how)
{
    use_dtype(call, STREW_DTYPE_INT4);
    spoil_stride(call, how);
}

void spoil_place(arguments *call, const refusal *how)
{
    call->tensor[how->operand].data = (char *)call->tensor[how->where].data + how->value;
}

void spoil_place_backwards(arguments *call, const refusal *how)
{
    spoil_place(call, how);
    arguments_use_strides(call, how->operand);
    call->strides[how->operand][0] *= -1;
}

void spoil_place_transposed(arguments *call, const refusal *how)
{
    int64_t step = 1;
    spoil_place(call, how);
    arguments_use_strides(call, how->operand);
    for (int32_t d = 0; d < call->tensor[how->operand].rank; d++) {
        call->strides[how->operand][d] = step;
        step *= call->shape[how->operand][d];
    }
}

/* Rows so far apart, by steps so alike, that many come close to each other. No memory is touched. */
void spoil_place_intricately(arguments *call, const refusal *how)
{
    enum { ROWS = 3000, STEP = 20011, OTHER_STEP = 20021 };
    spoil_place(call, how);
    for (int operand = DATA; operand <= OUTPUT; operand++) {
        arguments_use_strides(call, operand);
        call->tensor[operand].rank = operand == INDICES ? 2 : 1;
        call->shape[operand][0] = ROWS;
        call->shape[operand][1] = 1;
        call->strides[operand][0] = operand == how->operand ? STEP : operand == how->where ? OTHER_STEP : 1;
        call->strides[operand][1] = 1;
    }
}

void spoil_place_in_place(arguments *call, const refusal *how)
{
    spoil_place(call, how);
    arguments_in_place(call);
}

void spoil_indices_to_ones(arguments *call, const refusal *how)
{
    call->attributes.batch_dims = 0;
    call->tensor[INDICES].rank = (int32_t)how->value;
    for (int64_t d = 0; d < how->value; d++)
        call->shape[INDICES][d] = 1;
}

void spoil_updates_of_one(arguments *call, const refusal *how)
{
    call->tensor[INDICES].rank = 1;
    call->shape[INDICES][0] = call->tensor[DATA].rank;
    call->tensor[UPDATES].rank = 1;
    call->shape[UPDATES][0] = how->value;
}

/* ---- Spoilers: attributes and options ------------------------------------------------------------ */

void spoil_axis(arguments *call, const refusal *how)
{
    call->attributes.axis = how->value;
}

void spoil_step(arguments *call, const refusal *how)
{
    call->step = how->value;
}

void spoil_sliced_axes(arguments *call, const refusal *how)
{
    static int64_t axes[2], ones[2] = {1, 1};
    axes[0] = 1;
    axes[1] = how->value;
    call->slice = (strew_slice){2, 0, ones, ones, ones, axes};
}

void spoil_batch_dims(arguments *call, const refusal *how)
{
    call->attributes.batch_dims = how->value;
}

void spoil_reduction(arguments *call, const refusal *how)
{
    call->attributes.reduction = (strew_reduction)how->value;
    call->attributes.given |= STREW_ATTRIBUTE_REDUCTION;
}

void spoil_reduction_of_data(arguments *call, const refusal *how)
{
    spoil_reduction(call, how);
    use_dtype(call, (strew_dtype)how->where);
}

void spoil_given(arguments *call, const refusal *how)
{
    call->attributes.given &= ~(uint32_t)how->where;
    call->attributes.given |= (uint32_t)how->value;
}

void spoil_by_giving(arguments *call, const refusal *how)
{
    call->given[how->operand] = &call->tensor[how->operand];
}

void spoil_flags(arguments *call, const refusal *how)
{
    call->options.flags = (uint32_t)how->value;
}

void spoil_isa(arguments *call, const refusal *how)
{
    call->options.isa = (strew_isa)how->value;
}

void spoil_bounds(arguments *call, const refusal *how)
{
    call->options.bounds = (strew_bounds)how->value;
}

static void run_in_order(void *pool, strew_task task, void *context, size_t count)
{
    (void)pool;
    for (size_t i = 0; i < count; i++)
        task(context, i);
}

static void use_threads(arguments *call, size_t threads)
{
    call->parallel = (strew_parallel){run_in_order, NULL, threads};
    call->options.parallel = &call->parallel;
}

void spoil_threads(arguments *call, const refusal *how)
{
    use_threads(call, (size_t)how->value);
    if (how->where == 0)
        call->parallel.run = NULL;
}

void spoil_scratch(arguments *call, const refusal *how)
{
    static unsigned char scratch[ARGUMENT_ROOM];
    use_threads(call, (size_t)how->where);
    call->attributes.reduction = STREW_REDUCTION_MEAN;
    call->options.scratch = scratch;
    call->options.scratch_size = (size_t)how->value;
}

void spoil_scratch_place(arguments *call, const refusal *how)
{
    call->attributes.reduction = STREW_REDUCTION_MEAN;
    call->options.scratch = call->tensor[how->operand].data;
    call->options.scratch_size = (size_t)how->value;
}

void spoil_default_index(arguments *call, const refusal *how)
{
    call->attributes.default_index = how->value;
    call->attributes.given |= call->op ? STREW_ATTRIBUTE_DEFAULT_INDEX : 0;
}

void spoil_empty(arguments *call, const refusal *how)
{
    call->attributes.empty = (strew_empty)how->value;
}

void spoil_segment_count(arguments *call, const refusal *how)
{
    call->attributes.segment_count = how->value;
    call->attributes.given |= STREW_ATTRIBUTE_SEGMENT_COUNT;
}

void spoil_order(arguments *call, const refusal *how)
{
    static unsigned char scratch[4096];
    call->attributes.default_index = 0; /* without a default row, sums of short rows take no scratch */
    call->attributes.given |= call->op ? STREW_ATTRIBUTE_DEFAULT_INDEX : 0;
    ((int64_t *)call->tensor[SEGMENTS].data)[0] = 1;
    ((int64_t *)call->tensor[SEGMENTS].data)[1] = 0;
    call->options.scratch = scratch;
    call->options.scratch_size = (size_t)how->value;
}

void spoil_order_and_scratch(arguments *call, const refusal *how)
{
    spoil_order(call, how);
    call->options.scratch = call->tensor[how->operand].data;
}

/* ---- Spoilers: indices --------------------------------------------------------------------------- */

void spoil_index(arguments *call, const refusal *how)
{
    const strew_tensor *indices = &call->tensor[how->operand];
    memcpy((char *)indices->data + (size_t)how->where * sizeof how->value, &how->value, sizeof how->value);
}

void spoil_negative_index(arguments *call, const refusal *how)
{
    spoil_index(call, how);
    call->options.flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES;
}

void spoil_wrapped_index(arguments *call, const refusal *how)
{
    spoil_index(call, how);
    call->options.bounds = STREW_BOUNDS_WRAP;
}

void spoil_emptied_data(arguments *call, const refusal *how)
{
    call->shape[DATA][how->where] = 0;
    if (!kind_gathers(call->kind))
        call->shape[OUTPUT][how->where] = 0;
}

/* ---- The check ----------------------------------------------------------------------------------- */

enum { REASONS_AT_MOST = 100 };

static bool seen[REASONS_AT_MOST];

bool refusal_seen(int32_t reason)
{
    return seen[reason];
}

/* Every tensor's memory, guards included. */
typedef struct snapshot {
    unsigned char memory[ARGUMENT_TENSORS][ARGUMENT_ROOM];
} snapshot;

static snapshot take_snapshot(const arguments *call)
{
    snapshot taken;
    memcpy(taken.memory, call->memory, sizeof taken.memory);
    return taken;
}

static void forgive_output(const arguments *call, snapshot *before)
{
    const strew_tensor *output = &call->tensor[OUTPUT];
    const unsigned char *memory = call->memory[OUTPUT];
    const ptrdiff_t begin = (const unsigned char *)output->data - memory;
    const size_t size = (size_t)shape_count(output->shape, output->rank) * element_size(output->dtype);
    memcpy(before->memory[OUTPUT] + begin, memory + begin, size);
}

static bool has_position(const strew_error *error)
{
    return error->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS || error->reason == STREW_REASON_OFFSET_OUTSIDE ||
           error->reason == STREW_REASON_DECREASES || error->reason == STREW_REASON_DECREASES_AMENDED;
}

static void check_error(const refusal *self, const strew_error *error, strew_status status)
{
    char message[256];
    strew_error_message(error, message, sizeof message);
    if (status != self->status || error->status != self->status || strcmp(message, self->message) != 0)
        fail_msg("%s should be refused\n  as:  %s: %s\n  and is: %s, told as %s: %s", self->call,
                 strew_status_name(self->status), self->message, strew_status_name(status),
                 strew_status_name(error->status), message);
    if (!has_position(error))
        assert_int_equal(error->position_rank, 0);
    assert_in_range(error->reason, 0, REASONS_AT_MOST - 1);
    seen[error->reason] = true;
}

void refusal_check(const refusal *self, runner *run)
{
    arguments call;
    arguments_create(&call, self->call);
    self->spoil(&call, self);
    snapshot before = take_snapshot(&call);
    memset(&call.error, 0x55, sizeof call.error);
    const strew_status status = run(&call);
    check_error(self, &call.error, status);
    if (self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        forgive_output(&call, &before);
    if (memcmp(before.memory, call.memory, sizeof before.memory) != 0)
        fail_msg("%s, refused because %s, has written something", self->call, self->message);
    call.options.error = NULL;
    assert_int_equal(run(&call), self->status);
}
