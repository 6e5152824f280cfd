/* Returns the tables of kernels of the instruction sets in this build, and the active one. */
#ifndef STREW_DISPATCH_DISPATCH_H
#define STREW_DISPATCH_DISPATCH_H

#include "kernels/kernels.h"
#include "strew/inspect.h"

/* Returns the table of an instruction set; NULL if it cannot run here. STREW_ISA_BEST returns the active table. */
const strew_kernels *strew_kernels_of(strew_isa isa);

/*
 * Finds the slot of `kernels` that holds a kernel, and describes it in *info. `kernel` points to the function
 * pointer.
 */
bool strew_kernel_find(const strew_kernels *kernels, const void *kernel, strew_kernel_info *info);

#endif
