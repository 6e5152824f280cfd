#include "neon/kernels.h"
#include "scalar/kernels.h"

/* The later of two initialisers of one cell counts: NEON takes the place of scalar. */
#pragma GCC diagnostic ignored "-Woverride-init"

#define LEFT_OUT_KERNEL(type, family, operand)

const strew_kernels strew_kernels_neon = {
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, scalar),
#include "scalar/kernels.inc"
#undef KERNEL
#define KERNEL(type, family, operand, cell) .cell = STREW_KERNEL(family, operand, neon),
#include "neon/kernels.inc"
#undef KERNEL
};

#undef LEFT_OUT_KERNEL
