/* aten::_embedding_bag: sums and means of the rows of bags, and the outputs that PyTorch's backward needs. */
#include "takeover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arguments of _embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
 * include_last_offset, padding_idx). */
enum { TABLE, INDICES, OFFSETS, MODE = 4, WEIGHTS = 6, INCLUDE_LAST, PADDING };
enum { SUM, MEAN, MAX };

/* Its results. */
enum { BAGS, OFFSET2BAG, BAG_SIZE, MAX_INDICES };

/* A call, its tensors, and the list that strew reads: the caller's, or one without padding. */
typedef struct bag_call {
    operand table, indices, offsets, weights;
    bool weighted;
    int64_t mode, padding;
    int64_t entries, bags;
    strew_tensor kept_indices, kept_begins, kept_weights;
    int64_t kept_shape, begins_shape;
    int64_t unit;
    void *list; /* memory of the list without padding */
} bag_call;

/* ---- Arguments ---- */

static bool read_weights(const call *self, bag_call *read)
{
    const StableIValue *const held = (const StableIValue *)(uintptr_t)self->stack[WEIGHTS];
    AtenTensorHandle handle = held ? strew_torch_tensor(*held) : NULL;
    bool defined = false;
    read->weighted = handle && !pytorch.aoti_torch_is_defined(handle, &defined) && defined;
    if (!read->weighted)
        return true;
    read->weights.rank = 0;
    return strew_torch_view(handle, &read->weights.view) &&
           !pytorch.aoti_torch_get_dtype(handle, &read->weights.dtype);
}

static bool is_dense(const strew_tensor *list)
{
    return list->shape[0] <= 1 || list->strides[0] == 1;
}

static outcome read_arguments(const call *self, bag_call *read)
{
    const operand *const table = &read->table, *const indices = &read->indices, *const offsets = &read->offsets;
    read->mode = (int64_t)self->stack[MODE];
    if (!operand_read(self, TABLE, &read->table) || !operand_read(self, INDICES, &read->indices) ||
        !operand_read(self, OFFSETS, &read->offsets) || !read_weights(self, read))
        return TENSOR;
    read->padding = (int64_t)self->stack[PADDING];
    if (table->rank != 2 || indices->rank != 1 || offsets->rank != 1 || (read->mode != SUM && read->mode != MEAN))
        return ARGUMENTS;
    if (!dtype_accepted(self->id, 0, table->dtype) || !index_accepted(self->id, indices->view.dtype) ||
        offsets->dtype != indices->dtype)
        return DTYPE;
    if (!is_dense(&indices->view) || !is_dense(&offsets->view) || read->padding < -1 ||
        read->padding >= table->view.shape[0])
        return ARGUMENTS;
    if (!read->weighted)
        return TAKEN;
    const strew_tensor *const weights = &read->weights.view;
    return read->mode == SUM && weights->dtype == table->view.dtype && same_shape(weights, &indices->view)
               ? TAKEN
               : ARGUMENTS;
}

static int64_t index_at(const strew_tensor *list, int64_t place)
{
    return list->dtype == STREW_DTYPE_INT64 ? ((const int64_t *)list->data)[place]
                                            : ((const int32_t *)list->data)[place];
}

static void index_set(const strew_tensor *list, int64_t place, int64_t value)
{
    if (list->dtype == STREW_DTYPE_INT64)
        ((int64_t *)list->data)[place] = value;
    else
        ((int32_t *)list->data)[place] = (int32_t)value;
}

/* The begin of a bag; for the bag after the last one, the end of that. */
static int64_t bag_begin(const bag_call *self, int64_t bag)
{
    return bag < self->bags ? index_at(&self->offsets.view, bag) : self->entries;
}

/* Whether every bag lies within the indices and ends where the next one begins. */
static bool are_in_order(const bag_call *self, bool has_last)
{
    if (self->bags < 1 || bag_begin(self, 0) != 0)
        return false;
    for (int64_t bag = 0; bag < self->bags; bag++)
        if (bag_begin(self, bag) > bag_begin(self, bag + 1))
            return false;
    return !has_last || index_at(&self->offsets.view, self->bags) == self->entries;
}

