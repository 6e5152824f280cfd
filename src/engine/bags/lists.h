/* Reads the lists of a run of bags. */
#ifndef STREW_ENGINE_BAGS_LISTS_H
#define STREW_ENGINE_BAGS_LISTS_H

#include "engine/bags/bags.h"
#include "engine/walk/tiles.h"

/* A list of integers. Each names one of coordinates.each[0].size rows. */
typedef struct strew_integers {
    const char *items;
    strew_list list;
    int64_t count, line;
    bool is_plain; /* strew_list_order has found STREW_ORDER_PLAIN */
    const strew_kernels *kernels;
    strew_bounds bounds;
    strew_coordinates coordinates;
} strew_integers;

/* Returns whether a wrong item ends the run. */
static inline bool strew_list_refuses(const strew_integers *integers)
{
    return integers->bounds == STREW_BOUNDS_REFUSE || integers->bounds == STREW_BOUNDS_STOP;
}

/* Describes the list of rows of the source that entries name. Without a list entry i names row i. */
void strew_list_sources(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers);
/* Describes the list of rows of the target that entries go into. */
void strew_list_segments(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                         const strew_bags_pointers *pointers);
/* Describes the list of entries at which bags begin. The number of entries is among its values. */
void strew_list_offsets(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers);

/* Resolves items of one line, no more than a tile has. */
strew_resolved strew_list_resolve(const strew_integers *integers, int64_t first, int64_t count, int64_t *resolved);

/* Returns the row that one item names. It is a strew_amend_entry: `list` is a strew_integers. */
int64_t strew_list_number(const void *list, int64_t place);

/* Checks the first `count` items. Returns false if the policy refuses one of them. */
bool strew_list_check(const strew_integers *integers, int64_t count);

/* The order of a list's items. That of a list is the least of its parts' orders. */
typedef enum strew_order {
    STREW_ORDER_WRONG, /* an item is wrong */
    STREW_ORDER_NONE,
    STREW_ORDER_SORTED, /* the resolved items do not decrease, and those left out come first or last */
    STREW_ORDER_PLAIN,  /* contiguous int32 or int64 that do not decrease, and none is negative or wrong */
    STREW_ORDERS
} strew_order;

strew_order strew_list_order(const strew_integers *integers);

/* Returns the row numbers of consecutive items: the items themselves, or `room`. None may be wrong or left out. */
const int64_t *strew_list_numbers(const strew_integers *integers, int64_t first, int64_t count, int64_t *room);

/* Returns numbers of consecutive items for a kernel that checks them: the items themselves, or `room`. Items that
 * are left out or wrong name no row. Negative ones may count from the end. Returns NULL if it finds an item that
 * the policy refuses. */
const int64_t *strew_list_unchecked(const strew_integers *integers, int64_t first, int64_t count, int64_t *room);

/* Returns the item at a place (base/integer.h). */
int64_t strew_list_item(const strew_integers *integers, int64_t place);

#endif
