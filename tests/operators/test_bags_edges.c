/* Bags at the edges of blocks: tiles of entries, rows that are kept between them, counters of means. */
#include "call.h"
#include "element.h"
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

/* A tile ends within a bag, and the bag's entries in the next tile are all left out: the next bag must not add
 * to it. */
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

/* In each way of summing: with indices of 32 and of 64 bits, and for a dtype that is not pooled. */
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

/* A segment without entries, and so without a divisor, between two others. */
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

/* Left-out entries may only come last, wherever they are in a block of entries. */
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

/* Checks every place in a block of entries. */
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

enum { SEGMENTS = 20, OF_EACH = 100, MOST_LEFT_OUT = 8000, COLUMNS = 4, THREADS_OF_SEGMENTS = 3 };

/* So many entries are left out before the first row, or after the last. */
static void check_rows_beside(int left_out, bool before, const strew_parallel *parallel)
{
    static const int64_t sums_shape[] = {SEGMENTS, COLUMNS};
    static float data[(MOST_LEFT_OUT + SEGMENTS * OF_EACH) * COLUMNS];
    static int32_t ids[MOST_LEFT_OUT + SEGMENTS * OF_EACH];
    float output[SEGMENTS * COLUMNS] = {0};
    const int64_t count = left_out + SEGMENTS * OF_EACH, rows_shape[] = {count, COLUMNS};
    for (size_t i = 0; i < COUNT(data); i++)
        data[i] = 1;
    for (int i = 0; i < count; i++) {
        const int entry = before ? i - left_out : i;
        ids[i] = entry < 0 ? -1 : entry < SEGMENTS * OF_EACH ? entry / OF_EACH : SEGMENTS;
    }
    const strew_tensor rows = {data, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
    const strew_tensor segments = {ids, STREW_DTYPE_INT32, 1, rows_shape, NULL};
    const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    options.parallel = parallel;
    assert_int_equal(strew_segment_reduce(&rows, &segments, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &sums, &options),
                     STREW_STATUS_OK);
    for (size_t i = 0; i < COUNT(output); i++)
        assert_true(output[i] == OF_EACH);
}

/* A thread that would begin among those left out begins with the first row, or after the last. */
static void rows_are_shared_beside_what_is_left_out(void **state)
{
    (void)state;
    random_source order = {random_seed()};
    const strew_parallel parallel = parallel_shuffled(THREADS_OF_SEGMENTS, &order);
    for (int left_out = 0; left_out <= MOST_LEFT_OUT; left_out += MOST_LEFT_OUT / 8) {
        check_rows_beside(left_out, true, &parallel);
        check_rows_beside(left_out, false, &parallel);
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
    ids[2] = UINT64_MAX;
    options.bounds = STREW_BOUNDS_STOP;
    data[0] = 3;
    output[0] = output[1] = 7;
    assert_int_equal(strew_segment_reduce(&rows, &segments, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &sums, &options),
                     STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_true(output[0] == 3 && output[1] == 0);
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

/* The same if one row is named repeatedly. */
static void updates_without_a_target_are_left_out_of_runs(void **state)
{
    (void)state;
    enum { RUN = 40, WRONG_ONE = 25 };
    static const int64_t table_shape[] = {3, 1}, rows_shape[] = {1, 1}, list[] = {RUN};
    static const int32_t sources[RUN] = {0};
    float table[] = {100, 200, 300}, rows[] = {1};
    int32_t targets[RUN];
    for (int i = 0; i < RUN; i++)
        targets[i] = i == WRONG_ONE ? 9 : 2;
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor updates = {rows, STREW_DTYPE_FLOAT32, 2, rows_shape, NULL};
    const strew_tensor indices = {(void *)(uintptr_t)sources, STREW_DTYPE_INT32, 1, list, NULL};
    const strew_tensor into = {targets, STREW_DTYPE_INT32, 1, list, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    assert_int_equal(
        strew_gather_scatter(&data, &updates, &indices, &into, NULL, STREW_REDUCTION_SUM, true, &data, &options),
        STREW_STATUS_OK);
    assert_true(table[0] == 100 && table[1] == 200 && table[2] == 300 + RUN - 1);
}

/* ---- Calls that stop ----------------------------------------------------------------------------- */

enum { LISTED = 6, SUMS = 4, UNTOUCHED = 77 };

/* Rows 1, 10, 100 and so on: a sum shows which rows it includes. */
typedef struct stopped_call {
    strew_kind kind;
    int64_t indices[LISTED], segments[LISTED]; /* as many offsets as sums */
    strew_status status;
    strew_operand operand;
    int64_t place;
    int32_t sums[SUMS];
} stopped_call;

#define OUTSIDE STREW_STATUS_INDEX_OUT_OF_BOUNDS
#define OFFSETS STREW_KIND_EMBEDDING_BAG_OFFSETS
#define NUMBERS STREW_KIND_EMBEDDING_SEGMENTS
#define IN_ORDER STREW_KIND_SEGMENT_REDUCE
#define EDGES STREW_KIND_GATHER_SCATTER
#define INDEX STREW_OPERAND_INDICES
#define TARGET STREW_OPERAND_TARGETS
#define ID STREW_OPERAND_SEGMENT_IDS

static const stopped_call stopped_calls[] = {
    /* bags that end before the bad index, some of them empty */
    {OFFSETS, {0, 1, 2, 9, 4, 9}, {0, 2, 2, 3}, OUTSIDE, INDEX, 3, {11, 0, 100, 77}},
    {OFFSETS, {0, 1, 9, 3, 4, 5}, {0, 2, 2, 3}, OUTSIDE, INDEX, 2, {11, 0, 77, 77}},
    {OFFSETS, {0, 1, 2, 3, 4, 9}, {0, 2, 2, 3}, OUTSIDE, INDEX, 5, {11, 0, 100, 77}},
    {OFFSETS, {9, 1, 2, 3, 4, 5}, {0, 0, 0, 3}, OUTSIDE, INDEX, 0, {0, 0, 77, 77}},
    {OFFSETS, {9, 1, 2, 3, 4, 5}, {1, 1, 2, 3}, OUTSIDE, INDEX, 0, {77, 77, 77, 77}},
    {OFFSETS,
     {0, 1, 2, 9, 4, 5},
     {0, 2, 5, 3},
     STREW_STATUS_INVALID_ARGUMENT,
     STREW_OPERAND_OFFSETS,
     3,
     {77, 77, 77, 77}},
    /* segments before that of the bad index */
    {NUMBERS, {0, 1, 2, 9, 4, 5}, {0, 0, 2, 2, 3, 3}, OUTSIDE, INDEX, 3, {11, 0, 77, 77}},
    {NUMBERS, {0, 1, 2, 3, 9, 5}, {0, 0, 0, 0, 3, 9}, OUTSIDE, INDEX, 4, {1111, 0, 0, 77}},
    {NUMBERS, {9, 1, 2, 3, 4, 5}, {1, 1, 2, 2, 3, 3}, OUTSIDE, INDEX, 0, {0, 77, 77, 77}},
    {NUMBERS, {0, 1, 2, 3, 9, 5}, {0, 0, 2, 4, 4, 4}, OUTSIDE, ID, 3, {11, 0, 100, 0}},
    {NUMBERS, {0, 1, 2, 9, 4, 5}, {0, 0, 2, 4, 4, 4}, OUTSIDE, INDEX, 3, {11, 0, 100, 0}},
    {NUMBERS, {9, 1, 2, 3, 4, 5}, {-1, 0, 0, 0, 1, 1}, OUTSIDE, INDEX, 0, {77, 77, 77, 77}},
    {NUMBERS, {0, 9, 2, 3, 4, 5}, {-1, 0, 0, 0, 1, 1}, OUTSIDE, ID, 0, {77, 77, 77, 77}},
    {IN_ORDER, {0}, {0, 0, 2, 4, 5, 6}, OUTSIDE, ID, 3, {11, 0, 100, 0}},
    {IN_ORDER, {0}, {4, 4, 5, 5, 5, 6}, OUTSIDE, ID, 0, {0, 0, 0, 0}},
    /* edges before the bad index, for any target */
    {EDGES, {0, 1, 2, 9, 4, 5}, {3, 0, 3, 0, 9, 1}, OUTSIDE, INDEX, 3, {15, 5, 5, 106}},
    {EDGES, {0, 1, 2, 3, 9, 5}, {3, 0, 3, 0, -5, 1}, OUTSIDE, INDEX, 4, {1015, 5, 5, 106}},
    {EDGES, {0, 1, 2, 3, 4, 9}, {3, 0, 4, 0, 0, 1}, OUTSIDE, TARGET, 2, {15, 5, 5, 6}},
    {EDGES, {0, 1, 2, 3, 4, 9}, {0, 0, 1, 1, -5, 1}, OUTSIDE, TARGET, 4, {16, 1105, 5, 5}},
    {EDGES, {9, 1, 2, 3, 4, 5}, {0, 0, 1, 1, 9, 1}, OUTSIDE, INDEX, 0, {5, 5, 5, 5}},
};

/* Edges add to rows of 5. */
typedef struct stopped_way {
    const strew_parallel *parallel;
    char *scratch;
    size_t scratch_size;
    bool in_place;
    strew_bounds bounds;
} stopped_way;

static strew_status run_stopped(const stopped_call *self, const stopped_way *way, int32_t *output,
                                strew_error *error)
{
    static const int64_t list[] = {LISTED}, rows_shape[] = {LISTED, 1}, sums_shape[] = {SUMS, 1};
    const int64_t segments_shape[] = {self->kind == OFFSETS ? SUMS : LISTED};
    int32_t powers[LISTED] = {1, 10, 100, 1000, 10000, 100000}, fives[SUMS] = {5, 5, 5, 5};
    const strew_tensor rows = {powers, STREW_DTYPE_INT32, 2, rows_shape, NULL};
    const strew_tensor sums = {output, STREW_DTYPE_INT32, 2, sums_shape, NULL};
    const strew_tensor other = {fives, STREW_DTYPE_INT32, 2, sums_shape, NULL};
    const strew_tensor indices = {(void *)(uintptr_t)self->indices, STREW_DTYPE_INT64, 1, list, NULL};
    const strew_tensor segments = {(void *)(uintptr_t)self->segments, STREW_DTYPE_INT64, 1, segments_shape, NULL};
    strew_options options = call_options();
    options.bounds = way->bounds;
    options.parallel = way->parallel;
    options.scratch = way->scratch;
    options.scratch_size = way->scratch_size;
    options.error = error;
    for (int i = 0; i < SUMS; i++)
        output[i] = way->in_place ? 5 : UNTOUCHED;
    switch (self->kind) {
    case OFFSETS:
        return strew_embedding_bag_offsets(&rows, &indices, &segments, NULL, STREW_REDUCTION_SUM, -1, &sums,
                                           &options);
    case NUMBERS:
        return strew_embedding_segments(&rows, &indices, &segments, NULL, STREW_REDUCTION_SUM, -1, &sums, &options);
    case IN_ORDER:
        return strew_segment_reduce(&rows, &segments, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &sums, &options);
    default:
        return strew_gather_scatter(way->in_place ? &sums : &other, &rows, &indices, &segments, NULL,
                                    STREW_REDUCTION_SUM, true, &sums, &options);
    }
}

static void check_stopped(const stopped_call *self, const stopped_way *way)
{
    int32_t output[SUMS];
    strew_error error = {.status = STREW_STATUS_OK};
    if (run_stopped(self, way, output, &error) != self->status || error.operand != self->operand ||
        error.position[0] != self->place)
        fail_msg("case %d: %s at %d", (int)(self - stopped_calls), strew_status_name(error.status),
                 (int)error.position[0]);
    for (int i = 0; i < SUMS && way->bounds == STREW_BOUNDS_STOP; i++)
        if (output[i] != self->sums[i])
            fail_msg("case %d: row %d is %d", (int)(self - stopped_calls), i, (int)output[i]);
}

static void the_first_bad_index_of_both_lists_is_named_and_what_comes_before_done(void **state)
{
    (void)state;
    static char scratch[1024];
    random_source order = {random_seed()};
    const strew_parallel three = parallel_shuffled(3, &order), real = parallel_threads(3);
    const strew_parallel *const pools[] = {NULL, &three, &real};
    for (size_t c = 0; c < COUNT(stopped_calls); c++)
        for (size_t p = 0; p < COUNT(pools); p++)
            for (int in_place = 0; in_place <= (stopped_calls[c].kind == EDGES); in_place++)
                for (size_t size = 0; size <= sizeof scratch; size += sizeof scratch)
                    for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds <= STREW_BOUNDS_STOP; bounds++)
                        check_stopped(&stopped_calls[c],
                                      &(stopped_way){pools[p], size > 0 ? scratch : NULL, size, in_place, bounds});
}

/* Bags before the bad index are written, even if the table has no row for any. */
static void bags_of_nothing_from_an_empty_table_are_there(void **state)
{
    (void)state;
    static const int64_t table_shape[] = {0, 1}, list[] = {1}, bags[] = {2}, sums_shape[] = {2, 1};
    float output[] = {UNTOUCHED, UNTOUCHED};
    int64_t index[] = {0}, offsets[] = {0, 0};
    const strew_tensor table = {NULL, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {index, STREW_DTYPE_INT64, 1, list, NULL};
    const strew_tensor begins = {offsets, STREW_DTYPE_INT64, 1, bags, NULL};
    const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_STOP;
    assert_int_equal(
        strew_embedding_bag_offsets(&table, &indices, &begins, NULL, STREW_REDUCTION_SUM, -1, &sums, &options),
        STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_true(output[0] == 0 && output[1] == UNTOUCHED);
}

/* No index names a row of an empty table, and CLAMP and WRAP do not help. */
static void rows_of_an_empty_table_are_refused(void **state)
{
    (void)state;
    static const int64_t table_shape[] = {0, 1}, list[] = {1}, sums_shape[] = {1, 1};
    static const strew_bounds refusing[] = {STREW_BOUNDS_REFUSE, STREW_BOUNDS_STOP, STREW_BOUNDS_CLAMP,
                                            STREW_BOUNDS_WRAP};
    for (size_t b = 0; b < COUNT(refusing); b++)
        for (int64_t value = -1; value <= 1; value++) {
            float output[] = {UNTOUCHED};
            int64_t index[] = {value}, target[] = {0};
            const strew_tensor table = {NULL, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
            const strew_tensor indices = {index, STREW_DTYPE_INT64, 1, list, NULL};
            const strew_tensor targets = {target, STREW_DTYPE_INT64, 1, list, NULL};
            const strew_tensor sums = {output, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
            strew_options options = call_options();
            options.bounds = refusing[b];
            assert_int_equal(strew_gather_scatter(&sums, &table, &indices, &targets, NULL, STREW_REDUCTION_SUM,
                                                  true, &sums, &options),
                             STREW_STATUS_INDEX_OUT_OF_BOUNDS);
            assert_true(output[0] == UNTOUCHED);
        }
}

/* Rows without columns are neither read nor written, but their indices are checked. */
static void indices_of_rows_without_columns_are_checked(void **state)
{
    (void)state;
    static const int64_t table_shape[] = {2, 0}, list[] = {3}, bags[] = {2};
    for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds <= STREW_BOUNDS_STOP; bounds++) {
        int64_t index[] = {1, 0, 2}, offsets[] = {0, 1};
        const strew_tensor table = {NULL, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
        const strew_tensor indices = {index, STREW_DTYPE_INT64, 1, list, NULL};
        const strew_tensor begins = {offsets, STREW_DTYPE_INT64, 1, bags, NULL};
        const strew_tensor sums = {NULL, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
        strew_options options = call_options();
        strew_error error = {.status = STREW_STATUS_OK};
        options.bounds = bounds;
        options.error = &error;
        assert_int_equal(
            strew_embedding_bag_offsets(&table, &indices, &begins, NULL, STREW_REDUCTION_SUM, -1, &sums, &options),
            STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        assert_int_equal(error.operand, STREW_OPERAND_INDICES);
        assert_int_equal(error.position[0], 2);
        index[2] = 1;
        assert_int_equal(
            strew_embedding_bag_offsets(&table, &indices, &begins, NULL, STREW_REDUCTION_SUM, -1, &sums, &options),
            STREW_STATUS_OK);
    }
}

/* Plans of other operators refuse the tensors of bags. */
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

/* Numbers that are sorted as far as each thread sees, but fall from one thread's to the next one's. */
static void lists_may_fall_between_what_threads_look_at(void **state)
{
    (void)state;
    enum { ENTRIES = 60000, ROWS = 100, THREADS = 3, PART = ENTRIES / THREADS };
    static int64_t rows[ENTRIES], numbers[ENTRIES];
    static const int64_t table_shape[] = {ROWS, 1}, list[] = {ENTRIES};
    static float data[ROWS], sums[ROWS], expected[ROWS];
    const strew_parallel threads = parallel_threads(THREADS);
    strew_options options = call_options();
    for (int64_t i = 0; i < ENTRIES; i++) {
        rows[i] = i * 7 % ROWS;
        numbers[i] = i % PART * ROWS / PART / 2 + (i < PART ? ROWS / 2 : 0);
    }
    for (int64_t r = 0; r < ROWS; r++)
        data[r] = (float)(r % 13) / 7;
    for (int64_t i = 0; i < ENTRIES; i++)
        expected[numbers[i]] += data[rows[i]];
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 1, list, NULL};
    const strew_tensor targets = {numbers, STREW_DTYPE_INT64, 1, list, NULL};
    const strew_tensor output = {sums, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    options.parallel = &threads;
    const operator_call edges = {.kind = STREW_KIND_GATHER_SCATTER,
                                 .data = &output,
                                 .updates = &table,
                                 .indices = &indices,
                                 .segments = &targets,
                                 .output = &output,
                                 .reduction = STREW_REDUCTION_SUM,
                                 .use_init_val = true};
    assert_int_equal(call_operator(&edges, &options), STREW_STATUS_OK);
    assert_memory_equal(sums, expected, sizeof sums);
    assert_int_equal(
        strew_embedding_segments(&table, &indices, &targets, NULL, STREW_REDUCTION_SUM, -1, &output, &options),
        STREW_STATUS_INVALID_ARGUMENT);
}

/* ---- Long runs ----------------------------------------------------------------------------------- */

enum { RUN_ROWS = 4, IN_RUNS = 4000 };

/* The begin of each number's run; one place may have another number. */
typedef struct run_case {
    int64_t first; /* number */
    int64_t begins[RUN_ROWS];
    int64_t place, number; /* beyond the entries: no place has */
} run_case;

static const run_case run_cases[] = {
    {0, {0, 1500, 1500, 1501}, IN_RUNS, 0}, {0, {0, 1, 2, 3}, IN_RUNS, 0},
    {0, {0, 1000, 2000, 3999}, IN_RUNS, 0}, {-1, {0, IN_RUNS, IN_RUNS, IN_RUNS}, IN_RUNS, 0},
    {-1, {0, 100, 2300, 3000}, IN_RUNS, 0}, {0, {0, 1000, 2000, 3000}, 1700, 0},
    {0, {0, 1000, 2000, 3000}, 1700, 3},    {0, {0, 1000, 2000, 3000}, 999, -3},
    {2, {0, 2000, IN_RUNS, IN_RUNS}, 1, 3},
};

static void check_runs(const run_case *runs, strew_dtype dtype)
{
    static const int64_t table_shape[] = {IN_RUNS, 1}, sums_shape[] = {RUN_ROWS, 1}, list[] = {IN_RUNS};
    static float data[IN_RUNS];
    static int64_t rows[IN_RUNS], numbers[IN_RUNS];
    float sums[RUN_ROWS] = {0}, expected[RUN_ROWS] = {0};
    int64_t number = runs->first;
    for (int64_t i = 0; i < IN_RUNS; i++) {
        while (number < runs->first + RUN_ROWS - 1 && runs->begins[number + 1 - runs->first] <= i)
            number++;
        const int64_t here = i == runs->place ? runs->number : number;
        rows[i] = i;
        data[i] = (float)(i % 11) / 7;
        element_store_integer(dtype, (uint64_t)here, (char *)numbers + (size_t)i * element_size(dtype));
        expected[here < 0 ? here + RUN_ROWS : here] += data[i];
    }
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 1, list, NULL};
    const strew_tensor targets = {numbers, dtype, 1, list, NULL};
    const strew_tensor output = {sums, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
    const strew_options options = call_options();
    assert_int_equal(strew_gather_scatter(&output, &table, &indices, &targets, NULL, STREW_REDUCTION_SUM, true,
                                          &output, &options),
                     STREW_STATUS_OK);
    assert_memory_equal(sums, expected, sizeof sums);
}

/* Descending numbers, or ones that count from the end, must not be taken for sorted ones in the search for a
 * run's end. */
static void long_runs_end_where_numbers_change(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(run_cases); c++) {
        check_runs(&run_cases[c], STREW_DTYPE_INT32);
        check_runs(&run_cases[c], STREW_DTYPE_INT64);
    }
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
        cmocka_unit_test(rows_are_shared_beside_what_is_left_out),
        cmocka_unit_test(unsigned_segments_are_compared_unsigned),
        cmocka_unit_test(updates_without_a_target_are_left_out),
        cmocka_unit_test(updates_without_a_target_are_left_out_of_runs),
        cmocka_unit_test(the_first_bad_index_of_both_lists_is_named_and_what_comes_before_done),
        cmocka_unit_test(bags_of_nothing_from_an_empty_table_are_there),
        cmocka_unit_test(rows_of_an_empty_table_are_refused),
        cmocka_unit_test(indices_of_rows_without_columns_are_checked),
        cmocka_unit_test(others_take_neither_segments_nor_weights),
        cmocka_unit_test(lists_may_fall_between_what_threads_look_at),
        cmocka_unit_test(long_runs_end_where_numbers_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
