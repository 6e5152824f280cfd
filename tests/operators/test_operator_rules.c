/* Rules of single versions: flattened batches, updates of one element, an axis that is a tensor. */
#include "arguments.h"
#include "element.h"
#include "test.h"

/* ---- GatherND-5 ---------------------------------------------------------------------------------- */

/* data [2, 3, 4], batch_dims 2, indices [2, 3, 2, 1]: [2, 3, 2], or [6, 2] where batches are flattened. */
typedef struct batched_gather {
    int32_t data[24], found[2 * 6 * 2];
    strew_tensor data_tensor, indices_tensor;
    strew_attributes attributes;
} batched_gather;

static const int64_t indices_of_batches[] = {3, 0, 1, 1, 2, 0, 0, 3, 2, 2, 1, 3};

static void batched_gather_create(batched_gather *self)
{
    static const int64_t data_shape[] = {2, 3, 4}, indices_shape[] = {2, 3, 2, 1};
    for (int32_t i = 0; i < 24; i++)
        self->data[i] = i;
    memset(self->found, -1, sizeof self->found);
    self->data_tensor = (strew_tensor){self->data, STREW_DTYPE_INT32, 3, data_shape, NULL};
    self->indices_tensor =
        (strew_tensor){(void *)(uintptr_t)indices_of_batches, STREW_DTYPE_INT64, 4, indices_shape, NULL};
    self->attributes = (strew_attributes){.given = STREW_ATTRIBUTE_BATCH_DIMS, .batch_dims = 2};
}

static strew_status batched_gather_run(batched_gather *self, const char *name, int32_t rank, const int64_t *shape,
                                       const int64_t *strides)
{
    const strew_tensor output = {self->found, STREW_DTYPE_INT32, rank, shape, strides};
    return strew_operator_run(strew_operator_find(name), &self->attributes, &self->data_tensor,
                              &self->indices_tensor, NULL, &output, NULL);
}

static void gather_nd_5_gives_what_gather_nd_8_gives_but_for_its_shape(void **state)
{
    (void)state;
    static const int64_t kept[] = {2, 3, 2}, flat[] = {6, 2};
    batched_gather eight, five;
    batched_gather_create(&eight);
    batched_gather_create(&five);
    assert_int_equal(batched_gather_run(&eight, "GatherND-8", 3, kept, NULL), STREW_STATUS_OK);
    assert_int_equal(batched_gather_run(&five, "GatherND-5", 2, flat, NULL), STREW_STATUS_OK);
    assert_memory_equal(five.found, eight.found, sizeof five.found);
    for (size_t i = 0; i < COUNT(indices_of_batches); i++)
        assert_int_equal(five.found[i], (int64_t)(i / 2 * 4) + indices_of_batches[i]);
}

static void each_of_them_refuses_the_shape_of_the_other(void **state)
{
    (void)state;
    static const int64_t kept[] = {2, 3, 2}, flat[] = {6, 2};
    batched_gather gather;
    batched_gather_create(&gather);
    assert_int_equal(batched_gather_run(&gather, "GatherND-5", 3, kept, NULL), STREW_STATUS_SHAPE_MISMATCH);
    assert_int_equal(batched_gather_run(&gather, "GatherND-8", 2, flat, NULL), STREW_STATUS_SHAPE_MISMATCH);
    assert_int_equal(batched_gather_run(&gather, "GatherND-12", 2, flat, NULL), STREW_STATUS_SHAPE_MISMATCH);
}

/* Every other place of two transposed tables; the last element is at the place of the first. */
static void a_flattened_output_may_have_strides(void **state)
{
    (void)state;
    static const int64_t flat[] = {6, 2}, strides[] = {2, 12};
    batched_gather gather;
    batched_gather_create(&gather);
    assert_int_equal(batched_gather_run(&gather, "GatherND-5", 2, flat, strides), STREW_STATUS_OK);
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 2; j++) {
            assert_int_equal(gather.found[2 * i + 12 * j], (int64_t)(4 * i) + indices_of_batches[2 * i + j]);
            assert_int_equal(gather.found[2 * i + 12 * j + 1], -1);
        }
}

/* ---- Updates of one element ---------------------------------------------------------------------- */

