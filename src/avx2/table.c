#include "avx2/table.h"

#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/prototypes.inc"

#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "kernels/prototypes.inc"

/* Of two initialisers of one cell the later counts, which is what is wanted here. */
#pragma GCC diagnostic ignored "-Woverride-init"

const strew_kernels strew_kernels_avx2 = {
#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/cells.inc"
#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "kernels/cells.inc"
};

#define STREW_WITHOUT_F16C
const strew_kernels strew_kernels_avx2_without_f16c = {
#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "kernels/cells.inc"
#define STREW_ISA_SUFFIX avx2
#define STREW_KERNEL_LIST "avx2/kernels.inc"
#include "kernels/cells.inc"
};
