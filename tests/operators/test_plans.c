/* Plans: made once and run often, copied, shared between threads; and invalid ones. */
#include <pthread.h>

#include "arguments.h"
#include "oracle.h"
#include "parallel.h"
#include "tensor.h"
#include "test.h"

enum { SCRATCH_ROOM = 4096 };

/* ---- Running and comparing ----------------------------------------------------------------------- */

/* Other values of the same shapes: `variant` distinguishes the calls of one plan. */
static void vary(arguments *call, int variant)
{
    float *data = call->tensor[DATA].data, *updates = call->tensor[UPDATES].data;
    int64_t *indices = call->tensor[INDICES].data;
    const int64_t entries = shape_count(call->shape[INDICES], call->tensor[INDICES].rank);
    for (int i = 0; i < 24; i++)
        data[i] += (float)(1000 * variant);
    for (int i = 0; i < 20; i++)
        updates[i] -= (float)(10 * variant);
    for (int64_t i = 0; i < entries; i++)
        indices[i] = (i + variant) % 2;
}

/* The oracle's result of the call, in a copy of its output's memory. */
static void expect(const arguments *call, unsigned char expected[ARGUMENT_ROOM])
{
    strew_error error;
    operator_call oracle = arguments_call(call);
    const unsigned char *memory = call->memory[OUTPUT];
    strew_tensor output = *oracle.output;
    memcpy(expected, memory, ARGUMENT_ROOM);
    output.data = expected + ((const unsigned char *)output.data - memory);
    oracle.output = &output;
    assert_true(oracle_run(&oracle, &error));
}

static void check_run(const strew_plan *plan, const char *name, int variant, const strew_run_options *options)
{
    arguments call;
    unsigned char expected[ARGUMENT_ROOM];
    arguments_create(&call, name);
    vary(&call, variant);
    expect(&call, expected);
    const strew_buffers buffers = arguments_buffers(&call);
    assert_int_equal(strew_plan_run(plan, &buffers, options), STREW_STATUS_OK);
    assert_memory_equal(call.memory[OUTPUT], expected, sizeof expected);
}

static void check_runs(const strew_plan *plan, const char *name)
{
    for (int variant = 0; variant < 4; variant++)
        check_run(plan, name, variant, NULL);
}

static void forget_pointers(arguments *call)
{
    for (strew_operand operand = DATA; operand <= OUTPUT; operand++)
        call->tensor[operand].data = NULL;
}

static strew_plan plan_of(const char *name)
{
    strew_plan plan;
    arguments call;
    arguments_create(&call, name);
    forget_pointers(&call);
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    return plan;
}

/* ---- Plans as bytes ------------------------------------------------------------------------------ */

/* A plan has fields that only other kinds use: the size of scratch must not depend on them. */
static void a_plan_is_the_same_whatever_its_memory_held(void **state)
{
    (void)state;
    enum { WORDS = sizeof(strew_plan) / sizeof(int32_t), MOST_WORD = 8 };
    static const int64_t data_shape[] = {4300000, 1}, indices_shape[] = {600000, 1};
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 2, data_shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, indices_shape, NULL};
    const strew_tensor updates = {NULL, STREW_DTYPE_FLOAT32, 2, indices_shape, NULL};
    for (int32_t word = 0; word < MOST_WORD; word++) {
        int32_t words[WORDS];
        strew_plan plan;
        for (size_t w = 0; w < WORDS; w++)
            words[w] = word;
        memcpy(&plan, words, sizeof plan);
        assert_int_equal(strew_plan_scatter_nd(&plan, &data, &indices, &updates, STREW_REDUCTION_SUM, &data, NULL),
                         STREW_STATUS_OK);
        assert_int_not_equal(strew_plan_scratch_size(&plan, 3), 0);
        assert_int_equal(strew_plan_least_scratch_size(&plan, 3), 0);
    }
}

/* Scratch is for runs in place, and gathers have none. */
static void a_gather_asks_for_no_scratch(void **state)
{
    (void)state;
    static const int64_t data_shape[] = {100, 100, 100}, indices_shape[] = {100000, 3}, output_shape[] = {100000};
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 3, data_shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, indices_shape, NULL};
    const strew_tensor output = {NULL, STREW_DTYPE_FLOAT32, 1, output_shape, NULL};
    strew_plan plan;
    memset(&plan, 1, sizeof plan); /* no tensor has such fields */
    assert_int_equal(strew_plan_gather_nd(&plan, &data, &indices, 0, &output, NULL), STREW_STATUS_OK);
    assert_int_equal(strew_plan_scratch_size(&plan, 1), 0);
}

