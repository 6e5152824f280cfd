/*
 * Packed elements, several to a byte. There are two oracles: a call on rows of opaque bytes equals one on rows of
 * packed elements, whatever the strides; and a call on elements of a byte each, when packed, is accepted if whole
 * bytes move.
 */
#include <stdlib.h>

#include "element.h"
#include "oracle.h"
#include "random_case.h"
#include "test.h"

static const strew_dtype dtypes[] = {STREW_DTYPE_UINT4, STREW_DTYPE_INT4, STREW_DTYPE_FLOAT4E2M1, STREW_DTYPE_UINT2,
                                     STREW_DTYPE_INT2};

static int64_t in_byte(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_UINT2 || dtype == STREW_DTYPE_INT2 ? 4 : 2;
}

static strew_status run(random_case *drawn, const operator_call *call, strew_error *error)
{
    const strew_parallel parallel =
        drawn->real_threads ? parallel_threads(drawn->threads) : parallel_shuffled(drawn->threads, &drawn->order);
    strew_options options = call_options();
    options.flags = call->flags;
    options.bounds = call->bounds;
    options.fill = call->fill;
    options.parallel = drawn->has_pool ? &parallel : NULL;
    options.error = error;
    return call_run(call, drawn->way, drawn->scratch, &options);
}

/* ---- Rows of opaque bytes ------------------------------------------------------------------------ */

/* The bytes of each element as one more dimension. */
typedef struct packed_rows {
    strew_tensor view;
    int64_t shape[STREW_MAX_RANK], strides[STREW_MAX_RANK];
} packed_rows;

static const strew_tensor *as_packed(packed_rows *self, const strew_tensor *bytes, strew_dtype dtype)
{
    const int64_t row = (int64_t)element_size(bytes->dtype) * in_byte(dtype);
    self->view = *bytes;
    self->view.dtype = dtype;
    self->view.rank = bytes->rank + 1;
    for (int32_t d = 0; d < bytes->rank; d++) {
        self->shape[d] = bytes->shape[d];
        self->strides[d] = bytes->strides ? bytes->strides[d] * row : 0;
    }
    self->shape[bytes->rank] = row;
    self->strides[bytes->rank] = 1;
    self->view.shape = self->shape;
    self->view.strides = bytes->strides ? self->strides : NULL;
    return &self->view;
}

static bool has_room(const strew_tensor *tensor)
{
    return !tensor || tensor->rank < STREW_MAX_RANK;
}

static strew_status run_packed(random_case *drawn, strew_dtype dtype, strew_error *error)
{
    packed_rows data, updates, output;
    operator_call call = drawn->call;
    call.axis += call.axis < 0 ? call.data->rank : 0; /* the rank changes below */
    call.data = as_packed(&data, drawn->call.data, dtype);
    call.output = drawn->in_place ? call.data : as_packed(&output, drawn->call.output, dtype);
    if (drawn->call.updates)
        call.updates = as_packed(&updates, drawn->call.updates, dtype);
    return run(drawn, &call, error);
}

static void check_rows(random_case *drawn, strew_dtype dtype)
{
    test_tensor expected;
    strew_error expected_error, error;
    test_tensor *const output = drawn->in_place ? &drawn->data : &drawn->output;
    operator_call call = drawn->call;
    tensor_clone(&expected, output);
    call.output = &expected.view;
    if (drawn->in_place)
        call.data = &expected.view;
    const bool valid = oracle_run(&call, &expected_error);
    const strew_status status = run_packed(drawn, dtype, &error);
    if (status != (valid ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS))
        fail_msg("case %#llx: %s", (unsigned long long)drawn->seed, strew_status_name(status));
    const bool stops = !valid && drawn->call.bounds == STREW_BOUNDS_STOP;
    const bool is_known = valid || stops || drawn->in_place;
    /* Random cases test the output of a stopped gather. */
    if (!(stops && kind_gathers(drawn->call.kind)) &&
        !(is_known ? tensor_same_memory(output, &expected) : tensor_same_padding(output, &expected)))
        fail_msg("case %#llx: the output is not the oracle's", (unsigned long long)drawn->seed);
    if (!valid) {
        assert_int_equal(error.dimension, expected_error.dimension);
        assert_memory_equal(error.position, expected_error.position, sizeof error.position);
    }
    tensor_destroy(&expected);
}

