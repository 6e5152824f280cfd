/* SliceScatter: random slices compared with the oracle, its edges, and its refusals. */
#include <strew/operators.h>

#include "call.h"
#include "oracle.h"
#include "parallel.h"
#include "random.h"
#include "test.h"

enum { MOST_RANK = 4 };

typedef struct slice_case {
    int64_t starts[MOST_RANK], stops[MOST_RANK], steps[MOST_RANK], axes[MOST_RANK];
    strew_slice slice;
} slice_case;

static int64_t random_bound(random_source *source, int64_t size)
{
    static const int64_t far[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, INT32_MAX, INT32_MIN};
    return random_chance(source, 15) ? far[random_below(source, COUNT(far))]
                                     : random_between(source, -size - 2, size + 2);
}

static int64_t random_step(random_source *source)
{
    static const int64_t far[] = {INT64_MAX, INT64_MIN, 1000, -1000};
    const int64_t step =
        random_chance(source, 10) ? far[random_below(source, COUNT(far))] : random_between(source, -3, 3);
    return step ? step : 1;
}

static void create_slice(slice_case *self, random_source *source, int32_t rank, const int64_t *shape)
{
    int64_t order[MOST_RANK];
    const bool named = random_chance(source, 60);
    random_order(source, (size_t)rank, order);
    self->slice = (strew_slice){.count = (int32_t)random_between(source, 0, rank),
                                .starts = self->starts,
                                .stops = self->stops,
                                .steps = self->steps,
                                .axes = named ? self->axes : NULL};
    for (int32_t i = 0; i < self->slice.count; i++) {
        const int64_t d = named ? order[i] : i;
        self->axes[i] = random_chance(source, 50) ? d : d - rank;
        self->starts[i] = random_bound(source, shape[d]);
        self->stops[i] = random_bound(source, shape[d]);
        self->steps[i] = random_step(source);
    }
}

/* The shape of its updates. */
static void find_lengths(const slice_case *self, int32_t rank, const int64_t *shape, int64_t *lengths)
{
    oracle_selection selections[STREW_MAX_RANK];
    oracle_select(&self->slice, rank, shape, selections);
    for (int32_t d = 0; d < rank; d++)
        lengths[d] = selections[d].length;
}

static void check_random_slice(random_source *source)
{
    slice_case slice;
    int64_t shape[STREW_MAX_RANK], lengths[STREW_MAX_RANK];
    test_tensor data, updates, output, expected;
    strew_error unused;
    static const strew_dtype dtypes[] = {STREW_DTYPE_UINT8, STREW_DTYPE_INT16, STREW_DTYPE_FLOAT32};
    const strew_dtype dtype = dtypes[random_below(source, COUNT(dtypes))];
    const int32_t rank = (int32_t)random_between(source, 1, MOST_RANK);
    const bool in_place = random_chance(source, 50);
    const size_t threads = 1 + random_below(source, 3);
    const strew_parallel parallel = parallel_threads(threads);
    strew_options options = call_options();
    options.parallel = threads > 1 ? &parallel : NULL;
    random_shape(source, rank, random_chance(source, 3) ? 20000 : 600, shape);
    create_slice(&slice, source, rank, shape);
    find_lengths(&slice, rank, shape, lengths);
    random_tensor(source, &data, dtype, rank, shape, LAYOUT_OUTPUT);
    random_tensor(source, &updates, dtype, rank, lengths, LAYOUT_INPUT);
    random_tensor(source, &output, dtype, rank, shape, LAYOUT_OUTPUT);
    tensor_clone(&expected, in_place ? &data : &output);
    operator_call call = {.kind = STREW_KIND_SLICE_SCATTER,
                          .data = in_place ? &expected.view : &data.view,
                          .updates = &updates.view,
                          .slice = &slice.slice,
                          .output = &expected.view};
    assert_true(oracle_run(&call, &unused));
    call.data = &data.view;
    call.output = in_place ? &data.view : &output.view;
    assert_int_equal(call_operator(&call, &options), STREW_STATUS_OK);
    assert_true(tensor_same_memory(in_place ? &data : &output, &expected));
    tensor_destroy(&data);
    tensor_destroy(&updates);
    tensor_destroy(&output);
    tensor_destroy(&expected);
}

static void random_slices_are_as_the_oracle_has_them(void **state)
{
    (void)state;
    random_source source = {random_seed()};
    for (int i = 0; i < 4000; i++)
        check_random_slice(&source);
}

