/*
 * The kernel under test: the slots of the kernel table, in the order of scalar's complete list; and one slot in the
 * table of an instruction set, with its reference.
 */
#ifndef STREW_TESTS_KERNEL_SUBJECT_H
#define STREW_TESTS_KERNEL_SUBJECT_H

#include "base/compiler.h"
#include "kernel_memory.h"
#include "kernels/kernels.h"
#include "random.h"

/* Every family of kernels: X(CONSTANT, member of strew_kernels). */
#define KERNEL_FAMILIES(X)      \
    X(RESOLVE, resolve)         \
    X(AMEND, amend)             \
    X(LOOKUP, lookup)           \
    X(PUT, put)                 \
    X(COMBINE, combine)         \
    X(GATHER, gather)           \
    X(SCATTER, scatter)         \
    X(FILL, fill)               \
    X(REDUCE_ROWS, reduce_rows) \
    X(BAG, bag)                 \
    X(DIVIDE, divide)           \
    X(PICK, pick)

typedef enum kernel_family {
#define KERNEL_FAMILY_CONSTANT(CONSTANT, name) FAMILY_##CONSTANT,
    KERNEL_FAMILIES(KERNEL_FAMILY_CONSTANT)
#undef KERNEL_FAMILY_CONSTANT
        FAMILY_COUNT
} kernel_family;

typedef struct kernel_slot {
    const char *name; /* "reduce_rows_min f32" */
    size_t cell;      /* its offset in strew_kernels */
    kernel_family family;
    strew_dtype dtype; /* of elements or indices; single bytes for kernels that only move */
    strew_reduction reduction;
    size_t row_bytes; /* of an element for fill, lookup and put; 0 for any */
} kernel_slot;

extern const size_t kernel_slot_count;
kernel_slot kernel_slot_at(size_t index);

/* A cell of a table as a function pointer of no particular type; NULL if it is empty. */
typedef void any_kernel(void);
any_kernel *kernel_in(const strew_kernels *kernels, const kernel_slot *slot);

enum { KERNEL_OPERANDS = 7 };

typedef struct kernel_subject {
    const char *isa;
    const kernel_slot *slot;
    const strew_kernels *kernels;
    const strew_kernels *reference; /* NULL for the definitions in kernel_reference.h */
    operand *operands;              /* KERNEL_OPERANDS of them */
    random_source *random;
} kernel_subject;

/* Prints the fault of a call. Returns false, the outcome of the check. */
bool kernel_report(const kernel_subject *subject, const char *format, ...) STREW_PRINTF(2, 3);

/* Runs the call of a kernel, and reports a fault that it raises. */
bool kernel_survives(const kernel_subject *subject, system_task *call, void *context);

/* Whether an operand is as expected; reports the first byte that is not. */
bool kernel_left_as_expected(const kernel_subject *subject, const operand *checked);

/*
 * Gives an element of an operand the bits that are expected there if it equals them without having them, as one NaN
 * does another.
 */
void kernel_settle(const kernel_subject *subject, const operand *checked, char *element);

/* An element as a number in hexadecimal, the parts of a complex one with a comma between them. Returns the text. */
typedef char element_text[40];
const char *kernel_element_text(const kernel_subject *subject, const char *element, element_text text);

const char *placement_name(operand_placement placement);

#endif
