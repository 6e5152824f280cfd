/* Calls as Python describes them, and a clock around many runs. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "shim.h"

#include <stdlib.h>
#include <strew/pthreadpool.h>
#include <string.h>
#include <time.h>

enum { DATA, INDICES, GATHERED, UPDATES = GATHERED, SCATTERED, MOST_TENSORS };

struct strew_peers_call {
    strew_tensor tensors[MOST_TENSORS];
    int64_t shapes[MOST_TENSORS][STREW_MAX_RANK];
    int64_t strides[MOST_TENSORS][STREW_MAX_RANK];
    size_t count;
    strew_plan plan;
    strew_buffers buffers;
    void *scratch;
    size_t scratch_size;
    size_t threads;
    strew_error error;
};

strew_peers_call *strew_peers_make_call(void)
{
    return calloc(1, sizeof(strew_peers_call));
}

void strew_peers_free_call(strew_peers_call *call)
{
    free(call->scratch);
    free(call);
}

bool strew_peers_add_tensor(strew_peers_call *call, void *elements, const char *dtype, int32_t rank,
                            const int64_t *shape, const int64_t *strides)
{
    if (call->count == MOST_TENSORS || rank < 0 || rank > STREW_MAX_RANK)
        return false;
    int64_t *own_shape = call->shapes[call->count];
    int64_t *own_strides = call->strides[call->count];
    for (int32_t dim = 0; dim < rank; dim++) {
        own_shape[dim] = shape[dim];
        own_strides[dim] = strides[dim];
    }
    call->tensors[call->count++] = (strew_tensor){elements, strew_dtype_find(dtype), rank, own_shape, own_strides};
    return true;
}

static strew_status plan_gather(strew_peers_call *call, bool takes_tuples, int64_t axis, int64_t batch_dims,
                                const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    call->buffers = (strew_buffers){
        .data = t[DATA].data, .indices = t[INDICES].data, .updates = NULL, .output = t[GATHERED].data};
    if (takes_tuples)
        return strew_plan_gather_nd(&call->plan, &t[DATA], &t[INDICES], batch_dims, &t[GATHERED], options);
    return strew_plan_gather_elements(&call->plan, &t[DATA], &t[INDICES], axis, &t[GATHERED], options);
}

static strew_status plan_scatter(strew_peers_call *call, bool takes_tuples, int64_t axis, strew_reduction reduction,
                                 const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    call->buffers = (strew_buffers){
        .data = t[DATA].data, .indices = t[INDICES].data, .updates = t[UPDATES].data, .output = t[SCATTERED].data};
    if (takes_tuples)
        return strew_plan_scatter_nd(&call->plan, &t[DATA], &t[INDICES], &t[UPDATES], reduction, &t[SCATTERED],
                                     options);
    return strew_plan_scatter_elements(&call->plan, &t[DATA], &t[INDICES], &t[UPDATES], axis, reduction, true,
                                       &t[SCATTERED], options);
}

strew_status strew_peers_plan(strew_peers_call *call, const char *operator_name, const char *reduction,
                              int64_t axis, int64_t batch_dims, size_t threads)
{
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = call->threads = threads;
    options.error = &call->error;
    const bool takes_tuples = strstr(operator_name, "_nd") != NULL;
    if (strncmp(operator_name, "gather", strlen("gather")) == 0)
        return plan_gather(call, takes_tuples, axis, batch_dims, &options);
    strew_reduction found = -1; /* which strew refuses */
    strew_reduction_find(reduction, &found);
    return plan_scatter(call, takes_tuples, axis, found, &options);
}

size_t strew_peers_give_scratch(strew_peers_call *call)
{
    const size_t size = strew_plan_scratch_size(&call->plan, call->threads);
    call->scratch = size > 0 ? malloc(size) : NULL;
    if (call->scratch == NULL)
        return 0;
    memset(call->scratch, 1, size); /* its pages are there before it is timed */
    return call->scratch_size = size;
}

static strew_status run_calls(strew_peers_call *const *calls, size_t count, const strew_parallel *parallel)
{
    for (size_t i = 0; i < count; i++) {
        strew_peers_call *call = calls[i];
        const strew_run_options options = {.struct_size = sizeof options,
                                           .parallel = parallel,
                                           .scratch = call->scratch,
                                           .scratch_size = call->scratch_size,
                                           .error = &call->error};
        const strew_status status = strew_plan_run(&call->plan, &call->buffers, &options);
        if (status != STREW_STATUS_OK)
            return status;
    }
    return STREW_STATUS_OK;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

strew_status strew_peers_time(strew_peers_call *const *calls, size_t count, size_t threads, bool warm_up,
                              size_t repetitions, uint64_t *nanoseconds)
{
    const pthreadpool_t pool = threads > 1 ? pthreadpool_create(threads) : NULL;
    const strew_parallel parallel = strew_parallel_from_pthreadpool(pool);
    strew_status status = warm_up ? run_calls(calls, count, &parallel) : STREW_STATUS_OK;
    const uint64_t begin = now();
    for (size_t i = 0; i < repetitions && status == STREW_STATUS_OK; i++)
        status = run_calls(calls, count, &parallel);
    *nanoseconds = now() - begin;
    pthreadpool_destroy(pool);
    return status;
}

size_t strew_peers_message(const strew_peers_call *call, char *buffer, size_t size)
{
    return strew_error_message(&call->error, buffer, size);
}
