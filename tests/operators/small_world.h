/* A small world: a call of tensors with a few elements, run in every way with all interesting indices. */
#ifndef STREW_TESTS_SMALL_WORLD_H
#define STREW_TESTS_SMALL_WORLD_H

#include "call.h"

enum { WORLD_RANK = 3, WORLD_SIZE = 3, WORLD_UPDATES_RANK = 2 * WORLD_RANK };

/* A call without its dtypes, reduction and elements. */
typedef struct small_world {
    uint64_t number;
    strew_kind kind;
    int32_t rank, indices_rank, updates_rank;
    int64_t shape[WORLD_RANK], indices_shape[WORLD_RANK];
    int64_t updates_shape[WORLD_UPDATES_RANK]; /* or that of a gather's output */
    int64_t axis, batch_dims;
    bool without_indices, circular;
    bool has_segments;
    int64_t segments;         /* how many offsets, segment_ids or targets */
    const strew_slice *slice; /* for slice_scatter */
} small_world;

/* The number of comparisons. */
typedef struct world_counts {
    uint64_t worlds, calls, runs; /* a call is one for the oracle; a run is one of the library */
} world_counts;

/*
 * Compares with the oracle, and fails the test at the first difference: the output, the bad index that the error
 * tells, that a refused call left its inputs and the tensor of an in-place call alone, bytes around tensors. For
 * each of
 *
 *   - dtypes int8 and float32, every reduction that the operator has, with and without the initial value; a sum
 *     with weights; and the policies other than to refuse, with one way to combine of each dtype: assigning and
 *     adding, or, of bags, a mean (of edges the greatest) and a sum with weights;
 *   - index values, each in [-s - 1, s] for its dimension of size s, offsets in [-1, s + 1] for s entries: all
 *     combinations of them if there are one to three, otherwise each value at each place among those that are
 *     right. Of two lists with more than three together, all that is said of each while the other is right;
 *   - every instruction set of the build that runs here, emulated ones too;
 *   - 1, 2 and 3 threads, whose tasks run one after another, the last one first;
 *   - in place and to another tensor, with the least scratch (where segment_ids are sorted, none) and with all that
 * is of use, planned; once by one call, and once with inspected indices, for each instruction set.
 *
 * The world's number says of which dtypes indices and segments are, whether negative ones are refused, and what
 * empty bags are given. Tensors without elements have a pointer of NULL, and strides that reach as far as is
 * allowed.
 */
void small_world_check(const small_world *world, world_counts *counts);

#endif
