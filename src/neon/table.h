/* The table of the NEON kernels, scalar's where NEON has none. */
#ifndef STREW_NEON_TABLE_H
#define STREW_NEON_TABLE_H

#include "dispatch/kernels.h"

extern const strew_kernels strew_kernels_neon;

#endif
