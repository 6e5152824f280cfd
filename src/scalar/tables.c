/* Looks up and puts single elements, in plain C. */
#include "kernels/table.h"
#include "scalar/kernels.h"

#define STREW_ISA scalar
#define STREW_BODY "scalar/tables.inc"
#define STREW_T_KINDS KIND_BITS
#include "kernels/each_dtype.inc"