/* ---- Plans that say how they go ------------------------------------------------------------------ */

static void plan_rows(strew_plan *plan, int64_t updates, int64_t coordinates, strew_bounds bounds)
{
    const int64_t data_shape[] = {30, 30, 30}, indices_shape[] = {updates, coordinates};
    const int64_t updates_shape[] = {updates, 30, 30};
    const int32_t row_rank = 3 - (int32_t)coordinates;
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 3, data_shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, indices_shape, NULL};
    const strew_tensor rows = {NULL, STREW_DTYPE_FLOAT32, 1 + row_rank, updates_shape, NULL};
    strew_plan_options options = STREW_PLAN_OPTIONS_INIT;
    options.isa = STREW_ISA_SCALAR;
    options.bounds = bounds;
    assert_int_equal(strew_plan_scatter_nd(plan, &data, &indices, &rows, STREW_REDUCTION_SUM, &data, &options),
                     STREW_STATUS_OK);
}

static const char *description_of(const strew_plan *plan, size_t threads)
{
    static char line[1024];
    const size_t length = strew_plan_describe(plan, threads, line, sizeof line);
    assert_int_equal(length, strlen(line));
    return line;
}

/* A plan resolves a few updates first, checks many first, and does neither if nothing can be wrong. */
static void a_plan_says_what_it_guarantees_and_how_it_goes(void **state)
{
    (void)state;
    strew_plan plan;
    plan_rows(&plan, 8, 2, STREW_BOUNDS_REFUSE);
    static const char expected[] =
        "scatters 8 rows of 120 bytes; in place resolves all indices, then moves all rows (a bad index must "
        "leave "
        "the output as it was); otherwise copies data and resolves and moves tile by tile; 1 thread; resolve_i64 "
        "of "
        "scalar; reduce_rows_sum_f32 of scalar";
    assert_int_equal(strncmp(description_of(&plan, 1), expected, strlen(expected)), 0);
    plan_rows(&plan, 100000, 1, STREW_BOUNDS_REFUSE);
    assert_non_null(strstr(description_of(&plan, 1), "in place checks all indices, then resolves and moves"));
    plan_rows(&plan, 8, 3, STREW_BOUNDS_CLAMP);
    assert_non_null(strstr(description_of(&plan, 1), "in place resolves and moves tile by tile; otherwise"));
    plan_rows(&plan, 100000, 3, STREW_BOUNDS_STOP);
    assert_non_null(strstr(description_of(&plan, 1),
                           "in place resolves and moves tile by tile (everything before a bad index must be "
                           "written)"));
    plan_rows(&plan, 100000, 3, STREW_BOUNDS_REFUSE);
    assert_non_null(strstr(description_of(&plan, 1), "bytes of scratch it "));
    assert_non_null(strstr(description_of(&plan, 4), "; 4 threads, "));
}

/* Threads share the windows of a circular cache, though no thread has a part of the walk. */
static void a_plan_of_windows_says_what_threads_share(void **state)
{
    (void)state;
    static const int64_t cache_shape[] = {2, 1000, 64}, window_shape[] = {2, 900, 64}, batches[] = {2};
    const strew_tensor cache = {NULL, STREW_DTYPE_FLOAT32, 3, cache_shape, NULL};
    const strew_tensor windows = {NULL, STREW_DTYPE_FLOAT32, 3, window_shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 1, batches, NULL};
    strew_plan plan;
    assert_int_equal(strew_plan_tensor_scatter(&plan, &cache, &indices, &windows, 1, true, &cache, NULL),
                     STREW_STATUS_OK);
    assert_non_null(strstr(description_of(&plan, 2), "; 2 threads, each with a part of every window"));
}

/* Tables move elements unless all indices are resolved first. With the lowest thresholds every output is far: on
 * some CPUs its elements are then read before they are overwritten, which tables do not do. */
