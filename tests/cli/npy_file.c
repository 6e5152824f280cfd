#include "npy_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "test.h"

static void put(struct file *file, const void *bytes, size_t size)
{
    assert_true(file->size + size <= sizeof(file->bytes));
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

struct file craft_claiming(unsigned major, size_t claimed, const char *header, const void *data, size_t size)
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

struct file craft(const char *header, const void *data, size_t size)
{
    return craft_claiming(1, strlen(header), header, data, size);
}

struct file craft_array(const char *descr, const char *shape, const void *data, size_t size)
{
    char header[1024];
    snprintf(header, sizeof(header), "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape);
    return craft(header, data, size);
}

strew_status read_exact(const unsigned char *bytes, size_t size, npy_array *array, npy_error *error)
{
    unsigned char *copy = malloc(size);
    assert_true(copy != NULL || size == 0);
    if (size > 0)
        memcpy(copy, bytes, size);
    strew_status status = npy_read_memory("crafted.npy", copy, size, array, error);
    free(copy);
    return status;
}

npy_array read_file(const struct file *file)
{
    npy_array array;
    npy_error error = {STREW_STATUS_OK, ""};
    strew_status status = read_exact(file->bytes, file->size, &array, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, STREW_STATUS_OK);
    return array;
}

void assert_refused(const struct file *file, strew_status status, const char *message)
{
    npy_array array;
    npy_error error = {STREW_STATUS_OK, ""};
    char line[sizeof(error.message)];
    snprintf(line, sizeof(line), "crafted.npy: %s", message);
    assert_int_equal(read_exact(file->bytes, file->size, &array, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, line);
    assert_null(array.data);
    assert_null(array.text);
}

void assert_io_error(const npy_error *error, const char *path, const char *what, int cause)
{
    char line[sizeof(error->message)];
    snprintf(line, sizeof(line), "%s: %s: %s", path, what, strerror(cause));
    assert_int_equal(error->status, STREW_STATUS_IO_ERROR);
    assert_string_equal(error->message, line);
}

void assert_dimensions(const int64_t *found, size_t rank, const int64_t *expected)
{
    for (size_t i = 0; i < rank; i++)
        assert_int_equal(found[i], expected[i]);
}

void assert_strings(const npy_array *array, size_t count, const strew_string *expected)
{
    const strew_string *strings = array->data;
    assert_int_equal(array->dtype, STREW_DTYPE_STRING);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(strings[i].size, expected[i].size);
        assert_memory_equal(strings[i].data, expected[i].data, expected[i].size);
    }
}

const struct element elements[KINDS_OF_ELEMENTS] = {
    {"b1", STREW_DTYPE_BOOL, 1, 1},      {"i1", STREW_DTYPE_INT8, 1, 1},
    {"i2", STREW_DTYPE_INT16, 2, 2},     {"i4", STREW_DTYPE_INT32, 4, 4},
    {"i8", STREW_DTYPE_INT64, 8, 8},     {"u1", STREW_DTYPE_UINT8, 1, 1},
    {"u2", STREW_DTYPE_UINT16, 2, 2},    {"u4", STREW_DTYPE_UINT32, 4, 4},
    {"u8", STREW_DTYPE_UINT64, 8, 8},    {"f2", STREW_DTYPE_FLOAT16, 2, 2},
    {"f4", STREW_DTYPE_FLOAT32, 4, 4},   {"f8", STREW_DTYPE_FLOAT64, 8, 8},
    {"c8", STREW_DTYPE_COMPLEX64, 8, 4}, {"c16", STREW_DTYPE_COMPLEX128, 16, 8},
    {"V1", STREW_DTYPE_OPAQUE(1), 1, 1}, {"V16", STREW_DTYPE_OPAQUE(16), 16, 1},
    {"V7", STREW_DTYPE_OPAQUE(7), 7, 1},
};

void fill(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(i % 251 + 1);
}

void reverse_each(unsigned char *bytes, size_t size, size_t width)
{
    for (size_t start = 0; start < size; start += width)
        for (size_t i = 0; i < width / 2; i++) {
            unsigned char byte = bytes[start + i];
            bytes[start + i] = bytes[start + width - 1 - i];
            bytes[start + width - 1 - i] = byte;
        }
}
