/*
 * Indices out of bounds: every policy on every operator, in small examples that are written out, by one call and
 * planned, on one thread and on several, in place and not. Addressed dimensions have 3 places, so that -3 to 2 are
 * in bounds.
 */
#include "call.h"
#include "parallel.h"
#include "test.h"

enum { MOST = 10, UNSAID = INT32_MIN };

typedef struct bounds_shape {
    int32_t rank;
    int64_t size[2];
} bounds_shape;

/* The data of all of them is [2, 3] and 1, 2, 3, 4, 5, 6; the axis is 1. */
typedef struct bounds_example {
    strew_kind kind;
    strew_reduction reduction;
    bool replaces_data; /* use_init_val is false */
    bounds_shape indices;
    int64_t index[MOST];
    bounds_shape dense;
    int32_t update[MOST];
    int64_t bad_index[2]; /* the position of the first index out of bounds */
    int32_t stopped[MOST], skipped[MOST], clamped[MOST], wrapped[MOST];
} bounds_example;

#define DATA_ITSELF      \
    {                    \
        1, 2, 3, 4, 5, 6 \
    }

/* clang-format off */
#define AXIS_INDICES {1, {5}}, {1, -3, 4, -5, 2}
#define AXIS_UPDATES {2, {2, 5}}, {10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, {2}
#define ELEMENTS_INDICES {2, {2, 3}}, {1, -3, 4, -5, 2, 0}
#define ELEMENTS_UPDATES {2, {2, 3}}, {10, 20, 30, 40, 50, 60}, {0, 2}
#define TUPLES_INDICES {2, {5, 2}}, {1, 2,  0, -3,  0, 4,  -9, 1,  1, 0}
#define TUPLES_UPDATES {1, {5}}, {10, 20, 30, 40, 50}, {2, 1}

