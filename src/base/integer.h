/* Reading an integer of any dtype. */
#ifndef STREW_BASE_INTEGER_H
#define STREW_BASE_INTEGER_H

#include "strew/strew.h"

bool strew_is_integer(strew_dtype dtype);
bool strew_is_unsigned(strew_dtype dtype);

/* The integer at any address. A uint64 beyond the signed range reads as the negative number of the same bits. */
int64_t strew_read_integer(const void *address, strew_dtype dtype);

#endif
