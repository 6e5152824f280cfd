/*
 * Lists all thresholds: numbers that choose between two paths with the same results. Each line has the name, the
 * value, the value with STREW_LOWEST_THRESHOLDS, and what the threshold weighs. Test builds define
 * STREW_LOWEST_THRESHOLDS, so that small tensors take every path. The numbers that differ between CPUs are in
 * dispatch/tuning.h.
 *
 * docs/performance.md shows this list. tests/house/test_thresholds.py compares the page with it and finds
 * thresholds that are defined anywhere else. There are at most 40, including the numbers of the tuning: a new one
 * replaces an old one. The values were measured on a Zen 4 unless the line names another CPU.
 */
#ifndef STREW_BASE_THRESHOLDS_H
#define STREW_BASE_THRESHOLDS_H

/* clang-format off */
#define STREW_THRESHOLDS(T) \
    /* Threads */ \
    T(LEAST_PARALLEL_BYTES, 128 << 10, 0, "bytes of work: one thread finishes less before another has begun (Xeon and Zen 5)") \
    T(LOOKS_FOR, 4, 1, "times LEAST_PARALLEL_BYTES: reading or resolving all indices in every thread pays") \
    T(LEAST_BLOCK, 512, 12, "bytes: shards that write shorter pieces wait for each other's cache lines") \
    T(LEAST_ROW_SHARE, 4096, 4096, "bytes of a row for each thread: a page") \
    T(LEAST_OWNED_ROW, 512, 0, "bytes: threads that own near rows are faster than one thread (at 256 bytes: 0.8 times)") \
    T(LEAST_PARTITIONED, 64 << 10, 1, "positions: making buckets costs more than it saves for fewer") \
    T(LEAST_ELEMENTS_A_LINE, 2, 2, "elements for each cache line: one thread partitions (Xeon: 1.3 to 2)") \
    T(MOST_LINES_AN_ELEMENT, 8, 8, "cache lines for each element: several threads partition (two threads: 1.4 to 2.3)") \
    T(BUCKET_BITS, 18, 6, "log2 of the bytes of a bucket: a second-level cache holds it") \
    T(NEAR_BYTES, 4096, 0, "bytes between rows: the caches serve rows of one page in any order") \
    /* Bags */ \
    T(LONGEST_SHORT_ROW, 128, 128, "bytes, of halves as float32: rows up to this are prefetched from far_short_rows on (longer ones: 1.2 to 2.6 faster at once)") \
    T(SMALL_CORE_REACH, 8, 8, "times a second-level cache of less than 1 MiB: far_short_rows is no more (Zen 3: 2 to 4 at 12 MB)") \
    T(BAG_BYTES_AT_ONCE, 16 << 10, 1, "bytes of rows that are combined in blocks of columns: the nearest cache holds them (Zen 3: 1.1 to 1.6)") \
    T(LEAST_SORTED_ROW, 256, 0, "bytes: for longer rows sorting entries is faster than adding them one by one (1.0 to 1.7)") \
    T(LEAST_SORTED_INTO_ROW, 3, 0, "entries for each such row: sorting pays (fewer: 0.7 to 1.0)") \
    T(FAR_TENSOR, 15 << 20, 256, "bytes of a result: the caches do not hold it (1.4 to 3.6)") \
    T(MOST_ADDED_ROW, 128, 128, "bytes: one thread adds shorter rows faster than it sorts them (1.1 to 3)") \
    T(LEAST_SHARED_ROWS, 8, 1, "rows for each thread: fewer differ too much in work, so threads share columns") \
    T(LEAST_SHARED_COLUMNS, 12, 1, "times LEAST_PARALLEL_BYTES: threads that each read all entries for their columns pay") \
    T(LEAST_ENTRIES_A_ROW, 3, 1, "entries for each row: from so many on, going through rows is faster than going through entries (Zen 5: 1.1 to 1.2)") \
    T(LEAST_SHARED_TARGETS, 1024, 0, "rows that unsorted entries go into: threads sharing fewer rows wait for cache lines") \
    /* The strategy */ \
    T(MOST_ON_STACK, 25600, 512, "bytes: the stack holds all offsets or a copy of the output instead of checking all indices first (1.1 to 1.4)") \
    T(LEAST_INDEX_BYTES, 4, 1, "times the bytes of the output, for each thread: moving into a copy is faster than checking first (1.1 to 1.4; Xeon)") \
    T(LEAST_COORDINATES_IN_SCRATCH, 3, 3, "coordinates: offsets in scratch are faster than checking first (1.3)") \
    /* Prefetching */ \
    T(SECOND_LEVEL_BYTES, 1 << 20, 1, "bytes: the second-level cache holds smaller tensors, whose rows are not prefetched (larger ones: 1.1 to 1.7)") \
    T(LONGEST_ROW_AHEAD, 1024, 1024, "bytes: the CPU prefetches longer rows by itself (shorter ones 1.1 to 1.7)") \
    /* The moves of a tile */ \
    T(LEAST_JOINED, 32, 32, "consecutive rows on average (entries of a bag too): looking for fewer does not pay (1.5 to 2)") \
    T(LONGEST_GROUPED_ROW, 256, 256, "bytes: longer rows gain nothing from being joined (1.5 to 2) or held while they repeat (1.3 to 4)") \
    T(LEAST_OF_A_TABLE, 8, 1, "positions of a table: fewer are faster resolved by vectors (Zen 3 and 5: 1.1 to 3; scalar loses 1.2 to 2.5)") \
    T(SHORTEST_STREAMED_ROW, 128, 128, "bytes: streaming shorter rows past the caches gains nothing") \
    T(LEAST_STREAMED, 4 << 20, 4 << 20, "bytes of a result: less is never streamed past the caches (Xeon and Zen 5)")
/* clang-format on */

#ifdef STREW_LOWEST_THRESHOLDS
#define STREW_THRESHOLD(measured, lowest) (lowest)
#else
#define STREW_THRESHOLD(measured, lowest) (measured)
#endif

enum {
#define STREW_THRESHOLD_CONSTANT(name, measured, lowest, weighed) STREW_##name = STREW_THRESHOLD(measured, lowest),
    STREW_THRESHOLDS(STREW_THRESHOLD_CONSTANT)
#undef STREW_THRESHOLD_CONSTANT
};

#endif
