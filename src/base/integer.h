/* Reads an integer of any dtype. */
#ifndef STREW_BASE_INTEGER_H
#define STREW_BASE_INTEGER_H

#include "strew/strew.h"

bool strew_is_integer(strew_dtype dtype);
bool strew_is_unsigned(strew_dtype dtype);

/*
 * Reads the integer at `address`, which needs no alignment. A uint64 above INT64_MAX is returned as the negative
 * number with the same bits.
 */
int64_t strew_read_integer(const void *address, strew_dtype dtype);

#endif
