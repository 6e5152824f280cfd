/* Gather and scatter along an axis: the places of rows, batches and the axis, and every reduction of rows. */
#include <string.h>

#include "call.h"
#include "parallel.h"
#include "test.h"

enum { MOST = 8 };

/* ---- Batches and places -------------------------------------------------------------------------- */

/* Calls on data [2, 3, 4] of 0 to 23, and the same numbers plus 100 as updates. */
typedef struct place_case {
    int64_t axis, batch_dims;
    int32_t index_rank;
    int64_t index_shape[3], index[MOST];
    int32_t dense_rank;
    int64_t dense_shape[4];
    int32_t gathered[24]; /* as many as there are */
} place_case;

/* clang-format off */
static const place_case place_cases[] = {
    /* rank 0 takes the axis away */
    {1, 0, 0, {0}, {2}, 2, {2, 4}, {8, 9, 10, 11,  20, 21, 22, 23}},
    {-1, 0, 0, {0}, {-1}, 2, {2, 3}, {3, 7, 11,  15, 19, 23}},
    {0, 0, 0, {0}, {1}, 2, {3, 4}, {12, 13, 14, 15,  16, 17, 18, 19,  20, 21, 22, 23}},
    /* rank 2 adds one */
    {2, 0, 2, {2, 1}, {3, 0}, 4, {2, 3, 2, 1}, {3, 0,  7, 4,  11, 8,  15, 12,  19, 16,  23, 20}},
    /* a batch right before the axis, given from both ends */
    {1, 1, 2, {2, 2}, {0, 2,  1, 1}, 3, {2, 2, 4}, {0, 1, 2, 3,  8, 9, 10, 11,  16, 17, 18, 19,  16, 17, 18, 19}},
    {-2, -1, 2, {2, 2}, {0, 2,  1, 1}, 3, {2, 2, 4}, {0, 1, 2, 3,  8, 9, 10, 11,  16, 17, 18, 19,  16, 17, 18, 19}},
    /* a dimension between the batch and the axis */
    {2, 1, 2, {2, 1}, {3, 1}, 3, {2, 3, 1}, {3, 7, 11,  13, 17, 21}},
    /* every dimension of indices is of the batch */
    {1, 1, 1, {2}, {2, 0}, 2, {2, 4}, {8, 9, 10, 11,  12, 13, 14, 15}},
    {2, 2, 2, {2, 3}, {0, 1, 2,  3, -1, -2}, 2, {2, 3}, {0, 5, 10,  15, 19, 22}},
    {2, -1, 3, {2, 3, 1}, {0, 1, 2,  3, -1, -2}, 3, {2, 3, 1}, {0, 5, 10,  15, 19, 22}},
};
/* clang-format on */

static const int64_t cube[] = {2, 3, 4};

static strew_tensor cube_of(const int32_t *numbers)
{
    return (strew_tensor){(void *)(uintptr_t)numbers, STREW_DTYPE_INT32, 3, cube, NULL};
}

static int64_t entries_of(const place_case *place)
{
    int64_t count = 1;
    for (int32_t d = 0; d < place->dense_rank; d++)
        count *= place->dense_shape[d];
    return count;
}

