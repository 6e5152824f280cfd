/* Sums, means and products of halves. PyTorch computes them in float32 and rounds once, and so do these calls:
 * in float32 copies of the rows that the index names or, if it names elements, of the whole tensor. */
#include "reduction.h"

#include <stdlib.h>
#include <string.h>

bool is_half(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_FLOAT16 || dtype == STREW_DTYPE_BFLOAT16;
}

/* ---- Memory ---- */

/* Whether the memory from the first to the last byte of one tensor meets that of another. */
static bool meets(const strew_tensor *one, const strew_tensor *other)
{
    const strew_tensor *const both[2] = {one, other};
    uintptr_t begin[2], end[2];
    for (int32_t i = 0; i < 2; i++) {
        const size_t size = strew_dtype_size(both[i]->dtype);
        if (element_count(both[i]) == 0)
            return false;
        begin[i] = (uintptr_t)both[i]->data;
        end[i] = begin[i] + size; /* PyTorch has no negative strides */
        for (int32_t d = 0; d < both[i]->rank; d++)
            end[i] += (uintptr_t)((both[i]->shape[d] - 1) * both[i]->strides[d]) * size;
    }
    return begin[0] < end[1] && begin[1] < end[0];
}

/* Whether the call is one that strew would refuse for its memory. */
static bool overlaps(const call *self, const reduction_call *call)
{
    const strew_tensor *const output = call->output;
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    strew_plan plan;
    if (meets(call->index, output) || meets(call->source, output) ||
        (self->form == OUT && meets(call->data, output)))
        return true;
    return strew_plan_scatter_elements(&plan, call->data, call->index, call->source, call->axis, call->reduction,
                                       call->include_self, output, &options) == STREW_STATUS_INVALID_ARGUMENT;
}

/* The part of a tensor that a view shows, from an offset in elements on, as a tensor; NULL if there is no memory.
 */
static AtenTensorHandle part_take(AtenTensorHandle tensor, const strew_tensor *view, int64_t offset)
{
    AtenTensorHandle part;
    if (pytorch.aoti_torch__reinterpret_tensor(tensor, view->rank, view->shape, view->strides, offset, &part))
        return NULL;
    return part;
}

/* Copies between a tensor and the part of `whole` that the view, moved by the offset, shows. */
static bool part_copy(AtenTensorHandle whole, const strew_tensor *view, int64_t offset, AtenTensorHandle tensor,
                      bool back)
{
    const AtenTensorHandle part = part_take(whole, view, offset);
    if (!part)
        return false;
    const bool done = !pytorch.aoti_torch_copy_(back ? part : tensor, back ? tensor : part, 0);
    pytorch.aoti_torch_delete_tensor_object(part);
    return done;
}

/* Makes a float32 copy of the part that the view, moved by the offset, shows; false without memory. The caller
 * frees the handle in either case; it may be NULL. */
static bool widen(AtenTensorHandle narrow, const strew_tensor *view, int64_t offset, AtenTensorHandle *wide,
                  strew_tensor *made)
{
    *wide = strew_torch_empty(view->rank, view->shape, pytorch.aoti_torch_dtype_float32());
    return *wide && part_copy(narrow, view, offset, *wide, false) && strew_torch_view_mutable(*wide, made);
}

/* The number of elements of the source that are widened at a time: they stay in a second-level cache. */
enum { BLOCK_ELEMENTS = 1 << 17 };

/* ---- Elements ---- */

/* The dimension along which a call is cut into blocks; -1 for one block. Off the axis blocks have no element in
 * common; along it, where rows are cut, a second block would begin anew if self took no part. */
static int32_t dimension_to_cut(const reduction_call *call)
{
    int32_t best = -1;
    if (call->of_rows)
        return (int32_t)call->axis;
    for (int32_t d = 0; d < call->index->rank; d++)
        if (d != call->axis && call->index->shape[d] > 1 &&
            (best < 0 || call->index->shape[d] > call->index->shape[best]))
            best = d;
    return best < 0 && call->include_self ? (int32_t)call->axis : best;
}

/* A view of `count` places of a dimension, from `begin` on. */
static strew_tensor slab_of(const strew_tensor *view, int32_t dim, int64_t begin, int64_t count, int64_t *shape)
{
    memcpy(shape, view->shape, (size_t)view->rank * sizeof *shape);
    shape[dim] = count;
    const int64_t offset = begin * view->strides[dim] * (int64_t)strew_dtype_size(view->dtype);
    return (strew_tensor){(char *)view->data + offset, view->dtype, view->rank, shape, view->strides};
}

/* Combines a block of the source with its part of the sums. */
static outcome block_combine(const reduction_call *call, AtenTensorHandle source, int32_t dim, int64_t begin,
                             int64_t count)
{
    int64_t shapes[3][STREW_MAX_RANK];
    AtenTensorHandle wide;
    strew_tensor updates, sums = *call->data;
    const strew_tensor narrow = slab_of(call->source, dim, begin, count, shapes[0]);
    const strew_tensor index = slab_of(call->index, dim, begin, count, shapes[1]);
    if (dim != call->axis)
        sums = slab_of(call->data, dim, begin, count, shapes[2]);
    outcome end = MEMORY;
    if (widen(source, &narrow, begin * call->source->strides[dim], &wide, &updates))
        end = run_scatter_elements(&sums, &index, &updates, call->axis, call->reduction, call->include_self,
                                   REFUSE_NEGATIVE, &sums);
    if (wide)
        pytorch.aoti_torch_delete_tensor_object(wide);
    return end;
}

