/* The calls that every kernel that folds rows into others is checked with. */
#include <inttypes.h>

#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { TARGET, TARGET_OFFSETS, SOURCE, SOURCE_OFFSETS, WEIGHTS, START, CARRY };

/* Which runs there are. */
typedef enum run_kind {
    RUNS_OF_ONE,
    RUNS_OF_SOME,
    RUNS_OF_MANY,
    RUNS_THAT_RETURN,
    ONE_RUN,
    RUN_KIND_COUNT
} run_kind;

typedef struct fold_case {
    size_t count;
    size_t row_bytes;
    run_kind runs;
    size_t gap; /* between rows */
    operand_placement placement;
    size_t misalignments[KERNEL_OPERANDS];
    bool weighted, started;
    int64_t weight_step;
    bool continued, open, apart;
    bool is_mean;
    uint64_t counted;
    uint32_t rows_ahead, targets_ahead;
} fold_case;

static bool is_half(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_FLOAT16 || dtype == STREW_DTYPE_BFLOAT16;
}

/* ---- Operands ------------------------------------------------------------------------------------ */

static char *place_operand(const kernel_subject *subject, const fold_case *trial, int which, size_t bytes)
{
    static const char *const names[KERNEL_OPERANDS] = {"target",  "target offsets", "source", "source offsets",
                                                       "weights", "start",          "carry"};
    operand *placed = &subject->operands[which];
    operand_place(placed, names[which], bytes, trial->placement, trial->misalignments[which]);
    return placed->begin;
}

/* Rows, by their numbers, become offsets from a place that is not the first row's. Returns that place. */
static char *place_rows(const kernel_subject *subject, const fold_case *trial, int which, int64_t *offsets)
{
    const int64_t step = (int64_t)(trial->row_bytes + trial->gap),
                  origin = step * random_between(subject->random, -3, 3);
    int64_t greatest = 0;
    for (size_t i = 0; i < trial->count; i++) {
        greatest = offsets[i] > greatest ? offsets[i] : greatest;
        offsets[i] = offsets[i] * step - origin;
    }
    const size_t bytes = trial->count > 0 ? (size_t)(greatest * step) + trial->row_bytes : 0;
    return place_operand(subject, trial, which, bytes) + origin;
}

static int64_t next_target(const kernel_subject *subject, const fold_case *trial, int64_t last)
{
    random_source *random = subject->random;
    switch (trial->runs) {
    case RUNS_OF_ONE: return last + 1;
    case RUNS_OF_SOME: return last + random_chance(random, 40);
    case RUNS_OF_MANY: return last + random_chance(random, 7);
    case RUNS_THAT_RETURN: return random_between(random, 0, 2);
    default: return last;
    }
}

static int64_t *place_target_rows(const kernel_subject *subject, const fold_case *trial)
{
    int64_t *rows = (int64_t *)(void *)place_operand(subject, trial, TARGET_OFFSETS, trial->count * sizeof *rows);
    for (size_t i = 0; i < trial->count; i++)
        rows[i] = i > 0 ? next_target(subject, trial, rows[i - 1]) : 0;
    return rows;
}

static int64_t *place_source_rows(const kernel_subject *subject, const fold_case *trial)
{
    int64_t *rows = (int64_t *)(void *)place_operand(subject, trial, SOURCE_OFFSETS, trial->count * sizeof *rows);
    for (size_t i = 0; i < trial->count; i++)
        rows[i] = (int64_t)random_below(subject->random, trial->count);
    return rows;
}

static const char *place_weights(const kernel_subject *subject, const fold_case *trial)
{
    const size_t size = element_size(subject->slot->dtype);
    const int64_t last = trial->weighted && trial->count > 0 ? (int64_t)(trial->count - 1) * trial->weight_step : 0;
    const size_t bytes = trial->weighted ? (size_t)(last < 0 ? -last : last) + size : 0;
    const char *begin = place_operand(subject, trial, WEIGHTS, bytes);
    return trial->weighted ? begin - (last < 0 ? last : 0) : NULL;
}

static fold_call place(const kernel_subject *subject, const fold_case *trial)
{
    const size_t size = element_size(subject->slot->dtype);
    const bool carries = is_half(subject->slot->dtype) && (trial->continued || trial->open);
    int64_t *targets = place_target_rows(subject, trial), *sources = place_source_rows(subject, trial);
    fold_call call = {.target_offsets = targets, .source_offsets = sources, .count = trial->count};
    char *const start = place_operand(subject, trial, START, trial->started ? size : 0);
    char *const carry = place_operand(subject, trial, CARRY, carries ? trial->row_bytes / size * sizeof(float) : 0);
    call.target = place_rows(subject, trial, TARGET, targets);
    call.fold = (strew_fold){
        .source = place_rows(subject, trial, SOURCE, sources),
        .row_bytes = trial->row_bytes,
        .weights = place_weights(subject, trial),
        .weight_step = trial->weight_step,
        .start = trial->started ? start : NULL,
        .continued = trial->continued,
        .open = trial->open,
        .apart = trial->apart,
        .is_mean = trial->is_mean && !trial->apart,
        .counted = trial->counted,
        .carry = carries ? carry : NULL,
        .access = {.rows_ahead = trial->rows_ahead},
        .targets_ahead = trial->targets_ahead,
    };
    return call;
}