static void check_places(const place_case *place, const strew_parallel *parallel)
{
    int32_t numbers[24], found[24], scattered[24], expected[24];
    for (int32_t i = 0; i < 24; i++)
        numbers[i] = expected[i] = i;
    const strew_tensor data = cube_of(numbers), output = cube_of(scattered);
    const strew_tensor indices = {(void *)(uintptr_t)place->index, STREW_DTYPE_INT64, place->index_rank,
                                  place->index_shape, NULL};
    strew_tensor dense = {found, STREW_DTYPE_INT32, place->dense_rank, place->dense_shape, NULL};
    strew_options options = call_options();
    options.parallel = parallel;
    assert_int_equal(strew_gather(&data, &indices, place->axis, place->batch_dims, &dense, &options),
                     STREW_STATUS_OK);
    for (int64_t i = 0; i < entries_of(place); i++) {
        assert_int_equal(found[i], place->gathered[i]);
        found[i] = 100 + (int32_t)i;
        expected[place->gathered[i]] = 100 + (int32_t)i; /* the value encodes its place; the last update stays */
    }
    assert_int_equal(strew_scatter(&data, &indices, &dense, place->axis, place->batch_dims, STREW_REDUCTION_NONE,
                                   true, &output, &options),
                     STREW_STATUS_OK);
    assert_memory_equal(scattered, expected, sizeof expected);
    assert_int_equal(strew_scatter(&data, &indices, &dense, place->axis, place->batch_dims, STREW_REDUCTION_NONE,
                                   true, &data, &options),
                     STREW_STATUS_OK);
    assert_memory_equal(numbers, expected, sizeof expected);
}

static void batches_and_axes_stand_where_they_are_said_to(void **state)
{
    (void)state;
    const strew_parallel threads = parallel_threads(3);
    for (size_t i = 0; i < COUNT(place_cases); i++) {
        check_places(&place_cases[i], NULL);
        check_places(&place_cases[i], &threads);
    }
}

static void batch_dims_counts_from_the_rank_of_indices(void **state)
{
    (void)state;
    static const int64_t index_shape[] = {2, 3, 1};
    const strew_tensor data = cube_of(NULL);
    for (int32_t indices_rank = 0; indices_rank <= 3; indices_rank++)
        for (int64_t batch_dims = -4; batch_dims <= 4; batch_dims++) {
            const strew_tensor indices = {NULL, STREW_DTYPE_INT64, indices_rank, index_shape, NULL};
            const int64_t counted = batch_dims < 0 ? batch_dims + indices_rank : batch_dims;
            const bool taken = counted >= 0 && counted <= indices_rank && counted <= 2;
            int64_t shape[STREW_MAX_RANK];
            int32_t rank = 77;
            strew_error error = {.status = STREW_STATUS_OK};
            assert_int_equal(strew_gather_shape(&data, &indices, 2, batch_dims, shape, &rank, &error),
                             taken ? STREW_STATUS_OK : STREW_STATUS_INVALID_ARGUMENT);
            assert_int_equal(rank, taken ? 2 + indices_rank - counted : 77);
            assert_int_equal(error.operand, taken ? STREW_OPERAND_CALL : STREW_OPERAND_BATCH_DIMS);
        }
}

/* ---- Reductions ---------------------------------------------------------------------------------- */

/* 1 to 5, into which 9 and 2 go to the first and -7 to the third: with the initial values, and without. */
static const struct reduction_case {
    strew_reduction reduction;
    float with[5], without[5];
} reduction_cases[] = {
    {STREW_REDUCTION_NONE, {2, 2, -7, 4, 5}, {2, 2, -7, 4, 5}},
    {STREW_REDUCTION_SUM, {12, 2, -4, 4, 5}, {11, 2, -7, 4, 5}},
    {STREW_REDUCTION_SUB, {-10, 2, 10, 4, 5}, {-11, 2, 7, 4, 5}},
    {STREW_REDUCTION_PROD, {18, 2, -21, 4, 5}, {18, 2, -7, 4, 5}},
    {STREW_REDUCTION_MIN, {1, 2, -7, 4, 5}, {2, 2, -7, 4, 5}},
    {STREW_REDUCTION_MAX, {9, 2, 3, 4, 5}, {9, 2, -7, 4, 5}},
    {STREW_REDUCTION_MEAN, {4, 2, -2, 4, 5}, {5.5F, 2, -7, 4, 5}},
};

