/* What the pools of all dtypes share: which rows entries name. */
#ifndef STREW_KERNELS_POOL_ENTRIES_H
#define STREW_KERNELS_POOL_ENTRIES_H

#include <string.h>

#include "base/thresholds.h"
#include "kernels/fold_vectors.h"

/* Some columns of all rows of a call. */
typedef struct pool_call {
    const strew_pool *pool;
    char *target;
    const char *source;
    size_t bytes;
    int64_t target_step;
    size_t begin;
    const int64_t *ends;
    size_t bags;
} pool_call;

/* How many entries they have. */
INLINE size_t pool_count(const pool_call *call)
{
    return call->bags > 0 ? (size_t)call->ends[call->bags - 1] - call->begin : 0;
}

/* Sums them. False if an index is wrong. */
typedef bool pool_way(const pool_call *call);

/* Its entries. */
typedef struct pool_entries {
    fold_columns sources;
    int64_t source_step;
    i64 rows, gain;
    const char *indices;
    bool is_narrow;
    size_t ahead, last; /* which entry's row is prefetched, but for the last one's */
    size_t last_line;   /* of columns that begin and end within lines: their last byte; otherwise 0 */
    const char *weights;
    int64_t weight_step;
} pool_entries;

INLINE pool_entries pool_entries_of(const pool_call *call, size_t bytes)
{
    const strew_pool *const pool = call->pool;
    return (pool_entries){
        .sources = columns_of(call->source, bytes),
        .source_step = pool->source_step,
        .rows = pool->rows,
        .gain = pool->gain,
        .indices = pool->indices,
        .is_narrow = pool->is_narrow,
        .ahead = pool->rows_ahead,
        .last = pool->entries - 1,
        .last_line = columns_last_line(call->source, pool->source_step, bytes),
        .weights = pool->weights,
        .weight_step = pool->weight_step,
    };
}

/* How entries name rows: each the one of its own number, or by an index, of one dtype or either. */
typedef enum pool_naming { POOL_BY_COUNT, POOL_BY_INT32, POOL_BY_INT64, POOL_BY_EITHER } pool_naming;

/* What a loop knows of its entries, as constants. */
typedef struct pool_known {
    pool_naming naming;
    bool prefetched; /* the rows of later ones are */
    bool weighted;
    bool is_mean;
} pool_known;

/* What is most usual; and the nearest rows, which are named but not prefetched. */
INLINE bool pool_is_usual(pool_known known)
{
    return known.prefetched && !known.weighted && !known.is_mean;
}
INLINE bool pool_is_nearest(pool_known known)
{
    return known.naming != POOL_BY_COUNT && !known.prefetched;
}

INLINE i64 pool_index(const pool_entries *entries, pool_naming naming, size_t i)
{
    if (naming == POOL_BY_COUNT)
        return (i64)i;
    if (naming == POOL_BY_EITHER ? entries->is_narrow : naming == POOL_BY_INT32)
        return ((const i32_at *)entries->indices)[i];
    return ((const i64_at *)entries->indices)[i];
}

/* Of the row that an entry names. False if its index is wrong. */
INLINE bool pool_columns_named(const pool_entries *entries, pool_naming naming, size_t i, fold_columns *named)
{
    u64 index = (u64)pool_index(entries, naming, i);
    if (naming != POOL_BY_COUNT && index >= (u64)entries->rows &&
        (index += (u64)entries->gain) >= (u64)entries->rows)
        return false;
    *named = columns_at(entries->sources, (i64)index * entries->source_step);
    return true;
}

/* Of the row that is prefetched, whose index has not been checked: any address will do. */
INLINE fold_columns pool_columns_ahead(const pool_entries *entries, pool_naming naming, size_t i)
{
    const size_t later = fold_least(i + entries->ahead, entries->last);
    const uintptr_t index = (uintptr_t)pool_index(entries, naming, later),
                    offset = index * (uintptr_t)entries->source_step;
    const uintptr_t begin = (uintptr_t)entries->sources.begin, end = (uintptr_t)entries->sources.end;
    return (fold_columns){(char *)(begin + offset), (char *)(end + offset), entries->sources.bytes};
}

