/* The output shape of each operator, inferred without data. */
#include <strew/operators.h>

#include "test.h"

typedef struct some_shape {
    int32_t rank;
    int64_t dimensions[7];
} some_shape;

typedef struct shape_case {
    const char *operator_name;
    strew_attributes attributes;
    some_shape data, indices, updates, output; /* updates of rank NONE for a gather */
} shape_case;

enum { NONE = -1 };

#define NO_ATTRIBUTES \
    {                 \
        .given = 0    \
    }
#define AXIS(number)                                    \
    {                                                   \
        .given = STREW_ATTRIBUTE_AXIS, .axis = (number) \
    }
#define BATCH_DIMS(number)                                          \
    {                                                               \
        .given = STREW_ATTRIBUTE_BATCH_DIMS, .batch_dims = (number) \
    }
#define AXIS_BATCH(number, batch)                                                                           \
    {                                                                                                       \
        .given = STREW_ATTRIBUTE_AXIS | STREW_ATTRIBUTE_BATCH_DIMS, .axis = (number), .batch_dims = (batch) \
    }
#define NO_UPDATES \
    {              \
        NONE,      \
        {          \
            0      \
        }          \
    }

/* clang-format off */
static const shape_case cases[] = {
    /* indices.shape[:q-1] + data.shape[b+k:] */
    {"GatherND-8", NO_ATTRIBUTES, {4, {1000, 256, 10, 15}}, {3, {25, 125, 3}}, NO_UPDATES, {3, {25, 125, 15}}},
    {"GatherND-8", NO_ATTRIBUTES, {2, {2, 3}}, {1, {2}}, NO_UPDATES, {0, {0}}},
    {"GatherND-8", NO_ATTRIBUTES, {2, {2, 3}}, {1, {1}}, NO_UPDATES, {1, {3}}},
    {"GatherND-8", NO_ATTRIBUTES, {2, {2, 3}}, {2, {5, 0}}, NO_UPDATES, {3, {5, 2, 3}}},
    {"GatherND-8", NO_ATTRIBUTES, {2, {2, 0}}, {2, {5, 1}}, NO_UPDATES, {2, {5, 0}}},
    {"GatherND-8", NO_ATTRIBUTES, {2, {2, 3}}, {2, {0, 1}}, NO_UPDATES, {2, {0, 3}}},
    {"GatherND-8", BATCH_DIMS(1), {2, {2, 2}}, {2, {2, 1}}, NO_UPDATES, {1, {2}}},
    {"GatherND-8", BATCH_DIMS(1), {3, {2, 3, 4}}, {2, {2, 1}}, NO_UPDATES, {2, {2, 4}}},
    {"GatherND-8", BATCH_DIMS(2), {4, {30, 2, 100, 35}}, {4, {30, 2, 3, 1}}, NO_UPDATES, {4, {30, 2, 3, 35}}},
    {"GatherND-8", BATCH_DIMS(3), {4, {1, 64, 64, 320}}, {5, {1, 64, 64, 1, 1}}, NO_UPDATES, {4, {1, 64, 64, 1}}},
    {"GatherND-13", BATCH_DIMS(2), {4, {30, 2, 100, 35}}, {4, {30, 2, 3, 1}}, NO_UPDATES, {4, {30, 2, 3, 35}}},

    /* GatherND-5 makes one of the batch dimensions. */
    {"GatherND-5", NO_ATTRIBUTES, {2, {2, 3}}, {2, {5, 1}}, NO_UPDATES, {2, {5, 3}}},
    {"GatherND-5", BATCH_DIMS(1), {3, {2, 3, 4}}, {2, {2, 1}}, NO_UPDATES, {2, {2, 4}}},
    {"GatherND-5", BATCH_DIMS(2), {4, {30, 2, 100, 35}}, {4, {30, 2, 3, 1}}, NO_UPDATES, {3, {60, 3, 35}}},
    {"GatherND-5", BATCH_DIMS(2), {4, {30, 0, 100, 35}}, {4, {30, 0, 3, 1}}, NO_UPDATES, {3, {0, 3, 35}}},
    {"GatherND-5", BATCH_DIMS(3), {4, {1, 64, 64, 320}}, {5, {1, 64, 64, 1, 1}}, NO_UPDATES, {2, {4096, 1}}},
    {"GatherND-5", BATCH_DIMS(2), {3, {2, 3, 4}}, {3, {2, 3, 1}}, NO_UPDATES, {1, {6}}},

    /* The shape of indices. */
    {"GatherElements-6", AXIS(0), {3, {4, 5, 6}}, {3, {9, 5, 2}}, NO_UPDATES, {3, {9, 5, 2}}},
    {"GatherElements-6", AXIS(-1), {3, {4, 5, 6}}, {3, {4, 1, 20}}, NO_UPDATES, {3, {4, 1, 20}}},
    {"GatherElements-13", NO_ATTRIBUTES, {1, {4}}, {1, {0}}, NO_UPDATES, {1, {0}}},
    {"GatherElements-13", AXIS(1), {2, {4, 0}}, {2, {3, 0}}, NO_UPDATES, {2, {3, 0}}},

    /* The shape of data. */
    {"ScatterNDUpdate-3", NO_ATTRIBUTES, {4, {1000, 256, 10, 15}}, {3, {25, 125, 3}}, {3, {25, 125, 15}},
     {4, {1000, 256, 10, 15}}},
    {"ScatterNDUpdate-15", NO_ATTRIBUTES, {2, {4, 3}}, {2, {7, 0}}, {3, {7, 4, 3}}, {2, {4, 3}}},
    {"ScatterND-18", NO_ATTRIBUTES, {2, {4, 3}}, {1, {2}}, {0, {0}}, {2, {4, 3}}},
    {"ScatterND-18", NO_ATTRIBUTES, {2, {4, 3}}, {2, {0, 1}}, {2, {0, 3}}, {2, {4, 3}}},
    {"ScatterElementsUpdate-3", AXIS(0), {4, {1000, 256, 7, 7}}, {4, {125, 20, 7, 6}}, {4, {125, 20, 7, 6}},
     {4, {1000, 256, 7, 7}}},
    {"ScatterElementsUpdate-12", AXIS(-2), {3, {4, 5, 6}}, {3, {4, 50, 6}}, {3, {4, 50, 6}}, {3, {4, 5, 6}}},
    {"ScatterElements-18", NO_ATTRIBUTES, {2, {3, 3}}, {2, {2, 3}}, {2, {2, 3}}, {2, {3, 3}}},
    {"Scatter-11", AXIS(1), {2, {1, 5}}, {2, {1, 2}}, {2, {1, 2}}, {2, {1, 5}}},

    /* data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:], and the documents' examples */
    {"Gather-1", AXIS(1), {4, {6, 12, 10, 24}}, {4, {15, 4, 20, 28}}, NO_UPDATES, {7, {6, 15, 4, 20, 28, 10, 24}}},
    {"Gather-7", AXIS_BATCH(1, 1), {3, {2, 64, 128}}, {3, {2, 32, 21}}, NO_UPDATES, {4, {2, 32, 21, 128}}},
    {"Gather-8", AXIS_BATCH(1, 1), {3, {2, 64, 128}}, {3, {2, 32, 21}}, NO_UPDATES, {4, {2, 32, 21, 128}}},
    {"Gather-8", AXIS_BATCH(-2, -2), {3, {2, 64, 128}}, {3, {2, 32, 21}}, NO_UPDATES, {4, {2, 32, 21, 128}}},
    {"Gather-8", AXIS(1), {3, {2, 64, 128}}, {3, {2, 32, 21}}, NO_UPDATES, {5, {2, 2, 32, 21, 128}}},
    {"Gather-8", AXIS_BATCH(2, 1), {3, {2, 5, 7}}, {2, {2, 3}}, NO_UPDATES, {3, {2, 5, 3}}},
    {"Gather-8", AXIS_BATCH(1, 1), {2, {2, 5}}, {1, {2}}, NO_UPDATES, {1, {2}}},
    {"Gather-8", AXIS(0), {2, {0, 5}}, {1, {3}}, NO_UPDATES, {2, {3, 5}}},
    {"Gather-8", AXIS(0), {2, {4, 5}}, {2, {3, 0}}, NO_UPDATES, {3, {3, 0, 5}}},
    {"ONNX:Gather-1", NO_ATTRIBUTES, {2, {2, 3}}, {0, {0}}, NO_UPDATES, {1, {3}}},
    {"Gather-11", AXIS(1), {3, {2, 3, 4}}, {0, {0}}, NO_UPDATES, {2, {2, 4}}},
    {"Gather-13", NO_ATTRIBUTES, {2, {2, 3}}, {2, {4, 5}}, NO_UPDATES, {3, {4, 5, 3}}},
    {"Gather-13", AXIS(1), {2, {2, 3}}, {2, {4, 5}}, NO_UPDATES, {3, {2, 4, 5}}},
    {"Gather-13", NO_ATTRIBUTES, {4, {5, 4, 3, 2}}, {1, {3}}, NO_UPDATES, {4, {3, 4, 3, 2}}},
    {"Gather-13", AXIS(1), {4, {5, 4, 3, 2}}, {1, {3}}, NO_UPDATES, {4, {5, 3, 3, 2}}},
    {"Gather-13", AXIS(-1), {2, {3, 3}}, {2, {1, 2}}, NO_UPDATES, {3, {3, 1, 2}}},
    {"Gather-13", NO_ATTRIBUTES, {1, {3}}, {0, {0}}, NO_UPDATES, {0, {0}}},
    {"ScatterUpdate-3", AXIS(1), {4, {1000, 256, 10, 15}}, {2, {125, 20}}, {5, {1000, 125, 20, 10, 15}},
     {4, {1000, 256, 10, 15}}},
    {"ScatterUpdate-3", AXIS(-1), {2, {4, 3}}, {0, {0}}, {1, {4}}, {2, {4, 3}}},

    /* If updates should have rank 0, OpenVINO takes one element of any rank. */
    {"ScatterNDUpdate-3", NO_ATTRIBUTES, {2, {4, 3}}, {1, {2}}, {1, {1}}, {2, {4, 3}}},
    {"ScatterNDUpdate-15", NO_ATTRIBUTES, {2, {4, 3}}, {1, {2}}, {3, {1, 1, 1}}, {2, {4, 3}}},
    {"ScatterNDUpdate-15", NO_ATTRIBUTES, {1, {4}}, {1, {1}}, {0, {0}}, {1, {4}}},
};

