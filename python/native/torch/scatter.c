/* aten::scatter with its reductions, scatter_add, scatter_reduce, index_copy. */
#include "takeover.h"

#include <stdatomic.h>
#include <string.h>

/* A scatter of elements: (self, dim, index, src, ...) */
static outcome scatter_elements(call *self, int32_t variant, strew_reduction reduction, bool include_self)
{
    operand data, index, source;
    int64_t axis;
    strew_tensor output;
    if (!operand_read(self, 0, &data) || !operand_read(self, 2, &index) || !operand_read(self, 3, &source))
        return TENSOR;
    if (!axis_wrap(self->stack[1], data.view.rank, &axis) || data.dtype != source.dtype)
        return ARGUMENTS;
    if (index.view.rank != data.view.rank || source.view.rank != data.view.rank)
        return ARGUMENTS;
    for (int32_t d = 0; d < index.view.rank; d++)
        if (index.view.shape[d] > source.view.shape[d])
            return ARGUMENTS;
    if (!dtype_accepted(self->id, variant, data.dtype) || !index_accepted(self->id, index.view.dtype))
        return DTYPE;
    source.view.shape = index.view.shape; /* what lies beyond it is not used */
    const outcome end = output_take(self, data.rank, data.view.shape, data.dtype, &output);
    if (end != TAKEN)
        return end;
    return run_scatter_elements(&data.view, &index.view, &source.view, axis, reduction, include_self,
                                REFUSE_NEGATIVE, &output);
}

outcome scatter(call *self)
{
    return scatter_elements(self, 0, STREW_REDUCTION_NONE, true);
}

outcome scatter_add(call *self)
{
    return scatter_elements(self, 0, STREW_REDUCTION_SUM, true);
}

/* A reduction as PyTorch names it. */
typedef struct named_reduction {
    const char *name;
    strew_reduction reduction;
} named_reduction;

/* Which of the names a string is; -1 for none. */
static int32_t name_find(StableIValue value, const named_reduction *names, int32_t count)
{
    const char *text;
    if (pytorch.torch_string_c_str((StringHandle)(uintptr_t)value, &text))
        return -1;
    while (--count >= 0 && strcmp(text, names[count].name) != 0)
        ;
    return count;
}

/* scatter(self, dim, index, src, *, reduce), of which PyTorch says once that it is deprecated */
outcome scatter_by(call *self)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    static const named_reduction names[] = {{"add", STREW_REDUCTION_SUM}, {"multiply", STREW_REDUCTION_PROD}};
    const int32_t found = name_find(self->stack[4], names, 2);
    if (!atomic_flag_test_and_set(&warned))
        return WARNING;
    return found < 0 ? ARGUMENTS : scatter_elements(self, found, names[found].reduction, true);
}

/* scatter_reduce(self, dim, index, src, reduce, *, include_self) */
outcome scatter_reduce(call *self)
{
    static const named_reduction names[] = {{"sum", STREW_REDUCTION_SUM},
                                            {"prod", STREW_REDUCTION_PROD},
                                            {"mean", STREW_REDUCTION_MEAN},
                                            {"amax", STREW_REDUCTION_MAX},
                                            {"amin", STREW_REDUCTION_MIN}};
    const bool include_self = (bool)(self->stack[5] & 1);
    const int32_t found = name_find(self->stack[4], names, 5);
    if (found < 0)
        return ARGUMENTS;
    return scatter_elements(self, 2 * found + include_self, names[found].reduction, include_self);
}

/* index_copy(self, dim, index, source): a scatter whose index is the same for all that lies off the axis. */
outcome index_copy(call *self)
{
    operand data, index, source;
    int64_t axis;
    layout memory;
    strew_tensor output;
    if (!operand_read(self, 0, &data) || !operand_read(self, 2, &index) || !operand_read(self, 3, &source))
        return TENSOR;
    if (!axis_wrap(self->stack[1], data.view.rank, &axis) || index.view.rank != 1 || data.dtype != source.dtype)
        return ARGUMENTS;
    if (!dtype_accepted(self->id, 0, data.dtype) || !index_accepted(self->id, index.view.dtype))
        return DTYPE;
    const strew_tensor expanded = index_expand(&index.view, &data.view, axis, &memory);
    if (!same_shape(&expanded, &source.view))
        return ARGUMENTS;
    const outcome end = output_take(self, data.rank, data.view.shape, data.dtype, &output);
    if (end != TAKEN)
        return end;
    return run_scatter_elements(&data.view, &expanded, &source.view, axis, STREW_REDUCTION_NONE, true,
                                REFUSE_NEGATIVE, &output);
}
