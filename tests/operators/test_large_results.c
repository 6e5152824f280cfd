/*
 * Results larger than the caches, which kernels may write around the caches: rows of several lengths, aligned and
 * not, on one and on several threads, gathered, copied and assigned.
 */
#include <stdlib.h>

#include "parallel.h"
#include "test.h"

enum { RESULT_BYTES = 24 << 20, LINE = 64 };

typedef struct rows {
    int64_t count, bytes;
    size_t misalignment;
    char *allocated[3], *memory[3]; /* for tensors of that many rows */
    int64_t *indices;
} rows;

static char *row(const rows *self, size_t tensor, int64_t index)
{
    return self->memory[tensor] + self->misalignment + index * self->bytes;
}

static void fill(char *memory, int64_t bytes, random_source *source)
{
    for (int64_t i = 0; i < bytes; i++)
        memory[i] = (char)random_bits(source);
}

/* Creates data, updates and output; each row is named once. */
static void create(rows *self, int64_t row_bytes, size_t misalignment)
{
    random_source source = {random_seed()};
    *self = (rows){.count = RESULT_BYTES / row_bytes, .bytes = row_bytes, .misalignment = misalignment};
    const size_t size = (size_t)(self->count * row_bytes) + LINE;
    for (size_t t = 0; t < 3; t++) {
        self->allocated[t] = malloc(size + LINE);
        assert_non_null(self->allocated[t]);
        self->memory[t] = self->allocated[t] + LINE - (uintptr_t)self->allocated[t] % LINE;
        memset(self->memory[t], 0x55, size);
    }
    self->indices = calloc((size_t)self->count, sizeof *self->indices);
    assert_non_null(self->indices);
    random_order(&source, (size_t)self->count, self->indices);
    for (int64_t i = 0; i < self->count; i++) {
        fill(row(self, 0, i), LINE, &source); /* enough to distinguish rows */
        fill(row(self, 1, i), LINE, &source);
    }
}

static void destroy(rows *self)
{
    for (size_t t = 0; t < 3; t++)
        free(self->allocated[t]);
    free(self->indices);
}

static void check_rows(const rows *self, size_t written, size_t read, bool gathered)
{
    for (int64_t i = 0; i < self->count; i++) {
        const int64_t written_row = gathered ? i : self->indices[i], read_row = gathered ? self->indices[i] : i;
        assert_memory_equal(row(self, written, written_row), row(self, read, read_row), (size_t)self->bytes);
    }
}

static void check_calls(rows *self, const strew_parallel *parallel)
{
    const int64_t shape[] = {self->count, self->bytes}, tuples[] = {self->count, 1};
    strew_tensor tensors[3];
    for (size_t t = 0; t < 3; t++)
        tensors[t] = (strew_tensor){row(self, t, 0), STREW_DTYPE_UINT8, 2, shape, NULL};
    const strew_tensor indices = {self->indices, STREW_DTYPE_INT64, 2, tuples, NULL};
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = parallel;

    assert_int_equal(strew_gather_nd(&tensors[0], &indices, 0, &tensors[2], &options), STREW_STATUS_OK);
    check_rows(self, 2, 0, true);
    assert_int_equal(
        strew_scatter_nd(&tensors[0], &indices, &tensors[1], STREW_REDUCTION_NONE, &tensors[2], &options),
        STREW_STATUS_OK);
    check_rows(self, 2, 1, false);
    memset(row(self, 2, 0), 0x55, (size_t)(self->count * self->bytes));
    assert_int_equal(
        strew_scatter_nd(&tensors[2], &indices, &tensors[1], STREW_REDUCTION_NONE, &tensors[2], &options),
        STREW_STATUS_OK);
    check_rows(self, 2, 1, false);

    const int64_t one[] = {1, 1}, one_row[] = {1, self->bytes};
    const strew_tensor first = {self->indices, STREW_DTYPE_INT64, 2, one, NULL};
    const strew_tensor update = {row(self, 1, 0), STREW_DTYPE_UINT8, 2, one_row, NULL};
    assert_int_equal(strew_scatter_nd(&tensors[0], &first, &update, STREW_REDUCTION_NONE, &tensors[2], &options),
                     STREW_STATUS_OK);
    for (int64_t i = 0; i < self->count; i++)
        assert_memory_equal(row(self, 2, i), i == self->indices[0] ? row(self, 1, 0) : row(self, 0, i),
                            (size_t)self->bytes);
}

static void large_results_are_the_same_rows(void **state)
{
    (void)state;
    static const int64_t lengths[] = {64, 100, 128, 256, 1000, 5000, 1 << 20};
    static const size_t misalignments[] = {0, 16, 33};
    for (size_t l = 0; l < COUNT(lengths); l++)
        for (size_t m = 0; m < COUNT(misalignments); m++) {
            rows large;
            create(&large, lengths[l], misalignments[m]);
            const strew_parallel threads = parallel_threads(3);
            check_calls(&large, NULL);
            check_calls(&large, &threads);
            destroy(&large);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_results_are_the_same_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
