#include "fuzz_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strew/inspect.h>

#include "dispatch/tuning_numbers.h"
#include "element.h"
#include "tensor.h"

/* ---- Shapes that fit each other ------------------------------------------------------------------ */

enum { MOST_RANK = 4, MOST_SIZE = 5, MOST_ITEMS = 24, MANY_ITEMS = 700 };

static void add_dim(fuzz_operand *operand, int64_t size)
{
    operand->shape[operand->view.rank++] = size;
}

static void add_dims(fuzz_operand *operand, const fuzz_operand *from, int32_t first, int32_t end)
{
    for (int32_t d = first; d < end; d++)
        add_dim(operand, from->shape[d]);
}

static int64_t some_size(input *bytes)
{
    return input_rarely(bytes, 16) ? 0 : input_between(bytes, 1, MOST_SIZE);
}

/* Now and then more than are looked at together. */
static int64_t some_items(input *bytes)
{
    if (input_rarely(bytes, 32))
        return input_between(bytes, MOST_ITEMS, MANY_ITEMS);
    return input_rarely(bytes, 8) ? 0 : input_between(bytes, 1, MOST_ITEMS);
}

static void give(fuzz_operand *operand, strew_dtype dtype)
{
    operand->is_given = true;
    operand->view.dtype = dtype;
}

/* indices.shape[:q-1] + data.shape[b+k:]. */
static void describe_tuples(fuzz_call *self, fuzz_operand *dense, input *bytes)
{
    fuzz_operand *data = &self->operand[OPERAND_DATA], *indices = &self->operand[OPERAND_INDICES];
    const int32_t rank = data->view.rank, free_dims = (int32_t)input_below(bytes, 3);
    const int32_t batch = self->call.kind == STREW_KIND_GATHER_ND ? (int32_t)input_below(bytes, (uint64_t)rank) : 0;
    const int32_t tuple = (int32_t)input_below(bytes, (uint64_t)(rank - batch) + 1);
    self->call.batch_dims = batch;
    add_dims(indices, data, 0, batch);
    for (int32_t d = 0; d < free_dims; d++)
        add_dim(indices, some_items(bytes));
    add_dims(dense, indices, 0, batch + free_dims);
    add_dim(indices, tuple);
    add_dims(dense, data, batch + tuple, rank);
}

static int32_t some_axis(fuzz_call *self, input *bytes)
{
    const int32_t rank = self->operand[OPERAND_DATA].view.rank;
    const int32_t axis = (int32_t)input_below(bytes, (uint64_t)rank);
    self->call.axis = input_rarely(bytes, 2) ? axis - rank : axis;
    return axis;
}

static void describe_elements(fuzz_call *self, fuzz_operand *dense, input *bytes)
{
    fuzz_operand *data = &self->operand[OPERAND_DATA], *indices = &self->operand[OPERAND_INDICES];
    const int32_t axis = some_axis(self, bytes);
    for (int32_t d = 0; d < data->view.rank; d++)
        add_dim(indices, d == axis ? some_items(bytes) : input_between(bytes, 0, data->shape[d]));
    add_dims(dense, indices, 0, indices->view.rank);
}

/* data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:]. */
static void describe_axis(fuzz_call *self, fuzz_operand *dense, input *bytes)
{
    fuzz_operand *data = &self->operand[OPERAND_DATA], *indices = &self->operand[OPERAND_INDICES];
    const int32_t axis = some_axis(self, bytes), batch = (int32_t)input_below(bytes, (uint64_t)axis + 1);
    self->call.batch_dims = batch;
    add_dims(indices, data, 0, batch);
    for (uint64_t d = input_below(bytes, 3); d > 0; d--)
        add_dim(indices, some_items(bytes));
    add_dims(dense, data, 0, axis);
    add_dims(dense, indices, batch, indices->view.rank);
    add_dims(dense, data, axis + 1, data->view.rank);
}

static void describe_windows(fuzz_call *self, fuzz_operand *dense, input *bytes)
{
    fuzz_operand *data = &self->operand[OPERAND_DATA], *indices = &self->operand[OPERAND_INDICES];
    const int32_t axis = some_axis(self, bytes);
    self->call.circular = input_rarely(bytes, 2);
    add_dims(indices, data, 0, 1);
    for (int32_t d = 0; d < data->view.rank; d++)
        add_dim(dense, d == axis ? input_between(bytes, 0, data->shape[d]) : data->shape[d]);
}