/* Columns of so few vectors have a loop each for one vector, two, and so on. */
enum { FEW_VECTORS = 4 };

/* So many entries of long rows are added at a time, so many bytes of each. */
enum { ENTRIES_TOGETHER = 4, TOGETHER_BYTES = 4096 };

/* Entries of a bag that are added at a time. */
typedef struct pool_group {
    const char *rows[ENTRIES_TOGETHER], *ahead[ENTRIES_TOGETHER], *weights[ENTRIES_TOGETHER];
} pool_group;

/* False if an index is wrong. */
APART_OF_SOME bool pool_group_named(pool_naming naming, const pool_entries *entries, size_t first, size_t count,
                                    pool_group *group)
{
    STREW_ROLLED
    for (size_t e = 0; e < count; e++) {
        fold_columns named;
        if (!pool_columns_named(entries, naming, first + e, &named))
            return false;
        group->rows[e] = named.begin;
        group->ahead[e] = pool_columns_ahead(entries, naming, first + e).begin;
        group->weights[e] =
            entries->weights ? entries->weights + (int64_t)(first + e) * entries->weight_step : NULL;
    }
    return true;
}

/* So many entries are told at once where their bag is: those beyond its end belong to the next ones. */
enum { PLACES_AT_ONCE = 8 };

enum {
    SHORT_BAG = 5,
    MOST_IN_SHORT_BAGS = 512,
    CHANGES_PER_BAG = 4,
    BAGS_LOOKED_AT = 32,
    SHORT_BAGS_TABLE = 8 << 20
};
/* Where fewer bags end, a CPU knows from the call before, if it was the same. */
enum { LEAST_UNKNOWN = STREW_THRESHOLD(30000, 1) };

/*
 * Whether bags are so short, and each so often of another length, that branches where they end go wrong, and rows
 * so near that nothing else is waited for.
 */
APART_OF_SOME bool pool_bags_are_short(const pool_call *call)
{
    const strew_pool *const pool = call->pool;
    const i64 entries = (i64)pool_count(call);
    if (pool->adds || entries > MOST_IN_SHORT_BAGS || entries >= SHORT_BAG * (i64)call->bags ||
        (u64)pool->rows > SHORT_BAGS_TABLE / pool->row_bytes ||
        (double)pool->entries * (double)call->bags < (double)LEAST_UNKNOWN * (double)entries)
        return false;
    size_t changes = 0;
    const size_t looked_at = fold_least(call->bags, BAGS_LOOKED_AT);
    for (size_t b = 2; b < looked_at; b++)
        changes += call->ends[b] - call->ends[b - 1] != call->ends[b - 1] - call->ends[b - 2];
    return changes * CHANGES_PER_BAG >= looked_at;
}

/* Whether each has one entry. */
APART_OF_SOME bool pool_bags_are_lone(const pool_call *call)
{
    size_t end = call->begin;
    if (call->pool->adds || pool_count(call) != call->bags)
        return false;
    for (size_t b = 0; b < call->bags; b++)
        if ((size_t)call->ends[b] != ++end)
            return false;
    return true;
}

/* Where the bag of each entry is. Returns whether some bag has none. */
APART_OF_SOME bool pool_places(const pool_call *call, i64 *places)
{
    typedef u64 some __attribute__((vector_size(PLACES_AT_ONCE * sizeof(u64))));
    bool any_empty = false;
    i64 entry = 0;
    for (size_t b = 0; b < call->bags; b++) {
        const i64 end = call->ends[b] - (i64)call->begin;
        const some same = (some){0} + (u64)b * (u64)call->target_step;
        any_empty |= end == entry;
        do
            memcpy(places + entry, &same, sizeof same);
        while ((entry += PLACES_AT_ONCE) < end);
        entry = end;
    }
    return any_empty;
}

#endif
