#include "index.h"

#include <stdlib.h>

/* ---- Shapes ---- */

/* The common shape of all coordinates; false if they cannot be broadcast. */
static bool broadcast(indexing *self)
{
    self->rank = 0;
    for (int32_t i = 0; i < self->count; i++)
        if (self->coordinates[i].view.rank > self->rank)
            self->rank = self->coordinates[i].view.rank;
    for (int32_t d = 0; d < self->rank; d++)
        self->shape[d] = 1;
    for (int32_t i = 0; i < self->count; i++) {
        const strew_tensor *const view = &self->coordinates[i].view;
        const int32_t offset = self->rank - view->rank;
        for (int32_t d = 0; d < view->rank; d++) {
            int64_t *const common = &self->shape[offset + d];
            if (view->shape[d] != 1 && *common != 1 && *common != view->shape[d])
                return false;
            if (view->shape[d] != 1)
                *common = view->shape[d];
        }
    }
    return true;
}

/* The strides of a tensor over a shape that it is broadcast to, which ends with its own. */
static void broadcast_strides(const strew_tensor *view, int32_t rank, const int64_t *shape, int64_t *strides)
{
    const int32_t offset = rank - view->rank;
    for (int32_t d = 0; d < rank; d++)
        strides[d] = d < offset || (view->shape[d - offset] == 1 && shape[d] != 1) ? 0 : view->strides[d - offset];
}

/* Moves the indexed dimensions side by side: they stay if they are adjacent, and otherwise move to the front. */
static void move_dimensions(indexing *self)
{
    const strew_tensor *const data = &self->data;
    const int32_t first = self->dimension[0];
    const bool adjacent = self->dimension[self->count - 1] - first == self->count - 1;
    bool indexed[STREW_MAX_RANK] = {false};
    int32_t order[STREW_MAX_RANK], placed = 0;
    for (int32_t i = 0; i < self->count; i++)
        indexed[self->dimension[i]] = true;
    self->before = adjacent ? first : 0;
    for (int32_t d = 0; d < self->before; d++)
        order[placed++] = d;
    for (int32_t i = 0; i < self->count; i++)
        order[placed++] = self->dimension[i];
    for (int32_t d = self->before; d < data->rank; d++)
        if (!indexed[d])
            order[placed++] = d;
    self->after = data->rank - self->before - self->count;
    for (int32_t d = 0; d < data->rank; d++) {
        self->moved.shape[d] = data->shape[order[d]];
        self->moved.strides[d] = data->strides[order[d]];
    }
}

/* The shape of the result: dimensions before, the common shape, dimensions after. False if strew does not
 * support its rank. */
static bool result_shape(indexing *self)
{
    self->result_rank = self->before + self->rank + self->after;
    if (self->result_rank + 1 > STREW_MAX_RANK)
        return false;
    int32_t placed = 0;
    for (int32_t d = 0; d < self->before; d++)
        self->result_shape[placed++] = self->moved.shape[d];
    for (int32_t d = 0; d < self->rank; d++)
        self->result_shape[placed++] = self->shape[d];
    for (int32_t d = 0; d < self->after; d++)
        self->result_shape[placed++] = self->moved.shape[self->before + self->count + d];
    return true;
}

/* Adds the coordinates of an index; `dimension` is the first dimension of self that it indexes. */
static outcome add_item(indexing *self, const index_item *item, int32_t dimension)
{
    const int32_t columns = item->positions ? item->dimensions : 1;
    if (dimension + item->dimensions > self->data.rank)
        return ARGUMENTS;
    for (int32_t i = 0; item->given && i < columns; i++) {
        strew_tensor *const view = &self->coordinates[self->count].view;
        self->dimension[self->count++] = dimension + i;
        *view = item->view;
        if (!item->positions)
            continue;
        view->data = (int64_t *)item->view.data + i * item->view.strides[1];
        view->rank = 1;
        self->positions = &item->view;
    }
    return TAKEN;
}

/* The positions of the common shape. */
static int64_t position_count(const indexing *self)
{
    int64_t count = 1;
    for (int32_t d = 0; d < self->rank; d++)
        count *= self->shape[d];
    return count;
}