/* The numbers may be any; the updates are for those of a slice within the tensor. */
static void describe_slice(fuzz_call *self, fuzz_operand *dense, input *bytes)
{
    const fuzz_operand *data = &self->operand[OPERAND_DATA];
    self->slice = (strew_slice){.count = data->view.rank, .axes = input_rarely(bytes, 4) ? self->axes : NULL};
    for (int32_t d = 0; d < data->view.rank; d++) {
        const int64_t size = data->shape[d], step = input_between(bytes, 1, 3),
                      begin = input_between(bytes, 0, size);
        self->starts[d] = begin;
        self->stops[d] = size;
        self->steps[d] = step;
        self->axes[d] = input_rarely(bytes, 8) ? input_number(bytes) : d;
        add_dim(dense, (size - begin + step - 1) / step);
        if (input_rarely(bytes, 16))
            *(int64_t *[]){&self->starts[d], &self->stops[d], &self->steps[d]}[input_below(bytes, 3)] =
                input_number(bytes);
    }
}

/* Rows that are combined: lists of as many items, and an output of as many rows. */
static void describe_bags(fuzz_call *self, fuzz_operand *dense, input *bytes)
{
    fuzz_operand *data = &self->operand[OPERAND_DATA], *indices = &self->operand[OPERAND_INDICES];
    fuzz_operand *segments = &self->operand[OPERAND_SEGMENTS], *weights = &self->operand[OPERAND_WEIGHTS];
    const strew_kind kind = self->call.kind;
    const int64_t items = kind == STREW_KIND_SEGMENT_REDUCE ? data->shape[0] : some_items(bytes);
    const int64_t rows = some_size(bytes);
    if (kind == STREW_KIND_EMBEDDING_BAG_PACKED)
        add_dim(indices, rows);
    add_dim(indices, items);
    if (kind != STREW_KIND_EMBEDDING_BAG_PACKED)
        give(segments, indices->view.dtype);
    add_dim(segments, kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ? rows : items);
    if (kind != STREW_KIND_SEGMENT_REDUCE && input_rarely(bytes, 2))
        give(weights, data->view.dtype);
    add_dims(weights, indices, 0, indices->view.rank);
    add_dim(dense, rows);
    add_dims(dense, data, 1, data->view.rank);
    self->call.default_index = input_rarely(bytes, 4) ? input_between(bytes, -1, data->shape[0]) : -1;
    self->call.empty = (strew_empty)input_below(bytes, STREW_EMPTY_COUNT);
}

static bool has_no_indices(strew_kind kind)
{
    return kind == STREW_KIND_SLICE_SCATTER || kind == STREW_KIND_SEGMENT_REDUCE;
}

static void describe_shapes(fuzz_call *self, input *bytes)
{
    fuzz_operand *data = &self->operand[OPERAND_DATA], *updates = &self->operand[OPERAND_UPDATES],
                 *output = &self->operand[OPERAND_OUTPUT];
    const strew_kind kind = self->call.kind;
    fuzz_operand *dense = kind_gathers(kind) ? output : updates;
    for (uint64_t d = input_below(bytes, MOST_RANK) + 1; d > 0; d--)
        add_dim(data, some_size(bytes));
    if (kind_has_rows(kind))
        describe_tuples(self, dense, bytes);
    else if (kind_has_axis(kind))
        describe_axis(self, dense, bytes);
    else if (kind == STREW_KIND_GATHER_ELEMENTS || kind == STREW_KIND_SCATTER_ELEMENTS)
        describe_elements(self, dense, bytes);
    else if (kind == STREW_KIND_TENSOR_SCATTER)
        describe_windows(self, dense, bytes);
    else if (kind == STREW_KIND_SLICE_SCATTER)
        describe_slice(self, dense, bytes);
    else
        describe_bags(self, dense, bytes);
    if (!kind_gathers(kind))
        add_dims(output, data, 0, data->view.rank);
}

/* ---- Strides ------------------------------------------------------------------------------------- */

