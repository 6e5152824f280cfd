/* Data of a scatter that is a constant of one value, such as a ConstantOfShape of known dimensions. */
#ifndef STREW_ONNXRUNTIME_FILL_H
#define STREW_ONNXRUNTIME_FILL_H

#include <stddef.h>
#include <strew/strew.h>

/* The value; zeroed: none. */
typedef struct strew_ort_fill {
    unsigned char value[16];
    size_t size; /* of the value */
} strew_ort_fill;

/* The common value, bit for bit, of all elements of a contiguous tensor; none if they differ, or if it is empty. */
strew_ort_fill strew_ort_fill_of(const strew_tensor *tensor, size_t bytes);

/* Writes it to so many bytes, among the caller's threads. */
void strew_ort_fill_write(const strew_ort_fill *fill, void *output, size_t bytes, const strew_parallel *parallel);

#endif
