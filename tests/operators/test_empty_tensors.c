/* Tensors without elements: calls step along nothing, count nothing, and wake no thread for them. */
#include "call.h"
#include "parallel.h"
#include "test.h"

/* More threads than a loop over them could finish. */
#define MANY_THREADS ((size_t)(SIZE_MAX > UINT32_MAX ? UINT64_C(1) << 32 : UINT32_MAX / 2))

/* ---- Strides ------------------------------------------------------------------------------------- */

static strew_status run_on(const operator_call *call, size_t threads, strew_bounds bounds, strew_error *error)
{
    random_source order = {threads};
    const strew_parallel parallel = parallel_shuffled(threads, &order);
    strew_options options = call_options();
    options.parallel = &parallel;
    options.bounds = bounds;
    options.error = error;
    return call_operator(call, &options);
}

/* Two tuples of no coordinates, which lie as far apart as is allowed. */
static void empty_indices_are_not_stepped_along(void **state)
{
    (void)state;
    static const int64_t one[] = {1}, two_by_one[] = {2, 1}, none[] = {2, 0};
    static const int64_t strides[] = {-(PTRDIFF_MAX / 4) - 1, 1};
    for (size_t threads = 1; threads <= 3; threads++) {
        int8_t value = 7, found[2] = {0, 0};
        int16_t nowhere;
        const strew_tensor data = {&value, STREW_DTYPE_INT8, 1, one, NULL};
        const strew_tensor indices = {&nowhere, STREW_DTYPE_INT16, 2, none, strides};
        const strew_tensor output = {found, STREW_DTYPE_INT8, 2, two_by_one, NULL};
        const operator_call call = {
            .kind = STREW_KIND_GATHER_ND, .data = &data, .indices = &indices, .output = &output};
        assert_int_equal(run_on(&call, threads, STREW_BOUNDS_REFUSE, NULL), STREW_STATUS_OK);
        assert_true(found[0] == 7 && found[1] == 7);
    }
}

/* For each length of tuples; enough tuples that threads share them. */
static void empty_outputs_are_not_stepped_along(void **state)
{
    (void)state;
    enum { TUPLES = 5000 };
    static const int64_t shape[] = {2, 0, 4}, strides[] = {-(PTRDIFF_MAX / 2) - 1, 2, 2};
    static int8_t tuples[TUPLES * 3];
    static const int64_t updates_shapes[][4] = {{TUPLES, 2, 0, 4}, {TUPLES, 0, 4}, {TUPLES, 4}, {TUPLES}};
    static int8_t updates_of_four[TUPLES * 4];
    for (int32_t k = 0; k <= 3; k++) {
        for (size_t i = 0; i < sizeof tuples; i++)
            tuples[i] = k > 0 && i % (size_t)k == 0 && i % 2 == 0; /* far from the beginning of output */
        for (size_t threads = 1; threads <= 3; threads++)
            for (strew_bounds bounds = 0; bounds < STREW_BOUNDS_COUNT; bounds++) {
                int8_t nowhere;
                strew_error error;
                const int64_t indices_shape[] = {TUPLES, k};
                const strew_tensor data = {NULL, STREW_DTYPE_INT8, 3, shape, NULL};
                const strew_tensor indices = {tuples, STREW_DTYPE_INT8, 2, indices_shape, NULL};
                const strew_tensor updates = {updates_of_four, STREW_DTYPE_INT8, 4 - k, updates_shapes[k], NULL};
                const strew_tensor output = {&nowhere, STREW_DTYPE_INT8, 3, shape, strides};
                const operator_call call = {.kind = STREW_KIND_SCATTER_ND,
                                            .data = &data,
                                            .indices = &indices,
                                            .updates = &updates,
                                            .output = &output};
                const strew_status status = run_on(&call, threads, bounds, &error);
                const bool names_empty = k >= 2 && bounds != STREW_BOUNDS_SKIP;
                assert_int_equal(status, names_empty ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK);
                if (names_empty)
                    assert_true(error.dimension == 1 && error.position[0] == 0 && error.position[1] == 1);
            }
    }
}

