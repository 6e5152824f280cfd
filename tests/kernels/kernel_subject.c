/* The slots, generated from scalar's list, and the reports about them. */
#include "kernel_subject.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "element.h"
#include "kernels/elements.h"

/* ---- Slots --------------------------------------------------------------------------------------- */

#define BYTE STREW_DTYPE_OPAQUE(1)
#define RESOLVE(DTYPE, name, suffix, bytes) \
    {"resolve " #suffix, FAMILY_RESOLVE, STREW_DTYPE_##DTYPE, STREW_REDUCTION_NONE, 0, 0},
#define CHECK(DTYPE, name, suffix, bytes) \
    {"check " #suffix, FAMILY_CHECK, STREW_DTYPE_##DTYPE, STREW_REDUCTION_NONE, 0, 0},
#define GATHER(size, bytes) {"gather " #size, FAMILY_GATHER, BYTE, STREW_REDUCTION_NONE, STREW_MOVE_##size, bytes},
#define SCATTER(size, bytes) \
    {"scatter " #size, FAMILY_SCATTER, BYTE, STREW_REDUCTION_NONE, STREW_MOVE_##size, bytes},
#define REDUCE_ROWS(REDUCTION, reduction, DTYPE, suffix) \
    {"reduce_rows_" #reduction " " #suffix,              \
     FAMILY_REDUCE_ROWS,                                 \
     STREW_DTYPE_##DTYPE,                                \
     STREW_REDUCTION_##REDUCTION,                        \
     0,                                                  \
     0},
#define REDUCE_ELEMENTS(REDUCTION, reduction, DTYPE, suffix) \
    {"reduce_elements_" #reduction " " #suffix,              \
     FAMILY_REDUCE_ELEMENTS,                                 \
     STREW_DTYPE_##DTYPE,                                    \
     STREW_REDUCTION_##REDUCTION,                            \
     0,                                                      \
     sizeof(suffix)},
#define DIVIDE(DTYPE, name, suffix, bytes) \
    {"divide " #suffix, FAMILY_DIVIDE, STREW_DTYPE_##DTYPE, STREW_REDUCTION_NONE, 0, bytes},
#define PICK(owned) {"pick " #owned, FAMILY_PICK, BYTE, STREW_REDUCTION_NONE, 0, 0},
const kernel_slot kernel_slots[] = {
#include "scalar/kernels.inc"
};
#undef BYTE
#undef RESOLVE
#undef CHECK
#undef GATHER
#undef SCATTER
#undef REDUCE_ROWS
#undef REDUCE_ELEMENTS
#undef DIVIDE
#undef PICK

const size_t kernel_slot_count = sizeof kernel_slots / sizeof *kernel_slots;

strew_move_kernel *move_kernel_in(const strew_kernels *kernels, const kernel_slot *slot)
{
    switch (slot->family) {
    case FAMILY_GATHER: return kernels->gather[slot->size];
    case FAMILY_SCATTER: return kernels->scatter[slot->size];
    case FAMILY_REDUCE_ROWS: return kernels->reduce_rows[slot->reduction][slot->dtype];
    default: return kernels->reduce_elements[slot->reduction][slot->dtype];
    }
}

any_kernel *kernel_in(const strew_kernels *kernels, const kernel_slot *slot)
{
    switch (slot->family) {
    case FAMILY_RESOLVE: return (any_kernel *)kernels->resolve[slot->dtype];
    case FAMILY_CHECK: return (any_kernel *)kernels->check[slot->dtype];
    case FAMILY_DIVIDE: return (any_kernel *)kernels->divide[slot->dtype];
    case FAMILY_PICK: return (any_kernel *)kernels->pick;
    default: return (any_kernel *)move_kernel_in(kernels, slot);
    }
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

bool kernel_survives(const kernel_subject *subject, guarded_task *call, void *context)
{
    const char *touched;
    if (guarded_run(call, context, &touched))
        return true;
    for (size_t i = 0; i < KERNEL_OPERANDS; i++) {
        const operand *at = &subject->operands[i];
        if (operand_is_around(at, touched))
            return kernel_report(subject, "touches byte %td of %s, which has %zu", touched - at->at, at->name,
                                 at->bytes);
    }
    /* On some CPUs so does an access that is not aligned as its instruction demands, and has no address to show. */
    return kernel_report(subject, "faults at %p, which is no operand's", (const void *)touched);
}

bool kernel_left_as_expected(const kernel_subject *subject, const operand *checked)
{
    const char *place = operand_difference(checked);
    if (!place)
        return true;
    return kernel_report(subject, "byte %td of %s, which has %zu, was %02x, is %02x, should be %02x",
                         place - checked->at, checked->name, checked->bytes,
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
