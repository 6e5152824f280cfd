/*
 * Updates dealt into buckets by where they go: a queue of entries for each bucket, in memory of the caller's.
 *
 * A bucket is a block of the addressed tensor, small enough for the second-level cache. An entry is one update:
 * where in its bucket the row goes, and the row itself. Dealers, which may be threads, deal consecutive parts of
 * the positions, each into queues of its own; going over a bucket takes the queues of the first dealer first. So
 * the entries of a bucket come in the order of the positions, however many dealers there are.
 *
 * A queue is staged in some cache lines, and put away in pages past the caches: nobody reads them soon.
 */
#ifndef STREW_ENGINE_BUCKETS_H
#define STREW_ENGINE_BUCKETS_H

#include "kernels/kernels.h"

typedef struct strew_buckets {
    char *memory; /* strew_buckets_bytes of them */
    int64_t low;  /* the least offset */
    int32_t bits; /* a bucket is 2 to the power of this many bytes */
    size_t count; /* of buckets */
    size_t dealers;
    size_t row_bytes, entry_bytes;
    size_t pages; /* of each dealer, at most */
} strew_buckets;

/* Whether rows of this many bytes, to offsets that reach so far, can be dealt. */
bool strew_buckets_take(int64_t row_bytes, int64_t reach);

/*
 * Buckets for offsets from `low` up to `high`, which is greater, and for dealers who each deal at most so many
 * rows. Their memory is the caller's to set.
 */
strew_buckets strew_buckets_of(int64_t low, int64_t high, int64_t row_bytes, size_t dealers, size_t most_rows);

/* How much memory they need, which is to be aligned to STREW_BUCKETS_ALIGNMENT. */
size_t strew_buckets_bytes(const strew_buckets *buckets);
enum { STREW_BUCKETS_ALIGNMENT = 4096 };

/* Where a bucket begins: what the offsets of its entries count from. */
static inline int64_t strew_bucket_begin(const strew_buckets *buckets, size_t bucket)
{
    return buckets->low + ((int64_t)bucket << buckets->bits);
}

typedef struct strew_queue strew_queue;

/* One dealer's part of the memory. */
typedef struct strew_dealer {
    const strew_buckets *buckets;
    strew_move_kernel *put_away; /* gathers past the caches */
    char *pages;
    char *stages;        /* of each bucket */
    char **ends;         /* where the stage of each bucket has room */
    strew_queue *queues; /* of each bucket */
    uint32_t *next;      /* after each page */
    uint32_t used;       /* pages */
} strew_dealer;

void strew_dealer_begin(strew_dealer *dealer, const strew_buckets *buckets, size_t index,
                        const strew_kernels *kernels);
/* Deals rows, which follow each other by row_step, to where base + offsets[i] says. */
void strew_dealer_deal(strew_dealer *dealer, int64_t base, const int64_t *offsets, size_t count, const char *rows,
                       int64_t row_step);
/* To be called once all is dealt, by the thread that dealt it. */
void strew_dealer_end(strew_dealer *dealer);

/* What is done with some entries of a bucket, at most STREW_TILE_ENTRIES. Offsets count from where it begins. */
typedef void strew_bucket_task(void *context, const int64_t *offsets, size_t count, char *rows, int64_t row_step);

/* Calls the task for all entries of a bucket, in order. All dealers have ended. */
void strew_bucket_visit(const strew_buckets *buckets, size_t bucket, strew_bucket_task *task, void *context);

#endif