/* indices [3] name one element of data, so that updates have rank 0; here [1, 1]. */
static strew_status scatter_one_element(const char *name, arguments *call)
{
    arguments_create(call, name);
    call->tensor[INDICES].rank = 1;
    call->shape[INDICES][0] = 3;
    call->shape[UPDATES][0] = call->shape[UPDATES][1] = 1;
    return arguments_run(call);
}

static void openvino_takes_updates_of_one_element_for_rank_0(void **state)
{
    (void)state;
    static const char *const names[] = {"ScatterNDUpdate-3", "ScatterNDUpdate-15"};
    for (size_t i = 0; i < COUNT(names); i++) {
        arguments call;
        assert_int_equal(scatter_one_element(names[i], &call), STREW_STATUS_OK);
        const float *data = call.tensor[DATA].data, *output = call.tensor[OUTPUT].data;
        for (int e = 0; e < 24; e++)
            assert_true(output[e] == (e == 4 ? 100.0F : data[e])); /* [0, 1, 0] */
    }
}

static void others_want_updates_of_rank_0(void **state)
{
    (void)state;
    static const char *const names[] = {"ScatterND-11", "ScatterND-13", "ScatterND-16", "ScatterND-18",
                                        "scatter_nd"};
    for (size_t i = 0; i < COUNT(names); i++) {
        arguments call;
        assert_int_equal(scatter_one_element(names[i], &call), STREW_STATUS_SHAPE_MISMATCH);
        call.tensor[UPDATES].rank = 0;
        assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    }
}

/* The rule is about rank 0 alone: [1, 1] is not taken where updates should be [1]. */
static void one_element_will_not_do_for_any_other_shape(void **state)
{
    (void)state;
    static const char *const names[] = {"ScatterNDUpdate-3", "ScatterNDUpdate-15"};
    for (size_t i = 0; i < COUNT(names); i++) {
        arguments call;
        arguments_create(&call, names[i]);
        call.shape[INDICES][0] = 1;
        call.shape[INDICES][1] = 3;
        call.shape[UPDATES][0] = call.shape[UPDATES][1] = 1;
        assert_int_equal(arguments_run(&call), STREW_STATUS_SHAPE_MISMATCH);
    }
}

/* ---- Axis ---------------------------------------------------------------------------------------- */

static const int64_t one[] = {1, 1}, none[] = {0}, two[] = {2};

static strew_status read_axis(strew_dtype dtype, uint64_t number, int32_t rank, const int64_t *shape, int64_t *axis)
{
    unsigned char unaligned[1 + 16] = {0};
    if (element_is_integer(dtype))
        element_store_integer(dtype, number, unaligned + 1);
    const strew_tensor tensor = {unaligned + 1, dtype, rank, shape, NULL};
    return strew_axis_read(&tensor, axis, NULL);
}

static void an_axis_of_rank_0_or_of_shape_1_is_read_in_every_integer_dtype(void **state)
{
    (void)state;
    for (strew_dtype dtype = STREW_DTYPE_INT8; dtype <= STREW_DTYPE_UINT64; dtype++)
        for (int32_t rank = 0; rank <= 1; rank++) {
            int64_t axis = 0;
            assert_int_equal(read_axis(dtype, 101, rank, rank ? one : NULL, &axis), STREW_STATUS_OK);
            assert_int_equal(axis, 101);
            if (!element_is_signed(dtype))
                continue;
            assert_int_equal(read_axis(dtype, (uint64_t)-3, rank, one, &axis), STREW_STATUS_OK);
            assert_int_equal(axis, -3);
        }
}

static void extremes_of_an_axis_keep_their_sign(void **state)
{
    (void)state;
    static const struct extreme {
        strew_dtype dtype;
        uint64_t number;
        int64_t axis;
    } extremes[] = {
        {STREW_DTYPE_UINT8, UINT8_MAX, UINT8_MAX},
        {STREW_DTYPE_UINT32, UINT32_MAX, UINT32_MAX},
        {STREW_DTYPE_INT64, (uint64_t)INT64_MIN, INT64_MIN},
        {STREW_DTYPE_INT64, INT64_MAX, INT64_MAX},
        {STREW_DTYPE_UINT64, INT64_MAX, INT64_MAX},
        {STREW_DTYPE_UINT64, (uint64_t)INT64_MAX + 1, INT64_MAX},
        {STREW_DTYPE_UINT64, UINT64_MAX, INT64_MAX},
    };
    for (size_t i = 0; i < COUNT(extremes); i++) {
        int64_t axis = 0;
        assert_int_equal(read_axis(extremes[i].dtype, extremes[i].number, 1, one, &axis), STREW_STATUS_OK);
        assert_int_equal(axis, extremes[i].axis);
    }
}

