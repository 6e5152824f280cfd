/*
 * Bugs of other libraries, each under the number of its issue or pull request: on every instruction set, on one to
 * three threads, planned and not, in place and not.
 */
#include <stdlib.h>

#include <strew/inspect.h>

#include "element.h"
#include "oracle.h"
#include "parallel.h"
#include "test.h"

/* ---- Everywhere ---------------------------------------------------------------------------------- */

typedef struct way_to_run {
    strew_isa isa;
    size_t threads;
    bool real_threads;
    call_way call;
    bool in_place;
} way_to_run;

static bool can_run(strew_isa isa)
{
    return strew_isa_get_state(isa) >= STREW_ISA_STATE_EMULATED;
}

/* A contiguous tensor in memory of its own, between bytes that are known. */
static void copy_of(test_tensor *copy, const strew_tensor *tensor)
{
    enum { AROUND = 64 };
    tensor_create(copy, tensor->dtype, tensor->rank, tensor->shape, NULL, AROUND, AROUND);
    if (tensor->data)
        memcpy(copy->view.data, tensor->data,
               (size_t)shape_count(tensor->shape, tensor->rank) * element_size(tensor->dtype));
}

static strew_status run_call(const operator_call *call, const way_to_run *way, strew_error *error)
{
    random_source order = {random_seed()};
    const strew_parallel parallel =
        way->real_threads ? parallel_threads(way->threads) : parallel_shuffled(way->threads, &order);
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = way->isa;
    options.flags = call->flags;
    options.parallel = &parallel;
    options.error = error;
    return call_run(call, way->call, FULL_SCRATCH, &options);
}

/* Gives the call memory of its own, runs it, and compares it with the oracle's result. */
static void run_so(const operator_call *given, const way_to_run *way, strew_status expected,
                   const strew_error *bad_index, const strew_tensor *result)
{
    test_tensor data, output, untouched, before;
    strew_error error = {0};
    operator_call call = *given;
    int64_t position[STREW_MAX_RANK];
    copy_of(&data, given->data);
    copy_of(&output, given->output);
    tensor_clone(&untouched, &data);
    tensor_clone(&before, &output);
    call.data = &data.view;
    call.output = way->in_place ? &data.view : &output.view;
    assert_int_equal(run_call(&call, way, &error), expected);
    if (expected == STREW_STATUS_OK) {
        assert_true(oracle_equal(result, call.output, ORACLE_SAME_BITS, position));
    } else {
        assert_true(error.value == bad_index->value && error.dimension == bad_index->dimension);
        assert_memory_equal(error.position, bad_index->position, sizeof error.position);
    }
    if (expected != STREW_STATUS_OK || !way->in_place)
        assert_true(tensor_same_memory(&data, &untouched));
    assert_true(tensor_same_padding(way->in_place ? &data : &output, way->in_place ? &untouched : &before));
    tensor_destroy(&data);
    tensor_destroy(&output);
    tensor_destroy(&untouched);
    tensor_destroy(&before);
}

static void run_on_threads(const operator_call *call, strew_isa isa, strew_status expected,
                           const strew_error *bad_index, const strew_tensor *result)
{
    const bool may_be_in_place = !kind_gathers(call->kind);
    for (size_t threads = 1; threads <= 3; threads++)
        for (call_way by = BY_ONE_CALL; by <= BY_INSPECTION; by++)
            for (int variant = 0; variant < 4; variant++) {
                const way_to_run way = {isa, threads, (variant & 1) != 0, by, (variant & 2) != 0};
                if (!way.in_place || may_be_in_place)
                    run_so(call, &way, expected, bad_index, result);
            }
}

/* Returns the oracle's status of the call. The test itself compares its result with that of the issue. */
static strew_status run_everywhere(const operator_call *call, test_tensor *result, strew_error *bad_index)
{
    operator_call by_oracle = *call;
    memset(bad_index, 0, sizeof *bad_index);
    copy_of(result, call->output);
    by_oracle.output = &result->view;
    const strew_status expected =
        oracle_run(&by_oracle, bad_index) ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS;
    for (strew_isa isa = STREW_ISA_SCALAR; isa < STREW_ISA_COUNT; isa++)
        if (can_run(isa))
            run_on_threads(call, isa, expected, bad_index, &result->view);
    return expected;
}