/* Calls that no output shape fits. */
static const shape_case mismatches[] = {
    /* more coordinates than dimensions */
    {"GatherND-8", NO_ATTRIBUTES, {2, {2, 3}}, {2, {5, 3}}, NO_UPDATES, {0, {0}}},
    {"GatherND-8", BATCH_DIMS(1), {2, {2, 3}}, {2, {2, 2}}, NO_UPDATES, {0, {0}}},
    {"ScatterND-18", NO_ATTRIBUTES, {1, {4}}, {1, {5}}, {0, {0}}, {0, {0}}},
    /* other batch dimensions */
    {"GatherND-8", BATCH_DIMS(1), {2, {2, 3}}, {2, {3, 1}}, NO_UPDATES, {0, {0}}},
    /* other ranks, or larger than data off the axis */
    {"GatherElements-13", NO_ATTRIBUTES, {2, {2, 3}}, {1, {2}}, NO_UPDATES, {0, {0}}},
    {"GatherElements-13", NO_ATTRIBUTES, {2, {2, 3}}, {2, {2, 4}}, NO_UPDATES, {0, {0}}},
    {"ScatterElements-18", AXIS(1), {2, {2, 3}}, {2, {3, 3}}, {2, {3, 3}}, {0, {0}}},
    /* updates of another shape */
    {"ScatterElements-18", NO_ATTRIBUTES, {2, {2, 3}}, {2, {2, 2}}, {2, {2, 3}}, {0, {0}}},
    {"ScatterND-18", NO_ATTRIBUTES, {2, {4, 3}}, {2, {2, 1}}, {2, {2, 4}}, {0, {0}}},
    {"ScatterND-18", NO_ATTRIBUTES, {2, {4, 3}}, {1, {2}}, {1, {1}}, {0, {0}}},
    {"ScatterNDUpdate-15", NO_ATTRIBUTES, {2, {4, 3}}, {1, {2}}, {1, {2}}, {0, {0}}},
    {"ScatterNDUpdate-15", NO_ATTRIBUTES, {2, {4, 3}}, {1, {1}}, {1, {1}}, {0, {0}}},
    {"ScatterUpdate-3", AXIS(1), {3, {2, 3, 4}}, {1, {5}}, {3, {2, 4, 4}}, {0, {0}}},
    {"ScatterUpdate-3", AXIS(0), {1, {3}}, {0, {0}}, {1, {1}}, {0, {0}}},
    /* data of rank 0, which has no axis */
    {"Gather-13", NO_ATTRIBUTES, {0, {0}}, {1, {5}}, NO_UPDATES, {0, {0}}},
};
/* clang-format on */

