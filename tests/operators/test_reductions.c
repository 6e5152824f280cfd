/* The reductions of each dtype, and the elements that a reduction does not change. */
#include "base/lists.h"
#include "call.h"
#include "element.h"
#include "tensor.h"
#include "test.h"

static const strew_dtype dtypes[] = {
#define DTYPE(CONSTANT, name, suffix, bits) STREW_DTYPE_##CONSTANT,
#define OPAQUE(bytes) STREW_DTYPE_OPAQUE(bytes),
    STREW_DTYPES(DTYPE) OPAQUE(1) OPAQUE(4) OPAQUE(24)
#undef OPAQUE
#undef DTYPE
};

static void each_dtype_supports_the_reductions_of_its_kind(void **state)
{
    (void)state;
    for (size_t d = 0; d < COUNT(dtypes); d++) {
        for (int r = 0; r < STREW_REDUCTION_COUNT; r++) {
            strew_reduction reduction = (strew_reduction)r;
            if (strew_reduction_supports(reduction, dtypes[d]) != element_reduces(dtypes[d], reduction))
                fail_msg("%s of %s", strew_reduction_name(reduction), strew_dtype_name(dtypes[d]));
        }
    }
}

static void what_is_no_reduction_or_dtype_is_supported_by_none(void **state)
{
    (void)state;
    assert_false(strew_reduction_supports(STREW_REDUCTION_COUNT, STREW_DTYPE_FLOAT32));
    assert_false(strew_reduction_supports((strew_reduction)-1, STREW_DTYPE_FLOAT32));
    assert_false(strew_reduction_supports(STREW_REDUCTION_SUM, STREW_DTYPE_NONE));
    assert_false(strew_reduction_supports(STREW_REDUCTION_NONE, (strew_dtype)1000));
}

/* One update of the one element of a tensor, by each scatter. */
typedef struct one_update {
    unsigned char data[32], updates[32], output[32];
    strew_tensor data_tensor, updates_tensor, output_tensor;
} one_update;

static const int64_t one[] = {1, 1};

static void one_update_create(one_update *self, strew_dtype dtype)
{
    memset(self->data, 1, sizeof self->data);
    memset(self->updates, 2, sizeof self->updates);
    memset(self->output, 3, sizeof self->output);
    self->data_tensor = (strew_tensor){self->data, dtype, 1, one, NULL};
    self->updates_tensor = (strew_tensor){self->updates, dtype, 1, one, NULL};
    self->output_tensor = (strew_tensor){self->output, dtype, 1, one, NULL};
}

static void check_refused(const one_update *self, strew_status status, const strew_error *error)
{
    assert_string_equal(strew_status_name(status), "unsupported_reduction");
    assert_int_equal(error->status, STREW_STATUS_UNSUPPORTED_REDUCTION);
    assert_int_equal(error->operand, STREW_OPERAND_REDUCTION);
    for (size_t i = 0; i < sizeof self->output; i++)
        assert_int_equal(self->output[i], 3);
}

static void reductions_that_a_dtype_lacks_are_refused(void **state)
{
    (void)state;
    int64_t index = 0;
    strew_tensor rows = {&index, STREW_DTYPE_INT64, 2, one, NULL};
    strew_tensor elements = {&index, STREW_DTYPE_INT64, 1, one, NULL};
    strew_error error;
    strew_options options = call_options();
    options.error = &error;
    for (size_t d = 0; d < COUNT(dtypes); d++) {
        for (int r = 0; r < STREW_REDUCTION_COUNT; r++) {
            one_update update;
            one_update_create(&update, dtypes[d]);
            strew_reduction reduction = (strew_reduction)r;
            if (element_reduces(dtypes[d], reduction))
                continue;
            strew_status status = strew_scatter_elements(&update.data_tensor, &elements, &update.updates_tensor, 0,
                                                         reduction, true, &update.output_tensor, &options);
            check_refused(&update, status, &error);
            status = strew_scatter_nd(&update.data_tensor, &rows, &update.updates_tensor, reduction,
                                      &update.output_tensor, &options);
            check_refused(&update, status, &error);
        }
    }
}

static void scatter_nd_has_no_mean(void **state)
{
    (void)state;
    int64_t index = 0;
    strew_tensor rows = {&index, STREW_DTYPE_INT64, 2, one, NULL};
    strew_error error;
    strew_options options = call_options();
    options.error = &error;
    one_update update;
    one_update_create(&update, STREW_DTYPE_FLOAT32);
    strew_status status = strew_scatter_nd(&update.data_tensor, &rows, &update.updates_tensor, STREW_REDUCTION_MEAN,
                                           &update.output_tensor, &options);
    check_refused(&update, status, &error);
}

/* ---- Elements that no index names ---------------------------------------------------------------- */

/* Every bit pattern of a half, so every NaN of it; in wider dtypes, NaN of many payloads. */
static void fill_patterns(test_tensor *tensor)
{
    for (size_t i = 0; i + 1 < tensor->size; i += 2)
        element_store_integer(STREW_DTYPE_UINT16, i / 2, tensor->memory + i);
}

