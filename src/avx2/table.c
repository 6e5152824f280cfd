#include "avx2/kernels.h"
#include "scalar/kernels.h"

/* Of two initialisers of one cell the later counts, which is what is wanted here. */
#pragma GCC diagnostic ignored "-Woverride-init"

#define LEFT_OUT_KERNEL(type, family, operand)

const strew_kernels strew_kernels_avx2 = {
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, scalar),
#include "scalar/kernels.inc"
#undef KERNEL
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, avx2),
#include "avx2/kernels.inc"
#undef KERNEL
};

#define STREW_WITHOUT_F16C
const strew_kernels strew_kernels_avx2_without_f16c = {
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, scalar),
#include "scalar/kernels.inc"
#undef KERNEL
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, avx2),
#include "avx2/kernels.inc"
#undef KERNEL
};

#undef LEFT_OUT_KERNEL
