/* Indices of a node that are a constant of the model: looked at once for each shape of its other tensors. */
#ifndef STREW_ONNXRUNTIME_INSPECTIONS_H
#define STREW_ONNXRUNTIME_INSPECTIONS_H

#include <onnxruntime_c_api.h>
#include <stdatomic.h>
#include <strew/strew.h>

/* A plan that has been inspected, for tensors of some shapes. It does not change. */
typedef struct strew_ort_inspection strew_ort_inspection;

/* Those of a node, which several threads may look up and add to. Zeroed: none. */
typedef struct strew_ort_inspections {
    _Atomic(strew_ort_inspection *) newest;
    atomic_size_t count;
} strew_ort_inspections;

/* What a call is planned for. A gather has no updates. */
typedef struct strew_ort_planned {
    const strew_tensor *data, *indices, *updates;
    size_t threads;
} strew_ort_planned;

/* The one that fits a call, or NULL. */
const strew_ort_inspection *strew_ort_inspections_find(strew_ort_inspections *self,
                                                       const strew_ort_planned *planned);

/*
 * Inspects the plan of a call, and keeps what comes of it. NULL if nothing does: an index is wrong, memory lacks,
 * or so many are kept that shapes must be changing with each run; the plan itself will then do.
 */
const strew_ort_inspection *strew_ort_inspections_add(strew_ort_inspections *self, const OrtApi *api,
                                                      const strew_ort_planned *planned, const strew_plan *plan);

/* Of a node that nobody runs any more. */
void strew_ort_inspections_release(strew_ort_inspections *self, const OrtApi *api);

/* What runs, and what then stands for the indices. */
const strew_plan *strew_ort_inspection_plan(const strew_ort_inspection *self);
const void *strew_ort_inspection_storage(const strew_ort_inspection *self);

#endif