static const bounds_example examples[] = {
    {STREW_KIND_GATHER, STREW_REDUCTION_NONE, false, AXIS_INDICES, {2, {2, 5}}, {0}, {2},
     {2, 1, UNSAID, UNSAID, UNSAID,  5, 4, UNSAID, UNSAID, UNSAID},
     {2, 1, 0, 0, 3,  5, 4, 0, 0, 6}, {2, 1, 3, 1, 3,  5, 4, 6, 4, 6}, {2, 1, 2, 2, 3,  5, 4, 5, 5, 6}},
    {STREW_KIND_GATHER_ELEMENTS, STREW_REDUCTION_NONE, false, ELEMENTS_INDICES, {2, {2, 3}}, {0}, {0, 2},
     {2, 1, UNSAID, UNSAID, UNSAID, UNSAID}, {2, 1, 0,  0, 6, 4}, {2, 1, 3,  4, 6, 4}, {2, 1, 2,  5, 6, 4}},
    {STREW_KIND_GATHER_ND, STREW_REDUCTION_NONE, false, TUPLES_INDICES, {1, {5}}, {0}, {2, 1},
     {6, 1, UNSAID, UNSAID, UNSAID}, {6, 1, 0, 0, 4}, {6, 1, 3, 2, 4}, {6, 1, 2, 5, 4}},

    {STREW_KIND_SCATTER, STREW_REDUCTION_NONE, false, AXIS_INDICES, AXIS_UPDATES,
     {20, 10, 3,  70, 60, 6}, {20, 10, 50,  70, 60, 100}, {40, 10, 50,  90, 60, 100}, {20, 40, 50,  70, 90, 100}},
    {STREW_KIND_SCATTER, STREW_REDUCTION_SUM, false, AXIS_INDICES, AXIS_UPDATES,
     {21, 12, 3,  74, 65, 6}, {21, 12, 53,  74, 65, 106}, {61, 12, 83,  164, 65, 186},
     {21, 82, 53,  74, 235, 106}},
    {STREW_KIND_SCATTER, STREW_REDUCTION_SUM, true, AXIS_INDICES, AXIS_UPDATES,
     DATA_ITSELF, {20, 10, 50,  70, 60, 100}, {60, 10, 80,  160, 60, 180}, {20, 80, 50,  70, 230, 100}},
    {STREW_KIND_SCATTER, STREW_REDUCTION_MEAN, false, AXIS_INDICES, AXIS_UPDATES,
     DATA_ITSELF, {10, 6, 26,  37, 32, 53}, {20, 6, 27,  54, 32, 62}, {10, 20, 26,  37, 58, 53}},
    {STREW_KIND_SCATTER, STREW_REDUCTION_MEAN, true, AXIS_INDICES, AXIS_UPDATES,
     DATA_ITSELF, {20, 10, 50,  70, 60, 100}, {30, 10, 40,  80, 60, 90}, {20, 26, 50,  70, 76, 100}},

    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_NONE, false, ELEMENTS_INDICES, ELEMENTS_UPDATES,
     {20, 10, 3,  4, 5, 6}, {20, 10, 3,  60, 5, 50}, {20, 10, 30,  60, 5, 50}, {20, 30, 3,  60, 40, 50}},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_SUM, false, ELEMENTS_INDICES, ELEMENTS_UPDATES,
     {21, 12, 3,  4, 5, 6}, {21, 12, 3,  64, 5, 56}, {21, 12, 33,  104, 5, 56}, {21, 42, 3,  64, 45, 56}},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_MAX, true, ELEMENTS_INDICES, ELEMENTS_UPDATES,
     DATA_ITSELF, {20, 10, 3,  60, 5, 50}, {20, 10, 30,  60, 5, 50}, {20, 30, 3,  60, 40, 50}},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_MEAN, false, ELEMENTS_INDICES, ELEMENTS_UPDATES,
     DATA_ITSELF, {10, 6, 3,  32, 5, 28}, {10, 6, 16,  34, 5, 28}, {10, 14, 3,  32, 22, 28}},

    {STREW_KIND_SCATTER_ND, STREW_REDUCTION_NONE, false, TUPLES_INDICES, TUPLES_UPDATES,
     {20, 2, 3,  4, 5, 10}, {20, 2, 3,  50, 5, 10}, {20, 40, 30,  50, 5, 10}, {20, 30, 3,  50, 40, 10}},
    {STREW_KIND_SCATTER_ND, STREW_REDUCTION_SUB, false, TUPLES_INDICES, TUPLES_UPDATES,
     {-19, 2, 3,  4, 5, -4}, {-19, 2, 3,  -46, 5, -4}, {-19, -38, -27,  -46, 5, -4}, {-19, -28, 3,  -46, -35, -4}},
};
/* clang-format on */

/* ---- An example as a call ------------------------------------------------------------------------ */

static const int64_t data_shape[] = {2, 3};
static const int32_t initial[] = DATA_ITSELF;

typedef struct bounds_call {
    const bounds_example *example;
    int32_t data[MOST], output[MOST];
    strew_tensor data_tensor, indices_tensor, updates_tensor, output_tensor;
    operator_call call;
} bounds_call;

static strew_tensor tensor_of(const void *memory, strew_dtype dtype, const bounds_shape *shape)
{
    return (strew_tensor){(void *)(uintptr_t)memory, dtype, shape->rank, shape->size, NULL};
}

static void create(bounds_call *self, const bounds_example *example, strew_bounds bounds, bool in_place)
{
    const bool gathers = kind_gathers(example->kind);
    self->example = example;
    memcpy(self->data, initial, sizeof initial);
    for (int i = 0; i < MOST; i++)
        self->output[i] = 77;
    self->data_tensor = (strew_tensor){self->data, STREW_DTYPE_INT32, 2, data_shape, NULL};
    self->indices_tensor = tensor_of(example->index, STREW_DTYPE_INT64, &example->indices);
    self->updates_tensor = tensor_of(example->update, STREW_DTYPE_INT32, &example->dense);
    self->output_tensor = gathers ? tensor_of(NULL, STREW_DTYPE_INT32, &example->dense) : self->data_tensor;
    self->output_tensor.data = self->output;
    self->call = (operator_call){
        .kind = example->kind,
        .data = &self->data_tensor,
        .indices = &self->indices_tensor,
        .updates = gathers ? NULL : &self->updates_tensor,
        .output = in_place ? &self->data_tensor : &self->output_tensor,
        .axis = 1,
        .reduction = example->reduction,
        .use_init_val = !example->replaces_data,
        .bounds = bounds,
    };
}

