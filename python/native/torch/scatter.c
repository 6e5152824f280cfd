/* aten::scatter with its reductions, scatter_add, scatter_reduce, index_copy. */
#include "reduction.h"

#include <stdatomic.h>
#include <string.h>

/* Whether the index is the same for all of the data that lies off the axis. */
static bool is_of_rows(const strew_tensor *index, const strew_tensor *data, int64_t axis)
{
    for (int32_t d = 0; d < index->rank; d++)
        if (d != axis && (index->shape[d] != data->shape[d] || (index->shape[d] > 1 && index->strides[d] != 0)))
            return false;
    return element_count(index) > index->shape[axis];
}

/* The divisors of a mean, one for each element of the output. They are doubles, which count further than floats do.
 */
typedef struct counts {
    AtenTensorHandle tensor;
    strew_tensor view;
} counts;

static bool counts_make(const reduction_call *of, counts *made)
{
    made->tensor = strew_torch_empty(of->output->rank, of->output->shape, pytorch.aoti_torch_dtype_float64());
    return made->tensor && strew_torch_view_mutable(made->tensor, &made->view);
}

/* Sets every number to this one, or those alone that are 0. */
static void counts_set(const counts *self, double number, bool zeros_alone)
{
    const int64_t count = element_count(&self->view);
    double *const numbers = self->view.data;
    for (int64_t i = 0; i < count; i++)
        numbers[i] = zeros_alone && numbers[i] != 0 ? numbers[i] : number;
}

/* Counts the updates, whose indices have been checked. */
static outcome counts_take(const counts *self, const reduction_call *of)
{
    static const int64_t still[STREW_MAX_RANK];
    static const double one = 1;
    const strew_tensor ones = {(void *)(uintptr_t)&one, self->view.dtype, of->index->rank, of->index->shape, still};
    counts_set(self, of->include_self, false);
    const outcome end = run_scatter_elements(&self->view, of->index, &ones, of->axis, STREW_REDUCTION_SUM, true,
                                             REFUSE_NEGATIVE, &self->view);
    counts_set(self, 1, true);
    return end;
}

/* aten::div_(tensor, counts), which takes the counts. */
static outcome divide(AtenTensorHandle tensor, AtenTensorHandle divisor)
{
    AtenTensorHandle owned;
    if (pytorch.aoti_torch_new_tensor_handle(tensor, &owned)) {
        pytorch.aoti_torch_delete_tensor_object(divisor);
        return MEMORY;
    }
    StableIValue stack[2] = {strew_torch_result(owned), strew_torch_result(divisor)};
    if (pytorch.torch_call_dispatcher("aten::div_", "Tensor", stack, STREW_TORCH_VERSION))
        return MEMORY;
    pytorch.aoti_torch_delete_tensor_object(strew_torch_tensor(stack[0]));
    return TAKEN;
}

/* The one call, or its sum. */
static outcome reduce_at_once(const reduction_call *self, strew_reduction reduction)
{
    return run_scatter_elements(self->data, self->index, self->source, self->axis, reduction, self->include_self,
                                REFUSE_NEGATIVE, self->output);
}

outcome divide_by_counts(const reduction_call *self, AtenTensorHandle sums)
{
    counts by;
    const outcome end = counts_make(self, &by) ? counts_take(&by, self) : MEMORY;
    if (end == TAKEN)
        return divide(sums, by.tensor);
    if (by.tensor)
        pytorch.aoti_torch_delete_tensor_object(by.tensor);
    return end;
}

static bool is_complex(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_COMPLEX64 || dtype == STREW_DTYPE_COMPLEX128;
}

/* Single elements that one thread assigns in place, within its caches: PyTorch reads each index once, and strew,
 * which checks all of them before it writes, twice. */
static bool is_assignment_loop(const call *self, const reduction_call *call)
{
    const int64_t bytes = element_count(call->data) * (int64_t)strew_dtype_size(call->data->dtype);
    return call->reduction == STREW_REDUCTION_NONE && self->form == IN_PLACE && !call->of_rows &&
           element_count(call->index) >= LARGE_CALL && bytes <= CACHED_BYTES && strew_torch_parallel().threads == 1;
}

AtenTensorHandle output_handle(const call *self)
{
    return self->form == FUNCTIONAL ? self->results[0]
                                    : strew_torch_tensor(self->stack[self->form == OUT ? self->arguments - 1 : 0]);
}

/* Whether a mean is faster as a sum that is divided by counts: many single floats. */
static bool is_divided_sum(const reduction_call *call)
{
    const strew_dtype dtype = call->data->dtype;
    return call->reduction == STREW_REDUCTION_MEAN && !call->of_rows &&
           (dtype == STREW_DTYPE_FLOAT32 || dtype == STREW_DTYPE_FLOAT64) &&
           element_count(call->index) >= SEVERAL_CALLS_FROM;
}

/* Reduces into the tensor of this handle. */
static outcome reduce_into(const reduction_call *call, AtenTensorHandle written)
{
    if (!is_divided_sum(call))
        return reduce_at_once(call, call->reduction);
    const outcome end = reduce_at_once(call, STREW_REDUCTION_SUM);
    return end == TAKEN ? divide_by_counts(call, written) : end;
}

static bool is_of_wide_halves(const reduction_call *call)
{
    return is_half(call->data->dtype) &&
           (call->reduction == STREW_REDUCTION_SUM || call->reduction == STREW_REDUCTION_PROD ||
            call->reduction == STREW_REDUCTION_MEAN);
}

/* Why PyTorch is to do the call, before there is an output; TAKEN if it is not. */
static outcome why_not(const call *self, const reduction_call *call)
{
    if (!takeover_is_exact() &&
        (is_assignment_loop(self, call) || (is_of_wide_halves(call) && is_few_halves(call))))
        return FASTER;
    if (is_complex(call->data->dtype) &&
        (call->reduction == STREW_REDUCTION_MEAN || call->reduction == STREW_REDUCTION_PROD))
        return ROUNDING;
    return TAKEN;
}

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
    source.view.shape = index.view.shape; /* elements beyond it are not used */
    const reduction_call made = {&data.view, &index.view, &source.view, &output,
                                 axis,       reduction,   include_self, is_of_rows(&index.view, &data.view, axis)};
    outcome end = why_not(self, &made);
    if (end == TAKEN)
        end = output_take(self, data.rank, data.view.shape, data.dtype, &output);
    if (end != TAKEN)
        return end;
    in_place_read(self, &data, &output);
    return is_of_wide_halves(&made) ? reduce_halves(self, &made) : reduce_into(&made, output_handle(self));
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

/* The place of a string among the names; -1 if absent. */
static int32_t name_find(StableIValue value, const named_reduction *names, int32_t count)
{
    const char *text;
    if (pytorch.torch_string_c_str((StringHandle)(uintptr_t)value, &text))
        return -1;
    while (--count >= 0 && strcmp(text, names[count].name) != 0)
        ;
    return count;
}

/* scatter(self, dim, index, src, *, reduce). PyTorch warns once that it is deprecated. */
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

/* index_copy(self, dim, index, source): a scatter with the same index for everything off the axis. */
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
    in_place_read(self, &data, &output);
    return run_scatter_elements(&data.view, &expanded, &source.view, axis, STREW_REDUCTION_NONE, true,
                                REFUSE_NEGATIVE, &output);
}