static void a_plan_of_elements_names_the_kernels_that_run(void **state)
{
    (void)state;
    for (int64_t positions = 1000; positions <= 100000; positions *= 100) {
        const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 1, (int64_t[]){1000}, NULL};
        const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 1, &positions, NULL};
        const strew_tensor updates = {NULL, STREW_DTYPE_FLOAT32, 1, &positions, NULL};
        strew_plan plan;
        assert_int_equal(strew_plan_scatter_elements(&plan, &data, &indices, &updates, 0, STREW_REDUCTION_NONE,
                                                     true, &data, NULL),
                         STREW_STATUS_OK);
        const bool is_resolved = strstr(description_of(&plan, 1), "in place resolves all indices") != NULL;
        assert_true(positions == 1000 || !is_resolved);
        const bool is_put = strstr(description_of(&plan, 1), "; put_x32 of") != NULL;
        assert_int_equal(strstr(description_of(&plan, 1), "; scatter_x32 of") != NULL, !is_put);
#ifdef STREW_LOWEST_THRESHOLDS
        assert_false(is_put && is_resolved);
#else
        assert_int_equal(is_put, !is_resolved);
#endif
        assert_int_equal(strew_plan_scatter_elements(&plan, &data, &indices, &updates, 0, STREW_REDUCTION_SUM, true,
                                                     &data, NULL),
                         STREW_STATUS_OK);
        assert_int_equal(strstr(description_of(&plan, 1), "; resolve_i64 of") != NULL, is_resolved);
        assert_non_null(strstr(description_of(&plan, 1), "; combine_sum_f32 of"));
    }
}

static void a_description_is_cut_terminated_and_counted(void **state)
{
    (void)state;
    strew_plan plan;
    char cut[9], whole[1024];
    plan_rows(&plan, 8, 2, STREW_BOUNDS_REFUSE);
    const size_t length = strew_plan_describe(&plan, 1, whole, sizeof whole);
    assert_int_equal(strew_plan_describe(&plan, 1, cut, sizeof cut), length);
    assert_string_equal(cut, "scatters");
    assert_int_equal(strew_plan_describe(&plan, 1, NULL, 0), length);
    strew_plan_describe(NULL, 1, whole, sizeof whole);
    assert_string_equal(whole, "not a plan");
}

/* ---- Plans that run ------------------------------------------------------------------------------ */

static void a_plan_runs_many_times_on_new_pointers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const strew_plan plan = plan_of(kinds[i]);
        check_runs(&plan, kinds[i]);
    }
}

static void every_version_can_be_planned(void **state)
{
    (void)state;
    for (size_t i = 0; i < strew_operator_count(); i++) {
        char name[FULL_NAME_SIZE];
        full_name(strew_operator_at(i), name);
        const strew_plan plan = plan_of(name);
        if (strew_operator_at(i)->kind <= STREW_KIND_SCATTER) /* other tests cover windows and slices */
            check_runs(&plan, name);
    }
}

static void a_plan_keeps_nothing_of_the_tensors_it_was_made_from(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        strew_plan plan;
        arguments call;
        arguments_create(&call, kinds[i]);
        arguments_use_strides(&call, DATA);
        assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
        memset(&call, 0xa5, sizeof call);
        check_runs(&plan, kinds[i]);
    }
}

static void a_plan_may_be_copied(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        strew_plan plan = plan_of(kinds[i]);
        const strew_plan assigned = plan;
        strew_plan copied;
        memcpy(&copied, &plan, sizeof plan);
        memset(&plan, 0, sizeof plan);
        check_runs(&assigned, kinds[i]);
        check_runs(&copied, kinds[i]);
    }
}

static void one_plan_scatters_in_place_and_out_of_place(void **state)
{
    (void)state;
    static const char *const scatters[] = {"scatter_nd", "scatter_elements", "scatter", "ScatterND-18",
                                           "ScatterUpdate-3"};
    for (size_t i = 0; i < COUNT(scatters); i++) {
        const strew_plan plan = plan_of(scatters[i]);
        arguments apart, in_place;
        arguments_create(&apart, scatters[i]);
        arguments_create(&in_place, scatters[i]);
        const strew_buffers to_output = arguments_buffers(&apart);
        arguments_in_place(&in_place);
        const strew_buffers to_data = arguments_buffers(&in_place);
        check_runs(&plan, scatters[i]);
        assert_int_equal(strew_plan_run(&plan, &to_output, NULL), STREW_STATUS_OK);
        assert_int_equal(strew_plan_run(&plan, &to_data, NULL), STREW_STATUS_OK);
        assert_memory_equal(to_data.output, to_output.output, 24 * sizeof(float));
    }
}