static void is_refused_everywhere(const operator_call *call, int64_t value, int32_t dimension)
{
    test_tensor result;
    strew_error bad_index;
    assert_int_equal(run_everywhere(call, &result, &bad_index), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_true(bad_index.value == value && bad_index.dimension == dimension);
    tensor_destroy(&result);
}

static void gives_everywhere(const operator_call *call, const void *expected)
{
    test_tensor result;
    strew_error bad_index;
    const strew_tensor *output = call->output;
    assert_int_equal(run_everywhere(call, &result, &bad_index), STREW_STATUS_OK);
    assert_memory_equal(result.view.data, expected,
                        (size_t)shape_count(output->shape, output->rank) * element_size(output->dtype));
    tensor_destroy(&result);
}

/* A table of 2 x 4, scattered to and gathered from by one tuple of two. */
static float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static const int64_t table_shape[] = {2, 4}, one_pair[] = {1, 2}, one[] = {1};

static void pair_is_refused(int64_t row, int64_t column, int64_t value, int32_t dimension)
{
    int64_t pair[] = {row, column};
    float found = 0, update = 9;
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {pair, STREW_DTYPE_INT64, 2, one_pair, NULL};
    const strew_tensor element = {&found, STREW_DTYPE_FLOAT32, 1, one, NULL};
    const strew_tensor updates = {&update, STREW_DTYPE_FLOAT32, 1, one, NULL};
    const operator_call gather = {
        .kind = STREW_KIND_GATHER_ND, .data = &data, .indices = &indices, .output = &element};
    is_refused_everywhere(&gather, value, dimension);
    for (strew_reduction r = STREW_REDUCTION_NONE; r <= STREW_REDUCTION_MAX; r++) {
        const operator_call scatter = {.kind = STREW_KIND_SCATTER_ND,
                                       .data = &data,
                                       .indices = &indices,
                                       .updates = &updates,
                                       .output = &data,
                                       .reduction = r};
        is_refused_everywhere(&scatter, value, dimension);
    }
}

/* ---- OpenVINO ------------------------------------------------------------------------------------ */

/* The offset was compared with the size of the table: 0 * 4 + 5 is within 8, but not in row 0. */
static void openvino_37129_offsets_within_the_table_but_not_the_row(void **state)
{
    (void)state;
    pair_is_refused(0, 5, 5, 1);
    pair_is_refused(1, -5, -5, 1);
    pair_is_refused(-3, 11, -3, 0);
    pair_is_refused(2, -8, 2, 0);
}

/* A 64-bit offset wraps: the offset of 2^62 rows of 4 elements is 0. */
static void openvino_37125_offsets_that_wrap(void **state)
{
    (void)state;
    const int64_t far = INT64_C(1) << 62;
    pair_is_refused(far, 1, far, 0);
    pair_is_refused(-far, 1, -far, 0);
    pair_is_refused(far + 1, 3, far + 1, 0);
    pair_is_refused(INT64_MIN, 2, INT64_MIN, 0);
    pair_is_refused(0, INT64_MAX, INT64_MAX, 1);
    pair_is_refused(1, INT64_MIN, INT64_MIN, 1);
}

/* ---- TensorFlow ---------------------------------------------------------------------------------- */

/* 46341 rows of 46341 bytes do not fit in 32 bits, though every coordinate does. */
static void tensorflow_127164_offsets_beyond_32_bits(void **state)
{
    (void)state;
    static const int64_t shape[] = {1, 46342, 46341}, tuple[] = {1, 3};
    const size_t last_row = (size_t)46341 * 46341, bytes = last_row + 46341;
    int32_t first_of_last_row[] = {0, 46341, 0};
    int8_t update = 42;
    const strew_tensor indices = {first_of_last_row, STREW_DTYPE_INT32, 2, tuple, NULL};
    const strew_tensor updates = {&update, STREW_DTYPE_INT8, 1, one, NULL};
    if (bytes > PTRDIFF_MAX) {
        const strew_tensor data = {&update, STREW_DTYPE_INT8, 3, shape, NULL};
        assert_int_equal(strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, NULL),
                         STREW_STATUS_INVALID_ARGUMENT);
        return;
    }
    int8_t *const memory = calloc(bytes, 1); /* hardly a page of it is touched */
    if (!memory)
        skip();
    const strew_tensor data = {memory, STREW_DTYPE_INT8, 3, shape, NULL};
    int8_t sum = 0;
    for (strew_isa isa = STREW_ISA_SCALAR; isa < STREW_ISA_COUNT; isa++) {
        if (!can_run(isa))
            continue;
        int8_t found = 0;
        const strew_tensor output = {&found, STREW_DTYPE_INT8, 1, one, NULL};
        strew_options options = STREW_OPTIONS_INIT;
        options.isa = isa;
        assert_int_equal(strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, &options),
                         STREW_STATUS_OK);
        sum = (int8_t)(sum + update);
        assert_int_equal(strew_gather_nd(&data, &indices, 0, &output, &options), STREW_STATUS_OK);
        assert_true(memory[last_row] == sum && found == sum);
        assert_true(memory[0] == 0 && memory[last_row - 1] == 0 && memory[last_row + 1] == 0);
    }
    free(memory);
}

