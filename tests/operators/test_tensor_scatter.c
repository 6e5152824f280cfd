/* TensorScatter: windows of random caches compared with the oracle, its edges, and its refusals. */
#include <strew/operators.h>

#include "call.h"
#include "element.h"
#include "oracle.h"
#include "parallel.h"
#include "random.h"
#include "test.h"

typedef struct cache_case {
    operator_call call;
    test_tensor data, indices, updates, output;
    bool in_place, inspected;
} cache_case;

/* A random cache, windows that fit it, and indices that are mostly right. */
static void create_case(cache_case *self, random_source *source)
{
    int64_t shape[STREW_MAX_RANK], window[STREW_MAX_RANK];
    const strew_dtype dtypes[] = {STREW_DTYPE_INT8, STREW_DTYPE_FLOAT16, STREW_DTYPE_FLOAT32,
                                  STREW_DTYPE_OPAQUE(3)};
    const strew_dtype dtype = dtypes[random_below(source, COUNT(dtypes))];
    const int32_t rank = (int32_t)random_between(source, 2, 5);
    memset(self, 0, sizeof *self);
    operator_call *call = &self->call;
    const int64_t axis = random_between(source, 1, rank - 1);
    const bool has_indices = random_chance(source, 90);
    call->kind = STREW_KIND_TENSOR_SCATTER;
    call->axis = random_chance(source, 50) ? axis : axis - rank;
    call->circular = random_chance(source, 50);
    call->bounds = (strew_bounds)random_between(source, 0, STREW_BOUNDS_COUNT - 1);
    self->in_place = random_chance(source, 50);
    self->inspected = call->bounds != STREW_BOUNDS_STOP && random_chance(source, 50);
    random_shape(source, rank, 400, shape);
    memcpy(window, shape, sizeof window);
    window[axis] = random_between(source, 0, shape[axis]);
    random_tensor(source, &self->data, dtype, rank, shape, LAYOUT_OUTPUT);
    random_tensor(source, &self->updates, dtype, rank, window, LAYOUT_INPUT);
    random_tensor(source, &self->output, dtype, rank, shape, LAYOUT_OUTPUT);
    random_tensor(source, &self->indices, STREW_DTYPE_INT64, 1, shape, LAYOUT_OUTPUT);
    call->data = &self->data.view;
    call->indices = has_indices ? &self->indices.view : NULL;
    call->updates = &self->updates.view;
    call->output = self->in_place ? &self->data.view : &self->output.view;
    const int64_t most = shape[axis] * (call->circular ? 3 : 1) - (call->circular ? 0 : window[axis]);
    for (int64_t b = 0; b < shape[0]; b++) {
        const bool right = random_chance(source, 90);
        element_store_integer(
            STREW_DTYPE_INT64,
            (uint64_t)(right ? random_between(source, 0, most) : random_between(source, -9, most + 9)),
            tensor_element(&self->indices.view, &b));
    }
}

static void destroy_case(cache_case *self)
{
    tensor_destroy(&self->data);
    tensor_destroy(&self->indices);
    tensor_destroy(&self->updates);
    tensor_destroy(&self->output);
}

