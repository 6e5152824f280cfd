/* The fill that a gather writes for skipped rows: one element of any dtype, of any size and alignment. */
#include "call.h"
#include "element.h"
#include "parallel.h"
#include "test.h"

enum { FILL_ROWS = 4, FOUND_ROWS = 3, LONGEST_ROW = 70, LONGEST_ELEMENT = 100 };

static unsigned char fill_data[FILL_ROWS * LONGEST_ROW * LONGEST_ELEMENT];
static unsigned char fill_found[FOUND_ROWS * LONGEST_ROW * LONGEST_ELEMENT];
static unsigned char fill_memory[1 + LONGEST_ELEMENT];

/* Rows 2 and 0 of data, and between them one that is not there. */
static const int64_t fill_indices[] = {2, 9, -4};

static void check_row(int row, const unsigned char *expected, size_t element, int64_t length, bool repeats)
{
    const size_t bytes = (size_t)length * element;
    for (size_t i = 0; i < bytes; i++)
        if (fill_found[(size_t)row * bytes + i] != expected[repeats ? i % element : i])
            fail_msg("row %d of %d elements of %zu bytes: byte %zu is wrong", row, (int)length, element, i);
}

static void check_fill(strew_kind kind, strew_dtype dtype, int64_t length, const void *fill, call_way way,
                       const strew_parallel *parallel)
{
    static const unsigned char zeros[LONGEST_ELEMENT];
    const int64_t data_shape[] = {FILL_ROWS, length}, dense_shape[] = {FOUND_ROWS, length};
    const int64_t tuples_shape[] = {FOUND_ROWS, 1}, each_of_row[] = {1, 0};
    const bool of_elements = kind == STREW_KIND_GATHER_ELEMENTS;
    const strew_tensor data = {fill_data, dtype, 2, data_shape, NULL};
    const strew_tensor indices = {(void *)(uintptr_t)fill_indices, STREW_DTYPE_INT64, kind_has_axis(kind) ? 1 : 2,
                                  of_elements ? dense_shape : tuples_shape, of_elements ? each_of_row : NULL};
    const strew_tensor output = {fill_found, dtype, 2, dense_shape, NULL};
    const operator_call call = {.kind = kind, .data = &data, .indices = &indices, .output = &output};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    options.fill = fill;
    options.parallel = parallel;
    memset(fill_found, 0x5a, sizeof fill_found);
    assert_int_equal(call_run(&call, way, FULL_SCRATCH, &options), STREW_STATUS_OK);
    const size_t element = element_size(dtype), row = (size_t)length * element;
    check_row(0, fill_data + 2 * row, element, length, false);
    check_row(1, fill ? fill : zeros, element, length, true);
    check_row(2, fill_data, element, length, false);
    for (size_t i = FOUND_ROWS * row; i < sizeof fill_found; i++)
        assert_int_equal(fill_found[i], 0x5a);
}

static void check_fills(strew_dtype dtype)
{
    static const int64_t lengths[] = {1, 3, 16, LONGEST_ROW};
    const strew_parallel threads = parallel_threads(3);
    static const strew_kind kinds[] = {STREW_KIND_GATHER, STREW_KIND_GATHER_ND, STREW_KIND_GATHER_ELEMENTS};
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t l = 0; l < COUNT(lengths); l++)
            for (call_way way = BY_ONE_CALL; way <= BY_PLAN; way++) {
                check_fill(kinds[k], dtype, lengths[l], NULL, way, NULL);
                check_fill(kinds[k], dtype, lengths[l], fill_memory + 1, way, NULL);
                check_fill(kinds[k], dtype, lengths[l], fill_memory + 1, way, &threads);
            }
}

/* A fill has any alignment. */
static void every_dtype_can_be_filled_with(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 33, 64, LONGEST_ELEMENT};
    for (size_t i = 0; i < sizeof fill_data; i++)
        fill_data[i] = (unsigned char)(i % 241);
    for (size_t i = 0; i < sizeof fill_memory; i++)
        fill_memory[i] = (unsigned char)(255 - i % 13);
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_COUNT; dtype++)
        if (strew_dtype_size(dtype) > 0) /* packed ones: test_packed.c */
            check_fills(dtype);
    for (size_t i = 0; i < COUNT(sizes); i++)
        check_fills(STREW_DTYPE_OPAQUE(sizes[i]));
}

/* Elements that do not end where the parts of a row do, which threads share. */
static void a_long_row_is_filled_by_several_threads(void **state)
{
    (void)state;
    enum { ELEMENT = 12, LENGTH = 2000 };
    static unsigned char row[ELEMENT * LENGTH], found[ELEMENT * LENGTH];
    static const int64_t shape[] = {1, LENGTH}, one[] = {1};
    static int64_t index = 7;
    const strew_parallel threads = parallel_threads(3);
    const strew_tensor data = {row, STREW_DTYPE_OPAQUE(ELEMENT), 2, shape, NULL};
    const strew_tensor indices = {&index, STREW_DTYPE_INT64, 1, one, NULL};
    const strew_tensor output = {found, STREW_DTYPE_OPAQUE(ELEMENT), 2, shape, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    options.fill = "twelve bytes";
    options.parallel = &threads;
    assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, &options), STREW_STATUS_OK);
    for (size_t e = 0; e < LENGTH; e++)
        assert_memory_equal(found + e * ELEMENT, "twelve bytes", ELEMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dtype_can_be_filled_with),
        cmocka_unit_test(a_long_row_is_filled_by_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
