#include "avx512/table.h"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx512
#define STREW_KERNEL_LIST "avx512/kernels.inc"
#include "kernels/prototypes.inc"

/* Of several initialisers of one cell the last counts, which is what is wanted here. */
#pragma GCC diagnostic ignored "-Woverride-init"

const strew_kernels strew_kernels_avx512 = {
#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/cells.inc"
#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "kernels/cells.inc"
#define STREW_ISA_SUFFIX avx512
#define STREW_KERNEL_LIST "avx512/kernels.inc"
#include "kernels/cells.inc"
};
