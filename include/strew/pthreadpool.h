/**
 * @file
 * Runs strew on a pthreadpool (https://github.com/Maratyszcza/pthreadpool). Header only, for callers that have
 * pthreadpool.
 *
 *     strew_parallel parallel = strew_parallel_from_pthreadpool(pool);
 *     strew_options options = STREW_OPTIONS_INIT;
 *     options.parallel = &parallel;
 */
#ifndef STREW_PTHREADPOOL_H
#define STREW_PTHREADPOOL_H

#include <pthreadpool.h>
#include <strew/strew.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup strew_pthreadpool pthreadpool
 * Lets strew use the threads of a pthreadpool.
 * @{
 */

/** Runs the tasks on the pool: the `run` of such a strew_parallel. */
static inline void strew_pthreadpool_run(void *pool, strew_task task, void *context, size_t count)
{
    pthreadpool_parallelize_1d((pthreadpool_t)pool, task, context, count, 0);
}

/**
 * Returns a strew_parallel for the threads of a pool. A pool of NULL has one thread: pthreadpool then uses the
 * calling thread alone.
 */
static inline strew_parallel strew_parallel_from_pthreadpool(pthreadpool_t pool)
{
    strew_parallel parallel;
    parallel.run = strew_pthreadpool_run;
    parallel.pool = pool;
    parallel.threads = pthreadpool_get_threads_count(pool);
    return parallel;
}

/** @} */

#ifdef __cplusplus
}
#endif

#endif
