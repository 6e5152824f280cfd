/* Finds the first bad index of a call that a kernel has refused, and reports it. */
#ifndef STREW_ENGINE_BAD_INDEX_H
#define STREW_ENGINE_BAD_INDEX_H

#include "engine/work.h"

/* A list of integers that select from a tensor: the indices of a call, or its segment_ids. */
typedef struct strew_index_list {
    const strew_layout *layout;
    const void *items;
    const strew_coordinates *coordinates;
    strew_bounds bounds;
    bool has_tuples;         /* the last dimension holds the coordinates of a tuple */
    strew_operand operand;   /* for errors: which operand the list is */
    strew_operand other;     /* for errors: the tensor that it selects from */
    int32_t first_dimension; /* the dimension of that tensor that the first coordinate selects from */
} strew_index_list;

/* Finds the position of the first bad index in row-major order. Returns false if there is none. */
bool strew_find_bad_index(const strew_index_list *list, int64_t *position);

/*
 * Finds the first bad index in row-major order and describes it in `error`. Returns false if there is none. Kernels
 * may run in any order and report only that there is a bad index, so this reads the indices again, one by one.
 */
bool strew_refuse_bad_index(const strew_index_list *list, strew_error *error);

/* Returns the indices of a call as a list. */
strew_index_list strew_index_list_of(const strew_work *work, const void *indices);

#endif
