/* ONNX Runtime's threads as strew's. */
#ifndef STREW_ONNXRUNTIME_THREADS_H
#define STREW_ONNXRUNTIME_THREADS_H

#include <onnxruntime_c_api.h>
#include <stdatomic.h>
#include <strew/strew.h>

/*
 * How many threads a session's pool has, which the runtime tells nobody: found by asking it to run tasks that wait
 * for each other. Threads that sleep or are held up are missed, so it is asked again, ever more rarely: in the
 * first, second, fourth, eighth call and so on, of those that have enough to do. Zeroed before the first. A result
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

/* The pool of a call that touches so many bytes, as strew borrows it: *pool must live as long as it is used. */
strew_parallel strew_ort_parallel(strew_ort_threads *threads, const strew_ort_pool *pool, size_t bytes);

#endif
