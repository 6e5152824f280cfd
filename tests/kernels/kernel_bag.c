/* The calls that check every kernel that combines rows of bags. */
#include <inttypes.h>

#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { TARGET, SOURCE, INDICES, WEIGHTS, ORDER, START, EMPTY };

/* The ways in which entries name rows. */
typedef enum naming { BY_COUNT, BY_INT32, BY_INT64, BY_ODD_DTYPE, BY_STEPS, BY_LINES, NAMING_COUNT } naming;

/* The treatment of a bad index. */
typedef enum wrong { NONE_IS_WRONG, WRONG_REFUSED, WRONG_LEFT_OUT, WRONG_AMENDED, WRONG_COUNT } wrong;

/* The content of rows without entries. */
typedef enum emptiness { EMPTY_KEPT, EMPTY_ELEMENT, EMPTY_START, EMPTY_DEFAULT, EMPTINESS_COUNT } emptiness;

enum { MOST_BAGS = 640 };

typedef struct bag_case {
    int64_t entries, rows;
    size_t bags, row_bytes, source_gap, target_gap;
    naming naming;
    strew_dtype index_dtype;
    wrong wrong;
    emptiness empty;
    bool wraps, reversed, started, weighted, ordered, plainly_weighted, is_far, rounds, is_mean;
    bool single;   /* each bag has one entry */
    bool numbered; /* and its rows are named by number */
    bool rest;     /* entries may come before the first bag and after the last */
    operand_placement placement;
    size_t misalignments[KERNEL_OPERANDS];
} bag_case;

typedef struct bag_subject {
    const kernel_subject *subject;
    value_pool pools[2]; /* ordinary and special elements */
} bag_subject;

/* ---- Operands ------------------------------------------------------------------------------------ */

static char *place_operand(const kernel_subject *subject, const bag_case *trial, int which, size_t bytes)
{
    static const char *const names[KERNEL_OPERANDS] = {"target", "source", "indices", "weights",
                                                       "order",  "start",  "empty"};
    operand *placed = &subject->operands[which];
    operand_place(placed, names[which], bytes, trial->placement, trial->misalignments[which]);
    return placed->begin;
}

static char *place_rows(const kernel_subject *subject, const bag_case *trial, int which, int64_t rows, size_t gap)
{
    return place_operand(subject, trial, which, rows > 0 ? (size_t)rows * (trial->row_bytes + gap) - gap : 0);
}

/* The line and the steps of a list. Lines have gaps between them. */
typedef struct list_steps {
    int64_t line, step, line_step;
} list_steps;

static list_steps steps_of(const bag_case *trial, bool is_plain, int64_t size)
{
    if (is_plain)
        return (list_steps){trial->entries > 0 ? trial->entries : 1, size, 0};
    if (trial->naming == BY_LINES)
        return (list_steps){3, size, 3 * size + 5};
    return (list_steps){trial->entries > 0 ? trial->entries : 1, size + 3, 0};
}

static size_t list_bytes(list_steps steps, int64_t count, int64_t size)
{
    return count > 0 ? (size_t)((count - 1) / steps.line * steps.line_step +
                                (count > steps.line ? steps.line - 1 : count - 1) * steps.step + size)
                     : 0;
}

/* Places indices, some of them bad if the case has bad ones. */
static void place_indices(const kernel_subject *subject, const bag_case *trial, strew_bag_entries *entries)
{
    random_source *random = subject->random;
    const int64_t size = (int64_t)element_size(trial->index_dtype), rows = trial->rows;
    const list_steps steps = steps_of(trial, trial->naming <= BY_ODD_DTYPE, size);
    const bool is_named = trial->naming != BY_COUNT;
    char *const indices =
        place_operand(subject, trial, INDICES, is_named ? list_bytes(steps, trial->entries, size) : 0);
    entries->index_dtype = is_named ? trial->index_dtype : STREW_DTYPE_NONE;
    entries->indices = is_named ? indices : NULL;
    entries->index_step = steps.step;
    entries->index_line_step = steps.line_step;
    for (int64_t e = 0; e < trial->entries && is_named; e++) {
        const bool is_wrong = trial->wrong != NONE_IS_WRONG && random_chance(random, 10);
        const int64_t most = element_is_signed(trial->index_dtype) ? 100 : 200;
        int64_t index = random_between(random, trial->wraps ? -rows : 0, rows - 1);
        if (is_wrong)
            index = random_chance(random, 50) || !element_is_signed(trial->index_dtype)
                        ? random_between(random, rows, most)
                    : trial->wraps ? random_between(random, -100, -rows - 1)
                                   : -1;
        element_store_integer(trial->index_dtype, (uint64_t)index,
                              indices + e / steps.line * steps.line_step + e % steps.line * steps.step);
    }
}

