/* Places the operands of a move, and compares them afterwards. */
#include "kernel_move.h"

#include <inttypes.h>
#include <stdio.h>

#include "element.h"
#include "test.h"

enum { ADDRESSED, ROWS, OFFSETS };

/* ---- Operands ------------------------------------------------------------------------------------ */

static int64_t row_of(const kernel_subject *subject, const move_case *trial, size_t i)
{
    switch (trial->order) {
    case ROWS_BACKWARD: return -(int64_t)i;
    case ROWS_ALL_ONE: return 0;
    case ROWS_IN_PAIRS: return (int64_t)(i / 2);
    case ROWS_ALTERNATING: return (int64_t)(i % 2);
    case ROWS_RANDOM: return random_between(subject->random, -2, (int64_t)trial->count / 2);
    default: return (int64_t)i;
    }
}

static int64_t *place_offsets(const kernel_subject *subject, const move_case *trial)
{
    operand *offsets = &subject->operands[OFFSETS];
    operand_place(offsets, "offsets", trial->count * sizeof(int64_t), trial->placement, 0);
    int64_t *values = (int64_t *)(void *)offsets->begin;
    for (size_t i = 0; i < trial->count; i++)
        values[i] = row_of(subject, trial, i) * (int64_t)(trial->row_bytes + trial->gap);
    operand_remember(offsets);
    return values;
}

/* Makes the operand exactly as long as the rows at the offsets reach. Returns the place from which offsets
 * count. */
static char *place_addressed(const kernel_subject *subject, const move_case *trial, const int64_t *offsets)
{
    int64_t least = trial->count > 0 ? offsets[0] : 0;
    int64_t greatest = least;
    for (size_t i = 1; i < trial->count; i++) {
        least = offsets[i] < least ? offsets[i] : least;
        greatest = offsets[i] > greatest ? offsets[i] : greatest;
    }
    operand *addressed = &subject->operands[ADDRESSED];
    operand_place(addressed, "addressed", trial->count > 0 ? (size_t)(greatest - least) + trial->row_bytes : 0,
                  trial->placement, trial->addressed_misalignment);
    return addressed->begin - least;
}

static char *place_rows(const kernel_subject *subject, const move_case *trial)
{
    const int64_t last = trial->count > 0 ? (int64_t)(trial->count - 1) * trial->row_step : 0;
    operand *rows = &subject->operands[ROWS];
    operand_place(rows, "rows", trial->count > 0 ? (size_t)(last < 0 ? -last : last) + trial->row_bytes : 0,
                  trial->placement, trial->rows_misalignment);
    return last < 0 ? rows->begin - last : rows->begin;
}

move_call move_place(const kernel_subject *subject, const move_case *trial)
{
    int64_t *offsets = place_offsets(subject, trial);
    return (move_call){
        .addressed = place_addressed(subject, trial, offsets),
        .offsets = offsets,
        .count = trial->count,
        .dense = {place_rows(subject, trial), trial->row_step, trial->row_bytes, trial->access},
    };
}

/* ---- Calls --------------------------------------------------------------------------------------- */

typedef struct kernel_call {
    any_kernel *kernel;
    kernel_family family;
    const move_call *arguments;
} kernel_call;

/* Offsets are indices of a table whose elements are bytes. */
static void combine_by_offsets(strew_table_kernel *combine, const move_call *call)
{
    static const int64_t no_base = 0;
    const strew_element_table bytes = {
        .elements = call->addressed, .dense_step = call->dense.step, .tables = 1, .bases = &no_base};
    combine(call->dense.rows, (const char *)call->offsets, call->count, &bytes);
}

static void make_call(void *context)
{
    const kernel_call *call = context;
    const move_call *arguments = call->arguments;
    if (call->family == FAMILY_COMBINE)
        combine_by_offsets((strew_table_kernel *)call->kernel, arguments);
    else
        ((strew_move_kernel *)call->kernel)(arguments->addressed, arguments->offsets, arguments->count,
                                            &arguments->dense);
}

