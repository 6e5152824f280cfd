/* aten::index.Tensor and aten::_index_put_impl_: x[...] with tensors and masks among the indices.
 *
 * The indexed dimensions come to stand side by side (first of all, if they do not already), the index tensors are
 * broadcast to one shape, and the call becomes one of rows: each position of that shape names a row of self by a
 * tuple of coordinates. One index tensor is one coordinate, and then it is a call of elements with an expanded
 * index, which is the faster one. Several are packed into tuples first; a mask alone is tuples already, once
 * nonzero has seen it. */
#include "takeover.h"

#include <stdlib.h>

/* One coordinate of the tuples, broadcast: where it lies, and its strides (in elements) over the common shape. */
typedef struct coordinate {
    strew_tensor view;
    int64_t strides[STREW_MAX_RANK];
} coordinate;

/* What the list of indices comes to. */
typedef struct indexing {
    operand data;
    int32_t count;                            /* of coordinates */
    int32_t dimension[STREW_MAX_RANK];        /* of self that each coordinate indexes, ascending */
    coordinate coordinates[STREW_MAX_RANK];   /* they */
    int32_t masks;                            /* how many tensors nonzero has made */
    AtenTensorHandle owned[STREW_MAX_RANK];   /* they */
    strew_tensor tuples;                      /* of a mask alone */
    int64_t tuple_shape[2], tuple_strides[2]; /* of that */
    int32_t rank;                             /* of the common shape of the coordinates */
    int64_t shape[STREW_MAX_RANK];            /* it */
    int32_t before, after;                    /* dimensions of self on either side of the indexed ones */
    layout moved;                             /* self, its indexed dimensions side by side */
    int32_t result_rank;                      /* of what is read or written */
    int64_t result_shape[STREW_MAX_RANK];     /* its shape */
} indexing;

static void indexing_release(indexing *self)
{
    for (int32_t i = 0; i < self->masks; i++)
        pytorch.aoti_torch_delete_tensor_object(self->owned[i]);
}

/* ---- The list ---- */

/* The tensor of an item of the list; NULL for None. */
static AtenTensorHandle item_tensor(StableListHandle list, size_t place)
{
    StableIValue item;
    bool defined;
    if (pytorch.torch_list_get_item(list, place, &item) || item == 0)
        return NULL;
    const AtenTensorHandle tensor = strew_torch_tensor(*(const StableIValue *)(uintptr_t)item);
    return pytorch.aoti_torch_is_defined(tensor, &defined) || !defined ? NULL : tensor;
}

/* Adds a column of coordinates. */
static void add_coordinate(indexing *self, const strew_tensor *view, int32_t dimension)
{
    self->dimension[self->count] = dimension;
    self->coordinates[self->count++].view = *view;
}

/* aten::nonzero: the positions of a mask, as tuples. */
static AtenTensorHandle mask_positions(AtenTensorHandle mask)
{
    AtenTensorHandle borrowed;
    if (pytorch.aoti_torch_new_tensor_handle(mask, &borrowed))
        return NULL;
    StableIValue stack[1] = {strew_torch_result(borrowed)};
    if (pytorch.torch_call_dispatcher("aten::nonzero", "", stack, STREW_TORCH_VERSION))
        return NULL;
    return strew_torch_tensor(stack[0]);
}

/* Adds the coordinates of a mask, which stands for as many dimensions as it has. */
static outcome add_mask(indexing *self, AtenTensorHandle mask, const strew_tensor *view, int32_t dimension)
{
    if (view->rank == 0 || dimension + view->rank > self->data.view.rank)
        return ARGUMENTS;
    for (int32_t d = 0; d < view->rank; d++)
        if (view->shape[d] != self->data.view.shape[dimension + d])
            return ARGUMENTS;
    const AtenTensorHandle positions = mask_positions(mask);
    if (!positions)
        return MEMORY;
    self->owned[self->masks++] = positions;
    strew_tensor *const tuples = &self->tuples;
    if (!strew_torch_view(positions, tuples) || tuples->dtype != STREW_DTYPE_INT64 || tuples->rank != 2)
        return TENSOR;
    for (int32_t d = 0; d < view->rank; d++) {
        strew_tensor column = *tuples;
        column.data = (int64_t *)tuples->data + d * tuples->strides[1];
        column.rank = 1;
        add_coordinate(self, &column, dimension + d);
    }
    return TAKEN;
}

