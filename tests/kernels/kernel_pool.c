/* The calls that every kernel that sums bags of rows is checked with. */
#include <inttypes.h>

#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { TARGET, SOURCE, INDICES, ENDS, WEIGHTS };

typedef struct pool_case {
    size_t entries, bags, begin; /* `begin`: entries that are in no bag */
    size_t row_bytes, source_gap, target_gap;
    int64_t rows;
    bool is_narrow, wraps, is_wrong, has_more; /* `is_wrong`: an index is; `has_more`: entries for later calls */
    bool counts;                               /* each entry names the row of its own number */
    bool adds;                                 /* to what rows of the target hold */
    bool is_mean;
    bool weighted;
    bool lone;     /* bags have one entry each, or all but two */
    bool together; /* rows are added several at a time */
    bool near;     /* caches are told to hold them */
    bool nearest;  /* and a second-level cache is */
    int64_t weight_step;
    uint32_t rows_ahead;
    operand_placement placement;
    size_t misalignments[KERNEL_OPERANDS];
} pool_case;

typedef struct pool_subject {
    const kernel_subject *subject;
    value_pool pools[2]; /* ordinary and special elements */
} pool_subject;

/* ---- Operands ------------------------------------------------------------------------------------ */

static char *place_operand(const kernel_subject *subject, const pool_case *trial, int which, size_t bytes)
{
    static const char *const names[KERNEL_OPERANDS] = {"target", "source", "indices", "ends", "weights"};
    operand *placed = &subject->operands[which];
    operand_place(placed, names[which], bytes, trial->placement, trial->misalignments[which]);
    return placed->begin;
}

static char *place_rows(const kernel_subject *subject, const pool_case *trial, int which, int64_t rows, size_t gap)
{
    const size_t bytes = rows > 0 ? (size_t)rows * (trial->row_bytes + gap) - gap : 0;
    return place_operand(subject, trial, which, bytes);
}

static void store_index(char *place, bool is_narrow, int64_t index)
{
    const int32_t narrow = (int32_t)index;
    if (is_narrow)
        memcpy(place, &narrow, sizeof narrow);
    else
        memcpy(place, &index, sizeof index);
}

/* One of them is wrong, if one is to be. */
static const char *place_indices(const kernel_subject *subject, const pool_case *trial)
{
    if (trial->counts) {
        place_operand(subject, trial, INDICES, 0);
        return NULL;
    }
    random_source *random = subject->random;
    const size_t size = trial->is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    const int64_t greatest = trial->is_narrow ? INT32_MAX : INT64_MAX, rows = trial->rows;
    const int64_t wrong[] = {rows, rows + 1, greatest, -greatest - 1, trial->wraps ? -rows - 1 : -1};
    char *const indices = place_operand(subject, trial, INDICES, trial->entries * size);
    for (size_t i = 0; i < trial->entries; i++)
        store_index(indices + i * size, trial->is_narrow,
                    random_between(random, trial->wraps ? -rows : 0, rows - 1));
    if (trial->is_wrong)
        store_index(indices + (trial->begin + random_below(random, trial->entries - trial->begin)) * size,
                    trial->is_narrow, wrong[random_below(random, COUNT(wrong))]);
    return indices;
}

static void end_lone_bags(random_source *random, const pool_case *trial, int64_t *ends)
{
    for (size_t b = 0; b < trial->bags; b++)
        ends[b] = (int64_t)(trial->begin + b + 1);
    if (trial->bags > 1 && random_chance(random, 30))
        ends[random_below(random, trial->bags - 1)]--;
}

/* Bags of any length, which are all entries, or leave some. */
static const int64_t *place_ends(const kernel_subject *subject, const pool_case *trial)
{
    random_source *random = subject->random;
    int64_t *const ends = (int64_t *)(void *)place_operand(subject, trial, ENDS, trial->bags * sizeof *ends);
    size_t end = trial->begin;
    if (trial->lone) {
        end_lone_bags(random, trial, ends);
        return ends;
    }
    for (size_t b = 0; b < trial->bags; b++) {
        const size_t left = trial->entries - end, most = 1 + 2 * trial->entries / trial->bags;
        end += random_below(random, 1 + (left < most ? left : most));
        ends[b] = (int64_t)end;
    }
    if (!trial->has_more)
        ends[trial->bags - 1] = (int64_t)trial->entries;
    return ends;
}

static const char *place_weights(const kernel_subject *subject, const pool_case *trial)
{
    const size_t size = element_size(subject->slot->dtype);
    const int64_t last = trial->weighted ? (int64_t)(trial->entries - 1) * trial->weight_step : 0;
    const size_t bytes = trial->weighted ? (size_t)(last < 0 ? -last : last) + size : 0;
    const char *begin = place_operand(subject, trial, WEIGHTS, bytes);
    return trial->weighted ? begin - (last < 0 ? last : 0) : NULL;
}