static void fail_example(const bounds_call *self, const strew_parallel *parallel, const char *complaint)
{
    call_describe(stderr, &self->call);
    fail_msg("example %d on %zu threads: %s", (int)(self->example - examples), parallel ? parallel->threads : 1,
             complaint);
}

static void check_bad_index(const bounds_call *self, const strew_parallel *parallel, const strew_error *error)
{
    const int64_t *const bad_index = self->example->bad_index;
    const int32_t rank = self->example->indices.rank;
    int64_t entry = bad_index[0];
    for (int32_t d = 1; d < rank; d++)
        entry = entry * self->example->indices.size[d] + bad_index[d];
    if (error->position_rank != rank || memcmp(error->position, bad_index, (size_t)rank * sizeof *bad_index) != 0 ||
        error->value != self->example->index[entry] || error->dimension != 1)
        fail_example(self, parallel, "the first bad index is not named");
}

static const int32_t *expected_of(const bounds_call *self)
{
    switch (self->call.bounds) {
    case STREW_BOUNDS_STOP: return self->example->stopped;
    case STREW_BOUNDS_SKIP: return self->example->skipped;
    case STREW_BOUNDS_CLAMP: return self->example->clamped;
    case STREW_BOUNDS_WRAP: return self->example->wrapped;
    default: return initial; /* refused, in place */
    }
}

static void check_output(const bounds_call *self, const strew_parallel *parallel)
{
    const int32_t *const output = self->call.output->data, *const expected = expected_of(self);
    int64_t count = 1;
    for (int32_t d = 0; d < self->call.output->rank; d++)
        count *= self->call.output->shape[d];
    for (int64_t i = 0; i < count; i++)
        if (expected[i] != UNSAID && output[i] != expected[i]) {
            fprintf(stderr, "element %d is %d, not %d\n", (int)i, (int)output[i], (int)expected[i]);
            fail_example(self, parallel, "the output is another one");
        }
}

static void check_run(bounds_call *self, call_way way, call_scratch scratch, const strew_parallel *parallel)
{
    strew_error error = {.status = STREW_STATUS_OK};
    strew_options options = call_options();
    options.bounds = self->call.bounds;
    options.parallel = parallel;
    options.error = &error;
    const strew_status status = call_run(&self->call, way, scratch, &options);
    const bool refuses = self->call.bounds == STREW_BOUNDS_REFUSE || self->call.bounds == STREW_BOUNDS_STOP;
    if (status != (refuses ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK))
        fail_example(self, parallel, strew_status_name(status));
    if (refuses)
        check_bad_index(self, parallel, &error);
    if (self->call.bounds != STREW_BOUNDS_REFUSE || self->call.output->data == self->call.data->data)
        check_output(self, parallel);
    if (self->call.output->data != self->call.data->data)
        assert_memory_equal(self->data, initial, sizeof initial);
}

/* In every way: planned or not, with the least scratch or all, without a pool, and on pools of one thread and
 * three. */
static void check_example(const bounds_example *example, strew_bounds bounds, bool in_place)
{
    random_source order = {random_seed()};
    const strew_parallel one = parallel_shuffled(1, &order), three = parallel_shuffled(3, &order);
    const strew_parallel real = parallel_threads(3);
    const strew_parallel *const pools[] = {NULL, &one, &three, &real};
    for (call_way way = BY_ONE_CALL; way <= BY_PLAN_FOR_OTHER_THREADS; way++)
        for (call_scratch scratch = LEAST_SCRATCH; scratch <= FULL_SCRATCH; scratch++)
            for (size_t p = 0; p < COUNT(pools); p++) {
                bounds_call call;
                create(&call, example, bounds, in_place);
                check_run(&call, way, scratch, pools[p]);
            }
}

