/* The lists of a run of bags, as what they name. */
#ifndef STREW_ENGINE_BAGS_LISTS_H
#define STREW_ENGINE_BAGS_LISTS_H

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

/* Which rows of the source entries name: their numbers. Without a list each names the one of its own number. */
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

/* Items of a line that follow each other as the row numbers they stand for: themselves, or in the room. None is
 * wrong or left out. */
const int64_t *strew_list_numbers(const strew_integers *integers, int64_t first, int64_t count, int64_t *room);

/* The same of any list: those that are left out are no numbers of rows, nor may those be that are wrong, and they
 * are negative if they count from the end. NULL if one is wrong. */
const int64_t *strew_list_named(const strew_integers *integers, int64_t first, int64_t count, int64_t *room);

/* The item at a place, as strew_read_integer gives it. */
int64_t strew_list_item(const strew_integers *integers, int64_t place);

#endif
