/* The .npy files of the command line: what is read, what is refused and what is written. */
#define _POSIX_C_SOURCE 200809L /* symlink, lstat, setrlimit */

#include "tools/npy.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HOST ">"
#define FOREIGN "<"
#else
#define HOST "<"
#define FOREIGN ">"
#endif

#define PATH "test_npy.npy"
#define LINK_PATH "test_npy.link"
#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

enum { FILE_ROOM = 4096, MAX_ELEMENT = 16, ELEMENTS = 6 };

/* ---- Crafted files ------------------------------------------------------------------------------- */

struct file {
    unsigned char bytes[FILE_ROOM];
    size_t size;
};

static void put(struct file *file, const void *bytes, size_t size)
{
    assert_true(file->size + size <= sizeof(file->bytes));
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

/* A file of version `major`.0 with exactly this header, whose length it claims to be `claimed`. */
static struct file craft_claiming(unsigned major, size_t claimed, const char *header, const void *data, size_t size)
{
    struct file file = {.size = 0};
    put(&file, "\x93NUMPY", 6);
    put(&file, (const unsigned char[]){(unsigned char)major, 0}, 2);
    for (unsigned i = 0; i < (major == 1 ? 2 : 4); i++)
        put(&file, (const unsigned char[]){claimed >> 8 * i & 0xff}, 1);
    put(&file, header, strlen(header));
    put(&file, data, size);
    return file;
}

static struct file craft(const char *header, const void *data, size_t size)
{
    return craft_claiming(1, strlen(header), header, data, size);
}

/* A file of C order with this descr and shape. */
static struct file craft_array(const char *descr, const char *shape, const void *data, size_t size)
{
    char header[1024];
    snprintf(header, sizeof(header), "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    return craft(header, data, size);
}

/* Reads from an allocation of exactly this size, so that a sanitizer sees any byte read beyond it. */
static strew_status read_exact(const unsigned char *bytes, size_t size, npy_array *array, npy_error *error)
{
    unsigned char *copy = malloc(size);
    assert_true(copy != NULL || size == 0);
    if (size > 0)
        memcpy(copy, bytes, size);
    strew_status status = npy_read_memory("crafted.npy", copy, size, array, error);
    free(copy);
    return status;
}

static npy_array read_file(const struct file *file)
{
    npy_array array;
    npy_error error = {STREW_OK, ""};
    strew_status status = read_exact(file->bytes, file->size, &array, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, STREW_OK);
    return array;
}

/* The file is refused with this status and exactly this message after its name. */
static void assert_refused(const struct file *file, strew_status status, const char *message)
{
    npy_array array;
    npy_error error = {STREW_OK, ""};
    char line[sizeof(error.message)];
    snprintf(line, sizeof(line), "crafted.npy: %s", message);
    assert_int_equal(read_exact(file->bytes, file->size, &array, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, line);
    assert_null(array.data);
    assert_null(array.text);
}

/* The error is this one of the operating system's. */
static void assert_io_error(const npy_error *error, const char *path, const char *what, int cause)
{
    char line[sizeof(error->message)];
    snprintf(line, sizeof(line), "%s: %s: %s", path, what, strerror(cause));
    assert_int_equal(error->status, STREW_IO_ERROR);
    assert_string_equal(error->message, line);
}

static void assert_dimensions(const int64_t *found, size_t rank, const int64_t *expected)
{
    for (size_t i = 0; i < rank; i++)
        assert_int_equal(found[i], expected[i]);
}

static void assert_strings(const npy_array *array, size_t count, const strew_string *expected)
{
    const strew_string *strings = array->data;
    assert_int_equal(array->dtype, STREW_STRING);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(strings[i].size, expected[i].size);
        assert_memory_equal(strings[i].data, expected[i].data, expected[i].size);
    }
}

/* ---- Reading ------------------------------------------------------------------------------------- */

/* Every descr that is not a string, without its byte order, and the bytes that its byte order applies to. */
static const struct element {
    const char *descr;
    strew_dtype dtype;
    size_t size, width;
} elements[] = {
    {"b1", STREW_BOOL, 1, 1},         {"i1", STREW_INT8, 1, 1},         {"i2", STREW_INT16, 2, 2},
    {"i4", STREW_INT32, 4, 4},        {"i8", STREW_INT64, 8, 8},        {"u1", STREW_UINT8, 1, 1},
    {"u2", STREW_UINT16, 2, 2},       {"u4", STREW_UINT32, 4, 4},       {"u8", STREW_UINT64, 8, 8},
    {"f2", STREW_FLOAT16, 2, 2},      {"f4", STREW_FLOAT32, 4, 4},      {"f8", STREW_FLOAT64, 8, 8},
    {"c8", STREW_COMPLEX64, 8, 4},    {"c16", STREW_COMPLEX128, 16, 8}, {"V1", STREW_OPAQUE(1), 1, 1},
    {"V16", STREW_OPAQUE(16), 16, 1}, {"V7", STREW_OPAQUE(7), 7, 1},
};

/* Bytes of a period that divides no chunk and no element, so that any exchange of two of them shows. */
static void fill(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i % 251 + 1);
}

static void reverse_each(unsigned char *bytes, size_t size, size_t width)
{
    for (size_t start = 0; start < size; start += width)
        for (size_t i = 0; i < width / 2; i++) {
            unsigned char byte = bytes[start + i];
            bytes[start + i] = bytes[start + width - 1 - i];
            bytes[start + width - 1 - i] = byte;
        }
}

static void test_every_element_is_read_in_every_byte_order(void **state)
{
    (void)state;
    static const char *const orders[] = {HOST, "=", "|", "", FOREIGN};
    for (size_t i = 0; i < COUNT_OF(elements); i++) {
        for (size_t j = 0; j < COUNT_OF(orders); j++) {
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

static void test_question_mark_is_bool_and_its_bytes_are_kept(void **state)
{
    (void)state;
    struct file file = craft_array("|?", "(4,)", "\x00\x01\x02\xff", 4);
    npy_array array = read_file(&file);
    assert_int_equal(array.dtype, STREW_BOOL);
    assert_memory_equal(array.data, "\x00\x01\x02\xff", 4);
    npy_free(&array);
}

static void test_numbers_have_the_value_of_their_byte_order(void **state)
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

static void test_versions_1_2_and_3_are_read(void **state)
{
    (void)state;
    const char *header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }\n";
    for (unsigned major = 1; major <= 3; major++) {
        struct file file = craft_claiming(major, strlen(header), header, "abc", 3);
        npy_array array = read_file(&file);
        assert_int_equal(array.dtype, STREW_UINT8);
        assert_int_equal(array.rank, 1);
        assert_int_equal(array.shape[0], 3);
        assert_memory_equal(array.data, "abc", 3);
        npy_free(&array);
    }
}

static void test_a_header_may_be_longer_than_version_1_allows(void **state)
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
    assert_int_equal(npy_read_memory("long.npy", bytes, size, &array, &error), STREW_OK);
    assert_memory_equal(array.data, "abc", 3);
    npy_free(&array);
    free(bytes);
}

static void test_order_is_told_by_strides(void **state)
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

static void test_tensor_is_a_view_of_the_array(void **state)
{
    (void)state;
    struct file file = craft_array(HOST "i2", "(1, 2)", "abcd", 4);
    npy_array array = read_file(&file);
    strew_tensor tensor = npy_tensor(&array);
    assert_ptr_equal(tensor.data, array.data);
    assert_int_equal(tensor.dtype, STREW_INT16);
    assert_int_equal(tensor.rank, 2);
    assert_ptr_equal(tensor.shape, array.shape);
    assert_ptr_equal(tensor.strides, array.strides);
    npy_free(&array);
}

static void test_rank_goes_from_0_to_the_maximum(void **state)
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
    assert_refused(&file, STREW_INVALID_ARGUMENT, "its shape has more than the 32 dimensions that strew takes");
}

static void test_dimensions_may_be_empty(void **state)
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

static void test_bytes_after_the_data_are_ignored(void **state)
{
    (void)state;
    struct file file = craft_array("|u1", "(2,)", "xyrest", 6);
    npy_array array = read_file(&file);
    assert_memory_equal(array.data, "xy", 2);
    npy_free(&array);
}

static void test_headers_may_be_written_as_python_may_write_them(void **state)
{
    (void)state;
    static const char *const headers[] = {
        "{'shape': (2, 3), 'fortran_order': False, 'descr': '|u1'}",
        "{\"descr\": \"|u1\", \"fortran_order\": False, \"shape\": (2, 3)}\n",
        "  {'descr':'|u1','fortran_order':False,'shape':(2,3,)}",
        "{ 'descr' : '|u1' ,\n\t'fortran_order' : False ,\r\n 'shape' : ( 2 , 3 , ) , } \n\n",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2L, 3L), }\n",
    };
    for (size_t i = 0; i < COUNT_OF(headers); i++) {
        struct file file = craft(headers[i], "abcdef", 6);
        npy_array array = read_file(&file);
        assert_int_equal(array.dtype, STREW_UINT8);
        assert_int_equal(array.rank, 2);
        assert_int_equal(array.shape[0], 2);
        assert_int_equal(array.shape[1], 3);
        assert_false(array.fortran_order);
        npy_free(&array);
    }
}

