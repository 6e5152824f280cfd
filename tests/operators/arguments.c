/* One valid call of each operator. */
#include "arguments.h"

#include <stdio.h>
#include <stdlib.h>

#include "element.h"
#include "tensor.h"
#include "test.h"

enum { GUARD = 64 }; /* bytes before the elements of each tensor, and at least as many after them */

typedef struct shape_entry {
    int32_t rank;
    int64_t size[3];
} shape_entry;

static const shape_entry data_shape = {3, {2, 3, 4}};

static const struct kind_entry {
    shape_entry indices;
    shape_entry dense; /* the output of a gather, the updates of a scatter */
    shape_entry output;
    shape_entry segments;
} kind_entries[] = {
    [STREW_KIND_GATHER_ND] = {{3, {2, 2, 1}}, {3, {2, 2, 4}}, {3, {2, 2, 4}}, {0, {0}}},
    [STREW_KIND_GATHER_ELEMENTS] = {{3, {2, 5, 4}}, {3, {2, 5, 4}}, {3, {2, 5, 4}}, {0, {0}}},
    [STREW_KIND_SCATTER_ND] = {{2, {5, 2}}, {2, {5, 4}}, {3, {2, 3, 4}}, {0, {0}}},
    [STREW_KIND_SCATTER_ELEMENTS] = {{3, {2, 5, 4}}, {3, {2, 5, 4}}, {3, {2, 3, 4}}, {0, {0}}},
    [STREW_KIND_GATHER] = {{2, {2, 5}}, {3, {2, 5, 4}}, {3, {2, 5, 4}}, {0, {0}}},
    [STREW_KIND_SCATTER] = {{2, {2, 5}}, {3, {2, 5, 4}}, {3, {2, 3, 4}}, {0, {0}}},
    [STREW_KIND_TENSOR_SCATTER] = {{1, {2}}, {3, {2, 2, 4}}, {3, {2, 3, 4}}, {0, {0}}},
    [STREW_KIND_SLICE_SCATTER] = {{1, {2}}, {3, {2, 2, 4}}, {3, {2, 3, 4}}, {0, {0}}},
    [STREW_KIND_EMBEDDING_BAG_OFFSETS] = {{1, {5}}, {3, {3, 3, 4}}, {3, {3, 3, 4}}, {1, {3}}},
    [STREW_KIND_EMBEDDING_BAG_PACKED] = {{2, {3, 2}}, {3, {3, 3, 4}}, {3, {3, 3, 4}}, {0, {0}}},
    [STREW_KIND_EMBEDDING_SEGMENTS] = {{1, {5}}, {3, {5, 3, 4}}, {3, {5, 3, 4}}, {1, {5}}},
    [STREW_KIND_SEGMENT_REDUCE] = {{1, {2}}, {3, {3, 3, 4}}, {3, {3, 3, 4}}, {1, {2}}},
    [STREW_KIND_GATHER_SCATTER] = {{1, {5}}, {3, {2, 3, 4}}, {3, {2, 3, 4}}, {1, {5}}},
};

const char *const kinds[6] = {
    [STREW_KIND_GATHER_ND] = "gather_nd",   [STREW_KIND_GATHER_ELEMENTS] = "gather_elements",
    [STREW_KIND_SCATTER_ND] = "scatter_nd", [STREW_KIND_SCATTER_ELEMENTS] = "scatter_elements",
    [STREW_KIND_GATHER] = "gather",         [STREW_KIND_SCATTER] = "scatter",
};

const char *const bag_kinds[5] = {"embedding_bag_offsets", "embedding_bag_packed", "embedding_segments",
                                  "segment_reduce", "gather_scatter"};

void full_name(const strew_operator *op, char name[FULL_NAME_SIZE])
{
    snprintf(name, FULL_NAME_SIZE, "%s:%s", op->collection, op->name);
}

static strew_kind find_kind(const char *name)
{
    for (size_t i = 0; i < COUNT(kind_entries); i++)
        if (strcmp(strew_kind_name((strew_kind)i), name) == 0)
            return (strew_kind)i;
    fprintf(stderr, "there is no operator %s\n", name);
    abort();
}