static void check_policy(strew_bounds bounds)
{
    for (size_t i = 0; i < COUNT(examples); i++) {
        check_example(&examples[i], bounds, false);
        if (!kind_gathers(examples[i].kind))
            check_example(&examples[i], bounds, true);
    }
}

/* ---- The tests ----------------------------------------------------------------------------------- */

static void refused_calls_leave_an_in_place_tensor_as_it_was(void **state)
{
    (void)state;
    check_policy(STREW_BOUNDS_REFUSE);
}

static void stopped_calls_have_done_what_comes_before_the_first_bad_index(void **state)
{
    (void)state;
    check_policy(STREW_BOUNDS_STOP);
}

static void skipped_updates_are_dropped_and_skipped_rows_are_zeros(void **state)
{
    (void)state;
    check_policy(STREW_BOUNDS_SKIP);
}

static void clamped_indices_are_the_nearest_within(void **state)
{
    (void)state;
    check_policy(STREW_BOUNDS_CLAMP);
}

static void wrapped_indices_are_remainders(void **state)
{
    (void)state;
    check_policy(STREW_BOUNDS_WRAP);
}

/* A gather before may have left one that is gone. */
static void scatters_read_no_fill_element(void **state)
{
    (void)state;
    float numbers[4] = {1, 2, 3, 4}, values[2] = {10, 20};
    int64_t places[2] = {9, 1};
    const strew_tensor data = {numbers, STREW_DTYPE_FLOAT32, 1, (int64_t[]){4}, NULL};
    const strew_tensor updates = {values, STREW_DTYPE_FLOAT32, 1, (int64_t[]){2}, NULL};
    const strew_tensor indices = {places, STREW_DTYPE_INT64, 1, (int64_t[]){2}, NULL};
    strew_options options = STREW_OPTIONS_INIT;
    options.bounds = STREW_BOUNDS_SKIP;
    options.fill = (const void *)(uintptr_t)1;
    assert_int_equal(strew_scatter(&data, &indices, &updates, 0, 0, STREW_REDUCTION_SUM, true, &data, &options),
                     STREW_STATUS_OK);
    assert_true(numbers[0] == 1 && numbers[1] == 22 && numbers[2] == 3 && numbers[3] == 4);
}

static void policies_have_names(void **state)
{
    (void)state;
    static const char *const names[] = {"refuse", "stop", "skip", "clamp", "wrap"};
    for (size_t i = 0; i < COUNT(names); i++) {
        strew_bounds found = 99;
        assert_true(strew_bounds_find(names[i], &found));
        assert_int_equal(found, i);
        assert_string_equal(strew_bounds_name((strew_bounds)i), names[i]);
    }
    static const char *const others[] = {"", "Skip", "ski", "skip ", "unknown"};
    for (size_t i = 0; i < COUNT(others); i++) {
        strew_bounds found = 99;
        assert_false(strew_bounds_find(others[i], &found));
        assert_int_equal(found, 99);
    }
    assert_false(strew_bounds_find(NULL, &(strew_bounds){0}));
    assert_string_equal(strew_bounds_name(-1), "unknown");
    assert_string_equal(strew_bounds_name(STREW_BOUNDS_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_calls_leave_an_in_place_tensor_as_it_was),
        cmocka_unit_test(stopped_calls_have_done_what_comes_before_the_first_bad_index),
        cmocka_unit_test(skipped_updates_are_dropped_and_skipped_rows_are_zeros),
        cmocka_unit_test(clamped_indices_are_the_nearest_within),
        cmocka_unit_test(wrapped_indices_are_remainders),
        cmocka_unit_test(scatters_read_no_fill_element),
        cmocka_unit_test(policies_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