static strew_tensor tensor_of(const some_shape *shape, strew_dtype dtype)
{
    return (strew_tensor){NULL, dtype, shape->rank, shape->dimensions, NULL};
}

static strew_status infer(const shape_case *example, int64_t shape[STREW_MAX_RANK], int32_t *rank)
{
    const strew_operator *op = strew_operator_find(example->operator_name);
    assert_non_null(op);
    strew_tensor data = tensor_of(&example->data, STREW_DTYPE_FLOAT32);
    strew_tensor indices = tensor_of(&example->indices, STREW_DTYPE_INT64);
    strew_tensor updates = tensor_of(&example->updates, STREW_DTYPE_FLOAT32);
    return strew_operator_shape(op, &example->attributes, &data, &indices,
                                example->updates.rank == NONE ? NULL : &updates, shape, rank, NULL);
}

static void each_version_infers_the_shape_of_its_output(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t shape[STREW_MAX_RANK];
        int32_t rank = NONE;
        strew_status status = infer(&cases[i], shape, &rank);
        if (status != STREW_STATUS_OK || rank != cases[i].output.rank ||
            memcmp(shape, cases[i].output.dimensions, (size_t)rank * sizeof *shape) != 0)
            fail_msg("case %zu, %s: %s, rank %d", i, cases[i].operator_name, strew_status_name(status), (int)rank);
    }
}

