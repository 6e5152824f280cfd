/* Going over bags a window at a time: which entries go into each, and where its row of the target is. */
#ifndef STREW_ENGINE_BAGS_WINDOW_H
#define STREW_ENGINE_BAGS_WINDOW_H

#include "engine/bags/lists.h"
#include "engine/share/shard.h"

/* The run as all threads have it. */
typedef struct strew_bags_run_state {
    const strew_bags *bags;
    const strew_walk *walk;
    const strew_bags_pointers *pointers;
    const strew_integers *sources, *rows; /* `rows`: segment_ids, offsets, or NULL where bags are uniform */
    strew_range numbered;                 /* the entries that segment_ids do not leave out at either end */
} strew_bags_run_state;

/* What one thread does: these entries, and these rows, in which they end up. */
typedef struct strew_part {
    strew_range entries, rows;
} strew_part;

/* All there is as parts for so many threads, of about the same number of entries. This is one of them. */
strew_part strew_bags_part(const strew_bags_run_state *run, size_t index, size_t count);

enum { STREW_WINDOW_BAGS = 128 };

typedef struct strew_window {
    const strew_bags_run_state *run;
    strew_part left;       /* what is in no window yet */
    strew_bag_window bags; /* none after the last */
    int64_t target;        /* the offset from which theirs are counted */
    strew_tile_offsets targets, sources;
    int64_t ends[STREW_WINDOW_BAGS], left_out[STREW_WINDOW_BAGS], begins[STREW_WINDOW_BAGS + 1];
} strew_window;

void strew_window_begin(strew_window *window, const strew_bags_run_state *run, strew_part part);

/* Bags that follow those before. False if a segment_id is wrong, or an index where each entry is a bag. */
bool strew_window_next(strew_window *window);

#endif
