/* The promises of strew.h about scratch, separate tensors, unused strides, and other edges. */
#include <stdlib.h>

#include "arguments.h"
#include "element.h"
#include "parallel.h"
#include "test.h"

/* ---- Scratch ------------------------------------------------------------------------------------- */

/* It may even be inside the tensors, which keep their content. */
static void scratch_that_is_of_no_use_is_not_looked_at(void **state)
{
    (void)state;
    static const strew_operand inside[] = {DATA, INDICES, OUTPUT};
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t i = 0; i < COUNT(inside); i++) {
            arguments call;
            strew_plan plan;
            arguments_create(&call, kinds[k]);
            const arguments before = call;
            assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
            call.options.scratch = call.tensor[inside[i]].data;
            call.options.scratch_size = strew_plan_scratch_size(&plan, 1);
            if (call.options.scratch_size > 0)
                call.options.scratch_size--; /* with the lowest thresholds, all would be of use */
            assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
            assert_memory_equal(before.memory[DATA], call.memory[DATA], sizeof before.memory[DATA]);
            assert_memory_equal(before.memory[INDICES], call.memory[INDICES], sizeof before.memory[INDICES]);
        }
}

static strew_status run_mean_with(arguments *call, void *scratch, size_t size)
{
    call->options.scratch = scratch;
    call->options.scratch_size = size;
    call->error = (strew_error){0};
    return arguments_run(call);
}

/* The useful part of scratch may touch a tensor, but not overlap it; the part after it may. */
static void scratch_is_checked_where_it_is_of_use(void **state)
{
    (void)state;
    static const strew_operand beside[] = {DATA, INDICES, UPDATES, OUTPUT};
    static char memory[4 * ARGUMENT_ROOM];
    for (size_t i = 0; i < COUNT(beside); i++) {
        arguments call;
        strew_plan plan;
        arguments_create(&call, "scatter_elements");
        call.attributes.reduction = STREW_REDUCTION_MEAN;
        assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
        const size_t least = strew_plan_least_scratch_size(&plan, 1);
        assert_true(least > 0 && least < ARGUMENT_ROOM);
        const strew_tensor *tensor = &call.tensor[beside[i]];
        char *const begin = memory + ARGUMENT_ROOM;
        memcpy(begin, tensor->data, ARGUMENT_ROOM - 64);
        call.tensor[beside[i]].data = begin;
        assert_int_equal(run_mean_with(&call, begin - least, least), STREW_STATUS_OK);
        assert_int_equal(run_mean_with(&call, begin - least, least + 1), STREW_STATUS_OK);
        assert_int_equal(run_mean_with(&call, begin - least + 1, least), STREW_STATUS_INVALID_ARGUMENT);
        assert_true(call.error.operand == SCRATCH && call.error.other == beside[i]);
        assert_int_equal(run_mean_with(&call, begin - least, least - 1), STREW_STATUS_INVALID_ARGUMENT);
        assert_int_equal(run_mean_with(&call, NULL, SIZE_MAX), STREW_STATUS_INVALID_ARGUMENT);
        assert_true(call.error.operand == SCRATCH && call.error.value == 0);
    }
}

/* ---- Tensors ------------------------------------------------------------------------------------- */

/* Every second element each: no byte is shared, until the elements of one are moved by a byte. */
static void tensors_that_interleave_are_apart(void **state)
{
    (void)state;
    static const int64_t shape[] = {4}, strides[] = {2};
    int16_t woven[9] = {1, 0, 2, 0, 3, 0, 4, 0};
    int64_t order[] = {3, 2, 1, 0};
    const strew_tensor data = {woven, STREW_DTYPE_INT16, 1, shape, strides};
    const strew_tensor indices = {order, STREW_DTYPE_INT64, 1, shape, NULL};
    const strew_tensor output = {woven + 1, STREW_DTYPE_INT16, 1, shape, strides};
    const strew_tensor shifted = {(char *)(woven + 1) + 1, STREW_DTYPE_INT16, 1, shape, strides};
    assert_int_equal(strew_gather(&data, &indices, 0, 0, &shifted, NULL), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(woven[1], 0);
    assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, NULL), STREW_STATUS_OK);
    assert_true(woven[0] == 1 && woven[1] == 4 && woven[3] == 3 && woven[5] == 2 && woven[7] == 1);
}

