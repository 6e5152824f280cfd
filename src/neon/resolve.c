/* Resolves indices of each dtype, with NEON. */
#include "neon/kernels.h"
#include "neon/vector.h"
#include "scalar/kernels.h"

#define STREW_ISA neon
#define STREW_BODY "kernels/resolve_vectors.inc"
#define STREW_T_KINDS KINDS_OF_INDICES
#include "kernels/each_dtype.inc"
