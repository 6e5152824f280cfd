/*
 * How a run goes: decided once, from the work, a number of threads and the buffers, and carried out by one switch.
 *
 * In place nothing is written before every index is known to be good, where a wrong one refuses the call. Each of
 * the ways below sees to it but for STREW_WAY_DIRECT, which such a scatter takes only if one tile is all there is:
 * then all indices are resolved before the first row moves. A gather, and a scatter to an output of its own, may
 * leave that half written.
 *
 * With a policy that goes on (STREW_BOUNDS_SKIP, _CLAMP, _WRAP), and where indices have been inspected, nothing has
 * to be known before. Nor has it where a call stops at a wrong index, if one thread goes over rows in the order of
 * indices, or windows are circular. Otherwise such a call writes nothing, or an output that can be written again,
 * and then what comes before the first offender (engine/prefix.h).
 */
#ifndef STREW_ENGINE_SCHEDULE_H
#define STREW_ENGINE_SCHEDULE_H

#include "engine/partition/partition.h"
#include "engine/share/cut.h"
#include "engine/work.h"

typedef enum strew_way {
    STREW_WAY_NOTHING,     /* nothing moves, and no index has to be good */
    STREW_WAY_CHECK,       /* rows have no bytes: indices are checked, and nothing moves */
    STREW_WAY_DIRECT,      /* resolved and moved tile by tile */
    STREW_WAY_HOLD,        /* all resolved, their offsets held, then moved */
    STREW_WAY_ASIDE,       /* resolved and moved on a copy of the output, which then takes its place */
    STREW_WAY_CHECK_FIRST, /* all indices checked, then as STREW_WAY_DIRECT */
    STREW_WAY_PARTITION,   /* all resolved and partitioned in scratch, then applied */
    STREW_WAY_BAGS         /* rows combined as they are gathered (engine/combine.h) */
} strew_way;

/* What the work and a number of threads decide, whatever the buffers are. */
typedef struct strew_schedule {
    size_t threads;
    strew_way way_out_of_place, way_in_place; /* of a run that is not partitioned */
    strew_way way_with_scratch;               /* in place, likewise, with scratch that is not for a partition */
    strew_cut copy_cut, check_cut, move_cut;
    bool may_be_parts;         /* move_cut is none, or by owners; parts of the indices may do better */
    bool owners_unless_local;  /* one thread moves faster than owners pick, if indices lie in order */
    size_t least_scratch;      /* that a mean needs; SIZE_MAX, which nobody can have, if it cannot be counted */
    size_t useful_scratch;     /* with which it is fastest; 0 if none is of use */
    strew_partition partition; /* of no scratch if it is of no use */
} strew_schedule;

void strew_schedule_make(strew_schedule *schedule, const strew_work *work, size_t threads);

/* A run: what it is given, and how it goes. */
typedef struct strew_run {
    const strew_work *work;
    const strew_schedule *schedule;
    const strew_run_options *options;
    const strew_buffers *buffers;
    strew_pointers pointers;
    bool in_place;
    char *copied; /* data, where it is copied to the output first; otherwise NULL */
    strew_way way;
    const strew_cut *cut; /* of what moves */
    strew_parts parts;    /* where that is into parts: */
    strew_cut parts_cut;
} strew_run;

/* Chooses the way and the cut of a run of which all else is known, and goes it. False if an index is wrong. */
bool strew_run_go(strew_run *run);

#endif
