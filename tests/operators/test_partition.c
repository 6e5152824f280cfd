/*
 * Scatters that have scratch to sort their updates in: large enough to do so, on one thread and on several. They
 * give the same bits as the calls without scratch.
 */

#include <stdlib.h>

#include "call.h"
#include "element.h"
#include "parallel.h"
#include "system/system.h"
#include "test.h"

/*
 * Elements scattered along the first of two dimensions. Rows of data come backwards in memory, with an element of
 * padding each; rows of updates are padded as well.
 */
typedef struct scatter {
    strew_dtype dtype;
    int64_t shape[2], strides[2];
    int64_t index_shape[2], update_strides[2];
    size_t bytes, begin; /* size of data and output, and the offset of the first element in it */
    char *data, *output, *expected, *updates;
    int64_t *indices;
    random_source source;
} scatter;

static void *allocate(size_t bytes)
{
    void *memory = calloc(bytes, 1);
    assert_non_null(memory);
    return memory;
}

/* Numbers whose sums and products differ and are mostly finite. */
static void fill(scatter *self, char *memory, size_t bytes)
{
    const size_t size = element_size(self->dtype);
    const bool is_float = element_float_format(self->dtype).mantissa_bits > 0;
    for (size_t i = 0; i < bytes; i += size)
        if (is_float)
            element_store(self->dtype, (double)random_between(&self->source, -900, 900) / 512, memory + i);
        else
            for (size_t b = 0; b < size; b++)
                memory[i + b] = (char)random_bits(&self->source);
}

/* A third of the updates go to a few places; indices count from either end. */
static void draw_indices(scatter *self)
{
    const int64_t rows = self->shape[0];
    for (int64_t i = 0; i < self->index_shape[0] * self->index_shape[1]; i++) {
        const int64_t most = i % 3 == 0 && rows > 8 ? 8 : rows;
        self->indices[i] = random_between(&self->source, 0, most - 1) - (i % 2 ? rows : 0);
    }
}

static void create(scatter *self, strew_dtype dtype, int64_t rows, int64_t columns, int64_t index_rows)
{
    const int64_t size = (int64_t)element_size(dtype), row = columns + 1, update_row = columns + 2;
    *self = (scatter){.dtype = dtype,
                      .shape = {rows, columns},
                      .strides = {-row, 1},
                      .index_shape = {index_rows, columns},
                      .update_strides = {update_row, 1},
                      .bytes = (size_t)(rows * row * size),
                      .begin = (size_t)((rows - 1) * row * size),
                      .source = {random_seed()}};
    const size_t updates_bytes = (size_t)(index_rows * update_row * size);
    self->data = allocate(self->bytes);
    self->output = allocate(self->bytes);
    self->expected = allocate(self->bytes);
    self->updates = allocate(updates_bytes);
    self->indices = allocate((size_t)(index_rows * columns) * sizeof *self->indices);
    fill(self, self->data, self->bytes);
    fill(self, self->updates, updates_bytes);
    draw_indices(self);
}

static void destroy(scatter *self)
{
    free(self->data);
    free(self->output);
    free(self->expected);
    free(self->updates);
    free(self->indices);
}

/* A scatter, and how to run it. */
typedef struct request {
    strew_reduction reduction;
    bool use_init_val;
    bool in_place;
    size_t threads;
} request;

static strew_tensor tensor(const scatter *self, char *memory)
{
    return (strew_tensor){memory + self->begin, self->dtype, 2, self->shape, self->strides};
}

