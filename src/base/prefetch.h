/*
 * Prefetches rows, for the engine and the kernels. The engine decides which rows are prefetched
 * (engine/walk/mover.c), with the distances in the CPU's tuning (dispatch/tuning.h). A prefetch does not access
 * memory as a load does, so any address is allowed.
 */
#ifndef STREW_BASE_PREFETCH_H
#define STREW_BASE_PREFETCH_H

#include "base/compiler.h"

/*
 * These functions must always be inlined: gcc 12 takes a function that only prefetches to have no effect, and
 * drops calls of it.
 */

enum { STREW_CACHE_LINE = 64 };

/* Prefetches every cache line of a row. The row may begin and end within a line. */
STREW_INLINE void strew_prefetch_row(const char *row, size_t bytes)
{
    for (size_t line = 0; line < bytes; line += STREW_CACHE_LINE)
        STREW_PREFETCH(row + line);
    if (bytes > 0)
        STREW_PREFETCH(row + bytes - 1);
}

/* Prefetches the row that comes `ahead` rows after row i, if there is one. With `ahead` 0 it does nothing. */
STREW_INLINE void strew_prefetch_row_ahead(const char *addressed, const int64_t *offsets, size_t i, size_t count,
                                           size_t bytes, size_t ahead)
{
    if (ahead > 0 && i + ahead < count)
        strew_prefetch_row(addressed + offsets[i + ahead], bytes);
}

/* Prefetches the first and last line of that row if the row fills them only in part. */
STREW_INLINE void strew_prefetch_ends_ahead(const char *addressed, const int64_t *offsets, size_t i, size_t count,
                                            size_t bytes, size_t ahead)
{
    if (ahead == 0 || i + ahead >= count)
        return;
    const char *const begin = addressed + offsets[i + ahead], *const end = begin + bytes;
    if ((uintptr_t)begin % STREW_CACHE_LINE > 0)
        STREW_PREFETCH(begin);
    if ((uintptr_t)end % STREW_CACHE_LINE > 0)
        STREW_PREFETCH(end - 1);
}

#endif