outcome indexing_make(indexing *self, const strew_tensor *data, const index_item *items, int32_t count)
{
    int32_t dimension = 0;
    self->data = *data;
    self->count = 0;
    self->positions = NULL;
    for (int32_t i = 0; i < count; i++) {
        const outcome end = add_item(self, &items[i], dimension);
        if (end != TAKEN)
            return end;
        dimension += items[i].dimensions;
    }
    if (self->count == 0 || !broadcast(self))
        return ARGUMENTS;
    for (int32_t i = 0; i < self->count; i++)
        broadcast_strides(&self->coordinates[i].view, self->rank, self->shape, self->coordinates[i].strides);
    move_dimensions(self);
    if (element_count(data) == 0 && position_count(self) > 0) /* PyTorch has rules of its own for these */
        return ARGUMENTS;
    return result_shape(self) ? TAKEN : ARGUMENTS;
}

/* ---- One coordinate: elements ---- */

/* Joins the dimensions of the common shape, from `first` on, into one of this stride; false if they do not join. */
static bool join(const indexing *self, const int64_t *strides, int64_t *stride)
{
    *stride = 1;
    int64_t expected = 0;
    bool begun = false;
    for (int32_t d = self->rank - 1; d >= 0; d--) {
        if (self->shape[d] == 1)
            continue;
        if (begun && strides[d] != expected)
            return false;
        if (!begun)
            *stride = strides[d];
        begun = true;
        expected = strides[d] * self->shape[d];
    }
    return true;
}

/* A call of elements. */
typedef struct elements {
    strew_tensor data, index, values;
    layout index_memory, values_memory;
} elements;

/* Makes a call of elements of a single coordinate; `strides` are those of the values over the result's shape.
 * False for other calls. */
static bool elements_make(const indexing *self, const strew_tensor *values, const int64_t *strides, elements *made)
{
    int64_t index_stride, value_stride;
    if (self->count != 1 || !join(self, self->coordinates[0].strides, &index_stride) ||
        !join(self, strides + self->before, &value_stride))
        return false;
    const int32_t rank = self->data.rank;
    const int64_t count = position_count(self);
    const strew_tensor flat = {self->coordinates[0].view.data, self->coordinates[0].view.dtype, 1, &count,
                               &index_stride};
    made->data = (strew_tensor){self->data.data, self->data.dtype, rank, self->moved.shape, self->moved.strides};
    made->index = index_expand(&flat, &made->data, self->before, &made->index_memory);
    for (int32_t d = 0; d < rank; d++) {
        made->values_memory.shape[d] = made->index.shape[d];
        made->values_memory.strides[d] = strides[d < self->before ? d : d + self->rank - 1];
    }
    made->values_memory.strides[self->before] = value_stride;
    made->values =
        (strew_tensor){values->data, values->dtype, rank, made->values_memory.shape, made->values_memory.strides};
    return true;
}

/* ---- Several coordinates: tuples ---- */

/* Copies coordinates into tuples of int64. */
typedef struct packing {
    const indexing *from;
    int64_t *tuples;
} packing;

static int64_t coordinate_at(const coordinate *self, int64_t offset)
{
    return self->view.dtype == STREW_DTYPE_INT64 ? ((const int64_t *)self->view.data)[offset]
                                                 : ((const int32_t *)self->view.data)[offset];
}

/* Packs coordinate i of the positions from begin to end. */
static void pack_coordinate(const indexing *self, int32_t i, int64_t begin, int64_t end, int64_t *tuples)
{
    const coordinate *const packed = &self->coordinates[i];
    int64_t position[STREW_MAX_RANK], offset = 0;
    int64_t rest = begin;
    for (int32_t d = self->rank - 1; d >= 0; d--) {
        position[d] = rest % self->shape[d];
        rest /= self->shape[d];
        offset += position[d] * packed->strides[d];
    }
    const int32_t last = self->rank - 1;
    for (int64_t p = begin; p < end;) {
        const int64_t run =
            last < 0 || self->shape[last] - position[last] > end - p ? end - p : self->shape[last] - position[last];
        const int64_t stride = last < 0 ? 0 : packed->strides[last];
        for (int64_t k = 0; k < run; k++)
            tuples[(p + k) * self->count + i] = coordinate_at(packed, offset + k * stride);
        p += run;
        if (p == end)
            return;
        offset -= position[last] * stride;
        position[last] = 0;
        for (int32_t d = last - 1; d >= 0; d--) {
            offset += packed->strides[d];
            if (++position[d] < self->shape[d])
                break;
            offset -= self->shape[d] * packed->strides[d];
            position[d] = 0;
        }
    }
}

