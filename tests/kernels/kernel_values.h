/* The elements that kernels are tested with. */
#ifndef STREW_TESTS_KERNEL_VALUES_H
#define STREW_TESTS_KERNEL_VALUES_H

#include "random.h"

/* The most values that values_special gives, and the most bytes that those take. */
enum { VALUES_MOST = 256, VALUES_MOST_BYTES = VALUES_MOST * 16 };

/*
 * The special values of a dtype: every value of one byte; the integers next to powers of two; the real numbers
 * whose exponent and mantissa are at an end of their range or in its middle, which includes both zeros, subnormals,
 * the least and the greatest numbers, neighbours of one, infinities, and NaN of both kinds; pairs of such reals.
 * Returns how many there are.
 */
size_t values_special(strew_dtype dtype, char values[VALUES_MOST_BYTES]);

/*
 * The values to combine each update with: all values of a dtype of two bytes, and the special ones of any other.
 * Returns how many there are.
 */
size_t values_of_data(strew_dtype dtype, char *values);

/* Elements to draw from, because making one takes longer than combining it. */
typedef struct value_pool {
    size_t element;
    size_t count;
    char values[1 << 13];
} value_pool;

void value_pool_of_ordinary(value_pool *pool, random_source *random, strew_dtype dtype);
void value_pool_of_special(value_pool *pool, random_source *random, strew_dtype dtype);

/* Fills `bytes`, whole elements, from the pool. */
void value_pool_draw(const value_pool *pool, random_source *random, char *target, size_t bytes);

#endif
