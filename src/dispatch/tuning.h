/*
 * What suits a CPU: how the engine chooses between ways that give the same results, where CPUs differ in which is
 * the faster one. Sizes are how many bytes of a tensor the indices select from.
 */
#ifndef STREW_DISPATCH_TUNING_H
#define STREW_DISPATCH_TUNING_H

#include <stdatomic.h>

#include "dispatch/cpu.h"

typedef struct strew_tuning {
    const char *name;    /* of the CPU that was measured */
    const char *changes; /* what was changed since, for people */
    /* Of that CPU. A last level of 0 is shared by too many for a core to count on: what lies beyond the second
     * level goes with that. */
    long cache_bytes[STREW_CPU_CACHES];
    uint32_t rows_ahead;              /* rows that are read are prefetched so many ahead */
    bool reads_first;                 /* single elements of far tables are read before they are overwritten */
    double kept_of_a_result;          /* which part of the last-level cache; longer results are streamed */
    uint16_t stream_pages;            /* 1 page of a long row after the other, or 4 by turns */
    bool streams_parts;               /* and rows that begin or end within lines */
    bool long_by_vectors;             /* long rows are copied by vectors, not by the C library */
    uint64_t least_prefetched;        /* from here on short rows are prefetched a tile at a time */
    uint64_t least_owned;             /* from here on threads that own rows are faster than one thread */
    int64_t least_partitioned;        /* from here on one thread partitions scattered elements */
    int64_t least_partitioned_by_two; /* the same for two threads */
} strew_tuning;

/*
 * The tuning of this CPU: that of the one most like it among those that were measured, its sizes those of this
 * CPU's caches; or what STREW_TUNING in the environment says, if it can be read (tuning_numbers.h).
 */
const strew_tuning *strew_tuning_choose(void);
extern _Atomic(const strew_tuning *) strew_tuning_chosen; /* NULL until it is needed */

/* The one that was measured under this name, of `length` characters, or NULL. */
const strew_tuning *strew_tuning_find(const char *name, size_t length);

/* What a CPU with these caches is taken for, and its tuning. Caches that are not known are 0. */
strew_tuning strew_tuning_derive(const long cache_bytes[STREW_CPU_CACHES]);

static inline const strew_tuning *strew_tuning_active(void)
{
    const strew_tuning *chosen = atomic_load_explicit(&strew_tuning_chosen, memory_order_acquire);
    return chosen ? chosen : strew_tuning_choose();
}

/* From how many bytes on a result is streamed: written past the caches. */
int64_t strew_tuning_streamed_bytes(void);

#endif