static pool_call place(const kernel_subject *subject, const pool_case *trial)
{
    pool_call call = {
        .target = place_rows(subject, trial, TARGET, (int64_t)trial->bags, trial->target_gap),
        .target_step = (int64_t)(trial->row_bytes + trial->target_gap),
        .begin = trial->begin,
        .ends = place_ends(subject, trial),
        .bags = trial->bags,
    };
    call.pool = (strew_pool){
        .source = place_rows(subject, trial, SOURCE, trial->rows, trial->source_gap),
        .source_step = (int64_t)(trial->row_bytes + trial->source_gap),
        .rows = trial->rows,
        .gain = trial->wraps ? trial->rows : 0,
        .row_bytes = trial->row_bytes,
        .indices = place_indices(subject, trial),
        .is_narrow = trial->is_narrow,
        .adds = trial->adds,
        .is_mean = trial->is_mean,
        .together = trial->together,
        .near = trial->near,
        .nearest = trial->nearest,
        .entries = trial->entries,
        .rows_ahead = trial->rows_ahead,
        .weights = place_weights(subject, trial),
        .weight_step = trial->weight_step,
    };
    return call;
}

static void fill(const kernel_subject *subject, const pool_case *trial, const pool_call *call,
                 const value_pool *pool)
{
    random_source *random = subject->random;
    for (size_t b = 0; trial->adds && b < trial->bags; b++)
        value_pool_draw(pool, random, call->target + (int64_t)b * call->target_step, trial->row_bytes);
    char *const source = subject->operands[SOURCE].begin, *const weights = subject->operands[WEIGHTS].begin;
    for (int64_t row = 0; row < trial->rows; row++)
        value_pool_draw(pool, random, source + row * call->pool.source_step, trial->row_bytes);
    for (size_t i = 0; trial->weighted && i < trial->entries; i++)
        value_pool_draw(pool, random,
                        weights + (call->pool.weights - weights) + (int64_t)i * call->pool.weight_step,
                        pool->element);
}

/* ---- The check ----------------------------------------------------------------------------------- */

typedef struct kernel_call {
    strew_pool_kernel *kernel;
    const pool_call *arguments;
    bool result;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const pool_call *arguments = call->arguments;
    call->result = call->kernel(arguments->target, arguments->target_step, arguments->begin, arguments->ends,
                                arguments->bags, &arguments->pool);
}

static bool make_expected(const kernel_subject *subject, const pool_call *call)
{
    pool_call expected = *call;
    expected.target = operand_expected(&subject->operands[TARGET], call->target);
    if (!subject->reference)
        return reference_pool(subject->slot, &expected);
    kernel_call reference = {(strew_pool_kernel *)kernel_in(subject->reference, subject->slot), &expected, false};
    make_call(&reference);
    return reference.result;
}

/* Any NaN equals any other, and where an index is wrong rows may have been written or not. */
static void settle(const kernel_subject *subject, const pool_call *call, bool is_right)
{
    const operand *target = &subject->operands[TARGET];
    for (size_t b = 0; b < call->bags; b++) {
        char *const row = call->target + (int64_t)b * call->target_step;
        if (!is_right)
            memcpy(row, operand_expected(target, row), call->pool.row_bytes);
        for (size_t e = 0; e < call->pool.row_bytes; e += element_size(subject->slot->dtype))
            kernel_settle(subject, target, row + e);
    }
}

static bool operands_are_as_expected(const kernel_subject *subject)
{
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return false;
    return true;
}

static bool print_case(const kernel_subject *subject, const pool_case *trial)
{
    print_error("    %zu entries from %zu in %zu bags%s, row_bytes %zu with gaps of %zu and %zu, %" PRId64
                " rows, %s, target at %zu, source at %zu, %u rows ahead%s%s%s%s%s%s%s, weight_step %" PRId64 "\n",
                trial->entries, trial->begin, trial->bags, trial->has_more ? " and more" : "", trial->row_bytes,
                trial->source_gap, trial->target_gap, trial->rows, placement_name(trial->placement),
                operand_misalignment(&subject->operands[TARGET]), operand_misalignment(&subject->operands[SOURCE]),
                (unsigned)trial->rows_ahead, trial->is_narrow ? ", narrow" : "", trial->wraps ? ", wrapping" : "",
                trial->adds ? ", adding" : "", trial->is_mean ? ", mean" : "",
                trial->counts     ? ", by count"
                : trial->is_wrong ? ", wrong"
                                  : "",
                trial->weighted ? ", weighted" : "", trial->together ? ", together" : "", trial->weight_step);
    return false;
}

