/* Placing the operands of a move, and comparing what became of them. */
#include "kernel_move.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "element.h"

enum { ADDRESSED, ROWS, OFFSETS };

/* ---- Operands ------------------------------------------------------------------------------------ */

static int64_t place_of(const kernel_subject *subject, const move_case *with, size_t i)
{
    switch (with->order) {
    case PLACES_BACKWARD: return -(int64_t)i;
    case PLACES_ALL_ONE: return 0;
    case PLACES_IN_PAIRS: return (int64_t)(i / 2);
    case PLACES_ALTERNATING: return (int64_t)(i % 2);
    case PLACES_RANDOM: return random_between(subject->random, -2, (int64_t)with->count / 2);
    default: return (int64_t)i;
    }
}

static int64_t *place_offsets(const kernel_subject *subject, const move_case *with)
{
    operand *offsets = &subject->operands[OFFSETS];
    operand_place(offsets, "offsets", with->count * sizeof(int64_t), with->placement, 0);
    int64_t *values = (int64_t *)(void *)offsets->at;
    for (size_t i = 0; i < with->count; i++)
        values[i] = place_of(subject, with, i) * (int64_t)(with->row_bytes + with->gap);
    operand_remember(offsets);
    return values;
}

/* The operand is exactly as long as the rows that the offsets name reach. Returns what the offsets count from. */
static char *place_addressed(const kernel_subject *subject, const move_case *with, const int64_t *offsets)
{
    int64_t least = with->count > 0 ? offsets[0] : 0;
    int64_t greatest = least;
    for (size_t i = 1; i < with->count; i++) {
        least = offsets[i] < least ? offsets[i] : least;
        greatest = offsets[i] > greatest ? offsets[i] : greatest;
    }
    operand *addressed = &subject->operands[ADDRESSED];
    operand_place(addressed, "addressed", with->count > 0 ? (size_t)(greatest - least) + with->row_bytes : 0,
                  with->placement, with->addressed_misalignment);
    return addressed->at - least;
}

static char *place_rows(const kernel_subject *subject, const move_case *with)
{
    const int64_t last = with->count > 0 ? (int64_t)(with->count - 1) * with->row_step : 0;
    operand *rows = &subject->operands[ROWS];
    operand_place(rows, "rows", with->count > 0 ? (size_t)(last < 0 ? -last : last) + with->row_bytes : 0,
                  with->placement, with->rows_misalignment);
    return last < 0 ? rows->at - last : rows->at;
}

move_call move_place(const kernel_subject *subject, const move_case *with)
{
    int64_t *offsets = place_offsets(subject, with);
    return (move_call){
        .addressed = place_addressed(subject, with, offsets),
        .offsets = offsets,
        .count = with->count,
        .rows = place_rows(subject, with),
        .row_step = with->row_step,
        .row_bytes = with->row_bytes,
    };
}

/* ---- Calls --------------------------------------------------------------------------------------- */

typedef struct kernel_call {
    strew_move_kernel *kernel;
    const move_call *arguments;
} kernel_call;

static void make_call(void *context)
{
    const kernel_call *call = context;
    const move_call *with = call->arguments;
    call->kernel(with->addressed, with->offsets, with->count, with->rows, with->row_step, with->row_bytes);
}

static void make_expected(const kernel_subject *subject, const move_call *call)
{
    move_call expected = *call;
    expected.addressed = operand_expected(&subject->operands[ADDRESSED], call->addressed);
    expected.rows = operand_expected(&subject->operands[ROWS], call->rows);
    if (subject->reference)
        make_call(&(kernel_call){move_kernel_in(subject->reference, subject->slot), &expected});
    else
        reference_move(subject->slot, &expected);
}

/* ---- Comparison ---------------------------------------------------------------------------------- */

static void settle_elements(const kernel_subject *subject, const move_call *call)
{
    const size_t size = element_size(subject->slot->dtype);
    for (size_t i = 0; i < call->count; i++)
        for (size_t at = 0; at < call->row_bytes; at += size)
            kernel_settle(subject, &subject->operands[ADDRESSED], call->addressed + call->offsets[i] + at);
}

