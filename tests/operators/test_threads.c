/*
 * Threads of any kind: several that share a plan and its inputs, pools inside the tasks of others, tasks in any
 * order, and stacks of 64 KiB. cmocka's assertions belong to the test's thread: tasks only record their results.
 */
#include <stdlib.h>

#include <strew/inspect.h>

#include "arguments.h"
#include "oracle.h"
#include "random_case.h"
#include "test.h"

/* ---- Pools --------------------------------------------------------------------------------------- */

typedef strew_parallel make_pool(size_t threads);

static void run_in(make_pool *make, size_t threads, strew_task task, void *context, size_t count)
{
    const strew_parallel pool = make(threads);
    pool.run(pool.pool, task, context, count);
}

/* ---- A plan that is shared ----------------------------------------------------------------------- */

enum { SHARING = 4, RUNS = 40, MOST_POOL = 3 };

typedef struct shared_call {
    const arguments *call;
    const unsigned char *expected;
    const strew_plan *plan;
    strew_buffers buffers;
    make_pool *pool;
    size_t wrong[SHARING];
} shared_call;

/* The result on one thread, which other tests compare with the oracle. */
static void expect(const char *name, unsigned char expected[ARGUMENT_ROOM])
{
    arguments alone;
    arguments_create(&alone, name);
    assert_int_equal(arguments_run(&alone), STREW_STATUS_OK);
    memcpy(expected, alone.memory[OUTPUT], ARGUMENT_ROOM);
}

/* An output and scratch of its own; all else is read by the others too. */
static bool run_shared(const shared_call *shared, unsigned char output[ARGUMENT_ROOM], size_t threads)
{
    const strew_parallel parallel = shared->pool(threads);
    const size_t scratch_size = strew_plan_scratch_size(shared->plan, threads);
    strew_buffers buffers = shared->buffers;
    strew_run_options options = call_run_options(&shared->call->options);
    options.error = NULL;
    options.parallel = &parallel;
    options.scratch = malloc(scratch_size + 1);
    options.scratch_size = scratch_size;
    memcpy(output, shared->call->memory[OUTPUT], ARGUMENT_ROOM);
    buffers.output = output + ((unsigned char *)buffers.output - shared->call->memory[OUTPUT]);
    const strew_status status = strew_plan_run(shared->plan, &buffers, &options);
    free(options.scratch);
    return status == STREW_STATUS_OK && memcmp(output, shared->expected, ARGUMENT_ROOM) == 0;
}

static void run_shared_often(void *context, size_t index)
{
    shared_call *shared = context;
    unsigned char output[ARGUMENT_ROOM];
    for (size_t i = 0; i < RUNS; i++)
        shared->wrong[index] += !run_shared(shared, output, 1 + (i + index) % MOST_POOL);
}

/* The plan is made for as many threads as some of the runs have. */
static void check_shared(const char *name, make_pool *outer, make_pool *inner, bool is_inspected)
{
    arguments call;
    unsigned char expected[ARGUMENT_ROOM], inspected[4 * ARGUMENT_ROOM];
    strew_plan plan, another;
    arguments_create(&call, name);
    const strew_parallel parallel = inner(MOST_POOL);
    call.options.parallel = &parallel;
    expect(name, expected);
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    shared_call shared = {&call, expected, &plan, arguments_buffers(&call), inner, {0}};
    if (is_inspected && strew_plan_inspection_size(&plan) > 0) {
        const strew_status status =
            strew_plan_inspect(&another, &plan, &shared.buffers, inspected, sizeof inspected, NULL);
        assert_int_equal(status, STREW_STATUS_OK);
        shared.plan = &another;
        shared.buffers.indices = inspected;
    }
    run_in(outer, SHARING, run_shared_often, &shared, SHARING);
    for (size_t i = 0; i < SHARING; i++)
        assert_int_equal(shared.wrong[i], 0);
}

static void check_each_shared(make_pool *outer, make_pool *inner, bool is_inspected)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        check_shared(kinds[i], outer, inner, is_inspected);
    for (size_t i = 0; i < COUNT(bag_kinds); i++)
        check_shared(bag_kinds[i], outer, inner, is_inspected);
}

static void threads_share_a_plan_and_its_inputs(void **state)
{
    (void)state;
    check_each_shared(parallel_threads, parallel_threads, false);
}

