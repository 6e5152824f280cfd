/*
 * Fuzzes plans: a plan made from shapes runs several times, on new memory, in other places, with other scratch and
 * threads, and as the plan for its inspected indices, whose storage may be damaged.
 */
#include <stdlib.h>
#include <string.h>

#include "outcome.h"
#include "ways.h"

enum { MOST_RUNS = 3 };

/* Scratch in memory of its own or within a tensor; in the second case a run that uses it must refuse. */
typedef struct scratch {
    void *own, *given;
    size_t size;
} scratch;

/* A byte of an operand at which scratch is to begin; NULL if the operand has no bytes. */
static unsigned char *some_byte(const fuzz_call *call, const fuzz_memory *memory, input *bytes, size_t *left)
{
    const fuzz_operand *operand = &call->operand[input_below(bytes, FUZZ_OPERANDS)];
    if (!operand->is_given || operand->low == operand->high)
        return NULL;
    const int64_t offset = operand->begin + input_between(bytes, operand->low, operand->high - 1);
    *left = memory->size[operand->block] - (size_t)offset;
    return memory->block[operand->block] + offset;
}

static scratch some_scratch(const strew_plan *plan, size_t threads, const outcome *found, input *bytes)
{
    scratch self = {.size = strew_plan_scratch_size(plan, threads)};
    size_t left = 0;
    switch (input_below(bytes, 8)) {
    case 0: self.size = strew_plan_least_scratch_size(plan, threads); break;
    case 1: self.size = (size_t)input_below(bytes, self.size + 1); break;
    case 2:
        self.given = some_byte(&found->call, &found->memory, bytes, &left);
        self.size = left;
        return self;
    default: break;
    }
    self.own = malloc(self.size + 1);
    fuzz_require(self.own != NULL, "no memory", NULL);
    self.given = (char *)self.own + 1;
    return self;
}

/* Storage of an inspection; size 0 if there is none. */
typedef struct storage {
    unsigned char *bytes;
    size_t size;
    bool is_damaged;
} storage;

static storage inspect(outcome *found, strew_plan *plan, input *bytes)
{
    storage self = {.size = strew_plan_inspection_size(plan)};
    const strew_buffers buffers = call_buffers(&found->call.call);
    strew_plan inspected;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = &found->error;
    self.bytes = malloc(self.size + 1);
    fuzz_require(self.bytes != NULL, "no memory", NULL);
    found->status = strew_plan_inspect(&inspected, plan, &buffers, self.bytes, self.size, &options);
    if (found->status != STREW_STATUS_OK)
        return self;
    *plan = inspected;
    self.is_damaged = self.size > 0 && input_rarely(bytes, 4);
    for (uint64_t damages = self.is_damaged ? input_below(bytes, 8) + 1 : 0; damages > 0; damages--)
        self.bytes[input_below(bytes, self.size)] = (unsigned char)input_bits(bytes, 1);
    return self;
}

/* Buffers, now and then with a missing pointer. */
static strew_buffers some_buffers(const fuzz_call *call, const storage *inspection, input *bytes, bool *is_spoilt)
{
    strew_buffers buffers = call_buffers(&call->call);
    call_use_inspection(&call->call, &buffers, inspection->bytes, inspection->size);
    *is_spoilt = input_rarely(bytes, 16);
    if (*is_spoilt)
        switch (input_below(bytes, 5)) {
        case 0: buffers.data = NULL; break;
        case 1: buffers.indices = NULL; break;
        case 2: buffers.updates = buffers.updates ? NULL : buffers.data; break;
        case 3: buffers.output = NULL; break;
        default: buffers.segments = buffers.segments ? NULL : buffers.data;
        }
    return buffers;
}

/* Runs the plan on the memory of `found`. False if it got bad arguments: then only its output may have changed. */
static bool run(outcome *found, const strew_plan *plan, const storage *inspection, input *bytes)
{
    bool is_spoilt;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    const strew_buffers buffers = some_buffers(&found->call, inspection, bytes, &is_spoilt);
    options.parallel = fuzz_threads(bytes);
    const scratch room = some_scratch(plan, options.parallel ? options.parallel->threads : 1, found, bytes);
    options.scratch = room.given;
    options.scratch_size = room.size;
    options.error = &found->error;
    options.fill = found->call.call.fill;
    found->status = strew_plan_run(plan, &buffers, &options);
    free(room.own);
    return !is_spoilt && !inspection->is_damaged;
}

static void fuzz_on(const fuzz_call *call, const fuzz_memory *memory, strew_plan plan, input *bytes)
{
    static outcome found;
    storage inspection = {NULL, 0, false};
    bool is_right = true;
    outcome_begin(&found, call, memory);
    if (input_rarely(bytes, 3))
        inspection = inspect(&found, &plan, bytes);
    if (inspection.bytes)
        outcome_had_inspected(&found);
    if (found.status == STREW_STATUS_OK)
        is_right = run(&found, &plan, &inspection, bytes);
    if (is_right)
        outcome_check(&found, call, memory);
    else
        outcome_check_around(&found, memory);
    outcome_end(&found);
    free(inspection.bytes);
}

/* If the strides are equal, runs a plan made for a separate output in place as well. */
static void place_elsewhere(fuzz_call *call, input *bytes)
{
    const fuzz_operand *data = &call->operand[OPERAND_DATA], *output = &call->operand[OPERAND_OUTPUT];
    const bool can_be_in_place =
        !kind_gathers(call->call.kind) && call->call.kind != STREW_KIND_GATHER_SCATTER && output->is_given &&
        data->view.dtype == output->view.dtype && data->view.rank == output->view.rank && !data->has_strides &&
        !output->has_strides && memcmp(data->shape, output->shape, sizeof data->shape) == 0;
    if (can_be_in_place)
        call->in_place = input_rarely(bytes, 2);
}

static strew_status make_plan(const fuzz_call *call, strew_plan *plan, input *bytes)
{
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = fuzz_isa(bytes);
    options.parallel = fuzz_threads(bytes);
    options.flags = call->call.flags;
    options.bounds = call->call.bounds;
    const strew_plan_options planning = call_plan_options(&options);
    return call->call.data && call->call.output ? call_plan(&call->call, plan, &planning)
                                                : STREW_STATUS_INVALID_ARGUMENT;
}

/* A description is cut where its memory ends. */
static void describe(const strew_plan *plan)
{
    char text[80];
    for (size_t threads = 0; threads <= 3; threads++) {
        const size_t length = strew_plan_describe(plan, threads, text, sizeof text);
        if (length == 0 || strlen(text) != (length < sizeof text ? length : sizeof text - 1))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static fuzz_call call;
    input left = {bytes, size};
    strew_plan plan;
    fuzz_memory memory;
    fuzz_call_describe(&call, &left);
    fuzz_call_tune(&call);
    fuzz_call_attach(&call, NULL);
    if (make_plan(&call, &plan, &left) != STREW_STATUS_OK)
        return 0;
    describe(&plan);
    for (uint64_t runs = input_below(&left, MOST_RUNS) + 1; runs > 0; runs--) {
        place_elsewhere(&call, &left);
        if (!fuzz_call_lay_out(&call, &left, &memory))
            return 0;
        fuzz_memory_create(&memory, &call, &left);
        fuzz_call_attach(&call, &memory);
        fuzz_on(&call, &memory, plan, &left);
        fuzz_memory_destroy(&memory);
    }
    return 0;
}
