#include "scalar/table.h"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/prototypes.inc"

const strew_kernels strew_kernels_scalar = {
#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/cells.inc"
};
