/*
 * The tests' own threads: one strew_parallel that runs tasks one after the other, and two with real threads, all in
 * shuffled order.
 */
#ifndef STREW_TESTS_PARALLEL_H
#define STREW_TESTS_PARALLEL_H

#include "random.h"

/* `order` must outlive the result. */
strew_parallel parallel_shuffled(size_t threads, random_source *order);
strew_parallel parallel_threads(size_t threads);
/* All threads have stacks of 64 KiB, if the system and the compiler let calls run on so little. */
strew_parallel parallel_small_threads(size_t threads);

#endif
