/*
 * Fuzzes the operators: whatever the tensors, options and indices are, a call does what the oracle does, or, where
 * there is none for its operator, what it does on one thread in plain C; or it is refused, and has written nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "fuzz_call.h"
#include "oracle.h"

typedef struct way {
    strew_isa isa;
    const strew_parallel *parallel;
    call_way by;
    call_scratch scratch;
} way;

static strew_status run(const fuzz_call *self, way how, strew_error *error)
{
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = how.isa;
    options.parallel = how.parallel;
    options.flags = self->call.flags;
    options.bounds = self->call.bounds;
    options.fill = self->call.fill;
    options.error = error;
    const bool can_be_planned = self->call.data && self->call.output && how.by != BY_ONE_CALL;
    if (self->call.segments && how.by == BY_INSPECTION)
        how.by = BY_PLAN; /* call_run inspects indices alone */
    return can_be_planned ? call_run(&self->call, how.by, how.scratch, &options)
                          : call_operator(&self->call, &options);
}

static bool has_oracle(const fuzz_call *self)
{
    return self->call.kind <= STREW_KIND_SCATTER && element_size(self->call.data->dtype) > 0;
}

/* A call of the library on memory of its own. */
typedef struct outcome {
    fuzz_call call;
    fuzz_memory memory;
    strew_status status;
    strew_error error;
} outcome;

static void begin(outcome *self, const fuzz_call *call, const fuzz_memory *memory)
{
    self->call = *call;
    memset(&self->error, 0, sizeof self->error);
    fuzz_memory_clone(&self->memory, memory);
    fuzz_call_attach(&self->call, &self->memory);
}

static void run_otherwise(outcome *self, const fuzz_call *call, const fuzz_memory *memory)
{
    begin(self, call, memory);
    if (has_oracle(call))
        self->status =
            oracle_run(&self->call.call, &self->error) ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS;
    else
        self->status = run(&self->call, (way){STREW_ISA_SCALAR, NULL, BY_PLAN, FULL_SCRATCH}, &self->error);
}

static void require_same_offender(const outcome *found, const outcome *expected)
{
    const strew_error *a = &found->error, *b = &expected->error;
    fuzz_require(a->operand == b->operand && a->dimension == b->dimension && a->value == b->value &&
                     a->lower == b->lower && a->upper == b->upper && a->position_rank == b->position_rank &&
                     memcmp(a->position, b->position, sizeof a->position) == 0,
                 "the error does not tell of the first offender", &found->call);
}

/* What of a NaN's bits is not promised counts only where something was computed. */
static void require_same_output(const outcome *found, const outcome *expected)
{
    int64_t position[STREW_MAX_RANK];
    const strew_tensor *output = found->call.call.output;
    if (element_size(output->dtype) > 0)
        fuzz_require(oracle_equal(expected->call.call.output, output, ORACLE_ANY_NAN, position),
                     "the output is another one", &found->call);
    else
        fuzz_require(fuzz_memory_same(&found->memory, &expected->memory), "packed elements are others",
                     &found->call);
}

static void compare(const outcome *found, const fuzz_call *call, const fuzz_memory *memory)
{
    outcome expected;
    if ((found->status != STREW_STATUS_OK && found->status != STREW_STATUS_INDEX_OUT_OF_BOUNDS) ||
        call->call.data->dtype == STREW_DTYPE_NONE)
        return;
    run_otherwise(&expected, call, memory);
    fuzz_require(found->status == expected.status, "the status is another one", &found->call);
    if (found->status == STREW_STATUS_OK)
        require_same_output(found, &expected);
    else
        require_same_offender(found, &expected);
    fuzz_memory_destroy(&expected.memory);
}

static way some_way(input *bytes)
{
    way how;
    how.isa = fuzz_isa(bytes);
    how.parallel = fuzz_threads(bytes);
    how.by = (call_way)input_below(bytes, BY_INSPECTION + 1);
    how.scratch = input_rarely(bytes, 2) ? FULL_SCRATCH : LEAST_SCRATCH;
    return how;
}

static void fuzz_on(const fuzz_call *call, const fuzz_memory *memory, way how)
{
    static outcome found;
    begin(&found, call, memory);
    found.status = run(&found.call, how, &found.error);
    fuzz_call_check_memory(&found.call, found.status, &found.memory, memory);
    compare(&found, call, memory);
    fuzz_memory_destroy(&found.memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_call call;
    input left = {bytes, size};
    fuzz_memory memory;
    const way how = some_way(&left);
    fuzz_call_describe(&call, &left);
    if (!fuzz_call_lay_out(&call, &left, &memory)) {
        strew_plan plan;
        fuzz_call_attach(&call, NULL);
        strew_options options = STREW_OPTIONS_INIT;
        const strew_plan_options planning = call_plan_options(&options);
        call_plan(&call.call, &plan, &planning);
        return 0;
    }
    fuzz_memory_create(&memory, &call, &left);
    fuzz_call_attach(&call, &memory);
    fuzz_on(&call, &memory, how);
    fuzz_memory_destroy(&memory);
    return 0;
}
