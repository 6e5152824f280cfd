/* The scalar kernels that move by tables: over bits to look up and to put, over the vocabulary to sum. */
#include "scalar/kernels.h"
#include "scalar/vector.h"

#define STREW_ISA scalar
#define STREW_BODY "scalar/tables.inc"
#define STREW_T_KINDS (KIND_BITS | KINDS_OF_INTEGERS | KIND_FLOAT | KIND_COMPLEX)
#include "kernels/each_dtype.inc"
