/* The AVX2 moves of rows. Rows of one, two, four, eight or sixteen bytes are one scalar instruction as they are. */
#include "avx2/kernels.h"
#include "avx2/vector.h"

#define STREW_ISA avx2
#include "kernels/move_rows.inc"
