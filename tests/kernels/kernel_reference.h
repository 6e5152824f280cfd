/*
 * The definition of each family of kernels by its contract in kernels/kernels.h: one entry, one element, one byte
 * at a time, with the arithmetic of the oracle. The scalar kernels must agree with this.
 */
#ifndef STREW_TESTS_KERNEL_REFERENCE_H
#define STREW_TESTS_KERNEL_REFERENCE_H

#include "kernel_subject.h"

/* The arguments of a strew_move_kernel. */
typedef struct move_call {
    char *addressed;
    const int64_t *offsets;
    size_t count;
    strew_dense dense;
} move_call;
void reference_move(const kernel_slot *slot, const move_call *call);

/* The arguments of a strew_resolve_kernel. */
typedef struct resolve_call {
    char *indices;
    int64_t index_step;
    size_t count;
    const strew_coordinates *coordinates;
    const int64_t *bases;
    int64_t *offsets;
    strew_bounds bounds; /* for a strew_amend_kernel */
} resolve_call;
bool reference_resolve(const kernel_slot *slot, const resolve_call *call);
void reference_amend(const kernel_slot *slot, const resolve_call *call);

/* Whether an index of this dtype selects a position of a coordinate; if so, sets *position. */
bool reference_position(strew_dtype dtype, const char *index, int64_t size, bool wrap, int64_t *position);

/* The arguments of a strew_bag_kernel. */
typedef struct bag_call {
    char *target;
    strew_bag_window window;
    strew_bag_entries entries;
} bag_call;
bool reference_bag(const kernel_slot *slot, const bag_call *call);

/* The arguments of a strew_table_kernel. */
typedef struct table_call {
    char *dense;
    const char *indices;
    size_t count;
    strew_element_table table;
} table_call;
size_t reference_table(const kernel_slot *slot, const table_call *call);

/* The arguments of a strew_divide_kernel. */
typedef struct divide_call {
    char *addressed;
    const int64_t *offsets;
    size_t count;
    size_t row_bytes;
    char *counters;
    const int64_t *counter_offsets;
    uint64_t extra;
} divide_call;
void reference_divide(const kernel_slot *slot, const divide_call *call);

/* The arguments of a strew_pick_kernel. */
typedef struct pick_call {
    const char *addressed;
    const int64_t *offsets;
    const int64_t *others;
    size_t count;
    strew_ownership ownership;
    int64_t *picked;
    int64_t *picked_others;
} pick_call;
size_t reference_pick(const pick_call *call);

#endif