static void add_tensor(arguments *self, strew_operand operand, strew_dtype dtype, const shape_entry *shape)
{
    int64_t *own = self->shape[operand];
    int64_t step = 1;
    memcpy(own, shape->size, sizeof shape->size);
    for (int32_t d = shape->rank - 1; d >= 0; d--) {
        self->strides[operand][d] = step;
        step *= own[d];
    }
    self->tensor[operand] = (strew_tensor){self->memory[operand] + GUARD, dtype, shape->rank, own, NULL};
    self->given[operand] = &self->tensor[operand];
}

static void fill(arguments *self, strew_operand operand, double first, int64_t period)
{
    const strew_tensor *tensor = &self->tensor[operand];
    const int64_t count = shape_count(tensor->shape, tensor->rank);
    const size_t size = element_size(tensor->dtype);
    for (int64_t i = 0; i < count; i++)
        element_store(tensor->dtype, first + (double)(i % period), (char *)tensor->data + (size_t)i * size);
}

/* Rows that are combined, but for those of segment_reduce, have weights. */
static void add_segments(arguments *self)
{
    const struct kind_entry *entry = &kind_entries[self->kind];
    const bool scatters = self->kind == STREW_KIND_GATHER_SCATTER,
               packed = self->kind == STREW_KIND_EMBEDDING_BAG_PACKED;
    if (self->kind < STREW_KIND_EMBEDDING_BAG_OFFSETS)
        return;
    add_tensor(self, SEGMENTS, STREW_DTYPE_INT64, &entry->segments);
    add_tensor(self, WEIGHTS, STREW_DTYPE_FLOAT32, &entry->indices);
    fill(self, SEGMENTS, 0, scatters ? 2 : INT64_MAX);
    fill(self, WEIGHTS, 1, INT64_MAX);
    if (packed)
        self->given[SEGMENTS] = NULL;
    if (self->kind == STREW_KIND_SEGMENT_REDUCE)
        self->given[WEIGHTS] = self->given[INDICES] = NULL;
}

static void add_tensors(arguments *self)
{
    static const shape_entry one = {1, {1}};
    const struct kind_entry *entry = &kind_entries[self->kind];
    const int64_t no_period = INT64_MAX;
    add_tensor(self, DATA, STREW_DTYPE_FLOAT32, &data_shape);
    add_tensor(self, INDICES, STREW_DTYPE_INT64, &entry->indices);
    add_tensor(self, UPDATES, STREW_DTYPE_FLOAT32, &entry->dense);
    add_tensor(self, OUTPUT, STREW_DTYPE_FLOAT32, &entry->output);
    add_tensor(self, AXIS, STREW_DTYPE_INT64, &one);
    fill(self, DATA, 1, no_period);
    fill(self, INDICES, 0, 2);
    fill(self, UPDATES, 100, no_period);
    fill(self, AXIS, 1, no_period);
    if (kind_gathers(self->kind))
        self->given[UPDATES] = NULL;
    if (self->kind == STREW_KIND_SLICE_SCATTER)
        self->given[INDICES] = NULL;
    add_segments(self);
}

static void add_attributes(arguments *self)
{
    const uint32_t some = STREW_ATTRIBUTE_AXIS | STREW_ATTRIBUTE_BATCH_DIMS | STREW_ATTRIBUTE_SLICE |
                          STREW_ATTRIBUTE_SEGMENTS | STREW_ATTRIBUTE_WEIGHTS | STREW_ATTRIBUTE_EMPTY;
    const bool combines = self->kind >= STREW_KIND_EMBEDDING_BAG_OFFSETS;
    self->attributes = (strew_attributes){
        .given = self->op ? self->op->attributes & some : 0,
        .reduction = combines ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE,
        .axis = 1,
        .batch_dims = 1,
        .use_init_val = true,
        .slice = &self->slice,
        .default_index = -1,
        .empty = STREW_EMPTY_ZERO,
    };
    self->start = self->step = self->sliced_axis = 1;
    self->stop = 3;
    self->slice = (strew_slice){1, 0, &self->start, &self->stop, &self->step, &self->sliced_axis};
}