/* Weights of sorted entries are fewer, and the order of some entries is beyond all weights. */
static void place_weights(const kernel_subject *subject, const bag_case *trial, strew_bag_entries *entries)
{
    random_source *random = subject->random;
    const int64_t size = (int64_t)element_size(subject->slot->dtype);
    const int64_t count = !trial->weighted ? 0 : trial->ordered ? 1 + trial->entries / 2 : trial->entries;
    const list_steps steps = steps_of(trial, trial->plainly_weighted && trial->naming != BY_LINES, size);
    char *const weights = place_operand(subject, trial, WEIGHTS, list_bytes(steps, count, size));
    char *const order = place_operand(subject, trial, ORDER, trial->ordered ? (size_t)trial->entries * 4 : 0);
    entries->weights = trial->weighted ? weights : NULL;
    entries->weight_step = steps.step;
    entries->weight_line_step = steps.line_step;
    entries->weight_count = count;
    entries->order = trial->ordered ? order : NULL;
    for (int64_t e = 0; e < trial->entries && trial->ordered; e++) {
        const uint32_t entry = (uint32_t)random_below(random, (size_t)count + 2);
        memcpy(order + e * 4, &entry, sizeof entry);
    }
}

/* The memory behind the pointers of a window. */
typedef struct bag_room {
    int64_t begins[MOST_BAGS + 1], targets[MOST_BAGS], left_out[MOST_BAGS], sources[MOST_BAGS];
} bag_room;

/* Bags of any length. Without indices their rows of the target may be in the opposite order. */
static void make_bags(const kernel_subject *subject, const bag_case *trial, bag_room *bags)
{
    random_source *random = subject->random;
    const int64_t step = (int64_t)(trial->row_bytes + trial->target_gap);
    int64_t end = trial->rest && trial->entries > 0 ? (int64_t)random_below(random, 2) : 0;
    for (size_t b = 0; b < trial->bags; b++) {
        const int64_t most = 1 + 2 * trial->entries / (int64_t)trial->bags, left = trial->entries - end;
        bags->begins[b] = end;
        end += trial->single ? 1 : (int64_t)random_below(random, (size_t)(1 + (left < most ? left : most)));
        end = b + 1 == trial->bags && !trial->rest ? trial->entries : end;
        bags->begins[b + 1] = end;
        bags->targets[b] = (int64_t)(trial->reversed ? trial->bags - 1 - b : b) * step;
    }
}

/* The rows of entries that are bags, and now and then one that is dropped. */
static void number_rows(const kernel_subject *subject, const bag_case *trial, bag_call *call, bag_room *bags)
{
    random_source *random = subject->random;
    strew_bag_entries *const entries = &call->entries;
    const int64_t rows = (int64_t)trial->bags;
    entries->target_rows = rows;
    entries->target_wrap_size = trial->wraps ? rows : 0;
    entries->drops = random_chance(random, 20);
    call->window.sources = bags->sources;
    for (int64_t e = 0; e < trial->entries; e++) {
        bags->sources[e] = e;
        if (entries->indices)
            bags->sources[e] =
                (int64_t)element_load_integer(trial->index_dtype, entries->indices + e * entries->index_step);
        bags->targets[e] = random_between(random, trial->wraps ? -rows : 0, rows - 1);
        if (entries->drops && random_chance(random, 10))
            bags->targets[e] = random_chance(random, 50) ? STREW_NO_ROW : rows;
    }
}

