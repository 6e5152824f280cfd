/*
 * Outputs among the bytes of inputs: accepted if no byte is shared, refused if one is. Views of one array by any
 * strides, compared with sets of bytes, and with the same call on separate memory.
 */
#include <stdlib.h>

#include "call.h"
#include "element.h"
#include "random.h"
#include "tensor.h"
#include "test.h"

enum { ARRAY = 4096 };

/* ---- Known views --------------------------------------------------------------------------------- */

/* The left half of an array's columns, into which the right half is scattered, and gathered from it. */
static void the_left_columns_may_be_written_from_the_right_ones(void **state)
{
    (void)state;
    float array[3][4] = {{1, 2, 10, 20}, {3, 4, 30, 40}, {5, 6, 50, 60}};
    static const float scattered[3][4] = {{51, 62, 10, 20}, {13, 24, 30, 40}, {35, 46, 50, 60}},
                       gathered[3][4] = {{30, 40, 10, 20}, {50, 60, 30, 40}, {10, 20, 50, 60}};
    int64_t rows[3] = {1, 2, 0};
    static const int64_t shape[] = {3, 2}, strides[] = {4, 1}, tuples[] = {3, 1}, list[] = {3};
    const strew_tensor left = {&array[0][0], STREW_DTYPE_FLOAT32, 2, shape, strides},
                       right = {&array[0][2], STREW_DTYPE_FLOAT32, 2, shape, strides},
                       tuple = {rows, STREW_DTYPE_INT64, 2, tuples, NULL},
                       index = {rows, STREW_DTYPE_INT64, 1, list, NULL};
    const strew_options options = call_options();
    assert_int_equal(strew_scatter_nd(&left, &tuple, &right, STREW_REDUCTION_SUM, &left, &options),
                     STREW_STATUS_OK);
    assert_memory_equal(array, scattered, sizeof array);
    assert_int_equal(strew_gather(&right, &index, 0, 0, &left, &options), STREW_STATUS_OK);
    assert_memory_equal(array, gathered, sizeof array);
}

/* Indices, offsets and weights may also be there. */
static void lists_may_stand_between_the_elements_of_the_output(void **state)
{
    (void)state;
    struct {
        int32_t index, offset;
        float weight, sum;
    } items[3] = {{2, 0, 10, 0}, {0, 1, 20, 0}, {1, 2, 30, 0}};
    float table[3] = {1, 2, 3};
    static const int64_t list[] = {3}, strides[] = {4};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 1, list, NULL},
                       indices = {&items[0].index, STREW_DTYPE_INT32, 1, list, strides},
                       offsets = {&items[0].offset, STREW_DTYPE_INT32, 1, list, strides},
                       weights = {&items[0].weight, STREW_DTYPE_FLOAT32, 1, list, strides},
                       output = {&items[0].sum, STREW_DTYPE_FLOAT32, 1, list, strides};
    const strew_options options = call_options();
    assert_int_equal(strew_embedding_bag_offsets(&data, &indices, &offsets, &weights, STREW_REDUCTION_SUM, -1,
                                                 &output, &options),
                     STREW_STATUS_OK);
    assert_true(items[0].sum == 30 && items[1].sum == 20 && items[2].sum == 60);
}

/* ---- Any views ----------------------------------------------------------------------------------- */

typedef struct view {
    strew_tensor tensor;
    int64_t shape[3], strides[3];
} view;

static bool taken[ARRAY];

/* Whether any byte of a tensor has been taken; takes all of them if it is to. */
static bool meets_taken(const strew_tensor *tensor, const char *array, bool takes)
{
    int64_t position[STREW_MAX_RANK];
    bool any = false;
    for (bool more = position_first(position, tensor); more; more = position_next(position, tensor))
        for (size_t byte = 0; byte < element_size(tensor->dtype); byte++) {
            bool *const each = &taken[(const char *)tensor_element(tensor, position) - array + (int64_t)byte];
            any |= *each;
            *each |= takes;
        }
    return any;
}

