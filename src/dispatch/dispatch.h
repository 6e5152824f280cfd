/* Which kernels serve: the tables of the instruction sets that this build has, and the one in use. */
#ifndef STREW_DISPATCH_DISPATCH_H
#define STREW_DISPATCH_DISPATCH_H

#include "kernels/kernels.h"
#include "strew/inspect.h"

/* The table of an instruction set, or NULL if it cannot run here. STREW_ISA_BEST gives the one in use. */
const strew_kernels *strew_kernels_of(strew_isa isa);

/* Finds the slot of a table that holds a kernel, which is given by the address of a pointer to it. */
bool strew_kernel_find(const strew_kernels *kernels, const void *kernel, strew_kernel_info *info);

#endif
