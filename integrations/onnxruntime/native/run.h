/* A node of a model, and its run on what a kernel is given: the same for both ways into ONNX Runtime. */
#ifndef STREW_ONNXRUNTIME_RUN_H
#define STREW_ONNXRUNTIME_RUN_H

#include "operators.h"
#include "registry.h"
#include "threads.h"

/* A node: its operator and attributes, and the plans that it keeps. Several threads may run one. */
typedef struct strew_ort_node strew_ort_node;

/*
 * Makes the node of a kernel, with the attributes that `op` has. `api` is of version 18 or newer, and `get_shape`
 * what strew_ort_get_shape_of finds. `threads` are
 * shared by the nodes of a session; NULL: the node finds its own. Refused with a status that says which attribute
 * is wrong, and what would be right.
 */
OrtStatus *strew_ort_node_create(const OrtApi *api, strew_ort_get_shape *get_shape, const OrtKernelInfo *info,
                                 const strew_operator *op, strew_ort_threads *threads, strew_ort_node **node);

/* NULL is allowed. */
void strew_ort_node_destroy(strew_ort_node *node);

/*
 * Runs it: inputs data, indices and (of a scatter) updates, in the node's order, one output. In place if the
 * runtime gives data's own memory for the output. Refused with strew's sentence; inputs are then as they were, and
 * data in place too.
 */
OrtStatus *strew_ort_node_run(strew_ort_node *node, OrtKernelContext *context);

/* How many nodes this library has run since it was loaded, how many of these in place, how many on constant indices
 * that were looked at before. */
STREW_ORT_EXPORT uint64_t strew_onnxruntime_runs(void);
STREW_ORT_EXPORT uint64_t strew_onnxruntime_runs_in_place(void);
STREW_ORT_EXPORT uint64_t strew_onnxruntime_runs_inspected(void);

#endif
