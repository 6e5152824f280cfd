/* The AVX-512 picking of rows that are owned. */
#include "avx512/vector.h"

#define STREW_ISA_SUFFIX avx512
#define STREW_KERNEL_LIST "avx512/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx512
#include "kernels/pick.inc"