/* ---- Reading strings ----------------------------------------------------------------------------- */

static void test_byte_strings_end_before_the_nuls_that_pad_them(void **state)
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

static void test_unicode_strings_end_before_the_code_points_that_pad_them(void **state)
{
    (void)state;
    static const uint32_t points[] = {'a', 0x1f600, 0, 0x100, 0, 0, 0, 0, 0};
    static const strew_string expected[] = {
        {(const char *)&points[0], 8}, {(const char *)&points[3], 4}, {(const char *)&points[6], 0}};
    uint32_t swapped[COUNT_OF(points)];
    for (size_t i = 0; i < COUNT_OF(points); i++)
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

static void test_strings_may_have_no_bytes_at_all(void **state)
{
    (void)state;
    static const char *const descrs[] = {"|S0", "<U0", ">U0"};
    static const strew_string expected[] = {{"", 0}, {"", 0}, {"", 0}};
    for (size_t i = 0; i < COUNT_OF(descrs); i++) {
        struct file file = craft_array(descrs[i], "(3,)", "", 0);
        npy_array array = read_file(&file);
        assert_strings(&array, 3, expected);
        assert_int_equal(array.string_size, 0);
        npy_free(&array);
    }
}

static void test_strings_of_no_bytes_are_limited_all_the_same(void **state)
{
    (void)state;
    struct file file = craft_array("|S0", "(1048576,)", "", 0);
    npy_array array = read_file(&file);
    npy_free(&array);
    file = craft_array("|S0", "(1048577,)", "", 0);
    assert_refused(&file, STREW_IO_ERROR,
                   "damaged header: 1048577 strings of no bytes, where 1048576 are the most");
}

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void test_damaged_headers_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header, *message;
    } damaged[] = {
        {"", "'{' expected at byte 10"},
        {"[]", "'{' expected at byte 10"},
        {"{", "'descr', 'fortran_order' or 'shape' expected at byte 11"},
        {"{}", "'descr' is missing"},
        {"{'descr': '|u1', 'shape': ()}", "'fortran_order' is missing"},
        {"{'fortran_order': True, 'descr': '|u1'}", "'shape' is missing"},
        {"{,}", "'descr', 'fortran_order' or 'shape' expected at byte 11"},
        {"{ 'order': 1}", "'descr', 'fortran_order' or 'shape' expected at byte 12"},
        {"{'descr}", "'descr', 'fortran_order' or 'shape' expected at byte 11"},
        {"{'descr\": '|u1'}", "'descr', 'fortran_order' or 'shape' expected at byte 11"},
        {"{b'descr': '|u1'}", "'descr', 'fortran_order' or 'shape' expected at byte 11"},
        {"{'descr' '|u1'}", "':' expected at byte 19"},
        {"{'descr': |u1}", "a dtype in quotes expected at byte 20"},
        {"{'descr': '|u1}", "a dtype in quotes expected at byte 20"},
        {"{'descr': '|u1' 'shape': ()}", "',' or '}' expected at byte 26"},
        {"{'descr': '|u1', 'descr': '|u1'}", "'descr' stands there twice"},
        {"{'fortran_order': 0}", "True or False expected at byte 28"},
        {"{'fortran_order': true}", "True or False expected at byte 28"},
        {"{'fortran_order': Falsehood}", "',' or '}' expected at byte 33"},
        {"{'shape': 3}", "'(' expected at byte 20"},
        {"{'shape': [3]}", "'(' expected at byte 20"},
        {"{'shape': (3)}", "',' expected at byte 22"},
        {"{'shape': (3 4)}", "',' expected at byte 23"},
        {"{'shape': (3, 4 5)}", "',' expected at byte 26"},
        {"{'shape': (3,, 4)}", "a size from 0 to 2^63 - 1 expected at byte 23"},
        {"{'shape': (,)}", "a size from 0 to 2^63 - 1 expected at byte 21"},
        {"{'shape': (-1,)}", "a size from 0 to 2^63 - 1 expected at byte 21"},
        {"{'shape': (+1,)}", "a size from 0 to 2^63 - 1 expected at byte 21"},
        {"{'shape': (03,)}", "a size from 0 to 2^63 - 1 expected at byte 21"},
        {"{'shape': (True,)}", "a size from 0 to 2^63 - 1 expected at byte 21"},
        {"{'shape': (3.0,)}", "',' expected at byte 22"},
        {"{'shape': (9223372036854775808,)}", "a size from 0 to 2^63 - 1 expected at byte 21"},
        {"{'shape': (99999999999999999999999999, 0)}", "a size from 0 to 2^63 - 1 expected at byte 21"},
        {"{'shape': (3,", "a size from 0 to 2^63 - 1 expected at byte 23"},
        {"{'shape': ()", "',' or '}' expected at byte 22"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': ()}x", "its end expected at byte 63"},
    };
    for (size_t i = 0; i < COUNT_OF(damaged); i++) {
        char message[128];
        struct file file = craft(damaged[i].header, "0123456789", 10);
        snprintf(message, sizeof(message), "damaged header: %s", damaged[i].message);
        assert_refused(&file, STREW_IO_ERROR, message);
    }
}