/* Adds an item of the list; *dimension is the next of self. */
static outcome add_item(indexing *self, const call *from, StableListHandle list, size_t place, int32_t *dimension)
{
    strew_tensor view;
    const AtenTensorHandle tensor = item_tensor(list, place);
    if (!tensor) {
        ++*dimension;
        return TAKEN;
    }
    if (!strew_torch_view(tensor, &view))
        return TENSOR;
    if (view.dtype == STREW_DTYPE_BOOL) {
        const outcome end = add_mask(self, tensor, &view, *dimension);
        *dimension += view.rank;
        return end;
    }
    if (!index_accepted(from->id, view.dtype))
        return DTYPE;
    if (*dimension >= self->data.view.rank)
        return ARGUMENTS;
    add_coordinate(self, &view, (*dimension)++);
    return TAKEN;
}

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

/* Moves the indexed dimensions side by side: where they are, if they are already, otherwise to the front. */
static void move_dimensions(indexing *self)
{
    const strew_tensor *const data = &self->data.view;
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

/* The shape of what is read or written: before, the common shape, after. False if strew has no such rank. */
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

/* Reads (self, indices, ...). Whatever comes of it, indexing_release has to follow. */
static outcome indexing_read(indexing *self, const call *from)
{
    const StableListHandle list = (StableListHandle)(uintptr_t)from->stack[1];
    size_t size;
    int32_t dimension = 0;
    self->count = self->masks = 0;
    if (!operand_read(from, 0, &self->data))
        return TENSOR;
    self->data.view.rank = self->data.rank; /* here rank 0 is not 1 */
    if (pytorch.torch_list_size(list, &size) || size > (size_t)self->data.rank)
        return ARGUMENTS;
    for (size_t i = 0; i < size; i++) {
        const outcome end = add_item(self, from, list, i, &dimension);
        if (end != TAKEN)
            return end;
    }
    if (self->count == 0 || dimension > self->data.rank || !broadcast(self))
        return ARGUMENTS;
    for (int32_t i = 0; i < self->count; i++)
        broadcast_strides(&self->coordinates[i].view, self->rank, self->shape, self->coordinates[i].strides);
    move_dimensions(self);
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

/* The positions of the common shape. */
static int64_t position_count(const indexing *self)
{
    int64_t count = 1;
    for (int32_t d = 0; d < self->rank; d++)
        count *= self->shape[d];
    return count;
}

/* A call of elements. */
typedef struct elements {
    strew_tensor data, index, values;
    layout index_memory, values_memory;
} elements;

/* Makes one of one coordinate; `strides` are those of the values over the result's shape. False if it does not come
 * to that. */
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
    made->data =
        (strew_tensor){self->data.view.data, self->data.view.dtype, rank, self->moved.shape, self->moved.strides};
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

/* The tuples of a call: those of a mask, or packed ones in memory that the caller frees. */
typedef struct tuples {
    strew_tensor view; /* the common shape, and the coordinates of a tuple */
    layout memory;
    int64_t *packed;
} tuples;

enum { PACKING_GRAIN = 32768 };

static bool tuples_make(const indexing *self, tuples *made)
{
    const int64_t count = position_count(self);
    const bool of_mask = self->masks == 1 && self->tuples.shape[1] == self->count;
    made->packed = NULL;
    made->view = (strew_tensor){NULL, STREW_DTYPE_INT64, self->rank + 1, made->memory.shape, made->memory.strides};
    for (int32_t d = 0; d < self->rank; d++)
        made->memory.shape[d] = self->shape[d];
    made->memory.shape[self->rank] = self->count;
    if (of_mask) {
        made->view.data = self->tuples.data;
        made->memory.strides[0] = self->tuples.strides[0];
        made->memory.strides[1] = self->tuples.strides[1];
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

/* A tensor whose dimensions before the indexed ones, of which it has `indexed`, come after them. */
static strew_tensor indexed_first(const strew_tensor *view, int32_t before, int32_t indexed, layout *memory)
{
    for (int32_t d = 0; d < view->rank; d++) {
        const int32_t place = d < before ? d + indexed : d < before + indexed ? d - before : d;
        memory->shape[place] = view->shape[d];
        memory->strides[place] = view->strides[d];
    }
    return (strew_tensor){view->data, view->dtype, view->rank, memory->shape, memory->strides};
}

static strew_tensor moved_data(const indexing *self, void *data)
{
    return (strew_tensor){data, self->data.view.dtype, self->data.rank, self->moved.shape, self->moved.strides};
}

/* ---- x[indices] ---- */

/* In which order PyTorch's iterator would nest the dimensions of the result, innermost first: by the strides of
 * self and of each index, where they say anything. The memory of the result follows it. */
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

/* Whether `inner` should be the outer one of the two: 1 yes, -1 no, 0 nothing says. */
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

/* Sorts as PyTorch does: by insertion, past what nothing is said of. */
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

/* The strides of a new result. */
static void result_strides(const indexing *self, int64_t *strides)
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

static outcome result_take(const indexing *self, call *from, strew_tensor *output)
{
    int64_t strides[STREW_MAX_RANK];
    if (from->form != FUNCTIONAL)
        return output_take(from, self->result_rank, self->result_shape, self->data.dtype, output);
    result_strides(self, strides);
    if (pytorch.aoti_torch_empty_strided(self->result_rank, self->result_shape, strides, self->data.dtype,
                                         pytorch.aoti_torch_device_type_cpu(), 0, &from->result))
        return MEMORY;
    return strew_torch_view_mutable(from->result, output) ? TAKEN : TENSOR;
}

static outcome get_tuples(const indexing *self, const strew_tensor *output)
{
    tuples made;
    layout memory;
    if (!tuples_make(self, &made)) {
        free(made.packed);
        return MEMORY;
    }
    const strew_tensor data = moved_data(self, self->data.view.data);
    const strew_tensor indices = tuples_before(self, &made, &memory);
    const outcome end = run_gather_nd(&data, &indices, self->before, output);
    free(made.packed);
    return end;
}

static outcome get(const indexing *self, call *from)
{
    strew_tensor output;
    elements made;
    const outcome end = result_take(self, from, &output);
    if (end != TAKEN)
        return end;
    output.rank = self->result_rank;
    if (elements_make(self, &output, output.strides, &made))
        return run_gather_elements(&made.data, &made.index, self->before, 0, &made.values);
    return get_tuples(self, &output);
}

/* index(self, indices) */
outcome index_get(call *self)
{
    indexing indices;
    outcome end = indexing_read(&indices, self);
    if (end == TAKEN)
        end = dtype_accepted(self->id, 0, indices.data.dtype) ? get(&indices, self) : DTYPE;
    indexing_release(&indices);
    return end;
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

static outcome put(const indexing *self, const call *from, const operand *values, strew_reduction reduction)
{
    int64_t strides[STREW_MAX_RANK];
    strew_tensor output;
    elements made;
    if (!strew_torch_view_mutable(strew_torch_tensor(from->stack[0]), &output))
        return TENSOR;
    if (values->dtype != self->data.dtype || !values_expand(self, &values->view, strides))
        return ARGUMENTS;
    const strew_tensor expanded = {values->view.data, values->view.dtype, self->result_rank, self->result_shape,
                                   strides};
    strew_tensor data = moved_data(self, output.data);
    if (!elements_make(self, &expanded, strides, &made))
        return put_tuples(self, &data, &expanded, reduction);
    return run_scatter_elements(&data, &made.index, &made.values, self->before, reduction, true, 0, &data);
}

/* The one tensor of the indices, if it is a mask, and the dimension it begins at; NULL otherwise. */
static AtenTensorHandle mask_alone(StableListHandle list, int64_t *dimension)
{
    AtenTensorHandle mask = NULL;
    int32_t dtype;
    size_t size;
    if (pytorch.torch_list_size(list, &size))
        return NULL;
    for (size_t i = 0; i < size; i++) {
        const AtenTensorHandle tensor = item_tensor(list, i);
        if (!tensor)
            continue;
        if (mask || pytorch.aoti_torch_get_dtype(tensor, &dtype) || dtype != pytorch.aoti_torch_dtype_bool())
            return NULL;
        mask = tensor;
        *dimension = (int64_t)i;
    }
    return mask;
}

/* A mask that has a dimension of size 1 for each of self that follows it. */
static AtenTensorHandle mask_extend(AtenTensorHandle mask, const strew_tensor *view, int64_t trailing)
{
    layout memory;
    int64_t offset;
    AtenTensorHandle extended;
    for (int32_t d = 0; d < view->rank + trailing; d++) {
        memory.shape[d] = d < view->rank ? view->shape[d] : 1;
        memory.strides[d] = d < view->rank ? view->strides[d] : 1;
    }
    if (pytorch.aoti_torch_get_storage_offset(mask, &offset) ||
        pytorch.aoti_torch__reinterpret_tensor(mask, view->rank + trailing, memory.shape, memory.strides, offset,
                                               &extended))
        return NULL;
    return extended;
}

/* One value without dimensions, as masked_fill_ wants it. */
static AtenTensorHandle value_alone(AtenTensorHandle value)
{
    int64_t offset;
    AtenTensorHandle alone;
    if (pytorch.aoti_torch_get_storage_offset(value, &offset) ||
        pytorch.aoti_torch__reinterpret_tensor(value, 0, NULL, NULL, offset, &alone))
        return NULL;
    return alone;
}

/* aten::masked_fill_(self, mask, value) */
static bool masked_fill(AtenTensorHandle self, AtenTensorHandle mask, AtenTensorHandle value)
{
    AtenTensorHandle owned;
    if (!mask || !value || pytorch.aoti_torch_new_tensor_handle(self, &owned)) {
        if (mask)
            pytorch.aoti_torch_delete_tensor_object(mask);
        if (value)
            pytorch.aoti_torch_delete_tensor_object(value);
        return false;
    }
    StableIValue stack[3] = {strew_torch_result(owned), strew_torch_result(mask), strew_torch_result(value)};
    if (pytorch.torch_call_dispatcher("aten::masked_fill_", "Tensor", stack, STREW_TORCH_VERSION))
        return false;
    pytorch.aoti_torch_delete_tensor_object(strew_torch_tensor(stack[0]));
    return true;
}

/* A mask and one value: PyTorch's own way, masked_fill_, which sees each element once. False if it is not that. */
static bool put_by_mask(const call *self, const operand *data, const operand *values)
{
    int64_t dimension = 0;
    strew_tensor view;
    if (element_count(&values->view) != 1)
        return false;
    const AtenTensorHandle mask = mask_alone((StableListHandle)(uintptr_t)self->stack[1], &dimension);
    if (!mask || !strew_torch_view(mask, &view) || dimension + view.rank > data->rank)
        return false;
    for (int32_t d = 0; d < view.rank; d++)
        if (view.shape[d] != data->view.shape[dimension + d])
            return false;
    return masked_fill(strew_torch_tensor(self->stack[0]),
                       mask_extend(mask, &view, data->rank - dimension - view.rank),
                       value_alone(strew_torch_tensor(self->stack[2])));
}

/* _index_put_impl_(self, indices, values, accumulate, unsafe) */
outcome index_put(call *self)
{
    indexing indices;
    operand data, values;
    const bool accumulate = (bool)(self->stack[3] & 1);
    if (!operand_read(self, 0, &data) || !operand_read(self, 2, &values))
        return TENSOR;
    if (!accumulate && put_by_mask(self, &data, &values))
        return FILL;
    if (!dtype_accepted(self->id, accumulate, data.dtype))
        return DTYPE;
    values.view.rank = values.rank;
    outcome end = indexing_read(&indices, self);
    if (end == TAKEN)
        end = put(&indices, self, &values, accumulate ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE);
    indexing_release(&indices);
    return end;
}
