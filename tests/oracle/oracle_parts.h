/* Shared by the files of the oracle: an index, the effect of a policy on it, and the operators of each file. */
#ifndef STREW_TESTS_ORACLE_PARTS_H
#define STREW_TESTS_ORACLE_PARTS_H

#include "call.h"

/* An index in its list, and its range. */
typedef struct oracle_index {
    const strew_tensor *list;
    const int64_t *position; /* in the list */
    uint64_t value;          /* widened to 64 bits */
    bool is_negative;
    bool counts_back; /* if it is negative, from the end */
    int64_t size;     /* of the indexed dimension */
} oracle_index;

oracle_index oracle_index_at(const strew_tensor *list, const int64_t *position, int64_t size, bool counts_back);

/* Whether negative indices of the call count from the end. */
bool oracle_counts_back(const operator_call *call);

typedef enum oracle_fate { ORACLE_GOES, ORACLE_LEFT_OUT, ORACLE_REFUSED } oracle_fate;

/* The fate of an index and, if it goes somewhere, its coordinate. */
oracle_fate oracle_resolve(const oracle_index *index, strew_bounds bounds, int64_t *coordinate);

/* The remainder from 0 to size - 1; size is not 0. */
int64_t oracle_remainder(const oracle_index *index, int64_t size);

/* An index of this operand that is refused. */
void oracle_tell_bad_index(const oracle_index *index, strew_operand operand, int32_t dimension, strew_error *error);

/* output = data, but in place. */
void oracle_copy_data(const operator_call *call);

/* Operators, as oracle.h has them. */
bool oracle_run_windows(const operator_call *call, strew_error *error);
void oracle_run_slice(const operator_call *call);
bool oracle_run_bags(const operator_call *call, strew_error *error);

/* Whether segment_ids are ascending; how many rows of a gather's output end before the bad index. */
bool oracle_ids_ascend(const operator_call *call);
int64_t oracle_bags_before(const operator_call *call, const strew_error *bad_index);

#endif
