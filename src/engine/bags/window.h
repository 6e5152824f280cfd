/* Visits bags a window at a time: which entries go into each bag, and where its row of the target is. */
#ifndef STREW_ENGINE_BAGS_WINDOW_H
#define STREW_ENGINE_BAGS_WINDOW_H

#include "engine/bags/lists.h"
#include "engine/share/shard.h"

/* A run. All threads share it. */
typedef struct strew_bags_run_state {
    const strew_bags *bags;
    const strew_walk *walk;
    const strew_bags_pointers *pointers;
    const strew_integers *sources, *rows; /* `rows`: segment_ids, offsets, or NULL where bags are uniform */
    strew_range numbered;                 /* the entries that segment_ids do not leave out at either end */
} strew_bags_run_state;

/* The entries and rows of one thread. */
typedef struct strew_part {
    strew_range entries, rows;
} strew_part;

/* Returns part number `index` of `count` parts of about the same work. */
strew_part strew_bags_part(const strew_bags_run_state *run, size_t index, size_t count);

/* Some entries, no more than a tile has, and the numbers of their rows. */
typedef struct strew_entry_rows {
    int64_t first, count;
    strew_tile_offsets sources, targets;
    bool has_gaps; /* some of either are STREW_NO_ROW */
} strew_entry_rows;

/* Finds the rows of entries; the sources only if they are asked for or may be left out. Returns false if a number
 * is wrong. */
bool strew_find_rows(const strew_bags_run_state *run, bool needs_sources, strew_entry_rows *some);

static inline bool strew_is_left_out(const strew_entry_rows *some, int64_t i)
{
    return some->has_gaps && (some->targets[i] == STREW_NO_ROW || some->sources[i] == STREW_NO_ROW);
}

/* A window has one begin more. A tile holds them. */
enum { STREW_WINDOW_BAGS = STREW_TILE_POSITIONS - 1 };

typedef struct strew_window {
    const strew_bags_run_state *run;
    strew_part left;       /* after this window */
    strew_bag_window bags; /* none after the last */
    int64_t target;        /* the offset of the row from which the bags' targets are counted */
    strew_tile_offsets targets, sources;
    int64_t left_out[STREW_WINDOW_BAGS], begins[STREW_WINDOW_BAGS + 2];
} strew_window;

void strew_window_begin(strew_window *window, const strew_bags_run_state *run, const strew_part *part);

/* Goes to the next bags. Returns false if a segment_id is wrong, or an index if each entry is a bag. */
bool strew_window_next(strew_window *window);

#endif
