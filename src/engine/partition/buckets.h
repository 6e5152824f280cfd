/*
 * Buckets: radix partitioning with write-combining buffers (Kim et al. 2009, Polychroniou and Ross 2014). Updates
 * are written into buckets by the upper bits of their offset, in the caller's scratch.
 *
 * The updates of a bucket go to one block of the addressed tensor, small enough for the second-level cache. An
 * entry is one update: the offset of its row in the block, and the row itself. Each writer, which may be a thread,
 * takes consecutive positions and has its own queue for every bucket. A bucket is read queue by queue, in the order
 * of the writers. So its entries come in the order of the positions, for any number of writers.
 *
 * A queue is written through a write-combining buffer of some cache lines. The buffer is flushed to pages past the
 * caches, because they are not read soon.
 */
#ifndef STREW_ENGINE_PARTITION_BUCKETS_H
#define STREW_ENGINE_PARTITION_BUCKETS_H

#include "kernels/kernels.h"

typedef struct strew_buckets {
    int64_t low;  /* the least offset */
    int32_t bits; /* a block has 2 to the power of this many bytes */
    size_t count; /* the number of buckets */
    size_t writers;
    size_t row_bytes, entry_bytes;
    size_t pages; /* the most pages of a writer */
} strew_buckets;

/* The largest extent of an output: an offset in a block has 32 bits. */
#define STREW_BUCKETS_EXTENT ((int64_t)STREW_MOST_BUCKETS << 32)
enum { STREW_MOST_BUCKETS = 1024 }; /* the buffers of more would not fit into the second-level cache */

/* Makes buckets for offsets in [low, high), where low < high, and writers of up to `most_rows` rows each. */
strew_buckets strew_buckets_make(int64_t low, int64_t high, int64_t row_bytes, size_t writers, size_t most_rows);

/* Returns how many bytes of memory the buckets need. It must be aligned to STREW_BUCKETS_ALIGNMENT. */
size_t strew_buckets_bytes(const strew_buckets *buckets);
enum { STREW_BUCKETS_ALIGNMENT = 4096 };

typedef struct strew_queue strew_queue;

/* One writer: where its buffers, queues and pages are. */
typedef struct strew_bucket_writer {
    const strew_buckets *buckets;
    strew_move_kernel *flush; /* a gather, which can write past the caches */
    char *pages;
    char *buffers;       /* one for each bucket */
    char **ends;         /* where each buffer is filled up to */
    strew_queue *queues; /* one for each bucket */
    uint32_t *next;      /* the page after each page in its queue */
    uint32_t used;       /* the number of pages in use */
} strew_bucket_writer;

void strew_bucket_writer_begin(strew_bucket_writer *writer, const strew_buckets *buckets, char *memory,
                               size_t index, const strew_kernels *kernels);
/* Writes `count` updates. Row i is at rows + i * row_step and goes to base + offsets[i]. */
void strew_bucket_writer_write(strew_bucket_writer *writer, int64_t base, const int64_t *offsets, size_t count,
                               const char *rows, int64_t row_step);
/* Flushes all buffers. The thread that wrote must call it. */
void strew_bucket_writer_end(strew_bucket_writer *writer);

/* A bucket that is being applied, after all writers have ended. */
typedef struct strew_bucket {
    const strew_buckets *buckets;
    char *memory;    /* of all buckets */
    size_t number;   /* of this bucket */
    char *addressed; /* where its block begins; the offsets of entries count from here */
    char *scratch;   /* of the thread that applies it */
} strew_bucket;

/*
 * Reads the entries of a bucket in order, at most a tile at a time:
 *
 *   for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries))
 */
typedef struct strew_entries {
    const strew_bucket *bucket;
    size_t count; /* of these entries; 0 after the last ones */
    char *rows;
    int64_t row_step;
    strew_tile_offsets offsets;
    size_t index; /* of `writer`, whose queue is being read */
    strew_bucket_writer writer;
    uint32_t page; /* the next page of that queue */
} strew_entries;

void strew_entries_begin(strew_entries *entries, const strew_bucket *bucket);
void strew_entries_next(strew_entries *entries);

#endif