/* cmocka's assertions belong to the thread of the test: here, whether all went well is only counted. */
typedef struct shared_plan {
    const strew_plan *plan;
    const char *name;
} shared_plan;

static void *run_often(void *argument)
{
    enum { RUNS = 500 };
    const shared_plan *shared = argument;
    arguments call;
    unsigned char expected[ARGUMENT_ROOM];
    size_t wrong = 0;
    arguments_create(&call, shared->name);
    const strew_buffers buffers = arguments_buffers(&call);
    expect(&call, expected);
    for (int i = 0; i < RUNS; i++) {
        memset(call.tensor[OUTPUT].data, 0, sizeof(float));
        const strew_status status = arguments_run_plan(&call, shared->plan, &buffers);
        wrong += status != STREW_STATUS_OK || memcmp(call.memory[OUTPUT], expected, sizeof expected) != 0;
    }
    return wrong == 0 ? argument : NULL;
}

static void threads_may_run_one_plan_at_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const strew_plan plan = plan_of(kinds[i]);
        shared_plan shared = {&plan, kinds[i]};
        pthread_t threads[4];
        for (size_t t = 0; t < COUNT(threads); t++)
            assert_int_equal(pthread_create(&threads[t], NULL, run_often, &shared), 0);
        for (size_t t = 0; t < COUNT(threads); t++) {
            void *done;
            assert_int_equal(pthread_join(threads[t], &done), 0);
            assert_ptr_equal(done, &shared);
        }
    }
}

static void a_plan_names_the_index_that_is_outside(void **state)
{
    (void)state;
    const strew_plan plan = plan_of("scatter_nd");
    arguments call;
    arguments_create(&call, "scatter_nd");
    ((int64_t *)call.tensor[INDICES].data)[5] = 3;
    const strew_buffers buffers = arguments_buffers(&call);
    char message[256];
    assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    strew_error_message(&call.error, message, sizeof message);
    assert_string_equal(message, "indices[2][1] is 3, outside [-3, 2] for dimension 1 of data");
}

static void whether_negative_indices_are_refused_is_settled_by_the_plan(void **state)
{
    (void)state;
    arguments call;
    strew_plan lenient, strict;
    arguments_create(&call, "gather_elements");
    ((int64_t *)call.tensor[INDICES].data)[0] = -1;
    const strew_buffers buffers = arguments_buffers(&call);
    assert_int_equal(arguments_plan(&call, &lenient), STREW_STATUS_OK);
    call.options.flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES;
    assert_int_equal(arguments_plan(&call, &strict), STREW_STATUS_OK);
    assert_int_equal(arguments_run_plan(&call, &lenient, &buffers), STREW_STATUS_OK);
    assert_int_equal(arguments_run_plan(&call, &strict, &buffers), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
}

static void a_plan_runs_on_other_threads_than_it_was_made_for(void **state)
{
    (void)state;
    static const size_t numbers[] = {0, 1, 2, 7};
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (size_t n = 0; n < COUNT(numbers) * 3; n++) {
            strew_plan plan;
            arguments call;
            const strew_parallel parallel = parallel_threads(1 + n % 3);
            strew_run_options options = STREW_RUN_OPTIONS_INIT;
            options.parallel = &parallel;
            arguments_create(&call, kinds[i]);
            const operator_call planned = arguments_call(&call);
            strew_plan_options planning = call_plan_options(&call.options);
            planning.threads = numbers[n / 3];
            assert_int_equal(call_plan(&planned, &plan, &planning), STREW_STATUS_OK);
            check_run(&plan, kinds[i], 1, &options);
        }
}

/* ---- What is not a plan -------------------------------------------------------------------------- */

static void assert_no_plan(const strew_plan *plan, const char *name)
{
    arguments call;
    arguments_create(&call, name);
    const strew_buffers buffers = arguments_buffers(&call);
    assert_int_equal(arguments_run_plan(&call, plan, &buffers), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(call.error.operand, STREW_OPERAND_PLAN);
    assert_int_equal(strew_plan_least_scratch_size(plan, 1), 0);
}

static void refuse_shape(arguments *call)
{
    call->tensor[OUTPUT].rank = 1;
}

static void refuse_dtype(arguments *call)
{
    call->tensor[INDICES].dtype = STREW_DTYPE_FLOAT32;
}

static void refuse_isa(arguments *call)
{
    call->options.isa = (strew_isa)99;
}

static void refuse_options(arguments *call)
{
    call->options.struct_size = 1;
}

static void a_refused_call_leaves_a_good_plan_unusable(void **state)
{
    (void)state;
    static void (*const refusals[])(arguments *) = {refuse_shape, refuse_dtype, refuse_isa, refuse_options};
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (size_t r = 0; r < COUNT(refusals); r++) {
            strew_plan plan = plan_of(kinds[i]);
            arguments call;
            arguments_create(&call, kinds[i]);
            refusals[r](&call);
            assert_int_not_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
            assert_no_plan(&plan, kinds[i]);
        }
}

static void storage_of_anything_is_not_a_plan(void **state)
{
    (void)state;
    static const int bytes[] = {0, 1, 0x55, 0xa5, 0xff};
    strew_plan plan;
    for (size_t i = 0; i < COUNT(bytes); i++) {
        memset(&plan, bytes[i], sizeof plan);
        assert_no_plan(&plan, "scatter_nd");
    }
    random_source source = {random_seed()};
    for (size_t i = 0; i < COUNT(plan.storage); i++)
        plan.storage[i] = random_bits(&source);
    assert_no_plan(&plan, "scatter_nd");
    assert_no_plan(NULL, "scatter_nd");
}

/* ---- The pointers of a run ----------------------------------------------------------------------- */

/* Removes one of the pointers; a gather must have no updates, so it gets some. */
static strew_buffers spoil_pointer(strew_buffers buffers, strew_operand operand)
{
    switch (operand) {
    case DATA: buffers.data = NULL; break;
    case INDICES: buffers.indices = NULL; break;
    case UPDATES: buffers.updates = buffers.updates ? NULL : buffers.data; break;
    default: buffers.output = NULL; break;
    }
    return buffers;
}

static void a_run_needs_the_pointers_that_its_plan_has_tensors_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (strew_operand operand = DATA; operand <= OUTPUT; operand++) {
            const strew_plan plan = plan_of(kinds[i]);
            arguments call;
            arguments_create(&call, kinds[i]);
            const strew_buffers buffers = spoil_pointer(arguments_buffers(&call), operand);
            assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_INVALID_ARGUMENT);
            assert_int_equal(call.error.operand, operand);
        }
}