/* Combines the source, a block after the other, with sums that the call has as its data and its output. */
static outcome blocks_combine(const reduction_call *call, AtenTensorHandle source)
{
    const int32_t dim = dimension_to_cut(call);
    const int64_t length = dim < 0 ? 1 : call->index->shape[dim];
    const int64_t width = element_count(call->index) / (length > 0 ? length : 1);
    const int64_t most = dim < 0 ? 1 : 1 + BLOCK_ELEMENTS / (width > 0 ? width : 1);
    outcome end = TAKEN;
    if (dim < 0)
        return block_combine(call, source, (int32_t)call->axis, 0, call->index->shape[call->axis]);
    for (int64_t begin = 0; end == TAKEN && begin < length; begin += most)
        end = block_combine(call, source, dim, begin, length - begin < most ? length - begin : most);
    return end;
}

static outcome reduce_elements(const call *self, const reduction_call *call)
{
    AtenTensorHandle sums = NULL;
    strew_tensor wide;
    outcome end = MEMORY;
    if (widen(strew_torch_tensor(self->stack[0]), call->data, 0, &sums, &wide)) {
        const bool mean = call->reduction == STREW_REDUCTION_MEAN;
        reduction_call made = *call;
        made.data = made.output = &wide;
        made.reduction = mean ? STREW_REDUCTION_SUM : call->reduction;
        end = blocks_combine(&made, strew_torch_tensor(self->stack[3]));
        if (end == TAKEN && mean)
            end = divide_by_counts(&made, sums);
    }
    if (end == TAKEN && !part_copy(output_handle(self), call->output, 0, sums, true))
        end = MEMORY;
    if (sums)
        pytorch.aoti_torch_delete_tensor_object(sums);
    return end;
}

/* ---- Rows ---- */

/* The rows that an index names, each once, in the order of their first update. */
typedef struct named_rows {
    int64_t updates, count;
    int64_t *rows;   /* they */
    int64_t *places; /* for each update, the place of its row among them */
    int64_t *times;  /* how many updates each of them has */
} named_rows;

static int64_t index_at(const strew_tensor *index, int64_t offset)
{
    return index->dtype == STREW_DTYPE_INT64 ? ((const int64_t *)index->data)[offset]
                                             : ((const int32_t *)index->data)[offset];
}

static void rows_release(named_rows *self)
{
    free(self->rows);
    free(self->places);
    free(self->times);
}

/* Finds them; `known` has a zero for each row of the output, and is one more than a row's place afterwards. */
static outcome rows_note(named_rows *self, const reduction_call *call, int64_t *known)
{
    const int64_t extent = call->output->shape[call->axis], stride = call->index->strides[call->axis];
    for (int64_t u = 0; u < self->updates; u++) {
        const int64_t row = index_at(call->index, u * stride);
        if (row < 0 || row >= extent)
            return INDEX;
        if (known[row] == 0) {
            self->rows[self->count] = row;
            self->times[self->count] = 0;
            known[row] = ++self->count;
        }
        self->places[u] = known[row] - 1;
        self->times[self->places[u]]++;
    }
    return TAKEN;
}

static outcome rows_find(named_rows *self, const reduction_call *call)
{
    const int64_t extent = call->output->shape[call->axis];
    self->updates = call->index->shape[call->axis];
    const size_t most = (size_t)(self->updates < extent ? self->updates : extent) + 1;
    int64_t *const known = calloc((size_t)extent + 1, sizeof *known);
    self->count = 0;
    self->rows = malloc(most * sizeof(int64_t));
    self->times = malloc(most * sizeof(int64_t));
    self->places = malloc(((size_t)self->updates + 1) * sizeof(int64_t));
    const bool made = known && self->rows && self->times && self->places;
    const outcome end = made ? rows_note(self, call, known) : MEMORY;
    free(known);
    return end;
}

/* The shape of the call's output with another length along the axis. */
static void shape_along(const reduction_call *call, int64_t length, int64_t *shape)
{
    memcpy(shape, call->output->shape, (size_t)call->output->rank * sizeof *shape);
    shape[call->axis] = length;
}

/* A list of int64 along the axis as an index of elements. */
static strew_tensor list_expand(const reduction_call *call, int64_t *list, int64_t length, layout *memory)
{
    static const int64_t one = 1;
    const strew_tensor flat = {list, STREW_DTYPE_INT64, 1, &length, &one};
    return index_expand(&flat, call->output, call->axis, memory);
}

/* The named rows: as halves, and in float32. */
typedef struct wide_rows {
    AtenTensorHandle halves, sums;
    strew_tensor halves_view, sums_view;
} wide_rows;

