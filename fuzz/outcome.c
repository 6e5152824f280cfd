#include "outcome.h"

#include <stdio.h>
#include <stdlib.h>
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
    if (self->status != STREW_STATUS_OK)
        return;
    self->call.operand[OPERAND_INDICES].is_given = false;
    if (kind_has_numbers(self->call.call.kind))
        self->call.operand[OPERAND_SEGMENTS].is_given = false;
}

/* ---- Memory -------------------------------------------------------------------------------------- */

static bool may_overlap(const fuzz_operand *a, const fuzz_operand *b)
{
    return a->is_given && b->is_given && a->block == b->block && a->low < a->high && b->low < b->high &&
           a->begin + a->low < b->begin + b->high && b->begin + b->low < a->begin + a->high;
}

/* Adds to a set of bytes those up to `count` steps after each of them. */
static void spread(bool *bytes, int64_t size, int64_t step, int64_t count)
{
    if (step == 0)
        return;
    for (int64_t reached = 1, next; reached < count; reached = next) {
        next = 2 * reached < count ? 2 * reached : count;
        const int64_t distance = step * (next - reached);
        for (int64_t i = 0; i < size; i++) {
            const int64_t to = distance > 0 ? size - 1 - i : i, from = to - distance;
            bytes[to] |= from >= 0 && from < size && bytes[from];
        }
    }
}

/* The bytes of its block that a tensor has. */
static bool *find_bytes(const fuzz_operand *operand, int64_t size)
{
    const int64_t element = (int64_t)element_size(operand->view.dtype);
    bool *const bytes = calloc((size_t)size, sizeof *bytes);
    int64_t stride = element;
    if (!bytes)
        abort();
    bytes[operand->begin] = true;
    for (int32_t d = operand->view.rank; d-- > 0; stride *= operand->shape[d])
        if (operand->shape[d] > 1)
            spread(bytes, size, operand->has_strides ? operand->strides[d] * element : stride, operand->shape[d]);
    spread(bytes, size, 1, element);
    return bytes;
}

/* Packed elements reach less far than that. */
static bool overlap(const fuzz_operand *a, const fuzz_operand *b)
{
    bool any = false;
    if (!may_overlap(a, b) || element_size(a->view.dtype) == 0 || element_size(b->view.dtype) == 0)
        return false;
    const int64_t a_end = a->begin + a->high, b_end = b->begin + b->high, size = a_end > b_end ? a_end : b_end;
    bool *const a_bytes = find_bytes(a, size), *const b_bytes = find_bytes(b, size);
    for (int64_t i = 0; i < size; i++)
        any |= a_bytes[i] && b_bytes[i];
    free(a_bytes);
    free(b_bytes);
    return any;
}

static bool any_input(const fuzz_call *call, bool (*overlaps)(const fuzz_operand *, const fuzz_operand *))
{
    bool any = false;
    for (size_t o = 0; o < FUZZ_OPERANDS; o++)
        any |= o != OPERAND_OUTPUT && overlaps(&call->operand[o], &call->operand[OPERAND_OUTPUT]);
    return any;
}

/* Whether the output has a byte of an input. */
static bool overlaps_an_input(const fuzz_call *call)
{
    return any_input(call, overlap);
}

/* Whether the call is in place: on request, or because its output is at the place of data. */
static bool is_in_place(const fuzz_call *call)
{
    const fuzz_operand *data = &call->operand[OPERAND_DATA], *output = &call->operand[OPERAND_OUTPUT];
    return call->in_place ||
           (!kind_gathers(call->call.kind) && data->block == output->block && data->begin == output->begin &&
            data->low == output->low && data->high == output->high);
}

/* Erases the elements of the output; bytes of no element stay. */
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

/* Whether the call must leave all memory unchanged: if it is refused before it begins or, in place, for an
 * index. */
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

static bool is_packed(const fuzz_call *call)
{
    return element_size(call->call.data->dtype) == 0;
}

/* Packed elements, which the oracle does not have, in plain C on one thread. */
static void run_otherwise(outcome *self, const fuzz_call *call, const fuzz_memory *memory)
{
    strew_options options = STREW_OPTIONS_INIT;
    outcome_begin(self, call, memory);
    options.isa = STREW_ISA_SCALAR;
    options.error = &self->error;
    if (is_packed(call))
        self->status = fuzz_call_run(&self->call, BY_PLAN, FULL_SCRATCH, &options);
    else if (!oracle_run(&self->call.call, &self->error))
        self->status = self->error.status;
}

/* NaN bits that are not promised only matter for computed elements. After a refused run of inspected indices the
 * output is undefined. */
static void require_same_output(const outcome *self, const outcome *expected)
{
    int64_t position[STREW_MAX_RANK];
    operator_call said = expected->call.call;
    const strew_error *refusal = self->status == STREW_STATUS_OK ? NULL : &self->error;
    if (refusal && self->inspected)
        return;
    said.output = self->call.call.output;
    if (!is_packed(&self->call))
        fuzz_require(oracle_agrees(&said, refusal, expected->call.call.output, ORACLE_ANY_NAN, position),
                     "the output is another one", &self->call);
    else if (oracle_says(&said, refusal) == ORACLE_SAYS_ALL)
        fuzz_require(fuzz_memory_same(&self->memory, &expected->memory), "packed elements are others", &self->call);
}

static void require_same_status(const outcome *self, const outcome *expected)
{
    if (self->status != expected->status)
        fprintf(stderr, "%s, where %s is right\n", strew_status_name(self->status),
                strew_status_name(expected->status));
    fuzz_require(self->status == expected->status, "the status is another one", &self->call);
    if (self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        fuzz_require(oracle_same_bad_index(&expected->error, &self->error),
                     "the error does not tell of the first bad index", &self->call);
}

void outcome_check_same(const outcome *self, const outcome *expected)
{
    const strew_error *refusal = self->status == STREW_STATUS_OK ? NULL : &self->error;
    require_same_status(self, expected);
    if (oracle_says(&self->call.call, refusal) == ORACLE_SAYS_ALL)
        require_same_output(self, expected);
}

/* With inspected indices the output may overlap the indices, which are not read any more. */
static bool is_excused(const outcome *self, const fuzz_call *call)
{
    return self->inspected && any_input(call, may_overlap);
}

/* Whether the call succeeded, or was refused for the content of its lists, which the oracle checks as well. */
static bool has_come_to_lists(const outcome *self)
{
    const strew_error *error = &self->error;
    const bool names_segments =
        error->operand == STREW_OPERAND_OFFSETS || error->operand == STREW_OPERAND_SEGMENT_IDS;
    return self->status == STREW_STATUS_OK || self->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS ||
           (self->status == STREW_STATUS_INVALID_ARGUMENT && names_segments && error->position_rank > 0);
}

void outcome_check(const outcome *self, const fuzz_call *call, const fuzz_memory *memory)
{
    static outcome expected;
    outcome_check_memory(self, memory);
    if (!has_come_to_lists(self) || call->call.data->dtype == STREW_DTYPE_NONE || is_excused(self, call))
        return;
    run_otherwise(&expected, call, memory);
    require_same_status(self, &expected);
    if (self->status == STREW_STATUS_INVALID_ARGUMENT)
        fuzz_require(oracle_same_bad_index(&expected.error, &self->error), "the error does not tell what decreases",
                     &self->call);
    require_same_output(self, &expected);
    outcome_end(&expected);
}