static void shapes_that_do_not_fit_are_refused_and_nothing_is_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(mismatches); i++) {
        int64_t shape[STREW_MAX_RANK] = {-7};
        int32_t rank = NONE;
        strew_status status = infer(&mismatches[i], shape, &rank);
        if (status != STREW_STATUS_SHAPE_MISMATCH || rank != NONE || shape[0] != -7)
            fail_msg("case %zu, %s: %s", i, mismatches[i].operator_name, strew_status_name(status));
    }
}

/* ---- The unversioned functions ------------------------------------------------------------------- */

static void assert_shape(strew_status status, const int64_t *shape, const int32_t *rank, const some_shape *expected)
{
    assert_int_equal(status, STREW_STATUS_OK);
    assert_int_equal(*rank, expected->rank);
    assert_memory_equal(shape, expected->dimensions, (size_t)*rank * sizeof *shape);
}

static void the_six_operators_infer_the_same_shapes(void **state)
{
    (void)state;
    static const some_shape data = {3, {4, 5, 6}}, tuples = {3, {4, 7, 1}}, entries = {3, {4, 8, 2}};
    static const some_shape gathered = {3, {4, 7, 6}}, rows = {4, {4, 7, 5, 6}};
    static const some_shape on_axis = {2, {4, 9}}, axis_rows = {3, {4, 5, 9}};
    strew_tensor d = tensor_of(&data, STREW_DTYPE_STRING);
    strew_tensor t = tensor_of(&tuples, STREW_DTYPE_UINT8);
    strew_tensor e = tensor_of(&entries, STREW_DTYPE_INT16);
    strew_tensor row_updates = tensor_of(&rows, STREW_DTYPE_STRING);
    strew_tensor element_updates = tensor_of(&entries, STREW_DTYPE_STRING);
    strew_tensor a = tensor_of(&on_axis, STREW_DTYPE_UINT64);
    strew_tensor axis_updates = tensor_of(&axis_rows, STREW_DTYPE_STRING);
    int64_t shape[STREW_MAX_RANK];
    int32_t rank = NONE;
    assert_shape(strew_gather_shape(&d, &a, -1, -1, shape, &rank, NULL), shape, &rank, &axis_rows);
    assert_shape(strew_scatter_shape(&d, &a, &axis_updates, 2, 1, shape, &rank, NULL), shape, &rank, &data);
    assert_shape(strew_gather_nd_shape(&d, &t, 1, shape, &rank, NULL), shape, &rank, &gathered);
    assert_shape(strew_gather_elements_shape(&d, &e, 1, shape, &rank, NULL), shape, &rank, &entries);
    assert_shape(strew_scatter_nd_shape(&d, &t, &row_updates, shape, &rank, NULL), shape, &rank, &data);
    assert_shape(strew_scatter_elements_shape(&d, &e, &element_updates, -2, shape, &rank, NULL), shape, &rank,
                 &data);
}

