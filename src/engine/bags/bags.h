/*
 * Bags combine rows of a source into rows of a target while they are read (kernels.h, "Bags").
 *
 * Each entry names a row of the source and goes into a row of the target. If the entries of a row of the target
 * follow each other, they are a bag: its row is written once, and threads share bags. Entries in any order are
 * sorted into bags in the caller's scratch (group.h), or combined as they come.
 */
#ifndef STREW_ENGINE_BAGS_BAGS_H
#define STREW_ENGINE_BAGS_BAGS_H

#include "engine/walk/walk.h"

/* How a call says which row of the target each entry goes into. */
typedef enum strew_segmentation {
    STREW_OFFSETS, /* by the entry at which each row begins */
    STREW_UNIFORM, /* by no list: each row has the same number of entries */
    STREW_SORTED,  /* by the number of each entry's row; the numbers do not decrease */
    STREW_ANY      /* by numbers in any order */
} strew_segmentation;

/* A list with an item for each entry, in lines of the same length. Two steps describe up to two dimensions. */
typedef struct strew_list {
    strew_dtype dtype; /* STREW_DTYPE_NONE: there is no list */
    int64_t step, line_step;
} strew_list;

/* The part of a run that a plan fixes. In the walk that functions take with it the addressed tensor is the source,
 * and the dense one the target. */
typedef struct strew_bags {
    strew_segmentation segments;
    int64_t entries, line; /* line: the entries of one line of the lists */
    int64_t uniform;       /* entries of each row, if that is the same number */
    int64_t rows;          /* of the target */
    int64_t row_step;      /* from one to the next */
    strew_list indices, segment_ids, weights;
    int64_t weight_count; /* weights of the caller; after sorting, `order` says which entry has which */
    strew_bounds bounds;  /* of indices and segment_ids */
    bool wrap;            /* negative segment_ids count from the end; for indices the walk's coordinates say so */
    bool drops_beyond;    /* entries beyond the last row are left out */
    strew_reduction reduction;
    const void *start;    /* the element that each bag starts with; NULL: what the target holds */
    const void *identity; /* the element that named rows of the target start with; NULL: what they hold */
    const void *empty;    /* the element of rows that nothing goes into; NULL: they stay */
    int64_t default_row;  /* the row of the source that such rows become instead; -1: none */
} strew_bags;

/* Returns whether each entry says the number of the row that it goes into. */
static inline bool strew_bags_have_numbers(const strew_bags *bags)
{
    return bags->segments == STREW_SORTED || bags->segments == STREW_ANY;
}

/* The part that changes from run to run. The walk visits the dimensions of rows that are not contiguous. */
typedef struct strew_bags_pointers {
    char *source, *target;
    const char *indices, *segment_ids, *weights;
    const char *order; /* of sorted entries: the number that each had (uint32); otherwise NULL */
} strew_bags_pointers;

/* The scratch and the threads that a run may use. */
typedef struct strew_bags_resources {
    char *scratch;
    size_t scratch_bytes;
    size_t threads;
    const strew_parallel *parallel;
} strew_bags_resources;

/* Returns the bytes of scratch that sorting takes; SIZE_MAX, which nobody has, if they cannot be counted. */
size_t strew_bags_sort_bytes(const strew_bags *bags, const strew_walk *walk, size_t threads);

/* Returns the bytes of scratch that a run can use; 0 if none. */
size_t strew_bags_scratch_bytes(const strew_bags *bags, const strew_walk *walk, size_t threads);

/*
 * Sorts entries into bags, in scratch of strew_bags_sort_bytes. Returns false if a number is wrong.
 */
bool strew_bags_sort(const strew_bags *bags, const strew_walk *walk, const strew_bags_pointers *pointers,
                     const strew_bags_resources *resources, strew_bags *sorted,
                     strew_bags_pointers *sorted_pointers);

/* Sets the pointers to what strew_bags_sort has put into scratch. */
void strew_bags_find_sorted(const strew_bags *sorted, const char *scratch, strew_bags_pointers *pointers);

/* Combines the bags. Returns false if a number is wrong or out of order, or if there is too little scratch for
 * entries that must be sorted. With check_first nothing has been written then. */
bool strew_bags_run(const strew_bags *bags, const strew_walk *walk, const strew_bags_pointers *pointers,
                    bool check_first, const strew_bags_resources *resources);

#endif
