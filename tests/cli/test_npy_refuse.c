/* The .npy files of the command line: refused files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "npy_file.h"
#include "system/system.h"
#include "test.h"

/* ---- Refusals ------------------------------------------------------------------------------------ */

static void damaged_headers_are_refused(void **state)
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
    for (size_t i = 0; i < COUNT(damaged); i++) {
        char message[128];
        struct file file = craft(damaged[i].header, "0123456789", 10);
        snprintf(message, sizeof(message), "damaged header: %s", damaged[i].message);
        assert_refused(&file, STREW_STATUS_IO_ERROR, message);
    }
}

static void a_nul_does_not_end_a_header(void **state)
{
    (void)state;
    struct file file = craft_array("|u1", "()", "x", 1);
    file.bytes[file.size - 2] = '\0';
    assert_refused(&file, STREW_STATUS_IO_ERROR, "damaged header: its end expected at byte 65");
}

static void dtypes_that_strew_has_not_are_named(void **state)
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
    for (size_t i = 0; i < COUNT(descrs); i++) {
        char message[128];
        struct file file = craft_array(descrs[i], "(1,)", "0123456789abcdef", 16);
        snprintf(message, sizeof(message), "its dtype %s is none that strew has", descrs[i]);
        assert_refused(&file, STREW_STATUS_UNSUPPORTED_DTYPE, message);
    }
}

static void structured_dtypes_are_named(void **state)
{
    (void)state;
    static const char *const descrs[] = {"[('x', '<f4'), ('y', '<i8', (2, 3))]", "('<f4', (2,))", "[('x', '<f4'"};
    for (size_t i = 0; i < COUNT(descrs); i++) {
        char header[128], message[128];
        const char *rest = i == 2 ? "" : ", 'fortran_order': False, 'shape': (1,), }\n";
        snprintf(header, sizeof(header), "{'descr': %s%s", descrs[i], rest);
        snprintf(message, sizeof(message), "its dtype %s is none that strew has", descrs[i]);
        struct file file = craft(header, "0123456789abcdef", 16);
        assert_refused(&file, STREW_STATUS_UNSUPPORTED_DTYPE, message);
    }
}

static void messages_stay_one_printable_line(void **state)
{
    (void)state;
    struct file file = craft_array("<\n\x1b[31m", "()", "", 0);
    assert_refused(&file, STREW_STATUS_UNSUPPORTED_DTYPE, "its dtype <??[31m is none that strew has");

    char descr[200], message[128];
    memset(descr, 'x', sizeof(descr) - 1);
    descr[sizeof(descr) - 1] = '\0';
    snprintf(message, sizeof(message), "its dtype %.79s is none that strew has", descr);
    file = craft_array(descr, "()", "", 0);
    assert_refused(&file, STREW_STATUS_UNSUPPORTED_DTYPE, message);
}

static void files_of_other_kinds_are_refused(void **state)
{
    (void)state;
    struct file file = craft_array("|u1", "()", "x", 1);
    file.bytes[1] = 'n';
    assert_refused(&file, STREW_STATUS_IO_ERROR, "not a .npy file: it does not begin with \\x93NUMPY");

    file = (struct file){"PK", 2};
    assert_refused(&file, STREW_STATUS_IO_ERROR, "not a .npy file: it does not begin with \\x93NUMPY");
}

static void unknown_versions_are_refused(void **state)
{
    (void)state;
    struct file file = craft_claiming(4, 0, "", "", 0);
    assert_refused(&file, STREW_STATUS_IO_ERROR, "version 4.0 is not 1.0, 2.0 or 3.0");
    file = craft_claiming(0, 0, "", "", 0);
    assert_refused(&file, STREW_STATUS_IO_ERROR, "version 0.0 is not 1.0, 2.0 or 3.0");
    file = craft_array("|u1", "()", "x", 1);
    file.bytes[7] = 1;
    assert_refused(&file, STREW_STATUS_IO_ERROR, "version 1.1 is not 1.0, 2.0 or 3.0");
}

static void headers_that_end_beyond_the_file_are_refused(void **state)
{
    (void)state;
    struct file file = craft_claiming(1, 65535, "{'descr'", "", 0);
    assert_refused(&file, STREW_STATUS_IO_ERROR, "truncated: 65535 bytes of header expected, 8 found");
    file = craft_claiming(2, 0xffffffff, "{'descr'", "", 0);
    assert_refused(&file, STREW_STATUS_IO_ERROR, "truncated: 4294967295 bytes of header expected, 8 found");
}