/* The five are along an axis between two dimensions: every row, and every element of it, is the same. */
static void check_reduction(const struct reduction_case *reduction, int64_t inner, bool use_init_val, bool in_place)
{
    enum { OUTER = 2, MOST_INNER = 19 };
    static const float values[] = {9, 2, -7};
    static const int64_t index[] = {0, 0, 2}, index_shape[] = {3};
    const int64_t data_shape[] = {OUTER, 5, inner}, updates_shape[] = {OUTER, 3, inner};
    float data[OUTER * 5 * MOST_INNER], updates[OUTER * 3 * MOST_INNER], output[OUTER * 5 * MOST_INNER];
    for (int64_t i = 0; i < OUTER * 5 * inner; i++)
        data[i] = (float)(1 + i / inner % 5);
    for (int64_t i = 0; i < OUTER * 3 * inner; i++)
        updates[i] = values[i / inner % 3];
    const strew_tensor data_tensor = {data, STREW_DTYPE_FLOAT32, 3, data_shape, NULL};
    const strew_tensor updates_tensor = {updates, STREW_DTYPE_FLOAT32, 3, updates_shape, NULL};
    const strew_tensor indices = {(void *)(uintptr_t)index, STREW_DTYPE_INT64, 1, index_shape, NULL};
    const strew_tensor apart = {output, STREW_DTYPE_FLOAT32, 3, data_shape, NULL};
    const operator_call call = {.kind = STREW_KIND_SCATTER,
                                .data = &data_tensor,
                                .indices = &indices,
                                .updates = &updates_tensor,
                                .output = in_place ? &data_tensor : &apart,
                                .axis = 1,
                                .reduction = reduction->reduction,
                                .use_init_val = use_init_val};
    const strew_options options = call_options();
    assert_int_equal(call_run(&call, BY_ONE_CALL, LEAST_SCRATCH, &options), STREW_STATUS_OK);
    const float *const expected = use_init_val ? reduction->with : reduction->without;
    const float *const found = in_place ? data : output;
    for (int64_t i = 0; i < OUTER * 5 * inner; i++)
        assert_true(found[i] == expected[i / inner % 5]);
}

static void every_reduction_combines_rows(void **state)
{
    (void)state;
    static const int64_t inner[] = {1, 4, 19};
    for (size_t r = 0; r < COUNT(reduction_cases); r++)
        for (size_t i = 0; i < COUNT(inner); i++)
            for (int use_init_val = 0; use_init_val <= 1; use_init_val++)
                for (int in_place = 0; in_place <= 1; in_place++)
                    check_reduction(&reduction_cases[r], inner[i], use_init_val, in_place);
}

/* ---- Indices that several tiles have in common --------------------------------------------------- */

/*
 * Each piece of each group has a window of one list, and windows overlap: tiles begin at the same index, some with
 * more windows than others.
 */
typedef struct window_case {
    int64_t group_step, piece_step;
} window_case;

enum { GROUPS = 3, PIECES = 7, WINDOW = 100, LANE = 50, LISTED = WINDOW + 5 * GROUPS + PIECES };

static void check_windows(const window_case *windows)
{
    static const int64_t shape[] = {GROUPS, PIECES, WINDOW}, lanes[] = {GROUPS, PIECES, LANE};
    const int64_t strides[] = {windows->group_step, windows->piece_step, 1};
    static int32_t data[GROUPS * PIECES * LANE], found[GROUPS * PIECES * WINDOW];
    int64_t list[LISTED];
    for (int64_t i = 0; i < LISTED; i++)
        list[i] = i * i % LANE;
    for (size_t i = 0; i < COUNT(data); i++)
        data[i] = (int32_t)i;
    const strew_tensor input = {data, STREW_DTYPE_INT32, 3, lanes, NULL};
    const strew_tensor indices = {list, STREW_DTYPE_INT64, 3, shape, strides};
    const strew_tensor output = {found, STREW_DTYPE_INT32, 3, shape, NULL};
    const strew_options options = call_options();
    assert_int_equal(strew_gather_elements(&input, &indices, 2, &output, &options), STREW_STATUS_OK);
    for (int64_t piece = 0; piece < GROUPS * PIECES; piece++)
        for (int64_t i = 0; i < WINDOW; i++) {
            const int64_t at = piece / PIECES * windows->group_step + piece % PIECES * windows->piece_step + i;
            assert_int_equal(found[piece * WINDOW + i], piece * LANE + list[at]);
        }
}

