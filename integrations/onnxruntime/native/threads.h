/* ONNX Runtime's threads as strew's. */
#ifndef STREW_ONNXRUNTIME_THREADS_H
#define STREW_ONNXRUNTIME_THREADS_H

#include <onnxruntime_c_api.h>
#include <stdatomic.h>
#include <strew/strew.h>

/*
 * How many threads a session's pool has, which the runtime tells nobody. Scatters, whose work depends on it, find
 * it by tasks that wait for each other. Threads that sleep or are held up are missed, so it is looked for again,
 * ever more rarely: in the first, second, fourth, eighth scatter and so on, of those that have enough to do.
 * Gathers are cut into parts of some size, for however many threads there are. Zeroed before the first. A result
 * never depends on it.
 */
typedef struct strew_ort_threads {
    atomic_size_t most;  /* of those that were seen at once */
    atomic_size_t calls; /* that had enough to do */
} strew_ort_threads;

/* The threads of one call, a strew_parallel's pool. */
typedef struct strew_ort_pool {
    const OrtApi *api;
    const OrtKernelContext *context;
} strew_ort_pool;

/* What a call has to do: the bytes that it goes over, how many indices it resolves, and whether it scatters. */
typedef struct strew_ort_work {
    size_t bytes, indices;
    bool scatters;
} strew_ort_work;

/* The pool of a call with so much work, as strew borrows it: *pool must live as long as it is used. */
strew_parallel strew_ort_parallel(strew_ort_threads *threads, const strew_ort_pool *pool,
                                  const strew_ort_work *work);

#endif
