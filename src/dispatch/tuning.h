/*
 * A tuning holds the numbers in which CPUs differ. The engine uses them to choose between paths that give the same
 * results. Sizes are bytes of the tensor that the indices select from, unless a comment says otherwise.
 */
#ifndef STREW_DISPATCH_TUNING_H
#define STREW_DISPATCH_TUNING_H

#include <stdatomic.h>

#include "dispatch/cpu.h"

/* More bytes than any tensor has. STREW_TUNING calls it "never". */
#define STREW_TUNING_NEVER 0x1p63

typedef struct strew_tuning {
    const char *name;    /* of the CPU that was measured */
    const char *changes; /* text that says how this differs from the measured tuning */
    /*
     * Of the measured CPU. A last level of 0 means that too many cores share it to count on it; sizes then grow
     * with the second level.
     */
    long cache_bytes[STREW_CPU_CACHES];
    /* The numbers are doubles, so that all can be read and set by name (tuning_numbers.h). */
    double rows_ahead;               /* how many rows ahead of their use rows are prefetched */
    double far_short_rows;           /* from this size of both tensors on, bags prefetch short rows */
    double reads_first;              /* 1: single elements of far tables are read before they are overwritten */
    double kept_of_a_result;         /* longer results than this part of the last-level cache are streamed */
    double stream_pages;             /* 1: a long row is streamed page after page; 4: to four pages by turns */
    double streams_parts;            /* 1: rows that begin or end within cache lines are streamed as well */
    double least_owned;              /* from this size on, threads that own rows are faster than one thread */
    double least_partitioned;        /* from this size on, one thread partitions scattered elements */
    double least_partitioned_by_two; /* from this size on, two threads partition scattered elements */
} strew_tuning;

/*
 * Returns the tuning of this CPU, and makes it on the first call: it takes the measured tuning of the most similar
 * CPU and scales its sizes to this CPU's caches. Then it applies STREW_TUNING from the environment, if that can be
 * read (tuning_numbers.h).
 */
const strew_tuning *strew_tuning_choose(void);
extern _Atomic(const strew_tuning *) strew_tuning_chosen; /* NULL until the first use */

/* Returns the measured tuning with this name of `length` characters, or NULL. */
const strew_tuning *strew_tuning_find(const char *name, size_t length);

/*
 * Returns the tuning of a CPU with caches of these sizes. The size of an unknown cache is 0. If the second and
 * the last level are unknown, it is the tuning of a small core.
 */
strew_tuning strew_tuning_derive(const long cache_bytes[STREW_CPU_CACHES]);

static inline const strew_tuning *strew_tuning_active(void)
{
    const strew_tuning *chosen = atomic_load_explicit(&strew_tuning_chosen, memory_order_acquire);
    return chosen ? chosen : strew_tuning_choose();
}

/* Returns the size in bytes from which results are streamed, that is, written past the caches. */
int64_t strew_tuning_streamed_bytes(void);

#endif
