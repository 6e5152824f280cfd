/* The NEON combinations of single float16, and the extrema of single floats of any size. */
#include "kernels/table.h"
#include "neon/kernels.h"
#include "neon/vector.h"

#ifndef __arm__ /* see kernels.inc */
#define STREW_ISA neon
#define STREW_BODY "neon/combine.inc"
#define STREW_T_KINDS (KINDS_OF_HALVES | KIND_FLOAT)
#include "kernels/each_dtype.inc"
#endif
