/* The products of all factors but one, for derivatives of products. */
#ifndef STREW_TORCH_PRODUCTS_H
#define STREW_TORCH_PRODUCTS_H

#include "stable.h"

extern const char *const strew_torch_other_products_schema;

/* A kernel for the CPU. */
void strew_torch_other_products(StableIValue *stack, uint64_t arguments, uint64_t outputs);

#endif
