#include "fuzz_call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Shapes that fit each other ------------------------------------------------------------------ */

enum { MOST_RANK = 4, MOST_SIZE = 5, MOST_ITEMS = 24, MANY_ITEMS = 700 };

/* Sizes beyond the arrays on the stack; the other dimensions are small. */
enum { LEAST_LARGE = 3300, MOST_LARGE = 6000, MOST_BESIDE = 2 };

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
    const uint64_t chance = input_below(bytes, 256);
    if (chance == 239)
        return input_between(bytes, LEAST_LARGE, MOST_LARGE);
    return chance % 16 == 15 ? 0 : input_between(bytes, 1, MOST_SIZE);
}

static void add_some_dims(fuzz_operand *operand, input *bytes)
{
    int64_t largest = 0;
    for (uint64_t d = input_below(bytes, MOST_RANK) + 1; d > 0; d--) {
        add_dim(operand, some_size(bytes));
        const int64_t size = operand->shape[operand->view.rank - 1];
        largest = size > largest ? size : largest;
    }
    for (int32_t d = 0; d < operand->view.rank && largest >= LEAST_LARGE; d++)
        if (operand->shape[d] < largest && operand->shape[d] > MOST_BESIDE)
            operand->shape[d] = MOST_BESIDE;
}

/* Now and then more than a tile. */
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

/* Mostly neighbours, which move in ways of their own; now and then backwards. */
static int64_t some_step(input *bytes)
{
    static const int64_t steps[] = {1, 2, 3, 1, 1, -1};
    return steps[input_below(bytes, sizeof steps / sizeof *steps)];
}

static int64_t some_begin(input *bytes, int64_t size)
{
    const int64_t begin = input_between(bytes, 0, 2 * size + 1);
    return begin <= size ? begin : (begin - size - 1) % 2;
}

/* The numbers may be any; the updates are for those of a slice within the tensor. */
static void describe_slice(fuzz_call *self, fuzz_operand *dense, input *bytes)
{
    const fuzz_operand *data = &self->operand[OPERAND_DATA];
    self->slice = (strew_slice){.count = data->view.rank, .axes = input_rarely(bytes, 4) ? self->axes : NULL};
    for (int32_t d = 0; d < data->view.rank; d++) {
        const int64_t size = data->shape[d], step = some_step(bytes), begin = some_begin(bytes, size);
        self->starts[d] = step > 0 ? begin : begin < size ? size - 1 - begin : INT64_MIN;
        self->stops[d] = step > 0 ? size : INT64_MIN;
        self->steps[d] = step;
        self->axes[d] = input_rarely(bytes, 8) ? input_number(bytes) : d;
        add_dim(dense, step > 0 ? (size - begin + step - 1) / step : size - begin);
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
    add_some_dims(data, bytes);
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

/* ---- Findings ------------------------------------------------------------------------------------ */

void fuzz_require(bool condition, const char *what, const fuzz_call *call)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    if (call && call->call.data && call->call.output)
        call_describe(stderr, &call->call);
    abort();
}