/* Each steps over all that the inner ones reach, and perhaps over some more, in either direction. */
static void describe_apart_strides(fuzz_operand *operand, input *bytes)
{
    int64_t step = 1;
    for (int32_t d = operand->view.rank; d-- > 0;) {
        step += input_between(bytes, 0, 2);
        operand->strides[d] = input_rarely(bytes, 4) ? -step : step;
        if (operand->shape[d] > 0 && operand->shape[d] < INT16_MAX)
            step *= operand->shape[d];
    }
}

static void describe_strides(fuzz_operand *operand, bool is_written, input *bytes)
{
    operand->has_strides = input_rarely(bytes, 2);
    if (!operand->has_strides)
        return;
    if (is_written ? !input_rarely(bytes, 16) : input_rarely(bytes, 2))
        describe_apart_strides(operand, bytes);
    else
        for (int32_t d = 0; d < operand->view.rank; d++)
            operand->strides[d] = input_number(bytes);
}

/* ---- The call ------------------------------------------------------------------------------------ */

static strew_dtype some_dtype(input *bytes)
{
    if (input_rarely(bytes, 16))
        return STREW_DTYPE_OPAQUE(input_between(bytes, 1, 40));
    return (strew_dtype)input_between(bytes, STREW_DTYPE_BOOL, STREW_DTYPE_COUNT - 1);
}

static void describe_dtypes(fuzz_call *self, input *bytes)
{
    const strew_kind kind = self->call.kind;
    const strew_dtype dtype = some_dtype(bytes);
    give(&self->operand[OPERAND_DATA], dtype);
    give(&self->operand[OPERAND_OUTPUT], dtype);
    if (!kind_gathers(kind))
        give(&self->operand[OPERAND_UPDATES], dtype);
    self->operand[OPERAND_INDICES].view.dtype =
        (strew_dtype)input_between(bytes, STREW_DTYPE_INT8, STREW_DTYPE_UINT64);
    self->operand[OPERAND_INDICES].is_given = !has_no_indices(kind);
}

/* Something that does not fit, now and then. */
static void spoil(fuzz_call *self, input *bytes)
{
    fuzz_operand *operand = &self->operand[input_below(bytes, FUZZ_OPERANDS)];
    switch (input_below(bytes, 8)) {
    case 0: operand->shape[input_below(bytes, STREW_MAX_RANK)] = input_number(bytes); break;
    case 1: operand->view.rank = (int32_t)input_number(bytes); break;
    case 2: operand->view.dtype = (strew_dtype)input_number(bytes); break;
    case 3: self->call.axis = input_number(bytes); break;
    case 4: self->call.batch_dims = input_number(bytes); break;
    case 5: self->call.reduction = (strew_reduction)input_number(bytes); break;
    case 6: operand->is_given = false; break;
    default: self->call.bounds = (strew_bounds)input_number(bytes);
    }
}

void fuzz_call_describe(fuzz_call *self, input *bytes)
{
    fuzz_call_describe_kind(self, (strew_kind)input_below(bytes, STREW_KIND_GATHER_SCATTER + 1), bytes);
}

void fuzz_call_describe_kind(fuzz_call *self, strew_kind kind, input *bytes)
{
    memset(self, 0, sizeof *self);
    self->call.kind = kind;
    describe_dtypes(self, bytes);
    self->call.reduction = (strew_reduction)input_below(bytes, STREW_REDUCTION_COUNT);
    self->call.use_init_val = input_rarely(bytes, 2);
    self->call.flags = input_rarely(bytes, 4) ? STREW_FLAG_REFUSE_NEGATIVE_INDICES : 0;
    self->call.bounds = (strew_bounds)input_below(bytes, STREW_BOUNDS_COUNT);
    self->has_fill = input_rarely(bytes, 4);
    memset(self->fill, (int)input_bits(bytes, 1), sizeof self->fill);
    describe_shapes(self, bytes);
    for (size_t o = 0; o < FUZZ_OPERANDS; o++)
        describe_strides(&self->operand[o], o == OPERAND_OUTPUT, bytes);
    self->in_place = !kind_gathers(self->call.kind) && input_rarely(bytes, 2);
    if (self->in_place)
        self->operand[OPERAND_DATA] = self->operand[OPERAND_OUTPUT];
    if (input_rarely(bytes, 4))
        spoil(self, bytes);
    self->tuning = input_below(bytes, TUNINGS);
}

