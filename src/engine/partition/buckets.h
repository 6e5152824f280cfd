/*
 * Radix partitioning with write-combining buffers (Kim et al. 2009, Polychroniou and Ross 2014): updates are
 * written into buckets by the upper bits of where they go, in memory of the caller's.
 *
 * A bucket is a block of the addressed tensor, small enough for the second-level cache. An entry is one update:
 * where in its bucket the row goes, and the row itself. Writers, which may be threads, take consecutive parts of
 * the positions, and each has a queue of its own for every bucket; going over a bucket takes the queues of the
 * first writer first. So the entries of a bucket come in the order of the positions, however many writers there
 * are.
 *
 * A queue is written through a write-combining buffer of some cache lines, which is flushed to its pages past the
 * caches: nobody reads them soon.
 */
#ifndef STREW_ENGINE_PARTITION_BUCKETS_H
#define STREW_ENGINE_PARTITION_BUCKETS_H

#include "kernels/kernels.h"

typedef struct strew_buckets {
    int64_t low;  /* the least offset */
    int32_t bits; /* a bucket is 2 to the power of this many bytes */
    size_t count; /* of buckets */
    size_t writers;
    size_t row_bytes, entry_bytes;
    size_t pages; /* of each writer, at most */
} strew_buckets;

/* How far offsets may be apart: one in a bucket has 32 bits. */
#define STREW_BUCKETS_EXTENT ((int64_t)STREW_MOST_BUCKETS << 32)
enum { STREW_MOST_BUCKETS = 1024 }; /* or their buffers would not be in the second-level cache */

/* For offsets from `low` up to `high`, which is greater, and for writers of at most so many rows each. */
strew_buckets strew_buckets_make(int64_t low, int64_t high, int64_t row_bytes, size_t writers, size_t most_rows);

/* How much memory they need, which is to be aligned to STREW_BUCKETS_ALIGNMENT. */
size_t strew_buckets_bytes(const strew_buckets *buckets);
enum { STREW_BUCKETS_ALIGNMENT = 4096 };

typedef struct strew_queue strew_queue;

/* One writer's part of the memory. */
typedef struct strew_bucket_writer {
    const strew_buckets *buckets;
    strew_move_kernel *flush; /* gathers, past the caches */
    char *pages;
    char *buffers;       /* of each bucket */
    char **ends;         /* where the buffer of each bucket has room */
    strew_queue *queues; /* of each bucket */
    uint32_t *next;      /* after each page */
    uint32_t used;       /* pages */
} strew_bucket_writer;

void strew_bucket_writer_begin(strew_bucket_writer *writer, const strew_buckets *buckets, char *memory,
                               size_t index, const strew_kernels *kernels);
/* Writes rows, which follow each other by row_step, to where base + offsets[i] says. */
void strew_bucket_writer_write(strew_bucket_writer *writer, int64_t base, const int64_t *offsets, size_t count,
                               const char *rows, int64_t row_step);
/* To be called once everything is written, by the thread that wrote it. */
void strew_bucket_writer_end(strew_bucket_writer *writer);

/* One bucket, to be applied. All writers have ended. */
typedef struct strew_bucket {
    const strew_buckets *buckets;
    char *memory;    /* of all of them */
    size_t number;   /* of this one */
    char *addressed; /* where it begins: what the offsets of its entries count from */
    char *scratch;   /* of the task that applies it */
} strew_bucket;

/*
 * Going over the entries of a bucket in order, at most a tile of them at a time:
 *
 *   for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries))
 */
typedef struct strew_entries {
    const strew_bucket *bucket;
    size_t count; /* 0 after the last ones */
    char *rows;
    int64_t row_step;
    strew_tile_offsets offsets;
    size_t index; /* of the writer whose queue it is */
    strew_bucket_writer writer;
    uint32_t page; /* of the queue, that comes next */
} strew_entries;

void strew_entries_begin(strew_entries *entries, const strew_bucket *bucket);
void strew_entries_next(strew_entries *entries);

#endif
