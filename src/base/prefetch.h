/*
 * Prefetching: what the engine and the kernels share of it. Which rows are worth it the engine decides
 * (engine/walk/prefetch.h) from the distances in the tuning of the CPU (dispatch/tuning.h); how it is done stands
 * here. A prefetch reads nothing: any address will do.
 */
#ifndef STREW_BASE_PREFETCH_H
#define STREW_BASE_PREFETCH_H

#include "base/compiler.h"

/* All of it always inlined, or gcc 12 takes a function that only prefetches to do nothing, and drops its calls. */

enum { STREW_CACHE_LINE = 64 };

/* Every line of a row, which may begin and end within one. */
STREW_INLINE void strew_prefetch_row(const char *row, size_t bytes)
{
    for (size_t line = 0; line < bytes; line += STREW_CACHE_LINE)
        STREW_PREFETCH(row + line);
    if (bytes > 0)
        STREW_PREFETCH(row + bytes - 1);
}

/* The row that comes `ahead` after row i, if there is one. 0 ahead: none. */
STREW_INLINE void strew_prefetch_row_ahead(const char *addressed, const int64_t *offsets, size_t i, size_t count,
                                           size_t bytes, size_t ahead)
{
    if (ahead > 0 && i + ahead < count)
        strew_prefetch_row(addressed + offsets[i + ahead], bytes);
}

/* The lines of it that a row does not fill, if there are any. */
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

/* Indices that are read in order, so many bytes ahead: the CPU prefetches them too, but stops at pages, and other
 * loads distract it. */
enum { STREW_INDICES_AHEAD = 2048 };
STREW_INLINE void strew_prefetch_indices(const char *indices, size_t ahead)
{
    STREW_PREFETCH((const void *)((uintptr_t)indices + ahead));
}

#endif
