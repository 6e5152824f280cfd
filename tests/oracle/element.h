/*
 * Elements as the oracle computes with them: slow, obvious, and sharing nothing with the library but the
 * names in strew.h. Elements need no alignment.
 */
#ifndef STREW_TESTS_ELEMENT_H
#define STREW_TESTS_ELEMENT_H

#include <strew/strew.h>

/* Bytes of an element; opaque ones included. */
size_t element_size(strew_dtype dtype);

/* The layout of a binary floating-point number, from its lowest bit up: mantissa, exponent, sign. */
typedef struct float_format {
    int mantissa_bits;
    int exponent_bits;
} float_format;

/* The layout of a real or of one part of a complex number; no bits for other dtypes. */
float_format element_float_format(strew_dtype dtype);

bool element_is_integer(strew_dtype dtype);
bool element_is_signed(strew_dtype dtype);
bool element_is_complex(strew_dtype dtype);

/* The least and the greatest value of an integer dtype, widened to 64 bits. */
uint64_t element_least(strew_dtype dtype);
uint64_t element_greatest(strew_dtype dtype);

/* An integer, widened to 64 bits by its sign or by zeros; narrowed again by cutting the upper bits off. */
uint64_t element_load_integer(strew_dtype dtype, const void *element);
void element_store_integer(strew_dtype dtype, uint64_t value, void *element);

/* Stores a number of any dtype but string and opaque, rounded to nearest even; integers must hold it. */
void element_store(strew_dtype dtype, double value, void *element);

/* A real number, exactly. */
double element_load(strew_dtype dtype, const void *element);

/* Whether the header promises this reduction for this dtype. */
bool element_reduces(strew_dtype dtype, strew_reduction reduction);

/* target = target (reduction) update; for mean this is the sum that it divides. */
void element_combine(strew_dtype dtype, strew_reduction reduction, void *target, const void *update);

/* target = the initial value of a reduction if the element of data takes no part. */
void element_identity(strew_dtype dtype, strew_reduction reduction, void *target);

/* target = target / count, toward minus infinity for integers. */
void element_divide(strew_dtype dtype, void *target, int64_t count);

/* Whether two elements are the same bits, or NaN both (part by part for complex numbers). */
bool element_same(strew_dtype dtype, const void *left, const void *right);

#endif
