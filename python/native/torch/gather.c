/* aten::gather and aten::index_select. */
#include "takeover.h"

/* gather(self, dim, index, *, sparse_grad) */
outcome gather(call *self)
{
    operand data, index;
    int64_t axis;
    strew_tensor output;
    if (!operand_read(self, 0, &data) || !operand_read(self, 2, &index))
        return TENSOR;
    if (!axis_wrap(self->stack[1], data.view.rank, &axis) || data.view.rank != index.view.rank)
        return ARGUMENTS;
    if (!dtype_accepted(self->id, 0, data.dtype) || !index_accepted(self->id, index.view.dtype))
        return DTYPE;
    const outcome end = output_take(self, index.rank, index.view.shape, data.dtype, &output);
    if (end != TAKEN)
        return end;
    return run_gather_elements(&data.view, &index.view, axis, REFUSE_NEGATIVE, &output);
}

/* PyTorch has a loop of its own for columns of single floats, which one thread of strew does not reach. */
static bool is_column_loop(const operand *data, const operand *index, int64_t axis)
{
    return data->rank == 2 && axis == 1 && data->view.dtype == STREW_DTYPE_FLOAT32 &&
           data->view.shape[0] * index->view.shape[0] >= LARGE_CALL && strew_torch_parallel().threads == 1;
}

/* index_select(self, dim, index): a gather with the same index for everything off the axis. */
outcome index_select(call *self)
{
    operand data, index;
    int64_t axis;
    layout memory;
    strew_tensor output;
    if (!operand_read(self, 0, &data) || !operand_read(self, 2, &index))
        return TENSOR;
    if (!axis_wrap(self->stack[1], data.view.rank, &axis) || index.view.rank != 1)
        return ARGUMENTS;
    if (!dtype_accepted(self->id, 0, data.dtype) || !index_accepted(self->id, index.view.dtype))
        return DTYPE;
    if (element_count(&data.view) == 0 && element_count(&index.view) > 0) /* PyTorch checks ids even so */
        return ARGUMENTS;
    if (!takeover_is_exact() && is_column_loop(&data, &index, axis))
        return FASTER;
    const strew_tensor expanded = index_expand(&index.view, &data.view, axis, &memory);
    const outcome end = output_take(self, data.rank, expanded.shape, data.dtype, &output);
    if (end != TAKEN)
        return end;
    return run_gather_elements(&data.view, &expanded, axis, REFUSE_NEGATIVE, &output);
}