static void shapes_beyond_the_data_are_refused(void **state)
{
    (void)state;
    struct file file = craft_array(HOST "f4", "(3, 4)", "0123456789abcdefg", 17);
    assert_refused(&file, STREW_STATUS_IO_ERROR, "truncated: 48 bytes of data expected, 17 found");
    file = craft_array("|u1", "(2147483000,)", "abc", 3);
    assert_refused(&file, STREW_STATUS_IO_ERROR, "truncated: 2147483000 bytes of data expected, 3 found");
    file = craft_array("|S1000000000", "(2,)", "abc", 3);
    assert_refused(&file, STREW_STATUS_IO_ERROR, "truncated: 2000000000 bytes of data expected, 3 found");
}

static void shapes_that_overflow_are_refused(void **state)
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
    for (size_t i = 0; i < COUNT(overflowing); i++) {
        struct file file = craft_array(overflowing[i].descr, overflowing[i].shape, "", 0);
        assert_refused(&file, STREW_STATUS_IO_ERROR,
                       "damaged header: its shape makes more bytes than can be addressed");
    }
}

static void every_truncation_is_an_error(void **state)
{
    (void)state;
    static const char *const descrs[] = {"<f4", ">i2", "|S4", ">U1"};
    unsigned char data[ELEMENTS * 4];
    fill(data, sizeof(data));
    for (size_t i = 0; i < COUNT(descrs); i++) {
        const char *shape = descrs[i][2] == '2' ? "(4, 3)" : "(2, 3)";
        struct file file = craft_array(descrs[i], shape, data, sizeof(data));
        npy_array whole = read_file(&file);
        npy_free(&whole);
        for (size_t size = 0; size < file.size; size++) {
            npy_array array;
            npy_error error = {STREW_STATUS_OK, ""};
            assert_int_equal(read_exact(file.bytes, size, &array, &error), STREW_STATUS_IO_ERROR);
            assert_non_null(strstr(error.message, "crafted.npy: truncated: "));
        }
    }
}

/* Each gives an array or an error with a message; whether memory was left alone is for a sanitizer to see. */
static void every_change_of_a_byte_is_survived(void **state)
{
    (void)state;
    const struct file file = craft_array("<U1", "(2, 3)", "abcdefghijklmnopqrstuvwx", 24);
    for (size_t position = 0; position < file.size - 24; position++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            struct file changed = file;
            npy_array array;
            npy_error error = {STREW_STATUS_OK, ""};
            changed.bytes[position] = (unsigned char)byte;
            strew_status status = read_exact(changed.bytes, changed.size, &array, &error);
            assert_true(status == STREW_STATUS_OK ? array.data != NULL : array.data == NULL);
            assert_true((status == STREW_STATUS_OK) == (error.message[0] == '\0'));
            npy_free(&array);
        }
    }
}

static void what_cannot_be_opened_or_read_says_why(void **state)
{
    (void)state;
    npy_array array;
    npy_error error;
    assert_int_equal(npy_read("no/such.npy", &array, NULL, NULL, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, "no/such.npy", "cannot open", ENOENT);
    assert_null(array.data);
    assert_int_equal(npy_read(".", &array, NULL, NULL, &error), STREW_STATUS_IO_ERROR);
    assert_io_error(&error, ".", system_opens_directories ? "cannot read" : "cannot open", system_directory_error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_headers_are_refused),
        cmocka_unit_test(a_nul_does_not_end_a_header),
        cmocka_unit_test(dtypes_that_strew_has_not_are_named),
        cmocka_unit_test(structured_dtypes_are_named),
        cmocka_unit_test(messages_stay_one_printable_line),
        cmocka_unit_test(files_of_other_kinds_are_refused),
        cmocka_unit_test(unknown_versions_are_refused),
        cmocka_unit_test(headers_that_end_beyond_the_file_are_refused),
        cmocka_unit_test(shapes_beyond_the_data_are_refused),
        cmocka_unit_test(shapes_that_overflow_are_refused),
        cmocka_unit_test(every_truncation_is_an_error),
        cmocka_unit_test(every_change_of_a_byte_is_survived),
        cmocka_unit_test(what_cannot_be_opened_or_read_says_why),
    };
    return cmocka_run_group_tests_name("npy_refuse", tests, directory_enter, directory_leave);
}
