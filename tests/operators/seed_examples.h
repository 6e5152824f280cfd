/*
 * The worked examples of the published documents, as data. If a document contradicts itself, the example follows
 * its own rule, and a comment shows the printed result.
 */
#ifndef STREW_TESTS_SEED_EXAMPLES_H
#define STREW_TESTS_SEED_EXAMPLES_H

#include <strew/operators.h>

enum { EXAMPLE_MAX_RANK = 4, EXAMPLE_MAX_COUNT = 64 };

typedef struct example_tensor {
    int32_t rank;
    int64_t shape[EXAMPLE_MAX_RANK];
    double values[EXAMPLE_MAX_COUNT];
} example_tensor;

typedef struct seed_example {
    const char *operator_name;
    const char *title;
    strew_attributes attributes;
    example_tensor data, indices, updates, output; /* updates of rank 0 for a gather */
} seed_example;

extern const seed_example seed_examples[];
extern const size_t seed_example_count;

#endif
