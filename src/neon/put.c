/* The NEON sums of halves by table: the shared body, four of which are widened at a time. */
#include "neon/kernels.h"
#include "neon/vector.h"

#ifndef __arm__ /* see kernels.inc */
#define STREW_ISA neon
#define STREW_BODY "neon/put.inc"
#define STREW_T_KINDS KINDS_OF_HALVES
#include "kernels/each_dtype.inc"
#endif
