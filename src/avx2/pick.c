/* The AVX2 picking of rows that are owned. */
#include "avx2/vector.h"

#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx2
#include "kernels/pick.inc"
