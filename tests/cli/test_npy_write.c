/* The .npy files of the command line: written files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "npy_file.h"
#include "system/system.h"
#include "test.h"

/* ---- Writing ------------------------------------------------------------------------------------- */

static npy_array create(const npy_array *like, int32_t rank, const int64_t *shape)
{
    npy_array array;
    npy_error error = {STREW_STATUS_OK, ""};
    assert_int_equal(npy_create_like(&array, like, rank, shape, &error), STREW_STATUS_OK);
    return array;
}

static void write_array(const npy_array *array)
{
    npy_error error = {STREW_STATUS_OK, ""};
    strew_status status = npy_write(PATH, array, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, STREW_STATUS_OK);
}

static struct file load(void)
{
    struct file file;
    FILE *stream = fopen(PATH, "rb");
    assert_non_null(stream);
    file.size = fread(file.bytes, 1, sizeof(file.bytes), stream);
    fclose(stream);
    return file;
}

/* The file at PATH is of version 1.0, aligned, and has this dictionary and data. */
static void assert_written(const char *dictionary, const void *data, size_t size)
{
    struct file file = load();
    size_t length = strlen(dictionary);
    size_t start = 10 + file.bytes[8] + 256u * file.bytes[9];
    assert_memory_equal(file.bytes, "\x93NUMPY\x01\x00", 8);
    assert_int_equal(start % 64, 0);
    assert_in_range(start, 10 + length + 1, 10 + length + 64);
    assert_memory_equal(file.bytes + 10, dictionary, length);
    for (size_t i = 10 + length; i < start - 1; i++)
        assert_int_equal(file.bytes[i], ' ');
    assert_int_equal(file.bytes[start - 1], '\n');
    assert_int_equal(file.size, start + size);
    assert_memory_equal(file.bytes + start, data, size);
}

static void every_element_is_written_and_read_back(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 3};
    for (size_t i = 0; i < COUNT(elements); i++) {
        npy_array like = {.dtype = elements[i].dtype};
        npy_array array = create(&like, 2, shape);
        char dictionary[80];
        size_t size = ELEMENTS * elements[i].size;
        fill(array.data, size);
        write_array(&array);
        snprintf(dictionary, sizeof(dictionary), "{'descr': '%s%s', 'fortran_order': False, 'shape': (2, 3), }",
                 elements[i].width == 1 ? "|" : HOST, elements[i].descr);
        assert_written(dictionary, array.data, size);

        npy_array back;
        npy_error error;
        assert_int_equal(npy_read(PATH, &back, NULL, NULL, &error), STREW_STATUS_OK);
        assert_int_equal(back.dtype, elements[i].dtype);
        assert_int_equal(back.rank, 2);
        assert_dimensions(back.shape, 2, shape);
        assert_memory_equal(back.data, array.data, size);
        npy_free(&back);
        npy_free(&array);
    }
    remove(PATH);
}

static void bfloat16_is_written_as_uint16(void **state)
{
    (void)state;
    static const int64_t shape[] = {1};
    npy_array like = {.dtype = STREW_DTYPE_BFLOAT16};
    npy_array array = create(&like, 1, shape);
    memcpy(array.data, "ab", 2);
    write_array(&array);
    assert_written("{'descr': '" HOST "u2', 'fortran_order': False, 'shape': (1,), }", "ab", 2);
    npy_free(&array);
    remove(PATH);
}

static void shapes_are_written_as_tuples(void **state)
{
    (void)state;
    static const struct {
        int32_t rank;
        int64_t shape[3];
        const char *written;
        size_t size;
    } shapes[] = {{0, {0}, "()", 1}, {1, {3}, "(3,)", 3}, {1, {0}, "(0,)", 0}, {3, {1, 2, 3}, "(1, 2, 3)", 6}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        npy_array like = {.dtype = STREW_DTYPE_INT8};
        npy_array array = create(&like, shapes[i].rank, shapes[i].shape);
        char dictionary[80];
        write_array(&array);
        snprintf(dictionary, sizeof(dictionary), "{'descr': '|i1', 'fortran_order': False, 'shape': %s, }",
                 shapes[i].written);
        assert_written(dictionary, "\0\0\0\0\0\0", shapes[i].size);
        npy_free(&array);
    }
    remove(PATH);
}

