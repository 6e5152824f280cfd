#include "outcome.h"

#include <stdio.h>
#include <string.h>

#include "element.h"
#include "oracle.h"
#include "tensor.h"
#include "ways.h"

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

/* ---- Memory -------------------------------------------------------------------------------------- */

static bool overlap(const fuzz_operand *a, const fuzz_operand *b)
{
    const bool are_packed =
        element_size(a->view.dtype) == 0 || element_size(b->view.dtype) == 0; /* and reach less */
    return !are_packed && a->is_given && b->is_given && a->block == b->block && a->low < a->high &&
           b->low < b->high && a->begin + a->low < b->begin + b->high && b->begin + b->low < a->begin + a->high;
}

/* Whether the output reaches into the bytes of an input, as strew.h says it. */
static bool overlaps_an_input(const fuzz_call *call)
{
    bool overlaps = false;
    for (size_t o = 0; o < FUZZ_OPERANDS; o++)
        overlaps |= o != OPERAND_OUTPUT && overlap(&call->operand[o], &call->operand[OPERAND_OUTPUT]);
    return overlaps;
}

/* As asked for, or because the output has come to lie where data is. */
static bool is_in_place(const fuzz_call *call)
{
    const fuzz_operand *data = &call->operand[OPERAND_DATA], *output = &call->operand[OPERAND_OUTPUT];
    return call->in_place ||
           (!kind_gathers(call->call.kind) && data->block == output->block && data->begin == output->begin &&
            data->low == output->low && data->high == output->high);
}

/* Of the output, what belongs to no element is left. */
static void erase_output(const fuzz_call *call, fuzz_memory *memory)
{
    fuzz_call erased = *call;
    int64_t position[STREW_MAX_RANK];
    const fuzz_operand *written = &call->operand[call->in_place ? OPERAND_DATA : OPERAND_OUTPUT];
    if (written->low == written->high)
        return; /* its shape may be any */
    fuzz_call_attach(&erased, memory);
    const strew_tensor *output = erased.call.output;
    for (bool more = position_first(position, output); more; more = position_next(position, output))
        memset(tensor_element(output, position), 0, element_size(output->dtype));
}

void outcome_check_around(const outcome *self, const fuzz_memory *before)
{
    fuzz_memory erased_after, erased_before;
    if (!self->call.call.output || element_size(self->call.call.output->dtype) == 0)
        return;
    fuzz_memory_clone(&erased_after, &self->memory);
    fuzz_memory_clone(&erased_before, before);
    erase_output(&self->call, &erased_after);
    erase_output(&self->call, &erased_before);
    fuzz_require(fuzz_memory_same(&erased_after, &erased_before), "bytes that are not the output's have changed",
                 &self->call);
    fuzz_memory_destroy(&erased_after);
    fuzz_memory_destroy(&erased_before);
}

/* What is refused before it begins, and, in place, what is refused for an index. */
static bool leaves_all(const outcome *self)
{
    const operator_call *call = &self->call.call;
    if (self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        return is_in_place(&self->call) && call->bounds != STREW_BOUNDS_STOP;
    /* segments that are out of order are found on the way */
    return self->status != STREW_STATUS_OK && !(self->status == STREW_STATUS_INVALID_ARGUMENT && call->segments);
}

void outcome_check_memory(const outcome *self, const fuzz_memory *before)
{
    fuzz_require(!leaves_all(self) || fuzz_memory_same(&self->memory, before), "a refused call has written",
                 &self->call);
    fuzz_require(self->status != STREW_STATUS_OK || is_in_place(&self->call) || !overlaps_an_input(&self->call),
                 "an output that overlaps an input was accepted", &self->call);
    outcome_check_around(self, before);
}

/* ---- Results ------------------------------------------------------------------------------------- */

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

/* Whether every byte of the output is said: one that stops, and was not inspected, has scattered what comes before.
 */
static bool has_known_output(const outcome *self)
{
    const operator_call *call = &self->call.call;
    const bool stops = self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && call->bounds == STREW_BOUNDS_STOP;
    return self->status == STREW_STATUS_OK || (stops && !kind_gathers(call->kind) && !self->inspected);
}

void outcome_check_same(const outcome *self, const outcome *expected)
{
    if (self->status != expected->status)
        fprintf(stderr, "%s, where %s is right\n", strew_status_name(self->status),
                strew_status_name(expected->status));
    fuzz_require(self->status == expected->status, "the status is another one", &self->call);
    if (self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        require_same_offender(self, expected);
    if (has_known_output(self))
        require_same_output(self, expected);
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
    outcome_check_memory(self, memory);
    if (!is_done || call->call.data->dtype == STREW_DTYPE_NONE || is_excused(self, call))
        return;
    run_otherwise(&expected, call, memory);
    outcome_check_same(self, &expected);
    outcome_end(&expected);
}