/* ---- TVM ----------------------------------------------------------------------------------------- */

/* One row of indices along axis 1 of the table, all the same: outside it is refused, below 0 it counts from the
 * end.
 */
static void elements_are_refused(int32_t index)
{
    int32_t four[] = {index, index, index, index};
    static const int64_t shape[] = {1, 4};
    float found[4], update[] = {9, 10, 11, 12};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {four, STREW_DTYPE_INT32, 2, shape, NULL};
    const strew_tensor elements = {found, STREW_DTYPE_FLOAT32, 2, shape, NULL};
    const strew_tensor updates = {update, STREW_DTYPE_FLOAT32, 2, shape, NULL};
    const operator_call gather = {
        .kind = STREW_KIND_GATHER_ELEMENTS, .data = &data, .indices = &indices, .output = &elements, .axis = 0};
    const operator_call scatter = {.kind = STREW_KIND_SCATTER_ELEMENTS,
                                   .data = &data,
                                   .indices = &indices,
                                   .updates = &updates,
                                   .output = &data,
                                   .axis = 0,
                                   .use_init_val = true};
    memset(found, 0, sizeof found);
    is_refused_everywhere(&gather, index, 0);
    is_refused_everywhere(&scatter, index, 0);
}

/* No index was checked: one just beyond the end wrote there, one far beyond crashed. */
static void tvm_20297_indices_beyond_the_end(void **state)
{
    (void)state;
    static const int32_t outside[] = {2, -3, 1 << 20, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < COUNT(outside); i++) {
        pair_is_refused(outside[i], 0, outside[i], 0);
        elements_are_refused(outside[i]);
    }
}

/* Negative indices within bounds read or wrote in front of the tensor. */
static void tvm_20297_indices_that_count_from_the_end(void **state)
{
    (void)state;
    static const int64_t pairs_shape[] = {2, 2}, two[] = {2};
    int64_t pairs[] = {-1, -1, 0, -2};
    float found[2] = {0, 0}, update[] = {80, 30};
    const float gathered[] = {8, 3}, scattered[] = {1, 2, 30, 4, 5, 6, 7, 80};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {pairs, STREW_DTYPE_INT64, 2, pairs_shape, NULL};
    const strew_tensor elements = {found, STREW_DTYPE_FLOAT32, 1, two, NULL};
    const strew_tensor updates = {update, STREW_DTYPE_FLOAT32, 1, two, NULL};
    gives_everywhere(
        &(operator_call){.kind = STREW_KIND_GATHER_ND, .data = &data, .indices = &indices, .output = &elements},
        gathered);
    gives_everywhere(&(operator_call){.kind = STREW_KIND_SCATTER_ND,
                                      .data = &data,
                                      .indices = &indices,
                                      .updates = &updates,
                                      .output = &data},
                     scattered);
}

/* ---- TensorFlow Lite Micro ----------------------------------------------------------------------- */

/* Rows that do not exist were read. There is no counting from the end. */
static void tflite_micro_1285_gather_nd_beyond_the_end(void **state)
{
    (void)state;
    static const int32_t outside[] = {-1, 2, INT32_MAX, INT32_MIN};
    static const int64_t tuple[] = {1, 1}, row[] = {1, 4};
    for (size_t i = 0; i < COUNT(outside); i++) {
        int32_t index = outside[i];
        float found[4] = {0, 0, 0, 0};
        const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
        const strew_tensor indices = {&index, STREW_DTYPE_INT32, 2, tuple, NULL};
        const strew_tensor output = {found, STREW_DTYPE_FLOAT32, 2, row, NULL};
        const operator_call call = {.kind = STREW_KIND_GATHER_ND,
                                    .data = &data,
                                    .indices = &indices,
                                    .output = &output,
                                    .flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES};
        is_refused_everywhere(&call, index, 0);
    }
}

/* ---- ONNX Runtime -------------------------------------------------------------------------------- */

/* Many tuples, each repeated several times, and enough of them that threads share the work. */
enum { PLACES = 100, TUPLES = 20000, RUNS = 3 };

