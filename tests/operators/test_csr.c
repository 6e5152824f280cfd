/* Sparse matrices times dense ones: by compressed rows, by compressed columns, and refusals. */
#include "call.h"

#include "test.h"

enum { ROWS = 5, COLUMNS = 4, WIDTH = 3, ENTRIES = 8 };

/* Row 2 is empty; row 0 names column 3 twice, and row 4 is not sorted. */
static const int64_t offsets64[] = {0, 3, 4, 4, 5, 8};
static const int32_t offsets32[] = {0, 3, 4, 4, 5, 8}, columns[] = {3, 0, 3, 2, 1, 3, 0, 2};
static const float values[] = {1, -2, 0.5f, 3, 4, -1, 2, 7};
static const float dense[COLUMNS][WIDTH] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};

static const int64_t offsets_shape[] = {ROWS + 1}, entries_shape[] = {ENTRIES};
static const int64_t dense_shape[] = {COLUMNS, WIDTH}, output_shape[] = {ROWS, WIDTH};

#define TENSOR(memory, dtype, rank, shape) ((strew_tensor){(void *)(uintptr_t)(memory), dtype, rank, shape, NULL})

static void expect_product(float expected[ROWS][WIDTH])
{
    memset(expected, 0, ROWS * sizeof *expected);
    for (int row = 0; row < ROWS; row++)
        for (int32_t e = offsets32[row]; e < offsets32[row + 1]; e++)
            for (int c = 0; c < WIDTH; c++)
                expected[row][c] += values[e] * dense[columns[e]][c];
}

static void rows_are_multiplied_by_offsets_of_each_width(void **state)
{
    (void)state;
    const strew_tensor lists[] = {TENSOR(offsets32, STREW_DTYPE_INT32, 1, offsets_shape),
                                  TENSOR(offsets64, STREW_DTYPE_INT64, 1, offsets_shape)};
    const strew_tensor indices = TENSOR(columns, STREW_DTYPE_INT32, 1, entries_shape);
    const strew_tensor weights = TENSOR(values, STREW_DTYPE_FLOAT32, 1, entries_shape);
    const strew_tensor data = TENSOR(dense, STREW_DTYPE_FLOAT32, 2, dense_shape);
    float expected[ROWS][WIDTH];
    expect_product(expected);
    for (size_t l = 0; l < COUNT(lists); l++) {
        float product[ROWS][WIDTH];
        const strew_tensor output = TENSOR(product, STREW_DTYPE_FLOAT32, 2, output_shape);
        const strew_options options = call_options();
        assert_int_equal(
            strew_csr_matmul(&lists[l], &indices, &weights, &data, STREW_REDUCTION_SUM, &output, &options),
            STREW_STATUS_OK);
        assert_memory_equal(product, expected, sizeof product);
    }
}

static void without_values_all_are_one(void **state)
{
    (void)state;
    const strew_tensor offsets = TENSOR(offsets32, STREW_DTYPE_INT32, 1, offsets_shape);
    const strew_tensor indices = TENSOR(columns, STREW_DTYPE_INT32, 1, entries_shape);
    const strew_tensor data = TENSOR(dense, STREW_DTYPE_FLOAT32, 2, dense_shape);
    float greatest[ROWS][WIDTH];
    const strew_tensor output = TENSOR(greatest, STREW_DTYPE_FLOAT32, 2, output_shape);
    assert_int_equal(strew_csr_matmul(&offsets, &indices, NULL, &data, STREW_REDUCTION_MAX, &output, NULL),
                     STREW_STATUS_OK);
    static const float first_column[ROWS] = {10, 7, 0, 4, 10};
    for (int row = 0; row < ROWS; row++)
        assert_true(greatest[row][0] == first_column[row]);
}

/* The strides of the offsets count: here every other integer. */
static void a_vector_is_multiplied_by_offsets_with_strides(void **state)
{
    (void)state;
    int64_t spread[2 * (ROWS + 1)];
    static const int64_t two[] = {2}, vector_shape[] = {COLUMNS}, rows_shape[] = {ROWS};
    for (int i = 0; i <= ROWS; i++) {
        spread[2 * i] = offsets64[i];
        spread[2 * i + 1] = -7;
    }
    const strew_tensor offsets = {spread, STREW_DTYPE_INT64, 1, offsets_shape, two};
    const strew_tensor indices = TENSOR(columns, STREW_DTYPE_INT32, 1, entries_shape);
    const strew_tensor weights = TENSOR(values, STREW_DTYPE_FLOAT32, 1, entries_shape);
    static const float vector[COLUMNS] = {1, 10, 100, 1000}, expected[ROWS] = {1498, 300, 0, 40, -298};
    float product[ROWS];
    const strew_tensor data = TENSOR(vector, STREW_DTYPE_FLOAT32, 1, vector_shape);
    const strew_tensor output = TENSOR(product, STREW_DTYPE_FLOAT32, 1, rows_shape);
    assert_int_equal(strew_csr_matmul(&offsets, &indices, &weights, &data, STREW_REDUCTION_SUM, &output, NULL),
                     STREW_STATUS_OK);
    assert_memory_equal(product, expected, sizeof product);
}