static void data_starts_aligned_whatever_the_length_of_the_header(void **state)
{
    (void)state;
    for (int32_t rank = 0; rank <= STREW_MAX_RANK; rank++) {
        int64_t shape[STREW_MAX_RANK];
        npy_array like = {.dtype = STREW_DTYPE_UINT8};
        npy_error error;
        for (int i = 0; i < STREW_MAX_RANK; i++)
            shape[i] = 1;
        npy_array array = create(&like, rank, shape);
        memset(array.data, 'x', 1);
        write_array(&array);
        npy_free(&array);

        struct file file = load();
        assert_int_equal(file.size % 64, 1);
        assert_int_equal(npy_read(PATH, &array, NULL, NULL, &error), STREW_STATUS_OK);
        assert_int_equal(array.rank, rank);
        assert_memory_equal(array.data, "x", 1);
        npy_free(&array);
    }
    remove(PATH);
}

static void fortran_order_is_kept(void **state)
{
    (void)state;
    const char *dictionary = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
    struct file file = craft(dictionary, "abcdef", 6);
    npy_array array = read_file(&file);
    write_array(&array);
    assert_written(dictionary, "abcdef", 6);
    npy_free(&array);
    remove(PATH);
}

static void strings_are_padded_to_the_size_that_the_caller_sets(void **state)
{
    (void)state;
    struct file file = craft_array("|S3", "(3,)", "abcd\0\0\0\0\0", 9);
    npy_array array = read_file(&file);
    array.string_size = 5;
    write_array(&array);
    assert_written("{'descr': '|S5', 'fortran_order': False, 'shape': (3,), }", "abc\0\0d\0\0\0\0\0\0\0\0\0", 15);
    npy_free(&array);

    file = craft_array(HOST "U1", "(2,)", "abcd\0\0\0\0", 8);
    array = read_file(&file);
    array.string_size = 8;
    write_array(&array);
    assert_written("{'descr': '" HOST "U2', 'fortran_order': False, 'shape': (2,), }",
                   "abcd\0\0\0\0\0\0\0\0\0\0\0\0", 16);
    npy_free(&array);

    file = craft_array("|S0", "(2,)", "", 0);
    array = read_file(&file);
    write_array(&array);
    assert_written("{'descr': '|S0', 'fortran_order': False, 'shape': (2,), }", "", 0);
    npy_free(&array);
    remove(PATH);
}

static void a_string_that_does_not_fit_is_refused_before_a_file_is_made(void **state)
{
    (void)state;
    struct file file = craft_array("|S3", "(2,)", "ab\0abc", 6);
    npy_array array = read_file(&file);
    npy_error error;
    array.string_size = 2;
    assert_int_equal(npy_write(PATH, &array, NULL, NULL, &error), STREW_STATUS_INVALID_ARGUMENT);
    assert_string_equal(error.message, PATH ": a string is larger than the 2 bytes of its elements");
    assert_int_not_equal(access(PATH, F_OK), 0);
    npy_free(&array);
}

static void a_created_array_is_like_another_but_zero_and_in_c_order(void **state)
{
    (void)state;
    static const int64_t shape[] = {4, 0, 2};
    static const int64_t strides[] = {2, 2, 1};
    struct file file = craft("{'descr': '|S3', 'fortran_order': True, 'shape': (1, 2), }\n", "abcdef", 6);
    npy_array like = read_file(&file);
    npy_array array = create(&like, 3, shape);
    assert_int_equal(array.dtype, STREW_DTYPE_STRING);
    assert_int_equal(array.string_kind, 'S');
    assert_int_equal(array.string_size, 3);
    assert_int_equal(array.rank, 3);
    assert_false(array.fortran_order);
    assert_dimensions(array.shape, 3, shape);
    assert_dimensions(array.strides, 3, strides);
    assert_non_null(array.data);
    assert_null(array.text);
    npy_free(&array);

    static const int64_t one[] = {1};
    static const strew_string empty[] = {{"", 0}};
    array = create(&like, 1, one);
    assert_strings(&array, 1, empty);
    npy_free(&array);
    npy_free(&like);
}

