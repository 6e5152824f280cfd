/*
 * Scattering elements at random over more memory than the caches hold, with scratch of the caller's: updates are
 * first partitioned by where they go, in order (engine/partition/buckets.h), and then applied bucket by bucket,
 * each while the memory it goes to is in the second-level cache.
 *
 * So a cache line is fetched once, not for each of its elements; every index is resolved before anything is
 * written, so that none needs to be checked first; and both halves of the work are shared between threads.
 */
#ifndef STREW_ENGINE_PARTITION_PARTITION_H
#define STREW_ENGINE_PARTITION_PARTITION_H

#include "base/layout.h"
#include "base/thresholds.h"
#include "engine/partition/buckets.h"
#include "engine/share/cut.h"
#include "engine/walk/mover.h"

/* How a walk is partitioned. It does not depend on pointers. */
typedef struct strew_partition {
    size_t scratch_bytes; /* 0: the walk would not be faster so; nothing else is set */
    bool even_if_local;   /* many threads that cannot be apart otherwise, whatever the indices are */
    size_t tasks;         /* that run at once */
    size_t task_bytes;    /* of the scratch of each */
    strew_buckets buckets;
} strew_partition;

/*
 * For a scatter of at least so many positions to an output of this extent, which threads would share by the cut
 * otherwise. A task gets so many bytes of scratch for each row that a bucket has room for.
 */
void strew_partition_make(strew_partition *partition, const strew_walk *walk, const strew_extent *extent,
                          const strew_cut *cut, size_t threads, size_t task_bytes_a_row);

/* Applies a bucket: goes over its entries, as often as it needs. */
typedef void strew_bucket_apply(const void *context, const strew_bucket *bucket);

/* Moves the rows of all entries, in order. */
void strew_bucket_move(const strew_bucket *bucket, const strew_mover *mover);

/* Partitions, then applies. If an index is out of bounds returns false, and has written nothing. */
bool strew_partition_run(const strew_partition *partition, const strew_walk *walk, const strew_pointers *pointers,
                         char *scratch, const strew_parallel *parallel, strew_bucket_apply *apply,
                         const void *context);

/*
 * Whether rows that follow each other mostly lie in the same page of memory or so: the caches serve them as they
 * come. Looks at some tiles; of wrong indices it says nothing.
 */
bool strew_walk_is_local(const strew_walk *walk, const strew_pointers *pointers);

#endif