static void make_expected(const kernel_subject *subject, const move_call *call)
{
    move_call expected = *call;
    expected.addressed = operand_expected(&subject->operands[ADDRESSED], call->addressed);
    expected.dense.rows = operand_expected(&subject->operands[ROWS], call->dense.rows);
    if (subject->reference)
        make_call(&(kernel_call){kernel_in(subject->reference, subject->slot), subject->slot->family, &expected});
    else
        reference_move(subject->slot, &expected);
}

/* ---- Comparison ---------------------------------------------------------------------------------- */

static void settle_elements(const kernel_subject *subject, const move_call *call)
{
    const size_t size = element_size(subject->slot->dtype);
    for (size_t i = 0; i < call->count; i++)
        for (size_t e = 0; e < call->dense.row_bytes; e += size)
            kernel_settle(subject, &subject->operands[ADDRESSED], call->addressed + call->offsets[i] + e);
}

/* The offset of an element in the row of entry i, if `place` is in that row. Otherwise -1. */
static int64_t element_in_row(const kernel_subject *subject, const move_call *call, size_t i, const char *place)
{
    const int64_t in_row = place - (call->addressed + call->offsets[i]);
    if (in_row < 0 || in_row >= (int64_t)call->dense.row_bytes)
        return -1;
    return in_row - in_row % (int64_t)element_size(subject->slot->dtype);
}

/* The updates that an element was combined with: from the first, as many as the text holds. */
static void list_updates(const kernel_subject *subject, const move_call *call, const char *place, char *text,
                         size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < call->count && length < size; i++) {
        const int64_t in_row = element_in_row(subject, call, i, place);
        if (in_row < 0)
            continue;
        element_text update;
        kernel_element_text(subject, call->dense.rows + (int64_t)i * call->dense.step + in_row, update);
        length += (size_t)snprintf(text + length, size - length, " %s", update);
    }
}

static bool report_element(const kernel_subject *subject, const move_call *call, size_t entry, const char *place)
{
    const operand *addressed = &subject->operands[ADDRESSED];
    const int64_t in_row = element_in_row(subject, call, entry, place);
    const char *element = call->addressed + call->offsets[entry] + in_row;
    element_text data, is, expected;
    char updates[256] = "";
    list_updates(subject, call, place, updates, sizeof updates);
    return kernel_report(subject, "element %" PRId64 " of row %zu: %s with%s gives %s, should be %s",
                         in_row / (int64_t)element_size(subject->slot->dtype), entry,
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

static bool print_case(const kernel_subject *subject, const move_case *trial)
{
    static const char *const orders[ROW_ORDER_COUNT] = {
        [ROWS_FORWARD] = "forward",   [ROWS_BACKWARD] = "backward",       [ROWS_ALL_ONE] = "all one",
        [ROWS_IN_PAIRS] = "in pairs", [ROWS_ALTERNATING] = "alternating", [ROWS_RANDOM] = "random",
    };
    print_error(
        "    count %zu, row_bytes %zu, row_step %" PRId64
        ", rows %s with gaps of %zu, %s, addressed at %zu, rows at %zu, %u rows ahead, %u pages streamed%s%s\n",
        trial->count, trial->row_bytes, trial->row_step, orders[trial->order], trial->gap,
        placement_name(trial->placement), operand_misalignment(&subject->operands[ADDRESSED]),
        operand_misalignment(&subject->operands[ROWS]), (unsigned)trial->access.rows_ahead,
        (unsigned)trial->access.stream_pages, trial->access.stream_parts ? ", and parts of lines" : "",
        trial->access.read_first ? ", read first" : "");
    return false;
}

bool move_check(const kernel_subject *subject, const move_case *trial, const move_call *call)
{
    operand_remember(&subject->operands[ADDRESSED]);
    operand_remember(&subject->operands[ROWS]);
    make_expected(subject, call);
    kernel_call checked = {kernel_in(subject->kernels, subject->slot), subject->slot->family, call};
    return (kernel_survives(subject, make_call, &checked) && addressed_is_as_expected(subject, call) &&
            kernel_left_as_expected(subject, &subject->operands[ROWS]) &&
            kernel_left_as_expected(subject, &subject->operands[OFFSETS])) ||
           print_case(subject, trial);
}
