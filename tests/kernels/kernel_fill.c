/* The calls that check every kernel that fills rows with an element. */
#include <string.h>

#include "kernel_check.h"
#include "test.h"

enum { ADDRESSED, ELEMENT, OFFSETS };

typedef struct fill_case {
    size_t count, row_bytes, element_bytes, gap;
    operand_placement placement;
    size_t misalignment;
} fill_case;

typedef struct fill_call {
    strew_fill_kernel *kernel;
    char *addressed;
    const int64_t *offsets;
    size_t count;
    strew_dense element;
} fill_call;

static void make_call(void *context)
{
    const fill_call *call = context;
    call->kernel(call->addressed, call->offsets, call->count, &call->element);
}

/* Rows one after the other, in a random order. */
static fill_call place(const kernel_subject *subject, const fill_case *trial)
{
    operand *rows = &subject->operands[ADDRESSED], *element = &subject->operands[ELEMENT];
    operand *offsets = &subject->operands[OFFSETS];
    const size_t step = trial->row_bytes + trial->gap;
    operand_place(rows, "rows", trial->count > 0 ? trial->count * step - trial->gap : 0, trial->placement,
                  trial->misalignment);
    operand_place(element, "element", trial->element_bytes, trial->placement, trial->misalignment);
    operand_place(offsets, "offsets", trial->count * sizeof(int64_t), trial->placement, 0);
    int64_t *values = (int64_t *)(void *)offsets->begin;
    random_order(subject->random, trial->count, values);
    for (size_t i = 0; i < trial->count; i++)
        values[i] *= (int64_t)step;
    for (size_t i = 0; i < trial->element_bytes; i++)
        element->begin[i] = (char)random_bits(subject->random);
    return (fill_call){(strew_fill_kernel *)kernel_in(subject->kernels, subject->slot),
                       rows->begin,
                       values,
                       trial->count,
                       {element->begin, (int64_t)trial->element_bytes, trial->row_bytes, {0}}};
}

static void make_expected(const kernel_subject *subject, const fill_call *call)
{
    for (size_t i = 0; i < call->count; i++)
        for (size_t b = 0; b < call->element.row_bytes; b++)
            *operand_expected(&subject->operands[ADDRESSED], call->addressed + call->offsets[i] + b) =
                call->element.rows[b % (size_t)call->element.step];
}

static bool check_case(const kernel_subject *subject, const fill_case *trial)
{
    fill_call call = place(subject, trial);
    for (int i = ADDRESSED; i <= OFFSETS; i++)
        operand_remember(&subject->operands[i]);
    make_expected(subject, &call);
    if (!kernel_survives(subject, make_call, &call))
        return false;
    for (int i = ADDRESSED; i <= OFFSETS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i])) {
            print_error("    %zu rows of %zu bytes with gaps of %zu, elements of %zu\n", trial->count,
                        trial->row_bytes, trial->gap, trial->element_bytes);
            return false;
        }
    return true;
}

bool check_fill(const kernel_subject *subject)
{
    random_source *random = subject->random;
    for (size_t row_bytes = 0; row_bytes <= 300; row_bytes++)
        for (int placement = 0; placement < OPERAND_PLACEMENT_COUNT; placement++) {
            const fill_case trial = {
                .count = random_below(random, 9),
                .row_bytes = row_bytes,
                .element_bytes =
                    subject->slot->row_bytes > 0 ? subject->slot->row_bytes : 1 + random_below(random, 40),
                .gap = random_chance(random, 50) ? random_below(random, 10) : 0,
                .placement = (operand_placement)placement,
                .misalignment = random_below(random, 32),
            };
            if (!check_case(subject, &trial))
                return false;
        }
    return true;
}