static void a_run_refuses_outputs_that_overlap(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        const strew_plan plan = plan_of(kinds[i]);
        arguments call;
        arguments_create(&call, kinds[i]);
        strew_buffers buffers = arguments_buffers(&call);
        buffers.output = (char *)call.tensor[DATA].data + 8;
        assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_INVALID_ARGUMENT);
        assert_int_equal(call.error.operand, OUTPUT);
        assert_int_equal(call.error.other, DATA);
    }
}

/* A tensor that runs backwards begins before its pointer. */
static void a_run_needs_the_pointer_of_a_tensor_that_runs_backwards(void **state)
{
    (void)state;
    arguments call;
    strew_plan plan;
    arguments_create(&call, "gather_nd");
    arguments_use_strides(&call, DATA);
    call.strides[DATA][0] = -call.strides[DATA][0];
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    strew_buffers buffers = arguments_buffers(&call);
    buffers.data = NULL;
    assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(call.error.operand, STREW_OPERAND_DATA);
}

static void in_place_needs_the_same_strides(void **state)
{
    (void)state;
    arguments call;
    strew_plan plan;
    arguments_create(&call, "scatter_nd");
    arguments_use_strides(&call, OUTPUT);
    call.strides[OUTPUT][0] = 13;
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    strew_buffers buffers = arguments_buffers(&call);
    buffers.output = call.tensor[DATA].data;
    assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_INVALID_ARGUMENT);
}

/* ---- Scratch ------------------------------------------------------------------------------------- */

static void a_mean(arguments *call)
{
    arguments_create(call, "scatter_elements");
    call->attributes.reduction = STREW_REDUCTION_MEAN;
}

static void only_mean_needs_scratch(void **state)
{
    (void)state;
    for (unsigned reduction = STREW_REDUCTION_NONE; reduction < STREW_REDUCTION_COUNT; reduction++) {
        arguments call;
        strew_plan plan;
        arguments_create(&call, "scatter_elements");
        call.attributes.reduction = (strew_reduction)reduction;
        assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
        const bool needs = reduction == STREW_REDUCTION_MEAN;
        assert_int_equal(strew_plan_least_scratch_size(&plan, 1) > 0, needs);
        assert_int_equal(strew_plan_least_scratch_size(&plan, 4) > 0, needs);
    }
    for (size_t i = 0; i < 3; i++) {
        const strew_plan plan = plan_of(kinds[i]);
        assert_int_equal(strew_plan_least_scratch_size(&plan, 4), 0);
    }
}

