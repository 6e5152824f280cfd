/*
 * The tests' own threads: one strew_parallel that runs the tasks one after the other, and two with real threads,
 * all in a shuffled order.
 */
#ifndef STREW_TESTS_PARALLEL_H
#define STREW_TESTS_PARALLEL_H

#include "random.h"

/* `order` lives as long as what is made from it. */
strew_parallel parallel_shuffled(size_t threads, random_source *order);
strew_parallel parallel_threads(size_t threads);
/* All of whose stacks have 64 KiB, where the system and the compiler let calls run on so little. */
strew_parallel parallel_small_threads(size_t threads);

#endif