static int64_t amended(const void *list, int64_t entry)
{
    const bag_case *trial = list;
    return entry * 7 % trial->rows;
}

static bag_call place(const kernel_subject *subject, const bag_case *trial, bag_room *bags)
{
    const size_t size = element_size(subject->slot->dtype);
    bag_call call = {.window = {trial->bags, bags->begins, bags->targets, NULL, bags->left_out}};
    strew_bag_entries *const entries = &call.entries;
    call.target = place_rows(subject, trial, TARGET, (int64_t)trial->bags, trial->target_gap);
    *entries = (strew_bag_entries){
        .source = place_rows(subject, trial, SOURCE, trial->rows, trial->source_gap),
        .source_step = (int64_t)(trial->row_bytes + trial->source_gap),
        .rows = trial->rows,
        .wrap_size = trial->wraps && element_is_signed(trial->index_dtype) ? trial->rows : 0,
        .source_bytes = trial->row_bytes,
        .target_bytes = trial->row_bytes,
        .target_step = (int64_t)(trial->row_bytes + trial->target_gap),
        .entries = trial->entries,
        .line = trial->naming == BY_LINES ? 3 : trial->entries,
        .is_far = trial->is_far && trial->entries > 0,
        .leaves_out = trial->wrong == WRONG_LEFT_OUT,
        .amend = trial->wrong == WRONG_AMENDED ? amended : NULL,
        .list = trial,
        .starts_are_empty = trial->empty == EMPTY_START && trial->started,
        .rounds = trial->rounds,
        .is_mean = trial->is_mean,
    };
    place_indices(subject, trial, entries);
    place_weights(subject, trial, entries);
    char *const start = place_operand(subject, trial, START, trial->started ? size : 0);
    char *const empty = place_operand(subject, trial, EMPTY, trial->empty == EMPTY_ELEMENT ? size : 0);
    entries->start = trial->started ? start : NULL;
    entries->empty = trial->empty == EMPTY_ELEMENT ? empty : NULL;
    if (trial->empty == EMPTY_DEFAULT)
        entries->default_row = entries->source + (trial->rows - 1) * entries->source_step;
    make_bags(subject, trial, bags);
    if (trial->numbered)
        number_rows(subject, trial, &call, bags);
    return call;
}

static void fill(const kernel_subject *subject, const bag_case *trial, const bag_call *call, const value_pool *pool)
{
    static const int filled[] = {WEIGHTS, START, EMPTY};
    random_source *random = subject->random;
    const strew_bag_entries *entries = &call->entries;
    for (size_t b = 0; b < trial->bags; b++)
        value_pool_draw(pool, random, call->target + (int64_t)(b * (trial->row_bytes + trial->target_gap)),
                        trial->row_bytes);
    for (int64_t row = 0; row < trial->rows; row++)
        value_pool_draw(pool, random, subject->operands[SOURCE].begin + row * entries->source_step,
                        trial->row_bytes);
    for (size_t i = 0; i < COUNT(filled); i++) {
        const operand *placed = &subject->operands[filled[i]];
        value_pool_draw(pool, random, placed->begin, placed->bytes / pool->element * pool->element);
    }
}

/* ---- The check ----------------------------------------------------------------------------------- */

typedef struct kernel_call {
    strew_bag_kernel *kernel;
    const bag_call *arguments;
    bool result;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const bag_call *arguments = call->arguments;
    call->result = call->kernel(arguments->target, &arguments->window, &arguments->entries);
}

static bool make_expected(const kernel_subject *subject, const bag_call *call, bag_room *bags)
{
    bag_call expected = *call;
    expected.target = operand_expected(&subject->operands[TARGET], call->target);
    expected.window.left_out = bags->left_out;
    if (!subject->reference)
        return reference_bag(subject->slot, &expected);
    kernel_call reference = {(strew_bag_kernel *)kernel_in(subject->reference, subject->slot), &expected, false};
    make_call(&reference);
    return reference.result;
}

