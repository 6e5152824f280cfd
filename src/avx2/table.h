/* The tables of the AVX2 kernels, scalar's where AVX2 has none; and the same for CPUs that lack F16C. */
#ifndef STREW_AVX2_TABLE_H
#define STREW_AVX2_TABLE_H

#include "dispatch/kernels.h"

extern const strew_kernels strew_kernels_avx2;
extern const strew_kernels strew_kernels_avx2_without_f16c;

#endif