/* ---- Memory -------------------------------------------------------------------------------------- */

static const int64_t most_bytes = 1 << 16;

/* What the operand reaches, in bytes from its first element; false if that is much. Packed elements have a byte
 * each. */
static bool find_reach(fuzz_operand *operand)
{
    const size_t bytes = element_size(operand->view.dtype);
    const int64_t element = bytes > 0 ? (int64_t)bytes : 1;
    int64_t step = 1;
    operand->low = operand->high = 0;
    if (!operand->is_given || operand->view.rank < 0 || operand->view.rank > STREW_MAX_RANK || element > most_bytes)
        return !operand->is_given;
    for (int32_t d = 0; d < operand->view.rank; d++)
        if (operand->shape[d] <= 0)
            return true;
    operand->high = element;
    for (int32_t d = operand->view.rank; d-- > 0;) {
        const int64_t size = operand->shape[d], stride = operand->has_strides ? operand->strides[d] : step;
        int64_t distance;
        if (__builtin_mul_overflow(stride, size - 1, &distance) ||
            __builtin_mul_overflow(distance, element, &distance) || distance < -most_bytes ||
            distance > most_bytes || size > most_bytes || step > most_bytes)
            return false;
        *(distance < 0 ? &operand->low : &operand->high) += distance;
        step *= size;
    }
    return operand->high - operand->low <= most_bytes;
}

/* Into the memory of another operand, so that they may share some of it. */
static void place_in(fuzz_call *self, fuzz_operand *operand, size_t block, int64_t begin, fuzz_memory *memory)
{
    int64_t end = begin + operand->high;
    const int64_t before = begin + operand->low < 0 ? -(begin + operand->low) : 0;
    operand->block = block;
    operand->begin = begin;
    for (size_t o = 0; o < FUZZ_OPERANDS && before > 0; o++)
        if (self->operand[o].block == block)
            self->operand[o].begin += before;
    end += before;
    memory->size[block] += (size_t)before;
    if (end > (int64_t)memory->size[block])
        memory->size[block] = (size_t)end;
}

bool fuzz_call_lay_out(fuzz_call *self, input *bytes, fuzz_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    for (size_t o = 0; o < FUZZ_OPERANDS; o++) {
        fuzz_operand *operand = &self->operand[o];
        const int64_t front = input_between(bytes, 0, 3); /* so that nothing is aligned */
        if (!find_reach(operand))
            return false;
        operand->block = o;
        operand->begin = front - operand->low;
        memory->size[o] = (size_t)(front + operand->high - operand->low);
    }
    fuzz_operand *output = &self->operand[OPERAND_OUTPUT];
    const fuzz_operand *data = &self->operand[OPERAND_DATA];
    if (self->in_place) {
        memory->size[OPERAND_OUTPUT] = 0;
        place_in(self, output, OPERAND_DATA, data->begin, memory);
    } else if (input_rarely(bytes, 8)) {
        const size_t other = input_below(bytes, FUZZ_OPERANDS);
        memory->size[OPERAND_OUTPUT] = 0;
        place_in(self, output, other, self->operand[other].begin + input_between(bytes, -40, 40), memory);
    }
    return true;
}

static void fill_bytes(unsigned char *bytes, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bytes[i] = (unsigned char)(seed >> 56);
    }
}

/* Numbers that may name something, in the order in which they come, or in none. */
static void fill_list(const fuzz_operand *operand, unsigned char *block, input *bytes)
{
    const strew_dtype dtype = operand->view.dtype;
    const bool ascends = input_rarely(bytes, 2);
    int64_t position[STREW_MAX_RANK];
    uint64_t last = 0; /* of a signed dtype, its bits */
    strew_tensor view = operand->view;
    view.data = block + operand->begin;
    view.shape = operand->shape;
    view.strides = operand->has_strides ? operand->strides : NULL;
    if (!operand->is_given || !element_is_integer(dtype) || operand->high == operand->low)
        return;
    for (bool more = position_first(position, &view); more; more = position_next(position, &view)) {
        last = input_rarely(bytes, 48) ? (uint64_t)input_number(bytes)
               : ascends               ? last + input_below(bytes, 2)
                                       : (uint64_t)input_between(bytes, -1, 3);
        element_store_integer(dtype, last, tensor_element(&view, position));
    }
}

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (!memory)
        abort();
    return memory;
}