/* If `place` is in the row that entry i names: the offset of its element in that row. Otherwise -1. */
static int64_t element_in_row(const kernel_subject *subject, const move_call *call, size_t i, const char *place)
{
    const int64_t in_row = place - (call->addressed + call->offsets[i]);
    if (in_row < 0 || in_row >= (int64_t)call->row_bytes)
        return -1;
    return in_row - in_row % (int64_t)element_size(subject->slot->dtype);
}

/* The updates that an element was combined with: from the first, as many as the text holds. */
static void list_updates(const kernel_subject *subject, const move_call *call, const char *place, char *text,
                         size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < call->count && length < size; i++) {
        const int64_t at = element_in_row(subject, call, i, place);
        if (at < 0)
            continue;
        element_text update;
        kernel_element_text(subject, call->rows + (int64_t)i * call->row_step + at, update);
        length += (size_t)snprintf(text + length, size - length, " %s", update);
    }
}

static bool report_element(const kernel_subject *subject, const move_call *call, size_t entry, const char *place)
{
    const operand *addressed = &subject->operands[ADDRESSED];
    const int64_t at = element_in_row(subject, call, entry, place);
    const char *element = call->addressed + call->offsets[entry] + at;
    element_text data, is, expected;
    char updates[256] = "";
    list_updates(subject, call, place, updates, sizeof updates);
    return kernel_report(subject, "element %" PRId64 " of row %zu: %s with%s gives %s, should be %s",
                         at / (int64_t)element_size(subject->slot->dtype), entry,
                         kernel_element_text(subject, operand_initial(addressed, element), data), updates,
                         kernel_element_text(subject, element, is),
                         kernel_element_text(subject, operand_expected(addressed, element), expected));
}

static bool addressed_is_as_expected(const kernel_subject *subject, const move_call *call)
{
    const operand *addressed = &subject->operands[ADDRESSED];
    const char *place = operand_difference(addressed);
    if (!place)
        return true;
    settle_elements(subject, call);
    place = operand_difference(addressed);
    for (size_t i = 0; place && i < call->count; i++)
        if (element_in_row(subject, call, i, place) >= 0)
            return report_element(subject, call, i, place);
    return kernel_left_as_expected(subject, addressed);
}

/* ---- The check ----------------------------------------------------------------------------------- */

static bool print_case(const kernel_subject *subject, const move_case *with)
{
    static const char *const orders[PLACE_ORDER_COUNT] = {
        [PLACES_FORWARD] = "forward",   [PLACES_BACKWARD] = "backward",       [PLACES_ALL_ONE] = "all one",
        [PLACES_IN_PAIRS] = "in pairs", [PLACES_ALTERNATING] = "alternating", [PLACES_RANDOM] = "random",
    };
    print_error("    count %zu, row_bytes %zu, row_step %" PRId64
                ", places %s with gaps of %zu, %s, addressed at %zu, rows at %zu\n",
                with->count, with->row_bytes, with->row_step, orders[with->order], with->gap,
                placement_name(with->placement), operand_misalignment(&subject->operands[ADDRESSED]),
                operand_misalignment(&subject->operands[ROWS]));
    return false;
}

bool move_check(const kernel_subject *subject, const move_case *with, const move_call *call)
{
    operand_remember(&subject->operands[ADDRESSED]);
    operand_remember(&subject->operands[ROWS]);
    make_expected(subject, call);
    kernel_call checked = {move_kernel_in(subject->kernels, subject->slot), call};
    return (kernel_survives(subject, make_call, &checked) && addressed_is_as_expected(subject, call) &&
            kernel_left_as_expected(subject, &subject->operands[ROWS]) &&
            kernel_left_as_expected(subject, &subject->operands[OFFSETS])) ||
           print_case(subject, with);
}
