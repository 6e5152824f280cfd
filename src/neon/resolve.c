/* The NEON resolving of each index dtype. */
#include "neon/vector.h"

#define STREW_ISA_SUFFIX neon
#define STREW_KERNEL_LIST "neon/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX neon

#define STREW_BODY "kernels/resolve_places.inc"
#include "kernels/each_index_dtype.inc"