static bool wide_make(wide_rows *self, const reduction_call *call, const named_rows *named, int32_t dtype)
{
    int64_t shape[STREW_MAX_RANK];
    shape_along(call, named->count, shape);
    self->halves = strew_torch_empty(call->output->rank, shape, dtype);
    self->sums = strew_torch_empty(call->output->rank, shape, pytorch.aoti_torch_dtype_float32());
    return self->halves && self->sums && strew_torch_view_mutable(self->halves, &self->halves_view) &&
           strew_torch_view_mutable(self->sums, &self->sums_view);
}

static void wide_release(wide_rows *self)
{
    if (self->halves)
        pytorch.aoti_torch_delete_tensor_object(self->halves);
    if (self->sums)
        pytorch.aoti_torch_delete_tensor_object(self->sums);
}

/* Starts the sums with the rows of self, or with the identity. */
static outcome wide_begin(const wide_rows *self, const reduction_call *call, const named_rows *named)
{
    layout memory;
    if (!call->include_self) {
        const int64_t count = element_count(&self->sums_view);
        for (int64_t e = 0; e < count; e++)
            ((float *)self->sums_view.data)[e] = call->reduction == STREW_REDUCTION_PROD ? 1 : 0;
        return TAKEN;
    }
    const strew_tensor rows = list_expand(call, named->rows, named->count, &memory);
    const outcome end = run_gather_elements(call->data, &rows, call->axis, REFUSE_NEGATIVE, &self->halves_view);
    if (end == TAKEN && pytorch.aoti_torch_copy_(self->sums, self->halves, 0))
        return MEMORY;
    return end;
}

/* Combines the updates with the sums. */
static outcome wide_combine(const wide_rows *self, const reduction_call *call, const named_rows *named,
                            AtenTensorHandle source)
{
    layout memory;
    const strew_tensor places = list_expand(call, named->places, named->updates, &memory);
    reduction_call made = *call;
    made.index = &places;
    made.data = made.output = &self->sums_view;
    made.include_self = true;
    made.reduction = call->reduction == STREW_REDUCTION_MEAN ? STREW_REDUCTION_SUM : call->reduction;
    return blocks_combine(&made, source);
}

/* Divides each row by the number of its updates, and of self where that takes part. */
static void wide_divide(const wide_rows *self, const reduction_call *call, const named_rows *named)
{
    int64_t inner = 1;
    for (int32_t d = (int32_t)call->axis + 1; d < call->output->rank; d++)
        inner *= call->output->shape[d];
    const int64_t rows = inner ? element_count(&self->sums_view) / inner : 0;
    float *const sums = self->sums_view.data;
    for (int64_t r = 0; r < rows; r++) {
        const float by = (float)(named->times[r % named->count] + call->include_self);
        for (int64_t i = 0; i < inner; i++)
            sums[r * inner + i] /= by;
    }
}

/* Rounds the sums, and writes them to their rows of the output. */
static outcome wide_write(const wide_rows *self, const reduction_call *call, const named_rows *named)
{
    layout memory;
    if (pytorch.aoti_torch_copy_(self->halves, self->sums, 0))
        return MEMORY;
    const strew_tensor rows = list_expand(call, named->rows, named->count, &memory);
    return run_scatter_elements(call->data, &rows, &self->halves_view, call->axis, STREW_REDUCTION_NONE, true,
                                REFUSE_NEGATIVE, call->output);
}

static outcome reduce_named_rows(const call *self, const reduction_call *call, const named_rows *named)
{
    wide_rows wide = {NULL};
    int32_t dtype;
    if (pytorch.aoti_torch_get_dtype(strew_torch_tensor(self->stack[0]), &dtype))
        return MEMORY;
    outcome end = wide_make(&wide, call, named, dtype) ? wide_begin(&wide, call, named) : MEMORY;
    if (end == TAKEN)
        end = wide_combine(&wide, call, named, strew_torch_tensor(self->stack[3]));
    if (end == TAKEN && call->reduction == STREW_REDUCTION_MEAN)
        wide_divide(&wide, call, named);
    if (end == TAKEN)
        end = wide_write(&wide, call, named);
    wide_release(&wide);
    return end;
}

static outcome reduce_rows(const call *self, const reduction_call *call)
{
    named_rows named;
    outcome end = rows_find(&named, call);
    if (end == TAKEN)
        end = reduce_named_rows(self, call, &named);
    rows_release(&named);
    return end;
}

/* ---- The call ---- */

/* PyTorch's own kernel is wrong for an index that is expanded and narrower than the output. */
static bool is_pytorch_wrong(const reduction_call *call)
{
    for (int32_t d = 0; d < call->index->rank; d++)
        if (d != call->axis && call->index->strides[d] == 0 && call->index->shape[d] < call->data->shape[d])
            return true;
    return false;
}

bool is_few_halves(const reduction_call *call)
{
    return element_count(call->index) < SEVERAL_CALLS_FROM && !is_pytorch_wrong(call);
}

outcome reduce_halves(const call *self, const reduction_call *call)
{
    if (overlaps(self, call))
        return OVERLAP;
    return call->of_rows ? reduce_rows(self, call) : reduce_elements(self, call);
}
