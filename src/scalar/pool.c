/* The scalar pools: the body over the vocabulary of one element at a time. */
#include "scalar/halves.h"
#include "scalar/kernels.h"

#define STREW_ISA scalar
#define STREW_BODY "scalar/pool.inc"
#define STREW_T_KINDS (KINDS_OF_HALVES | KIND_FLOAT)
#include "kernels/each_dtype.inc"