void fuzz_memory_create(fuzz_memory *memory, const fuzz_call *call, input *bytes)
{
    static const size_t lists[] = {OPERAND_INDICES, OPERAND_SEGMENTS, OPERAND_AXIS};
    const uint64_t seed = input_bits(bytes, 2);
    for (size_t b = 0; b < FUZZ_OPERANDS; b++) {
        memory->block[b] = allocate(memory->size[b]);
        fill_bytes(memory->block[b], memory->size[b], seed + b);
    }
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        fill_list(&call->operand[lists[l]], memory->block[call->operand[lists[l]].block], bytes);
}

void fuzz_memory_clone(fuzz_memory *copy, const fuzz_memory *memory)
{
    *copy = *memory;
    for (size_t b = 0; b < FUZZ_OPERANDS; b++) {
        copy->block[b] = allocate(memory->size[b]);
        memcpy(copy->block[b], memory->block[b], memory->size[b]);
    }
}

void fuzz_memory_destroy(fuzz_memory *memory)
{
    for (size_t b = 0; b < FUZZ_OPERANDS; b++)
        free(memory->block[b]);
}

bool fuzz_memory_same(const fuzz_memory *memory, const fuzz_memory *other)
{
    for (size_t b = 0; b < FUZZ_OPERANDS; b++)
        if (memcmp(memory->block[b], other->block[b], memory->size[b]) != 0)
            return false;
    return true;
}

void fuzz_call_attach(fuzz_call *self, const fuzz_memory *memory)
{
    const strew_tensor *given[FUZZ_OPERANDS];
    for (size_t o = 0; o < FUZZ_OPERANDS; o++) {
        fuzz_operand *operand = &self->operand[o];
        operand->view.data = memory ? memory->block[operand->block] + operand->begin : NULL;
        operand->view.shape = operand->shape;
        operand->view.strides = operand->has_strides ? operand->strides : NULL;
        given[o] = operand->is_given ? &operand->view : NULL;
    }
    self->slice.starts = self->starts;
    self->slice.stops = self->stops;
    self->slice.steps = self->steps;
    self->slice.axes = self->slice.axes ? self->axes : NULL;
    self->call.slice = &self->slice;
    self->call.fill = self->has_fill ? self->fill : NULL;
    self->call.data = given[OPERAND_DATA];
    self->call.indices = given[OPERAND_INDICES];
    self->call.updates = given[OPERAND_UPDATES];
    self->call.output = self->in_place ? given[OPERAND_DATA] : given[OPERAND_OUTPUT];
    self->call.segments = given[OPERAND_SEGMENTS];
    self->call.weights = given[OPERAND_WEIGHTS];
}

/* ---- Ways to run it ------------------------------------------------------------------------------ */

/* What is chosen by measured numbers is chosen for small tensors too. */
void fuzz_call_tune(const fuzz_call *self)
{
    static const char *const texts[TUNINGS] = {
        "zen",
        "xeon",
        "zen,least_prefetched=0,least_short_tiles=0,kept_of_a_result=0,least_partitioned=0",
        "xeon,least_prefetched=0,kept_of_a_result=0,owners_start=0,least_partitioned=0,least_partitioned_by_two=0",
    };
    static strew_tuning tunings[TUNINGS];
    strew_tuning *tuning = &tunings[self->tuning];
    if (!tuning->name) {
        *tuning = *strew_tuning_choose();
        fuzz_require(strew_tuning_read(tuning, texts[self->tuning]), "a tuning cannot be read", NULL);
    }
    atomic_store(&strew_tuning_chosen, tuning);
}

strew_status fuzz_call_run(const fuzz_call *self, call_way way, call_scratch scratch, const strew_options *options)
{
    const bool can_be_planned = self->call.data && self->call.output && way != BY_ONE_CALL;
    strew_options all = *options;
    all.flags = self->call.flags;
    all.bounds = self->call.bounds;
    all.fill = self->call.fill;
    if (self->call.segments && way == BY_INSPECTION)
        way = BY_PLAN; /* call_run inspects indices alone */
    return can_be_planned ? call_run(&self->call, way, scratch, &all) : call_operator(&self->call, &all);
}