/* Its possible begins, including the end, are one more than the most positions that can be counted. */
static void a_window_of_no_length_begins_anywhere_in_the_longest_cache(void **state)
{
    (void)state;
    static const int64_t shape[] = {1, PTRDIFF_MAX}, batches[] = {1}, none[] = {1, 0};
    static const int64_t begins[] = {0, 1, PTRDIFF_MAX - 1, -1};
    struct {
        int64_t begin;
        int8_t update, cache; /* which reaches over all memory behind it */
    } memory = {0, 1, 7};
    const strew_tensor data = {&memory.cache, STREW_DTYPE_INT8, 2, shape, NULL};
    const strew_tensor indices = {&memory.begin, STREW_DTYPE_INT64, 1, batches, NULL};
    const strew_tensor updates = {&memory.update, STREW_DTYPE_INT8, 2, none, NULL};
    const operator_call call = {.kind = STREW_KIND_TENSOR_SCATTER,
                                .data = &data,
                                .indices = &indices,
                                .updates = &updates,
                                .output = &data,
                                .axis = 1};
    for (size_t b = 0; b < COUNT(begins); b++) {
        memory.begin = begins[b];
        assert_int_equal(run_on(&call, 1, STREW_BOUNDS_REFUSE, NULL),
                         begins[b] < 0 ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK);
        assert_int_equal(memory.cache, 7);
    }
}

/* ---- Work ---------------------------------------------------------------------------------------- */

/* A pool that remembers how often it was asked, and for how many tasks the last time, and does a few of them. */
typedef struct asked_pool {
    size_t times, last;
} asked_pool;

static void ask(void *pool, strew_task task, void *context, size_t count)
{
    enum { A_FEW = 64 };
    asked_pool *asked = pool;
    asked->times++;
    asked->last = count;
    for (size_t i = 0; i < count && i < A_FEW; i++)
        task(context, i);
}

typedef struct mean_without_work {
    strew_kind kind;
    int64_t shape[2], indices_shape[2], axis;
    bool names_empty; /* so that only SKIP accepts it */
} mean_without_work;

static const mean_without_work means_without_work[] = {
    {STREW_KIND_SCATTER_ELEMENTS, {2, 0}, {2, 3}, 1, true},
    {STREW_KIND_SCATTER_ELEMENTS, {0, 2}, {3, 2}, 0, true},
    {STREW_KIND_SCATTER_ELEMENTS, {3, 2}, {0, 2}, 0, false},
    {STREW_KIND_SCATTER_ELEMENTS, {INT64_C(1) << 33, 0}, {INT64_C(1) << 33, 1}, 1, true},
    {STREW_KIND_SCATTER, {3, 0}, {4, 1}, 0, false},
    {STREW_KIND_SCATTER, {0, 3}, {4, 1}, 0, true},
    {STREW_KIND_SCATTER, {INT64_C(1) << 33, 0}, {4, 1}, 1, true},
};