static void windows_and_slices_leave_the_shape_of_data(void **state)
{
    (void)state;
    static const some_shape cache = {3, {2, 10, 6}}, written = {3, {2, 3, 6}}, begins = {1, {2}};
    static const int64_t start = -4, stop = 10, step = 2, axis = 1;
    static const some_shape sliced = {3, {2, 2, 6}};
    const strew_slice slice = {1, 0, &start, &stop, &step, &axis};
    strew_tensor d = tensor_of(&cache, STREW_DTYPE_FLOAT32);
    strew_tensor b = tensor_of(&begins, STREW_DTYPE_INT64);
    strew_tensor window = tensor_of(&written, STREW_DTYPE_FLOAT32);
    strew_tensor part = tensor_of(&sliced, STREW_DTYPE_FLOAT32);
    int64_t shape[STREW_MAX_RANK];
    int32_t rank = NONE;
    assert_shape(strew_tensor_scatter_shape(&d, &b, &window, 1, true, shape, &rank, NULL), shape, &rank, &cache);
    assert_shape(strew_slice_scatter_shape(&d, &part, &slice, shape, &rank, NULL), shape, &rank, &cache);
    assert_int_equal(strew_tensor_scatter_shape(&d, &b, &window, 2, true, shape, &rank, NULL),
                     STREW_STATUS_SHAPE_MISMATCH);
    assert_int_equal(strew_slice_scatter_shape(&d, &window, &slice, shape, &rank, NULL),
                     STREW_STATUS_SHAPE_MISMATCH);
}

static void bags_and_segments_have_a_row_each(void **state)
{
    (void)state;
    static const some_shape table = {2, {5, 3}}, list = {1, {7}}, four = {1, {4}}, pairs = {2, {4, 2}};
    static const some_shape rows = {2, {7, 3}}, four_rows = {2, {4, 3}}, nine_rows = {2, {9, 3}};
    strew_tensor t = tensor_of(&table, STREW_DTYPE_FLOAT32);
    strew_tensor i = tensor_of(&list, STREW_DTYPE_INT32);
    strew_tensor offsets = tensor_of(&four, STREW_DTYPE_INT32);
    strew_tensor bags = tensor_of(&pairs, STREW_DTYPE_INT32);
    strew_tensor values = tensor_of(&rows, STREW_DTYPE_FLOAT32);
    strew_tensor weights = tensor_of(&list, STREW_DTYPE_FLOAT32);
    int64_t shape[STREW_MAX_RANK];
    int32_t rank = NONE;
    assert_shape(strew_embedding_bag_offsets_shape(&t, &i, &offsets, &weights, shape, &rank, NULL), shape, &rank,
                 &four_rows);
    assert_shape(strew_embedding_bag_packed_shape(&t, &bags, NULL, shape, &rank, NULL), shape, &rank, &four_rows);
    assert_shape(strew_embedding_segments_shape(&t, &i, &i, &weights, 9, shape, &rank, NULL), shape, &rank,
                 &nine_rows);
    assert_shape(strew_segment_reduce_shape(&values, &i, 9, shape, &rank, NULL), shape, &rank, &nine_rows);
    assert_shape(strew_gather_scatter_shape(&t, &values, &i, &i, &weights, shape, &rank, NULL), shape, &rank,
                 &table);
    assert_int_not_equal(strew_segment_reduce_shape(&values, &i, -1, shape, &rank, NULL), STREW_STATUS_OK);
}