static void test_a_nul_does_not_end_a_header(void **state)
{
    (void)state;
    struct file file = craft_array("|u1", "()", "x", 1);
    file.bytes[file.size - 2] = '\0';
    assert_refused(&file, STREW_IO_ERROR, "damaged header: its end expected at byte 65");
}

static void test_dtypes_that_strew_has_not_are_named(void **state)
{
    (void)state;
    static const char *const descrs[] = {"|O",          "<M8[ns]",
                                         "<m8[D]",      "<f16",
                                         "<f12",        "g",
                                         "<c32",        "<i3",
                                         "<b2",         "|V0",
                                         "|S",          "|S-1",
                                         "<f4 ",        "",
                                         "<",           "<<f4",
                                         "f",           "<f04",
                                         "<f4x",        "|V2147483648",
                                         "<U536870912", "|S99999999999999999999"};
    for (size_t i = 0; i < COUNT_OF(descrs); i++) {
        char message[128];
        struct file file = craft_array(descrs[i], "(1,)", "0123456789abcdef", 16);
        snprintf(message, sizeof(message), "its dtype %s is none that strew has", descrs[i]);
        assert_refused(&file, STREW_UNSUPPORTED_DTYPE, message);
    }
}

static void test_structured_dtypes_are_named(void **state)
{
    (void)state;
    static const char *const descrs[] = {"[('x', '<f4'), ('y', '<i8', (2, 3))]", "('<f4', (2,))", "[('x', '<f4'"};
    for (size_t i = 0; i < COUNT_OF(descrs); i++) {
        char header[128], message[128];
        const char *rest = i == 2 ? "" : ", 'fortran_order': False, 'shape': (1,), }\n";
        snprintf(header, sizeof(header), "{'descr': %s%s", descrs[i], rest);
        snprintf(message, sizeof(message), "its dtype %s is none that strew has", descrs[i]);
        struct file file = craft(header, "0123456789abcdef", 16);
        assert_refused(&file, STREW_UNSUPPORTED_DTYPE, message);
    }
}

