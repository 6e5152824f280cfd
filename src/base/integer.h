/* Reads an integer of any dtype. */
#ifndef STREW_BASE_INTEGER_H
#define STREW_BASE_INTEGER_H

#include "base/lists.h"

/* The bits of all integer dtypes. */
#define STREW_INTEGER_BIT(CONSTANT, name, suffix, bits) | 1 << STREW_DTYPE_##CONSTANT
enum { STREW_INTEGERS = 0 STREW_INTEGER_DTYPES(STREW_INTEGER_BIT) };

bool strew_is_unsigned(strew_dtype dtype);

/*
 * Reads the integer at `address`, which needs no alignment. A uint64 above INT64_MAX is returned as the negative
 * number with the same bits.
 */
int64_t strew_read_integer(const void *address, strew_dtype dtype);

#endif