/* ---- Padding ---- */

static bool has_padding(const bag_call *self)
{
    for (int64_t e = 0; self->padding >= 0 && e < self->entries; e++)
        if (index_at(&self->indices.view, e) == self->padding)
            return true;
    return false;
}

/* Copies an element of the weights. */
static void copy_weight(const bag_call *self, int64_t from, int64_t to)
{
    const size_t size = strew_dtype_size(self->weights.view.dtype);
    const char *const source =
        (const char *)self->weights.view.data + from * self->weights.view.strides[0] * (int64_t)size;
    memcpy((char *)self->kept_weights.data + to * (int64_t)size, source, size);
}

/* Makes the list without padding: indices, where bags begin, and weights. False if there is no memory. */
static bool drop_padding(bag_call *self)
{
    const size_t index_size = strew_dtype_size(self->indices.view.dtype);
    const size_t weight_size = self->weighted ? strew_dtype_size(self->weights.view.dtype) : 0;
    const size_t entries = (size_t)self->entries, bags = (size_t)self->bags;
    char *const memory = self->list = malloc(bags * sizeof(int64_t) + entries * (index_size + weight_size) + 1);
    if (!memory)
        return false;
    self->kept_begins.data = memory;
    self->kept_begins.dtype = STREW_DTYPE_INT64;
    self->kept_indices.data = memory + bags * sizeof(int64_t);
    self->kept_weights.data = memory + bags * sizeof(int64_t) + entries * index_size;
    int64_t kept = 0;
    for (int64_t bag = 0; bag < self->bags; bag++) {
        ((int64_t *)self->kept_begins.data)[bag] = kept;
        for (int64_t e = bag_begin(self, bag); e < bag_begin(self, bag + 1); e++) {
            const int64_t index = index_at(&self->indices.view, e);
            if (index == self->padding)
                continue;
            index_set(&self->kept_indices, kept, index);
            if (self->weighted)
                copy_weight(self, e, kept);
            kept++;
        }
    }
    self->kept_shape = kept;
    self->kept_weights.strides = &self->unit;
    return true;
}

/* The list that strew reads. */
static bool make_list(bag_call *self)
{
    self->unit = 1;
    self->kept_shape = self->entries;
    self->begins_shape = self->bags;
    self->kept_indices = self->indices.view;
    self->kept_begins = self->offsets.view;
    self->kept_weights = self->weights.view;
    self->kept_indices.shape = self->kept_weights.shape = &self->kept_shape;
    self->kept_begins.shape = &self->begins_shape;
    return !has_padding(self) || drop_padding(self);
}

/* ---- Results ---- */

/* Makes a new tensor of one dimension for a list result; an operand's view of it. */
static bool make_list_result(call *self, int32_t place, int64_t length, const bag_call *of, strew_tensor *made)
{
    self->results[place] = strew_torch_empty(1, &length, of->offsets.dtype);
    return self->results[place] && strew_torch_view_mutable(self->results[place], made);
}

/* Whether PyTorch itself sums by its fast kernels, which leave it to the backward to find the bag of each index. */
static bool leaves_offset2bag(const bag_call *self)
{
    const strew_dtype dtype = self->table.view.dtype;
    return self->mode == SUM && (dtype == STREW_DTYPE_FLOAT32 || is_half(dtype)) &&
           self->table.view.strides[1] == 1 && self->padding < 0 &&
           (!self->weighted || self->weights.view.strides[0] == 1);
}

/* Writes a number from one place to another. */
static void fill_range(const strew_tensor *list, int64_t begin, int64_t end, int64_t value)
{
    if (list->dtype == STREW_DTYPE_INT64)
        for (int64_t e = begin; e < end; e++)
            ((int64_t *)list->data)[e] = value;
    else
        for (int64_t e = begin; e < end; e++)
            ((int32_t *)list->data)[e] = (int32_t)value;
}

/* The bag of each index, of the caller's list. */
static void write_offset2bag(const bag_call *self, const strew_tensor *made)
{
    for (int64_t bag = 0; bag < self->bags; bag++)
        fill_range(made, bag_begin(self, bag), bag_begin(self, bag + 1), bag);
}