static void offsets_are_expanded(void **state)
{
    (void)state;
    static const int64_t expected[ENTRIES] = {0, 0, 0, 1, 3, 4, 4, 4};
    int64_t wide[ENTRIES];
    int32_t narrow[ENTRIES];
    const strew_tensor offsets = TENSOR(offsets32, STREW_DTYPE_INT32, 1, offsets_shape);
    const strew_tensor into64 = TENSOR(wide, STREW_DTYPE_INT64, 1, entries_shape);
    const strew_tensor into32 = TENSOR(narrow, STREW_DTYPE_INT32, 1, entries_shape);
    assert_int_equal(strew_expand_offsets(&offsets, &into64, NULL), STREW_STATUS_OK);
    assert_int_equal(strew_expand_offsets(&offsets, &into32, NULL), STREW_STATUS_OK);
    assert_memory_equal(wide, expected, sizeof wide);
    for (int e = 0; e < ENTRIES; e++)
        assert_int_equal(narrow[e], expected[e]);
}

/* The transposed matrix, whose compressed columns are the rows above. */
static void compressed_columns_are_multiplied_by_their_expansion(void **state)
{
    (void)state;
    static const int64_t tall_shape[] = {ROWS, WIDTH}, short_shape[] = {COLUMNS, WIDTH};
    int32_t places[ENTRIES];
    float tall[ROWS][WIDTH], product[COLUMNS][WIDTH] = {{0}}, expected[COLUMNS][WIDTH] = {{0}};
    for (int i = 0; i < ROWS * WIDTH; i++)
        tall[i / WIDTH][i % WIDTH] = (float)(i * i % 7) - 3;
    for (int row = 0; row < ROWS; row++)
        for (int32_t e = offsets32[row]; e < offsets32[row + 1]; e++)
            for (int c = 0; c < WIDTH; c++)
                expected[columns[e]][c] += values[e] * tall[row][c];
    const strew_tensor offsets = TENSOR(offsets32, STREW_DTYPE_INT32, 1, offsets_shape);
    const strew_tensor expanded = TENSOR(places, STREW_DTYPE_INT32, 1, entries_shape);
    const strew_tensor rows = TENSOR(columns, STREW_DTYPE_INT32, 1, entries_shape);
    const strew_tensor weights = TENSOR(values, STREW_DTYPE_FLOAT32, 1, entries_shape);
    const strew_tensor data = TENSOR(tall, STREW_DTYPE_FLOAT32, 2, tall_shape);
    const strew_tensor output = TENSOR(product, STREW_DTYPE_FLOAT32, 2, short_shape);
    assert_int_equal(strew_expand_offsets(&offsets, &expanded, NULL), STREW_STATUS_OK);
    assert_int_equal(
        strew_gather_scatter(&output, &data, &expanded, &rows, &weights, STREW_REDUCTION_SUM, true, &output, NULL),
        STREW_STATUS_OK);
    assert_memory_equal(product, expected, sizeof product);
}

static void a_matrix_without_rows_or_entries_is_one(void **state)
{
    (void)state;
    static const int64_t zero[] = {0}, one[] = {1}, empty_shape[] = {0, WIDTH}, row_shape[] = {1, WIDTH};
    int32_t begins[] = {0, 0};
    float row[WIDTH] = {7, 7, 7}, none[1];
    static const float zeros[WIDTH] = {0};
    const strew_tensor indices = TENSOR(NULL, STREW_DTYPE_INT32, 1, zero);
    const strew_tensor data = TENSOR(dense, STREW_DTYPE_FLOAT32, 2, dense_shape);
    const strew_tensor no_rows = TENSOR(begins, STREW_DTYPE_INT32, 1, one);
    const strew_tensor nothing = TENSOR(none, STREW_DTYPE_FLOAT32, 2, empty_shape);
    assert_int_equal(strew_csr_matmul(&no_rows, &indices, NULL, &data, STREW_REDUCTION_SUM, &nothing, NULL),
                     STREW_STATUS_OK);
    static const int64_t two[] = {2};
    const strew_tensor one_row = TENSOR(begins, STREW_DTYPE_INT32, 1, two);
    const strew_tensor output = TENSOR(row, STREW_DTYPE_FLOAT32, 2, row_shape);
    assert_int_equal(strew_csr_matmul(&one_row, &indices, NULL, &data, STREW_REDUCTION_SUM, &output, NULL),
                     STREW_STATUS_OK);
    assert_memory_equal(row, zeros, sizeof row);
    assert_int_equal(strew_expand_offsets(&one_row, &indices, NULL), STREW_STATUS_OK);
}

