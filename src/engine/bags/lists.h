/* The lists of a run of bags, as what they name. */
#ifndef STREW_ENGINE_BAGS_LISTS_H
#define STREW_ENGINE_BAGS_LISTS_H

#include "base/thresholds.h"
#include "engine/bags/bags.h"
#include "engine/walk/tiles.h"

/* Integers, each of which names one of coordinates.each[0].size rows. */
typedef struct strew_integers {
    const char *items;
    strew_list list;
    int64_t count, line;
    bool is_plain; /* no item is negative or wrong: strew_list_order says so */
    const strew_kernels *kernels;
    strew_bounds bounds;
    strew_coordinates coordinates;
} strew_integers;

/* Whether an item that is wrong ends the run. */
static inline bool strew_list_refuses(const strew_integers *integers)
{
    return integers->bounds == STREW_BOUNDS_REFUSE || integers->bounds == STREW_BOUNDS_STOP;
}

/* Which rows of the source entries name: their offsets. Without a list each names the one of its own number. */
void strew_list_sources(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers);
/* Which rows of the target they go into: their numbers. */
void strew_list_segments(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                         const strew_bags_pointers *pointers);
/* Where bags begin: numbers of entries, the number of them among those. */
void strew_list_offsets(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers);

/* Resolves items of one line, no more than a tile has. */
strew_resolved strew_list_resolve(const strew_integers *integers, int64_t first, int64_t count, int64_t *resolved);

/* Whether none of the first so many items is wrong, or the policy goes on. Lines are whole, or there is one. */
bool strew_list_check(const strew_integers *integers, int64_t count);

typedef enum strew_order {
    STREW_ORDER_WRONG,  /* an item is wrong */
    STREW_ORDER_SORTED, /* none is less than one before it, and those left out come first or last */
    STREW_ORDER_PLAIN,  /* the same of the items as they are, none of which is negative or wrong */
    STREW_ORDER_NONE
} strew_order;

strew_order strew_list_order(const strew_integers *integers);

/* How many items there are of each number between the first and the last, where they are sorted. Of so many, ends
 * are searched for. */
enum { STREW_LEAST_SEARCHED = STREW_THRESHOLD(512, 4) };
int64_t strew_list_usual_run(const strew_integers *integers);

/* How many of the first `end` items are not greater than a number, where they are sorted, `begin` of them are not,
 * and runs are mostly of `usual` items: at least 1. */
int64_t strew_list_count_up_to(const strew_integers *integers, int64_t number, int64_t begin, int64_t end,
                               int64_t usual);

/* Items that follow each other and are plain row numbers, from one on; NULL: they have to be resolved. */
const int64_t *strew_list_numbers(const strew_integers *integers, int64_t first);

/* The item at a place, as strew_read_integer gives it. */
int64_t strew_list_item(const strew_integers *integers, int64_t place);

/* An entry that names no row by the one list is left out by the other as well. */
static inline void strew_list_leave_out(int64_t *rows, const int64_t *others, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (others[i] == STREW_NO_ROW)
            rows[i] = STREW_NO_ROW;
}

/* Some entries of a line, and the numbers of their rows: as they stand in lists, where each has still to be looked
 * at whether it is right, or resolved. */
typedef struct strew_named_entries {
    int64_t first, count;
    const int64_t *sources, *targets;
    bool has_gaps; /* some are STREW_NO_ROW in both */
} strew_named_entries;

/* Room for those of a tile. */
typedef struct strew_named_entries_room {
    strew_tile_offsets sources, targets;
} strew_named_entries_room;

/* Finds them, from the first on, of which there are so many at most: all if they stand in both lists as they are.
 * Without `sources` only the targets. False if one is wrong. */
bool strew_list_name_entries(const strew_integers *sources, const strew_integers *targets, int64_t most,
                             strew_named_entries *entries, strew_named_entries_room *room);

/* The rows that numbers name, each so far from the one before. */
static inline strew_named_rows strew_list_rows(const strew_integers *integers, int64_t step)
{
    const int64_t rows = integers->coordinates.each[0].size;
    return (strew_named_rows){step, rows, integers->coordinates.wrap ? rows : 0};
}

/* The row that a number stands for. False if it is wrong. */
static inline bool strew_find_row(strew_named_rows rows, int64_t number, uint64_t *row)
{
    *row = (uint64_t)number;
    return *row < (uint64_t)rows.count || (*row += (uint64_t)rows.gain) < (uint64_t)rows.count;
}

#endif
