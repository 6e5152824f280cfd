/* Divides rows of floats by their counters, for mean, with AVX2. */
#include "avx2/kernels.h"
#include "avx2/vector.h"

#define STREW_ISA avx2
#define STREW_BODY "kernels/divide.inc"
#define STREW_T_KINDS (KINDS_OF_HALVES | KIND_FLOAT | KIND_COMPLEX)
#include "kernels/each_dtype.inc"