static void test_messages_stay_one_printable_line(void **state)
{
    (void)state;
    struct file file = craft_array("<\n\x1b[31m", "()", "", 0);
    assert_refused(&file, STREW_UNSUPPORTED_DTYPE, "its dtype <??[31m is none that strew has");

    char descr[200], message[128];
    memset(descr, 'x', sizeof(descr) - 1);
    descr[sizeof(descr) - 1] = '\0';
    snprintf(message, sizeof(message), "its dtype %.79s is none that strew has", descr);
    file = craft_array(descr, "()", "", 0);
    assert_refused(&file, STREW_UNSUPPORTED_DTYPE, message);
}

static void test_files_of_other_kinds_are_refused(void **state)
{
    (void)state;
    struct file file = craft_array("|u1", "()", "x", 1);
    file.bytes[1] = 'n';
    assert_refused(&file, STREW_IO_ERROR, "not a .npy file: it does not begin with \\x93NUMPY");

    file = (struct file){"PK", 2};
    assert_refused(&file, STREW_IO_ERROR, "not a .npy file: it does not begin with \\x93NUMPY");
}

static void test_unknown_versions_are_refused(void **state)
{
    (void)state;
    struct file file = craft_claiming(4, 0, "", "", 0);
    assert_refused(&file, STREW_IO_ERROR, "version 4.0 is not 1.0, 2.0 or 3.0");
    file = craft_claiming(0, 0, "", "", 0);
    assert_refused(&file, STREW_IO_ERROR, "version 0.0 is not 1.0, 2.0 or 3.0");
    file = craft_array("|u1", "()", "x", 1);
    file.bytes[7] = 1;
    assert_refused(&file, STREW_IO_ERROR, "version 1.1 is not 1.0, 2.0 or 3.0");
}

