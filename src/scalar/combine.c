/* Combines single elements, in plain C: the shared body over the vocabulary of one element at a time. */
#include "kernels/table.h"
#include "scalar/kernels.h"
#include "scalar/vector.h"

#define STREW_ISA scalar
#define STREW_BODY "scalar/combine.inc"
#define STREW_T_KINDS (KIND_BOOL | KINDS_OF_NUMBERS)
#include "kernels/each_dtype.inc"
