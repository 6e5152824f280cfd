/* Combines bags, in plain C: the body over the vocabulary of one element at a time. */
#include "scalar/halves.h"
#include "scalar/kernels.h"

#define STREW_ISA scalar
#define STREW_BODY "scalar/bag.inc"
#define STREW_T_KINDS (KIND_BOOL | KINDS_OF_NUMBERS)
#include "kernels/each_dtype.inc"
