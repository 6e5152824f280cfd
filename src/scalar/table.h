/* The table of the scalar kernels, complete by itself. */
#ifndef STREW_SCALAR_TABLE_H
#define STREW_SCALAR_TABLE_H

#include "dispatch/kernels.h"

extern const strew_kernels strew_kernels_scalar;

#endif