/* A view of part of an array, and false if it would reach beyond it. */
static bool draw_view(random_source *source, view *drawn, strew_dtype dtype, char *array)
{
    static const int64_t steps[] = {1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 64, 5, 7, 11, 96, 144};
    const int64_t size = (int64_t)element_size(dtype);
    int64_t low = 0, high = size;
    drawn->shape[0] = 4;
    drawn->shape[1] = 3;
    drawn->shape[2] = 2;
    for (int d = 0; d < 3; d++) {
        drawn->strides[d] = steps[random_below(source, COUNT(steps))] * (random_chance(source, 15) ? -1 : 1);
        const int64_t reach = drawn->strides[d] * size * (drawn->shape[d] - 1);
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    drawn->tensor = (strew_tensor){NULL, dtype, 3, drawn->shape, drawn->strides};
    if (high - low >= ARRAY / 8)
        return false;
    drawn->tensor.data = array + ARRAY / 4 - low + random_below(source, 100);
    return true;
}

/* The rule of strew.h for outputs. */
static bool is_apart_from_itself(const view *drawn)
{
    int64_t covered = 1;
    uint32_t done = 0;
    for (int i = 0; i < 3; i++) {
        int best = -1;
        for (int d = 0; d < 3; d++)
            if (drawn->shape[d] > 1 && !(done >> d & 1) &&
                (best < 0 || llabs(drawn->strides[d]) < llabs(drawn->strides[best])))
                best = d;
        if (best < 0)
            return true;
        if (llabs(drawn->strides[best]) < covered)
            return false;
        covered += llabs(drawn->strides[best]) * (drawn->shape[best] - 1);
        done |= 1u << best;
    }
    return true;
}

static void copy_elements(const strew_tensor *to, const strew_tensor *from)
{
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, from); more; more = position_next(position, from))
        memcpy(tensor_element(to, position), tensor_element(from, position), element_size(from->dtype));
}

/* Rows of one view are gathered into another, or scattered there. Returns whether it was run. */
static bool check_views(random_source *source, const view *output, const view *input, char *array, bool scatters)
{
    static char kept[ARRAY], expected[4 * 3 * 2 * 16], other[4 * 3 * 2 * 16];
    int64_t rows[4];
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 1, &input->shape[0], NULL};
    const strew_tensor result = {expected, output->tensor.dtype, 3, output->shape, NULL},
                       copy = {other, input->tensor.dtype, 3, input->shape, NULL};
    const strew_options options = call_options();
    for (int i = 0; i < 4; i++)
        rows[i] = (int64_t)random_below(source, 4);
    memset(taken, 0, sizeof taken);
    meets_taken(&output->tensor, array, true);
    const bool share = meets_taken(&input->tensor, array, false);
    copy_elements(&copy, &input->tensor);
    copy_elements(&result, &output->tensor);
    memcpy(kept, array, ARRAY);
    const strew_status status = scatters ? strew_scatter(&output->tensor, &indices, &input->tensor, 0, 0,
                                                         STREW_REDUCTION_SUM, true, &output->tensor, &options)
                                         : strew_gather(&input->tensor, &indices, 0, 0, &output->tensor, &options);
    assert_int_equal(status, share ? STREW_STATUS_INVALID_ARGUMENT : STREW_STATUS_OK);
    if (share) {
        assert_memory_equal(array, kept, ARRAY);
        return false;
    }
    assert_int_equal(
        scatters ? strew_scatter(&result, &indices, &copy, 0, 0, STREW_REDUCTION_SUM, true, &result, &options)
                 : strew_gather(&copy, &indices, 0, 0, &result, &options),
        STREW_STATUS_OK);
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, &result); more; more = position_next(position, &result))
        assert_memory_equal(tensor_element(&output->tensor, position), tensor_element(&result, position),
                            element_size(result.dtype));
    return true;
}

static void views_are_refused_exactly_if_they_share_a_byte(void **state)
{
    (void)state;
    static const strew_dtype dtypes[] = {STREW_DTYPE_UINT8, STREW_DTYPE_INT16, STREW_DTYPE_INT32,
                                         STREW_DTYPE_INT64};
    static char array[ARRAY];
    random_source source = {random_seed()};
    int run = 0, refused = 0;
    while (run + refused < 20000) {
        view output, input;
        const strew_dtype dtype = dtypes[random_below(&source, COUNT(dtypes))];
        if (!draw_view(&source, &output, dtype, array) || !draw_view(&source, &input, dtype, array))
            continue;
        if (random_chance(&source, 50)) {
            input = output;
            input.tensor.shape = input.shape;
            input.tensor.strides = input.strides;
            input.tensor.data = (char *)output.tensor.data + random_between(&source, -300, 300);
        }
        if (!is_apart_from_itself(&output))
            continue;
        for (size_t i = 0; i < ARRAY; i++)
            array[i] = (char)random_bits(&source);
        const bool is_run = check_views(&source, &output, &input, array, random_chance(&source, 50));
        run += is_run;
        refused += !is_run;
    }
    assert_true(run > 2000 && refused > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_left_columns_may_be_written_from_the_right_ones),
        cmocka_unit_test(lists_may_stand_between_the_elements_of_the_output),
        cmocka_unit_test(views_are_refused_exactly_if_they_share_a_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
