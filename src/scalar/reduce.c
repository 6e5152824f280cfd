/* Combines rows, in plain C: the body over the vocabulary of one element at a time. bag.c combines rows of halves,
 * which it combines in another type. */
#include "scalar/kernels.h"
#include "scalar/vector.h"

#define STREW_ISA scalar
#define STREW_BODY "scalar/reduce.inc"
#define STREW_T_KINDS (KIND_BOOL | (KINDS_OF_NUMBERS & ~KINDS_OF_HALVES))
#include "kernels/each_dtype.inc"