/* Any NaN equals any other, and where an index is wrong rows may have been written or not. */
static void settle(const kernel_subject *subject, const bag_case *trial, const bag_call *call, bool is_right)
{
    const operand *target = &subject->operands[TARGET];
    for (size_t b = 0; b < trial->bags; b++) {
        char *const row = call->target + (int64_t)(b * (trial->row_bytes + trial->target_gap));
        if (!is_right)
            memcpy(row, operand_expected(target, row), call->entries.target_bytes);
        for (size_t e = 0; e < call->entries.target_bytes; e += element_size(subject->slot->dtype))
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

static bool print_case(const kernel_subject *subject, const bag_case *trial)
{
    static const char *const namings[] = {"by count",        "by int32", "by int64",
                                          "by an odd dtype", "by steps", "by lines"};
    static const char *const wrongs[] = {"none wrong", "wrong refused", "wrong left out", "wrong amended"};
    static const char *const empties[] = {"kept", "an element", "what they start with", "a row"};
    print_error("    %" PRId64 " entries in %zu bags%s%s%s, row_bytes %zu with gaps of %zu and %zu, %" PRId64
                " rows, %s%s, %s, empty rows are %s, %s, target at %zu, source at %zu%s%s%s%s%s%s%s\n",
                trial->entries, trial->bags, trial->reversed ? " reversed" : "", trial->rest ? " with a rest" : "",
                trial->numbered ? " of one by number"
                : trial->single ? " of one"
                                : "",
                trial->row_bytes, trial->source_gap, trial->target_gap, trial->rows, namings[trial->naming],
                trial->wraps ? ", wrapping" : "", wrongs[trial->wrong], empties[trial->empty],
                placement_name(trial->placement), operand_misalignment(&subject->operands[TARGET]),
                operand_misalignment(&subject->operands[SOURCE]), trial->started ? ", started" : "",
                trial->weighted ? ", weighted" : "", trial->plainly_weighted ? " plainly" : "",
                trial->ordered ? ", ordered" : "", trial->is_far ? ", far" : "", trial->rounds ? ", rounded" : "",
                trial->is_mean ? ", mean" : "");
    return false;
}

static bool check_case(const bag_subject *bagger, const bag_case *trial)
{
    static bag_room bags, expected_bags;
    const kernel_subject *subject = bagger->subject;
    const bag_call call = place(subject, trial, &bags);
    fill(subject, trial, &call, &bagger->pools[random_below(subject->random, 2)]);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    const bool is_right = make_expected(subject, &call, &expected_bags);
    kernel_call checked = {(strew_bag_kernel *)kernel_in(subject->kernels, subject->slot), &call, false};
    if (!kernel_survives(subject, make_call, &checked))
        return print_case(subject, trial);
    if (checked.result != is_right)
        return kernel_report(subject, "returns %d, should return %d", checked.result, is_right) ||
               print_case(subject, trial);
    for (size_t b = 0; is_right && trial->wrong == WRONG_LEFT_OUT && !trial->numbered && b < trial->bags; b++)
        if (bags.left_out[b] != expected_bags.left_out[b])
            return kernel_report(subject, "leaves out %" PRId64 " of bag %zu, not %" PRId64, bags.left_out[b], b,
                                 expected_bags.left_out[b]) ||
                   print_case(subject, trial);
    settle(subject, trial, &call, is_right);
    return operands_are_as_expected(subject) || print_case(subject, trial);
}

/* ---- Sweeps -------------------------------------------------------------------------------------- */

static bag_case random_case(const kernel_subject *subject, int64_t entries, size_t row_bytes)
{
    static const strew_dtype odd[] = {STREW_DTYPE_INT8,   STREW_DTYPE_INT16,  STREW_DTYPE_UINT8,
                                      STREW_DTYPE_UINT16, STREW_DTYPE_UINT32, STREW_DTYPE_UINT64};
    random_source *random = subject->random;
    bag_case trial = {
        .entries = entries,
        .rows = 1 + (int64_t)random_below(random, 40),
        .bags = 1 + random_below(random, random_chance(random, 50) ? 3 : 1 + (size_t)entries),
        .row_bytes = row_bytes,
        .source_gap = random_chance(random, 50) ? random_below(random, 10) : 0,
        .target_gap = random_chance(random, 50) ? random_below(random, 10) : 0,
        .naming = (naming)random_below(random, NAMING_COUNT),
        .wrong = random_chance(random, 50) ? NONE_IS_WRONG : (wrong)random_below(random, WRONG_COUNT),
        .empty = (emptiness)random_below(random, EMPTINESS_COUNT),
        .wraps = random_chance(random, 50),
        .reversed = random_chance(random, 30),
        .started = random_chance(random, 60),
        .weighted = random_chance(random, 40),
        .plainly_weighted = random_chance(random, 70),
        .is_far = random_chance(random, 40),
        .rounds = random_chance(random, 20),
        .is_mean = random_chance(random, 20),
        .rest = random_chance(random, 20),
        .placement = (operand_placement)random_below(random, OPERAND_PLACEMENT_COUNT),
    };
    trial.ordered = trial.weighted && random_chance(random, 20);
    trial.index_dtype = trial.naming == BY_INT32   ? STREW_DTYPE_INT32
                        : trial.naming == BY_INT64 ? STREW_DTYPE_INT64
                                                   : odd[random_below(random, COUNT(odd))];
    trial.wraps = trial.wraps && element_is_signed(trial.index_dtype);
    trial.single = entries > 0 && random_chance(random, 30);
    if (trial.single && random_chance(random, 50)) {
        trial.started = trial.ordered = trial.is_mean = false;
        trial.empty = EMPTY_KEPT;
    }
    if (trial.single) {
        trial.bags = (size_t)entries;
        trial.rest = false;
    }
    trial.numbered = trial.single && !trial.started && trial.empty == EMPTY_KEPT && !trial.ordered &&
                     !trial.is_mean && trial.naming != BY_LINES && trial.wrong != WRONG_AMENDED;
    trial.reversed = trial.reversed && trial.naming == BY_COUNT;
    if (trial.naming == BY_COUNT)
        trial.rows = entries > 0 ? entries : 1;
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        trial.misalignments[i] = random_below(random, 64);
    return trial;
}

static bool check_some(const bag_subject *bagger, int64_t entries, size_t row_bytes, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        bag_case trial = random_case(bagger->subject, entries, row_bytes);
        trial.placement = (operand_placement)(round % OPERAND_PLACEMENT_COUNT);
        if (!check_case(bagger, &trial))
            return false;
    }
    return true;
}

/* Row lengths past two blocks of 16 vectors of 16 bytes and the rest; and, by larger steps, of vectors of 64. */
static bool sweep_row_lengths(const bag_subject *bagger)
{
    random_source *random = bagger->subject->random;
    const size_t size = element_size(bagger->subject->slot->dtype);
    for (size_t elements = 1; elements * size <= 600; elements++)
        if (!check_some(bagger, (int64_t)random_below(random, 14), elements * size, elements < 40 ? 40 : 6))
            return false;
    for (size_t elements = 600 / size; elements * size <= 2200; elements += 1 + random_below(random, 20))
        if (!check_some(bagger, (int64_t)random_below(random, 5), elements * size, 3))
            return false;
    return check_some(bagger, 3, 20000 / size * size, 3) && check_some(bagger, 9, 8200 / size * size, 6);
}

static bool sweep_counts(const bag_subject *bagger)
{
    static const int64_t large[] = {127, 128, 129, 511, 600};
    random_source *random = bagger->subject->random;
    const size_t size = element_size(bagger->subject->slot->dtype);
    for (int64_t entries = 0; entries <= 70; entries++)
        if (!check_some(bagger, entries, (1 + random_below(random, 40)) * size, 12))
            return false;
    for (size_t i = 0; i < COUNT(large); i++)
        if (!check_some(bagger, large[i], (1 + random_below(random, 40)) * size, 12))
            return false;
    return true;
}

bool check_bag(const kernel_subject *subject)
{
    bag_subject bagger = {.subject = subject};
    value_pool_of_ordinary(&bagger.pools[0], subject->random, subject->slot->dtype);
    value_pool_of_special(&bagger.pools[1], subject->random, subject->slot->dtype);
    return sweep_row_lengths(&bagger) && sweep_counts(&bagger);
}