/* More single bytes than a stack holds: in place nothing beside them may be written, with scratch or without. */
static void long_slices_begin_where_they_say(void **state)
{
    (void)state;
    enum { SHORT = 5000, LONG = 100000 };
    static unsigned char memory[LONG], expected[LONG], values[LONG];
    static char scratch[2 * LONG];
    const int64_t from[] = {1, -1}, to[] = {INT64_MAX, INT64_MIN}, step[] = {1, -1};
    for (int way = 0; way < 4; way++) {
        const int64_t size[] = {way / 2 ? LONG : SHORT}, length[] = {size[0] - (way % 2 ? 0 : 1)},
                      backwards[] = {-1};
        const strew_tensor data = {memory, STREW_DTYPE_UINT8, 1, size, NULL};
        const strew_tensor updates = {values + (way % 2 ? 0 : length[0] - 1), STREW_DTYPE_UINT8, 1, length,
                                      way % 2 ? NULL : backwards};
        const strew_slice slice = {1, 0, &from[way % 2], &to[way % 2], &step[way % 2], NULL};
        strew_options options = call_options();
        options.scratch = scratch;
        options.scratch_size = sizeof scratch;
        for (int64_t i = 0; i < size[0]; i++) {
            memory[i] = expected[i] = (unsigned char)(i % 251);
            values[i] = (unsigned char)(i % 241);
        }
        for (int64_t i = 0; i < length[0]; i++)
            expected[size[0] - 1 - i] = values[i];
        assert_int_equal(strew_slice_scatter(&data, &updates, &slice, &data, &options), STREW_STATUS_OK);
        assert_memory_equal(memory, expected, (size_t)size[0]);
    }
}

/* The part of 0 to 9 that a slice selects, in its order. */
static void slices_are_those_of_python(void **state)
{
    (void)state;
    static const struct {
        int64_t start, stop, step, length, first, last;
    } cases[] = {
        {25, 30, 1, 0, 0, 0},       {-3, INT64_MAX, 1, 3, 7, 9},
        {9, -11, -1, 10, 9, 0},     {9, 0, -2, 5, 9, 1},
        {25, -25, -3, 4, 9, 0},     {0, -25, -1, 1, 0, 0},
        {2, 5, -1, 0, 0, 0},        {15, 5, -1, 4, 9, 6},
        {-25, -30, -1, 0, 0, 0},    {0, 10, INT64_C(1) << 40, 1, 0, 0},
        {5, 0, INT64_MIN, 1, 5, 5},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int32_t memory[10] = {0}, updates[10];
        const int64_t shape[] = {10}, length[] = {cases[i].length};
        for (int32_t u = 0; u < 10; u++)
            updates[u] = u + 1;
        const strew_tensor data = {memory, STREW_DTYPE_INT32, 1, shape, NULL};
        const strew_tensor window = {updates, STREW_DTYPE_INT32, 1, length, NULL};
        const strew_slice slice = {1, 0, &cases[i].start, &cases[i].stop, &cases[i].step, NULL};
        const strew_attributes attributes = {.given = STREW_ATTRIBUTE_SLICE, .slice = &slice};
        assert_int_equal(strew_operator_run(strew_operator_find("SliceScatter-15"), &attributes, &data, NULL,
                                            &window, &data, NULL),
                         STREW_STATUS_OK);
        if (cases[i].length > 0) {
            assert_int_equal(memory[cases[i].first], 1);
            assert_int_equal(memory[cases[i].last], cases[i].length);
        }
    }
}

static void slices_that_are_none_are_refused(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 3}, zero[] = {0, 0}, one[] = {1, 1}, three[] = {3, 3}, twice[] = {1, -1};
    static const int64_t beyond[] = {2}, before[] = {-3};
    int32_t memory[6] = {0}, updates[6] = {0};
    const strew_tensor data = {memory, STREW_DTYPE_INT32, 2, shape, NULL};
    const strew_tensor window = {updates, STREW_DTYPE_INT32, 2, shape, NULL};
    const strew_tensor other = {updates, STREW_DTYPE_INT32, 2, one, NULL};
    const struct {
        const strew_tensor *updates;
        strew_slice slice;
        strew_status status;
        strew_operand operand;
    } cases[] = {
        {&window, {1, 0, zero, three, zero, NULL}, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE},
        {&window, {2, 0, zero, three, one, twice}, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE},
        {&window, {1, 0, zero, three, one, beyond}, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE},
        {&window, {1, 0, zero, three, one, before}, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE},
        {&window, {3, 0, zero, three, one, NULL}, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE},
        {&window, {-1, 0, zero, three, one, NULL}, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE},
        {&window, {1, 0, NULL, three, one, NULL}, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_SLICE},
        {&other, {2, 0, zero, three, one, NULL}, STREW_STATUS_SHAPE_MISMATCH, STREW_OPERAND_UPDATES},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        strew_error error = {0};
        strew_options options = STREW_OPTIONS_INIT;
        options.error = &error;
        assert_int_equal(strew_slice_scatter(&data, cases[i].updates, &cases[i].slice, &data, &options),
                         cases[i].status);
        assert_int_equal(error.operand, cases[i].operand);
    }
    assert_int_equal(strew_slice_scatter(&data, &window, NULL, &data, NULL), STREW_STATUS_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_slices_are_as_the_oracle_has_them),
        cmocka_unit_test(long_slices_begin_where_they_say),
        cmocka_unit_test(slices_are_those_of_python),
        cmocka_unit_test(slices_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
