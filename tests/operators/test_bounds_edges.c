/*
 * Policies for indices out of bounds at the edges: fills of every dtype, empty dimensions, indices at the ends of
 * their dtypes, and calls large enough that threads share them, which stop where the oracle stops.
 */
#include <stdlib.h>

#include "element.h"
#include "oracle.h"
#include "parallel.h"
#include "tensor.h"
#include "test.h"

static const strew_kind all_kinds[] = {
    STREW_KIND_GATHER,  STREW_KIND_GATHER_ND,  STREW_KIND_GATHER_ELEMENTS,
    STREW_KIND_SCATTER, STREW_KIND_SCATTER_ND, STREW_KIND_SCATTER_ELEMENTS,
};

/* ---- Empty dimensions ---------------------------------------------------------------------------- */

/* A call with an empty dimension, and the policies that refuse it. */
static const struct empty_case {
    int64_t data[2], indices[2], index; /* indices [a, b] is a of rank 1 along an axis, [a, 1] of tuples */
    bool refused[STREW_BOUNDS_COUNT];   /* refuse, stop, skip, clamp, wrap */
} empty_cases[] = {
    {{0, 2}, {3, 2}, 0, {true, true, false, true, true}},     /* no place to go to */
    {{0, 2}, {3, 2}, -1, {true, true, false, true, true}},    /* nor from the end */
    {{0, 2}, {0, 2}, 0, {false, false, false, false, false}}, /* and no updates */
    {{4, 2}, {0, 2}, 9, {false, false, false, false, false}}, /* no indices */
    {{4, 0}, {3, 0}, 3, {false, false, false, false, false}}, /* empty rows, in bounds */
};

static void check_empty(const struct empty_case *empty, strew_kind kind, strew_bounds bounds)
{
    const int64_t index[6] = {empty->index, empty->index, empty->index, empty->index, empty->index, empty->index};
    const int64_t tuples[] = {empty->indices[0], 1}, dense_shape[] = {empty->indices[0], empty->data[1]};
    const int32_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int32_t found[8] = {9, 9, 9, 9, 9, 9, 9, 9};
    const strew_tensor data = {(void *)(uintptr_t)numbers, STREW_DTYPE_INT32, 2, empty->data, NULL};
    const strew_tensor dense = {(void *)(uintptr_t)numbers, STREW_DTYPE_INT32, 2, dense_shape, NULL};
    const strew_tensor indices = {
        (void *)(uintptr_t)index, STREW_DTYPE_INT64, kind_has_axis(kind) ? 1 : 2,
        kind == STREW_KIND_GATHER_ELEMENTS || kind == STREW_KIND_SCATTER_ELEMENTS ? empty->indices : tuples, NULL};
    strew_tensor output = kind_gathers(kind) ? dense : data;
    output.data = found;
    const operator_call call = {.kind = kind,
                                .data = &data,
                                .indices = &indices,
                                .updates = kind_gathers(kind) ? NULL : &dense,
                                .output = &output,
                                .use_init_val = true};
    strew_options options = call_options();
    options.bounds = bounds;
    const strew_status status = call_run(&call, BY_ONE_CALL, LEAST_SCRATCH, &options);
    if (status != (empty->refused[bounds] ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK))
        fail_msg("case %d, %s, %s: %s", (int)(empty - empty_cases), strew_kind_name(kind),
                 strew_bounds_name(bounds), strew_status_name(status));
    for (int64_t i = 0; status == STREW_STATUS_OK && i < shape_count(output.shape, 2); i++)
        assert_int_equal(found[i], kind_gathers(kind) ? 0 : numbers[i]);
}

static void empty_dimensions_have_no_place_under_any_policy(void **state)
{
    (void)state;
    for (size_t e = 0; e < COUNT(empty_cases); e++)
        for (size_t k = 0; k < COUNT(all_kinds); k++)
            for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds < STREW_BOUNDS_COUNT; bounds++)
                check_empty(&empty_cases[e], all_kinds[k], bounds);
}

