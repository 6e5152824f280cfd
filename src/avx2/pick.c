/* Picks the rows that an owner owns, with AVX2. */
#include "avx2/kernels.h"
#include "avx2/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA avx2
#include "kernels/pick.inc"
