/* The slots, generated from scalar's list, and the reports about them. */
#include "kernel_subject.h"

#include <inttypes.h>
#include <stdio.h>

#include "element.h"
#include "test.h"

/* ---- Slots --------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    size_t cell;
} lines[] = {
#define LEFT_OUT_KERNEL(type, family, operand)
#define KERNEL(type, family, operand, cell) {#family " " #operand, offsetof(strew_kernels, cell)},
#include "scalar/kernels.inc"
#undef KERNEL
};

const size_t kernel_slot_count = sizeof lines / sizeof *lines;

/* The first and the last cells of each family. */
static const struct {
    size_t begin, end;
} cells[FAMILY_COUNT] = {
#define CELLS(CONSTANT, name)                             \
    [FAMILY_##CONSTANT] = {offsetof(strew_kernels, name), \
                           offsetof(strew_kernels, name) + sizeof((strew_kernels *)NULL)->name},
    KERNEL_FAMILIES(CELLS)
#undef CELLS
};

static const size_t move_bytes[STREW_MOVE_SIZE_COUNT] = {
#define MOVE_BYTES(size, bytes) [STREW_MOVE_##size] = bytes,
    STREW_MOVE_SIZES(MOVE_BYTES)
#undef MOVE_BYTES
};

kernel_slot kernel_slot_at(size_t index)
{
    kernel_slot slot = {.name = lines[index].name, .cell = lines[index].cell, .dtype = STREW_DTYPE_OPAQUE(1)};
    while (slot.cell >= cells[slot.family].end)
        slot.family++;
    const unsigned cell = (unsigned)((slot.cell - cells[slot.family].begin) / sizeof(any_kernel *));
    switch (slot.family) {
    case FAMILY_RESOLVE:
    case FAMILY_AMEND: slot.dtype = STREW_DTYPE_INT8 + cell; break;
    case FAMILY_LOOKUP:
    case FAMILY_PUT:
    case FAMILY_FILL:
    case FAMILY_GATHER:
    case FAMILY_SCATTER: slot.row_bytes = move_bytes[cell]; break;
    case FAMILY_DIVIDE: slot.dtype = STREW_DTYPE_BOOL + cell; break;
    case FAMILY_BAG:
    case FAMILY_REDUCE_ROWS:
    case FAMILY_COMBINE:
        slot.reduction = (strew_reduction)(STREW_REDUCTION_SUM + cell / STREW_ELEMENT_SLOTS);
        slot.dtype = STREW_DTYPE_BOOL + cell % STREW_ELEMENT_SLOTS;
        slot.row_bytes = slot.family == FAMILY_COMBINE ? element_size(slot.dtype) : 0;
        break;
    default: break;
    }
    return slot;
}

any_kernel *kernel_in(const strew_kernels *kernels, const kernel_slot *slot)
{
    any_kernel *kernel;
    memcpy(&kernel, (const char *)kernels + slot->cell, sizeof kernel);
    return kernel;
}

/* ---- Reports ------------------------------------------------------------------------------------- */

bool kernel_report(const kernel_subject *subject, const char *format, ...)
{
    char difference[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(difference, sizeof difference, format, arguments);
    va_end(arguments);
    print_error("%s %s: %s\n", subject->isa, subject->slot->name, difference);
    return false;
}

bool kernel_survives(const kernel_subject *subject, system_task *call, void *context)
{
    const char *touched;
    if (system_run_guarded(call, context, &touched))
        return true;
    for (size_t i = 0; i < KERNEL_OPERANDS; i++) {
        const operand *near = &subject->operands[i];
        if (operand_is_around(near, touched))
            return kernel_report(subject, "touches byte %td of %s, which has %zu", touched - near->begin,
                                 near->name, near->bytes);
    }
    /* On some CPUs an access that violates its instruction's alignment also faults, without an address. */
    return kernel_report(subject, "faults at %p, which is no operand's", (const void *)touched);
}

bool kernel_left_as_expected(const kernel_subject *subject, const operand *checked)
{
    const char *place = operand_difference(checked);
    if (!place)
        return true;
    return kernel_report(subject, "byte %td of %s, which has %zu, was %02x, is %02x, should be %02x",
                         place - checked->begin, checked->name, checked->bytes,
                         (unsigned char)*operand_initial(checked, place), (unsigned char)*place,
                         (unsigned char)*operand_expected(checked, place));
}

void kernel_settle(const kernel_subject *subject, const operand *checked, char *element)
{
    const char *expected = operand_expected(checked, element);
    if (element_same(subject->slot->dtype, element, expected))
        memcpy(element, expected, element_size(subject->slot->dtype));
}

const char *kernel_element_text(const kernel_subject *subject, const char *element, element_text text)
{
    static const strew_dtype bits[] = {
        [1] = STREW_DTYPE_UINT8, [2] = STREW_DTYPE_UINT16, [4] = STREW_DTYPE_UINT32, [8] = STREW_DTYPE_UINT64};
    const size_t parts = element_is_complex(subject->slot->dtype) ? 2 : 1;
    const size_t size = element_size(subject->slot->dtype) / parts;
    int length = 0;
    for (size_t part = 0; part < parts; part++)
        length += snprintf(text + length, sizeof(element_text) - (size_t)length, "%s%0*" PRIx64, part ? "," : "",
                           (int)(2 * size), element_load_integer(bits[size], element + part * size));
    return text;
}

const char *placement_name(operand_placement placement)
{
    static const char *const names[OPERAND_PLACEMENT_COUNT] = {
        [OPERAND_BEHIND_GUARD] = "behind guard pages",
        [OPERAND_BEFORE_GUARD] = "before guard pages",
        [OPERAND_BETWEEN_CANARIES] = "between canaries",
    };
    return names[placement];
}
