/* Refused indices: which ones, the error for the first of them, and the unchanged tensors. */
#include <inttypes.h>
#include <stdlib.h>

#include "arguments.h"
#include "element.h"
#include "parallel.h"
#include "tensor.h"
#include "test.h"

/* ---- One wrong index among a million ------------------------------------------------------------- */

enum { LANES = 64, ROWS = 15625, ENTRIES = LANES * ROWS, SIZE = 1024 };

typedef struct large_call {
    test_tensor data, indices, updates;
    operator_call call;
} large_call;

static const struct way {
    strew_kind kind;
    strew_reduction reduction;
    bool use_init_val;
} ways[] = {
    {STREW_KIND_SCATTER_ND, STREW_REDUCTION_NONE, true},
    {STREW_KIND_SCATTER_ND, STREW_REDUCTION_SUM, true},
    {STREW_KIND_SCATTER_ND, STREW_REDUCTION_MIN, true},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_NONE, true},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_PROD, true},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_MAX, false},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_MEAN, true},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_MEAN, false},
};

/* rows: indices [1000000, 1] of updates [1000000]; elements: both [15625, 64], along axis 0. In place. */
static void large_call_create(large_call *self, const struct way *way)
{
    const bool rows = way->kind == STREW_KIND_SCATTER_ND;
    const int64_t data_shape[] = {SIZE, LANES};
    const int64_t indices_shape[] = {rows ? ENTRIES : ROWS, rows ? 1 : LANES};
    tensor_create(&self->data, STREW_DTYPE_INT32, rows ? 1 : 2, data_shape, NULL, 64, 64);
    tensor_create(&self->indices, STREW_DTYPE_INT64, 2, indices_shape, NULL, 0, 0);
    tensor_create(&self->updates, STREW_DTYPE_INT32, rows ? 1 : 2, indices_shape, NULL, 0, 0);
    int64_t *indices = self->indices.view.data;
    for (int64_t i = 0; i < ENTRIES; i++)
        indices[i] = i * 7 % (2 * SIZE) - SIZE;
    self->call = (operator_call){
        .kind = way->kind,
        .data = &self->data.view,
        .indices = &self->indices.view,
        .updates = &self->updates.view,
        .output = &self->data.view,
        .reduction = way->reduction,
        .use_init_val = way->use_init_val,
    };
}

static void large_call_destroy(large_call *self)
{
    tensor_destroy(&self->data);
    tensor_destroy(&self->indices);
    tensor_destroy(&self->updates);
}

/* Checks that the error names this entry of the indices. */
static void check_bad_index(const large_call *self, const strew_error *error, int64_t ordinal, int64_t value)
{
    assert_int_equal(error->operand, STREW_OPERAND_INDICES);
    assert_int_equal(error->position_rank, 2);
    assert_int_equal(position_ordinal(error->position, &self->indices.view), ordinal);
    assert_int_equal(error->dimension, 0);
    assert_int_equal(error->value, value);
    assert_int_equal(error->lower, -SIZE);
    assert_int_equal(error->upper, SIZE - 1);
}

