/* Resolves indices of each dtype, with AVX-512. */
#include "avx512/kernels.h"
#include "avx512/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA avx512
#define STREW_BODY "kernels/resolve_vectors.inc"
#define STREW_T_KINDS KINDS_OF_INDICES
#include "kernels/each_dtype.inc"
