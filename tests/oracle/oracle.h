/*
 * The oracle: the operators by obvious loops, one element at a time, to compare the library with.
 */
#ifndef STREW_TESTS_ORACLE_H
#define STREW_TESTS_ORACLE_H

#include "call.h"

/*
 * Runs a call with valid shapes and types, and with as much scratch as it needs. Returns whether it is done: all
 * indices were valid, or the call goes on in spite of bad ones. Otherwise *error has the reason: the first bad
 * index or number of a row, or the place where offsets, or segment_ids that are not sorted, decrease. The output is
 * then unchanged; a call that stops has applied the part before it.
 */
bool oracle_run(const operator_call *call, strew_error *error);

/* Whether the rows that entries go into come in order, as the policy has them; those left out first or last. */
bool oracle_is_sorted(const operator_call *call);

/* The part of a dimension that a slice selects: its begin, its step and its length. */
typedef struct oracle_selection {
    int64_t begin, step, length;
} oracle_selection;

/* The selection in each dimension of a tensor of this shape. */
void oracle_select(const strew_slice *slice, int32_t rank, const int64_t *shape,
                   oracle_selection selections[STREW_MAX_RANK]);

/*
 * How much of the output is defined after a refusal or, with NULL, after a call. ORACLE_SAYS_A_PART: the entries of
 * a gather's output whose index comes before the bad index.
 */
typedef enum oracle_extent { ORACLE_SAYS_NOTHING, ORACLE_SAYS_A_PART, ORACLE_SAYS_ALL } oracle_extent;
oracle_extent oracle_says(const operator_call *call, const strew_error *refusal);
bool oracle_takes_part(const operator_call *call, const strew_error *bad_index, const int64_t *entry);

typedef enum oracle_strictness {
    ORACLE_SAME_BITS, /* for moved elements */
    ORACLE_ANY_NAN    /* for computed ones: every NaN equals any other */
} oracle_strictness;

/* Whether two tensors of one shape hold the same elements; if not, *position is the first that differs. */
bool oracle_equal(const strew_tensor *expected, const strew_tensor *actual, oracle_strictness strictness,
                  int64_t position[STREW_MAX_RANK]);

/* Whether the output of a call holds the oracle's result in `expected`, as far as it is defined. */
bool oracle_agrees(const operator_call *call, const strew_error *refusal, const strew_tensor *expected,
                   oracle_strictness strictness, int64_t position[STREW_MAX_RANK]);

/* Whether two errors name the same bad index. */
bool oracle_same_bad_index(const strew_error *expected, const strew_error *found);

#endif
