/* Makes ONNX Runtime's threads usable by strew. */
#ifndef STREW_ONNXRUNTIME_THREADS_H
#define STREW_ONNXRUNTIME_THREADS_H

#include <onnxruntime_c_api.h>
#include <stdatomic.h>
#include <strew/strew.h>

/*
 * The number of threads in a session's pool, which the runtime does not report. Scatters, whose work depends on it,
 * find it by tasks that wait for each other. These miss threads that sleep or are delayed, so the search is
 * repeated, ever more rarely: in the first, second, fourth, eighth large scatter and so on. Gathers are cut into
 * parts of some size, for any number of threads. Zero it before the first call. Results never depend on it.
 */
typedef struct strew_ort_threads {
    atomic_size_t most;  /* the most seen at once */
    atomic_size_t calls; /* that had enough to do */
} strew_ort_threads;

/* The threads of one call, a strew_parallel's pool. */
typedef struct strew_ort_pool {
    const OrtApi *api;
    const OrtKernelContext *context;
} strew_ort_pool;

/* The work of a call: the bytes that it goes over, the indices that it resolves, and whether it scatters. */
typedef struct strew_ort_work {
    size_t bytes, indices;
    bool scatters;
} strew_ort_work;

/* The pool of a call with so much work, for strew: *pool must live as long as the result is used. */
strew_parallel strew_ort_parallel(strew_ort_threads *threads, const strew_ort_pool *pool,
                                  const strew_ort_work *work);

#endif