typedef struct refused {
    const char *message;
    strew_status status;
    strew_dtype dtype; /* of the offsets */
    int32_t rank;
    int64_t count;
    int64_t offsets[4];
    int64_t entries;
} refused;

static void expect_refusal(const refused *self, strew_status status, const strew_error *error)
{
    char text[256];
    strew_error_message(error, text, sizeof text);
    assert_int_equal(status, self->status);
    assert_string_equal(text, self->message);
}

static void wrong_offsets_are_refused(void **state)
{
    (void)state;
    static const refused of_products[] = {
        {"offsets is float64; this operator takes int8, int16, int32, int64, uint8, uint16, uint32, uint64",
         STREW_STATUS_UNSUPPORTED_DTYPE,
         STREW_DTYPE_FLOAT64,
         1,
         3,
         {0, 1, 2},
         2},
        {"offsets has rank 2; 1 is needed to fit output",
         STREW_STATUS_SHAPE_MISMATCH,
         STREW_DTYPE_INT64,
         2,
         3,
         {0, 1, 2},
         2},
        {"dimension 0 of offsets is 0; 1 is needed to fit output",
         STREW_STATUS_SHAPE_MISMATCH,
         STREW_DTYPE_INT64,
         1,
         0,
         {0},
         2},
        {"offsets[2] is 1, outside [2, 2]", STREW_STATUS_INVALID_ARGUMENT, STREW_DTYPE_INT64, 1, 3, {0, 1, 1}, 2},
        {"offsets[2] is 3, outside [2, 2]", STREW_STATUS_INVALID_ARGUMENT, STREW_DTYPE_INT64, 1, 3, {0, 1, 3}, 2},
        {"offsets[1] is 5, outside [0, 2]", STREW_STATUS_INVALID_ARGUMENT, STREW_DTYPE_INT64, 1, 3, {0, 5, 2}, 2},
        {"offsets[1] is -1, outside [0, 2]", STREW_STATUS_INVALID_ARGUMENT, STREW_DTYPE_INT64, 1, 3, {0, -1, 2}, 2},
        {"offsets[2] is 1, less than the 2 before it",
         STREW_STATUS_INVALID_ARGUMENT,
         STREW_DTYPE_INT64,
         1,
         4,
         {0, 2, 1, 2},
         2},
    };
    static const refused of_expansions[] = {
        {"offsets[0] is 1, outside [0, 0]", STREW_STATUS_INVALID_ARGUMENT, STREW_DTYPE_INT64, 1, 3, {1, 1, 2}, 2},
    };
    static const int32_t both[] = {0, 1};
    for (size_t r = 0; r < COUNT(of_products) + COUNT(of_expansions); r++) {
        const bool multiplies = r < COUNT(of_products);
        const refused *const self = multiplies ? &of_products[r] : &of_expansions[r - COUNT(of_products)];
        const int64_t shape[] = {self->count, 1}, list[] = {self->entries};
        const int64_t output_rows[] = {self->count > 0 ? self->count - 1 : 0, WIDTH};
        float product[ROWS][WIDTH];
        int32_t ids[2] = {9, 9};
        strew_error error = {0};
        strew_options options = call_options();
        options.error = &error;
        const strew_tensor offsets = TENSOR(self->offsets, self->dtype, self->rank, shape);
        const strew_tensor indices = TENSOR(both, STREW_DTYPE_INT32, 1, list);
        const strew_tensor data = TENSOR(dense, STREW_DTYPE_FLOAT32, 2, dense_shape);
        const strew_tensor output = TENSOR(product, STREW_DTYPE_FLOAT32, 2, output_rows);
        const strew_tensor written = TENSOR(ids, STREW_DTYPE_INT32, 1, list);
        if (multiplies)
            expect_refusal(
                self, strew_csr_matmul(&offsets, &indices, NULL, &data, STREW_REDUCTION_SUM, &output, &options),
                &error);
        expect_refusal(self, strew_expand_offsets(&offsets, &written, &error), &error);
        assert_true(ids[0] == 9 && ids[1] == 9);
    }
}