static void other_tensors_are_no_axis_and_leave_it_as_it_was(void **state)
{
    (void)state;
    int64_t axis = 77;
    assert_int_equal(read_axis(STREW_DTYPE_INT64, 1, 1, two, &axis), STREW_STATUS_SHAPE_MISMATCH);
    assert_int_equal(read_axis(STREW_DTYPE_INT64, 1, 1, none, &axis), STREW_STATUS_SHAPE_MISMATCH);
    assert_int_equal(read_axis(STREW_DTYPE_INT64, 1, 2, one, &axis), STREW_STATUS_SHAPE_MISMATCH);
    for (strew_dtype dtype = STREW_DTYPE_NONE; dtype < STREW_DTYPE_COUNT; dtype++)
        if (!element_is_integer(dtype))
            assert_int_equal(read_axis(dtype, 1, 1, one, &axis), STREW_STATUS_UNSUPPORTED_DTYPE);
    assert_int_equal(read_axis(STREW_DTYPE_OPAQUE(8), 1, 1, one, &axis), STREW_STATUS_UNSUPPORTED_DTYPE);
    assert_int_equal(axis, 77);
}

/* The axis is at its data pointer, whatever the stride of a single element is. */
static void the_stride_of_an_axis_does_not_count(void **state)
{
    (void)state;
    static const int64_t strides[] = {1000000};
    int16_t number = -2;
    int64_t axis = 0;
    const strew_tensor tensor = {&number, STREW_DTYPE_INT16, 1, one, strides};
    assert_int_equal(strew_axis_read(&tensor, &axis, NULL), STREW_STATUS_OK);
    assert_int_equal(axis, -2);
}

/* The operator gets the axis that was read, and checks it. */
static void an_axis_outside_the_rank_is_refused_by_the_operator(void **state)
{
    (void)state;
    static const struct read {
        strew_dtype dtype;
        uint64_t number;
        bool taken;
    } reads[] = {
        {STREW_DTYPE_INT8, (uint64_t)-2, true},  {STREW_DTYPE_UINT8, 1, true},
        {STREW_DTYPE_INT32, 3, false},           {STREW_DTYPE_INT32, (uint64_t)-4, false},
        {STREW_DTYPE_UINT64, UINT64_MAX, false},
    };
    for (size_t i = 0; i < COUNT(reads); i++) {
        arguments call;
        arguments_create(&call, "ScatterElementsUpdate-3");
        assert_int_equal(read_axis(reads[i].dtype, reads[i].number, 0, NULL, &call.attributes.axis),
                         STREW_STATUS_OK);
        assert_int_equal(arguments_run(&call), reads[i].taken ? STREW_STATUS_OK : STREW_STATUS_INVALID_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_nd_5_gives_what_gather_nd_8_gives_but_for_its_shape),
        cmocka_unit_test(each_of_them_refuses_the_shape_of_the_other),
        cmocka_unit_test(a_flattened_output_may_have_strides),
        cmocka_unit_test(openvino_takes_updates_of_one_element_for_rank_0),
        cmocka_unit_test(others_want_updates_of_rank_0),
        cmocka_unit_test(one_element_will_not_do_for_any_other_shape),
        cmocka_unit_test(an_axis_of_rank_0_or_of_shape_1_is_read_in_every_integer_dtype),
        cmocka_unit_test(extremes_of_an_axis_keep_their_sign),
        cmocka_unit_test(other_tensors_are_no_axis_and_leave_it_as_it_was),
        cmocka_unit_test(the_stride_of_an_axis_does_not_count),
        cmocka_unit_test(an_axis_outside_the_rank_is_refused_by_the_operator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