/* A tuple whose first index can be amended is refused for the second, which cannot. */
static void amended_indices_are_not_refused(void **state)
{
    (void)state;
    static const int64_t data_shape[] = {1, 0}, tuples_shape[] = {2, 2}, rows_shape[] = {2};
    static const int64_t tuples[] = {0, 0, 9, 0}, others[] = {9, 4, 0, 0};
    static const struct tuples_case {
        const int64_t *tuples;
        strew_bounds bounds;
        int64_t value;
        int32_t dimension;
        int64_t coordinate;
    } cases[] = {
        {tuples, STREW_BOUNDS_CLAMP, 0, 1, 1}, {tuples, STREW_BOUNDS_WRAP, 0, 1, 1},
        {others, STREW_BOUNDS_CLAMP, 4, 1, 1}, {others, STREW_BOUNDS_WRAP, 4, 1, 1},
        {others, STREW_BOUNDS_STOP, 9, 0, 0},  {others, STREW_BOUNDS_REFUSE, 9, 0, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int32_t found[2];
        const strew_tensor data = {NULL, STREW_DTYPE_INT32, 2, data_shape, NULL};
        const strew_tensor indices = {(void *)(uintptr_t)cases[i].tuples, STREW_DTYPE_INT64, 2, tuples_shape, NULL};
        const strew_tensor output = {found, STREW_DTYPE_INT32, 1, rows_shape, NULL};
        strew_error error = {.status = STREW_STATUS_OK};
        strew_options options = call_options();
        options.bounds = cases[i].bounds;
        options.error = &error;
        assert_int_equal(strew_gather_nd(&data, &indices, 0, &output, &options), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        assert_int_equal(error.value, cases[i].value);
        assert_int_equal(error.dimension, cases[i].dimension);
        assert_int_equal(error.position[0], 0);
        assert_int_equal(error.position[1], cases[i].coordinate);
    }
}

/* ---- Indices at the ends of their dtypes --------------------------------------------------------- */

enum { PLACES = 7 };

/* The place of an index, or -1, by the simplest code for the header's rule. */
static int64_t place_of(strew_dtype dtype, uint64_t index, strew_bounds bounds, bool refuses_negative)
{
    const bool negative = element_is_signed(dtype) && (int64_t)index < 0;
    if (negative && !refuses_negative && (int64_t)index >= -PLACES)
        return (int64_t)index + PLACES;
    if (!negative && index < PLACES)
        return (int64_t)index;
    if (bounds == STREW_BOUNDS_CLAMP)
        return negative ? 0 : PLACES - 1;
    if (bounds == STREW_BOUNDS_WRAP)
        return negative ? ((int64_t)index % PLACES + PLACES) % PLACES : (int64_t)(index % PLACES);
    return -1;
}

enum { REPEATS = 40 }; /* enough for kernels that resolve several at once */

/* Row 0 of a table is added to the place that each of the indices names. */
static void check_targets(const strew_tensor *targets, const strew_options *options, int64_t place)
{
    static const int64_t table_shape[] = {1}, sums_shape[] = {PLACES}, list_shape[] = {REPEATS};
    int32_t row = 3, totals[PLACES] = {0};
    int64_t zeros[REPEATS] = {0};
    const strew_tensor table = {&row, STREW_DTYPE_INT32, 1, table_shape, NULL};
    const strew_tensor sums = {totals, STREW_DTYPE_INT32, 1, sums_shape, NULL};
    const strew_tensor sources = {zeros, STREW_DTYPE_INT64, 1, list_shape, NULL};
    assert_int_equal(
        strew_gather_scatter(&sums, &table, &sources, targets, NULL, STREW_REDUCTION_SUM, true, &sums, options),
        STREW_STATUS_OK);
    for (int64_t i = 0; i < PLACES; i++)
        assert_int_equal(totals[i], i == place ? row * REPEATS : 0);
}

static void check_index(strew_dtype dtype, uint64_t index, strew_bounds bounds, uint32_t flags)
{
    static const int64_t data_shape[] = {PLACES}, indices_shape[] = {REPEATS};
    const int32_t numbers[PLACES] = {10, 11, 12, 13, 14, 15, 16};
    int32_t found[REPEATS];
    unsigned char memory[REPEATS * 8];
    for (size_t i = 0; i < REPEATS; i++)
        element_store_integer(dtype, index, memory + i * element_size(dtype));
    const strew_tensor data = {(void *)(uintptr_t)numbers, STREW_DTYPE_INT32, 1, data_shape, NULL};
    const strew_tensor indices = {memory, dtype, 1, indices_shape, NULL};
    const strew_tensor output = {found, STREW_DTYPE_INT32, 1, indices_shape, NULL};
    strew_options options = call_options();
    options.bounds = bounds;
    options.flags = flags;
    const int64_t place = place_of(dtype, index, bounds, flags != 0);
    assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, &options), STREW_STATUS_OK);
    for (size_t i = 0; i < REPEATS; i++)
        if (found[i] != (place < 0 ? 0 : 10 + place))
            fail_msg("%s %lld under %s, flags %u: %d", strew_dtype_name(dtype), (long long)index,
                     strew_bounds_name(bounds), (unsigned)flags, (int)found[i]);
    check_targets(&indices, &options, place);
}

