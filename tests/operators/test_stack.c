/*
 * The stack of a call, and of each of its tasks. Both run on threads whose stacks the test has painted; the bytes
 * that lost their paint were used.
 */
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "system/system.h"
#include "tensor.h"
#include "test.h"

/* The most bytes that any operator, tensors and options may use. */
enum { STACK_OF_A_CALL = 48 << 10, STACK_OF_A_TASK = 32 << 10 };

/* ---- Tasks --------------------------------------------------------------------------------------- */

typedef struct single_task {
    strew_task task;
    void *context;
    size_t index;
} single_task;

static void run_single_task(void *context)
{
    const single_task *single = context;
    single->task(single->context, single->index);
}

/* The pool is the most that any task has used. */
static void run_tasks_painted(void *pool, strew_task task, void *context, size_t count)
{
    size_t *const most = pool;
    for (size_t i = 0; i < count; i++) {
        single_task single = {task, context, i};
        const size_t used = system_stack_used(run_single_task, &single);
        *most = used > *most ? used : *most;
    }
}

/* ---- Calls --------------------------------------------------------------------------------------- */

typedef struct call_form {
    const char *name;
    strew_kind kind;
    strew_reduction reduction;
    bool use_init_val;
    const char *version; /* one that has all this */
} call_form;

static const call_form forms[] = {
    {"gather_nd", STREW_KIND_GATHER_ND, STREW_REDUCTION_NONE, true, "GatherND-13"},
    {"gather_elements", STREW_KIND_GATHER_ELEMENTS, STREW_REDUCTION_NONE, true, "GatherElements-13"},
    {"scatter_nd", STREW_KIND_SCATTER_ND, STREW_REDUCTION_NONE, true, "ScatterND-18"},
    {"scatter_nd, sum", STREW_KIND_SCATTER_ND, STREW_REDUCTION_SUM, true, "ScatterND-18"},
    {"scatter_elements", STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_NONE, true, "ScatterElementsUpdate-12"},
    {"scatter_elements, sum", STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_SUM, true, "ScatterElementsUpdate-12"},
    {"scatter_elements, sum, no init", STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_SUM, false,
     "ScatterElementsUpdate-12"},
    {"scatter_elements, mean", STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_MEAN, true, "ScatterElementsUpdate-12"},
    {"scatter_elements, mean, no init", STREW_KIND_SCATTER_ELEMENTS, STREW_REDUCTION_MEAN, false,
     "ScatterElementsUpdate-12"},
};

/* The shape of data is [rows, columns]; each of the entries names a row, or an element of each column. */
typedef struct call_size {
    const char *name;
    int64_t rows, columns, entries;
    bool is_shared; /* among threads, if there are several */
} call_size;

/* Offsets are held, rows move one by one, threads share or partition, and one thread partitions too. */
static const call_size sizes[] = {
    {"small", 500, 8, 500, false},
    {"long rows", 2000, 300, 2000, true},
    {"short rows", 100000, 1, 70000, false}, /* by owners, with some tunings */
    {"more rows", 4300000, 1, 600000, true},
};

typedef struct measured_call {
    const call_form *form;
    const call_size *size;
    test_tensor data, indices, dense, output; /* dense: the output of a gather, the updates of a scatter */
    operator_call call;
    strew_plan plan;
    strew_options options;
    strew_status status;
} measured_call;