/* So many tuples of three coordinates that their offsets do not fit on the stack, in place, with scratch for
 * them. */
static void offsets_of_tuples_are_held_in_scratch(void **state)
{
    (void)state;
    enum { SIDE = 32, TUPLES = 4000, SIZE = SIDE * SIDE * SIDE, ROW = 3 };
    static float data[SIZE][ROW], before[SIZE][ROW], updates[TUPLES][ROW];
    static int64_t indices[TUPLES][3];
    static unsigned char scratch[TUPLES * sizeof(int64_t) + 128];
    static const int64_t data_shape[] = {SIDE, SIDE, SIDE, ROW}, tuples[] = {TUPLES, 3}, rows[] = {TUPLES, ROW};
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 4, data_shape, NULL};
    const strew_tensor places = {indices, STREW_DTYPE_INT64, 2, tuples, NULL};
    const strew_tensor added = {updates, STREW_DTYPE_FLOAT32, 2, rows, NULL};
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    const strew_buffers buffers = {.data = data, .indices = indices, .updates = updates, .output = data};
    strew_plan plan;
    for (int i = 0; i < TUPLES; i++) {
        updates[i][ROW - 1] = (float)(i + 1);
        indices[i][0] = i % SIDE, indices[i][1] = i / SIDE % SIDE, indices[i][2] = -1 - i / (SIDE * SIDE);
    }
    assert_int_equal(strew_plan_scatter_nd(&plan, &table, &places, &added, STREW_REDUCTION_SUM, &table, NULL),
                     STREW_STATUS_OK);
    options.scratch = scratch + 1; /* unaligned */
    options.scratch_size = strew_plan_scratch_size(&plan, 1);
    assert_in_range(options.scratch_size, TUPLES * sizeof(int64_t), sizeof scratch - 2);
    scratch[1 + options.scratch_size] = 77;
    assert_int_equal(strew_plan_run(&plan, &buffers, &options), STREW_STATUS_OK);
    assert_int_equal(scratch[1 + options.scratch_size], 77);
    for (int i = 0; i < TUPLES; i++) {
        const int place = (i % SIDE * SIDE + i / SIDE % SIDE) * SIDE + SIDE - 1 - i / (SIDE * SIDE);
        assert_true(data[place][ROW - 1] == (float)(i + 1));
    }
    memcpy(before, data, sizeof data);
    indices[TUPLES - 1][1] = SIDE;
    assert_int_equal(strew_plan_run(&plan, &buffers, &options), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_memory_equal(data, before, sizeof data);
}

static void scratch_is_needed_for_each_thread(void **state)
{
    (void)state;
    arguments call;
    strew_plan plan;
    a_mean(&call);
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    const size_t one = strew_plan_least_scratch_size(&plan, 1);
    assert_int_equal(strew_plan_least_scratch_size(&plan, 0), one);
    for (size_t threads = 1; threads <= 9; threads++)
        assert_int_equal(strew_plan_least_scratch_size(&plan, threads), threads * one);
}

/* Its content and alignment do not matter, and the bytes behind it stay. */
static void a_mean_runs_with_just_the_scratch_it_asks_for(void **state)
{
    (void)state;
    static unsigned char scratch[SCRATCH_ROOM];
    arguments call;
    strew_plan plan;
    unsigned char expected[ARGUMENT_ROOM];
    a_mean(&call);
    expect(&call, expected);
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    const strew_buffers buffers = arguments_buffers(&call);
    const size_t size = strew_plan_least_scratch_size(&plan, 1);
    assert_in_range(size, 1, sizeof scratch - 2);
    memset(scratch, 0xff, sizeof scratch);
    call.options.scratch = scratch + 1;
    call.options.scratch_size = size;
    for (int run = 0; run < 3; run++) {
        assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_OK);
        assert_memory_equal(call.memory[OUTPUT], expected, sizeof expected);
    }
    assert_int_equal(scratch[0], 0xff);
    assert_int_equal(scratch[1 + size], 0xff);
}