/* The number of indices of each bag without padding. Only for means: PyTorch writes zeros for sums. */
static void write_sizes(const bag_call *self, const strew_tensor *made)
{
    for (int64_t bag = 0; bag < self->bags; bag++) {
        const int64_t end = bag + 1 < self->bags ? index_at(&self->kept_begins, bag + 1) : self->kept_shape;
        index_set(made, bag, self->mode == MEAN ? end - index_at(&self->kept_begins, bag) : 0);
    }
}

static bool make_lists(call *self, const bag_call *of)
{
    strew_tensor offset2bag, sizes, maxima;
    const bool left = leaves_offset2bag(of);
    if (!make_list_result(self, OFFSET2BAG, left ? 0 : of->entries, of, &offset2bag) ||
        !make_list_result(self, BAG_SIZE, of->bags, of, &sizes) ||
        !make_list_result(self, MAX_INDICES, of->bags, of, &maxima))
        return false;
    if (!left)
        write_offset2bag(of, &offset2bag);
    write_sizes(of, &sizes);
    write_sizes(of, &maxima);
    return true;
}

static outcome combine(const bag_call *self, const strew_tensor *output)
{
    const strew_parallel parallel = parallel_for(self->entries * self->table.view.shape[1]);
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.flags = REFUSE_NEGATIVE;
    options.threads = parallel.threads;
    strew_plan plan;
    const strew_tensor *const weights = self->weighted ? &self->kept_weights : NULL;
    const strew_status status = strew_plan_embedding_bag_offsets(
        &plan, &self->table.view, &self->kept_indices, &self->kept_begins, weights,
        self->mode == MEAN ? STREW_REDUCTION_MEAN : STREW_REDUCTION_SUM, -1, output, &options);
    if (status != STREW_STATUS_OK)
        return outcome_of(status);
    return run_plan(&plan, &parallel,
                    &(strew_buffers){.data = self->table.view.data,
                                     .indices = self->kept_indices.data,
                                     .segments = self->kept_begins.data,
                                     .weights = weights ? weights->data : NULL,
                                     .output = output->data});
}

static outcome make_results(call *self, const bag_call *of)
{
    const int64_t shape[2] = {of->bags, of->table.view.shape[1]};
    strew_tensor output;
    self->results[BAGS] = strew_torch_empty(2, shape, of->table.dtype);
    if (!self->results[BAGS] || !strew_torch_view_mutable(self->results[BAGS], &output) || !make_lists(self, of))
        return MEMORY;
    return combine(of, &output);
}

/* ---- The kernel ---- */

/* PyTorch itself crashes here: without bags it reads past the end of its offsets. */
static void refuse_no_bag(call *self, const bag_call *of)
{
    char text[160];
    if (of->table.rank != 2 || of->bags > 0 || of->entries == 0 || leaves_offset2bag(of) ||
        (of->mode == MEAN && of->padding < 0 && of->table.view.dtype != STREW_DTYPE_FLOAT64))
        return;
    snprintf(
        text, sizeof text,
        "embedding_bag: offsets name no bag, but there are %lld indices; offsets must have at least %d element%s",
        (long long)of->entries, 1 + (int)(self->stack[INCLUDE_LAST] & 1), self->stack[INCLUDE_LAST] & 1 ? "s" : "");
    takeover_release(self);
    strew_torch_raise(STREW_TORCH_VALUE_ERROR, text);
}

outcome embedding_bag(call *self)
{
    bag_call read = {.list = NULL};
    const outcome end = read_arguments(self, &read);
    if (end == TENSOR)
        return end;
    const bool has_last = self->stack[INCLUDE_LAST] & 1;
    read.entries = read.indices.rank == 1 ? read.indices.view.shape[0] : 0;
    read.bags = read.offsets.rank == 1 ? read.offsets.view.shape[0] - has_last : 1;
    refuse_no_bag(self, &read);
    if (end != TAKEN)
        return end;
    if (!are_in_order(&read, has_last))
        return ARGUMENTS;
    const outcome ran = make_list(&read) ? make_results(self, &read) : MEMORY;
    free(read.list);
    return ran;
}
