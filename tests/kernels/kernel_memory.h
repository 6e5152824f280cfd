/*
 * Memory for the operands of a kernel under test. Each operand lies in pages of its own between two guard pages: a
 * kernel that reads or writes past an operand that touches a guard page faults. Elsewhere canaries around the
 * operand, and between its rows, reveal wrong writes.
 */
#ifndef STREW_TESTS_KERNEL_MEMORY_H
#define STREW_TESTS_KERNEL_MEMORY_H

#include "system/system.h"

typedef enum operand_placement {
    OPERAND_BEHIND_GUARD, /* its first byte follows a page that cannot be touched */
    OPERAND_BEFORE_GUARD, /* its last byte precedes one */
    OPERAND_BETWEEN_CANARIES,
    OPERAND_PLACEMENT_COUNT
} operand_placement;

/* The most bytes that an operand may have. */
enum { OPERAND_ROOM = 4 << 20 };

typedef struct operand {
    const char *name; /* for messages */
    char *room;       /* OPERAND_ROOM bytes between the two guard pages */
    char *begin;
    size_t bytes;
    char *window; /* the operand and the canaries around it */
    size_t window_bytes;
    char *initial;  /* the window before the call */
    char *expected; /* the expected window after the call */
} operand;

bool operand_create(operand *self);
void operand_destroy(operand *self);

/*
 * Places the operand, and fills its window with canaries. Between canaries it begins `misalignment` bytes behind
 * a multiple of 64; against a guard page it begins or ends where the page does.
 */
void operand_place(operand *self, const char *name, size_t bytes, operand_placement placement, size_t misalignment);

/* The distance of the operand from the multiple of 64 before it. */
size_t operand_misalignment(const operand *self);

/* Call this when the operand is filled: it keeps the window as the initial and the expected content. */
void operand_remember(operand *self);

/* The place in `expected` of a place in the window. */
char *operand_expected(const operand *self, const char *place);
const char *operand_initial(const operand *self, const char *place);

/* The first byte of the window that is not as expected, or NULL. */
const char *operand_difference(const operand *self);

/* Whether a place is in the operand's pages, the guards included. */
bool operand_is_around(const operand *self, const char *place);

#endif
