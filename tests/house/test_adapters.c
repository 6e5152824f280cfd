/* The header-only adapters: DLPack and pthreadpool. */
#include <strew/dlpack.h>
#ifdef STREW_WITH_PTHREADPOOL
#include <strew/pthreadpool.h>
#endif

#include "test.h"

static void dtypes_go_to_dlpack_and_back(void **state)
{
    (void)state;
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_UINT4; dtype++) {
        DLDataType type = {0, 0, 0};
        if (dtype == STREW_DTYPE_STRING)
            continue;
        assert_true(strew_dtype_to_dlpack(dtype, &type));
        assert_int_equal(type.lanes, 1);
        assert_int_equal(type.bits, 8 * strew_dtype_size(dtype));
        assert_int_equal(strew_dtype_from_dlpack(type), dtype);
    }
}

static void dtypes_that_one_side_lacks_are_refused(void **state)
{
    (void)state;
    DLDataType type = {kDLFloat, 8, 1};
    assert_int_equal(strew_dtype_from_dlpack(type), STREW_DTYPE_NONE);
    type = (DLDataType){kDLFloat, 32, 4};
    assert_int_equal(strew_dtype_from_dlpack(type), STREW_DTYPE_NONE);
    assert_false(strew_dtype_to_dlpack(STREW_DTYPE_STRING, &type));
    assert_false(strew_dtype_to_dlpack(STREW_DTYPE_OPAQUE(4), &type));
    for (strew_dtype dtype = STREW_DTYPE_UINT4; dtype < STREW_DTYPE_COUNT; dtype++)
        assert_false(strew_dtype_to_dlpack(dtype, &type));
    assert_int_equal(type.lanes, 4);
    type = (DLDataType){kDLInt, 4, 1};
    assert_int_equal(strew_dtype_from_dlpack(type), STREW_DTYPE_NONE);
}

static void a_tensor_goes_to_dlpack_and_back(void **state)
{
    (void)state;
    float elements[6] = {0};
    const int64_t shape[] = {2, 3}, strides[] = {1, 2};
    const strew_tensor tensor = {elements, STREW_DTYPE_FLOAT32, 2, shape, strides};
    DLTensor there;
    strew_tensor back;
    assert_true(strew_tensor_to_dlpack(&tensor, &there));
    there.byte_offset = 4;
    assert_true(strew_tensor_from_dlpack(&there, &back));
    assert_ptr_equal(back.data, elements + 1);
    assert_int_equal(back.dtype, STREW_DTYPE_FLOAT32);
    assert_int_equal(back.rank, 2);
    assert_ptr_equal(back.shape, shape);
    assert_ptr_equal(back.strides, strides);
}

static void memory_of_another_device_is_refused(void **state)
{
    (void)state;
    const DLTensor tensor = {.device = {kDLCUDA, 0}, .dtype = {kDLFloat, 32, 1}};
    strew_tensor unchanged = {.rank = 7};
    assert_false(strew_tensor_from_dlpack(&tensor, &unchanged));
    assert_int_equal(unchanged.rank, 7);
}

#ifdef STREW_WITH_PTHREADPOOL

enum { ROWS = 64, WIDTH = 100, TUPLES = 500 };

static void a_pthreadpool_gives_the_bits_of_one_thread(void **state)
{
    (void)state;
    static float alone[ROWS][WIDTH], shared[ROWS][WIDTH], rows[TUPLES][WIDTH];
    static int32_t tuples[TUPLES];
    for (int t = 0; t < TUPLES; t++) {
        tuples[t] = t * 17 % ROWS;
        for (int e = 0; e < WIDTH; e++)
            rows[t][e] = 1.0f / (float)(1 + t + e);
    }
    const int64_t data_shape[] = {ROWS, WIDTH}, indices_shape[] = {TUPLES, 1}, updates_shape[] = {TUPLES, WIDTH};
    const strew_tensor indices = {tuples, STREW_DTYPE_INT32, 2, indices_shape, NULL};
    const strew_tensor updates = {rows, STREW_DTYPE_FLOAT32, 2, updates_shape, NULL};
    strew_tensor data = {alone, STREW_DTYPE_FLOAT32, 2, data_shape, NULL};
    assert_int_equal(strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, NULL),
                     STREW_STATUS_OK);

    const pthreadpool_t pool = pthreadpool_create(3);
    assert_non_null(pool);
    const strew_parallel parallel = strew_parallel_from_pthreadpool(pool);
    assert_int_equal(parallel.threads, 3);
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = &parallel;
    data.data = shared;
    assert_int_equal(strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, &options),
                     STREW_STATUS_OK);
    pthreadpool_destroy(pool);
    assert_memory_equal(shared, alone, sizeof alone);
}

static void no_pool_is_one_thread(void **state)
{
    (void)state;
    assert_int_equal(strew_parallel_from_pthreadpool(NULL).threads, 1);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dtypes_go_to_dlpack_and_back),
        cmocka_unit_test(dtypes_that_one_side_lacks_are_refused),
        cmocka_unit_test(a_tensor_goes_to_dlpack_and_back),
        cmocka_unit_test(memory_of_another_device_is_refused),
#ifdef STREW_WITH_PTHREADPOOL
        cmocka_unit_test(a_pthreadpool_gives_the_bits_of_one_thread),
        cmocka_unit_test(no_pool_is_one_thread),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
