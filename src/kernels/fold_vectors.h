/*
 * What the folds of all dtypes share: where vectors of rows are, and where runs end. A vocabulary that can compare
 * offsets defines OFFSETS_MASK: what offsets_equal gives of equal ones.
 */
#ifndef STREW_KERNELS_FOLD_VECTORS_H
#define STREW_KERNELS_FOLD_VECTORS_H

#include "kernels/glue.h"

/*
 * Some columns of a row, which begin and end there. Of the vectors that cover them, a constant, the second half is
 * counted from the end, because those in the middle may share elements. None cover what is a part of one.
 */
typedef struct fold_columns {
    char *begin, *end;
    size_t bytes;
} fold_columns;

INLINE fold_columns columns_at(fold_columns first, int64_t offset)
{
    return (fold_columns){first.begin + offset, first.end + offset, first.bytes};
}

/* Two addresses, from which each vector has a constant distance. */
INLINE fold_columns columns_of(const char *row, size_t bytes)
{
    fold_columns columns = {(char *)(uintptr_t)row, (char *)(uintptr_t)row + bytes, bytes};
    STREW_KEEP_APART(columns.end);
    return columns;
}

INLINE char *column_vector(fold_columns columns, size_t v, size_t vectors, size_t bytes)
{
    return v < (vectors + 1) / 2 ? columns.begin + v * bytes : columns.end - (vectors - v) * bytes;
}

/* The lines in which its vectors begin, and the one of its byte `last`, which is 0 if it is among them: no branch.
 */
INLINE void columns_prefetch(fold_columns columns, size_t vectors, size_t bytes, size_t last)
{
    for (size_t v = 0; v < vectors; v++)
        if (v * bytes % STREW_CACHE_LINE == 0)
            STREW_PREFETCH(column_vector(columns, v, vectors, bytes));
    STREW_PREFETCH(columns.begin + last);
}

/* So many vectors hold a row, or 1 the part of one that it is. */
INLINE size_t fold_held(size_t vectors)
{
    return vectors > 0 ? vectors : 1;
}

/* Some columns of all rows of a call. */
typedef struct fold_call {
    const strew_fold *fold;
    const int64_t *target_offsets, *source_offsets;
    size_t count;
    size_t prefetched; /* entries before this one have others that are rows_ahead of them */
    char *target;      /* where the columns begin, as source */
    const char *source;
    size_t column, bytes;
    bool rounds; /* of halves each of which is rounded: in registers, until its run ends */
} fold_call;

/* Of columns of rows so far apart that begin or end within lines, their last byte; otherwise 0. */
INLINE size_t columns_last_line(const char *begin, int64_t step, size_t bytes)
{
    const uintptr_t places = (uintptr_t)begin | (uintptr_t)step | STREW_CACHE_LINE,
                    alignment = places & (0 - places);
    const bool are_lines = alignment == STREW_CACHE_LINE && bytes % STREW_CACHE_LINE == 0;
    return are_lines || bytes <= alignment ? 0 : bytes - 1;
}

/* What entries of a call are: some columns of rows, each with a weight. */
typedef struct fold_entries {
    fold_columns sources;
    const int64_t *offsets;
    size_t ahead, prefetched; /* entries before the latter have others `ahead` of them that are prefetched */
    size_t last_line;         /* of columns that do not begin and end with lines: their last byte */
    const char *weights;
    int64_t weight_step;
} fold_entries;

INLINE fold_entries fold_entries_of(const fold_call *call, size_t bytes)
{
    const strew_fold *const fold = call->fold;
    return (fold_entries){
        .sources = columns_of(call->source, bytes),
        .offsets = call->source_offsets,
        .ahead = fold->access.rows_ahead,
        .prefetched = call->prefetched,
        .last_line = columns_last_line(call->source, (int64_t)fold->row_bytes, bytes),
        .weights = fold->weights,
        .weight_step = fold->weight_step,
    };
}

/* Folds all entries of a call. */
typedef void fold_way(const fold_call *call);

/*
 * The ways of a combination, for columns of at most so many vectors: run after run; and entry by entry where runs
 * are short, for columns of half a vector, of one, or of more, or NULL.
 */
typedef struct fold_ways {
    size_t vector_bytes, most_vectors, most_of_each;
    bool is_carried;
    fold_way *runs, *each;
} fold_ways;

INLINE size_t fold_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Where a run ends that goes on at least to an entry. */
APART size_t fold_long_run_end(const int64_t *target_offsets, size_t end, size_t count)
{
    const int64_t run = target_offsets[end - 1];
#ifdef OFFSETS_MASK
    const vector runs = offsets_repeated(run);
    for (; end + OFFSET_LANES <= count; end += OFFSET_LANES) {
        const offsets_mask others = OFFSETS_MASK ^ offsets_equal(load((const char *)(target_offsets + end)), runs);
        if (others != 0)
            return end + (size_t)strew_lowest_bit(others);
    }
#endif
    while (end < count && target_offsets[end] == run)
        end++;
    return end;
}

