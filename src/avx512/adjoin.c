/* Finds where rows stop adjoining, with AVX-512. */
#include "avx512/kernels.h"
#include "avx512/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA avx512
#include "kernels/adjoin.inc"