static void test_headers_that_end_beyond_the_file_are_refused(void **state)
{
    (void)state;
    struct file file = craft_claiming(1, 65535, "{'descr'", "", 0);
    assert_refused(&file, STREW_IO_ERROR, "truncated: 65535 bytes of header expected, 8 found");
    file = craft_claiming(2, 0xffffffff, "{'descr'", "", 0);
    assert_refused(&file, STREW_IO_ERROR, "truncated: 4294967295 bytes of header expected, 8 found");
}

static void test_shapes_beyond_the_data_are_refused(void **state)
{
    (void)state;
    struct file file = craft_array(HOST "f4", "(3, 4)", "0123456789abcdefg", 17);
    assert_refused(&file, STREW_IO_ERROR, "truncated: 48 bytes of data expected, 17 found");
    file = craft_array("|u1", "(2147483000,)", "abc", 3);
    assert_refused(&file, STREW_IO_ERROR, "truncated: 2147483000 bytes of data expected, 3 found");
    file = craft_array("|S1000000000", "(2,)", "abc", 3);
    assert_refused(&file, STREW_IO_ERROR, "truncated: 2000000000 bytes of data expected, 3 found");
}

static void test_shapes_that_overflow_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *shape;
    } overflowing[] = {
        {"<f8", "(2305843009213693952,)"},
        {"<f4", "(4294967296, 4294967296)"},
        {"<f4", "(0, 4294967296, 4294967296)"},
        {"<f4", "(4294967296, 4294967296, 0)"},
        {"|S1", "(1152921504606846976,)"},
        {"|S0", "(0, 9223372036854775807, 2)"},
        {"|V2147483647", "(2147483647, 2147483647)"},
    };
    for (size_t i = 0; i < COUNT_OF(overflowing); i++) {
        struct file file = craft_array(overflowing[i].descr, overflowing[i].shape, "", 0);
        assert_refused(&file, STREW_IO_ERROR, "damaged header: its shape makes more bytes than can be addressed");
    }
}

static void test_every_truncation_is_an_error(void **state)
{
    (void)state;
    static const char *const descrs[] = {"<f4", ">i2", "|S4", ">U1"};
    unsigned char data[ELEMENTS * 4];
    fill(data, sizeof(data));
    for (size_t i = 0; i < COUNT_OF(descrs); i++) {
        const char *shape = descrs[i][2] == '2' ? "(4, 3)" : "(2, 3)";
        struct file file = craft_array(descrs[i], shape, data, sizeof(data));
        npy_array whole = read_file(&file);
        npy_free(&whole);
        for (size_t size = 0; size < file.size; size++) {
            npy_array array;
            npy_error error = {STREW_OK, ""};
            assert_int_equal(read_exact(file.bytes, size, &array, &error), STREW_IO_ERROR);
            assert_non_null(strstr(error.message, "crafted.npy: truncated: "));
        }
    }
}

/* Each gives an array or an error with a message; whether memory was left alone is for a sanitizer to see. */
static void test_every_change_of_a_byte_is_survived(void **state)
{
    (void)state;
    const struct file file = craft_array("<U1", "(2, 3)", "abcdefghijklmnopqrstuvwx", 24);
    for (size_t position = 0; position < file.size - 24; position++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            struct file changed = file;
            npy_array array;
            npy_error error = {STREW_OK, ""};
            changed.bytes[position] = (unsigned char)byte;
            strew_status status = read_exact(changed.bytes, changed.size, &array, &error);
            assert_true(status == STREW_OK ? array.data != NULL : array.data == NULL);
            assert_true((status == STREW_OK) == (error.message[0] == '\0'));
            npy_free(&array);
        }
    }
}

