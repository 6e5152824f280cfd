/* The scalar resolving of each index dtype. */
#include "kernels/elements.h"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX scalar

#define STREW_BODY "kernels/resolve.inc"
#include "kernels/each_index_dtype.inc"
