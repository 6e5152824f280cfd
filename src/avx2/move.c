/* The AVX2 moves of rows. Rows of one, two, four, eight or sixteen bytes are one scalar instruction as they are. */
#include "avx2/vector.h"

#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx2
#include "kernels/move_rows.inc"
