/* Resolves indices of each dtype, with AVX2. */
#include "avx2/kernels.h"
#include "avx2/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA avx2
#define STREW_BODY "kernels/resolve_vectors.inc"
#define STREW_T_KINDS KINDS_OF_INDICES
#include "kernels/each_dtype.inc"
