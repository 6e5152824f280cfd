/* Calls described by Python, and a clock around many runs. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "call_parts.h"

#include <oracle.h>
#include <stdlib.h>
#include <strew/pthreadpool.h>
#include <string.h>
#include <time.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const tensor_names[TENSORS] = {"data", "indices", "updates", "output", "segments", "weights"};
static const char *const attribute_names[ATTRIBUTES] = {"axis", "batch_dims", "begin", "end"};

strew_peers_call *strew_peers_make_call(void)
{
    return calloc(1, sizeof(strew_peers_call));
}

void strew_peers_free_call(strew_peers_call *call)
{
    strew_peers_free_session(call->session);
    free(call->inspection);
    free(call->scratch);
    free(call);
}

/* Its place, or `count` if it is not there. */
static size_t find(const char *const *names, size_t count, const char *name)
{
    size_t place = 0;
    while (place < count && strcmp(names[place], name) != 0)
        place++;
    return place;
}

bool strew_peers_set_tensor(strew_peers_call *call, const char *name, void *elements, const char *dtype,
                            int32_t rank, const int64_t *shape, const int64_t *strides)
{
    const size_t place = find(tensor_names, TENSORS, name);
    if (place == TENSORS || rank < 0 || rank > STREW_MAX_RANK)
        return false;
    int64_t *own_shape = call->shapes[place];
    int64_t *own_strides = call->strides[place];
    for (int32_t dim = 0; dim < rank; dim++) {
        own_shape[dim] = shape[dim];
        own_strides[dim] = strides[dim];
    }
    call->tensors[place] = (strew_tensor){elements, strew_dtype_find(dtype), rank, own_shape, own_strides};
    return true;
}

bool strew_peers_set_attribute(strew_peers_call *call, const char *name, int64_t value)
{
    const size_t place = find(attribute_names, ATTRIBUTES, name);
    if (place == ATTRIBUTES)
        return false;
    call->attributes[place] = value;
    return true;
}

static strew_status plan_gather(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_gather(&call->plan, &t[DATA], &t[INDICES], call->attributes[AXIS],
                             call->attributes[BATCH_DIMS], &t[OUTPUT], options);
}

static strew_status plan_gather_nd(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_gather_nd(&call->plan, &t[DATA], &t[INDICES], call->attributes[BATCH_DIMS], &t[OUTPUT],
                                options);
}

static strew_status plan_gather_elements(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_gather_elements(&call->plan, &t[DATA], &t[INDICES], call->attributes[AXIS], &t[OUTPUT],
                                      options);
}

static strew_status plan_scatter(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_scatter(&call->plan, &t[DATA], &t[INDICES], &t[UPDATES], call->attributes[AXIS],
                              call->attributes[BATCH_DIMS], call->reduction, true, &t[OUTPUT], options);
}

static strew_status plan_scatter_nd(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_scatter_nd(&call->plan, &t[DATA], &t[INDICES], &t[UPDATES], call->reduction, &t[OUTPUT],
                                 options);
}

static strew_status plan_scatter_elements(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_scatter_elements(&call->plan, &t[DATA], &t[INDICES], &t[UPDATES], call->attributes[AXIS],
                                       call->reduction, true, &t[OUTPUT], options);
}

static strew_status plan_tensor_scatter(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_tensor_scatter(&call->plan, &t[DATA], &t[INDICES], &t[UPDATES], call->attributes[AXIS], false,
                                     &t[OUTPUT], options);
}

static strew_status plan_slice_scatter(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    const int64_t *attributes = call->attributes;
    const strew_slice slice = {1, 0, &attributes[BEGIN], &attributes[END], (const int64_t[]){1}, &attributes[AXIS]};
    return strew_plan_slice_scatter(&call->plan, &t[DATA], &t[UPDATES], &slice, &t[OUTPUT], options);
}

/* NULL if there are none. */
static const strew_tensor *weights_of(const strew_peers_call *call)
{
    return call->tensors[WEIGHTS].data ? &call->tensors[WEIGHTS] : NULL;
}