static bool check_case(const pool_subject *pooler, const pool_case *trial)
{
    const kernel_subject *subject = pooler->subject;
    const pool_call call = place(subject, trial);
    fill(subject, trial, &call, &pooler->pools[random_below(subject->random, 2)]);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    const bool is_right = make_expected(subject, &call);
    kernel_call checked = {(strew_pool_kernel *)kernel_in(subject->kernels, subject->slot), &call, false};
    if (!kernel_survives(subject, make_call, &checked))
        return print_case(subject, trial);
    if (checked.result != is_right)
        return kernel_report(subject, "returns %d, should return %d", checked.result, is_right) ||
               print_case(subject, trial);
    settle(subject, &call, is_right);
    return operands_are_as_expected(subject) || print_case(subject, trial);
}

/* ---- Sweeps -------------------------------------------------------------------------------------- */

static pool_case random_case(const kernel_subject *subject, size_t entries, size_t row_bytes)
{
    static const uint32_t ahead[] = {0, 1, 8, 32};
    random_source *random = subject->random;
    const int64_t size = (int64_t)element_size(subject->slot->dtype);
    const int64_t weight_steps[] = {size, size, 0, -size, size + 3};
    pool_case trial = {
        .entries = entries,
        .bags = 1 + random_below(random, random_chance(random, 50) ? 3 : 1 + entries),
        .begin = random_chance(random, 30) ? random_below(random, entries + 1) : 0,
        .row_bytes = row_bytes,
        .source_gap = random_chance(random, 50) ? random_below(random, 10) : 0,
        .target_gap = random_chance(random, 50) ? random_below(random, 10) : 0,
        .rows = 1 + (int64_t)random_below(random, 40),
        .is_narrow = random_chance(random, 50),
        .wraps = random_chance(random, 50),
        .has_more = random_chance(random, 30),
        .adds = random_chance(random, 30),
        .is_mean = random_chance(random, 30),
        .weighted = random_chance(random, 40) && entries > 0,
        .together = random_chance(random, 50),
        .near = random_chance(random, 50),
        .nearest = random_chance(random, 50),
        .weight_step = weight_steps[random_below(random, COUNT(weight_steps))],
        .rows_ahead = ahead[random_below(random, COUNT(ahead))],
        .placement = (operand_placement)random_below(random, OPERAND_PLACEMENT_COUNT),
    };
    trial.is_mean = trial.is_mean && !trial.weighted && strew_is_half(subject->slot->dtype);
    trial.is_wrong = trial.begin < entries && random_chance(random, 15);
    trial.counts = !trial.weighted && !trial.is_wrong && random_chance(random, 25);
    if (trial.counts && entries > 0)
        trial.rows = (int64_t)entries;
    trial.lone = trial.begin < entries && random_chance(random, 25);
    if (trial.lone)
        trial.bags = entries - trial.begin;
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (i != ENDS)
            trial.misalignments[i] = random_below(random, 64);
    return trial;
}

static bool check_some(const pool_subject *pooler, size_t entries, size_t row_bytes, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        pool_case trial = random_case(pooler->subject, entries, row_bytes);
        trial.placement = (operand_placement)(round % OPERAND_PLACEMENT_COUNT);
        if (!check_case(pooler, &trial))
            return false;
    }
    return true;
}

/* Past two blocks of 16 vectors of 16 bytes, and what they leave; and, by larger steps, of vectors of 64. */
static bool sweep_row_lengths(const pool_subject *pooler)
{
    random_source *random = pooler->subject->random;
    const size_t size = element_size(pooler->subject->slot->dtype);
    for (size_t elements = 1; elements * size <= 600; elements++)
        if (!check_some(pooler, random_below(random, 14), elements * size, 6))
            return false;
    for (size_t elements = 600 / size; elements * size <= 2200; elements += 1 + random_below(random, 20))
        if (!check_some(pooler, random_below(random, 5), elements * size, 3))
            return false;
    return check_some(pooler, 3, 20000 / size * size, 3) && check_some(pooler, 9, 8200 / size * size, 6);
}

static bool sweep_counts(const pool_subject *pooler)
{
    static const size_t large[] = {127, 128, 129, 511, POOL_ENTRIES};
    random_source *random = pooler->subject->random;
    const size_t size = element_size(pooler->subject->slot->dtype);
    for (size_t entries = 0; entries <= 70; entries++)
        if (!check_some(pooler, entries, (1 + random_below(random, 40)) * size, 12))
            return false;
    for (size_t i = 0; i < COUNT(large); i++)
        if (!check_some(pooler, large[i], (1 + random_below(random, 40)) * size, 12))
            return false;
    return true;
}

bool check_pool(const kernel_subject *subject)
{
    pool_subject pooler = {.subject = subject};
    value_pool_of_ordinary(&pooler.pools[0], subject->random, subject->slot->dtype);
    value_pool_of_special(&pooler.pools[1], subject->random, subject->slot->dtype);
    return sweep_row_lengths(&pooler) && sweep_counts(&pooler);
}
