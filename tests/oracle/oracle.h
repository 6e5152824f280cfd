/*
 * The oracle: the operators by obvious loops, one element at a time, to compare the library with.
 */
#ifndef STREW_TESTS_ORACLE_H
#define STREW_TESTS_ORACLE_H

#include "call.h"

/*
 * Runs a call whose shapes and types are right. Returns whether all indices were valid, or the call goes on with
 * those that are not. Otherwise *error tells of the first offender in the row-major order of indices, and the
 * output is untouched, unless the call is to stop there: then it has what comes before.
 */
bool oracle_run(const operator_call *call, strew_error *error);

/* Whether the index of an entry, of updates or of a gather's output, comes before the offender. */
bool oracle_takes_part(const operator_call *call, const strew_error *offender, const int64_t *entry);

typedef enum oracle_strictness {
    ORACLE_SAME_BITS, /* for what is moved */
    ORACLE_ANY_NAN    /* for what is computed: every NaN is as good as any other */
} oracle_strictness;

/* Whether two tensors of one shape hold the same elements; if not, *position is the first that differs. */
bool oracle_equal(const strew_tensor *expected, const strew_tensor *actual, oracle_strictness strictness,
                  int64_t position[STREW_MAX_RANK]);

#endif
