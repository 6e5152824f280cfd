/*
 * Moves rows with AVX2. Rows of 1, 2, 4, 8 or 16 bytes are left to the scalar kernels, where one instruction moves
 * a row.
 */
#include "avx2/kernels.h"
#include "avx2/vector.h"

#define STREW_ISA avx2
#include "kernels/move_rows.inc"