/* A place in an operand that the kernel only reads. */
static char *inside(const kernel_subject *subject, int which, const char *place)
{
    char *begin = subject->operands[which].begin;
    return begin + (place - begin);
}

static void fill(const kernel_subject *subject, const fold_call *call, const value_pool *pool,
                 const value_pool *floats)
{
    random_source *random = subject->random;
    for (size_t i = 0; i < call->count; i++) {
        value_pool_draw(pool, random, call->target + call->target_offsets[i], call->fold.row_bytes);
        value_pool_draw(pool, random, inside(subject, SOURCE, call->fold.source + call->source_offsets[i]),
                        call->fold.row_bytes);
    }
    value_pool_draw(pool, random, subject->operands[START].begin, subject->operands[START].bytes);
    value_pool_draw(floats, random, subject->operands[CARRY].begin, subject->operands[CARRY].bytes);
    for (size_t i = 0; call->fold.weights && i < call->count; i++)
        value_pool_draw(pool, random,
                        inside(subject, WEIGHTS, call->fold.weights + (int64_t)i * call->fold.weight_step),
                        pool->element);
}

/* ---- The check ----------------------------------------------------------------------------------- */

typedef struct kernel_call {
    strew_fold_kernel *kernel;
    const fold_call *arguments;
} kernel_call;

static void make_call(void *context)
{
    const kernel_call *call = context;
    const fold_call *arguments = call->arguments;
    call->kernel(arguments->target, arguments->target_offsets, arguments->source_offsets, arguments->count,
                 &arguments->fold);
}

static void make_expected(const kernel_subject *subject, const fold_call *call)
{
    fold_call expected = *call;
    expected.target = operand_expected(&subject->operands[TARGET], call->target);
    if (call->fold.carry)
        expected.fold.carry = operand_expected(&subject->operands[CARRY], call->fold.carry);
    if (subject->reference)
        make_call(&(kernel_call){(strew_fold_kernel *)kernel_in(subject->reference, subject->slot), &expected});
    else
        reference_fold(subject->slot, &expected);
}

/* Any NaN equals any other. */
static void settle(const kernel_subject *subject, const fold_call *call)
{
    const operand *carry = &subject->operands[CARRY];
    for (size_t i = 0; i < call->count; i++)
        for (size_t e = 0; e < call->fold.row_bytes; e += element_size(subject->slot->dtype))
            kernel_settle(subject, &subject->operands[TARGET], call->target + call->target_offsets[i] + e);
    for (size_t e = 0; e < carry->bytes; e += sizeof(float))
        if (element_same(STREW_DTYPE_FLOAT32, carry->begin + e, operand_expected(carry, carry->begin + e)))
            memcpy(carry->begin + e, operand_expected(carry, carry->begin + e), sizeof(float));
}

static bool operands_are_as_expected(const kernel_subject *subject)
{
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return false;
    return true;
}

static bool print_case(const kernel_subject *subject, const fold_case *trial)
{
    static const char *const runs[RUN_KIND_COUNT] = {"runs of one", "runs of some", "runs of many",
                                                     "runs that return", "one run"};
    print_error(
        "    count %zu, row_bytes %zu with gaps of %zu, %s, %s, target at %zu, source at %zu, %u rows and %u "
        "targets ahead%s%s%s%s%s%s, counted %" PRIu64 ", weight_step %" PRId64 "\n",
        trial->count, trial->row_bytes, trial->gap, runs[trial->runs], placement_name(trial->placement),
        operand_misalignment(&subject->operands[TARGET]), operand_misalignment(&subject->operands[SOURCE]),
        (unsigned)trial->rows_ahead, (unsigned)trial->targets_ahead, trial->weighted ? ", weighted" : "",
        trial->started ? ", started" : "", trial->continued ? ", continued" : "", trial->open ? ", open" : "",
        trial->apart ? ", apart" : "", trial->is_mean ? ", mean" : "", trial->counted, trial->weight_step);
    return false;
}

typedef struct fold_subject {
    const kernel_subject *subject;
    value_pool pools[2], floats[2]; /* ordinary and special elements, and what is carried */
} fold_subject;

static bool check_case(const fold_subject *folder, const fold_case *trial)
{
    const kernel_subject *subject = folder->subject;
    const size_t values = random_below(subject->random, 2);
    const fold_call call = place(subject, trial);
    fill(subject, &call, &folder->pools[values], &folder->floats[values]);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    make_expected(subject, &call);
    kernel_call checked = {(strew_fold_kernel *)kernel_in(subject->kernels, subject->slot), &call};
    if (!kernel_survives(subject, make_call, &checked))
        return print_case(subject, trial);
    settle(subject, &call);
    return operands_are_as_expected(subject) || print_case(subject, trial);
}

