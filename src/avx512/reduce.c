/* Combines rows of halves, with AVX-512. */
#include "avx2/kernels.h"
#include "avx512/kernels.h"
#include "avx512/vector.h"

#define STREW_ISA avx512
#define STREW_SHORT_ROWS avx2
#define STREW_BODY "kernels/reduce.inc"
#define STREW_T_KINDS KINDS_OF_HALVES
#include "kernels/each_dtype.inc"