static strew_status plan_embedding_bag_offsets(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_embedding_bag_offsets(&call->plan, &t[DATA], &t[INDICES], &t[SEGMENTS], weights_of(call),
                                            call->reduction, -1, &t[OUTPUT], options);
}

static strew_status plan_embedding_bag_packed(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_embedding_bag_packed(&call->plan, &t[DATA], &t[INDICES], weights_of(call), call->reduction,
                                           &t[OUTPUT], options);
}

static strew_status plan_embedding_segments(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_embedding_segments(&call->plan, &t[DATA], &t[INDICES], &t[SEGMENTS], weights_of(call),
                                         call->reduction, -1, &t[OUTPUT], options);
}

static strew_status plan_segment_reduce(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_segment_reduce(&call->plan, &t[DATA], &t[SEGMENTS], call->reduction, STREW_EMPTY_ZERO,
                                     &t[OUTPUT], options);
}

static strew_status plan_gather_scatter(strew_peers_call *call, const strew_plan_options *options)
{
    const strew_tensor *t = call->tensors;
    return strew_plan_gather_scatter(&call->plan, &t[DATA], &t[UPDATES], &t[INDICES], &t[SEGMENTS],
                                     weights_of(call), call->reduction, true, &t[OUTPUT], options);
}

static const struct {
    const char *name;
    strew_kind kind;
    strew_status (*plan)(strew_peers_call *call, const strew_plan_options *options);
} operators[] = {
    {"gather", STREW_KIND_GATHER, plan_gather},
    {"gather_nd", STREW_KIND_GATHER_ND, plan_gather_nd},
    {"gather_elements", STREW_KIND_GATHER_ELEMENTS, plan_gather_elements},
    {"scatter", STREW_KIND_SCATTER, plan_scatter},
    {"scatter_nd", STREW_KIND_SCATTER_ND, plan_scatter_nd},
    {"scatter_elements", STREW_KIND_SCATTER_ELEMENTS, plan_scatter_elements},
    {"tensor_scatter", STREW_KIND_TENSOR_SCATTER, plan_tensor_scatter},
    {"slice_scatter", STREW_KIND_SLICE_SCATTER, plan_slice_scatter},
    {"embedding_bag_offsets", STREW_KIND_EMBEDDING_BAG_OFFSETS, plan_embedding_bag_offsets},
    {"embedding_bag_packed", STREW_KIND_EMBEDDING_BAG_PACKED, plan_embedding_bag_packed},
    {"embedding_segments", STREW_KIND_EMBEDDING_SEGMENTS, plan_embedding_segments},
    {"segment_reduce", STREW_KIND_SEGMENT_REDUCE, plan_segment_reduce},
    {"gather_scatter", STREW_KIND_GATHER_SCATTER, plan_gather_scatter},
};

bool strew_peers_describe(strew_peers_call *call, const char *operator_name, const char *reduction,
                          const char *bounds)
{
    size_t place = 0;
    while (place < COUNT(operators) && strcmp(operators[place].name, operator_name) != 0)
        place++;
    if (place == COUNT(operators))
        return false;
    call->operator_place = place;
    call->kind = operators[place].kind;
    return strew_reduction_find(reduction, &call->reduction) && strew_bounds_find(bounds, &call->bounds);
}

strew_status strew_peers_plan(strew_peers_call *call, size_t threads)
{
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.threads = call->threads = threads;
    options.error = &call->error;
    options.bounds = call->bounds;
    call->run = strew_peers_run_strew;
    return operators[call->operator_place].plan(call, &options);
}

bool strew_peers_expect(strew_peers_call *call)
{
    const strew_tensor *t = call->tensors;
    const strew_slice slice = {
        1, 0, &call->attributes[BEGIN], &call->attributes[END], (const int64_t[]){1}, &call->attributes[AXIS]};
    const bool has_slice = call->kind == STREW_KIND_SLICE_SCATTER;
    const operator_call expected = {.kind = call->kind,
                                    .data = &t[DATA],
                                    .indices = t[INDICES].data ? &t[INDICES] : NULL,
                                    .updates = t[UPDATES].data ? &t[UPDATES] : NULL,
                                    .output = &t[OUTPUT],
                                    .batch_dims = call->attributes[BATCH_DIMS],
                                    .axis = call->attributes[AXIS],
                                    .reduction = call->reduction,
                                    .use_init_val = true,
                                    .slice = has_slice ? &slice : NULL,
                                    .segments = t[SEGMENTS].data ? &t[SEGMENTS] : NULL,
                                    .weights = weights_of(call),
                                    .default_index = -1,
                                    .bounds = call->bounds};
    return oracle_run(&expected, &call->error);
}