static void pack_range(int64_t begin, int64_t end, void *context)
{
    const packing *const self = context;
    for (int32_t i = 0; i < self->from->count; i++)
        pack_coordinate(self->from, i, begin, end, self->tuples);
}

/* The tuples of a call: from a mask, or packed in memory that the caller frees. */
typedef struct tuples {
    strew_tensor view; /* the common shape, and the coordinates of a tuple */
    layout memory;
    int64_t *packed;
} tuples;

enum { PACKING_GRAIN = 32768 };

static bool tuples_make(const indexing *self, tuples *made)
{
    const int64_t count = position_count(self);
    const bool of_mask = self->positions && self->positions->shape[1] == self->count;
    made->packed = NULL;
    made->view = (strew_tensor){NULL, STREW_DTYPE_INT64, self->rank + 1, made->memory.shape, made->memory.strides};
    for (int32_t d = 0; d < self->rank; d++)
        made->memory.shape[d] = self->shape[d];
    made->memory.shape[self->rank] = self->count;
    if (of_mask) {
        made->view.data = self->positions->data;
        made->memory.strides[0] = self->positions->strides[0];
        made->memory.strides[1] = self->positions->strides[1];
        return true;
    }
    int64_t stride = made->memory.strides[self->rank] = 1;
    for (int32_t d = self->rank; d > 0; d--)
        made->memory.strides[d - 1] = stride *= made->memory.shape[d];
    made->view.data = made->packed =
        malloc((size_t)(count > 0 ? count : 1) * (size_t)self->count * sizeof(int64_t));
    packing job = {self, made->packed};
    if (!made->packed)
        return false;
    return pytorch.torch_parallel_for(0, count, PACKING_GRAIN, pack_range, &job) == 0;
}

/* Tuples that are the same for each position before the indexed dimensions. */
static strew_tensor tuples_before(const indexing *self, const tuples *made, layout *memory)
{
    for (int32_t d = 0; d < self->before; d++) {
        memory->shape[d] = self->moved.shape[d];
        memory->strides[d] = 0;
    }
    for (int32_t d = 0; d <= self->rank; d++) {
        memory->shape[self->before + d] = made->memory.shape[d];
        memory->strides[self->before + d] = made->memory.strides[d];
    }
    return (strew_tensor){made->view.data, made->view.dtype, self->before + self->rank + 1, memory->shape,
                          memory->strides};
}

/* Moves the dimensions before the indexed ones behind them; `indexed` is how many are indexed. */
static strew_tensor indexed_first(const strew_tensor *view, int32_t before, int32_t indexed, layout *memory)
{
    for (int32_t d = 0; d < view->rank; d++) {
        const int32_t place = d < before ? d + indexed : d < before + indexed ? d - before : d;
        memory->shape[place] = view->shape[d];
        memory->strides[place] = view->strides[d];
    }
    return (strew_tensor){view->data, view->dtype, view->rank, memory->shape, memory->strides};
}

static strew_tensor moved_data(const indexing *self)
{
    return (strew_tensor){self->data.data, self->data.dtype, self->data.rank, self->moved.shape,
                          self->moved.strides};
}

/* ---- x[indices] ---- */

/* The order in which PyTorch's iterator would nest the dimensions of the result, innermost first: by the strides
 * of self and of each index that decides. The memory of the result follows it. */
typedef struct nesting {
    int32_t operands;
    int64_t strides[STREW_MAX_RANK + 1][STREW_MAX_RANK];
    const int64_t *shape;
} nesting;

static void nesting_of_data(const indexing *self, int64_t *strides)
{
    int32_t placed = 0;
    for (int32_t d = 0; d < self->before; d++)
        strides[placed++] = self->moved.strides[d];
    for (int32_t d = 0; d < self->rank; d++)
        strides[placed++] = 0;
    for (int32_t d = 0; d < self->after; d++)
        strides[placed++] = self->moved.strides[self->before + self->count + d];
}

static void nesting_of_index(const indexing *self, const coordinate *index, int64_t *strides)
{
    const strew_tensor *const view = &index->view;
    const int64_t outer = view->rank > 0 ? view->shape[0] * view->strides[0] : 1;
    const int64_t inner = view->rank > 0 ? view->strides[view->rank - 1] : 1;
    for (int32_t d = 0; d < self->result_rank; d++) {
        const bool common = d >= self->before && d < self->before + self->rank;
        const int64_t alone = self->result_shape[d] != 1 ? 0 : d < self->before ? outer : inner;
        strides[d] = common ? index->strides[d - self->before] : alone;
    }
}

