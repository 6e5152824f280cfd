#include "base/integer.h"

#include <assert.h>
#include <string.h>

bool strew_is_unsigned(strew_dtype dtype)
{
    return dtype >= STREW_DTYPE_UINT8 && dtype <= STREW_DTYPE_UINT64;
}

int64_t strew_read_integer(const void *address, strew_dtype dtype)
{
    assert(STREW_INTEGERS >> dtype & 1);
    switch (dtype) {
#define CASE(CONSTANT, name, suffix, bits)         \
    case STREW_DTYPE_##CONSTANT: {                 \
        name##_t integer;                          \
        memcpy(&integer, address, sizeof integer); \
        return (int64_t)integer;                   \
    }
        STREW_INTEGER_DTYPES(CASE)
#undef CASE
    default: return 0;
    }
}
