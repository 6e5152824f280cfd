/* Threads, and a clock around many runs. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "shim.h"

#include <strew/pthreadpool.h>
#include <time.h>

strew_parallel strew_peers_start_threads(size_t threads)
{
    return strew_parallel_from_pthreadpool(threads > 1 ? pthreadpool_create(threads) : NULL);
}

void strew_peers_stop_threads(const strew_parallel *parallel)
{
    pthreadpool_destroy(parallel->pool);
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

strew_status strew_peers_time_runs(const strew_plan *plan, const strew_buffers *buffers, size_t repetitions,
                                   uint64_t *nanoseconds, const strew_run_options *options)
{
    strew_status status = STREW_STATUS_OK;
    const uint64_t begin = now();
    for (size_t i = 0; i < repetitions && status == STREW_STATUS_OK; i++)
        status = strew_plan_run(plan, buffers, options);
    *nanoseconds = now() - begin;
    return status;
}