/* All indices are one 0, all updates one number. */
static strew_status run_mean(const mean_without_work *mean, strew_bounds bounds, asked_pool *pool,
                             strew_error *error)
{
    static const int64_t nowhere[3] = {0, 0, 0};
    static int64_t index = 0;
    static float update = 1, numbers[6] = {1, 2, 3, 4, 5, 6};
    const bool along = mean->kind == STREW_KIND_SCATTER;
    int64_t updates_shape[3] = {mean->indices_shape[0], mean->indices_shape[1], mean->shape[1]};
    if (along && mean->axis == 1) {
        updates_shape[0] = mean->shape[0];
        updates_shape[1] = mean->indices_shape[0];
        updates_shape[2] = mean->indices_shape[1];
    }
    const strew_tensor data = {numbers, STREW_DTYPE_FLOAT32, 2, mean->shape, NULL};
    const strew_tensor indices = {&index, STREW_DTYPE_INT64, 2, mean->indices_shape, nowhere};
    const strew_tensor updates = {&update, STREW_DTYPE_FLOAT32, along ? 3 : 2, updates_shape, nowhere};
    const operator_call call = {.kind = mean->kind,
                                .data = &data,
                                .indices = &indices,
                                .updates = &updates,
                                .output = &data,
                                .axis = mean->axis,
                                .reduction = STREW_REDUCTION_MEAN,
                                .use_init_val = true};
    const strew_parallel parallel = {ask, pool, MANY_THREADS};
    strew_options options = call_options();
    strew_plan plan;
    options.bounds = bounds;
    options.parallel = &parallel;
    options.error = error;
    const strew_plan_options planning = call_plan_options(&options);
    assert_int_equal(call_plan(&call, &plan, &planning), STREW_STATUS_OK);
    assert_int_equal(strew_plan_least_scratch_size(&plan, MANY_THREADS), 0);
    assert_int_equal(strew_plan_scratch_size(&plan, MANY_THREADS), 0);
    return call_operator(&call, &options);
}

static void a_mean_without_work_needs_neither_scratch_nor_threads(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(means_without_work); m++)
        for (strew_bounds bounds = 0; bounds < STREW_BOUNDS_COUNT; bounds++) {
            const mean_without_work *mean = &means_without_work[m];
            if (SIZE_MAX == UINT32_MAX && (mean->shape[0] > INT32_MAX || mean->shape[1] > INT32_MAX))
                continue; /* more than can be counted */
            asked_pool pool = {0};
            strew_error error;
            const strew_status status = run_mean(mean, bounds, &pool, &error);
            const bool refused = mean->names_empty && bounds != STREW_BOUNDS_SKIP;
            assert_int_equal(status, refused ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK);
            assert_int_equal(pool.times, 0);
            if (refused)
                assert_true(error.dimension == mean->axis && error.lower == 0 && error.upper == -1);
        }
}

/* A partitioned scatter writes updates to buckets, then applies the buckets, which are few. */
static void no_more_tasks_are_asked_for_than_there_are_buckets(void **state)
{
    (void)state;
    enum { ROWS = 70000, TARGETS = 200, LEAST_BUCKET_BYTES = 64 };
    static int32_t rows[ROWS];
    static float updates[ROWS], data[TARGETS];
    static const int64_t shape[] = {TARGETS}, list[] = {ROWS};
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (int32_t)(i * 7919 % TARGETS);
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 1, shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT32, 1, list, NULL};
    const strew_tensor added = {updates, STREW_DTYPE_FLOAT32, 1, list, NULL};
    const operator_call call = {.kind = STREW_KIND_SCATTER_ELEMENTS,
                                .data = &table,
                                .indices = &indices,
                                .updates = &added,
                                .output = &table,
                                .reduction = STREW_REDUCTION_MEAN,
                                .use_init_val = true};
    for (size_t threads = 3; threads <= 60; threads++) {
        asked_pool pool = {0, 0};
        const strew_parallel parallel = {ask, &pool, threads};
        strew_options options = call_options();
        options.parallel = &parallel;
        assert_int_equal(call_run(&call, BY_ONE_CALL, FULL_SCRATCH, &options), STREW_STATUS_OK);
        assert_true(pool.times > 0);
        assert_true(pool.times == 1 || pool.last <= sizeof data / LEAST_BUCKET_BYTES + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_indices_are_not_stepped_along),
        cmocka_unit_test(empty_outputs_are_not_stepped_along),
        cmocka_unit_test(a_window_of_no_length_begins_anywhere_in_the_longest_cache),
        cmocka_unit_test(a_mean_without_work_needs_neither_scratch_nor_threads),
        cmocka_unit_test(no_more_tasks_are_asked_for_than_there_are_buckets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
