/* The scalar resolving of each index dtype. */
#include "scalar/kernels.h"

#define STREW_ISA scalar
#define STREW_BODY "kernels/resolve.inc"
#define STREW_T_KINDS KINDS_OF_INDICES
#include "kernels/each_dtype.inc"
