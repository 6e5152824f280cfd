/*
 * Partitioned scatters: for elements that go to random places of an output larger than the caches. The updates are
 * first sorted into buckets in the caller's scratch (engine/partition/buckets.h). Then the buckets are applied one
 * by one, each while its block of the output is in the second-level cache.
 *
 * A cache line is so fetched once, not once for each of its elements. All indices are resolved before anything is
 * written to the output, so they need no check before. Threads share both steps.
 */
#ifndef STREW_ENGINE_PARTITION_PARTITION_H
#define STREW_ENGINE_PARTITION_PARTITION_H

#include "base/layout.h"
#include "base/thresholds.h"
#include "engine/partition/buckets.h"
#include "engine/share/cut.h"
#include "engine/walk/mover.h"

/* How a walk is partitioned. A plan decides it, before it knows the buffers. */
typedef struct strew_partition {
    size_t scratch_bytes; /* 0: partitioning does not pay, and no other field is set */
    bool even_if_local;   /* pays whatever the indices are: several threads could share the work only as owners */
    size_t threads;       /* that apply buckets */
    size_t thread_bytes;  /* of the scratch of each thread */
    strew_buckets buckets;
} strew_partition;

/*
 * Decides whether and how to partition a scatter to an output of this extent. `cut` is the cut that threads would
 * use otherwise. Each thread gets bytes_a_row bytes of scratch for each row of a bucket's block.
 */
void strew_partition_make(strew_partition *partition, const strew_walk *walk, const strew_extent *extent,
                          const strew_cut *cut, size_t threads, size_t bytes_a_row);

/* Applies a bucket. It may read the entries several times. */
typedef void strew_bucket_apply(const void *context, const strew_bucket *bucket);

/* Moves the rows of all entries of a bucket, in order. */
void strew_bucket_move(const strew_bucket *bucket, const strew_mover *mover);

/* Sorts updates into buckets, then applies the buckets. Returns false on a bad index, before it writes output. */
bool strew_partition_run(const strew_partition *partition, const strew_walk *walk, const strew_pointers *pointers,
                         char *scratch, const strew_parallel *parallel, strew_bucket_apply *apply,
                         const void *context);

/*
 * Whether consecutive rows are mostly near each other (within STREW_NEAR_BYTES), so that the caches serve them well
 * without a partition. Looks at some tiles, and ignores those with bad indices.
 */
bool strew_walk_is_local(const strew_walk *walk, const strew_pointers *pointers);

#endif
