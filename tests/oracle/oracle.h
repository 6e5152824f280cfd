/*
 * The oracle: the operators by obvious loops, one element at a time, to compare the library with.
 */
#ifndef STREW_TESTS_ORACLE_H
#define STREW_TESTS_ORACLE_H

#include "call.h"

/*
 * Runs a call whose shapes and types are right, with as much scratch as it needs. Returns whether it is done: all
 * indices were valid, or the call goes on with those that are not. Otherwise *error says why not: of indices and of
 * numbers of rows the first bad index, of offsets and of segment_ids that are not sorted where they decrease. The
 * output is then untouched, unless the call is to stop there: then it has what comes before.
 */
bool oracle_run(const operator_call *call, strew_error *error);

/* Whether the rows that entries go into come in order, as the policy has them; those left out first or last. */
bool oracle_is_sorted(const operator_call *call);

/* What a slice selects of a dimension: from where, by how many, and how many. */
typedef struct oracle_selection {
    int64_t begin, step, length;
} oracle_selection;

/* That of each dimension of a tensor of this shape. */
void oracle_select(const strew_slice *slice, int32_t rank, const int64_t *shape,
                   oracle_selection selections[STREW_MAX_RANK]);

/*
 * How much is promised of the output of a call that was refused, or, with NULL, was not. Of a part it is so for the
 * entries of a gather's output whose index comes before the bad index.
 */
typedef enum oracle_extent { ORACLE_SAYS_NOTHING, ORACLE_SAYS_A_PART, ORACLE_SAYS_ALL } oracle_extent;
oracle_extent oracle_says(const operator_call *call, const strew_error *refusal);
bool oracle_takes_part(const operator_call *call, const strew_error *bad_index, const int64_t *entry);

typedef enum oracle_strictness {
    ORACLE_SAME_BITS, /* for what is moved */
    ORACLE_ANY_NAN    /* for what is computed: every NaN is as good as any other */
} oracle_strictness;

/* Whether two tensors of one shape hold the same elements; if not, *position is the first that differs. */
bool oracle_equal(const strew_tensor *expected, const strew_tensor *actual, oracle_strictness strictness,
                  int64_t position[STREW_MAX_RANK]);

/* Whether the output of a call holds what the oracle left in `expected`, as far as that is promised. */
bool oracle_agrees(const operator_call *call, const strew_error *refusal, const strew_tensor *expected,
                   oracle_strictness strictness, int64_t position[STREW_MAX_RANK]);

/* Whether two errors tell of the same bad index. */
bool oracle_same_bad_index(const strew_error *expected, const strew_error *found);

#endif