static void tiles_that_begin_with_the_same_index_have_their_own_rows(void **state)
{
    (void)state;
    static const window_case cases[] = {{0, 0}, {0, 1}, {1, 0}, {5, 1}, {5, 0}, {1, 1}};
    for (size_t i = 0; i < COUNT(cases); i++)
        check_windows(&cases[i]);
}

/* ---- Lists --------------------------------------------------------------------------------------- */

/* A list goes over several tables of short rows: from its first tile on, and beyond. */
enum { SIDES = 2, TABLES = SIDES * 3, ROWS = 7, COLUMNS = 3, LONG = 1500, WRONG = 1100 };

static int64_t row_named(int64_t index, strew_bounds bounds)
{
    if (index < 0)
        index += ROWS;
    return index < ROWS ? index : bounds == STREW_BOUNDS_CLAMP ? ROWS - 1 : -1;
}

/* If a bad index stops the call, the rows before it are written, and the others are unchanged. */
static void check_list(bool is_wrong, strew_bounds bounds, const strew_parallel *parallel)
{
    static const int64_t data_shape[] = {SIDES, TABLES / SIDES, ROWS, COLUMNS}, list_shape[] = {LONG};
    static const int64_t found_shape[] = {SIDES, TABLES / SIDES, LONG, COLUMNS};
    static int32_t data[TABLES * ROWS * COLUMNS], found[TABLES * LONG * COLUMNS];
    const int32_t untouched = -1;
    int32_t list[LONG];
    for (int32_t i = 0; i < LONG; i++)
        list[i] = i * i % (2 * ROWS) - ROWS;
    list[WRONG] = is_wrong ? ROWS : 0;
    for (int32_t i = 0; i < TABLES * ROWS * COLUMNS; i++)
        data[i] = i;
    memset(found, 0xff, sizeof found);
    const strew_tensor input = {data, STREW_DTYPE_INT32, 4, data_shape, NULL};
    const strew_tensor indices = {list, STREW_DTYPE_INT32, 1, list_shape, NULL};
    const strew_tensor output = {found, STREW_DTYPE_INT32, 4, found_shape, NULL};
    strew_error error;
    strew_options options = call_options();
    options.bounds = bounds;
    options.parallel = parallel;
    options.error = &error;
    const bool is_refused = is_wrong && (bounds == STREW_BOUNDS_REFUSE || bounds == STREW_BOUNDS_STOP);
    assert_int_equal(strew_gather(&input, &indices, 2, 0, &output, &options),
                     is_refused ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK);
    if (is_refused)
        assert_int_equal(error.position[0], WRONG);
    for (int64_t i = 0; i < TABLES * LONG && !(is_refused && bounds == STREW_BOUNDS_REFUSE); i++) {
        const int64_t row = row_named(list[i % LONG], bounds);
        const bool is_done = !is_refused || i % LONG < WRONG;
        for (int64_t c = 0; c < COLUMNS; c++)
            assert_int_equal(found[i * COLUMNS + c], !is_done  ? untouched
                                                     : row < 0 ? 0
                                                               : data[(i / LONG * ROWS + row) * COLUMNS + c]);
    }
}

static void a_list_longer_than_a_tile_goes_over_all_tables(void **state)
{
    (void)state;
    static const strew_bounds policies[] = {STREW_BOUNDS_REFUSE, STREW_BOUNDS_STOP, STREW_BOUNDS_SKIP,
                                            STREW_BOUNDS_CLAMP};
    const strew_parallel threads = parallel_threads(3);
    for (size_t i = 0; i < COUNT(policies); i++)
        for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
            check_list(is_wrong, policies[i], NULL);
            check_list(is_wrong, policies[i], &threads);
        }
}

/* ---- Columns ------------------------------------------------------------------------------------- */

