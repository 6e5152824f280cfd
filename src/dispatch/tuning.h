/*
 * What suits a CPU: how the engine chooses between ways that give the same results, where CPUs differ in which is
 * the faster one. Sizes are how many bytes of a tensor the indices select from.
 */
#ifndef STREW_DISPATCH_TUNING_H
#define STREW_DISPATCH_TUNING_H

#include <stdbool.h>
#include <stdint.h>

/* Nanoseconds that scattering a row takes, about: so many, and some for each byte. */
typedef struct strew_move_cost {
    uint64_t reach; /* below this */
    double row, byte;
} strew_move_cost;

enum { STREW_MOVE_COSTS = 4 };

typedef struct strew_tuning {
    const char *name;
    bool reads_first;           /* single elements are scattered by the kernels that read them before */
    double kept_of_a_result;    /* which part of the last-level cache; longer results are streamed */
    bool interleaves;           /* long rows are streamed several pages at a time */
    uint64_t least_fetched;     /* from here on short rows are fetched a tile at a time */
    uint64_t least_short_tiles; /* from here on, of all that is read and written, tiles are shorter */
    strew_move_cost move[STREW_MOVE_COSTS];
    double owners_start;              /* nanoseconds that it costs to have threads own rows */
    int64_t least_partitioned;        /* from here on one thread partitions scattered elements */
    int64_t least_partitioned_by_two; /* the same for two threads */
} strew_tuning;

/* Of the CPUs that were measured, that of the one most like this, or of the one that STREW_TUNING names. */
const strew_tuning *strew_tuning_active(void);

#endif
