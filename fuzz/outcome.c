#include "outcome.h"

#include <stdio.h>
#include <string.h>

#include "element.h"
#include "oracle.h"

void outcome_begin(outcome *self, const fuzz_call *call, const fuzz_memory *memory)
{
    self->call = *call;
    self->status = STREW_STATUS_OK;
    self->inspected = false;
    memset(&self->error, 0, sizeof self->error);
    fuzz_memory_clone(&self->memory, memory);
    fuzz_call_attach(&self->call, &self->memory);
}

void outcome_end(outcome *self)
{
    fuzz_memory_destroy(&self->memory);
}

void outcome_had_inspected(outcome *self)
{
    self->inspected = true;
    if (self->status == STREW_STATUS_OK)
        self->call.operand[OPERAND_INDICES].is_given = self->call.operand[OPERAND_SEGMENTS].is_given = false;
}

static bool has_oracle(const fuzz_call *call)
{
    return call->call.kind <= STREW_KIND_SCATTER && element_size(call->call.data->dtype) > 0;
}

static void run_otherwise(outcome *self, const fuzz_call *call, const fuzz_memory *memory)
{
    strew_options options = STREW_OPTIONS_INIT;
    outcome_begin(self, call, memory);
    options.isa = STREW_ISA_SCALAR;
    options.error = &self->error;
    if (!has_oracle(call))
        self->status = fuzz_call_run(&self->call, BY_PLAN, FULL_SCRATCH, &options);
    else if (!oracle_run(&self->call.call, &self->error))
        self->status = STREW_STATUS_INDEX_OUT_OF_BOUNDS;
}

static void require_same_offender(const outcome *self, const outcome *expected)
{
    const strew_error *a = &self->error, *b = &expected->error;
    fuzz_require(a->operand == b->operand && a->dimension == b->dimension && a->value == b->value &&
                     a->lower == b->lower && a->upper == b->upper && a->position_rank == b->position_rank &&
                     memcmp(a->position, b->position, sizeof a->position) == 0,
                 "the error does not tell of the first offender", &self->call);
}

/* What of a NaN's bits is not promised counts only where something was computed. */
static void require_same_output(const outcome *self, const outcome *expected)
{
    int64_t position[STREW_MAX_RANK];
    const strew_tensor *output = self->call.call.output;
    if (element_size(output->dtype) > 0)
        fuzz_require(oracle_equal(expected->call.call.output, output, ORACLE_ANY_NAN, position),
                     "the output is another one", &self->call);
    else
        fuzz_require(fuzz_memory_same(&self->memory, &expected->memory), "packed elements are others", &self->call);
}

void outcome_check_same(const outcome *self, const outcome *expected)
{
    if (self->status != expected->status)
        fprintf(stderr, "%s, where %s is right\n", strew_status_name(self->status),
                strew_status_name(expected->status));
    fuzz_require(self->status == expected->status, "the status is another one", &self->call);
    if (self->status == STREW_STATUS_OK)
        require_same_output(self, expected);
    else if (self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        require_same_offender(self, expected);
}

static bool overlaps_an_input(const fuzz_call *call)
{
    bool overlaps = false;
    for (size_t o = 0; o < FUZZ_OPERANDS; o++)
        overlaps |= o != OPERAND_OUTPUT && fuzz_operands_overlap(&call->operand[o], &call->operand[OPERAND_OUTPUT]);
    return overlaps;
}

/* Of inspected indices nobody asks where they lie when the output is written, which may be over them. */
static bool is_excused(const outcome *self, const fuzz_call *call)
{
    return self->inspected && overlaps_an_input(call);
}

void outcome_check(const outcome *self, const fuzz_call *call, const fuzz_memory *memory)
{
    static outcome expected;
    const bool is_done = self->status == STREW_STATUS_OK || self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS;
    fuzz_call_check_memory(&self->call, self->status, &self->memory, memory);
    if (!is_done || call->call.data->dtype == STREW_DTYPE_NONE || is_excused(self, call))
        return;
    run_otherwise(&expected, call, memory);
    outcome_check_same(self, &expected);
    outcome_end(&expected);
}