/* The unversioned scatter_nd is as strict as ONNX about updates of rank 0. */
static void unversioned_scatter_nd_wants_updates_of_the_very_shape(void **state)
{
    (void)state;
    static const some_shape data = {2, {4, 3}}, tuple = {1, {2}}, one = {1, {1}};
    strew_tensor d = tensor_of(&data, STREW_DTYPE_FLOAT32);
    strew_tensor t = tensor_of(&tuple, STREW_DTYPE_INT64);
    strew_tensor updates = tensor_of(&one, STREW_DTYPE_FLOAT32);
    int64_t shape[STREW_MAX_RANK];
    int32_t rank = NONE;
    assert_int_equal(strew_scatter_nd_shape(&d, &t, &updates, shape, &rank, NULL), STREW_STATUS_SHAPE_MISMATCH);
}

/* 16 + 17 - 1 dimensions are the most that an output may have. */
static void outputs_have_up_to_32_dimensions(void **state)
{
    (void)state;
    int64_t ones[STREW_MAX_RANK];
    for (int d = 0; d < STREW_MAX_RANK; d++)
        ones[d] = 1;
    strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 17, ones, NULL};
    strew_tensor indices = {NULL, STREW_DTYPE_INT64, 17, ones, NULL};
    int64_t shape[STREW_MAX_RANK];
    int32_t rank = NONE;
    assert_int_equal(strew_gather_nd_shape(&data, &indices, 0, shape, &rank, NULL), STREW_STATUS_OK);
    assert_int_equal(rank, 32);
    indices.rank = 16;
    assert_int_equal(strew_gather_shape(&data, &indices, 5, 0, shape, &rank, NULL), STREW_STATUS_OK);
    assert_int_equal(rank, 32);
    indices.rank = 17;
    assert_int_equal(strew_gather_shape(&data, &indices, 5, 0, shape, &rank, NULL), STREW_STATUS_SHAPE_MISMATCH);
    assert_int_equal(strew_gather_shape(&data, &indices, 5, 1, shape, &rank, NULL), STREW_STATUS_OK);
    assert_int_equal(rank, 32);
    data.rank = 18;
    assert_int_not_equal(strew_gather_nd_shape(&data, &indices, 0, shape, &rank, NULL), STREW_STATUS_OK);
}

/* ---- GatherND-5 ---------------------------------------------------------------------------------- */

static void gather_nd_5_runs_into_its_flattened_output(void **state)
{
    (void)state;
    static const int64_t data_shape[] = {2, 3, 4}, indices_shape[] = {2, 3, 1, 1}, output_shape[] = {6, 1};
    static const int32_t expected[] = {2, 5, 11, 13, 19, 23};
    int32_t values[24];
    int64_t index_values[] = {1, 0, 2, 0, 2, 2};
    int32_t found[6];
    for (int i = 0; i < 24; i++)
        values[i] = i + 1;
    strew_tensor data = {values, STREW_DTYPE_INT32, 3, data_shape, NULL};
    strew_tensor indices = {index_values, STREW_DTYPE_INT64, 4, indices_shape, NULL};
    strew_tensor output = {found, STREW_DTYPE_INT32, 2, output_shape, NULL};
    strew_attributes attributes = BATCH_DIMS(2);
    assert_int_equal(
        strew_operator_run(strew_operator_find("GatherND-5"), &attributes, &data, &indices, NULL, &output, NULL),
        STREW_STATUS_OK);
    assert_memory_equal(found, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_version_infers_the_shape_of_its_output),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused_and_nothing_is_written),
        cmocka_unit_test(the_six_operators_infer_the_same_shapes),
        cmocka_unit_test(windows_and_slices_leave_the_shape_of_data),
        cmocka_unit_test(bags_and_segments_have_a_row_each),
        cmocka_unit_test(unversioned_scatter_nd_wants_updates_of_the_very_shape),
        cmocka_unit_test(outputs_have_up_to_32_dimensions),
        cmocka_unit_test(gather_nd_5_runs_into_its_flattened_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
