#include "avx2/kernels.h"
#include "scalar/kernels.h"

/* A cell may have several initialisers: the last one counts. The warning about that is switched off. */
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

#undef LEFT_OUT_KERNEL