static void strides_of_sizes_0_and_1_may_be_anything(void **state)
{
    (void)state;
    static const int64_t wild[] = {INT64_MIN, INT64_MAX, -1, 0};
    static const int64_t shape[] = {1, 1, 0}, one[] = {1}, row[] = {1, 1};
    for (size_t w = 0; w < COUNT(wild); w++) {
        const int64_t strides[] = {wild[w], wild[w], wild[w]};
        float value = 4, found = 0;
        uint8_t index = 0;
        const strew_tensor data = {&value, STREW_DTYPE_FLOAT32, 2, row, strides};
        const strew_tensor indices = {&index, STREW_DTYPE_UINT8, 1, one, strides};
        const strew_tensor output = {&found, STREW_DTYPE_FLOAT32, 2, row, strides};
        const strew_tensor none = {NULL, STREW_DTYPE_FLOAT32, 3, shape, strides};
        assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, NULL), STREW_STATUS_OK);
        assert_true(found == 4);
        assert_int_equal(strew_gather(&none, &indices, 0, 0, &none, NULL), STREW_STATUS_OK);
    }
}

static void the_reach_of_tensors_without_elements_is_checked(void **state)
{
    (void)state;
    static const int64_t shape[] = {3, 0}, one[] = {1}, row[] = {1, 0};
    int64_t strides[] = {INT64_MAX / 8, 1};
    int64_t index = 0;
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 2, shape, strides};
    const strew_tensor indices = {&index, STREW_DTYPE_INT64, 1, one, NULL};
    const strew_tensor output = {NULL, STREW_DTYPE_FLOAT32, 2, row, NULL};
    assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, NULL),
                     sizeof(void *) > 4 ? STREW_STATUS_OK : STREW_STATUS_INVALID_ARGUMENT);
    strides[0] = INT64_MAX / 8 + 1;
    assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, NULL), STREW_STATUS_INVALID_ARGUMENT);
}

static void no_index_into_an_empty_dimension_is_right(void **state)
{
    (void)state;
    static const int64_t shape[] = {0}, one[] = {1};
    static const uint32_t flags[] = {0, STREW_FLAG_REFUSE_NEGATIVE_INDICES};
    int64_t index = -1;
    float found;
    for (size_t f = 0; f < COUNT(flags); f++) {
        strew_error error;
        strew_options options = call_options();
        options.error = &error;
        options.flags = flags[f];
        const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 1, shape, NULL};
        const strew_tensor indices = {&index, STREW_DTYPE_INT64, 1, one, NULL};
        const strew_tensor output = {&found, STREW_DTYPE_FLOAT32, 1, one, NULL};
        assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, &options), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        assert_true(error.lower == 0 && error.upper == -1 && error.value == -1);
    }
}

/* ---- Elements ------------------------------------------------------------------------------------ */

static void bools_that_move_keep_their_bytes(void **state)
{
    (void)state;
    static const int64_t shape[] = {3};
    unsigned char bytes[] = {0, 2, 255}, gathered[3], scattered[3] = {1, 1, 1};
    int64_t order[] = {2, 1, 0};
    const strew_tensor data = {bytes, STREW_DTYPE_BOOL, 1, shape, NULL};
    const strew_tensor indices = {order, STREW_DTYPE_INT64, 1, shape, NULL};
    const strew_tensor output = {gathered, STREW_DTYPE_BOOL, 1, shape, NULL};
    const strew_tensor target = {scattered, STREW_DTYPE_BOOL, 1, shape, NULL};
    const strew_options options = call_options();
    assert_int_equal(strew_gather(&data, &indices, 0, 0, &output, &options), STREW_STATUS_OK);
    assert_int_equal(strew_scatter(&target, &indices, &data, 0, 0, STREW_REDUCTION_NONE, true, &target, &options),
                     STREW_STATUS_OK);
    assert_true(gathered[0] == 255 && gathered[1] == 2 && gathered[2] == 0);
    assert_memory_equal(scattered, gathered, sizeof gathered);
}

/* In float16, 2048 + 1 rounds to 2048, however often it is added. */
static void a_mean_of_halves_rounds_its_sum_at_each_step(void **state)
{
    (void)state;
    static const int64_t shape[] = {1}, three[] = {3};
    static const uint16_t half_2048 = 0x6800, half_1 = 0x3c00, half_512 = 0x6000;
    uint16_t sum = half_2048, ones[] = {half_1, half_1, half_1};
    int64_t zeros[] = {0, 0, 0};
    char scratch[4096];
    const strew_tensor data = {&sum, STREW_DTYPE_FLOAT16, 1, shape, NULL};
    const strew_tensor indices = {zeros, STREW_DTYPE_INT64, 1, three, NULL};
    const strew_tensor updates = {ones, STREW_DTYPE_FLOAT16, 1, three, NULL};
    strew_options options = call_options();
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    assert_int_equal(strew_scatter(&data, &indices, &updates, 0, 0, STREW_REDUCTION_MEAN, true, &data, &options),
                     STREW_STATUS_OK);
    assert_int_equal(sum, half_512); /* and not (2048 + 3) / 4 */
}