size_t strew_peers_give_scratch(strew_peers_call *call)
{
    const size_t size = strew_plan_scratch_size(&call->plan, call->threads);
    call->scratch = size > 0 ? malloc(size) : NULL;
    if (call->scratch == NULL)
        return 0;
    memset(call->scratch, 1, size); /* maps its pages before it is timed */
    return call->scratch_size = size;
}

/* An inspection replaces the indices, and segments that are numbers. */
static strew_buffers buffers_of(const strew_peers_call *call)
{
    const strew_tensor *t = call->tensors;
    const bool by_number = call->kind == STREW_KIND_EMBEDDING_SEGMENTS || call->kind == STREW_KIND_SEGMENT_REDUCE ||
                           call->kind == STREW_KIND_GATHER_SCATTER;
    const bool stands_for_segments = call->inspection && by_number;
    return (strew_buffers){t[DATA].data,   call->inspection ? call->inspection : t[INDICES].data, t[UPDATES].data,
                           t[OUTPUT].data, stands_for_segments ? NULL : t[SEGMENTS].data,         t[WEIGHTS].data};
}

strew_status strew_peers_inspect(strew_peers_call *call)
{
    const strew_buffers buffers = buffers_of(call);
    const strew_run_options options = {.struct_size = sizeof options, .error = &call->error};
    const size_t size = strew_plan_inspection_size(&call->plan);
    void *storage = malloc(size);
    strew_plan inspected;
    const strew_status status =
        strew_plan_inspect(&inspected, &call->plan, &buffers, storage, storage ? size : 0, &options);
    call->plan = inspected;
    call->inspection = storage;
    return status;
}

strew_status strew_peers_run_strew(strew_peers_call *call, const strew_parallel *parallel)
{
    const strew_buffers buffers = buffers_of(call);
    const strew_run_options options = {.struct_size = sizeof options,
                                       .parallel = parallel,
                                       .scratch = call->scratch,
                                       .scratch_size = call->scratch_size,
                                       .error = &call->error};
    return strew_plan_run(&call->plan, &buffers, &options);
}

static strew_status run_calls(strew_peers_call *const *calls, size_t count, const strew_parallel *parallel)
{
    strew_status status = STREW_STATUS_OK;
    for (size_t i = 0; i < count && status == STREW_STATUS_OK; i++)
        status = calls[i]->run(calls[i], parallel);
    return status;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* The pool stays the same from turn to turn, like a runtime's: a new thread may spend most of a turn on the CPU
 * of its creator. */
static pthreadpool_t pool_of(size_t threads)
{
    static pthreadpool_t pool;
    if (threads == 1)
        return NULL;
    if (pool && pthreadpool_get_threads_count(pool) != threads) {
        pthreadpool_destroy(pool);
        pool = NULL;
    }
    if (!pool)
        pool = pthreadpool_create(threads);
    return pool;
}

strew_status strew_peers_time(strew_peers_call *const *calls, size_t count, size_t threads, bool warm_up,
                              size_t repetitions, uint64_t *nanoseconds)
{
    const strew_parallel parallel = strew_parallel_from_pthreadpool(pool_of(threads));
    strew_status status = warm_up ? run_calls(calls, count, &parallel) : STREW_STATUS_OK;
    const uint64_t begin = now();
    for (size_t i = 0; i < repetitions && status == STREW_STATUS_OK; i++)
        status = run_calls(calls, count, &parallel);
    *nanoseconds = now() - begin;
    return status;
}

size_t strew_peers_message(const strew_peers_call *call, char *buffer, size_t size)
{
    return strew_error_message(&call->error, buffer, size);
}
