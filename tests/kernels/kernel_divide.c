/* The calls that check every kernel that divides by counters. */
#include <inttypes.h>

#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { ADDRESSED, COUNTERS, OFFSETS, COUNTER_OFFSETS };

typedef struct divide_case {
    size_t count;
    size_t elements; /* in a row */
    int64_t places;  /* that the entries name, at random; 0 for one each */
    size_t gap;      /* between elements, and between counters */
    operand_placement placement;
    size_t misalignment;
    uint64_t extra;
    uint64_t most; /* that an element was counted */
} divide_case;

static size_t row_bytes(const kernel_subject *subject, const divide_case *trial)
{
    return trial->elements * element_size(subject->slot->dtype);
}

/* ---- Operands ------------------------------------------------------------------------------------ */

static int64_t *place_offsets(const kernel_subject *subject, const divide_case *trial, int which, const char *name)
{
    operand *offsets = &subject->operands[which];
    operand_place(offsets, name, trial->count * sizeof(int64_t), trial->placement, 0);
    return (int64_t *)(void *)offsets->begin;
}

static char *place_array(const kernel_subject *subject, const divide_case *trial, int which, const char *name,
                         size_t size, size_t used)
{
    operand *array = &subject->operands[which];
    const size_t bytes = used > 0 ? used * size + (used - 1) * trial->gap : 0;
    operand_place(array, name, bytes, trial->placement, trial->misalignment);
    return array->begin;
}

/* Entries of the same element share its counter. Returns how many elements there are. */
static size_t fill_offsets(const kernel_subject *subject, const divide_case *trial, int64_t *offsets,
                           int64_t *counter_offsets)
{
    size_t used = 0;
    for (size_t i = 0; i < trial->count; i++) {
        const size_t place = trial->places > 0 ? random_below(subject->random, (size_t)trial->places) : i;
        offsets[i] = (int64_t)(place * (row_bytes(subject, trial) + trial->gap));
        counter_offsets[i] = (int64_t)(place * (sizeof(uint64_t) + trial->gap));
        used = place + 1 > used ? place + 1 : used;
    }
    return used;
}

static divide_call place(const kernel_subject *subject, const divide_case *trial)
{
    int64_t *offsets = place_offsets(subject, trial, OFFSETS, "offsets");
    int64_t *counter_offsets = place_offsets(subject, trial, COUNTER_OFFSETS, "counter offsets");
    const size_t used = fill_offsets(subject, trial, offsets, counter_offsets);
    return (divide_call){
        .addressed = place_array(subject, trial, ADDRESSED, "addressed", row_bytes(subject, trial), used),
        .offsets = offsets,
        .count = trial->count,
        .row_bytes = row_bytes(subject, trial),
        .counters = place_array(subject, trial, COUNTERS, "counters", sizeof(uint64_t), used),
        .counter_offsets = counter_offsets,
        .extra = trial->extra,
    };
}

static void fill(const kernel_subject *subject, const divide_case *trial, const value_pool *pool,
                 const divide_call *call)
{
    random_source *random = subject->random;
    for (size_t i = 0; i < call->count; i++) {
        const uint64_t choices[] = {0, 1, 2, 3, trial->most, 1 + random_bits(random) % trial->most};
        const uint64_t counter = choices[random_bits(random) % COUNT(choices)];
        value_pool_draw(pool, random, call->addressed + call->offsets[i], call->row_bytes);
        memcpy(call->counters + call->counter_offsets[i], &counter, sizeof counter);
    }
}

/* ---- The check ----------------------------------------------------------------------------------- */

typedef struct kernel_call {
    strew_divide_kernel *kernel;
    const divide_call *arguments;
} kernel_call;

static void make_call(void *context)
{
    const kernel_call *call = context;
    const divide_call *arguments = call->arguments;
    call->kernel(arguments->addressed, arguments->offsets, arguments->count, arguments->row_bytes,
                 arguments->counters, arguments->counter_offsets, arguments->extra);
}

static void make_expected(const kernel_subject *subject, const divide_call *call)
{
    divide_call expected = *call;
    expected.addressed = operand_expected(&subject->operands[ADDRESSED], call->addressed);
    expected.counters = operand_expected(&subject->operands[COUNTERS], call->counters);
    if (subject->reference)
        make_call(&(kernel_call){subject->reference->divide[STREW_ELEMENT_SLOT(subject->slot->dtype)], &expected});
    else
        reference_divide(subject->slot, &expected);
}

