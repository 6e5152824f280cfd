/*
 * How a run goes: decided once, from the work, a number of threads and the buffers, and carried out by one switch.
 *
 * In place nothing is written before every index is known to be good. Each of the ways below sees to it but for
 * STREW_WAY_DIRECT, which an in-place scatter takes only if one tile is all there is: then all indices are resolved
 * before the first row moves. A gather, and a scatter to an output of its own, may leave that half written.
 */
#ifndef STREW_ENGINE_SCHEDULE_H
#define STREW_ENGINE_SCHEDULE_H

#include "engine/partition/partition.h"
#include "engine/share/cut.h"
#include "engine/work.h"

typedef enum strew_way {
    STREW_WAY_NOTHING,     /* there are no indices */
    STREW_WAY_CHECK,       /* rows have no bytes: indices are checked, and nothing moves */
    STREW_WAY_DIRECT,      /* resolved and moved tile by tile */
    STREW_WAY_HOLD,        /* few positions: all resolved, their offsets held, then moved */
    STREW_WAY_CHECK_FIRST, /* all indices checked, then as STREW_WAY_DIRECT */
    STREW_WAY_PARTITION    /* all resolved and partitioned in scratch, then applied */
} strew_way;

/* What the work and a number of threads decide, whatever the buffers are. */
typedef struct strew_division {
    size_t threads;
    strew_way way_apart, way_in_place; /* of a run that is not partitioned, to an output of its own or in place */
    bool may_be_easy;                  /* unless the indices show that one thread is faster */
    strew_cut copy, check, move;       /* of several threads: see strew_cut_of */
    size_t least_scratch;              /* that a mean needs */
    strew_partition partition;
} strew_division;

void strew_division_make(strew_division *division, const strew_work *work, size_t threads);

/* One of its cuts. One thread cuts nothing. */
static inline const strew_cut *strew_cut_of(const strew_division *division, const strew_cut *cut)
{
    return division->threads > 1 ? cut : &strew_cut_nothing;
}

/* A run: what it is given, and how it goes. */
typedef struct strew_run {
    const strew_work *work;
    const strew_division *division;
    const strew_run_options *options;
    strew_pointers pointers;
    bool in_place;
    char *copied; /* data, where it is copied to the output first; otherwise NULL */
    strew_way way;
    const strew_cut *cut; /* of what moves */
} strew_run;

/* Where indices lie in order neither buckets, if there may be any, nor owners are of use. */
void strew_run_look_at_indices(strew_run *run, bool partitions);

/* Chooses how a run goes of which all else is known. */
static inline void strew_run_schedule(strew_run *run)
{
    const strew_division *division = run->division;
    const size_t useful = division->partition.scratch_bytes;
    const bool partitions = useful > 0 && run->options->scratch && useful <= run->options->scratch_size;
    run->way = run->in_place ? division->way_in_place : division->way_apart;
    run->cut = strew_cut_of(division, &division->move);
    if (partitions || division->may_be_easy)
        strew_run_look_at_indices(run, partitions);
}

/* Carries it out. False if an index is out of bounds. */
bool strew_run_carry_out(const strew_run *run);

#endif
