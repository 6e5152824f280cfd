#include "shared/scratch.h"
#include "takeover.h"

static void lift(strew_tensor *view)
{
    static const int64_t one = 1;
    if (view->rank > 0)
        return;
    view->rank = 1;
    view->shape = view->strides = &one;
}

bool operand_read(const call *self, int32_t argument, operand *tensor)
{
    const AtenTensorHandle handle = strew_torch_tensor(self->stack[argument]);
    if (!strew_torch_view(handle, &tensor->view) || pytorch.aoti_torch_get_dtype(handle, &tensor->dtype))
        return false;
    tensor->rank = tensor->view.rank;
    lift(&tensor->view);
    return true;
}

int64_t element_count(const strew_tensor *view)
{
    int64_t count = 1;
    for (int32_t d = 0; d < view->rank; d++)
        count *= view->shape[d];
    return count;
}

bool same_shape(const strew_tensor *first, const strew_tensor *second)
{
    if (first->rank != second->rank)
        return false;
    for (int32_t d = 0; d < first->rank; d++)
        if (first->shape[d] != second->shape[d])
            return false;
    return true;
}

bool axis_wrap(StableIValue value, int32_t rank, int64_t *axis)
{
    *axis = (int64_t)value;
    if (*axis < 0)
        *axis += rank;
    return *axis >= 0 && *axis < rank;
}

/* Reads the tensor that is written in place or by out=. */
static outcome output_read(const call *self, int32_t argument, int32_t rank, const int64_t *shape, int32_t dtype,
                           strew_tensor *output)
{
    int32_t found;
    const AtenTensorHandle handle = strew_torch_tensor(self->stack[argument]);
    if (!strew_torch_view_mutable(handle, output) || pytorch.aoti_torch_get_dtype(handle, &found))
        return TENSOR;
    if (found != dtype)
        return ARGUMENTS;
    const strew_tensor wanted = {NULL, output->dtype, rank, shape, NULL};
    return same_shape(output, &wanted) ? TAKEN : RESIZE;
}

/* A new tensor for the result. */
static outcome output_make(call *self, int32_t rank, const int64_t *shape, int32_t dtype, strew_tensor *output)
{
    self->results[0] = strew_torch_empty(rank, shape, dtype);
    return self->results[0] && strew_torch_view_mutable(self->results[0], output) ? TAKEN : MEMORY;
}

outcome output_take(call *self, int32_t rank, const int64_t *shape, int32_t dtype, strew_tensor *output)
{
    const int32_t place = self->form == OUT ? self->arguments - 1 : 0;
    const outcome end = self->form == FUNCTIONAL ? output_make(self, rank, shape, dtype, output)
                                                 : output_read(self, place, rank, shape, dtype, output);
    lift(output);
    return end;
}

void in_place_read(const call *self, operand *data, const strew_tensor *output)
{
    if (self->form == IN_PLACE)
        data->view.data = output->data;
}

strew_tensor index_expand(const strew_tensor *index, const strew_tensor *like, int64_t axis, layout *memory)
{
    for (int32_t d = 0; d < like->rank; d++) {
        memory->shape[d] = like->shape[d];
        memory->strides[d] = 0;
    }
    memory->shape[axis] = index->shape[0];
    memory->strides[axis] = index->strides[0];
    return (strew_tensor){index->data, index->dtype, like->rank, memory->shape, memory->strides};
}

outcome outcome_of(strew_status status)
{
    switch (status) {
    case STREW_STATUS_OK: return TAKEN;
    case STREW_STATUS_INDEX_OUT_OF_BOUNDS: return INDEX;
    case STREW_STATUS_INVALID_ARGUMENT: return OVERLAP;
    case STREW_STATUS_UNSUPPORTED_DTYPE:
    case STREW_STATUS_UNSUPPORTED_REDUCTION: return DTYPE;
    default: return ARGUMENTS;
    }
}

/* ---- Calls of elements ----
 *
 * The dimensions of such a call may be in any order, for what meets in one element of the output lies along the
 * axis. strew goes over them from the first to the last, which is best if the last ones lie closest in memory. */

enum { OPERANDS = 4 };

/* The views of a call, in another order of dimensions. */
typedef struct reordered {
    layout memory[OPERANDS];
    strew_tensor views[OPERANDS];
    int64_t axis;
} reordered;

static bool in_order(const strew_tensor *output)
{
    for (int32_t d = 1; output->strides && d < output->rank; d++)
        if (output->shape[d] > 1 && output->shape[d - 1] > 1 && output->strides[d] > output->strides[d - 1])
            return false;
    return true;
}