/* ---- Sweeps -------------------------------------------------------------------------------------- */

static fold_case random_case(const kernel_subject *subject, size_t count, size_t row_bytes)
{
    static const uint32_t ahead[] = {0, 0, 1, 8, 16};
    /* more than halves hold, and with what a call adds no more than floats do */
    static const uint64_t counted[] = {0, 1, 255, 2047, 65505, 16000001};
    random_source *random = subject->random;
    const int64_t size = (int64_t)element_size(subject->slot->dtype);
    const int64_t weight_steps[] = {size, size, 0, -size, size + 3};
    fold_case trial = {
        .count = count,
        .row_bytes = row_bytes,
        .runs = (run_kind)random_below(random, RUN_KIND_COUNT),
        .gap = random_chance(random, 50) ? random_below(random, 10) : 0,
        .placement = (operand_placement)random_below(random, OPERAND_PLACEMENT_COUNT),
        .weighted = random_chance(random, 50),
        .started = random_chance(random, 50),
        .weight_step = weight_steps[random_below(random, COUNT(weight_steps))],
        .continued = random_chance(random, 30),
        .open = random_chance(random, 30),
        .apart = random_chance(random, 20),
        .is_mean = random_chance(random, 30),
        .counted = counted[random_below(random, COUNT(counted))],
        .rows_ahead = ahead[random_below(random, COUNT(ahead))],
        .targets_ahead = ahead[random_below(random, COUNT(ahead))],
    };
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (i != TARGET_OFFSETS && i != SOURCE_OFFSETS)
            trial.misalignments[i] = random_below(random, 64);
    return trial;
}

static bool check_some(const fold_subject *folder, size_t count, size_t row_bytes, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        fold_case trial = random_case(folder->subject, count, row_bytes);
        trial.placement = (operand_placement)(round % OPERAND_PLACEMENT_COUNT);
        if (!check_case(folder, &trial))
            return false;
    }
    return true;
}

/* Past two blocks of 16 vectors of 16 bytes, and what they leave; and, by larger steps, of vectors of 64. */
static bool sweep_row_lengths(const fold_subject *folder)
{
    random_source *random = folder->subject->random;
    const size_t size = element_size(folder->subject->slot->dtype);
    for (size_t elements = 0; elements * size <= 600; elements++)
        if (!check_some(folder, 1 + random_below(random, 9), elements * size, 3))
            return false;
    for (size_t elements = 600 / size; elements * size <= 2200; elements += 1 + random_below(random, 20))
        if (!check_some(folder, 1 + random_below(random, 5), elements * size, 3))
            return false;
    return check_some(folder, 3, 20000 / size * size, 3);
}

static bool sweep_counts(const fold_subject *folder)
{
    static const size_t large[] = {127, 128, 129, 511, 512};
    random_source *random = folder->subject->random;
    const size_t size = element_size(folder->subject->slot->dtype);
    for (size_t count = 0; count <= 70; count++)
        if (!check_some(folder, count, random_below(random, 41) * size, 9))
            return false;
    for (size_t i = 0; i < COUNT(large); i++)
        if (!check_some(folder, large[i], random_below(random, 41) * size, 6))
            return false;
    return true;
}

/* Every run, start and end, of rows that a vector holds and of others. */
static bool sweep_runs(const fold_subject *folder)
{
    random_source *random = folder->subject->random;
    const size_t size = element_size(folder->subject->slot->dtype);
    for (int runs = 0; runs < RUN_KIND_COUNT; runs++)
        for (unsigned choice = 0; choice < 64; choice++) {
            fold_case trial =
                random_case(folder->subject, 1 + random_below(random, 20), (1 + random_below(random, 80)) * size);
            trial.runs = (run_kind)runs;
            trial.weighted = choice & 1;
            trial.started = choice & 2;
            trial.continued = choice & 4;
            trial.open = choice & 8;
            trial.apart = choice & 16;
            if (!check_case(folder, &trial))
                return false;
        }
    return true;
}

bool check_fold(const kernel_subject *subject)
{
    fold_subject folder = {.subject = subject};
    value_pool_of_ordinary(&folder.pools[0], subject->random, subject->slot->dtype);
    value_pool_of_special(&folder.pools[1], subject->random, subject->slot->dtype);
    value_pool_of_ordinary(&folder.floats[0], subject->random, STREW_DTYPE_FLOAT32);
    value_pool_of_special(&folder.floats[1], subject->random, STREW_DTYPE_FLOAT32);
    return sweep_row_lengths(&folder) && sweep_counts(&folder) && sweep_runs(&folder);
}
