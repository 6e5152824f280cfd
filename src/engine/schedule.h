/*
 * The schedule decides how a run goes. CONTRIBUTING.md describes it under "How a call goes".
 *
 * A run first decides what it guarantees if an index is bad, which depends on the work and on whether it is in
 * place. Then it decides which strategy it takes, by the number of threads, the scratch and two facts about the
 * indices.
 */
#ifndef STREW_ENGINE_SCHEDULE_H
#define STREW_ENGINE_SCHEDULE_H

#include "engine/partition/partition.h"
#include "engine/share/cut.h"
#include "engine/work.h"

/* A guarantee says what a run leaves behind if an index is bad. */
typedef enum strew_guarantee {
    STREW_GUARANTEES_NOTHING, /* no bad index is refused, or the output may be left half written */
    STREW_GUARANTEES_ALL,     /* nothing is written unless every index is good */
    STREW_GUARANTEES_PREFIX   /* only what comes before the first bad index is written; nothing in several passes */
} strew_guarantee;

typedef enum strew_strategy {
    STREW_MOVE_DIRECTLY, /* resolve a tile, move it, go on with the next */
    STREW_RESOLVE_FIRST, /* resolve all tiles, then move all rows */
    STREW_COPY_FIRST,    /* copy the output, move into the copy, then copy that back */
    STREW_CHECK_FIRST,   /* check all indices, then move directly */
    STREW_PARTITION,     /* sort the updates into buckets in scratch, then apply the buckets */
    STREW_COMBINE        /* combine rows as they are gathered (engine/combine.h) */
} strew_strategy;

/* A schedule is all that can be decided for a number of threads before the buffers are known. */
typedef struct strew_schedule {
    size_t threads;
    strew_cut copy_cut, check_cut, move_cut;
    bool may_be_parts;         /* if the indices are sorted, cutting them into parts is better than move_cut */
    size_t least_scratch;      /* bytes that a mean needs; SIZE_MAX if they cannot be counted */
    size_t useful_scratch;     /* bytes that make the run fastest; 0 if none do */
    strew_partition partition; /* its scratch_bytes are 0 if it does not pay */
} strew_schedule;

/* Returns what a run must guarantee, in place or to a separate output. */
strew_guarantee strew_guarantee_of(const strew_work *work, bool in_place);

/* Returns the strategy of a run that is neither partitioned nor cut into parts. has_scratch: what it stores fits
 * there. */
strew_strategy strew_strategy_of(const strew_work *work, const strew_schedule *schedule, bool in_place,
                                 bool has_scratch);

void strew_schedule_make(strew_schedule *schedule, const strew_work *work, size_t threads);

/* A run: its arguments, then what has been decided. */
typedef struct strew_run {
    const strew_work *work;
    const strew_schedule *schedule;
    const strew_run_options *options;
    const strew_buffers *buffers;
    strew_pointers pointers;
    bool in_place;
    char *copied; /* data, if it is copied to the output first; otherwise NULL */
    strew_strategy strategy;
    const strew_cut *cut; /* of the rows that move: parts_cut, or the schedule's */
    strew_parts parts;
    strew_cut parts_cut;
} strew_run;

/* Decides how a run goes, given its arguments, and runs it. Returns false if it refuses an index. */
bool strew_run_execute(strew_run *run);

#endif
