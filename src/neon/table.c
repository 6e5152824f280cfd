#include "neon/table.h"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX neon
#define STREW_KERNEL_LIST "neon/kernels.inc"
#include "kernels/prototypes.inc"

/* Of two initialisers of one cell the later counts, which is what is wanted here. */
#pragma GCC diagnostic ignored "-Woverride-init"

const strew_kernels strew_kernels_neon = {
#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/cells.inc"
#define STREW_ISA_SUFFIX neon
#define STREW_KERNEL_LIST "neon/kernels.inc"
#include "kernels/cells.inc"
};
