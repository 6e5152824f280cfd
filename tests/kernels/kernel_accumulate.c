/* The calls that every kernel that adds rows as they are named is checked with. */
#include <inttypes.h>

#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { TARGET, SOURCE, TARGETS, SOURCES, WEIGHTS };

/* Rows with gaps between them. */
typedef struct some_rows {
    int64_t count;
    size_t bytes, gap;
    bool wraps; /* negative numbers count from the end */
} some_rows;

typedef struct accumulate_case {
    size_t entries;
    some_rows sources, targets;
    bool is_wrong; /* a number is */
    bool weighted;
    int64_t weight_step;
    uint32_t rows_ahead;
    operand_placement placement;
    size_t misalignments[KERNEL_OPERANDS];
} accumulate_case;

typedef struct accumulate_subject {
    const kernel_subject *subject;
    strew_dtype sums;                  /* the dtype of the target */
    value_pool pools[2], sum_pools[2]; /* ordinary and special elements, of rows and of sums */
} accumulate_subject;

/* ---- Operands ------------------------------------------------------------------------------------ */

static char *place_operand(const kernel_subject *subject, const accumulate_case *trial, int which, size_t bytes)
{
    static const char *const names[KERNEL_OPERANDS] = {"target", "source", "targets", "sources", "weights"};
    operand *placed = &subject->operands[which];
    operand_place(placed, names[which], bytes, trial->placement, trial->misalignments[which]);
    return placed->begin;
}

static char *place_rows(const kernel_subject *subject, const accumulate_case *trial, int which, some_rows rows)
{
    return place_operand(subject, trial, which, (size_t)rows.count * (rows.bytes + rows.gap) - rows.gap);
}

static const int64_t *place_numbers(const kernel_subject *subject, const accumulate_case *trial, int which,
                                    some_rows rows)
{
    int64_t *const numbers =
        (int64_t *)(void *)place_operand(subject, trial, which, trial->entries * sizeof *numbers);
    for (size_t i = 0; i < trial->entries; i++)
        numbers[i] = random_between(subject->random, rows.wraps ? -rows.count : 0, rows.count - 1);
    return numbers;
}

/* One number of either list becomes wrong. */
static void spoil_a_number(const kernel_subject *subject, const accumulate_case *trial)
{
    random_source *random = subject->random;
    const bool spoils_source = random_chance(random, 50);
    const some_rows rows = spoils_source ? trial->sources : trial->targets;
    const int64_t wrong[] = {rows.count, rows.count + 1, INT64_MAX, INT64_MIN, rows.wraps ? -rows.count - 1 : -1};
    int64_t *const numbers = (int64_t *)(void *)subject->operands[spoils_source ? SOURCES : TARGETS].begin;
    numbers[random_below(random, trial->entries)] = wrong[random_below(random, COUNT(wrong))];
}

static const char *place_weights(const kernel_subject *subject, const accumulate_case *trial)
{
    const size_t size = element_size(subject->slot->dtype);
    const int64_t last = trial->weighted ? (int64_t)(trial->entries - 1) * trial->weight_step : 0;
    const size_t bytes = trial->weighted ? (size_t)(last < 0 ? -last : last) + size : 0;
    const char *begin = place_operand(subject, trial, WEIGHTS, bytes);
    return trial->weighted ? begin - (last < 0 ? last : 0) : NULL;
}

static strew_named_rows named(some_rows rows)
{
    return (strew_named_rows){(int64_t)(rows.bytes + rows.gap), rows.count, rows.wraps ? rows.count : 0};
}

static accumulate_call place(const kernel_subject *subject, const accumulate_case *trial)
{
    accumulate_call call = {
        .target = place_rows(subject, trial, TARGET, trial->targets),
        .targets = place_numbers(subject, trial, TARGETS, trial->targets),
        .sources = place_numbers(subject, trial, SOURCES, trial->sources),
        .count = trial->entries,
        .accumulation = {.source = place_rows(subject, trial, SOURCE, trial->sources),
                         .sources = named(trial->sources),
                         .targets = named(trial->targets),
                         .row_bytes = trial->sources.bytes,
                         .rows_ahead = trial->rows_ahead,
                         .weights = place_weights(subject, trial),
                         .weight_step = trial->weight_step},
    };
    if (trial->is_wrong)
        spoil_a_number(subject, trial);
    return call;
}

static void fill_rows(random_source *random, char *first, some_rows rows, const value_pool *pool)
{
    for (int64_t row = 0; row < rows.count; row++)
        value_pool_draw(pool, random, first + row * (int64_t)(rows.bytes + rows.gap), rows.bytes);
}

static void fill(const accumulate_subject *adder, const accumulate_case *trial, const accumulate_call *call)
{
    const kernel_subject *subject = adder->subject;
    random_source *random = subject->random;
    const size_t values = random_below(random, COUNT(adder->pools));
    const value_pool *pool = &adder->pools[values];
    char *const weights = subject->operands[WEIGHTS].begin;
    fill_rows(random, call->target, trial->targets, &adder->sum_pools[values]);
    fill_rows(random, subject->operands[SOURCE].begin, trial->sources, pool);
    for (size_t i = 0; trial->weighted && i < trial->entries; i++)
        value_pool_draw(pool, random,
                        weights + (call->accumulation.weights - weights) + (int64_t)i * trial->weight_step,
                        pool->element);
}

/* ---- The check ----------------------------------------------------------------------------------- */

typedef struct kernel_call {
    strew_accumulate_kernel *kernel;
    const accumulate_call *arguments;
    bool result;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const accumulate_call *arguments = call->arguments;
    call->result = call->kernel(arguments->target, arguments->targets, arguments->sources, arguments->count,
                                &arguments->accumulation);
}