static void measured_call_create(measured_call *self, const call_form *form, const call_size *size)
{
    const bool has_rows = kind_has_rows(form->kind), gathers = kind_gathers(form->kind);
    const int64_t data_shape[] = {size->rows, size->columns};
    const int64_t indices_shape[] = {size->entries, has_rows ? 1 : size->columns};
    const int64_t dense_shape[] = {size->entries, size->columns};
    *self = (measured_call){.form = form, .size = size};
    tensor_create(&self->data, STREW_DTYPE_FLOAT32, 2, data_shape, NULL, 0, 0);
    tensor_create(&self->output, STREW_DTYPE_FLOAT32, 2, data_shape, NULL, 0, 0);
    tensor_create(&self->dense, STREW_DTYPE_FLOAT32, 2, dense_shape, NULL, 0, 0);
    tensor_create(&self->indices, STREW_DTYPE_INT64, 2, indices_shape, NULL, 0, 0);
    int64_t *const indices = self->indices.view.data;
    for (int64_t i = 0; i < indices_shape[0] * indices_shape[1]; i++)
        indices[i] = i * 7919 % size->rows;
    self->call = (operator_call){
        .kind = form->kind,
        .data = &self->data.view,
        .indices = &self->indices.view,
        .updates = gathers ? NULL : &self->dense.view,
        .output = gathers ? &self->dense.view : &self->output.view,
        .reduction = form->reduction,
        .use_init_val = form->use_init_val,
    };
}

static void measured_call_destroy(measured_call *self)
{
    tensor_destroy(&self->data);
    tensor_destroy(&self->indices);
    tensor_destroy(&self->dense);
    tensor_destroy(&self->output);
}

/* ---- What is measured ---------------------------------------------------------------------------- */

static void make_plan(void *context)
{
    measured_call *self = context;
    const strew_plan_options options = call_plan_options(&self->options);
    self->status = call_plan(&self->call, &self->plan, &options);
}

static void run_plan(void *context)
{
    measured_call *self = context;
    const strew_buffers buffers = call_buffers(&self->call);
    const strew_run_options options = call_run_options(&self->options);
    self->status = strew_plan_run(&self->plan, &buffers, &options);
}

static void run_unplanned(void *context)
{
    measured_call *self = context;
    self->status = call_operator(&self->call, &self->options);
}

static void run_version(void *context)
{
    measured_call *self = context;
    const operator_call *call = &self->call;
    const strew_operator *op = strew_operator_find(self->form->version);
    const strew_attributes attributes = {
        .given = op->attributes, .reduction = call->reduction, .use_init_val = call->use_init_val};
    self->status =
        strew_operator_run(op, &attributes, call->data, call->indices, call->updates, call->output, &self->options);
}

enum { MAKE_PLAN, RUN_PLAN, RUN_UNPLANNED, RUN_VERSION, WAYS };

static system_task *const ways[WAYS] = {make_plan, run_plan, run_unplanned, run_version};

static void print_titles(void)
{
    printf("%-32s %-10s %-8s %-7s threads   plan    run   call version   task\n", "", "", "", "");
}

static void print_used(const measured_call *self, call_scratch scratch, const size_t used[WAYS],
                       size_t used_by_tasks)
{
    printf("%-32s %-10s %-8s %-7s %7zu", self->form->name, self->size->name,
           self->call.output == self->call.data ? "in place" : "apart", scratch == FULL_SCRATCH ? "scratch" : "",
           self->options.parallel->threads);
    for (size_t w = 0; w < WAYS; w++)
        printf(" %6zu", used[w]);
    printf(" %7zu\n", used_by_tasks);
}

static void check_ways(measured_call *self, call_scratch scratch, strew_status expected)
{
    size_t used[WAYS];
    size_t *const used_by_tasks = self->options.parallel->pool;
    *used_by_tasks = 0;
    for (size_t w = 0; w < WAYS; w++) {
        used[w] = system_stack_used(ways[w], self);
        assert_int_equal(self->status, w == MAKE_PLAN ? STREW_STATUS_OK : expected);
    }
    print_used(self, scratch, used, *used_by_tasks);
    for (size_t w = 0; w < WAYS; w++)
        assert_in_range(used[w], 1, STACK_OF_A_CALL);
    assert_in_range(*used_by_tasks, 0, STACK_OF_A_TASK);
    if (self->size->is_shared && self->options.parallel->threads > 1)
        assert_int_not_equal(*used_by_tasks, 0);
}