/* Where the run that begins with an entry ends: most are short. */
INLINE size_t fold_run_end(const int64_t *target_offsets, size_t begin, size_t count, bool apart)
{
    enum { ONE_BY_ONE = 8 };
    const int64_t run = target_offsets[begin];
    size_t end = begin + 1;
    if (apart)
        return end;
    const size_t near = fold_least(begin + ONE_BY_ONE, count);
    STREW_ROLLED
    for (; end < near; end++)
        if (target_offsets[end] != run)
            return end;
    return end < count ? fold_long_run_end(target_offsets, end, count) : end;
}

/* The entries, of at most 64, with which runs begin. */
INLINE uint64_t fold_run_begins(const int64_t *target_offsets, size_t count)
{
    uint64_t begins = 1;
    size_t i = 1;
#ifdef OFFSETS_MASK
    for (; i + OFFSET_LANES <= count; i += OFFSET_LANES) {
        const char *const offsets = (const char *)(target_offsets + i);
        begins |= (uint64_t)(OFFSETS_MASK ^ offsets_equal(load(offsets), load(offsets - sizeof(int64_t)))) << i;
    }
#endif
    for (; i < count; i++)
        begins |= (uint64_t)(target_offsets[i] != target_offsets[i - 1]) << i;
    return begins;
}

/*
 * In quarters of an entry. Where vectors overlap, what one loads of a row that was stored just now is in two
 * stores, and waits until both have ended.
 */
enum { SHORT_RUN = 40, SHORT_OVERLAPPING_RUN = 5 };

/* Whether runs are so short that branches where they end cost more than going on with what a row holds does. */
INLINE bool fold_runs_are_short(const int64_t *target_offsets, size_t count, size_t quarters)
{
    enum { ENTRIES_SEEN = 64 };
    const size_t seen = fold_least(count, ENTRIES_SEEN);
    const uint64_t begins = fold_run_begins(target_offsets, seen);
    return (strew_count_bits((unsigned)begins) + strew_count_bits((unsigned)(begins >> 32))) * quarters > 4 * seen;
}

/* So many bytes of columns are next, of those that are left: what they leave is no shorter than a vector. */
INLINE size_t fold_width(size_t size, size_t most_vectors, size_t left)
{
    const size_t room = size * most_vectors;
    if (left <= room)
        return left;
    return left < room + size ? room - size : room;
}

/* Halves that are rounded once in a run, and runs that start with something, are known by where they end. */
INLINE bool fold_may_go_by_entries(const fold_ways *ways, const strew_fold *fold)
{
    return !fold->start && !fold->continued && !fold->open && (!ways->is_carried || fold->apart);
}

INLINE bool fold_is_faster_by_entries(const fold_ways *ways, const fold_call *call)
{
    const bool overlaps = call->bytes % ways->vector_bytes != 0 && call->bytes > ways->vector_bytes;
    return fold_runs_are_short(call->target_offsets, call->count, overlaps ? SHORT_OVERLAPPING_RUN : SHORT_RUN);
}

INLINE bool fold_has_way_by_entries(const fold_ways *ways, size_t bytes)
{
    const size_t size = ways->vector_bytes;
    return ways->each && (bytes == size / 2 || (bytes >= size && bytes <= ways->most_of_each * size));
}

APART void fold_rows(const fold_ways *ways, FOLD_PARAMETERS)
{
    const size_t ahead = fold->access.rows_ahead;
    const size_t prefetched = ahead > 0 && ahead < count ? count - ahead : 0;
    fold_call call = {fold, target_offsets, source_offsets, count, prefetched, target, fold->source, 0, 0, false};
    const bool may_go_by_entries = fold_may_go_by_entries(ways, fold);
    for (; count > 0 && call.column < fold->row_bytes; call.column += call.bytes) {
        call.bytes = fold_width(ways->vector_bytes, ways->most_vectors, fold->row_bytes - call.column);
        call.target = target + call.column;
        call.source = fold->source + call.column;
        const bool has_way = fold_has_way_by_entries(ways, call.bytes);
        const bool by_entries =
            may_go_by_entries && (has_way || ways->is_carried) && fold_is_faster_by_entries(ways, &call);
        call.rounds = may_go_by_entries && ways->is_carried && !by_entries;
        if (has_way && by_entries)
            ways->each(&call);
        else
            ways->runs(&call);
    }
}

#endif