/* Whether `inner` should be the outer one of the two: 1 yes, -1 no, 0 undecided. */
static int nesting_compare(const nesting *self, int32_t inner, int32_t outer)
{
    for (int32_t i = 0; i < self->operands; i++) {
        const int64_t *const strides = self->strides[i];
        if (strides[inner] == 0 || strides[outer] == 0)
            continue;
        if (strides[inner] != strides[outer])
            return strides[inner] < strides[outer] ? -1 : 1;
        if (self->shape[inner] > self->shape[outer])
            return 1;
    }
    return 0;
}

/* Sorts as PyTorch does: by insertion, past undecided dimensions. */
static void nesting_sort(const nesting *self, int32_t rank, int32_t *order)
{
    for (int32_t i = 0; i < rank; i++)
        order[i] = rank - 1 - i;
    for (int32_t i = 1; i < rank; i++) {
        int32_t moving = i;
        for (int32_t j = i - 1; j >= 0; j--) {
            const int said = nesting_compare(self, order[j], order[moving]);
            if (said < 0)
                break;
            if (said == 0)
                continue;
            const int32_t swapped = order[j];
            order[j] = order[moving];
            order[moving] = swapped;
            moving = j;
        }
    }
}

void indexing_strides(const indexing *self, int64_t *strides)
{
    nesting nest;
    int32_t order[STREW_MAX_RANK];
    int64_t stride = 1;
    nest.operands = 1 + self->count;
    nest.shape = self->result_shape;
    nesting_of_data(self, nest.strides[0]);
    for (int32_t i = 0; i < self->count; i++)
        nesting_of_index(self, &self->coordinates[i], nest.strides[1 + i]);
    nesting_sort(&nest, self->result_rank, order);
    for (int32_t i = 0; i < self->result_rank; i++) {
        strides[order[i]] = stride;
        stride *= self->result_shape[order[i]] > 1 ? self->result_shape[order[i]] : 1;
    }
}

static outcome get_tuples(const indexing *self, const strew_tensor *output)
{
    tuples made;
    layout memory;
    if (!tuples_make(self, &made)) {
        free(made.packed);
        return MEMORY;
    }
    const strew_tensor data = moved_data(self);
    const strew_tensor indices = tuples_before(self, &made, &memory);
    const outcome end = run_gather_nd(&data, &indices, self->before, output);
    free(made.packed);
    return end;
}

outcome indexing_get(const indexing *self, const strew_tensor *output)
{
    elements made;
    if (elements_make(self, output, output->strides, &made))
        return run_gather_elements(&made.data, &made.index, self->before, 0, &made.values);
    return get_tuples(self, output);
}

/* ---- x[indices] = values ---- */

static outcome put_tuples(const indexing *self, strew_tensor *data, const strew_tensor *values,
                          strew_reduction reduction)
{
    tuples made;
    layout data_memory, values_memory;
    if (!tuples_make(self, &made)) {
        free(made.packed);
        return MEMORY;
    }
    const strew_tensor to = indexed_first(data, self->before, self->count, &data_memory);
    const strew_tensor from = indexed_first(values, self->before, self->rank, &values_memory);
    const outcome end = run_scatter_nd(&to, &made.view, &from, reduction, 0, &to);
    free(made.packed);
    return end;
}

/* Values of the shape of the result; false if they cannot be broadcast to it. */
static bool values_expand(const indexing *self, const strew_tensor *values, int64_t *strides)
{
    const int32_t offset = self->result_rank - values->rank;
    if (offset < 0)
        return false;
    for (int32_t d = 0; d < values->rank; d++)
        if (values->shape[d] != 1 && values->shape[d] != self->result_shape[offset + d])
            return false;
    broadcast_strides(values, self->result_rank, self->result_shape, strides);
    return true;
}

outcome indexing_put(const indexing *self, const strew_tensor *values, strew_reduction reduction)
{
    int64_t strides[STREW_MAX_RANK];
    elements made;
    if (!values_expand(self, values, strides))
        return ARGUMENTS;
    const strew_tensor expanded = {values->data, values->dtype, self->result_rank, self->result_shape, strides};
    strew_tensor data = moved_data(self);
    if (!elements_make(self, &expanded, strides, &made))
        return put_tuples(self, &data, &expanded, reduction);
    return run_scatter_elements(&data, &made.index, &made.values, self->before, reduction, true, 0, &data);
}
