/* aten::embedding_dense_backward: adds gradients into the rows of a table. The forward is aten::index_select. */
#include "takeover.h"

#include <string.h>

/* The gradient of a row of the table that takes no part. */
static void row_clear(const strew_tensor *table, int64_t row)
{
    if (row < 0 || row >= table->shape[0])
        return;
    const size_t size = (size_t)table->shape[1] * strew_dtype_size(table->dtype);
    memset((char *)table->data + (size_t)row * size, 0, size);
}

/* embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq) */
outcome embedding_backward(call *self)
{
    operand gradient, index;
    layout memory;
    strew_tensor table;
    if (!operand_read(self, 0, &gradient) || !operand_read(self, 1, &index))
        return TENSOR;
    const int64_t rows = (int64_t)self->stack[2];
    const bool scaled = self->stack[4] & 1;
    if (scaled || rows < 0 || gradient.rank != index.rank + 1 || index.rank + 1 > STREW_MAX_RANK)
        return ARGUMENTS;
    if (!dtype_accepted(self->id, 0, gradient.dtype) || !index_accepted(self->id, index.view.dtype))
        return DTYPE;
    const int64_t shape[2] = {rows, gradient.view.shape[gradient.rank - 1]};
    const outcome end = output_take(self, 2, shape, gradient.dtype, &table);
    if (end != TAKEN)
        return end;
    if (pytorch.aoti_torch_zero_(self->results[0]))
        return MEMORY;
    for (int32_t d = 0; d < index.rank; d++) {
        memory.shape[d] = index.view.shape[d];
        memory.strides[d] = index.view.strides[d];
    }
    memory.shape[index.rank] = memory.strides[index.rank] = 1;
    const strew_tensor tuples = {index.view.data, index.view.dtype, index.rank + 1, memory.shape, memory.strides};
    const outcome ran =
        run_scatter_nd(&table, &tuples, &gradient.view, STREW_REDUCTION_SUM, REFUSE_NEGATIVE, &table);
    row_clear(&table, (int64_t)self->stack[3]);
    return ran;
}
