/*
 * Bags: rows of a source that are combined into rows of a target while they are read (kernels.h, "Folds").
 *
 * Each entry names a row of the source, and goes into a row of the target. Where all entries of a row of the target
 * follow each other, the row is a bag: it is written once, and bags are shared among threads. Entries in any order
 * are made such in the caller's scratch (group.h), or combined as they come.
 */
#ifndef STREW_ENGINE_BAGS_BAGS_H
#define STREW_ENGINE_BAGS_BAGS_H

#include "engine/walk/walk.h"

/* How it is said into which row of the target the entries go. */
typedef enum strew_segments {
    STREW_OFFSETS, /* where among the entries each row begins */
    STREW_UNIFORM, /* nothing is said: each row has as many */
    STREW_SORTED,  /* the number of the row of each entry, which does not decrease */
    STREW_ANY      /* the same in any order */
} strew_segments;

/* A list with an item for each entry, in lines of the same length: two steps suffice for what has two dimensions.
 */
typedef struct strew_list {
    strew_dtype dtype; /* STREW_DTYPE_NONE: there is no list */
    int64_t step, line_step;
} strew_list;

/* What does not change from run to run. */
typedef struct strew_bags {
    strew_segments segments;
    int64_t entries, line; /* how many; so many follow each other evenly */
    int64_t uniform;       /* how many go into each row, where each has as many */
    int64_t rows;          /* of the target */
    int64_t row_step;      /* from one to the next */
    strew_list indices, segment_ids, weights;
    int64_t weight_count; /* in entries of the caller's order, where `order` says which those are */
    strew_bounds bounds;  /* of indices and of segment_ids; where there is none to go on with, it refuses */
    bool wrap;            /* negative segment_ids count from the end, as walk's coordinates say of indices */
    bool drops_beyond;    /* entries beyond the last row are left out */
    strew_dtype dtype;
    strew_reduction reduction;
    const void *start;    /* an element with which each bag starts; NULL: with what the target holds */
    const void *identity; /* an element with which rows that are named start, where they do not hold their own */
    const void *empty;    /* an element of rows that nothing goes into; NULL: they stay */
    int64_t default_row;  /* of the source, which such rows are given instead; -1: none */
} strew_bags;

/* Whether each entry says the number of the row that it goes into. */
static inline bool strew_bags_have_numbers(const strew_bags *bags)
{
    return bags->segments == STREW_SORTED || bags->segments == STREW_ANY;
}

/* What changes. The walk that belongs to it goes over the dimensions of rows that are not contiguous. */
typedef struct strew_bags_pointers {
    char *source, *target;
    const char *indices, *segment_ids, *weights;
    const char
        *order; /* of entries that have been sorted: the number that each had (uint32); NULL if they are not */
} strew_bags_pointers;

/* What a run may use. */
typedef struct strew_bags_resources {
    char *scratch;
    size_t scratch_bytes;
    size_t threads;
    const strew_parallel *parallel;
} strew_bags_resources;

/* The scratch that sorting entries takes. SIZE_MAX, which nobody has, if it cannot be counted. */
size_t strew_bags_sort_bytes(const strew_bags *bags, const strew_walk *walk, size_t threads);

/* The scratch that is of use to a run; 0 if none is. */
size_t strew_bags_scratch_bytes(const strew_bags *bags, const strew_walk *walk, size_t threads);

/*
 * Makes bags of entries whose segments are numbers, in scratch of strew_bags_sort_bytes. False if something was
 * wrong.
 */
bool strew_bags_sort(const strew_bags *bags, const strew_walk *walk, const strew_bags_pointers *pointers,
                     const strew_bags_resources *resources, strew_bags *sorted,
                     strew_bags_pointers *sorted_pointers);

/* Where it has put what. */
void strew_bags_find_sorted(const strew_bags *sorted, const char *scratch, strew_bags_pointers *pointers);

/* False, if something was wrong; nothing has been written then if it was to be checked first. */
bool strew_bags_run(const strew_bags *bags, const strew_walk *walk, const strew_bags_pointers *pointers,
                    bool check_first, const strew_bags_resources *resources);

#endif