static void check_case(cache_case *self, size_t threads)
{
    test_tensor expected;
    test_tensor *const output = self->in_place ? &self->data : &self->output;
    int64_t position[STREW_MAX_RANK];
    strew_error error = {.status = STREW_STATUS_OK}, bad_index;
    const strew_parallel parallel = parallel_threads(threads);
    strew_options options = call_options();
    options.parallel = threads > 1 ? &parallel : NULL;
    options.bounds = self->call.bounds;
    options.error = &error;
    operator_call by_oracle = self->call;
    tensor_clone(&expected, output);
    by_oracle.output = &expected.view;
    by_oracle.data = self->in_place ? &expected.view : &self->data.view;
    const bool right = oracle_run(&by_oracle, &bad_index);
    const strew_status status =
        call_run(&self->call, self->inspected ? BY_INSPECTION : BY_ONE_CALL, LEAST_SCRATCH, &options);
    assert_int_equal(status, right ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_true(right || oracle_same_bad_index(&bad_index, &error));
    assert_true(oracle_agrees(&self->call, right ? NULL : &bad_index, &expected.view, ORACLE_SAME_BITS, position));
    assert_true(self->in_place ? tensor_same_memory(output, &expected) : tensor_same_padding(output, &expected));
    tensor_destroy(&expected);
}

static void random_caches_are_as_the_oracle_has_them(void **state)
{
    (void)state;
    random_source source = {random_seed()};
    for (int i = 0; i < 4000; i++) {
        cache_case drawn;
        create_case(&drawn, &source);
        check_case(&drawn, 1 + random_below(&source, 3));
        destroy_case(&drawn);
    }
}

/* ---- The published version ------------------------------------------------------------------------ */

static void a_cache_is_written_as_the_document_has_it(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 4, 1}, window[] = {2, 2, 1}, batches[] = {2};
    static const struct {
        int64_t indices[2];
        int32_t circular;
        int32_t expected[8];
    } cases[] = {
        {{0, 2}, 0, {101, 102, 2, 3, 4, 5, 201, 202}},
        {{3, 0}, 1, {102, 1, 2, 101, 201, 202, 6, 7}},
        {{7, 0}, 1, {102, 1, 2, 101, 201, 202, 6, 7}},
        {{0, INT64_C(1) << 62}, 1, {101, 102, 2, 3, 201, 202, 6, 7}},
        {{INT64_MAX, 0}, 1, {102, 1, 2, 101, 201, 202, 6, 7}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int32_t cache[] = {0, 1, 2, 3, 4, 5, 6, 7}, updates[] = {101, 102, 201, 202};
        int64_t indices[] = {cases[i].indices[0], cases[i].indices[1]};
        const strew_tensor data = {cache, STREW_DTYPE_INT32, 3, shape, NULL};
        const strew_tensor begins = {indices, STREW_DTYPE_INT64, 1, batches, NULL};
        const strew_tensor windows = {updates, STREW_DTYPE_INT32, 3, window, NULL};
        const strew_attributes attributes = {.given = STREW_ATTRIBUTE_CIRCULAR, .circular = cases[i].circular};
        assert_int_equal(strew_operator_run(strew_operator_find("TensorScatter-24"), &attributes, &data, &begins,
                                            &windows, &data, NULL),
                         STREW_STATUS_OK);
        assert_memory_equal(cache, cases[i].expected, sizeof cache);
    }
}

/* Also for indices beyond the signed range. */
static void an_unsigned_window_begins_where_its_remainder_is(void **state)
{
    (void)state;
    static const int64_t shape[] = {1, 3}, window[] = {1, 1}, batches[] = {1};
    int32_t cache[] = {0, 1, 2}, update[] = {7};
    uint64_t begin[] = {UINT64_MAX - 1}; /* 2 more than a multiple of 3 */
    const strew_tensor data = {cache, STREW_DTYPE_INT32, 2, shape, NULL};
    const strew_tensor indices = {begin, STREW_DTYPE_UINT64, 1, batches, NULL};
    const strew_tensor updates = {update, STREW_DTYPE_INT32, 2, window, NULL};
    assert_int_equal(strew_tensor_scatter(&data, &indices, &updates, 1, true, &data, NULL), STREW_STATUS_OK);
    assert_true(cache[0] == 0 && cache[1] == 1 && cache[2] == 7);
}

static void what_does_not_fit_a_cache_is_refused(void **state)
{
    (void)state;
    static const int64_t shape[] = {2, 4, 3}, longer[] = {2, 5, 3}, other[] = {2, 2, 4}, one[] = {1}, two[] = {2};
    static const int64_t pairs[] = {2, 1};
    int32_t memory[64] = {0};
    int64_t indices[2] = {0, 0};
    const strew_tensor data = {memory, STREW_DTYPE_INT32, 3, shape, NULL};
    const strew_tensor flat = {memory, STREW_DTYPE_INT32, 1, shape, NULL};
    const strew_tensor begins = {indices, STREW_DTYPE_INT64, 1, two, NULL};
    const struct {
        const strew_tensor *data, indices, updates;
        int64_t axis;
        strew_status status;
        strew_operand operand;
    } cases[] = {
        {&data,
         begins,
         {memory, STREW_DTYPE_INT32, 3, longer, NULL},
         1,
         STREW_STATUS_SHAPE_MISMATCH,
         STREW_OPERAND_UPDATES},
        {&data,
         begins,
         {memory, STREW_DTYPE_INT32, 3, other, NULL},
         1,
         STREW_STATUS_SHAPE_MISMATCH,
         STREW_OPERAND_UPDATES},
        {&data, begins, data, 0, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_AXIS},
        {&data, begins, data, -3, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_AXIS},
        {&data, begins, data, 3, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_AXIS},
        {&data,
         {indices, STREW_DTYPE_INT64, 1, one, NULL},
         data,
         1,
         STREW_STATUS_SHAPE_MISMATCH,
         STREW_OPERAND_INDICES},
        {&data,
         {indices, STREW_DTYPE_INT64, 2, pairs, NULL},
         data,
         1,
         STREW_STATUS_SHAPE_MISMATCH,
         STREW_OPERAND_INDICES},
        {&data,
         {indices, STREW_DTYPE_FLOAT64, 1, two, NULL},
         data,
         1,
         STREW_STATUS_UNSUPPORTED_DTYPE,
         STREW_OPERAND_INDICES},
        {&flat, begins, flat, 0, STREW_STATUS_SHAPE_MISMATCH, STREW_OPERAND_DATA},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        strew_error error = {0};
        strew_options options = STREW_OPTIONS_INIT;
        options.error = &error;
        assert_int_equal(strew_tensor_scatter(cases[i].data, &cases[i].indices, &cases[i].updates, cases[i].axis,
                                              false, cases[i].data, &options),
                         cases[i].status);
        assert_int_equal(error.operand, cases[i].operand);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_caches_are_as_the_oracle_has_them),
        cmocka_unit_test(a_cache_is_written_as_the_document_has_it),
        cmocka_unit_test(an_unsigned_window_begins_where_its_remainder_is),
        cmocka_unit_test(what_does_not_fit_a_cache_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
