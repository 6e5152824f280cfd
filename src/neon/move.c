/*
 * Moves rows with NEON. Rows of 1, 2, 4, 8 or 16 bytes are left to the scalar kernels, where one instruction moves
 * a row.
 */
#include "neon/kernels.h"
#include "neon/vector.h"

#define STREW_ISA neon
#include "kernels/move_rows.inc"
