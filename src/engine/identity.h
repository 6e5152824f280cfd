/* The elements that reductions start from. */
#ifndef STREW_ENGINE_IDENTITY_H
#define STREW_ENGINE_IDENTITY_H

#include "strew/strew.h"

/* Returns the identity of a reduction. That of a mean is that of a sum. */
const void *strew_identity(strew_dtype dtype, strew_reduction reduction);

const void *strew_zero(strew_dtype dtype);

/* Returns the lowest finite value; false for bool. */
const void *strew_lowest(strew_dtype dtype);

#endif