static void a_mean_without_enough_scratch_is_refused(void **state)
{
    (void)state;
    static unsigned char scratch[SCRATCH_ROOM];
    arguments call;
    strew_plan plan;
    a_mean(&call);
    const arguments before = call;
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    const strew_buffers buffers = arguments_buffers(&call);
    const size_t size = strew_plan_least_scratch_size(&plan, 1);
    call.options.scratch = scratch;
    call.options.scratch_size = size - 1;
    assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(call.error.operand, STREW_OPERAND_SCRATCH);
    assert_int_equal(call.error.lower, size);
    call.options.scratch = NULL;
    call.options.scratch_size = size;
    assert_int_equal(arguments_run_plan(&call, &plan, &buffers), STREW_STATUS_INVALID_ARGUMENT);
    assert_memory_equal(call.memory, before.memory, sizeof before.memory);
}

/* ---- Steps and sizes at the end of what can be counted ------------------------------------------- */

static void strides_may_reach_as_far_as_an_index_can(void **state)
{
    (void)state;
    const int64_t data_shape[] = {3, 2}, data_strides[] = {1, PTRDIFF_MAX / 2 + 1}, indices_shape[] = {1, 0};
    const int64_t output_shape[] = {1, 3, 2};
    const strew_tensor data = {NULL, STREW_DTYPE_INT8, 2, data_shape, data_strides};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, indices_shape, NULL};
    const strew_tensor output = {NULL, STREW_DTYPE_INT8, 3, output_shape, NULL};
    strew_plan plan;
    assert_int_equal(strew_plan_gather_nd(&plan, &data, &indices, 0, &output, NULL), STREW_STATUS_OK);
}

static void a_flattened_batch_may_reach_as_far_as_an_index_can(void **state)
{
    (void)state;
    const int64_t shape[] = {2, 4, 1}, output_shape[] = {8}, output_strides[] = {PTRDIFF_MAX / 8 + 1};
    const strew_tensor data = {NULL, STREW_DTYPE_INT8, 3, shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 3, shape, NULL};
    const strew_tensor output = {NULL, STREW_DTYPE_INT8, 1, output_shape, output_strides};
    const strew_attributes attributes = {.given = STREW_ATTRIBUTE_BATCH_DIMS, .batch_dims = 2};
    const strew_operator *op = strew_operator_find("GatherND-5");
    strew_plan plan;
    assert_int_equal(strew_operator_plan(&plan, op, &attributes, &data, &indices, NULL, &output, NULL),
                     STREW_STATUS_OK);
}

static void scratch_that_cannot_be_counted_cannot_be_had(void **state)
{
    (void)state;
    const int64_t data_shape[] = {PTRDIFF_MAX / 4 + 1}, one[] = {1};
    const strew_tensor data = {NULL, STREW_DTYPE_INT8, 1, data_shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 1, one, NULL};
    const strew_tensor updates = {NULL, STREW_DTYPE_INT8, 1, one, NULL};
    strew_plan plan;
    assert_int_equal(
        strew_plan_scatter_elements(&plan, &data, &indices, &updates, 0, STREW_REDUCTION_MEAN, true, &data, NULL),
        STREW_STATUS_OK);
    assert_true(strew_plan_least_scratch_size(&plan, 1) == SIZE_MAX);
}

