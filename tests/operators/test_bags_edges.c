/* Bags at the edges of what is done at once: tiles of entries, rows that are kept between them, counters of means.
 */
#include "call.h"
#include "parallel.h"
#include "test.h"

enum { MANY = 1000, TILE = 512 };

/* Halves are kept in float32 from tile to tile, and written where the last entry that counts is, not the last of
 * all. */
static void a_row_ends_where_all_that_follows_is_left_out(void **state)
{
    (void)state;
    static int32_t rows[MANY], offsets[1] = {0};
    static const int64_t table_shape[] = {1, 3}, list[] = {MANY}, one[] = {1};
    uint16_t data[] = {0x3c00, 0x3c00, 0x4000}, output[3] = {0}; /* 1, 1, 2 */
    static const uint16_t expected[] = {0x6000, 0x6000, 0x6400}; /* 512, 512, 1024 */
    for (int i = 0; i < MANY; i++)
        rows[i] = i < TILE ? 0 : 1;
    const strew_tensor table = {data, STREW_DTYPE_FLOAT16, 2, table_shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT32, 1, list, NULL};
    const strew_tensor begins = {offsets, STREW_DTYPE_INT32, 1, one, NULL};
    const strew_tensor sums = {output, STREW_DTYPE_FLOAT16, 2, table_shape, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    assert_int_equal(
        strew_embedding_bag_offsets(&table, &indices, &begins, NULL, STREW_REDUCTION_SUM, -1, &sums, &options),
        STREW_STATUS_OK);
    assert_memory_equal(output, expected, sizeof expected);
}

/* A bag that a tile ends within, of which all that is in the next tile is left out, is not what the next bag adds
 * to. */
static void a_bag_starts_after_one_whose_end_is_left_out(void **state)
{
    (void)state;
    enum { BAGS = 172, EACH = 3, LEFT_OUT = 170 };
    static int64_t rows[BAGS][EACH];
    static float output[BAGS];
    static const int64_t table_shape[] = {1, 1}, list[] = {BAGS, EACH}, sum_shape[] = {BAGS, 1};
    float data[] = {1};
    rows[LEFT_OUT][TILE - LEFT_OUT * EACH] = 1;
    for (int b = 0; b < BAGS; b++)
        output[b] = 100;
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 2, list, NULL};
    const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sum_shape, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    assert_int_equal(strew_embedding_bag_packed(&table, &indices, NULL, STREW_REDUCTION_SUM, &sums, &options),
                     STREW_STATUS_OK);
    for (int b = 0; b < BAGS; b++)
        assert_true(output[b] == (b == LEFT_OUT ? 2 : EACH));
}

/* In each of the ways of summing: of 32 and of 64 bits, and of a dtype that is not pooled. */
static void negative_indices_count_from_the_end(void **state)
{
    (void)state;
    static const int64_t table_shape[] = {4, 1}, list[] = {3}, one[] = {1}, sum_shape[] = {1, 1};
    const struct {
        strew_dtype dtype;
        const void *rows;
    } lists[] = {
        {STREW_DTYPE_INT32, (const int32_t[]){-1, 0, -4}},
        {STREW_DTYPE_INT64, (const int64_t[]){-1, 0, -4}},
        {STREW_DTYPE_INT16, (const int16_t[]){-1, 0, -4}},
    };
    for (size_t l = 0; l < COUNT(lists); l++) {
        float data[] = {1, 2, 3, 4}, output[] = {0};
        int64_t offsets[] = {0};
        const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
        const strew_tensor indices = {(void *)(uintptr_t)lists[l].rows, lists[l].dtype, 1, list, NULL};
        const strew_tensor begins = {offsets, STREW_DTYPE_INT64, 1, one, NULL};
        const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sum_shape, NULL};
        const strew_options options = call_options();
        assert_int_equal(
            strew_embedding_bag_offsets(&table, &indices, &begins, NULL, STREW_REDUCTION_SUM, -1, &sums, &options),
            STREW_STATUS_OK);
        assert_true(output[0] == 6);
    }
}