static void order_by_strides(const strew_tensor *output, int32_t *order)
{
    for (int32_t i = 0; i < output->rank; i++) {
        int32_t place = i;
        for (; place > 0 && output->strides[order[place - 1]] < output->strides[i]; place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

/* Replaces views by such that follow the strides of the last, the output. */
static void reorder(const strew_tensor **views, int32_t count, int64_t *axis, reordered *made)
{
    const strew_tensor *const output = views[count - 1];
    int32_t order[STREW_MAX_RANK];
    if (in_order(output))
        return;
    order_by_strides(output, order);
    for (int32_t v = 0; v < count; v++) {
        layout *const memory = &made->memory[v];
        if (views[v]->rank != output->rank || !views[v]->strides)
            return;
        for (int32_t d = 0; d < output->rank; d++) {
            memory->shape[d] = views[v]->shape[order[d]];
            memory->strides[d] = views[v]->strides[order[d]];
        }
        made->views[v] = *views[v];
        made->views[v].shape = memory->shape;
        made->views[v].strides = memory->strides;
    }
    for (int32_t v = 0; v < count; v++)
        views[v] = &made->views[v];
    for (int32_t d = 0; d < output->rank; d++)
        if (order[d] == *axis)
            made->axis = d;
    *axis = made->axis;
}

/* PyTorch's own loops share no fewer elements: waking a thread takes longer. */
enum { LEAST_SHARED = 32768 };

strew_parallel parallel_for(int64_t elements)
{
    strew_parallel parallel = strew_torch_parallel();
    if (elements < LEAST_SHARED)
        parallel.threads = 1;
    return parallel;
}

outcome run_gather_elements(const strew_tensor *data, const strew_tensor *index, int64_t axis, uint32_t flags,
                            const strew_tensor *output)
{
    const strew_parallel parallel = parallel_for(element_count(output));
    strew_options options = STREW_OPTIONS_INIT;
    const strew_tensor *views[] = {data, index, output};
    reordered made;
    reorder(views, 3, &axis, &made);
    options.flags = flags;
    options.parallel = &parallel;
    return outcome_of(strew_gather_elements(views[0], views[1], axis, views[2], &options));
}

outcome run_gather_nd(const strew_tensor *data, const strew_tensor *indices, int64_t batch_dims,
                      const strew_tensor *output)
{
    const strew_parallel parallel = parallel_for(element_count(output));
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = &parallel;
    return outcome_of(strew_gather_nd(data, indices, batch_dims, output, &options));
}

/* The number of elements that a scatter moves: updates, and data unless it is written in place. */
static int64_t scattered_elements(const strew_tensor *data, const strew_tensor *updates, const strew_tensor *output)
{
    return element_count(updates) + (output->data == data->data ? 0 : element_count(output));
}

outcome run_plan(const strew_plan *plan, const strew_parallel *parallel, const strew_buffers *buffers)
{
    scratch_block *scratch;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.parallel = parallel;
    if (!scratch_lend(plan, parallel->threads, &options, &scratch))
        return MEMORY;
    const strew_status status = strew_plan_run(plan, buffers, &options);
    scratch_give_back(scratch);
    return outcome_of(status);
}

outcome run_scatter_elements(const strew_tensor *data, const strew_tensor *index, const strew_tensor *updates,
                             int64_t axis, strew_reduction reduction, bool include_self, uint32_t flags,
                             const strew_tensor *output)
{
    const strew_parallel parallel = parallel_for(scattered_elements(data, index, output));
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.flags = flags;
    options.threads = parallel.threads;
    strew_plan plan;
    const strew_status status =
        strew_plan_scatter_elements(&plan, data, index, updates, axis, reduction, include_self, output, &options);
    if (status != STREW_STATUS_OK)
        return outcome_of(status);
    return run_plan(
        &plan, &parallel,
        &(strew_buffers){
            .data = data->data, .indices = index->data, .updates = updates->data, .output = output->data});
}

outcome run_scatter_nd(const strew_tensor *data, const strew_tensor *indices, const strew_tensor *updates,
                       strew_reduction reduction, uint32_t flags, const strew_tensor *output)
{
    const strew_parallel parallel = parallel_for(scattered_elements(data, updates, output));
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.flags = flags;
    options.threads = parallel.threads;
    strew_plan plan;
    const strew_status status = strew_plan_scatter_nd(&plan, data, indices, updates, reduction, output, &options);
    if (status != STREW_STATUS_OK)
        return outcome_of(status);
    return run_plan(
        &plan, &parallel,
        &(strew_buffers){
            .data = data->data, .indices = indices->data, .updates = updates->data, .output = output->data});
}
