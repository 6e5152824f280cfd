/*
 * The tests' own threads: one strew_parallel that runs the tasks one after the other in a shuffled order, and
 * one with real threads.
 */
#ifndef STREW_TESTS_PARALLEL_H
#define STREW_TESTS_PARALLEL_H

#include "random.h"

/* Lives as long as the strew_parallel made from it. */
typedef struct test_pool {
    random_source order;
    size_t threads;
} test_pool;

strew_parallel parallel_shuffled(test_pool *pool);
strew_parallel parallel_threads(test_pool *pool);

#endif
