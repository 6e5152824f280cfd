/* The plans that a node keeps for recurring shapes. Constant indices are inspected. */
#ifndef STREW_ONNXRUNTIME_PLANS_H
#define STREW_ONNXRUNTIME_PLANS_H

#include <onnxruntime_c_api.h>
#include <stdatomic.h>
#include <strew/strew.h>

/* A plan for a number of threads. It does not change. */
typedef struct strew_ort_plan {
    strew_plan plan;
    size_t threads;
    size_t scratch, least_scratch; /* bytes: useful, and required */
    const void *inspection;        /* replaces the indices; NULL: a run reads them */
} strew_ort_plan;

/* The tensors of a call. Missing ones are NULL; only the shape of the output is kept. */
typedef struct strew_ort_tensors {
    const strew_tensor *data, *indices, *updates, *output;
} strew_ort_tensors;

/* A plan with the shapes that it is for. */
typedef struct strew_ort_kept strew_ort_kept;

/* The kept plans of a node. Several threads may find and add plans. Zeroed: none. */
typedef struct strew_ort_plans {
    _Atomic(strew_ort_kept *) newest;
    atomic_size_t count;
} strew_ort_plans;

/* Finds the plans for tensors of these types and shapes, for any number of threads; NULL if there are none. */
const strew_ort_kept *strew_ort_plans_find(const strew_ort_plans *self, const strew_ort_tensors *tensors);

/* Picks the plan for so many threads, from `found` on; NULL if there is none, or `found` is NULL. */
const strew_ort_plan *strew_ort_plans_pick(const strew_ort_kept *found, const strew_ort_tensors *tensors,
                                           size_t threads);

/* The output's shape in such calls: its rank, and its dimensions in `shape`. */
int32_t strew_ort_kept_shape(const strew_ort_kept *found, const int64_t **shape);

/*
 * Keeps a copy of a plan; if `inspects`, with the indices inspected, unless one is bad. NULL if memory is short, or
 * if so many plans are kept that shapes seem to change with each run: then run the plan itself.
 */
const strew_ort_plan *strew_ort_plans_keep(strew_ort_plans *self, const OrtApi *api,
                                           const strew_ort_tensors *tensors, const strew_ort_plan *plan,
                                           bool inspects);

/* Frees the plans of a node that no thread runs any more. */
void strew_ort_plans_release(strew_ort_plans *self, const OrtApi *api);

#endif
