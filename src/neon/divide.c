/* The NEON divisions of mean, of halves. Scalar kernels divide wider floats: FDIV of vectors is no faster. */
#include "neon/kernels.h"
#include "neon/vector.h"

#ifndef __arm__ /* see kernels.inc */
#define STREW_ISA neon
#define STREW_BODY "kernels/divide.inc"
#define STREW_T_KINDS KINDS_OF_HALVES
#include "kernels/each_dtype.inc"
#endif
