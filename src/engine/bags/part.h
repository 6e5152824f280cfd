/* What one thread does of a run of bags. */
#ifndef STREW_ENGINE_BAGS_PART_H
#define STREW_ENGINE_BAGS_PART_H

#include "engine/bags/cursor.h"

/* The run as all threads have it. */
typedef struct strew_bags_run_state {
    const strew_bags *bags;
    const strew_walk *walk;
    const strew_bags_pointers *pointers;
    const strew_integers *sources, *rows; /* `rows`: segment_ids, offsets, or NULL where bags are uniform */
} strew_bags_run_state;

/* These entries and rows, of which only these bytes. False if an index is out of bounds. */
bool strew_bags_run_part(const strew_bags_run_state *run, strew_part part, strew_range bytes);

#endif