static bool make_expected(const kernel_subject *subject, const accumulate_call *call)
{
    accumulate_call expected = *call;
    expected.target = operand_expected(&subject->operands[TARGET], call->target);
    if (!subject->reference)
        return reference_accumulate(subject->slot, &expected);
    kernel_call reference = {(strew_accumulate_kernel *)kernel_in(subject->reference, subject->slot), &expected,
                             false};
    make_call(&reference);
    return reference.result;
}

/* Any NaN equals any other. */
static void settle_rows(const kernel_subject *subject, strew_dtype dtype, some_rows rows)
{
    kernel_slot slot = *subject->slot;
    kernel_subject summed = *subject;
    const operand *target = &subject->operands[TARGET];
    slot.dtype = dtype;
    summed.slot = &slot;
    for (int64_t row = 0; row < rows.count; row++)
        for (size_t e = 0; e < rows.bytes; e += element_size(dtype))
            kernel_settle(&summed, target, target->begin + row * (int64_t)(rows.bytes + rows.gap) + e);
}

static bool operands_are_as_expected(const kernel_subject *subject)
{
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return false;
    return true;
}

static bool print_case(const kernel_subject *subject, const accumulate_case *trial)
{
    const some_rows *sources = &trial->sources, *targets = &trial->targets;
    print_error("    %zu entries, rows of %zu bytes: %" PRId64 " with gaps of %zu%s into %" PRId64
                " with gaps of %zu%s, %s, target at %zu, source at %zu, %u rows ahead%s%s, weight_step %" PRId64
                "\n",
                trial->entries, sources->bytes, sources->count, sources->gap, sources->wraps ? ", wrapping" : "",
                targets->count, targets->gap, targets->wraps ? ", wrapping" : "", placement_name(trial->placement),
                operand_misalignment(&subject->operands[TARGET]), operand_misalignment(&subject->operands[SOURCE]),
                (unsigned)trial->rows_ahead, trial->is_wrong ? ", wrong" : "", trial->weighted ? ", weighted" : "",
                trial->weight_step);
    return false;
}

/* What comes before a number that is wrong has been added, and nothing else. */
static bool check_case(const accumulate_subject *adder, const accumulate_case *trial)
{
    const kernel_subject *subject = adder->subject;
    const accumulate_call call = place(subject, trial);
    fill(adder, trial, &call);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    const bool is_right = make_expected(subject, &call);
    kernel_call checked = {(strew_accumulate_kernel *)kernel_in(subject->kernels, subject->slot), &call, false};
    if (!kernel_survives(subject, make_call, &checked))
        return print_case(subject, trial);
    if (checked.result != is_right)
        return kernel_report(subject, "returns %d, should return %d", checked.result, is_right) ||
               print_case(subject, trial);
    settle_rows(subject, adder->sums, trial->targets);
    return operands_are_as_expected(subject) || print_case(subject, trial);
}

/* ---- Sweeps -------------------------------------------------------------------------------------- */

static some_rows random_rows(random_source *random, size_t bytes)
{
    return (some_rows){.count = 1 + (int64_t)random_below(random, 40),
                       .bytes = bytes,
                       .gap = random_chance(random, 50) ? random_below(random, 10) : 0,
                       .wraps = random_chance(random, 50)};
}

static accumulate_case random_case(const accumulate_subject *adder, size_t entries, size_t row_bytes)
{
    static const uint32_t ahead[] = {0, 1, 12, 32};
    random_source *random = adder->subject->random;
    const int64_t size = (int64_t)element_size(adder->subject->slot->dtype);
    const int64_t weight_steps[] = {size, size, 0, -size, size + 3};
    accumulate_case trial = {
        .entries = entries,
        .sources = random_rows(random, row_bytes),
        .targets = random_rows(random, row_bytes / (size_t)size * element_size(adder->sums)),
        .is_wrong = entries > 0 && random_chance(random, 15),
        .weighted = random_chance(random, 40) && entries > 0,
        .weight_step = weight_steps[random_below(random, COUNT(weight_steps))],
        .rows_ahead = ahead[random_below(random, COUNT(ahead))],
    };
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (i != SOURCES && i != TARGETS)
            trial.misalignments[i] = random_below(random, 64);
    return trial;
}

static bool check_some(const accumulate_subject *adder, size_t entries, size_t row_bytes, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        accumulate_case trial = random_case(adder, entries, row_bytes);
        trial.placement = (operand_placement)(round % OPERAND_PLACEMENT_COUNT);
        if (!check_case(adder, &trial))
            return false;
    }
    return true;
}

bool check_accumulate(const kernel_subject *subject)
{
    static const size_t counts[] = {127, 128, 129, 511, ACCUMULATED_ENTRIES};
    random_source *random = subject->random;
    const strew_dtype dtype = subject->slot->dtype;
    const size_t size = element_size(dtype);
    accumulate_subject adder = {.subject = subject, .sums = strew_is_half(dtype) ? STREW_DTYPE_FLOAT32 : dtype};
    value_pool_of_ordinary(&adder.pools[0], random, dtype);
    value_pool_of_special(&adder.pools[1], random, dtype);
    value_pool_of_ordinary(&adder.sum_pools[0], random, adder.sums);
    value_pool_of_special(&adder.sum_pools[1], random, adder.sums);
    for (size_t elements = 1; elements * size <= 600; elements++)
        if (!check_some(&adder, random_below(random, 20), elements * size, 6))
            return false;
    for (size_t entries = 0; entries <= 70; entries++)
        if (!check_some(&adder, entries, (1 + random_below(random, 40)) * size, 12))
            return false;
    for (size_t i = 0; i < COUNT(counts); i++)
        if (!check_some(&adder, counts[i], (1 + random_below(random, 40)) * size, 12))
            return false;
    return true;
}
