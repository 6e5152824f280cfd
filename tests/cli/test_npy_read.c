/* The .npy files of the command line: valid files. */
#include <stdio.h>
#include <stdlib.h>

#include "npy_file.h"
#include "test.h"

static void every_element_is_read_in_every_byte_order(void **state)
{
    (void)state;
    static const char *const orders[] = {HOST, "=", "|", "", FOREIGN};
    for (size_t i = 0; i < COUNT(elements); i++) {
        for (size_t j = 0; j < COUNT(orders); j++) {
            char descr[8];
            unsigned char data[ELEMENTS * MAX_ELEMENT];
            size_t size = ELEMENTS * elements[i].size;
            snprintf(descr, sizeof(descr), "%s%s", orders[j], elements[i].descr);
            fill(data, size);
            struct file file = craft_array(descr, "(2, 3)", data, size);
            npy_array array = read_file(&file);
            if (strcmp(orders[j], FOREIGN) == 0)
                reverse_each(data, size, elements[i].width);
            assert_int_equal(array.dtype, elements[i].dtype);
            assert_memory_equal(array.data, data, size);
            npy_free(&array);
        }
    }
}

static void question_mark_is_bool_and_its_bytes_are_kept(void **state)
{
    (void)state;
    struct file file = craft_array("|?", "(4,)", "\x00\x01\x02\xff", 4);
    npy_array array = read_file(&file);
    assert_int_equal(array.dtype, STREW_DTYPE_BOOL);
    assert_memory_equal(array.data, "\x00\x01\x02\xff", 4);
    npy_free(&array);
}

static void numbers_have_the_value_of_their_byte_order(void **state)
{
    (void)state;
    static const unsigned char big[] = {0x01, 0x02, 0xff, 0xfe};
    struct file file = craft_array(">i2", "(2,)", big, sizeof(big));
    npy_array array = read_file(&file);
    const int16_t *values = array.data;
    assert_int_equal(values[0], 0x0102);
    assert_int_equal(values[1], -2);
    npy_free(&array);

    file = craft_array("<i2", "(2,)", big, sizeof(big));
    array = read_file(&file);
    values = array.data;
    assert_int_equal(values[0], 0x0201);
    assert_int_equal(values[1], -257);
    npy_free(&array);
}

static void versions_1_2_and_3_are_read(void **state)
{
    (void)state;
    const char *header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n";
    for (unsigned major = 1; major <= 3; major++) {
        struct file file = craft_claiming(major, strlen(header), header, "abc", 3);
        npy_array array = read_file(&file);
        assert_int_equal(array.dtype, STREW_DTYPE_UINT8);
        assert_int_equal(array.rank, 1);
        assert_int_equal(array.shape[0], 3);
        assert_memory_equal(array.data, "abc", 3);
        npy_free(&array);
    }
}

static void a_header_may_be_longer_than_version_1_allows(void **state)
{
    (void)state;
    enum { PADDING = 70000 };
    const char *header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }";
    struct file start = craft_claiming(2, strlen(header) + PADDING, header, "", 0);
    size_t size = start.size + PADDING + 3;
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    memset(bytes, ' ', size);
    memcpy(bytes, start.bytes, start.size);
    memcpy(bytes + size - 3, "abc", 3);

    npy_array array;
    npy_error error;
    assert_int_equal(npy_read_memory("long.npy", bytes, size, &array, &error), STREW_STATUS_OK);
    assert_memory_equal(array.data, "abc", 3);
    npy_free(&array);
    free(bytes);
}