static void opaque_elements_of_no_size_have_a_name_and_no_call(void **state)
{
    (void)state;
    assert_string_equal(strew_dtype_name(STREW_DTYPE_OPAQUE_BIT), "opaque");
    assert_int_equal(strew_dtype_size(STREW_DTYPE_OPAQUE_BIT), 0);
    arguments call;
    arguments_create(&call, "gather");
    call.tensor[DATA].dtype = call.tensor[OUTPUT].dtype = STREW_DTYPE_OPAQUE_BIT;
    assert_int_equal(arguments_run(&call), STREW_STATUS_UNSUPPORTED_DTYPE);
}

/* ---- Options and faults -------------------------------------------------------------------------- */

static void reserved_is_not_looked_at(void **state)
{
    (void)state;
    arguments call;
    strew_plan plan;
    arguments_create(&call, "gather");
    call.options.reserved = -1;
    strew_plan_options planning = call_plan_options(&call.options);
    planning.reserved = -1;
    const operator_call operands = arguments_call(&call);
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    assert_int_equal(call_plan(&operands, &plan, &planning), STREW_STATUS_OK);
}

/* Shapes before pointers before indices. */
static void faults_are_told_in_the_order_in_which_they_can_be_seen(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "gather_nd");
    ((int64_t *)call.tensor[INDICES].data)[0] = 99;
    void *const data = call.tensor[DATA].data;
    call.tensor[DATA].data = NULL;
    call.shape[OUTPUT][0]++;
    assert_int_equal(arguments_run(&call), STREW_STATUS_SHAPE_MISMATCH);
    call.shape[OUTPUT][0]--;
    assert_int_equal(arguments_run(&call), STREW_STATUS_INVALID_ARGUMENT);
    call.tensor[DATA].data = data;
    assert_int_equal(arguments_run(&call), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
}

/* ---- Indices that are unique --------------------------------------------------------------------- */

enum { UPDATED = 3000, COLUMNS = 3 };

/* A scatter to rows and one to elements, on three threads. */
static strew_status scatter_updates(bool rows, int32_t *data, const int64_t *indices, const int32_t *updates,
                                    strew_reduction reduction, uint32_t flags)
{
    const int64_t table[] = {UPDATED, COLUMNS}, tuples[] = {UPDATED, 1}, expanded[] = {1, 0};
    const strew_parallel parallel = parallel_threads(3);
    const strew_tensor output = {data, STREW_DTYPE_INT32, 2, table, NULL};
    const strew_tensor rows_of = {(void *)(uintptr_t)indices, STREW_DTYPE_INT64, 2, tuples, NULL};
    const strew_tensor elements_of = {(void *)(uintptr_t)indices, STREW_DTYPE_INT64, 2, table, expanded};
    const strew_tensor added = {(void *)(uintptr_t)updates, STREW_DTYPE_INT32, 2, table, NULL};
    strew_options options = call_options();
    options.flags = flags;
    options.parallel = &parallel;
    return rows ? strew_scatter_nd(&output, &rows_of, &added, reduction, &output, &options)
                : strew_scatter_elements(&output, &elements_of, &added, 0, reduction, true, &output, &options);
}

/* Each row once, far from the one before. */
static void name_rows(int64_t *indices)
{
    for (int i = 0; i < UPDATED; i++)
        indices[i] = (int64_t)i * 1009 % UPDATED;
}