static void packed_rows_move_as_their_bytes_do(void **state)
{
    (void)state;
    static const strew_kind with_rows[] = {STREW_KIND_GATHER_ND, STREW_KIND_SCATTER_ND, STREW_KIND_GATHER,
                                           STREW_KIND_SCATTER};
    static const int64_t sizes[] = {1, 2, 3, 4, 8, 16, 33};
    random_source source = {random_seed()};
    for (size_t i = 0; i < 4000; i++) {
        const int64_t bytes = sizes[random_below(&source, COUNT(sizes))];
        const case_request request = {.kind = with_rows[i % COUNT(with_rows)],
                                      .dtype = STREW_DTYPE_OPAQUE(bytes),
                                      .index_dtype = STREW_DTYPE_INT64,
                                      .reduction = STREW_REDUCTION_NONE,
                                      .data_budget = 500,
                                      .update_budget = i % 100 == 0 ? 60000 : 2000};
        random_case drawn;
        random_case_create(&drawn, &request, random_bits(&source));
        if (drawn.call.fill)
            memset(drawn.fill.view.data, 0x5b, (size_t)bytes);
        if (has_room(drawn.call.data) && has_room(drawn.call.updates) && has_room(drawn.call.output))
            check_rows(&drawn, dtypes[random_below(&source, COUNT(dtypes))]);
        random_case_destroy(&drawn);
    }
}

/* ---- Elements of a byte each, packed ------------------------------------------------------------- */

/* All that a tensor reaches, packed; some elements may be before it, so that the first one begins a byte. */
typedef struct packed_copy {
    strew_tensor view;
    strew_dtype dtype;
    unsigned char *memory;
    size_t elements, before;
} packed_copy;

static unsigned mask_of(strew_dtype dtype)
{
    return (1u << 8 / in_byte(dtype)) - 1;
}

static unsigned read_packed(const packed_copy *self, size_t element)
{
    const size_t in_one = (size_t)in_byte(self->dtype), bits = 8 / in_one;
    const unsigned byte = self->memory[element / in_one];
    return byte >> element % in_one * bits & mask_of(self->dtype);
}

static void pack(packed_copy *self, const test_tensor *tensor, strew_dtype dtype)
{
    const size_t in_one = (size_t)in_byte(dtype), bits = 8 / in_one;
    const unsigned char *const first = tensor->view.data ? tensor->view.data : tensor->memory;
    const size_t front = first ? (size_t)(first - tensor->memory) : 0;
    self->dtype = dtype;
    self->before = (in_one - front % in_one) % in_one;
    self->elements = self->before + tensor->size;
    self->memory = calloc(self->elements / in_one + 1, 1);
    assert_non_null(self->memory);
    for (size_t i = 0; i < tensor->size; i++) {
        const size_t element = self->before + i;
        const unsigned shifted = (tensor->memory[i] & mask_of(dtype)) << element % in_one * bits;
        self->memory[element / in_one] = (unsigned char)(self->memory[element / in_one] | shifted);
    }
    self->view = tensor->view;
    self->view.dtype = dtype;
    self->view.data = self->memory + (self->before + front) / in_one;
}

/* Whether each run of elements that fills a byte, counted from the beginning of its row, does so in memory. */
static bool is_whole_bytes(const strew_tensor *tensor, int64_t row, int64_t in_one)
{
    int64_t position[STREW_MAX_RANK], last = 0, element = 0;
    for (bool more = position_first(position, tensor); more; more = position_next(position, tensor), element++) {
        const int64_t place = (const char *)tensor_element(tensor, position) - (const char *)tensor->data;
        if (element % row % in_one == 0 ? place % in_one != 0 : place != last + 1)
            return false;
        last = place;
    }
    return true;
}

static int64_t row_of(const operator_call *call)
{
    int32_t first = call->data->rank;
    if (kind_has_rows(call->kind))
        first = (int32_t)(call->batch_dims + call->indices->shape[call->indices->rank - 1]);
    else if (kind_has_axis(call->kind))
        first = (int32_t)(call->axis < 0 ? call->axis + call->data->rank : call->axis) + 1;
    return shape_count(call->data->shape + first, call->data->rank - first);
}

static bool is_served(const operator_call *call, strew_dtype dtype)
{
    const int64_t row = row_of(call), in_one = in_byte(dtype);
    return row % in_one == 0 &&
           (is_whole_bytes(call->data, row, in_one) && is_whole_bytes(call->output, row, in_one) &&
            (!call->updates || is_whole_bytes(call->updates, row, in_one)));
}

