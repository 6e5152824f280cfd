/*
 * Fuzzes the operators: for any tensors, options and indices, a call gives the oracle's result (for packed
 * elements, strew's own on one thread in plain C), or it is refused and has written nothing.
 */
#include <string.h>

#include "outcome.h"
#include "ways.h"

typedef struct way {
    strew_isa isa;
    const strew_parallel *parallel;
    call_way by;
    call_scratch scratch;
} way;

static way some_way(input *bytes)
{
    way how;
    how.isa = fuzz_isa(bytes);
    how.parallel = fuzz_threads(bytes);
    how.by = (call_way)input_below(bytes, BY_INSPECTION + 1);
    how.scratch = input_rarely(bytes, 2) ? FULL_SCRATCH : LEAST_SCRATCH;
    return how;
}

/* An accepted output has the inferred shape. */
static void check_shape(const outcome *found)
{
    const strew_tensor *output = found->call.call.output;
    int64_t shape[STREW_MAX_RANK];
    int32_t rank;
    const strew_status status = call_shape(&found->call.call, shape, &rank, NULL);
    if (found->status != STREW_STATUS_OK)
        return;
    fuzz_require(status == STREW_STATUS_OK && rank == output->rank &&
                     memcmp(shape, output->shape, (size_t)rank * sizeof *shape) == 0,
                 "the output has not the shape that is said", &found->call);
}

static void fuzz_on(const fuzz_call *call, const fuzz_memory *memory, way how)
{
    static outcome found;
    strew_options options = STREW_OPTIONS_INIT;
    outcome_begin(&found, call, memory);
    options.isa = how.isa;
    options.parallel = how.parallel;
    options.error = &found.error;
    found.status = fuzz_call_run(&found.call, how.by, how.scratch, &options);
    check_shape(&found);
    if (how.by == BY_INSPECTION)
        outcome_had_inspected(&found);
    outcome_check(&found, call, memory);
    outcome_end(&found);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_call call;
    input left = {bytes, size};
    fuzz_memory memory;
    const way how = some_way(&left);
    fuzz_call_describe(&call, &left);
    fuzz_call_tune(&call);
    if (!fuzz_call_lay_out(&call, &left, &memory)) {
        fuzz_call_plan_alone(&call);
        return 0;
    }
    fuzz_memory_create(&memory, &call, &left);
    fuzz_call_attach(&call, &memory);
    fuzz_on(&call, &memory, how);
    fuzz_memory_destroy(&memory);
    return 0;
}