void fuzz_call_plan_alone(fuzz_call *self)
{
    strew_plan plan;
    strew_options options = STREW_OPTIONS_INIT;
    const strew_plan_options planning = call_plan_options(&options);
    fuzz_call_attach(self, NULL);
    call_plan(&self->call, &plan, &planning);
}

strew_isa fuzz_isa(input *bytes)
{
    const strew_isa isa = (strew_isa)input_below(bytes, STREW_ISA_COUNT);
    return strew_isa_get_state(isa) >= STREW_ISA_STATE_EMULATED ? isa : STREW_ISA_SCALAR;
}

static void run_last_first(void *pool, strew_task task, void *context, size_t count)
{
    (void)pool;
    while (count > 0)
        task(context, --count);
}

const strew_parallel *fuzz_threads(input *bytes)
{
    static const strew_parallel each[] = {
        {run_last_first, NULL, 1}, {run_last_first, NULL, 2}, {run_last_first, NULL, 3}, {run_last_first, NULL, 4}};
    const uint64_t threads = input_below(bytes, 5);
    return threads > 0 ? &each[threads - 1] : NULL;
}

/* ---- What must be so ----------------------------------------------------------------------------- */

void fuzz_require(bool condition, const char *what, const fuzz_call *call)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    if (call && call->call.data && call->call.output)
        call_describe(stderr, &call->call);
    abort();
}

bool fuzz_operands_overlap(const fuzz_operand *a, const fuzz_operand *b)
{
    return a->is_given && b->is_given && a->block == b->block && a->low < a->high && b->low < b->high &&
           a->begin + a->low < b->begin + b->high && b->begin + b->low < a->begin + a->high;
}

/* Of the output, what belongs to no element. */
static void erase_output(const fuzz_call *self, fuzz_memory *memory)
{
    fuzz_call erased = *self;
    int64_t position[STREW_MAX_RANK];
    fuzz_call_attach(&erased, memory);
    const strew_tensor *output = erased.call.output;
    for (bool more = position_first(position, output); more; more = position_next(position, output))
        memset(tensor_element(output, position), 0, element_size(output->dtype));
}

void fuzz_call_check_around(const fuzz_call *self, const fuzz_memory *after, const fuzz_memory *before)
{
    fuzz_memory erased_after, erased_before;
    if (!self->call.output || element_size(self->call.output->dtype) == 0)
        return;
    fuzz_memory_clone(&erased_after, after);
    fuzz_memory_clone(&erased_before, before);
    erase_output(self, &erased_after);
    erase_output(self, &erased_before);
    fuzz_require(fuzz_memory_same(&erased_after, &erased_before), "bytes that are not the output's have changed",
                 self);
    fuzz_memory_destroy(&erased_after);
    fuzz_memory_destroy(&erased_before);
}

/* As asked for, or because the output has come to lie where data is. */
static bool is_in_place(const fuzz_call *self)
{
    const fuzz_operand *data = &self->operand[OPERAND_DATA], *output = &self->operand[OPERAND_OUTPUT];
    return self->in_place ||
           (!kind_gathers(self->call.kind) && data->block == output->block && data->begin == output->begin &&
            data->low == output->low && data->high == output->high);
}

void fuzz_call_check_memory(const fuzz_call *self, strew_status status, const fuzz_memory *after,
                            const fuzz_memory *before)
{
    const bool stops = self->call.bounds == STREW_BOUNDS_STOP;
    const bool leaves_all =
        status != STREW_STATUS_OK && (status != STREW_STATUS_INDEX_OUT_OF_BOUNDS || (is_in_place(self) && !stops));
    if (leaves_all && !(status == STREW_STATUS_INVALID_ARGUMENT && self->call.segments)) {
        fuzz_require(fuzz_memory_same(after, before), "a refused call has written", self);
        return;
    }
    if (status == STREW_STATUS_OK && !is_in_place(self))
        for (size_t o = 0; o < FUZZ_OPERANDS; o++)
            fuzz_require(o == OPERAND_OUTPUT || o == OPERAND_AXIS ||
                             !fuzz_operands_overlap(&self->operand[o], &self->operand[OPERAND_OUTPUT]),
                         "an output that overlaps an input was accepted", self);
    fuzz_call_check_around(self, after, before);
}
