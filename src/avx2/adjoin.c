/* The AVX2 finding of rows that adjoin. */
#include "avx2/kernels.h"
#include "avx2/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA avx2
#include "kernels/adjoin.inc"
