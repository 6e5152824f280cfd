/* Resolves indices of each dtype, in plain C. */
#include "scalar/kernels.h"

#define STREW_ISA scalar
#define STREW_BODY "kernels/resolve.inc"
#define STREW_T_KINDS KINDS_OF_INDICES
#include "kernels/each_dtype.inc"