/* Writes to self->output, which begins as data if the call is in place. */
static strew_status run(scatter *self, const request *asked, call_scratch scratch, strew_error *error)
{
    const strew_tensor data = tensor(self, asked->in_place ? self->output : self->data);
    const strew_tensor output = tensor(self, self->output);
    const strew_tensor indices = {self->indices, STREW_DTYPE_INT64, 2, self->index_shape, NULL};
    const strew_tensor updates = {self->updates, self->dtype, 2, self->index_shape, self->update_strides};
    const operator_call call = {.kind = STREW_KIND_SCATTER_ELEMENTS,
                                .data = &data,
                                .indices = &indices,
                                .updates = &updates,
                                .output = &output,
                                .reduction = asked->reduction,
                                .use_init_val = asked->use_init_val};
    const strew_parallel threads = parallel_threads(asked->threads);
    strew_options options = call_options();
    options.parallel = asked->threads > 1 ? &threads : NULL;
    options.error = error;
    memcpy(self->output, self->data, self->bytes);
    return call_run(&call, BY_PLAN, scratch, &options);
}

static size_t scratch_size(const scatter *self, const request *asked)
{
    const strew_tensor data = {NULL, self->dtype, 2, self->shape, self->strides};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, self->index_shape, NULL};
    const strew_tensor updates = {NULL, self->dtype, 2, self->index_shape, self->update_strides};
    strew_plan plan;
    assert_int_equal(strew_plan_scatter_elements(&plan, &data, &indices, &updates, 0, asked->reduction,
                                                 asked->use_init_val, &data, NULL),
                     STREW_STATUS_OK);
    return strew_plan_scratch_size(&plan, asked->threads);
}

static void check(scatter *self, request asked)
{
    request alone = asked;
    alone.threads = 1;
    assert_true(scratch_size(self, &asked) > (size_t)(8 * self->index_shape[0] * self->index_shape[1]));
    assert_int_equal(run(self, &alone, LEAST_SCRATCH, NULL), STREW_STATUS_OK);
    memcpy(self->expected, self->output, self->bytes);
    assert_int_equal(run(self, &asked, FULL_SCRATCH, NULL), STREW_STATUS_OK);
    assert_memory_equal(self->output, self->expected, self->bytes);
}

static void every_dtype_partitioned_by_threads_leaves_the_same_bits(void **state)
{
    (void)state;
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_UINT4; dtype++) {
        scatter columns;
        create(&columns, dtype, 100000, 1, 70000);
        for (unsigned r = 0; r < STREW_REDUCTION_COUNT; r++)
            for (unsigned way = 0; way < 4; way++)
                if (element_reduces(dtype, (strew_reduction)r) || r == STREW_REDUCTION_NONE)
                    check(&columns, (request){(strew_reduction)r, way / 2, way % 2, 3});
        destroy(&columns);
    }
}

static void one_thread_partitions_what_the_caches_do_not_hold(void **state)
{
    (void)state;
    static const strew_dtype dtypes[] = {STREW_DTYPE_UINT8, STREW_DTYPE_FLOAT16, STREW_DTYPE_FLOAT32,
                                         STREW_DTYPE_COMPLEX64};
    static const strew_reduction reductions[] = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUM, STREW_REDUCTION_MEAN};
    for (size_t d = 0; d < COUNT(dtypes); d++) {
        const int64_t rows = (17 << 20) / (int64_t)element_size(dtypes[d]) / 900;
        scatter matrix;
        create(&matrix, dtypes[d], rows, 900, 700);
        for (size_t r = 0; r < COUNT(reductions); r++)
            if (element_reduces(dtypes[d], reductions[r]) || reductions[r] == STREW_REDUCTION_NONE)
                check(&matrix, (request){reductions[r], r % 2 == 0, true, 1});
        destroy(&matrix);
    }
}

/* Sorted indices are better left in order; in any case the bits stay the same. */
static void what_is_in_order_leaves_the_same_bits(void **state)
{
    (void)state;
    scatter matrix;
    create(&matrix, STREW_DTYPE_FLOAT32, 5000, 900, 700);
    for (int64_t i = 0; i < 700 * 900; i++)
        matrix.indices[i] = i / 900;
    for (size_t threads = 1; threads <= 3; threads++)
        check(&matrix, (request){STREW_REDUCTION_SUM, true, true, threads});
    destroy(&matrix);
}