static bool report_element(const kernel_subject *subject, const divide_call *call, size_t entry,
                           const char *element)
{
    const operand *addressed = &subject->operands[ADDRESSED];
    const char *counter_place = call->counters + call->counter_offsets[entry];
    uint64_t counter;
    memcpy(&counter, operand_initial(&subject->operands[COUNTERS], counter_place), sizeof counter);
    element_text data, is, expected;
    return kernel_report(subject, "entry %zu: %s counted %#" PRIx64 " times becomes %s, should be %s", entry,
                         kernel_element_text(subject, operand_initial(addressed, element), data), counter,
                         kernel_element_text(subject, element, is),
                         kernel_element_text(subject, operand_expected(addressed, element), expected));
}

static bool elements_are_as_expected(const kernel_subject *subject, const divide_call *call)
{
    const operand *addressed = &subject->operands[ADDRESSED];
    const size_t size = element_size(subject->slot->dtype);
    for (size_t i = 0; i < call->count; i++)
        for (size_t e = 0; e < call->row_bytes; e += size) {
            char *element = call->addressed + call->offsets[i] + e;
            kernel_settle(subject, addressed, element);
            if (memcmp(element, operand_expected(addressed, element), size) != 0)
                return report_element(subject, call, i, element);
        }
    return true;
}

static bool operands_are_as_expected(const kernel_subject *subject)
{
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return false;
    return true;
}

static bool print_case(const kernel_subject *subject, const divide_case *trial)
{
    print_error("    count %zu, rows of %zu, %" PRId64 " places with gaps of %zu, extra %" PRIu64
                ", counters up to %" PRIu64 ", %s, addressed at %zu, counters at %zu\n",
                trial->count, trial->elements, trial->places, trial->gap, trial->extra, trial->most,
                placement_name(trial->placement), operand_misalignment(&subject->operands[ADDRESSED]),
                operand_misalignment(&subject->operands[COUNTERS]));
    return false;
}

static bool check_case(const kernel_subject *subject, const divide_case *trial, const value_pool *pool)
{
    const divide_call call = place(subject, trial);
    fill(subject, trial, pool, &call);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    make_expected(subject, &call);
    kernel_call checked = {subject->kernels->divide[STREW_ELEMENT_SLOT(subject->slot->dtype)], &call};
    return (kernel_survives(subject, make_call, &checked) && elements_are_as_expected(subject, &call) &&
            operands_are_as_expected(subject)) ||
           print_case(subject, trial);
}

/* ---- The sweep ----------------------------------------------------------------------------------- */

/*
 * A count that the element's type cannot hold is rounded to it, which the oracle does not do: only kernels that are
 * compared with another table are given such. INT64_MAX - 1 leaves room for `extra`.
 */
static divide_case random_case(const kernel_subject *subject, size_t count)
{
    static const uint64_t most[] = {
        7, 1000, (1 << 24) - 1, 1 << 24, UINT64_C(1) << 40, (UINT64_C(1) << 53) + 1, INT64_MAX - 1};
    random_source *random = subject->random;
    const size_t choices = subject->reference ? COUNT(most) : 3;
    const size_t longest = random_chance(random, 20) ? 140 : 9;
    return (divide_case){
        .count = count,
        .elements = random_chance(random, 50) ? 1 : 1 + random_below(random, longest),
        .places = random_chance(random, 50) ? 1 + (int64_t)count / 2 : 0,
        .gap = random_chance(random, 50) ? random_below(random, 10) : 0,
        .placement = (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT),
        .misalignment = random_bits(random) % 32,
        .extra = random_bits(random) % 2,
        .most = most[random_bits(random) % choices],
    };
}

bool check_divide(const kernel_subject *subject)
{
    value_pool ordinary, special;
    value_pool_of_ordinary(&ordinary, subject->random, subject->slot->dtype);
    value_pool_of_special(&special, subject->random, subject->slot->dtype);
    for (size_t count = 0; count <= 70; count++)
        for (int placement = 0; placement < OPERAND_PLACEMENT_COUNT; placement++)
            for (int round = 0; round < 4; round++) {
                divide_case trial = random_case(subject, count);
                trial.placement = (operand_placement)placement;
                if (!check_case(subject, &trial, round % 2 ? &ordinary : &special))
                    return false;
            }
    return true;
}