static void threads_share_what_was_inspected(void **state)
{
    (void)state;
    check_each_shared(parallel_threads, parallel_threads, true);
}

static void small_threads_share_a_plan_and_its_inputs(void **state)
{
    (void)state;
    check_each_shared(parallel_small_threads, parallel_small_threads, false);
}

/* ---- Pools inside the tasks of others ------------------------------------------------------------ */

enum { NESTED = 6, NESTED_THREADS = 3 };

typedef struct nested_call {
    random_case drawn;
    test_tensor expected;
    make_pool *pool;
    strew_status status;
} nested_call;

static bool draw_expected(nested_call *self)
{
    strew_error error;
    operator_call oracle = self->drawn.call;
    tensor_clone(&self->expected, self->drawn.in_place ? &self->drawn.data : &self->drawn.output);
    oracle.output = &self->expected.view;
    if (self->drawn.in_place)
        oracle.data = &self->expected.view;
    return oracle_run(&oracle, &error);
}

static void nested_destroy(nested_call *self)
{
    tensor_destroy(&self->expected);
    random_case_destroy(&self->drawn);
}

/* Creates a call with no bad index, and with work for threads. */
static void nested_create(nested_call *self, const case_request *request, random_source *source, make_pool *pool)
{
    self->pool = pool;
    for (;;) {
        random_case_create(&self->drawn, request, random_bits(source));
        if (draw_expected(self))
            return;
        nested_destroy(self);
    }
}

static void run_nested(void *context, size_t index)
{
    nested_call *self = (nested_call *)context + index;
    const operator_call *call = &self->drawn.call;
    const strew_parallel parallel = self->pool(NESTED_THREADS);
    strew_options options = call_options();
    options.flags = call->flags;
    options.bounds = call->bounds;
    options.fill = call->fill;
    options.parallel = &parallel;
    self->status = call_run(call, self->drawn.way, self->drawn.scratch, &options);
}

static void check_nested(const case_request *request, random_source *source, make_pool *outer, make_pool *inner)
{
    static nested_call calls[NESTED];
    int64_t position[STREW_MAX_RANK];
    const oracle_strictness strictness =
        request->reduction == STREW_REDUCTION_NONE ? ORACLE_SAME_BITS : ORACLE_ANY_NAN;
    for (size_t i = 0; i < NESTED; i++)
        nested_create(&calls[i], request, source, inner);
    run_in(outer, NESTED_THREADS, run_nested, calls, NESTED);
    for (size_t i = 0; i < NESTED; i++) {
        assert_int_equal(calls[i].status, STREW_STATUS_OK);
        assert_true(oracle_equal(&calls[i].expected.view, calls[i].drawn.call.output, strictness, position));
        nested_destroy(&calls[i]);
    }
}

/* Large enough that each call is shared among the threads of its own pool. */
static void check_all_nested(make_pool *outer, make_pool *inner)
{
    static const strew_reduction reductions[] = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUM, STREW_REDUCTION_MEAN};
    random_source source = {random_seed()};
    for (int kind = STREW_KIND_GATHER_ND; kind <= STREW_KIND_SCATTER; kind++)
        for (size_t r = 0; r < COUNT(reductions); r++) {
            const case_request request = {
                (strew_kind)kind, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, reductions[r], 60000, 40000};
            const bool has_mean = kind == STREW_KIND_SCATTER || kind == STREW_KIND_SCATTER_ELEMENTS;
            if (r == 0 || (!kind_gathers(request.kind) && (has_mean || request.reduction == STREW_REDUCTION_SUM)))
                check_nested(&request, &source, outer, inner);
        }
}

static void calls_run_inside_the_tasks_of_another_pool(void **state)
{
    (void)state;
    check_all_nested(parallel_threads, parallel_threads);
}

static void calls_and_their_tasks_run_on_stacks_of_64_kib(void **state)
{
    (void)state;
    check_all_nested(parallel_small_threads, parallel_small_threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_a_plan_and_its_inputs),
        cmocka_unit_test(threads_share_what_was_inspected),
        cmocka_unit_test(small_threads_share_a_plan_and_its_inputs),
        cmocka_unit_test(calls_run_inside_the_tasks_of_another_pool),
        cmocka_unit_test(calls_and_their_tasks_run_on_stacks_of_64_kib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