static void an_array_too_large_to_create_is_out_of_memory(void **state)
{
    (void)state;
    static const int64_t shape[] = {INT64_MAX, 2};
    npy_array like = {.dtype = STREW_DTYPE_INT8};
    npy_array array;
    npy_error error;
    assert_int_equal(npy_create_like(&array, &like, 2, shape, &error), STREW_STATUS_OUT_OF_MEMORY);
    assert_int_equal(error.status, STREW_STATUS_OUT_OF_MEMORY);
    assert_null(array.data);
}

/* ---- Failures to write --------------------------------------------------------------------------- */

static void a_place_that_takes_no_file_is_an_error(void **state)
{
    (void)state;
    npy_array like = {.dtype = STREW_DTYPE_INT8};
    npy_array array = create(&like, 0, NULL);
    npy_error error;
    assert_int_equal(npy_write("no/such.npy", &array, NULL, NULL, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, "no/such.npy", "cannot create", ENOENT);
    assert_int_equal(npy_write(".", &array, NULL, NULL, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, ".", "cannot create", system_directory_error);
    npy_free(&array);
}

/* ---- Large files -------------------------------------------------------------------------------- */

struct watch {
    size_t reports, done, total;
};

static void observe(void *context, size_t done, size_t total)
{
    struct watch *watch = context;
    assert_true(done > watch->done && done <= total);
    assert_true(watch->reports == 0 || total == watch->total);
    *watch = (struct watch){watch->reports + 1, done, total};
}

static void progress_is_told_of_large_files_only(void **state)
{
    (void)state;
    static const struct {
        int64_t count;
        bool large;
    } sizes[] = {{1000, false}, {1000001, true}};
    npy_array like = {.dtype = STREW_DTYPE_INT32};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct watch written = {0, 0, 0}, read = {0, 0, 0};
        npy_array array = create(&like, 1, &sizes[i].count), back;
        size_t bytes = (size_t)sizes[i].count * sizeof(int32_t);
        npy_error error;
        fill(array.data, bytes);
        assert_int_equal(npy_write(PATH, &array, observe, &written, &error), STREW_STATUS_OK);
        assert_int_equal(npy_read(PATH, &back, observe, &read, &error), STREW_STATUS_OK);
        assert_memory_equal(back.data, array.data, bytes);
        assert_true(sizes[i].large ? written.reports > 1 : written.reports == 0);
        assert_true(sizes[i].large ? read.reports > 1 : read.reports == 0);
        assert_true(written.done == written.total && read.done == read.total);
        npy_free(&array);
        npy_free(&back);
    }
    remove(PATH);
}

static void many_strings_are_written_in_order(void **state)
{
    (void)state;
    static const int64_t count[] = {600000};
    char text[256];
    fill((unsigned char *)text, 251);
    npy_array like = {.dtype = STREW_DTYPE_STRING, .string_kind = 'S', .string_size = 4};
    npy_array array = create(&like, 1, count), back;
    strew_string *strings = array.data;
    for (size_t i = 0; i < (size_t)count[0]; i++)
        strings[i] = (strew_string){text + i % 247, i % 5};
    struct watch written = {0, 0, 0};
    npy_error error;
    assert_int_equal(npy_write(PATH, &array, observe, &written, &error), STREW_STATUS_OK);
    assert_true(written.reports > 1 && written.done == written.total);
    assert_int_equal(npy_read(PATH, &back, NULL, NULL, &error), STREW_STATUS_OK);
    assert_strings(&back, (size_t)count[0], strings);
    npy_free(&back);
    npy_free(&array);
    remove(PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_written_and_read_back),
        cmocka_unit_test(bfloat16_is_written_as_uint16),
        cmocka_unit_test(shapes_are_written_as_tuples),
        cmocka_unit_test(data_starts_aligned_whatever_the_length_of_the_header),
        cmocka_unit_test(fortran_order_is_kept),
        cmocka_unit_test(strings_are_padded_to_the_size_that_the_caller_sets),
        cmocka_unit_test(a_string_that_does_not_fit_is_refused_before_a_file_is_made),
        cmocka_unit_test(a_created_array_is_like_another_but_zero_and_in_c_order),
        cmocka_unit_test(an_array_too_large_to_create_is_out_of_memory),
        cmocka_unit_test(a_place_that_takes_no_file_is_an_error),
        cmocka_unit_test(progress_is_told_of_large_files_only),
        cmocka_unit_test(many_strings_are_written_in_order),
    };
    return cmocka_run_group_tests_name("npy_write", tests, directory_enter, directory_leave);
}