/* A segment without entries, which has nothing to be divided by, between two that have. */
static void a_mean_after_an_empty_segment_is_that_of_its_rows(void **state)
{
    (void)state;
    static const int64_t rows_shape[] = {4, 1}, list[] = {4}, means_shape[] = {3, 1};
    float data[] = {1, 3, 10, 20}, output[] = {7, 7, 7};
    int32_t ids[] = {0, 0, 2, 2};
    const strew_tensor rows = {data, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
    const strew_tensor segments = {ids, STREW_DTYPE_INT32, 1, list, NULL};
    int32_t all[] = {0, 1, 2, 3};
    const strew_tensor indices = {all, STREW_DTYPE_INT32, 1, list, NULL};
    const strew_tensor means = {output, STREW_DTYPE_FLOAT32, 2, means_shape, NULL};
    const strew_options options = call_options();
    assert_int_equal(
        strew_segment_reduce(&rows, &segments, STREW_REDUCTION_MEAN, STREW_EMPTY_ZERO, &means, &options),
        STREW_STATUS_OK);
    assert_true(output[0] == 2 && output[1] == 0 && output[2] == 15);
    memset(output, 0, sizeof output);
    assert_int_equal(
        strew_embedding_segments(&rows, &indices, &segments, NULL, STREW_REDUCTION_MEAN, -1, &means, &options),
        STREW_STATUS_OK);
    assert_true(output[0] == 2 && output[1] == 0 && output[2] == 15);
}

/* What is left out may only come last, wherever among the entries that are looked at together it stands. */
static void nothing_comes_after_segments_that_are_left_out(void **state)
{
    (void)state;
    static const int64_t rows_shape[] = {MANY, 1}, list[] = {MANY}, sums_shape[] = {2, 1};
    static float data[MANY];
    static int32_t ids[MANY];
    static const int places[] = {1, 100, TILE - 1, TILE, MANY - 2};
    for (size_t p = 0; p < COUNT(places); p++) {
        float output[2];
        strew_error error;
        for (int i = 0; i < MANY; i++)
            ids[i] = i == places[p] ? 5 : 1;
        const strew_tensor rows = {data, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
        const strew_tensor segments = {ids, STREW_DTYPE_INT32, 1, list, NULL};
        const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
        strew_options options = call_options();
        options.bounds = STREW_BOUNDS_SKIP;
        options.error = &error;
        assert_int_equal(
            strew_segment_reduce(&rows, &segments, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &sums, &options),
            STREW_STATUS_INVALID_ARGUMENT);
        assert_int_equal(error.position[0], places[p] + 1);
    }
}

/* Wherever among the entries that are looked at together they do. */
static void segments_may_not_fall(void **state)
{
    (void)state;
    static const int64_t rows_shape[] = {MANY, 1}, list[] = {MANY}, sums_shape[] = {2, 1};
    static float data[MANY];
    static int32_t ids[MANY];
    static const int places[] = {1, 100, TILE - 1, TILE, MANY - 1};
    for (size_t p = 0; p < COUNT(places); p++) {
        float output[2];
        strew_error error;
        for (int i = 0; i < MANY; i++)
            ids[i] = i < places[p];
        const strew_tensor rows = {data, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
        const strew_tensor segments = {ids, STREW_DTYPE_INT32, 1, list, NULL};
        const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
        strew_options options = call_options();
        options.error = &error;
        assert_int_equal(
            strew_segment_reduce(&rows, &segments, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &sums, &options),
            STREW_STATUS_INVALID_ARGUMENT);
        assert_int_equal(error.position[0], places[p]);
    }
}

/* However many are left out before the first row: a thread that begins among them begins with that row. */
static void rows_are_shared_after_what_is_left_out(void **state)
{
    (void)state;
    enum { SEGMENTS = 20, OF_EACH = 100, LONGEST = 8000, COLUMNS = 4, THREADS = 3 };
    static const int64_t sums_shape[] = {SEGMENTS, COLUMNS};
    random_source order = {random_seed()};
    const strew_parallel parallel = parallel_shuffled(THREADS, &order);
    static float data[(LONGEST + SEGMENTS * OF_EACH) * COLUMNS];
    static int32_t ids[LONGEST + SEGMENTS * OF_EACH];
    for (size_t i = 0; i < COUNT(data); i++)
        data[i] = 1;
    for (int left_out = 0; left_out <= LONGEST; left_out += LONGEST / 8) {
        float output[SEGMENTS * COLUMNS] = {0};
        const int64_t count = left_out + SEGMENTS * OF_EACH, rows_shape[] = {count, COLUMNS};
        for (int i = 0; i < count; i++)
            ids[i] = i < left_out ? -1 : (i - left_out) / OF_EACH;
        const strew_tensor rows = {data, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
        const strew_tensor segments = {ids, STREW_DTYPE_INT32, 1, rows_shape, NULL};
        const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
        strew_options options = call_options();
        options.bounds = STREW_BOUNDS_SKIP;
        options.parallel = &parallel;
        assert_int_equal(
            strew_segment_reduce(&rows, &segments, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &sums, &options),
            STREW_STATUS_OK);
        for (size_t i = 0; i < COUNT(output); i++)
            assert_true(output[i] == OF_EACH);
    }
}

/* An id beyond the signed range is no negative one. */
static void unsigned_segments_are_compared_unsigned(void **state)
{
    (void)state;
    static const int64_t rows_shape[] = {3, 1}, list[] = {3}, sums_shape[] = {2, 1};
    float data[3] = {0}, output[2];
    uint64_t ids[] = {0, UINT64_MAX, 1};
    strew_error error;
    const strew_tensor rows = {data, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
    const strew_tensor segments = {ids, STREW_DTYPE_UINT64, 1, list, NULL};
    const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    options.error = &error;
    assert_int_equal(strew_segment_reduce(&rows, &segments, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &sums, &options),
                     STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(error.position[0], 2);
    assert_true(error.value == 1 && error.value_is_unsigned);
}

/* An update whose source or whose target is left out goes nowhere, and those between are in their places. */
static void updates_without_a_target_are_left_out(void **state)
{
    (void)state;
    static const int64_t table_shape[] = {3, 2}, rows_shape[] = {2, 2}, list[] = {6};
    float table[] = {100, 200, 300, 400, 500, 600}, rows[] = {1, 2, 3, 4}, factors[] = {1, 10, 1, 1, 1, 2};
    int64_t sources[] = {0, 1, 2, 0, 1, -1};
    int32_t targets[] = {2, 7, 0, 0, -9, 0};
    static const float expected[] = {107, 210, 300, 400, 501, 602};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor updates = {rows, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
    const strew_tensor indices = {sources, STREW_DTYPE_INT64, 1, list, NULL};
    const strew_tensor into = {targets, STREW_DTYPE_INT32, 1, list, NULL};
    const strew_tensor weights = {factors, STREW_DTYPE_FLOAT32, 1, list, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    assert_int_equal(strew_gather_scatter(&data, &updates, &indices, &into, &weights, STREW_REDUCTION_SUM, true,
                                          &data, &options),
                     STREW_STATUS_OK);
    assert_memory_equal(table, expected, sizeof expected);
}

/* What only bags have is refused by a plan that has none. */
static void others_take_neither_segments_nor_weights(void **state)
{
    (void)state;
    static const int64_t one[] = {1}, tuple[] = {1, 1};
    float data[] = {1}, output[] = {0}, weight[] = {1};
    int64_t index[] = {0};
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 1, one, NULL};
    const strew_tensor indices = {index, STREW_DTYPE_INT64, 2, tuple, NULL};
    const strew_tensor found = {output, STREW_DTYPE_FLOAT32, 1, one, NULL};
    strew_plan plan;
    strew_error error;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = &error;
    assert_int_equal(strew_plan_gather_nd(&plan, &table, &indices, 0, &found, NULL), STREW_STATUS_OK);
    strew_buffers buffers = {.data = data, .indices = index, .output = output, .segments = index};
    assert_int_equal(strew_plan_run(&plan, &buffers, &options), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(error.operand, STREW_OPERAND_SEGMENT_IDS);
    buffers.segments = NULL;
    buffers.weights = weight;
    assert_int_equal(strew_plan_run(&plan, &buffers, &options), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(error.operand, STREW_OPERAND_WEIGHTS);
    assert_true(output[0] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_ends_where_all_that_follows_is_left_out),
        cmocka_unit_test(a_bag_starts_after_one_whose_end_is_left_out),
        cmocka_unit_test(negative_indices_count_from_the_end),
        cmocka_unit_test(a_mean_after_an_empty_segment_is_that_of_its_rows),
        cmocka_unit_test(nothing_comes_after_segments_that_are_left_out),
        cmocka_unit_test(segments_may_not_fall),
        cmocka_unit_test(rows_are_shared_after_what_is_left_out),
        cmocka_unit_test(unsigned_segments_are_compared_unsigned),
        cmocka_unit_test(updates_without_a_target_are_left_out),
        cmocka_unit_test(others_take_neither_segments_nor_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