/* Changes the call for versions without batch dimensions: [2, 2] are two pairs, and one [5] serves every batch. */
static void leave_batch_out(arguments *self)
{
    static const shape_entry pairs = {2, {2, 2}}, rows = {2, {2, 4}}, five = {1, {5}};
    self->attributes.batch_dims = 0;
    add_tensor(self, INDICES, STREW_DTYPE_INT64, kind_has_axis(self->kind) ? &five : &pairs);
    if (!kind_has_axis(self->kind))
        add_tensor(self, OUTPUT, STREW_DTYPE_FLOAT32, &rows);
}

static bool has_batch(strew_kind kind)
{
    return kind == STREW_KIND_GATHER_ND || kind_has_axis(kind);
}

void arguments_create(arguments *self, const char *name)
{
    memset(self, 0, sizeof *self);
    for (size_t i = 0; i < sizeof self->memory; i++)
        self->memory[i / ARGUMENT_ROOM][i % ARGUMENT_ROOM] = (unsigned char)(1 + i % 251);
    self->op = strew_operator_find(name);
    self->kind = self->op ? self->op->kind : find_kind(name);
    add_tensors(self);
    add_attributes(self);
    if (self->op && has_batch(self->kind) && !(self->op->attributes & STREW_ATTRIBUTE_BATCH_DIMS))
        leave_batch_out(self);
    self->options = (strew_options)STREW_OPTIONS_INIT;
    self->options.error = &self->error;
}

void arguments_use_strides(arguments *self, strew_operand operand)
{
    self->tensor[operand].strides = self->strides[operand];
}

void arguments_in_place(arguments *self)
{
    self->given[OUTPUT] = self->given[DATA];
}

operator_call arguments_call(const arguments *self)
{
    return (operator_call){
        .kind = self->kind,
        .data = self->given[DATA],
        .indices = self->given[INDICES],
        .updates = self->given[UPDATES],
        .output = self->given[OUTPUT],
        .batch_dims = self->attributes.batch_dims,
        .axis = self->attributes.axis,
        .reduction = self->attributes.reduction,
        .use_init_val = self->attributes.use_init_val,
        .circular = self->attributes.circular != 0,
        .slice = self->attributes.slice,
        .segments = self->given[SEGMENTS],
        .weights = self->given[WEIGHTS],
        .default_index = self->attributes.default_index,
        .empty = self->attributes.empty,
        .flags = self->options.flags,
        .bounds = self->options.bounds,
        .fill = self->options.fill,
    };
}

static strew_attributes attributes_of(const arguments *self)
{
    strew_attributes attributes = self->attributes;
    attributes.segments = self->given[SEGMENTS];
    attributes.weights = self->given[WEIGHTS];
    return attributes;
}

strew_status arguments_run(const arguments *self)
{
    const operator_call call = arguments_call(self);
    const strew_attributes attributes = attributes_of(self);
    if (!self->op)
        return call_operator(&call, &self->options);
    return strew_operator_run(self->op, &attributes, call.data, call.indices, call.updates, call.output,
                              &self->options);
}

strew_status arguments_plan(const arguments *self, strew_plan *plan)
{
    const operator_call call = arguments_call(self);
    const strew_plan_options options = call_plan_options(&self->options);
    const strew_attributes attributes = attributes_of(self);
    if (!self->op)
        return call_plan(&call, plan, &options);
    return strew_operator_plan(plan, self->op, &attributes, call.data, call.indices, call.updates, call.output,
                               &options);
}

strew_status arguments_run_plan(const arguments *self, const strew_plan *plan, const strew_buffers *buffers)
{
    const strew_run_options options = call_run_options(&self->options);
    return strew_plan_run(plan, buffers, &options);
}

strew_buffers arguments_buffers(const arguments *self)
{
    const operator_call call = arguments_call(self);
    return call_buffers(&call);
}