/* Elements side by side go along an axis before them, several times each: the last one stays, or all are added. */
enum { AXIS = 3, TIMES = 5, SIDE_BY_SIDE = 1100 };

static void check_columns(int32_t columns, int32_t wrong, const strew_parallel *parallel)
{
    const int64_t data_shape[] = {AXIS, columns}, shape[] = {TIMES, columns};
    static int32_t data[AXIS * SIDE_BY_SIDE], updates[TIMES * SIDE_BY_SIDE], found[TIMES * SIDE_BY_SIDE];
    static int32_t assigned[AXIS * SIDE_BY_SIDE], added[AXIS * SIDE_BY_SIDE], expected[AXIS * SIDE_BY_SIDE];
    static int64_t list[TIMES * SIDE_BY_SIDE];
    for (int32_t i = 0; i < AXIS * columns; i++)
        data[i] = assigned[i] = added[i] = expected[i] = i;
    for (int32_t i = 0; i < TIMES * columns; i++) {
        list[i] = (i + i / 7) % (2 * AXIS) - AXIS;
        updates[i] = 10000 + i;
    }
    if (wrong >= 0)
        list[wrong] = AXIS;
    const strew_tensor input = {data, STREW_DTYPE_INT32, 2, data_shape, NULL};
    const strew_tensor indices = {list, STREW_DTYPE_INT64, 2, shape, NULL};
    const strew_tensor source = {updates, STREW_DTYPE_INT32, 2, shape, NULL};
    const strew_tensor output = {found, STREW_DTYPE_INT32, 2, shape, NULL};
    const strew_tensor last = {assigned, STREW_DTYPE_INT32, 2, data_shape, NULL};
    const strew_tensor sums = {added, STREW_DTYPE_INT32, 2, data_shape, NULL};
    const strew_status status = wrong >= 0 ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK;
    const size_t bytes = (size_t)(AXIS * columns) * sizeof *data;
    strew_options options = call_options();
    options.parallel = parallel;
    assert_int_equal(strew_gather_elements(&input, &indices, 0, &output, &options), status);
    assert_int_equal(
        strew_scatter_elements(&last, &indices, &source, 0, STREW_REDUCTION_NONE, true, &last, &options), status);
    assert_int_equal(
        strew_scatter_elements(&sums, &indices, &source, 0, STREW_REDUCTION_SUM, true, &sums, &options), status);
    if (wrong >= 0) {
        assert_memory_equal(assigned, expected, bytes);
        assert_memory_equal(added, expected, bytes);
        return;
    }
    for (int64_t i = 0; i < TIMES * columns; i++) {
        const int64_t row = list[i] < 0 ? list[i] + AXIS : list[i], at = row * columns + i % columns;
        assert_int_equal(found[i], data[at]);
        expected[at] = updates[i];
        added[at] -= updates[i];
    }
    assert_memory_equal(assigned, expected, bytes);
    assert_memory_equal(added, data, bytes);
}

static void columns_of_an_axis_keep_the_order_of_their_updates(void **state)
{
    (void)state;
    static const int32_t widths[] = {SIDE_BY_SIDE, SIDE_BY_SIDE / 11};
    const strew_parallel threads = parallel_threads(3);
    for (size_t w = 0; w < COUNT(widths); w++)
        for (int32_t wrong = -1; wrong < TIMES * widths[w]; wrong += 1 + widths[w] / 3) {
            check_columns(widths[w], wrong, NULL);
            check_columns(widths[w], wrong, &threads);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_and_axes_stand_where_they_are_said_to),
        cmocka_unit_test(batch_dims_counts_from_the_rank_of_indices),
        cmocka_unit_test(every_reduction_combines_rows),
        cmocka_unit_test(tiles_that_begin_with_the_same_index_have_their_own_rows),
        cmocka_unit_test(a_list_longer_than_a_tile_goes_over_all_tables),
        cmocka_unit_test(columns_of_an_axis_keep_the_order_of_their_updates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
