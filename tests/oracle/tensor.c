/* Positions and memory of the tensors in the tests. */
#include "tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"

bool position_first(int64_t position[STREW_MAX_RANK], const strew_tensor *tensor)
{
    memset(position, 0, STREW_MAX_RANK * sizeof *position);
    return shape_count(tensor->shape, tensor->rank) > 0;
}

bool position_next(int64_t position[STREW_MAX_RANK], const strew_tensor *tensor)
{
    for (int32_t d = tensor->rank - 1; d >= 0; d--) {
        if (++position[d] < tensor->shape[d])
            return true;
        position[d] = 0;
    }
    return false;
}

int64_t position_ordinal(const int64_t *position, const strew_tensor *tensor)
{
    int64_t ordinal = 0;
    for (int32_t d = 0; d < tensor->rank; d++)
        ordinal = ordinal * tensor->shape[d] + position[d];
    return ordinal;
}

static int64_t strided_offset(const int64_t *position, const int64_t *strides, int32_t rank)
{
    int64_t offset = 0;
    for (int32_t d = 0; d < rank; d++)
        offset += position[d] * strides[d];
    return offset;
}

void *tensor_element(const strew_tensor *tensor, const int64_t *position)
{
    int64_t offset = tensor->strides ? strided_offset(position, tensor->strides, tensor->rank)
                                     : position_ordinal(position, tensor);
    return (char *)tensor->data + offset * (int64_t)element_size(tensor->dtype);
}

int64_t shape_count(const int64_t *shape, int32_t rank)
{
    int64_t count = 1;
    for (int32_t d = 0; d < rank; d++)
        count *= shape[d];
    return count;
}

static unsigned char *allocate(size_t size)
{
    unsigned char *memory = malloc(size);
    if (!memory && size > 0) {
        fprintf(stderr, "no memory for a test tensor of %zu bytes\n", size);
        abort();
    }
    return memory;
}

/* Points the view at the tensor's own memory. */
static void attach(test_tensor *tensor, bool has_strides, size_t data_offset)
{
    tensor->view.data = tensor->memory ? tensor->memory + data_offset : NULL;
    tensor->view.shape = tensor->shape;
    tensor->view.strides = has_strides ? tensor->strides : NULL;
}

/* The number of elements that a strided tensor reaches below its first one. */
static int64_t elements_before(const int64_t *shape, const int64_t *strides, int32_t rank)
{
    int64_t before = 0;
    if (!strides || shape_count(shape, rank) == 0)
        return 0;
    for (int32_t d = 0; d < rank; d++)
        before += strides[d] < 0 ? -strides[d] * (shape[d] - 1) : 0;
    return before;
}

/* The number of elements from the lowest to the highest one of a tensor. */
static int64_t elements_spanned(const int64_t *shape, const int64_t *strides, int32_t rank)
{
    int64_t count = shape_count(shape, rank);
    if (!strides || count == 0)
        return count;
    int64_t span = 1;
    for (int32_t d = 0; d < rank; d++)
        span += llabs(strides[d]) * (shape[d] - 1);
    return span;
}

void tensor_create(test_tensor *tensor, strew_dtype dtype, int32_t rank, const int64_t *shape,
                   const int64_t *strides, size_t front, size_t back)
{
    int64_t before = elements_before(shape, strides, rank);
    int64_t span = elements_spanned(shape, strides, rank);
    memset(tensor, 0, sizeof *tensor);
    tensor->view.dtype = dtype;
    tensor->view.rank = rank;
    for (int32_t d = 0; d < rank; d++) {
        tensor->shape[d] = shape[d];
        tensor->strides[d] = strides ? strides[d] : 0;
    }
    tensor->size = front + (size_t)span * element_size(dtype) + back;
    tensor->memory = allocate(tensor->size);
    if (tensor->size > 0)
        memset(tensor->memory, 0xa5, tensor->size);
    attach(tensor, strides != NULL, front + (size_t)before * element_size(dtype));
}

void tensor_clone(test_tensor *copy, const test_tensor *original)
{
    *copy = *original;
    copy->memory = allocate(original->size);
    if (original->size > 0)
        memcpy(copy->memory, original->memory, original->size);
    const unsigned char *data = original->view.data;
    attach(copy, original->view.strides != NULL, data ? (size_t)(data - original->memory) : 0);
}

void tensor_destroy(test_tensor *tensor)
{
    free(tensor->memory);
    tensor->memory = NULL;
}

bool tensor_same_memory(const test_tensor *tensor, const test_tensor *clone)
{
    return tensor->size == 0 || memcmp(tensor->memory, clone->memory, tensor->size) == 0;
}

static void erase_elements(test_tensor *tensor)
{
    int64_t position[STREW_MAX_RANK];
    size_t size = element_size(tensor->view.dtype);
    for (bool more = position_first(position, &tensor->view); more; more = position_next(position, &tensor->view))
        memset(tensor_element(&tensor->view, position), 0, size);
}

bool tensor_same_padding(const test_tensor *tensor, const test_tensor *clone)
{
    test_tensor erased, erased_clone;
    tensor_clone(&erased, tensor);
    tensor_clone(&erased_clone, clone);
    erase_elements(&erased);
    erase_elements(&erased_clone);
    bool same = tensor_same_memory(&erased, &erased_clone);
    tensor_destroy(&erased);
    tensor_destroy(&erased_clone);
    return same;
}
