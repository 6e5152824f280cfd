/*
 * XLA promises only that a scheduled task runs some day: the pool may have one thread, and that may be the
 * caller's. So the caller works too until every index is claimed, and then waits only for indices that others have
 * claimed. A task that starts later finds no index, and reads only the job, to which it holds a reference.
 */
#include "threads.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sched.h>
#endif

typedef struct job {
    atomic_size_t references;
    atomic_size_t claimed;
    atomic_size_t finished;
    size_t count;
    strew_task task;
    void *context; /* the caller's: read it only after claiming an index */
} job;

static void release(job *work)
{
    if (atomic_fetch_sub_explicit(&work->references, 1, memory_order_acq_rel) == 1)
        free(work);
}

static void take_part(job *work)
{
    for (;;) {
        size_t index = atomic_fetch_add_explicit(&work->claimed, 1, memory_order_relaxed);
        if (index >= work->count)
            return;
        work->task(work->context, index);
        atomic_fetch_add_explicit(&work->finished, 1, memory_order_release);
    }
}

static void help(void *data)
{
    job *work = data;
    take_part(work);
    release(work);
}

static void yield(void)
{
#ifdef _WIN32
    SwitchToThread();
#else
    sched_yield();
#endif
}

static void await(job *work)
{
    while (atomic_load_explicit(&work->finished, memory_order_acquire) < work->count)
        yield();
}

/* Schedules one helper; false if the pool refuses. */
static bool schedule(XLA_FFI_CallFrame *frame, job *work)
{
    XLA_FFI_ThreadPool_Schedule_Args args = {XLA_FFI_ThreadPool_Schedule_Args_STRUCT_SIZE, NULL, frame->ctx, help,
                                             work};
    atomic_fetch_add_explicit(&work->references, 1, memory_order_relaxed);
    XLA_FFI_Error *error = frame->api->XLA_FFI_ThreadPool_Schedule(&args);
    if (error == NULL)
        return true;
    XLA_FFI_Error_Destroy_Args destroy = {XLA_FFI_Error_Destroy_Args_STRUCT_SIZE, NULL, error};
    frame->api->XLA_FFI_Error_Destroy(&destroy);
    release(work);
    return false;
}

static size_t pool_size(XLA_FFI_CallFrame *frame)
{
    int64_t threads = 1;
    XLA_FFI_ThreadPool_NumThreads_Args args = {XLA_FFI_ThreadPool_NumThreads_Args_STRUCT_SIZE, NULL, frame->ctx,
                                               &threads};
    XLA_FFI_Error *error = frame->api->XLA_FFI_ThreadPool_NumThreads(&args);
    if (error == NULL)
        return threads > 1 ? (size_t)threads : 1;
    XLA_FFI_Error_Destroy_Args destroy = {XLA_FFI_Error_Destroy_Args_STRUCT_SIZE, NULL, error};
    frame->api->XLA_FFI_Error_Destroy(&destroy);
    return 1;
}

static void run_alone(strew_task task, void *context, size_t count)
{
    for (size_t index = 0; index < count; index++)
        task(context, index);
}

static void run(void *pool, strew_task task, void *context, size_t count)
{
    XLA_FFI_CallFrame *frame = pool;
    job *work = count > 1 ? malloc(sizeof *work) : NULL;
    if (work == NULL) {
        run_alone(task, context, count);
        return;
    }
    atomic_init(&work->references, 1);
    atomic_init(&work->claimed, 0);
    atomic_init(&work->finished, 0);
    work->count = count;
    work->task = task;
    work->context = context;

    size_t threads = pool_size(frame);
    size_t helpers = (count < threads ? count : threads) - 1;
    while (helpers > 0 && schedule(frame, work))
        helpers--;
    take_part(work);
    await(work);
    release(work);
}

strew_parallel strew_jax_threads(XLA_FFI_CallFrame *frame)
{
    strew_parallel parallel = {run, frame, pool_size(frame)};
    return parallel;
}