static void indices_at_the_ends_of_their_dtypes_follow_every_policy(void **state)
{
    (void)state;
    for (strew_dtype dtype = STREW_DTYPE_INT8; dtype <= STREW_DTYPE_UINT64; dtype++)
        for (strew_bounds bounds = STREW_BOUNDS_SKIP; bounds < STREW_BOUNDS_COUNT; bounds++)
            for (uint32_t flags = 0; flags <= STREW_FLAG_REFUSE_NEGATIVE_INDICES; flags++)
                for (uint64_t near = 0; near <= 2 * PLACES + 1; near++) {
                    check_index(dtype, element_least(dtype) + near, bounds, flags);
                    check_index(dtype, element_greatest(dtype) - near, bounds, flags);
                    check_index(dtype, near, bounds, flags);
                    if (element_is_signed(dtype))
                        check_index(dtype, 0 - near, bounds, flags);
                }
}

/* ---- Large calls that stop ----------------------------------------------------------------------- */

enum { OUTER = 3, AXIS_SIZE = 200, ENTRIES = 9000, INNER = 5 };

typedef struct large_call {
    test_tensor data, indices, dense, output, expected;
    operator_call call;
} large_call;

static void create_numbers(test_tensor *tensor, strew_dtype dtype, int32_t rank, const int64_t *shape)
{
    tensor_create(tensor, dtype, rank, shape, NULL, 0, 0);
    const int64_t count = shape_count(shape, rank);
    const size_t size = element_size(dtype);
    for (int64_t i = 0; i < count; i++)
        element_store_integer(dtype, (uint64_t)(i * 7919 % AXIS_SIZE), tensor->memory + (size_t)i * size);
}

/* The first index out of bounds has five eighths before it; there is another one behind it, and one of the other
 * end. */
static void spoil_indices(test_tensor *indices)
{
    const int64_t count = shape_count(indices->shape, indices->view.rank);
    int64_t *const values = indices->view.data;
    values[count * 5 / 8] = AXIS_SIZE;
    values[count * 6 / 8] = -AXIS_SIZE - 1;
    values[count - 1] = INT64_MAX;
}