static void test_what_cannot_be_opened_or_read_says_why(void **state)
{
    (void)state;
    npy_array array;
    npy_error error;
    assert_int_equal(npy_read("no/such.npy", &array, NULL, NULL, &error), STREW_IO_ERROR);
    assert_io_error(&error, "no/such.npy", "cannot open", ENOENT);
    assert_null(array.data);
    assert_int_equal(npy_read(".", &array, NULL, NULL, &error), STREW_IO_ERROR);
    assert_io_error(&error, ".", "cannot read", EISDIR);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static npy_array create(const npy_array *like, int32_t rank, const int64_t *shape)
{
    npy_array array;
    npy_error error = {STREW_OK, ""};
    assert_int_equal(npy_create_like(&array, like, rank, shape, &error), STREW_OK);
    return array;
}

static void write_array(const npy_array *array)
{
    npy_error error = {STREW_OK, ""};
    strew_status status = npy_write(PATH, array, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, STREW_OK);
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

static void test_every_element_is_written_and_read_back(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 3};
    for (size_t i = 0; i < COUNT_OF(elements); i++) {
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
        assert_int_equal(npy_read(PATH, &back, NULL, NULL, &error), STREW_OK);
        assert_int_equal(back.dtype, elements[i].dtype);
        assert_int_equal(back.rank, 2);
        assert_dimensions(back.shape, 2, shape);
        assert_memory_equal(back.data, array.data, size);
        npy_free(&back);
        npy_free(&array);
    }
    remove(PATH);
}

static void test_bfloat16_is_written_as_uint16(void **state)
{
    (void)state;
    static const int64_t shape[] = {1};
    npy_array like = {.dtype = STREW_BFLOAT16};
    npy_array array = create(&like, 1, shape);
    memcpy(array.data, "ab", 2);
    write_array(&array);
    assert_written("{'descr': '" HOST "u2', 'fortran_order': False, 'shape': (1,), }", "ab", 2);
    npy_free(&array);
    remove(PATH);
}

static void test_shapes_are_written_as_tuples(void **state)
{
    (void)state;
    static const struct {
        int32_t rank;
        int64_t shape[3];
        const char *written;
        size_t size;
    } shapes[] = {{0, {0}, "()", 1}, {1, {3}, "(3,)", 3}, {1, {0}, "(0,)", 0}, {3, {1, 2, 3}, "(1, 2, 3)", 6}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        npy_array like = {.dtype = STREW_INT8};
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

static void test_data_starts_aligned_whatever_the_length_of_the_header(void **state)
{
    (void)state;
    for (int32_t rank = 0; rank <= STREW_MAX_RANK; rank++) {
        int64_t shape[STREW_MAX_RANK];
        npy_array like = {.dtype = STREW_UINT8};
        npy_error error;
        for (int i = 0; i < STREW_MAX_RANK; i++)
            shape[i] = 1;
        npy_array array = create(&like, rank, shape);
        memset(array.data, 'x', 1);
        write_array(&array);
        npy_free(&array);

        struct file file = load();
        assert_int_equal(file.size % 64, 1);
        assert_int_equal(npy_read(PATH, &array, NULL, NULL, &error), STREW_OK);
        assert_int_equal(array.rank, rank);
        assert_memory_equal(array.data, "x", 1);
        npy_free(&array);
    }
    remove(PATH);
}

static void test_fortran_order_is_kept(void **state)
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

static void test_strings_are_padded_to_the_size_that_the_caller_sets(void **state)
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

static void test_a_string_that_does_not_fit_is_refused_before_a_file_is_made(void **state)
{
    (void)state;
    struct file file = craft_array("|S3", "(2,)", "ab\0abc", 6);
    npy_array array = read_file(&file);
    npy_error error;
    array.string_size = 2;
    assert_int_equal(npy_write(PATH, &array, NULL, NULL, &error), STREW_INVALID_ARGUMENT);
    assert_string_equal(error.message, PATH ": a string is larger than the 2 bytes of its elements");
    assert_int_not_equal(access(PATH, F_OK), 0);
    npy_free(&array);
}

static void test_a_created_array_is_like_another_but_zero_and_in_c_order(void **state)
{
    (void)state;
    static const int64_t shape[] = {4, 0, 2};
    static const int64_t strides[] = {2, 2, 1};
    struct file file = craft("{'descr': '|S3', 'fortran_order': True, 'shape': (1, 2), }\n", "abcdef", 6);
    npy_array like = read_file(&file);
    npy_array array = create(&like, 3, shape);
    assert_int_equal(array.dtype, STREW_STRING);
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

static void test_an_array_too_large_to_create_is_out_of_memory(void **state)
{
    (void)state;
    static const int64_t shape[] = {INT64_MAX, 2};
    npy_array like = {.dtype = STREW_INT8};
    npy_array array;
    npy_error error;
    assert_int_equal(npy_create_like(&array, &like, 2, shape, &error), STREW_OUT_OF_MEMORY);
    assert_int_equal(error.status, STREW_OUT_OF_MEMORY);
    assert_null(array.data);
}

/* ---- Failures to write --------------------------------------------------------------------------- */

static void test_a_place_that_takes_no_file_is_an_error(void **state)
{
    (void)state;
    npy_array like = {.dtype = STREW_INT8};
    npy_array array = create(&like, 0, NULL);
    npy_error error;
    assert_int_equal(npy_write("no/such.npy", &array, NULL, NULL, &error), STREW_IO_ERROR);
    assert_io_error(&error, "no/such.npy", "cannot create", ENOENT);
    assert_int_equal(npy_write(".", &array, NULL, NULL, &error), STREW_IO_ERROR);
    assert_io_error(&error, ".", "cannot create", EISDIR);
    npy_free(&array);
}

/* A limit on the size of files makes the disk full at any byte: in the header, in the data, at the very end. */
static void test_a_file_that_could_not_be_completed_is_removed(void **state)
{
    (void)state;
    static const int64_t shape[] = {10000};
    static const rlim_t room[] = {0, 100, 128, 5000, 10127};
    struct rlimit unlimited;
    npy_array like = {.dtype = STREW_INT8};
    npy_array array = create(&like, 1, shape);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    for (size_t i = 0; i < COUNT_OF(room); i++) {
        struct rlimit limited = {room[i], unlimited.rlim_max};
        npy_error error;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
        strew_status status = npy_write(PATH, &array, NULL, NULL, &error);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
        assert_int_equal(status, STREW_IO_ERROR);
        assert_io_error(&error, PATH, "cannot write", EFBIG);
        assert_int_not_equal(access(PATH, F_OK), 0);
    }
    write_array(&array);
    npy_free(&array);
    assert_int_equal(remove(PATH), 0);
}

/* The link stands for the device: a mistake would remove only the link. */
static void test_what_is_no_regular_file_is_never_removed(void **state)
{
    (void)state;
    struct stat status;
    if (stat("/dev/full", &status) != 0 || !S_ISCHR(status.st_mode)) {
        print_message("skipped: there is no /dev/full here\n");
        skip();
    }
    npy_array like = {.dtype = STREW_INT8};
    npy_array array = create(&like, 0, NULL);
    npy_error error;
    remove(LINK_PATH);
    assert_int_equal(symlink("/dev/full", LINK_PATH), 0);
    assert_int_equal(npy_write(LINK_PATH, &array, NULL, NULL, &error), STREW_IO_ERROR);
    assert_io_error(&error, LINK_PATH, "cannot write", ENOSPC);
    assert_int_equal(lstat(LINK_PATH, &status), 0);
    npy_free(&array);
    remove(LINK_PATH);
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

static void test_progress_is_told_of_large_files_only(void **state)
{
    (void)state;
    static const struct {
        int64_t count;
        bool large;
    } sizes[] = {{1000, false}, {1000001, true}};
    npy_array like = {.dtype = STREW_INT32};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct watch written = {0, 0, 0}, read = {0, 0, 0};
        npy_array array = create(&like, 1, &sizes[i].count), back;
        size_t bytes = (size_t)sizes[i].count * sizeof(int32_t);
        npy_error error;
        fill(array.data, bytes);
        assert_int_equal(npy_write(PATH, &array, observe, &written, &error), STREW_OK);
        assert_int_equal(npy_read(PATH, &back, observe, &read, &error), STREW_OK);
        assert_memory_equal(back.data, array.data, bytes);
        assert_true(sizes[i].large ? written.reports > 1 : written.reports == 0);
        assert_true(sizes[i].large ? read.reports > 1 : read.reports == 0);
        assert_true(written.done == written.total && read.done == read.total);
        npy_free(&array);
        npy_free(&back);
    }
    remove(PATH);
}

static void test_many_strings_are_written_in_order(void **state)
{
    (void)state;
    static const int64_t count[] = {600000};
    char text[256];
    fill((unsigned char *)text, 251);
    npy_array like = {.dtype = STREW_STRING, .string_kind = 'S', .string_size = 4};
    npy_array array = create(&like, 1, count), back;
    strew_string *strings = array.data;
    for (size_t i = 0; i < (size_t)count[0]; i++)
        strings[i] = (strew_string){text + i % 247, i % 5};
    struct watch written = {0, 0, 0};
    npy_error error;
    assert_int_equal(npy_write(PATH, &array, observe, &written, &error), STREW_OK);
    assert_true(written.reports > 1 && written.done == written.total);
    assert_int_equal(npy_read(PATH, &back, NULL, NULL, &error), STREW_OK);
    assert_strings(&back, (size_t)count[0], strings);
    npy_free(&back);
    npy_free(&array);
    remove(PATH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_element_is_read_in_every_byte_order),
        cmocka_unit_test(test_question_mark_is_bool_and_its_bytes_are_kept),
        cmocka_unit_test(test_numbers_have_the_value_of_their_byte_order),
        cmocka_unit_test(test_versions_1_2_and_3_are_read),
        cmocka_unit_test(test_a_header_may_be_longer_than_version_1_allows),
        cmocka_unit_test(test_order_is_told_by_strides),
        cmocka_unit_test(test_tensor_is_a_view_of_the_array),
        cmocka_unit_test(test_rank_goes_from_0_to_the_maximum),
        cmocka_unit_test(test_dimensions_may_be_empty),
        cmocka_unit_test(test_bytes_after_the_data_are_ignored),
        cmocka_unit_test(test_headers_may_be_written_as_python_may_write_them),
        cmocka_unit_test(test_byte_strings_end_before_the_nuls_that_pad_them),
        cmocka_unit_test(test_unicode_strings_end_before_the_code_points_that_pad_them),
        cmocka_unit_test(test_strings_may_have_no_bytes_at_all),
        cmocka_unit_test(test_strings_of_no_bytes_are_limited_all_the_same),
        cmocka_unit_test(test_damaged_headers_are_refused),
        cmocka_unit_test(test_a_nul_does_not_end_a_header),
        cmocka_unit_test(test_dtypes_that_strew_has_not_are_named),
        cmocka_unit_test(test_structured_dtypes_are_named),
        cmocka_unit_test(test_messages_stay_one_printable_line),
        cmocka_unit_test(test_files_of_other_kinds_are_refused),
        cmocka_unit_test(test_unknown_versions_are_refused),
        cmocka_unit_test(test_headers_that_end_beyond_the_file_are_refused),
        cmocka_unit_test(test_shapes_beyond_the_data_are_refused),
        cmocka_unit_test(test_shapes_that_overflow_are_refused),
        cmocka_unit_test(test_every_truncation_is_an_error),
        cmocka_unit_test(test_every_change_of_a_byte_is_survived),
        cmocka_unit_test(test_what_cannot_be_opened_or_read_says_why),
        cmocka_unit_test(test_every_element_is_written_and_read_back),
        cmocka_unit_test(test_bfloat16_is_written_as_uint16),
        cmocka_unit_test(test_shapes_are_written_as_tuples),
        cmocka_unit_test(test_data_starts_aligned_whatever_the_length_of_the_header),
        cmocka_unit_test(test_fortran_order_is_kept),
        cmocka_unit_test(test_strings_are_padded_to_the_size_that_the_caller_sets),
        cmocka_unit_test(test_a_string_that_does_not_fit_is_refused_before_a_file_is_made),
        cmocka_unit_test(test_a_created_array_is_like_another_but_zero_and_in_c_order),
        cmocka_unit_test(test_an_array_too_large_to_create_is_out_of_memory),
        cmocka_unit_test(test_a_place_that_takes_no_file_is_an_error),
        cmocka_unit_test(test_a_file_that_could_not_be_completed_is_removed),
        cmocka_unit_test(test_what_is_no_regular_file_is_never_removed),
        cmocka_unit_test(test_progress_is_told_of_large_files_only),
        cmocka_unit_test(test_many_strings_are_written_in_order),
    };
    return cmocka_run_group_tests_name("npy", tests, NULL, NULL);
}
