/* Runs the command line, and makes and reads its files. */
#include "cli.h"

#include <stdio.h>

#include "element.h"
#include "system/system.h"
#include "tensor.h"
#include "test.h"
#include "tools/npy.h"

/* ---- Files ---------------------------------------------------------------------------------------- */

bool cli_file_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file;
}

void cli_remove(const char *path)
{
    remove(path);
}

void cli_write_bytes(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* ---- The process --------------------------------------------------------------------------------- */

static void read_stream(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "r"); /* as text, with any line endings */
    assert_non_null(file);
    const size_t size = fread(text, 1, room, file);
    assert_in_range(size, 0, room - 1);
    text[size] = '\0';
    fclose(file);
}

static cli_outcome *run(const char *line, const char *output)
{
    enum { WORDS = 64 };
    static cli_outcome outcome;
    char text[1024];
    char *words[WORDS] = {STREW_CLI};
    size_t count = 0;
    assert_in_range(strlen(line), 0, sizeof text - 1);
    strcpy(text, line);
    while (words[count])
        count++;
    for (char *word = strtok(text, " "); word && count < WORDS - 1; word = strtok(NULL, " "))
        words[count++] = word;
    outcome.exit_status = system_run_program(words, output, "stderr");
    assert_int_not_equal(outcome.exit_status, -1);
    outcome.output[0] = '\0';
    read_stream("stderr", outcome.errors, sizeof outcome.errors);
    return &outcome;
}

const cli_outcome *cli_run(const char *line)
{
    cli_outcome *const outcome = run(line, "stdout");
    read_stream("stdout", outcome->output, sizeof outcome->output);
    return outcome;
}

const cli_outcome *cli_run_to(const char *line, const char *output)
{
    return run(line, output);
}

/* ---- Arrays -------------------------------------------------------------------------------------- */

static npy_array create(const npy_array *like, int32_t rank, const int64_t *shape)
{
    npy_array array;
    npy_error error;
    assert_int_equal(npy_create_like(&array, like, rank, shape, &error), STREW_STATUS_OK);
    return array;
}

static void write_and_free(const char *path, npy_array *array)
{
    npy_error error = {STREW_STATUS_OK, ""};
    const strew_status status = npy_write(path, array, NULL, NULL, &error);
    if (status != STREW_STATUS_OK)
        fail_msg("%s", error.message);
    npy_free(array);
}

static npy_array read_array(const char *path)
{
    npy_array array;
    npy_error error = {STREW_STATUS_OK, ""};
    if (npy_read(path, &array, NULL, NULL, &error) != STREW_STATUS_OK)
        fail_msg("%s", error.message);
    return array;
}

static void make_fortran(npy_array *array)
{
    int64_t step = 1;
    array->fortran_order = true;
    for (int32_t d = 0; d < array->rank; d++) {
        array->strides[d] = step;
        step *= array->shape[d];
    }
}

static void write_elements(const char *path, npy_array *array, const void *elements)
{
    const strew_tensor tensor = npy_tensor(array);
    const size_t size = element_size(array->dtype);
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, &tensor); more; more = position_next(position, &tensor))
        memcpy(tensor_element(&tensor, position),
               (const char *)elements + (size_t)position_ordinal(position, &tensor) * size, size);
    write_and_free(path, array);
}

void cli_write(const char *path, strew_dtype dtype, int32_t rank, const int64_t *shape, const void *elements)
{
    const npy_array like = {.dtype = dtype};
    npy_array array = create(&like, rank, shape);
    write_elements(path, &array, elements);
}

void cli_write_fortran(const char *path, strew_dtype dtype, int32_t rank, const int64_t *shape,
                       const void *elements)
{
    const npy_array like = {.dtype = dtype};
    npy_array array = create(&like, rank, shape);
    make_fortran(&array);
    write_elements(path, &array, elements);
}

void cli_write_strings(const char *path, char kind, size_t size, int64_t count, const strew_string *strings)
{
    const npy_array like = {.dtype = STREW_DTYPE_STRING, .string_kind = kind, .string_size = size};
    npy_array array = create(&like, 1, &count);
    write_elements(path, &array, strings);
}

/* ---- Expectations -------------------------------------------------------------------------------- */

static void expect_shape(const char *path, const npy_array *array, strew_dtype dtype, int32_t rank,
                         const int64_t *shape)
{
    if (array->dtype != dtype || array->rank != rank ||
        (rank > 0 && memcmp(array->shape, shape, (size_t)rank * sizeof *shape) != 0))
        fail_msg("%s holds %s of rank %d and another shape than expected", path, strew_dtype_name(array->dtype),
                 (int)array->rank);
}

void cli_expect(const char *path, strew_dtype dtype, int32_t rank, const int64_t *shape, const void *elements)
{
    npy_array array = read_array(path);
    expect_shape(path, &array, dtype, rank, shape);
    const strew_tensor tensor = npy_tensor(&array);
    const size_t size = element_size(dtype);
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, &tensor); more; more = position_next(position, &tensor)) {
        const size_t ordinal = (size_t)position_ordinal(position, &tensor);
        if (memcmp(tensor_element(&tensor, position), (const char *)elements + ordinal * size, size) != 0)
            fail_msg("element %zu of %s is not the one expected", ordinal, path);
    }
    npy_free(&array);
}

void cli_expect_strings(const char *path, char kind, size_t size, int64_t count, const strew_string *strings)
{
    npy_array array = read_array(path);
    expect_shape(path, &array, STREW_DTYPE_STRING, 1, &count);
    assert_int_equal(array.string_kind, kind);
    assert_int_equal(array.string_size, size);
    const strew_string *found = array.data;
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(found[i].size, strings[i].size);
        assert_memory_equal(found[i].data, strings[i].data, strings[i].size);
    }
    npy_free(&array);
}

void cli_expect_fortran_order(const char *path, bool fortran_order)
{
    npy_array array = read_array(path);
    assert_int_equal(array.fortran_order, fortran_order);
    npy_free(&array);
}