static void order_is_told_by_strides(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 3, 4};
    static const int64_t c_strides[] = {12, 4, 1};
    static const int64_t fortran_strides[] = {1, 2, 6};
    unsigned char data[24];
    fill(data, sizeof(data));

    struct file file = craft_array("|u1", "(2, 3, 4)", data, sizeof(data));
    npy_array array = read_file(&file);
    assert_false(array.fortran_order);
    assert_dimensions(array.strides, 3, c_strides);
    npy_free(&array);

    file = craft("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }\n", data, sizeof(data));
    array = read_file(&file);
    assert_true(array.fortran_order);
    assert_dimensions(array.shape, 3, shape);
    assert_dimensions(array.strides, 3, fortran_strides);
    assert_memory_equal(array.data, data, sizeof(data));
    npy_free(&array);
}

static void tensor_is_a_view_of_the_array(void **state)
{
    (void)state;
    struct file file = craft_array(HOST "i2", "(1, 2)", "abcd", 4);
    npy_array array = read_file(&file);
    strew_tensor tensor = npy_tensor(&array);
    assert_ptr_equal(tensor.data, array.data);
    assert_int_equal(tensor.dtype, STREW_DTYPE_INT16);
    assert_int_equal(tensor.rank, 2);
    assert_ptr_equal(tensor.shape, array.shape);
    assert_ptr_equal(tensor.strides, array.strides);
    npy_free(&array);
}

static void rank_goes_from_0_to_the_maximum(void **state)
{
    (void)state;
    struct file file = craft_array("|u1", "()", "x", 1);
    npy_array array = read_file(&file);
    assert_int_equal(array.rank, 0);
    assert_memory_equal(array.data, "x", 1);
    npy_free(&array);

    char shape[3 * STREW_MAX_RANK + 5] = "(2";
    for (int i = 1; i < STREW_MAX_RANK; i++)
        strcat(shape, ", 1");
    strcat(shape, ")");
    file = craft_array("|u1", shape, "xy", 2);
    array = read_file(&file);
    assert_int_equal(array.rank, STREW_MAX_RANK);
    assert_int_equal(array.shape[0], 2);
    assert_int_equal(array.shape[STREW_MAX_RANK - 1], 1);
    npy_free(&array);

    shape[strlen(shape) - 1] = '\0';
    strcat(shape, ", 1)");
    file = craft_array("|u1", shape, "xy", 2);
    assert_refused(&file, STREW_STATUS_INVALID_ARGUMENT,
                   "its shape has more than the 32 dimensions that strew takes");
}

static void dimensions_may_be_empty(void **state)
{
    (void)state;
    static const int64_t shape[] = {3, 0, 1000000};
    struct file file = craft_array(HOST "f8", "(3, 0, 1000000)", "", 0);
    npy_array array = read_file(&file);
    assert_int_equal(array.rank, 3);
    assert_dimensions(array.shape, 3, shape);
    assert_non_null(array.data);
    npy_free(&array);
}

static void bytes_after_the_data_are_ignored(void **state)
{
    (void)state;
    struct file file = craft_array("|u1", "(2,)", "xyrest", 6);
    npy_array array = read_file(&file);
    assert_memory_equal(array.data, "xy", 2);
    npy_free(&array);
}

static void headers_may_be_written_as_python_may_write_them(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{'shape': (2, 3), 'fortran_order': False, 'descr': '|u1'}",
        "{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (2, 3)}\n",
        "  {'descr':'|u1','fortran_order':False,'shape':(2,3,)}",
        "{ 'descr' : '|u1' ,\n\t'fortran_order' : False ,\r\n 'shape' : ( 2 , 3 , ) , } \n\n",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 3L), }\n",
    };
    for (size_t i = 0; i < COUNT(headers); i++) {
        struct file file = craft(headers[i], "abcdef", 6);
        npy_array array = read_file(&file);
        assert_int_equal(array.dtype, STREW_DTYPE_UINT8);
        assert_int_equal(array.rank, 2);
        assert_int_equal(array.shape[0], 2);
        assert_int_equal(array.shape[1], 3);
        assert_false(array.fortran_order);
        npy_free(&array);
    }
}

/* ---- Reading strings ----------------------------------------------------------------------------- */

