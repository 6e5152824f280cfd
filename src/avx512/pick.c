/* Picks the rows that an owner owns, with AVX-512. */
#include "avx512/kernels.h"
#include "avx512/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA avx512
#include "kernels/pick.inc"