static void gives_the_same_in_every_run(strew_reduction reduction)
{
    static int64_t tuples[2 * TUPLES];
    static float updates_of[TUPLES], zeros[PLACES * PLACES];
    static const int64_t shape[] = {PLACES, PLACES}, tuples_shape[] = {TUPLES, 2}, list[] = {TUPLES};
    random_source source = {random_seed()};
    for (size_t i = 0; i < TUPLES; i++) {
        tuples[2 * i] = random_between(&source, 0, PLACES - 1);
        tuples[2 * i + 1] = random_between(&source, 0, PLACES / 10);
        updates_of[i] = (float)random_between(&source, -1000000, 1000000) / 7;
    }
    const strew_tensor data = {zeros, STREW_DTYPE_FLOAT32, 2, shape, NULL};
    const strew_tensor indices = {tuples, STREW_DTYPE_INT64, 2, tuples_shape, NULL};
    const strew_tensor updates = {updates_of, STREW_DTYPE_FLOAT32, 1, list, NULL};
    const operator_call call = {.kind = STREW_KIND_SCATTER_ND,
                                .data = &data,
                                .indices = &indices,
                                .updates = &updates,
                                .output = &data,
                                .reduction = reduction};
    test_tensor result;
    strew_error bad_index;
    for (int i = 0; i < RUNS; i++) {
        assert_int_equal(run_everywhere(&call, &result, &bad_index), STREW_STATUS_OK);
        tensor_destroy(&result);
    }
}

/* On two threads, another one of several updates of an element won in each run. */
static void onnxruntime_18048_assignments_that_change_from_run_to_run(void **state)
{
    (void)state;
    gives_the_same_in_every_run(STREW_REDUCTION_NONE);
}

/* Some of the added updates were lost. */
static void onnxruntime_23396_sums_that_lose_updates(void **state)
{
    (void)state;
    gives_the_same_in_every_run(STREW_REDUCTION_SUM);
}

/* ---- PyTorch ------------------------------------------------------------------------------------- */

static void scatters_along_0(int64_t *numbers, int64_t size, int64_t *places, int64_t *sources, int64_t count,
                             const int64_t *expected)
{
    const strew_tensor data = {numbers, STREW_DTYPE_INT64, 1, &size, NULL};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 1, &count, NULL};
    const strew_tensor updates = {sources, STREW_DTYPE_INT64, 1, &count, NULL};
    gives_everywhere(&(operator_call){.kind = STREW_KIND_SCATTER_ELEMENTS,
                                      .data = &data,
                                      .indices = &indices,
                                      .updates = &updates,
                                      .output = &data,
                                      .use_init_val = true},
                     expected);
}

/* One element is assigned many times: the winner depended on the device, and on the number of updates. */
static void pytorch_88244_one_element_assigned_many_times(void **state)
{
    (void)state;
    enum { MOST = 255 };
    static int64_t ones[MOST], zeros[MOST], counting[MOST], expected[MOST];
    for (int64_t i = 0; i < MOST; i++) {
        ones[i] = expected[i] = 1;
        counting[i] = i;
    }
    for (int64_t n = 1; n <= MOST; n += n < 8 ? 1 : 31) {
        expected[0] = n - 1;
        scatters_along_0(ones, n, zeros, counting, n, expected);
    }
}

static void pytorch_88096_the_last_of_several_wins(void **state)
{
    (void)state;
    int64_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, places[] = {0, 1, 1, 1, 2}, sources[] = {11, 12, 13, 14, 15};
    static const int64_t expected[] = {11, 14, 15, 4, 5, 6, 7, 8, 9};
    scatters_along_0(numbers, COUNT(numbers), places, sources, COUNT(places), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openvino_37129_offsets_within_the_table_but_not_the_row),
        cmocka_unit_test(openvino_37125_offsets_that_wrap),
        cmocka_unit_test(tensorflow_127164_offsets_beyond_32_bits),
        cmocka_unit_test(tvm_20297_indices_beyond_the_end),
        cmocka_unit_test(tvm_20297_indices_that_count_from_the_end),
        cmocka_unit_test(tflite_micro_1285_gather_nd_beyond_the_end),
        cmocka_unit_test(onnxruntime_18048_assignments_that_change_from_run_to_run),
        cmocka_unit_test(onnxruntime_23396_sums_that_lose_updates),
        cmocka_unit_test(pytorch_88244_one_element_assigned_many_times),
        cmocka_unit_test(pytorch_88096_the_last_of_several_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