static void wrong_ids_are_refused(void **state)
{
    (void)state;
    char text[256];
    int64_t list[3] = {0, 1, 2};
    static const int64_t three[] = {3}, two[] = {2}, same[] = {0};
    strew_error error;
    const strew_tensor offsets = TENSOR(list, STREW_DTYPE_INT64, 1, three);
    const strew_tensor bytes = TENSOR(list, STREW_DTYPE_INT8, 1, two);
    assert_int_equal(strew_expand_offsets(&offsets, &bytes, &error), STREW_STATUS_UNSUPPORTED_DTYPE);
    const strew_tensor over = TENSOR(list + 1, STREW_DTYPE_INT64, 1, two);
    assert_int_equal(strew_expand_offsets(&offsets, &over, &error), STREW_STATUS_INVALID_ARGUMENT);
    strew_error_message(&error, text, sizeof text);
    assert_string_equal(text, "segment_ids overlaps offsets; it must lie apart from it");
    int64_t one_id;
    const strew_tensor onto_itself = {&one_id, STREW_DTYPE_INT64, 1, two, same};
    assert_int_equal(strew_expand_offsets(&offsets, &onto_itself, &error), STREW_STATUS_INVALID_ARGUMENT);
    const strew_tensor nowhere = TENSOR(NULL, STREW_DTYPE_INT64, 1, two);
    assert_int_equal(strew_expand_offsets(&offsets, &nowhere, &error), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(strew_expand_offsets(NULL, &over, NULL), STREW_STATUS_INVALID_ARGUMENT);
    static const int64_t too_many[] = {(int64_t)INT32_MAX + 2};
    int32_t id;
    static const int64_t none[] = {0};
    const strew_tensor many = {list, STREW_DTYPE_INT64, 1, too_many, same};
    const strew_tensor narrow = TENSOR(&id, STREW_DTYPE_INT32, 1, none);
    assert_int_equal(strew_expand_offsets(&many, &narrow, NULL), STREW_STATUS_UNSUPPORTED_DTYPE);
}

/* Refusals of the underlying call are the same, and so are those of options. */
static void the_rest_is_refused_as_by_bags(void **state)
{
    (void)state;
    float product[ROWS][WIDTH];
    char text[256];
    strew_error error;
    strew_options options = call_options();
    options.error = &error;
    static const int32_t beyond[ENTRIES] = {3, 0, 4};
    const strew_tensor offsets = TENSOR(offsets32, STREW_DTYPE_INT32, 1, offsets_shape);
    const strew_tensor indices = TENSOR(beyond, STREW_DTYPE_INT32, 1, entries_shape);
    const strew_tensor weights = TENSOR(values, STREW_DTYPE_FLOAT32, 1, entries_shape);
    const strew_tensor data = TENSOR(dense, STREW_DTYPE_FLOAT32, 2, dense_shape);
    const strew_tensor output = TENSOR(product, STREW_DTYPE_FLOAT32, 2, output_shape);
    assert_int_equal(strew_csr_matmul(&offsets, &indices, &weights, &data, STREW_REDUCTION_SUM, &output, &options),
                     STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    strew_error_message(&error, text, sizeof text);
    assert_string_equal(text, "indices[2] is 4, outside [-4, 3] for dimension 0 of data");
    assert_int_equal(strew_csr_matmul(&offsets, NULL, &weights, &data, STREW_REDUCTION_SUM, &output, &options),
                     STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(strew_csr_matmul(&offsets, &indices, &weights, &data, STREW_REDUCTION_MEAN, &output, &options),
                     STREW_STATUS_INVALID_ARGUMENT);
    options.struct_size = 1;
    assert_int_equal(strew_csr_matmul(&offsets, &indices, &weights, &data, STREW_REDUCTION_SUM, &output, &options),
                     STREW_STATUS_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_multiplied_by_offsets_of_each_width),
        cmocka_unit_test(without_values_all_are_one),
        cmocka_unit_test(a_vector_is_multiplied_by_offsets_with_strides),
        cmocka_unit_test(offsets_are_expanded),
        cmocka_unit_test(compressed_columns_are_multiplied_by_their_expansion),
        cmocka_unit_test(a_matrix_without_rows_or_entries_is_one),
        cmocka_unit_test(wrong_offsets_are_refused),
        cmocka_unit_test(wrong_ids_are_refused),
        cmocka_unit_test(the_rest_is_refused_as_by_bags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
