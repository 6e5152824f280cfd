/* One checked call of a kernel that moves: gather, scatter, reduce_rows, and combine by offsets. */
#ifndef STREW_TESTS_KERNEL_MOVE_H
#define STREW_TESTS_KERNEL_MOVE_H

#include "kernel_reference.h"

/* The order in which a call visits the rows of the addressed operand. */
typedef enum row_order {
    ROWS_FORWARD,
    ROWS_BACKWARD,
    ROWS_ALL_ONE,
    ROWS_IN_PAIRS,    /* 0 0 1 1 2 2 */
    ROWS_ALTERNATING, /* 0 1 0 1 */
    ROWS_RANDOM,      /* with repetitions */
    ROW_ORDER_COUNT
} row_order;

typedef struct move_case {
    size_t count;
    size_t row_bytes;
    int64_t row_step;
    row_order order;
    size_t gap; /* between the rows of the addressed operand */
    operand_placement placement;
    size_t addressed_misalignment; /* between canaries */
    size_t rows_misalignment;
    strew_access access;
} move_case;

/* Places the operands and writes the offsets. The rows, on both sides, are the caller's to fill. */
move_call move_place(const kernel_subject *subject, const move_case *trial);

/*
 * Makes the call, and compares with that of the reference every byte of all operands and around them. Any NaN
 * equals any other.
 */
bool move_check(const kernel_subject *subject, const move_case *trial, const move_call *call);

#endif