static void byte_strings_end_before_the_nuls_that_pad_them(void **state)
{
    (void)state;
    static const strew_string expected[] = {{"abc", 3}, {"a\0b", 3}, {"", 0}, {"x", 1}};
    struct file file = craft_array("|S3", "(2, 2)", "abca\0b\0\0\0x\0\0", 12);
    npy_array array = read_file(&file);
    assert_strings(&array, 4, expected);
    assert_int_equal(array.string_kind, 'S');
    assert_int_equal(array.string_size, 3);
    npy_free(&array);
}

static void unicode_strings_end_before_the_code_points_that_pad_them(void **state)
{
    (void)state;
    static const uint32_t points[] = {'a', 0x1f600, 0, 0x100, 0, 0, 0, 0, 0};
    static const strew_string expected[] = {
        {(const char *)&points[0], 8}, {(const char *)&points[3], 4}, {(const char *)&points[6], 0}};
    uint32_t swapped[COUNT(points)];
    for (size_t i = 0; i < COUNT(points); i++)
        swapped[i] = points[i] >> 24 | (points[i] >> 8 & 0xff00) | (points[i] & 0xff00) << 8 | points[i] << 24;

    struct file file = craft_array(HOST "U3", "(3,)", points, sizeof(points));
    npy_array array = read_file(&file);
    assert_strings(&array, 3, expected);
    assert_int_equal(array.string_kind, 'U');
    assert_int_equal(array.string_size, 12);
    npy_free(&array);

    file = craft_array(FOREIGN "U3", "(3,)", swapped, sizeof(swapped));
    array = read_file(&file);
    assert_strings(&array, 3, expected);
    npy_free(&array);
}

static void strings_may_have_no_bytes_at_all(void **state)
{
    (void)state;
    static const char *const descrs[] = {"|S0", "<U0", ">U0"};
    static const strew_string expected[] = {{"", 0}, {"", 0}, {"", 0}};
    for (size_t i = 0; i < COUNT(descrs); i++) {
        struct file file = craft_array(descrs[i], "(3,)", "", 0);
        npy_array array = read_file(&file);
        assert_strings(&array, 3, expected);
        assert_int_equal(array.string_size, 0);
        npy_free(&array);
    }
}

static void strings_of_no_bytes_are_limited_all_the_same(void **state)
{
    (void)state;
    struct file file = craft_array("|S0", "(1048576,)", "", 0);
    npy_array array = read_file(&file);
    npy_free(&array);
    file = craft_array("|S0", "(1048577,)", "", 0);
    assert_refused(&file, STREW_STATUS_IO_ERROR,
                   "damaged header: 1048577 strings of no bytes, where 1048576 are the most");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_read_in_every_byte_order),
        cmocka_unit_test(question_mark_is_bool_and_its_bytes_are_kept),
        cmocka_unit_test(numbers_have_the_value_of_their_byte_order),
        cmocka_unit_test(versions_1_2_and_3_are_read),
        cmocka_unit_test(a_header_may_be_longer_than_version_1_allows),
        cmocka_unit_test(order_is_told_by_strides),
        cmocka_unit_test(tensor_is_a_view_of_the_array),
        cmocka_unit_test(rank_goes_from_0_to_the_maximum),
        cmocka_unit_test(dimensions_may_be_empty),
        cmocka_unit_test(bytes_after_the_data_are_ignored),
        cmocka_unit_test(headers_may_be_written_as_python_may_write_them),
        cmocka_unit_test(byte_strings_end_before_the_nuls_that_pad_them),
        cmocka_unit_test(unicode_strings_end_before_the_code_points_that_pad_them),
        cmocka_unit_test(strings_may_have_no_bytes_at_all),
        cmocka_unit_test(strings_of_no_bytes_are_limited_all_the_same),
    };
    return cmocka_run_group_tests_name("npy_read", tests, directory_enter, directory_leave);
}