static void what_is_promised_to_be_unique_gives_the_same_bits(void **state)
{
    (void)state;
    static int64_t indices[UPDATED];
    static int32_t updates[UPDATED][COLUMNS], expected[UPDATED][COLUMNS], data[UPDATED][COLUMNS];
    name_rows(indices);
    for (int i = 0; i < UPDATED * COLUMNS; i++)
        updates[i / COLUMNS][i % COLUMNS] = i % 251 - 99;
    for (int way = 0; way < 2 * STREW_REDUCTION_MEAN; way++) {
        const strew_reduction reduction = (strew_reduction)(way / 2);
        memset(expected, 0x11, sizeof expected);
        memset(data, 0x11, sizeof data);
        assert_int_equal(scatter_updates(way % 2, *expected, indices, *updates, reduction, 0), STREW_STATUS_OK);
        assert_int_equal(scatter_updates(way % 2, *data, indices, *updates, reduction, STREW_FLAG_UNIQUE_INDICES),
                         STREW_STATUS_OK);
        assert_memory_equal(data, expected, sizeof data);
    }
}

/* The rows that several updates name may hold anything, but no other does; and indices are checked all the same. */
static void a_promise_that_is_broken_leaves_other_rows_as_they_are(void **state)
{
    (void)state;
    static int64_t indices[UPDATED];
    static int32_t updates[UPDATED][COLUMNS], data[UPDATED + 2][COLUMNS], before[UPDATED + 2][COLUMNS];
    for (int rows = 0; rows < 2; rows++) {
        memset(data, 0x11, sizeof data);
        memcpy(before, data, sizeof data);
        for (int i = 0; i < UPDATED; i++)
            indices[i] = UPDATED / 2;
        assert_int_equal(
            scatter_updates(rows, data[1], indices, *updates, STREW_REDUCTION_SUM, STREW_FLAG_UNIQUE_INDICES),
            STREW_STATUS_OK);
        memcpy(data[1 + UPDATED / 2], before[1], sizeof before[1]);
        assert_memory_equal(data, before, sizeof data);
        name_rows(indices);
        indices[UPDATED - 1] = UPDATED;
        assert_int_equal(
            scatter_updates(rows, data[1], indices, *updates, STREW_REDUCTION_NONE, STREW_FLAG_UNIQUE_INDICES),
            STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        assert_memory_equal(data, before, sizeof data);
    }
}

/* ---- A copy of the output ------------------------------------------------------------------------ */

enum { COPIED_ROWS = 3000, COPIED_UPDATES = 70000, COPIED_COLUMNS = 3, MOST_STEPS = 2 };

/* A scatter in place to few rows, which are `step` rows apart: backwards, or with room between them. */
typedef struct copied {
    int64_t rows, updates, step;
    size_t threads;
    bool has_scratch;
    strew_reduction reduction;
    strew_bounds bounds;
} copied;

static int32_t copied_output[MOST_STEPS * COPIED_ROWS * COPIED_COLUMNS],
    copied_expected[MOST_STEPS * COPIED_ROWS * COPIED_COLUMNS], copied_updates[COPIED_UPDATES * COPIED_COLUMNS];
static int64_t copied_indices[COPIED_UPDATES];

static int64_t first_row(const copied *self)
{
    return self->step < 0 ? (self->rows - 1) * COPIED_COLUMNS : 0;
}

/* Whether the plan says so, with scratch or without. What lies between rows is not the tensor's: such rows are not
 * copied. */
static void check_that_it_copies(const copied *self, const strew_plan *plan)
{
    char description[500];
    strew_plan_describe(plan, self->threads, description, sizeof description);
    if (self->bounds == STREW_BOUNDS_REFUSE)
        assert_int_equal(strstr(description, "into a copy of the output") != NULL, self->step < MOST_STEPS);
}

/* Runs it with this index in the middle. Returns the status. */
static strew_status run_copied(const copied *self, int64_t middle)
{
    int32_t *const first = copied_output + first_row(self);
    const int64_t output_shape[] = {self->rows, COPIED_COLUMNS}, strides[] = {self->step * COPIED_COLUMNS, 1},
                  updates_shape[] = {self->updates, COPIED_COLUMNS};
    const strew_tensor output = {first, STREW_DTYPE_INT32, 2, output_shape, strides};
    const strew_tensor indices = {copied_indices, STREW_DTYPE_INT64, 1, &self->updates, NULL};
    const strew_tensor updates = {copied_updates, STREW_DTYPE_INT32, 2, updates_shape, NULL};
    const strew_buffers buffers = {first, copied_indices, copied_updates, first, NULL, NULL};
    const strew_parallel parallel = parallel_threads(self->threads);
    strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    strew_plan plan;
    planning.threads = self->threads;
    planning.bounds = self->bounds;
    assert_int_equal(
        strew_plan_scatter(&plan, &output, &indices, &updates, 0, 0, self->reduction, true, &output, &planning),
        STREW_STATUS_OK);
    check_that_it_copies(self, &plan);
    running.parallel = self->threads > 1 ? &parallel : NULL;
    running.scratch_size = self->has_scratch ? strew_plan_scratch_size(&plan, self->threads) : 0;
    running.scratch = malloc(running.scratch_size + 1);
    for (int64_t i = 0; i < self->updates; i++)
        copied_indices[i] = i * 7919 % self->rows;
    copied_indices[self->updates / 2] = middle;
    const strew_status status = strew_plan_run(&plan, &buffers, &running);
    free(running.scratch);
    return status;
}

/* Applies the first updates to what is expected. */
static void expect_copied(const copied *self, int64_t count)
{
    for (int64_t i = 0; i < count * COPIED_COLUMNS; i++) {
        const int64_t row = copied_indices[i / COPIED_COLUMNS] * self->step;
        int32_t *const element = copied_expected + first_row(self) + row * COPIED_COLUMNS + i % COPIED_COLUMNS;
        *element = copied_updates[i] + (self->reduction == STREW_REDUCTION_SUM ? *element : 0);
    }
}

static void an_output_that_is_copied_is_whole_or_as_it_was(void **state)
{
    (void)state;
    static const copied cases[] = {
        {30, 2000, 1, 1, false, STREW_REDUCTION_NONE, STREW_BOUNDS_REFUSE},
        {30, 2000, -1, 1, false, STREW_REDUCTION_SUM, STREW_BOUNDS_REFUSE},
        {30, 2000, 2, 1, false, STREW_REDUCTION_NONE, STREW_BOUNDS_REFUSE},
        {COPIED_ROWS, COPIED_UPDATES, 1, 1, true, STREW_REDUCTION_NONE, STREW_BOUNDS_REFUSE},
        {COPIED_ROWS, COPIED_UPDATES, -1, 1, true, STREW_REDUCTION_SUM, STREW_BOUNDS_REFUSE},
        {COPIED_ROWS, COPIED_UPDATES, 1, 1, false, STREW_REDUCTION_SUM, STREW_BOUNDS_REFUSE},
        {COPIED_ROWS, COPIED_UPDATES, -1, 2, true, STREW_REDUCTION_SUM, STREW_BOUNDS_REFUSE},
        {30, COPIED_UPDATES, 1, 3, false, STREW_REDUCTION_NONE, STREW_BOUNDS_REFUSE},
        {30, COPIED_UPDATES, 1, 3, false, STREW_REDUCTION_SUM, STREW_BOUNDS_STOP},
    };
    for (size_t i = 0; i < COUNT(copied_updates); i++)
        copied_updates[i] = (int32_t)(7 * i % 65521);
    for (size_t c = 0; c < COUNT(cases); c++) {
        const copied *const self = &cases[c];
        for (size_t i = 0; i < COUNT(copied_output); i++)
            copied_output[i] = copied_expected[i] = (int32_t)i;
        assert_int_equal(run_copied(self, self->rows), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        expect_copied(self, self->bounds == STREW_BOUNDS_STOP ? self->updates / 2 : 0);
        assert_memory_equal(copied_output, copied_expected, sizeof copied_output);
        assert_int_equal(run_copied(self, 0), STREW_STATUS_OK);
        expect_copied(self, self->updates);
        assert_memory_equal(copied_output, copied_expected, sizeof copied_output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scratch_that_is_of_no_use_is_not_looked_at),
        cmocka_unit_test(scratch_is_checked_where_it_is_of_use),
        cmocka_unit_test(tensors_that_interleave_are_apart),
        cmocka_unit_test(strides_of_sizes_0_and_1_may_be_anything),
        cmocka_unit_test(the_reach_of_tensors_without_elements_is_checked),
        cmocka_unit_test(no_index_into_an_empty_dimension_is_right),
        cmocka_unit_test(bools_that_move_keep_their_bytes),
        cmocka_unit_test(a_mean_of_halves_rounds_its_sum_at_each_step),
        cmocka_unit_test(opaque_elements_of_no_size_have_a_name_and_no_call),
        cmocka_unit_test(reserved_is_not_looked_at),
        cmocka_unit_test(faults_are_told_in_the_order_in_which_they_can_be_seen),
        cmocka_unit_test(what_is_promised_to_be_unique_gives_the_same_bits),
        cmocka_unit_test(a_promise_that_is_broken_leaves_other_rows_as_they_are),
        cmocka_unit_test(an_output_that_is_copied_is_whole_or_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
