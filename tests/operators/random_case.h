/*
 * Random calls of the operators, compared with the oracle.
 */
#ifndef STREW_TESTS_RANDOM_CASE_H
#define STREW_TESTS_RANDOM_CASE_H

#include "call.h"
#include "parallel.h"
#include "random.h"

/* The requested properties of a case; the seed determines the rest. */
typedef struct case_request {
    strew_kind kind;
    strew_dtype dtype;
    strew_dtype index_dtype;
    strew_reduction reduction; /* STREW_REDUCTION_NONE for a gather */
    int64_t data_budget;       /* elements of data, at most */
    int64_t update_budget;     /* elements of the updates or of a gather's output, about at most */
} case_request;

typedef struct random_case {
    uint64_t seed;
    operator_call call;
    test_tensor data, indices, updates, output;
    test_tensor fill;  /* one element */
    bool in_place;     /* the call's output is `data` */
    bool has_pool;     /* given a strew_parallel */
    bool real_threads; /* with real threads, not with shuffled tasks */
    call_way way;
    call_scratch scratch;
    size_t threads;
    random_source order; /* the order of tasks */
} random_case;

/* The call of a case points into it: do not copy it. */
void random_case_create(random_case *self, const case_request *request, uint64_t seed);
void random_case_destroy(random_case *self);

/*
 * Runs the case by the library and by the oracle, and fails the test if they differ in anything that the
 * header promises: the output, the first bad index, bytes that belong to no element, inputs.
 */
void random_case_check(random_case *self);

#endif
