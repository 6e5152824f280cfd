/* How a run goes, decided once, and carried out. */
#ifndef STREW_ENGINE_SCHEDULE_H
#define STREW_ENGINE_SCHEDULE_H

#include "engine/plan.h"

/*
 * In place nothing is written before every index is known to be good. Each of these ways sees to it, but for
 * STREW_WAY_DIRECT, which an in-place scatter takes only if one tile is all there is: its indices are all resolved
 * before its first row moves. A gather, and a scatter to an output of its own, may leave that half written.
 */
typedef enum strew_way {
    STREW_WAY_NOTHING,     /* there are no indices */
    STREW_WAY_CHECK,       /* rows have no bytes: indices are checked, and nothing moves */
    STREW_WAY_DIRECT,      /* tile by tile resolved and moved */
    STREW_WAY_HOLD,        /* few positions: all resolved, their offsets held, then moved */
    STREW_WAY_CHECK_FIRST, /* all indices checked, then as STREW_WAY_DIRECT */
    STREW_WAY_PARTITION    /* all resolved, and partitioned in scratch, before any is applied */
} strew_way;

typedef struct strew_schedule {
    bool copies; /* data to output, first */
    strew_way way;
    strew_cut cut; /* of what moves */
    const strew_division *division;
} strew_schedule;

/* For these pointers, which are in place or not, and so many bytes of scratch. */
strew_schedule strew_schedule_choose(const strew_plan_body *plan, const strew_division *division,
                                     const strew_pointers *pointers, bool in_place, size_t scratch_bytes);

/* False if an index is out of bounds. `data` is what is copied. */
bool strew_schedule_carry_out(const strew_schedule *schedule, const strew_plan_body *plan,
                              const strew_pointers *pointers, char *data, char *scratch,
                              const strew_parallel *parallel);

#endif