static void inspections_that_cannot_be_counted_cannot_be_had(void **state)
{
    (void)state;
    const int64_t data_shape[] = {10}, list[] = {PTRDIFF_MAX};
    const strew_tensor data = {NULL, STREW_DTYPE_INT8, 1, data_shape, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT8, 1, list, NULL};
    const strew_tensor output = {NULL, STREW_DTYPE_INT8, 1, list, NULL};
    char storage[256] = {0};
    strew_plan plan, inspected;
    strew_error error;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = &error;
    assert_int_equal(strew_plan_gather_elements(&plan, &data, &indices, 0, &output, NULL), STREW_STATUS_OK);
    assert_true(strew_plan_inspection_size(&plan) == SIZE_MAX);
    assert_int_equal(strew_plan_inspect(&inspected, &plan, &(strew_buffers){.indices = storage}, storage,
                                        sizeof storage, &options),
                     STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(error.value, sizeof storage);
    assert_true((uint64_t)error.lower >= SIZE_MAX / 2);
}

/* Sorting numbers entries and rows by 32 bits. */
static void more_entries_than_can_be_sorted_want_no_scratch(void **state)
{
    (void)state;
    if (sizeof(size_t) < 8)
        skip();
    const int64_t many = INT64_C(1) << 33;
    const struct {
        int64_t rows, entries, segments;
    } cases[] = {{4, many, 3}, {many, 7, 3}, {4, 7, many}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const int64_t table_shape[] = {cases[i].rows, 1}, list[] = {cases[i].entries};
        const int64_t sums_shape[] = {cases[i].segments, 1};
        const strew_tensor table = {NULL, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
        const strew_tensor numbers = {NULL, STREW_DTYPE_INT64, 1, list, NULL};
        const strew_tensor sums = {NULL, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
        strew_plan plan;
        assert_int_equal(strew_plan_embedding_segments(&plan, &table, &numbers, &numbers, NULL, STREW_REDUCTION_SUM,
                                                       -1, &sums, NULL),
                         STREW_STATUS_OK);
        assert_int_equal(strew_plan_scratch_size(&plan, 2), 0);
        assert_true(strew_plan_inspection_size(&plan) == SIZE_MAX);
    }
}

static void sizes_that_no_opaque_element_has_give_no_dtype(void **state)
{
    (void)state;
    assert_int_equal(strew_dtype_size(STREW_DTYPE_OPAQUE(1)), 1);
    assert_int_equal(strew_dtype_size(STREW_DTYPE_OPAQUE(0x7fffffff)), 0x7fffffff);
    assert_int_equal(STREW_DTYPE_OPAQUE(0), STREW_DTYPE_NONE);
    assert_int_equal(STREW_DTYPE_OPAQUE(-1), STREW_DTYPE_NONE);
    assert_int_equal(STREW_DTYPE_OPAQUE(0x80000004), STREW_DTYPE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_the_same_whatever_its_memory_held),
        cmocka_unit_test(a_gather_asks_for_no_scratch),
        cmocka_unit_test(a_plan_says_what_it_guarantees_and_how_it_goes),
        cmocka_unit_test(a_plan_of_windows_says_what_threads_share),
        cmocka_unit_test(a_plan_of_elements_names_the_kernels_that_run),
        cmocka_unit_test(a_description_is_cut_terminated_and_counted),
        cmocka_unit_test(a_plan_runs_many_times_on_new_pointers),
        cmocka_unit_test(every_version_can_be_planned),
        cmocka_unit_test(a_plan_keeps_nothing_of_the_tensors_it_was_made_from),
        cmocka_unit_test(a_plan_may_be_copied),
        cmocka_unit_test(one_plan_scatters_in_place_and_out_of_place),
        cmocka_unit_test(threads_may_run_one_plan_at_once),
        cmocka_unit_test(a_plan_names_the_index_that_is_outside),
        cmocka_unit_test(whether_negative_indices_are_refused_is_settled_by_the_plan),
        cmocka_unit_test(a_plan_runs_on_other_threads_than_it_was_made_for),
        cmocka_unit_test(a_refused_call_leaves_a_good_plan_unusable),
        cmocka_unit_test(storage_of_anything_is_not_a_plan),
        cmocka_unit_test(a_run_needs_the_pointers_that_its_plan_has_tensors_for),
        cmocka_unit_test(a_run_needs_the_pointer_of_a_tensor_that_runs_backwards),
        cmocka_unit_test(a_run_refuses_outputs_that_overlap),
        cmocka_unit_test(in_place_needs_the_same_strides),
        cmocka_unit_test(only_mean_needs_scratch),
        cmocka_unit_test(offsets_of_tuples_are_held_in_scratch),
        cmocka_unit_test(scratch_is_needed_for_each_thread),
        cmocka_unit_test(a_mean_runs_with_just_the_scratch_it_asks_for),
        cmocka_unit_test(a_mean_without_enough_scratch_is_refused),
        cmocka_unit_test(strides_may_reach_as_far_as_an_index_can),
        cmocka_unit_test(a_flattened_batch_may_reach_as_far_as_an_index_can),
        cmocka_unit_test(scratch_that_cannot_be_counted_cannot_be_had),
        cmocka_unit_test(inspections_that_cannot_be_counted_cannot_be_had),
        cmocka_unit_test(more_entries_than_can_be_sorted_want_no_scratch),
        cmocka_unit_test(sizes_that_no_opaque_element_has_give_no_dtype),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
