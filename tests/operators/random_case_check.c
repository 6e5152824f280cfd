/* Runs a random case by the library and by the oracle and compares the outcomes. */
#include "random_case.h"

#include <inttypes.h>

#include "element.h"
#include "oracle.h"
#include "test.h"

/* ---- Failures ------------------------------------------------------------------------------------ */

static void describe_bytes(const char *name, const strew_tensor *tensor, const int64_t *position)
{
    const unsigned char *bytes = tensor_element(tensor, position);
    fprintf(stderr, "  %s:", name);
    for (size_t i = 0; i < element_size(tensor->dtype); i++)
        fprintf(stderr, " %02x", bytes[i]);
    fputc('\n', stderr);
}

static void describe_position(const int64_t *position, int32_t rank)
{
    for (int32_t d = 0; d < rank; d++)
        fprintf(stderr, "[%" PRId64 "]", position[d]);
}

static void fail_case(const random_case *self, const char *complaint)
{
    static const char *const way_names[] = {"one call", "planned", "planned for one thread more", "inspected"};
    fprintf(stderr, "%s\n  %s, %s scratch, %s %zu threads; case %#" PRIx64, complaint, way_names[self->way],
            self->scratch == FULL_SCRATCH ? "full" : "least",
            !self->has_pool      ? "without a pool of"
            : self->real_threads ? "on"
                                 : "in shuffled tasks for",
            self->threads, self->seed);
    fprintf(stderr, ", run again with STREW_TEST_SEED=%" PRIu64 "\n  ", random_seed());
    call_describe(stderr, &self->call);
    fail();
}

static void fail_element(const random_case *self, const strew_tensor *expected, const int64_t *position)
{
    fputs("output", stderr);
    describe_position(position, expected->rank);
    fputs(" differs\n", stderr);
    describe_bytes("expected", expected, position);
    describe_bytes("found", self->call.output, position);
    fail_case(self, "the output is not the oracle's");
}

static void describe_error(const char *name, const strew_error *error)
{
    fprintf(stderr, "  %s: %s, indices", name, strew_status_name(error->status));
    describe_position(error->position, error->position_rank);
    fprintf(stderr, " is %" PRId64 ", outside [%" PRId64 ", %" PRId64 "] of dimension %d\n", error->value,
            error->lower, error->upper, (int)error->dimension);
}

/* ---- Checks -------------------------------------------------------------------------------------- */

static void check_bad_index(const random_case *self, strew_status status, const strew_error *expected,
                            const strew_error *actual)
{
    if (status != STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        fail_case(self, "an index out of bounds was not refused");
    if (oracle_same_bad_index(expected, actual))
        return;
    describe_error("expected", expected);
    describe_error("found", actual);
    fail_case(self, "the error does not tell of the first bad index");
}

static void check_output(const random_case *self, const test_tensor *expected, const strew_error *refusal)
{
    int64_t position[STREW_MAX_RANK];
    oracle_strictness strictness = self->call.reduction == STREW_REDUCTION_NONE ? ORACLE_SAME_BITS : ORACLE_ANY_NAN;
    if (!oracle_agrees(&self->call, refusal, &expected->view, strictness, position))
        fail_element(self, &expected->view, position);
}

static strew_status run_library(random_case *self, strew_error *error)
{
    strew_parallel parallel =
        self->real_threads ? parallel_threads(self->threads) : parallel_shuffled(self->threads, &self->order);
    strew_options options = call_options();
    options.flags = self->call.flags;
    options.bounds = self->call.bounds;
    options.fill = self->call.fill;
    options.parallel = self->has_pool ? &parallel : NULL;
    options.error = error;
    return call_run(&self->call, self->way, self->scratch, &options);
}

/* The oracle runs on a copy of the output. */
static bool run_oracle(const random_case *self, test_tensor *expected, strew_error *error)
{
    tensor_clone(expected, self->in_place ? &self->data : &self->output);
    operator_call call = self->call;
    call.output = &expected->view;
    if (self->in_place)
        call.data = &expected->view;
    return oracle_run(&call, error);
}

static void compare_with_oracle(random_case *self)
{
    test_tensor expected;
    strew_error expected_error, error;
    bool valid = run_oracle(self, &expected, &expected_error);
    memset(&error, 0x55, sizeof error);
    strew_status status = run_library(self, &error);
    if (!valid)
        check_bad_index(self, status, &expected_error, &error);
    else if (status != STREW_STATUS_OK)
        fail_case(self, strew_status_name(status));
    const bool stops = !valid && self->call.bounds == STREW_BOUNDS_STOP;
    check_output(self, &expected, valid ? NULL : &expected_error);
    if (!tensor_same_padding(self->in_place ? &self->data : &self->output, &expected))
        fail_case(self, "bytes around or between the elements of the output have changed");
    if (self->in_place && !valid && !stops && !tensor_same_memory(&self->data, &expected))
        fail_case(self, "a refused call has changed the tensor that it was to update in place");
    tensor_destroy(&expected);
}

void random_case_check(random_case *self)
{
    test_tensor data, indices, updates;
    tensor_clone(&data, &self->data);
    tensor_clone(&indices, &self->indices);
    tensor_clone(&updates, &self->updates);
    compare_with_oracle(self);
    if (!self->in_place && !tensor_same_memory(&self->data, &data))
        fail_case(self, "data has changed");
    if (!tensor_same_memory(&self->indices, &indices))
        fail_case(self, "indices has changed");
    if (!tensor_same_memory(&self->updates, &updates))
        fail_case(self, "updates has changed");
    tensor_destroy(&data);
    tensor_destroy(&indices);
    tensor_destroy(&updates);
}
