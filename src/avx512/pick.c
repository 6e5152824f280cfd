/* The AVX-512 picking of rows that are owned. */
#include "avx512/kernels.h"
#include "avx512/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA avx512
#include "kernels/pick.inc"