/* Without an order, two threads would share these as owners. */
static void short_rows_in_order_leave_the_same_bits(void **state)
{
    (void)state;
    scatter columns;
    create(&columns, STREW_DTYPE_FLOAT32, 2500000, 1, 800000);
    for (int64_t i = 0; i < 800000; i++)
        columns.indices[i] = 3 * i;
    for (size_t threads = 2; threads <= 3; threads++)
        check(&columns, (request){STREW_REDUCTION_SUM, true, true, threads});
    destroy(&columns);
}

/* The number of buckets is limited; beyond that, buckets grow. */
static void scratch_does_not_grow_with_the_largest_outputs(void **state)
{
    (void)state;
    const request asked = {STREW_REDUCTION_SUM, true, true, 3};
    size_t needed[3];
    if (sizeof(size_t) < sizeof(int64_t))
        skip(); /* so many are not partitioned if scratch for them could not be addressed */
    for (int i = 0; i < 3; i++) {
        const scatter planned = {.dtype = STREW_DTYPE_UINT8,
                                 .shape = {(INT64_C(1) << 28) << i, 1},
                                 .strides = {1, 1},
                                 .index_shape = {INT64_C(1) << 26, 1},
                                 .update_strides = {1, 1}};
        needed[i] = scratch_size(&planned, &asked);
    }
    assert_true(needed[0] > (size_t)8 << 26);
    assert_true(needed[1] == needed[0] && needed[2] == needed[0]);
}

/* Indices along the last axis reach a row, which the caches hold. */
static void near_elements_of_a_large_output_need_no_buckets(void **state)
{
    (void)state;
#ifndef STREW_LOWEST_THRESHOLDS
    static const int64_t shape[] = {100000, 1000}, index_shape[] = {100000, 500};
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 2, shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, index_shape, NULL};
    const strew_tensor updates = {NULL, STREW_DTYPE_FLOAT32, 2, index_shape, NULL};
    strew_plan plan;
    assert_int_equal(
        strew_plan_scatter_elements(&plan, &data, &indices, &updates, 1, STREW_REDUCTION_SUM, true, &data, NULL),
        STREW_STATUS_OK);
    for (size_t threads = 1; threads <= 2; threads++)
        assert_int_equal(strew_plan_scratch_size(&plan, threads), 0);
#endif
}

static void a_wrong_index_leaves_everything_as_it_was(void **state)
{
    (void)state;
    static const size_t threads[] = {1, 2, 7};
    scatter columns;
    strew_error error;
    create(&columns, STREW_DTYPE_FLOAT32, 2500000, 1, 800000);
    columns.indices[799998] = 2500000;
    columns.indices[799999] = -2500001;
    for (size_t t = 0; t < 6; t++) {
        const request asked = {STREW_REDUCTION_SUM, true, true, threads[t % 3]};
        assert_true(scratch_size(&columns, &asked) > 0);
        if (t == 3)
            columns.indices[1] = 2500000; /* among the indices that are sampled for their order */
        assert_int_equal(run(&columns, &asked, FULL_SCRATCH, &error), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        assert_int_equal(error.position[0], t < 3 ? 799998 : 1);
        assert_memory_equal(columns.output, columns.data, columns.bytes);
    }
    destroy(&columns);
}

int main(void)
{
    system_set_variable("STREW_TUNING", "xeon"); /* it partitions the smallest tensors */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dtype_partitioned_by_threads_leaves_the_same_bits),
        cmocka_unit_test(one_thread_partitions_what_the_caches_do_not_hold),
        cmocka_unit_test(what_is_in_order_leaves_the_same_bits),
        cmocka_unit_test(short_rows_in_order_leave_the_same_bits),
        cmocka_unit_test(scratch_does_not_grow_with_the_largest_outputs),
        cmocka_unit_test(near_elements_of_a_large_output_need_no_buckets),
        cmocka_unit_test(a_wrong_index_leaves_everything_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
