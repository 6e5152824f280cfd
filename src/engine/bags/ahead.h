/* How far ahead rows of bags are prefetched. */
#ifndef STREW_ENGINE_BAGS_AHEAD_H
#define STREW_ENGINE_BAGS_AHEAD_H

#include <stdint.h>

/* So many entries: further where rows are short. */
static inline uint32_t strew_bags_rows_ahead(int64_t row_bytes)
{
    return row_bytes <= 256 ? 32 : row_bytes <= 1024 ? 16 : 8;
}

#endif
