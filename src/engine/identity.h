/* The element that a reduction without initial values starts from. */
#ifndef STREW_ENGINE_IDENTITY_H
#define STREW_ENGINE_IDENTITY_H

#include "strew/strew.h"

/* To be read only. Mean's is sum's. */
const void *strew_identity(strew_dtype dtype, strew_reduction reduction);

/* Zero, and the least value that is finite; of bool false. */
const void *strew_zero(strew_dtype dtype);
const void *strew_lowest(strew_dtype dtype);

#endif