static void check_same(const packed_copy *self, const test_tensor *expected, uint64_t seed)
{
    for (size_t i = 0; i < expected->size; i++)
        if (read_packed(self, self->before + i) != (expected->memory[i] & mask_of(self->dtype)))
            fail_msg("case %#llx: element %zu of the memory of the output", (unsigned long long)seed, i);
}

/* A byte of equal elements. */
static unsigned char filled_byte(unsigned element, strew_dtype dtype)
{
    unsigned byte = 0;
    for (int64_t i = 0; i < in_byte(dtype); i++)
        byte |= (element & mask_of(dtype)) << (unsigned)(8 / in_byte(dtype) * i);
    return (unsigned char)byte;
}

/* Whether it was served. */
static bool check_elements(random_case *drawn, strew_dtype dtype)
{
    test_tensor *const output = drawn->in_place ? &drawn->data : &drawn->output;
    packed_copy data, updates = {.memory = NULL}, result;
    operator_call call = drawn->call;
    strew_error error;
    pack(&data, &drawn->data, dtype);
    pack(&result, output, dtype);
    if (call.updates)
        pack(&updates, &drawn->updates, dtype);
    call.data = drawn->in_place ? &result.view : &data.view;
    call.updates = call.updates ? &updates.view : NULL;
    call.output = &result.view;
    const unsigned char fill = call.fill ? filled_byte(*(const unsigned char *)call.fill, dtype) : 0;
    call.fill = call.fill ? &fill : NULL;
    const bool served = is_served(&drawn->call, dtype);
    const strew_status status = run(drawn, &call, &error);
    if (served) {
        const bool valid = oracle_run(&drawn->call, &error);
        assert_int_equal(status, valid ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        if (valid)
            check_same(&result, output, drawn->seed);
    } else {
        assert_int_equal(status, STREW_STATUS_UNSUPPORTED_DTYPE);
        check_same(&result, output, drawn->seed);
    }
    free(data.memory);
    free(updates.memory);
    free(result.memory);
    return served;
}

static void elements_move_packed_where_they_are_whole_bytes(void **state)
{
    (void)state;
    random_source source = {random_seed() + 1};
    size_t served[STREW_KIND_SCATTER + 1] = {0};
    for (size_t i = 0; i < 20000; i++) {
        const strew_kind kind = (strew_kind)(i % COUNT(served));
        const case_request request = {kind, STREW_DTYPE_UINT8, STREW_DTYPE_INT32, STREW_REDUCTION_NONE, 300, 500};
        random_case drawn;
        random_case_create(&drawn, &request, random_bits(&source));
        served[kind] += check_elements(&drawn, dtypes[random_below(&source, COUNT(dtypes))]);
        random_case_destroy(&drawn);
    }
    assert_in_range(served[STREW_KIND_GATHER_ND], 100, SIZE_MAX);
    assert_in_range(served[STREW_KIND_SCATTER_ND], 100, SIZE_MAX);
    assert_in_range(served[STREW_KIND_GATHER], 100, SIZE_MAX);
    assert_in_range(served[STREW_KIND_SCATTER], 100, SIZE_MAX);
    assert_int_equal(served[STREW_KIND_GATHER_ELEMENTS] + served[STREW_KIND_SCATTER_ELEMENTS], 0);
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static void the_first_element_is_the_low_half(void **state)
{
    (void)state;
    const uint8_t data[] = {0x21, 0x43, 0x65, 0x87}; /* [[1, 2, 3, 4], [5, 6, 7, 8]] */
    const int32_t second[] = {1, 1};                 /* [[1, 1]]: the second pair of the second row */
    uint8_t output[1] = {0};
    const strew_tensor pairs = {(void *)(uintptr_t)data, STREW_DTYPE_INT4, 3, (int64_t[]){2, 2, 2}, NULL};
    const strew_tensor indices = {(void *)(uintptr_t)second, STREW_DTYPE_INT32, 2, (int64_t[]){1, 2}, NULL};
    const strew_tensor pair = {output, STREW_DTYPE_INT4, 2, (int64_t[]){1, 2}, NULL};
    const strew_options options = call_options();
    assert_int_equal(strew_gather_nd(&pairs, &indices, 0, &pair, &options), STREW_STATUS_OK);
    assert_int_equal(output[0], 0x87);
}

static void sizes_and_bits_of_dtypes(void **state)
{
    (void)state;
    for (size_t d = 0; d < COUNT(dtypes); d++) {
        assert_int_equal(strew_dtype_size(dtypes[d]), 0);
        assert_int_equal(strew_dtype_bits(dtypes[d]), 8 / in_byte(dtypes[d]));
        assert_true(strew_reduction_supports(STREW_REDUCTION_NONE, dtypes[d]));
    }
    assert_int_equal(strew_dtype_bits(STREW_DTYPE_NONE), 0);
    assert_int_equal(strew_dtype_bits(STREW_DTYPE_COUNT), 0);
    assert_int_equal(strew_dtype_bits(STREW_DTYPE_OPAQUE(0x7fffffff)), UINT64_C(8) * 0x7fffffff);
    assert_int_equal(strew_dtype_size(STREW_DTYPE_FLOAT8E8M0), 1);
    assert_int_equal(strew_dtype_bits(STREW_DTYPE_FLOAT64), 64);
}

/* The inference of shapes refuses rows of incomplete bytes too. */
static void shapes_of_packed_outputs_are_inferred(void **state)
{
    (void)state;
    const strew_tensor even = {NULL, STREW_DTYPE_INT4, 3, (int64_t[]){5, 3, 2}, NULL};
    const strew_tensor odd = {NULL, STREW_DTYPE_INT4, 3, (int64_t[]){5, 3, 3}, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){7, 1}, NULL};
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    assert_int_equal(strew_gather_nd_shape(&even, &indices, 0, shape, &rank, NULL), STREW_STATUS_OK);
    assert_int_equal(rank, 3);
    assert_int_equal(shape[0] * 100 + shape[1] * 10 + shape[2], 732);
    assert_int_equal(strew_gather_nd_shape(&odd, &indices, 0, shape, &rank, NULL), STREW_STATUS_UNSUPPORTED_DTYPE);
}

/* Every byte of a skipped row is the caller's, however many bytes an index names. */
static void skipped_rows_are_filled_byte_by_byte(void **state)
{
    (void)state;
    uint8_t data[4] = {0x21, 0x43, 0x65, 0x87}, output[4] = {0};
    const uint8_t fill[] = {0xab, 0xcd};
    int32_t rows[] = {2, 1};
    const strew_tensor fours = {data, STREW_DTYPE_UINT4, 2, (int64_t[]){2, 4}, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT32, 2, (int64_t[]){2, 1}, NULL};
    const strew_tensor found = {output, STREW_DTYPE_UINT4, 2, (int64_t[]){2, 4}, NULL};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_SKIP;
    options.fill = fill;
    assert_int_equal(strew_gather_nd(&fours, &indices, 0, &found, &options), STREW_STATUS_OK);
    assert_memory_equal(output, ((uint8_t[]){0xab, 0xab, 0x65, 0x87}), sizeof output);
}

/* A slice that takes all elements of a byte moves whole bytes only if it takes them in their order. */
static void a_slice_that_turns_elements_round_is_refused(void **state)
{
    (void)state;
    uint8_t data[4] = {0x21, 0x43, 0x65, 0x87}, updates[4] = {0};
    const strew_tensor rows = {data, STREW_DTYPE_UINT4, 2, (int64_t[]){2, 4}, NULL};
    const strew_tensor window = {updates, STREW_DTYPE_UINT4, 2, (int64_t[]){2, 4}, NULL};
    const int64_t starts[] = {0, 3}, stops[] = {2, INT64_MIN}, steps[] = {1, -1};
    const strew_slice slice = {2, 0, starts, stops, steps, NULL};
    assert_int_equal(strew_slice_scatter(&rows, &window, &slice, &rows, NULL), STREW_STATUS_UNSUPPORTED_DTYPE);
    assert_true(data[0] == 0x21 && data[3] == 0x87);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_rows_move_as_their_bytes_do),
        cmocka_unit_test(elements_move_packed_where_they_are_whole_bytes),
        cmocka_unit_test(the_first_element_is_the_low_half),
        cmocka_unit_test(skipped_rows_are_filled_byte_by_byte),
        cmocka_unit_test(a_slice_that_turns_elements_round_is_refused),
        cmocka_unit_test(sizes_and_bits_of_dtypes),
        cmocka_unit_test(shapes_of_packed_outputs_are_inferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
