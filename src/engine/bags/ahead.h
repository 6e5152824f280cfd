/* How far ahead rows of bags are prefetched. */
#ifndef STREW_ENGINE_BAGS_AHEAD_H
#define STREW_ENGINE_BAGS_AHEAD_H

#include <stdint.h>

/* So many bytes of rows stay in the second-level cache, which answers sooner. */
enum { STREW_NEAR_ROWS_BYTES = 1 << 20 };

/* So many entries, of `rows` rows in all: further where they are short. */
static inline uint32_t strew_bags_rows_ahead(int64_t row_bytes, int64_t rows)
{
    const uint32_t ahead = row_bytes <= 256 ? 32 : row_bytes <= 2048 ? 16 : 8;
    return (double)row_bytes * (double)rows <= STREW_NEAR_ROWS_BYTES ? ahead / 2 : ahead;
}

#endif
