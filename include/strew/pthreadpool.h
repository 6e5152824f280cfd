/**
 * @file
 * strew on a pthreadpool (https://github.com/Maratyszcza/pthreadpool): header only, for callers that have it.
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
 * The threads of a pthreadpool for strew.
 * @{
 */

/** The function of such a strew_parallel: runs the tasks on the pool. */
static inline void strew_pthreadpool_run(void *pool, strew_task task, void *context, size_t count)
{
    pthreadpool_parallelize_1d((pthreadpool_t)pool, task, context, count, 0);
}

/** The threads of a pool. A pool of NULL, which pthreadpool takes for the calling thread alone, has one thread here
 * too. */
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
