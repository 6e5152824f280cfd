/* The scalar puts, which nothing is faster for: over bits to assign, over the vocabulary to combine. */
#include "scalar/kernels.h"
#include "scalar/vector.h"

#define STREW_ISA scalar
#define STREW_BODY "scalar/put.inc"
#define STREW_T_KINDS (KIND_BITS | KINDS_OF_INTEGERS | KIND_FLOAT | KIND_COMPLEX)
#include "kernels/each_dtype.inc"