static void check_only_the_first_changes(strew_dtype dtype, strew_reduction reduction)
{
    static const int64_t shape[] = {UINT16_MAX + 1};
    int8_t index = 0;
    unsigned char update[16] = {0};
    test_tensor data, output;
    tensor_create(&data, dtype, 1, shape, NULL, 0, 0);
    tensor_create(&output, dtype, 1, shape, NULL, 0, 0);
    fill_patterns(&data);
    strew_tensor indices = {&index, STREW_DTYPE_INT8, 1, one, NULL};
    strew_tensor updates = {update, dtype, 1, one, NULL};
    operator_call call = {
        .kind = STREW_KIND_SCATTER_ELEMENTS,
        .data = &data.view,
        .indices = &indices,
        .updates = &updates,
        .output = &output.view,
        .reduction = reduction,
    };
    strew_options options = call_options();
    assert_int_equal(call_run(&call, BY_ONE_CALL, FULL_SCRATCH, &options), STREW_STATUS_OK);
    size_t size = element_size(dtype);
    assert_memory_equal(output.memory + size, data.memory + size, data.size - size);
    tensor_destroy(&data);
    tensor_destroy(&output);
}

static void elements_that_no_index_names_keep_their_bits(void **state)
{
    (void)state;
    for (size_t d = 0; d < COUNT(dtypes); d++)
        for (int r = 0; r < STREW_REDUCTION_COUNT; r++)
            if (element_reduces(dtypes[d], (strew_reduction)r) && element_size(dtypes[d]) <= 16 &&
                element_size(dtypes[d]) > 0)
                check_only_the_first_changes(dtypes[d], (strew_reduction)r);
}

static void only_a_mean_asks_for_scratch(void **state)
{
    (void)state;
    strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 1, one, NULL};
    strew_tensor indices = {NULL, STREW_DTYPE_INT64, 1, one, NULL};
    const strew_options options = call_options();
    const strew_plan_options planning = call_plan_options(&options);
    for (int r = 0; r < STREW_REDUCTION_COUNT; r++) {
        strew_plan plan;
        assert_int_equal(strew_plan_scatter_elements(&plan, &data, &indices, &data, 0, (strew_reduction)r, true,
                                                     &data, &planning),
                         STREW_STATUS_OK);
        assert_int_equal(strew_plan_least_scratch_size(&plan, 1) > 0, r == STREW_REDUCTION_MEAN);
    }
}

/* With so many lanes that their counters do not fit; the last block has fewer lanes, and a dimension before
 * them. */
static void a_mean_counts_some_lanes_after_others(void **state)
{
    (void)state;
    enum { OUTER = 2, AXIS = 1000, LANES = 100, NAMED = 3 };
    static const int64_t shape[] = {OUTER, AXIS, LANES}, updates_shape[] = {OUTER, NAMED, LANES};
    static const int64_t named[NAMED] = {7, 999, 7};
    static int64_t rows[OUTER][NAMED][LANES];
    static float data[OUTER][AXIS][LANES], updates[OUTER][NAMED][LANES];
    static uint64_t scratch[AXIS * LANES];
    for (int o = 0; o < OUTER; o++)
        for (int n = 0; n < NAMED; n++)
            for (int l = 0; l < LANES; l++)
                updates[o][n][l] = (float)(1000 * o + 10 * n + l), rows[o][n][l] = named[n];
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 3, shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 3, updates_shape, NULL};
    const strew_tensor added = {updates, STREW_DTYPE_FLOAT32, 3, updates_shape, NULL};
    strew_options options = call_options();
    const strew_plan_options planning = call_plan_options(&options);
    strew_plan plan;
    assert_int_equal(strew_plan_scatter_elements(&plan, &table, &indices, &added, 1, STREW_REDUCTION_MEAN, false,
                                                 &table, &planning),
                     STREW_STATUS_OK);
    options.scratch = scratch;
    options.scratch_size = strew_plan_least_scratch_size(&plan, 1);
    assert_in_range(options.scratch_size, AXIS * sizeof *scratch, sizeof scratch - 1);
    assert_int_equal(
        strew_scatter_elements(&table, &indices, &added, 1, STREW_REDUCTION_MEAN, false, &table, &options),
        STREW_STATUS_OK);
    for (int o = 0; o < OUTER; o++)
        for (int l = 0; l < LANES; l++) {
            assert_true(data[o][7][l] == (float)(1000 * o + 10 + l));
            assert_true(data[o][999][l] == (float)(1000 * o + 10 + l));
            assert_true(data[o][0][l] == 0 && data[o][998][l] == 0);
        }
    assert_true(strew_plan_least_scratch_size(&plan, SIZE_MAX / 8) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_dtype_supports_the_reductions_of_its_kind),
        cmocka_unit_test(what_is_no_reduction_or_dtype_is_supported_by_none),
        cmocka_unit_test(reductions_that_a_dtype_lacks_are_refused),
        cmocka_unit_test(scatter_nd_has_no_mean),
        cmocka_unit_test(elements_that_no_index_names_keep_their_bits),
        cmocka_unit_test(only_a_mean_asks_for_scratch),
        cmocka_unit_test(a_mean_counts_some_lanes_after_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
