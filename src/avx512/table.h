/* The table of the AVX-512 kernels, AVX2's where AVX-512 has none, and scalar's where neither has. */
#ifndef STREW_AVX512_TABLE_H
#define STREW_AVX512_TABLE_H

#include "dispatch/kernels.h"

extern const strew_kernels strew_kernels_avx512;

#endif
