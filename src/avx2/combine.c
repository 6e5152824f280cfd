/* Combines single elements, with AVX2: halves, which are widened, and minima and maxima of floats. */
#include "avx2/kernels.h"
#include "avx2/vector.h"
#include "kernels/table.h"

#define STREW_ISA avx2
#define STREW_BODY "avx2/combine.inc"
#define STREW_T_KINDS (KINDS_OF_HALVES | KIND_FLOAT)
#include "kernels/each_dtype.inc"
