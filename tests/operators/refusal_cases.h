/*
 * The calls that are to be refused, by what is wrong with them.
 */
#ifndef STREW_TESTS_REFUSAL_CASES_H
#define STREW_TESTS_REFUSAL_CASES_H

#include "refusal.h"

typedef struct refusal_list {
    size_t count;
    const refusal *refusals;
} refusal_list;

extern const refusal_list refusals_of_no_tensors;
extern const refusal_list refusals_of_too_large_tensors;
extern const refusal_list refusals_of_overlaps;
extern const refusal_list refusals_of_dtypes;
extern const refusal_list refusals_of_shapes;
extern const refusal_list refusals_of_attributes;
extern const refusal_list refusals_of_options;
extern const refusal_list refusals_of_indices;
extern const refusal_list refusals_of_axes; /* by strew_axis_read */

#endif