static void check_refused(large_call *self, size_t threads, int64_t ordinal, int64_t value)
{
    const strew_parallel parallel = parallel_threads(threads);
    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = threads > 1 ? &parallel : NULL;
    options.error = &error;
    test_tensor before;
    tensor_clone(&before, &self->data);
    assert_int_equal(call_run(&self->call, BY_ONE_CALL, FULL_SCRATCH, &options), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    check_bad_index(self, &error, ordinal, value);
    assert_true(tensor_same_memory(&self->data, &before));
    tensor_destroy(&before);
}

static void the_last_of_a_million_indices_leaves_data_as_it_was(void **state)
{
    (void)state;
    for (size_t w = 0; w < COUNT(ways); w++) {
        large_call large;
        large_call_create(&large, &ways[w]);
        ((int64_t *)large.indices.view.data)[ENTRIES - 1] = SIZE;
        check_refused(&large, 1, ENTRIES - 1, SIZE);
        check_refused(&large, 4, ENTRIES - 1, SIZE);
        large_call_destroy(&large);
    }
}

/* Threads may well find the later one first. */
static void the_first_of_several_wrong_indices_is_told(void **state)
{
    (void)state;
    for (size_t w = 0; w < COUNT(ways); w++) {
        large_call large;
        large_call_create(&large, &ways[w]);
        int64_t *indices = large.indices.view.data;
        indices[ENTRIES - 1] = SIZE;
        indices[777777] = INT64_MIN;
        indices[555555] = -SIZE - 1;
        check_refused(&large, 1, 555555, -SIZE - 1);
        check_refused(&large, 4, 555555, -SIZE - 1);
        large_call_destroy(&large);
    }
}

/* ---- What is outside ----------------------------------------------------------------------------- */

/* Gathers one element of data[4] at `index`, given as the bits of an element of this dtype. */
static strew_status gather_one(strew_dtype dtype, uint64_t index, uint32_t flags, char *message, size_t size)
{
    static const int64_t four[] = {4}, one[] = {1};
    int32_t elements[4] = {0, 1, 2, 3}, found[1];
    unsigned char entry[8];
    element_store_integer(dtype, index, entry);
    const strew_tensor data = {elements, STREW_DTYPE_INT32, 1, four, NULL};
    const strew_tensor indices = {entry, dtype, 1, one, NULL};
    const strew_tensor output = {found, STREW_DTYPE_INT32, 1, one, NULL};
    strew_error error = {.status = STREW_STATUS_OK};
    strew_options options = STREW_OPTIONS_INIT;
    options.flags = flags;
    options.error = &error;
    const strew_status status = strew_gather_elements(&data, &indices, 0, &output, &options);
    strew_error_message(&error, message, size);
    return status;
}

static void assert_index(strew_dtype dtype, uint64_t index, uint32_t flags, const char *expected)
{
    char message[256];
    const strew_status status = gather_one(dtype, index, flags, message, sizeof message);
    const bool taken = strcmp(expected, "no error") == 0;
    if (strcmp(message, expected) != 0 || status != (taken ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS))
        fail_msg("index %#" PRIx64 " of %s: %s, %s; expected: %s", index, strew_dtype_name(dtype),
                 strew_status_name(status), message, expected);
}

static void indices_of_every_dtype_are_taken_up_to_their_bounds(void **state)
{
    (void)state;
    for (strew_dtype dtype = STREW_DTYPE_INT8; dtype <= STREW_DTYPE_UINT64; dtype++) {
        assert_index(dtype, 0, 0, "no error");
        assert_index(dtype, 3, 0, "no error");
        assert_index(dtype, 3, STREW_FLAG_REFUSE_NEGATIVE_INDICES, "no error");
        assert_index(dtype, 4, 0,
                     element_is_signed(dtype) ? "indices[0] is 4, outside [-4, 3] for dimension 0 of data"
                                              : "indices[0] is 4, outside [0, 3] for dimension 0 of data");
        assert_index(dtype, 4, STREW_FLAG_REFUSE_NEGATIVE_INDICES,
                     "indices[0] is 4, outside [0, 3] for dimension 0 of data");
    }
}

static void negative_indices_count_from_the_end_unless_they_are_refused(void **state)
{
    (void)state;
    for (strew_dtype dtype = STREW_DTYPE_INT8; dtype <= STREW_DTYPE_UINT64; dtype++) {
        if (!element_is_signed(dtype))
            continue;
        assert_index(dtype, (uint64_t)-1, 0, "no error");
        assert_index(dtype, (uint64_t)-4, 0, "no error");
        assert_index(dtype, (uint64_t)-5, 0, "indices[0] is -5, outside [-4, 3] for dimension 0 of data");
        assert_index(dtype, (uint64_t)-1, STREW_FLAG_REFUSE_NEGATIVE_INDICES,
                     "indices[0] is -1, outside [0, 3] for dimension 0 of data");
    }
}

static void the_extremes_of_every_dtype_are_outside(void **state)
{
    (void)state;
    static const struct extreme {
        strew_dtype dtype;
        uint64_t index;
        const char *printed;
    } extremes[] = {
        {STREW_DTYPE_INT8, (uint64_t)INT8_MIN, "-128"},
        {STREW_DTYPE_INT8, INT8_MAX, "127"},
        {STREW_DTYPE_UINT8, UINT8_MAX, "255"},
        {STREW_DTYPE_INT16, (uint64_t)INT16_MIN, "-32768"},
        {STREW_DTYPE_UINT16, UINT16_MAX, "65535"},
        {STREW_DTYPE_INT32, (uint64_t)INT32_MIN, "-2147483648"},
        {STREW_DTYPE_INT32, INT32_MAX, "2147483647"},
        {STREW_DTYPE_UINT32, UINT32_MAX, "4294967295"},
        {STREW_DTYPE_INT64, (uint64_t)INT64_MIN, "-9223372036854775808"},
        {STREW_DTYPE_INT64, INT64_MAX, "9223372036854775807"},
        {STREW_DTYPE_UINT64, (uint64_t)INT64_MAX + 1, "9223372036854775808"},
        {STREW_DTYPE_UINT64, UINT64_MAX, "18446744073709551615"},
        {STREW_DTYPE_UINT64, UINT64_MAX - 3, "18446744073709551612"},
    };
    for (size_t i = 0; i < COUNT(extremes); i++) {
        char expected[256] = "indices[0] is ";
        strcat(strcat(expected, extremes[i].printed), ", outside [");
        strcat(strcat(expected, element_is_signed(extremes[i].dtype) ? "-4" : "0"), ", 3] for dimension 0 of data");
        assert_index(extremes[i].dtype, extremes[i].index, 0, expected);
    }
}

/* ---- Empty dimensions ---------------------------------------------------------------------------- */

static void no_index_into_an_empty_dimension_is_no_error(void **state)
{
    (void)state;
    static const char *const names[] = {"gather_elements", "scatter_elements"};
    for (size_t i = 0; i < COUNT(names); i++) {
        arguments call;
        arguments_create(&call, names[i]);
        for (int32_t operand = STREW_OPERAND_DATA; operand <= STREW_OPERAND_OUTPUT; operand++)
            call.shape[operand][1] = 0;
        assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    }
}

/* Each coordinate is checked by itself, even if there are no elements to move. */
static void an_index_outside_is_refused_where_rows_are_empty(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "gather_nd");
    call.shape[STREW_OPERAND_DATA][2] = call.shape[STREW_OPERAND_OUTPUT][2] = 0;
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    ((int64_t *)call.tensor[STREW_OPERAND_INDICES].data)[2] = 3;
    assert_int_equal(arguments_run(&call), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
}

/* The flattened offset can be in range although a coordinate is not. */
static void a_coordinate_outside_is_refused_though_its_tuple_names_a_place(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "scatter_nd");
    int64_t *indices = call.tensor[STREW_OPERAND_INDICES].data;
    indices[0] = 0;
    indices[1] = 5; /* [0, 5] would be [1, 2] */
    assert_int_equal(arguments_run(&call), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(call.error.position[1], 1);
    assert_int_equal(call.error.dimension, 1);
}

/* Along axis 1 each index is used for both rows, and so are those before it in the order of indices. */
static void stopping_applies_what_comes_before_once(void **state)
{
    (void)state;
    const int64_t shape[] = {2, 2}, count[] = {3}, updates_shape[] = {2, 3}, indices[] = {1, 1, 2};
    int32_t data[] = {10, 20, 30, 40}, updates[] = {1, 2, 3, 4, 5, 6};
    const int32_t expected[] = {10, 23, 30, 49};
    const strew_tensor at = {(void *)(uintptr_t)indices, STREW_DTYPE_INT64, 1, count, NULL};
    const strew_tensor in = {updates, STREW_DTYPE_INT32, 2, updates_shape, NULL};
    const strew_tensor out = {data, STREW_DTYPE_INT32, 2, shape, NULL};
    strew_error error;
    strew_options options = STREW_OPTIONS_INIT;
    options.bounds = STREW_BOUNDS_STOP;
    options.error = &error;
    assert_int_equal(strew_scatter(&out, &at, &in, 1, 0, STREW_REDUCTION_SUM, true, &out, &options),
                     STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(error.position[0], 2);
    assert_memory_equal(data, expected, sizeof data);
}

/* 2^40 tuples without coordinates, or as many as can be, name rows without elements: they are not gone over. */
static void nothing_to_check_takes_no_time(void **state)
{
    (void)state;
    static const int64_t data_shape[] = {0}, many[] = {INT64_C(1) << (sizeof(void *) > 4 ? 40 : 30), 0};
    const strew_tensor data = {NULL, STREW_DTYPE_INT8, 1, data_shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT8, 2, many, NULL};
    const strew_tensor output = {NULL, STREW_DTYPE_INT8, 2, many, NULL};
    assert_int_equal(strew_gather_nd(&data, &indices, 0, &output, NULL), STREW_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_to_check_takes_no_time),
        cmocka_unit_test(the_last_of_a_million_indices_leaves_data_as_it_was),
        cmocka_unit_test(the_first_of_several_wrong_indices_is_told),
        cmocka_unit_test(indices_of_every_dtype_are_taken_up_to_their_bounds),
        cmocka_unit_test(negative_indices_count_from_the_end_unless_they_are_refused),
        cmocka_unit_test(the_extremes_of_every_dtype_are_outside),
        cmocka_unit_test(no_index_into_an_empty_dimension_is_no_error),
        cmocka_unit_test(an_index_outside_is_refused_where_rows_are_empty),
        cmocka_unit_test(a_coordinate_outside_is_refused_though_its_tuple_names_a_place),
        cmocka_unit_test(stopping_applies_what_comes_before_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