/* With the least scratch, and with all that the plan can use, if that is more. */
static void check_scratches(measured_call *self, size_t threads, strew_status expected)
{
    size_t used_by_tasks;
    const strew_parallel parallel = {run_tasks_painted, &used_by_tasks, threads};
    self->options = call_options();
    self->options.parallel = &parallel;
    make_plan(self);
    assert_int_equal(self->status, STREW_STATUS_OK);
    const size_t least = strew_plan_least_scratch_size(&self->plan, threads);
    const size_t full = strew_plan_scratch_size(&self->plan, threads);
    char *const scratch = malloc(full + 1);
    assert_non_null(scratch);
    self->options.scratch = scratch;
    self->options.scratch_size = least;
    check_ways(self, LEAST_SCRATCH, expected);
    self->options.scratch_size = full;
    if (full > least)
        check_ways(self, FULL_SCRATCH, expected);
    free(scratch);
}

static void check_call(measured_call *self, size_t threads, strew_status expected)
{
    check_scratches(self, threads, expected);
    if (kind_gathers(self->form->kind))
        return;
    self->call.output = self->call.data;
    check_scratches(self, threads, expected);
}

/* ---- The tests ----------------------------------------------------------------------------------- */

enum { KNOWN_BYTES = 10000, BYTES_AROUND = 1000 };

static void use_known_stack(void *context)
{
    volatile unsigned char bytes[KNOWN_BYTES];
    for (size_t i = 0; i < KNOWN_BYTES; i++)
        bytes[i] = (unsigned char)i;
    *(unsigned char *)context = bytes[KNOWN_BYTES / 2];
}

static void what_a_function_uses_is_measured(void **state)
{
    (void)state;
    unsigned char byte = 0;
    assert_in_range(system_stack_used(use_known_stack, &byte), KNOWN_BYTES, KNOWN_BYTES + BYTES_AROUND);
}

/* Run this before any other call: the first one chooses the kernels as well. */
static void the_first_call_stays_within_its_stack(void **state)
{
    (void)state;
    measured_call first;
    measured_call_create(&first, &forms[0], &sizes[0]);
    first.options = call_options();
    const size_t used = system_stack_used(run_unplanned, &first);
    assert_int_equal(first.status, STREW_STATUS_OK);
    printf("the first call: %zu\n", used);
    assert_in_range(used, 1, STACK_OF_A_CALL);
    measured_call_destroy(&first);
}

static void check_calls(size_t threads)
{
    print_titles();
    for (size_t f = 0; f < COUNT(forms); f++)
        for (size_t s = 0; s < COUNT(sizes); s++) {
            measured_call measured;
            measured_call_create(&measured, &forms[f], &sizes[s]);
            check_call(&measured, threads, STREW_STATUS_OK);
            measured_call_destroy(&measured);
        }
}

static void a_call_on_one_thread_stays_within_its_stack(void **state)
{
    (void)state;
    check_calls(1);
}

static void a_call_on_several_and_its_tasks_stay_within_theirs(void **state)
{
    (void)state;
    check_calls(3);
}

/* The first bad index is searched for, by threads as well. */
static void a_call_refused_for_an_index_stays_within_its_stack(void **state)
{
    (void)state;
    print_titles();
    for (size_t f = 0; f < COUNT(forms); f++)
        for (size_t threads = 1; threads <= 3; threads += 2) {
            measured_call measured;
            measured_call_create(&measured, &forms[f], &sizes[threads == 1 ? 0 : 2]);
            ((int64_t *)measured.indices.view.data)[measured.size->entries - 1] = measured.size->rows;
            check_call(&measured, threads, STREW_STATUS_INDEX_OUT_OF_BOUNDS);
            measured_call_destroy(&measured);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_function_uses_is_measured),
        cmocka_unit_test(the_first_call_stays_within_its_stack),
        cmocka_unit_test(a_call_on_one_thread_stays_within_its_stack),
        cmocka_unit_test(a_call_on_several_and_its_tasks_stay_within_theirs),
        cmocka_unit_test(a_call_refused_for_an_index_stays_within_its_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