static void create_large(large_call *self, strew_kind kind, strew_reduction reduction, bool in_place)
{
    static const int64_t data_shape[] = {OUTER, AXIS_SIZE, INNER}, dense_shape[] = {OUTER, ENTRIES, INNER};
    static const int64_t tuples_shape[] = {ENTRIES, 1};
    const bool of_tuples = kind_has_rows(kind), on_axis = kind_has_axis(kind);
    const int32_t rank = of_tuples ? 2 : 3;
    const int64_t *const shape = of_tuples ? data_shape + 1 : data_shape;
    const int64_t *const dense = of_tuples ? dense_shape + 1 : dense_shape;
    create_numbers(&self->data, STREW_DTYPE_INT32, rank, shape);
    create_numbers(&self->dense, STREW_DTYPE_INT32, rank, dense);
    create_numbers(&self->output, STREW_DTYPE_INT32, rank, kind_gathers(kind) ? dense : shape);
    if (of_tuples || on_axis)
        create_numbers(&self->indices, STREW_DTYPE_INT64, on_axis ? 1 : 2, tuples_shape);
    else
        create_numbers(&self->indices, STREW_DTYPE_INT64, 3, dense);
    spoil_indices(&self->indices);
    self->call = (operator_call){
        .kind = kind,
        .data = &self->data.view,
        .indices = &self->indices.view,
        .updates = kind_gathers(kind) ? NULL : &self->dense.view,
        .output = in_place ? &self->data.view : &self->output.view,
        .axis = 1,
        .reduction = reduction,
        .use_init_val = true,
        .bounds = STREW_BOUNDS_STOP,
    };
}

static void destroy_large(large_call *self)
{
    tensor_destroy(&self->data);
    tensor_destroy(&self->indices);
    tensor_destroy(&self->dense);
    tensor_destroy(&self->output);
    tensor_destroy(&self->expected);
}

static bool expect_large(large_call *self, strew_error *bad_index)
{
    operator_call call = self->call;
    const bool in_place = call.output == call.data;
    tensor_clone(&self->expected, in_place ? &self->data : &self->output);
    call.output = &self->expected.view;
    call.data = in_place ? &self->expected.view : call.data;
    return oracle_run(&call, bad_index);
}

static void check_large_output(const large_call *self, const strew_error *bad_index)
{
    int64_t at[STREW_MAX_RANK];
    if (!oracle_agrees(&self->call, bad_index, &self->expected.view, ORACLE_SAME_BITS, at))
        fail_msg("%s, %s: [%d][%d] is another one", strew_kind_name(self->call.kind),
                 strew_reduction_name(self->call.reduction), (int)at[0], (int)at[1]);
}

static void check_large(strew_kind kind, strew_reduction reduction, bool in_place, const strew_parallel *parallel,
                        call_scratch scratch)
{
    large_call large;
    strew_error bad_index, error = {.status = STREW_STATUS_OK};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_STOP;
    options.parallel = parallel;
    options.error = &error;
    create_large(&large, kind, reduction, in_place);
    assert_false(expect_large(&large, &bad_index));
    assert_int_equal(call_run(&large.call, BY_PLAN, scratch, &options), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_memory_equal(error.position, bad_index.position, sizeof bad_index.position);
    assert_int_equal(error.value, AXIS_SIZE);
    check_large_output(&large, &bad_index);
    destroy_large(&large);
}

static void large_calls_stop_where_the_oracle_does(void **state)
{
    (void)state;
    static const strew_reduction reductions[] = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUB};
    random_source order = {random_seed()};
    const strew_parallel shuffled = parallel_shuffled(3, &order), real = parallel_threads(3);
    for (size_t k = 0; k < COUNT(all_kinds); k++)
        for (size_t r = 0; r < (kind_gathers(all_kinds[k]) ? 1 : COUNT(reductions)); r++)
            for (int in_place = 0; in_place <= !kind_gathers(all_kinds[k]); in_place++) {
                check_large(all_kinds[k], reductions[r], in_place, NULL, LEAST_SCRATCH);
                check_large(all_kinds[k], reductions[r], in_place, &shuffled, LEAST_SCRATCH);
                check_large(all_kinds[k], reductions[r], in_place, &real, FULL_SCRATCH);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_dimensions_have_no_place_under_any_policy),
        cmocka_unit_test(amended_indices_are_not_refused),
        cmocka_unit_test(indices_at_the_ends_of_their_dtypes_follow_every_policy),
        cmocka_unit_test(large_calls_stop_where_the_oracle_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
