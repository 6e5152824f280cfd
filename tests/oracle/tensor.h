/* Iteration over the tensors of the tests, and their memory. */
#ifndef STREW_TESTS_TENSOR_H
#define STREW_TESTS_TENSOR_H

#include <strew/strew.h>

/*
 * The odometer: all positions of a tensor in row-major order.
 *
 *   for (bool more = position_first(position, tensor); more; more = position_next(position, tensor))
 */
bool position_first(int64_t position[STREW_MAX_RANK], const strew_tensor *tensor);
bool position_next(int64_t position[STREW_MAX_RANK], const strew_tensor *tensor);

/* The number of a position in row-major order. */
int64_t position_ordinal(const int64_t *position, const strew_tensor *tensor);

/* The memory of the element at a position. */
void *tensor_element(const strew_tensor *tensor, const int64_t *position);

/* The number of elements of a shape. */
int64_t shape_count(const int64_t *shape, int32_t rank);

/*
 * A tensor with memory of its own: `front` bytes, exactly the reach of the elements, `back` bytes. Pass it only by
 * pointer, because `view` points into it.
 */
typedef struct test_tensor {
    strew_tensor view;
    int64_t shape[STREW_MAX_RANK];
    int64_t strides[STREW_MAX_RANK];
    unsigned char *memory;
    size_t size;
} test_tensor;

/* strides may be NULL for a contiguous tensor. Every byte of the memory is 0xa5. */
void tensor_create(test_tensor *tensor, strew_dtype dtype, int32_t rank, const int64_t *shape,
                   const int64_t *strides, size_t front, size_t back);
void tensor_clone(test_tensor *copy, const test_tensor *original);
void tensor_destroy(test_tensor *tensor);

/* Whether the memory of a tensor and its clone is the same, byte for byte, around and between elements too. */
bool tensor_same_memory(const test_tensor *tensor, const test_tensor *clone);

/* Whether all bytes that belong to no element are the same in a tensor and its clone. */
bool tensor_same_padding(const test_tensor *tensor, const test_tensor *clone);

#endif
