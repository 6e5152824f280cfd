/*
 * A library of Gather, GatherND, ScatterND and ScatterElements, for float32, float16, int8 and int64, with
 * assignment and sum: its results, and its refusals by name.
 */
#include <stdio.h>
#include <strew/inspect.h>
#include <strew/operators.h>
#include <strew/strew.h>
#include <string.h>

static int failures;

static void check(bool right, const char *what)
{
    if (!right) {
        printf("wrong: %s\n", what);
        failures++;
    }
}

static void check_refused(strew_status status, const strew_error *error, const char *sentence)
{
    char message[256];
    strew_error_message(error, message, sizeof message);
    check(status == error->status && strcmp(message, sentence) == 0, sentence);
    if (strcmp(message, sentence) != 0)
        printf("  said: %s\n", message);
}

static const int64_t four[] = {4}, two[] = {2}, two_tuples[] = {2, 1};

static strew_tensor tensor(void *data, strew_dtype dtype, int32_t rank, const int64_t *shape)
{
    return (strew_tensor){.data = data, .dtype = dtype, .rank = rank, .shape = shape};
}

/* Every operator on elements of `size` bytes, which hold the numbers 0 to 3 in their own way. */
static void check_dtype(strew_dtype dtype, size_t size, const void *numbers, const void *doubled)
{
    unsigned char output[32], updated[32];
    int32_t indices[] = {3, 1};
    strew_tensor data = tensor((void *)(uintptr_t)numbers, dtype, 1, four);
    strew_tensor named = tensor(indices, STREW_DTYPE_INT32, 1, two),
                 tuples = tensor(indices, STREW_DTYPE_INT32, 2, two_tuples);
    strew_tensor rows = tensor(output, dtype, 1, two), all = tensor(updated, dtype, 1, four);

    check(strew_gather(&data, &named, 0, 0, &rows, NULL) == STREW_STATUS_OK, "gather");
    check(memcmp(output, (const char *)numbers + 3 * size, size) == 0, "the row that gather took");
    check(strew_gather_nd(&data, &tuples, 0, &rows, NULL) == STREW_STATUS_OK, "gather_nd");
    check(memcmp(output + size, (const char *)numbers + size, size) == 0, "the row that gather_nd took");

    check(strew_scatter_nd(&data, &tuples, &rows, STREW_REDUCTION_SUM, &all, NULL) == STREW_STATUS_OK,
          "scatter_nd");
    check(memcmp(updated + size, (const char *)doubled + size, size) == 0 &&
              memcmp(updated + 3 * size, (const char *)doubled + 3 * size, size) == 0,
          "the sums of scatter_nd");
    check(strew_scatter_elements(&data, &named, &rows, 0, STREW_REDUCTION_NONE, true, &all, NULL) ==
              STREW_STATUS_OK,
          "scatter_elements");
    check(memcmp(updated, numbers, 4 * size) == 0, "what scatter_elements wrote");
    check(strew_reduction_supports(STREW_REDUCTION_SUM, dtype), "sums");
}

static void check_refusals(void)
{
    float floats[4] = {0};
    double doubles[4] = {0};
    int64_t indices[] = {3, 1};
    uint8_t bytes[] = {3, 1};
    strew_error error = {.status = STREW_STATUS_OK};
    const strew_options options = {.struct_size = sizeof options, .error = &error};
    const strew_tensor data = tensor(floats, STREW_DTYPE_FLOAT32, 1, four);
    const strew_tensor wide = tensor(doubles, STREW_DTYPE_FLOAT64, 1, four);
    const strew_tensor named = tensor(indices, STREW_DTYPE_INT64, 1, two);
    const strew_tensor narrow = tensor(bytes, STREW_DTYPE_UINT8, 1, two);
    const strew_tensor rows = tensor(floats + 2, STREW_DTYPE_FLOAT32, 1, two);
    const strew_tensor segments = tensor(floats, STREW_DTYPE_FLOAT32, 1, two);

    check_refused(strew_gather_elements(&data, &named, 0, &rows, &options), &error,
                  "gather_elements was left out of this build (STREW_OPERATORS)");
    check(error.status == STREW_STATUS_UNSUPPORTED_OPERATOR, "its status");
    check_refused(strew_segment_reduce(&rows, &named, STREW_REDUCTION_SUM, STREW_EMPTY_ZERO, &segments, &options),
                  &error, "segment_reduce was left out of this build (STREW_OPERATORS)");
    check_refused(strew_gather(&wide, &named, 0, 0, &rows, &options), &error,
                  "data is float64, which was left out of this build (STREW_DTYPES, STREW_INDEX_DTYPES)");
    check_refused(strew_gather(&data, &narrow, 0, 0, &rows, &options), &error,
                  "indices is uint8, which was left out of this build (STREW_DTYPES, STREW_INDEX_DTYPES)");
    check_refused(strew_scatter_elements(&data, &named, &rows, 0, STREW_REDUCTION_MAX, true, &data, &options),
                  &error, "max was left out of this build (STREW_REDUCTIONS)");
    check(error.status == STREW_STATUS_UNSUPPORTED_REDUCTION, "its status");
    check(!strew_reduction_supports(STREW_REDUCTION_SUM, STREW_DTYPE_FLOAT64), "sums of float64");
    check(!strew_reduction_supports(STREW_REDUCTION_MAX, STREW_DTYPE_FLOAT32), "max");
}

static void check_catalogue(void)
{
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        check(op->kind == STREW_KIND_GATHER || op->kind == STREW_KIND_GATHER_ND ||
                  op->kind == STREW_KIND_SCATTER_ND || op->kind == STREW_KIND_SCATTER_ELEMENTS,
              op->name);
        check(!(op->data_dtypes >> STREW_DTYPE_FLOAT64 & 1), "float64 in the catalogue");
        check(!(op->reductions >> STREW_REDUCTION_MAX & 1), "max in the catalogue");
    }
    check(strew_operator_find("ScatterND") && !strew_operator_find("GatherElements"), "what is found by its name");
}

static void check_kernels(void)
{
    for (size_t k = 0; k < strew_kernel_count(); k++) {
        strew_kernel_info info;
        check(strew_kernel_at(k, STREW_ISA_BEST, &info), "a kernel");
        check(strcmp(info.operand, "f64") != 0 && !strstr(info.operation, "max"), info.operation);
    }
}

int main(void)
{
    check_dtype(STREW_DTYPE_FLOAT32, 4, (const float[]){0, 1, 2, 3}, (const float[]){0, 2, 4, 6});
    check_dtype(STREW_DTYPE_FLOAT16, 2, (const uint16_t[]){0, 0x3c00, 0x4000, 0x4200},
                (const uint16_t[]){0, 0x4000, 0x4400, 0x4600});
    check_dtype(STREW_DTYPE_INT8, 1, (const int8_t[]){0, 1, 2, 3}, (const int8_t[]){0, 2, 4, 6});
    check_dtype(STREW_DTYPE_INT64, 8, (const int64_t[]){0, 1, 2, 3}, (const int64_t[]){0, 2, 4, 6});
    check_refusals();
    check_catalogue();
    check_kernels();
    puts(failures ? "failed" : "as chosen");
    return failures != 0;
}
