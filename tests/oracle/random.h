/*
 * Seeded randomness for the tests: the same seed gives the same numbers on every machine.
 */
#ifndef STREW_TESTS_RANDOM_H
#define STREW_TESTS_RANDOM_H

#include "tensor.h"

typedef struct random_source {
    uint64_t state;
} random_source;

uint64_t random_bits(random_source *source);
int64_t random_between(random_source *source, int64_t low, int64_t high); /* both included */
size_t random_below(random_source *source, size_t limit);                 /* limit not included */
bool random_chance(random_source *source, int percent);

/* The numbers below count, in a random order. */
void random_order(random_source *source, size_t count, int64_t *order);

/* STREW_TEST_SEED from the environment, or the seed that all runs without it share. */
uint64_t random_seed(void);

/* Dimensions of at least 1 whose product is at most `budget`; now and then one of them is 0 instead. */
void random_shape(random_source *source, int32_t rank, int64_t budget, int64_t *shape);

typedef enum random_layout {
    LAYOUT_PLAIN,  /* dense, and aligned as its allocation is */
    LAYOUT_OUTPUT, /* dense, padded, transposed or backwards, but never two elements in one place */
    LAYOUT_INPUT   /* any strides at all */
} random_layout;

/* A tensor of random values in a random layout, at a random alignment, in an allocation that fits exactly. */
void random_tensor(random_source *source, test_tensor *tensor, strew_dtype dtype, int32_t rank,
                   const int64_t *shape, random_layout layout);

/* One element: mostly ordinary numbers, and every special value of its dtype. */
void random_element(random_source *source, strew_dtype dtype, void *element);

#endif
