/* A node of a model, and its run on a kernel's inputs: the same for both ways into ONNX Runtime. */
#ifndef STREW_ONNXRUNTIME_RUN_H
#define STREW_ONNXRUNTIME_RUN_H

#include "operators.h"
#include "registry.h"
#include "threads.h"

/* A node: its operator and attributes, and the plans that it keeps. Several threads may run one. */
typedef struct strew_ort_node strew_ort_node;

/*
 * Makes the node of a kernel, with the attributes that `op` has. `api` is of version 18 or newer, and `get_shape`
 * comes from strew_ort_get_shape_of. The nodes of a session share `threads`; NULL: the node finds its own. The
 * status of a refusal names the wrong attribute and the right values.
 */
OrtStatus *strew_ort_node_create(const OrtApi *api, strew_ort_get_shape *get_shape, const OrtKernelInfo *info,
                                 const strew_operator *op, strew_ort_threads *threads, strew_ort_node **node);

/* NULL is allowed. */
void strew_ort_node_destroy(strew_ort_node *node);

/*
 * Runs the node: inputs data, indices and (for a scatter) updates, in the node's order, one output. In place if the
 * runtime gives data's own memory for the output. A refusal has strew's message, and leaves the inputs, and data in
 * place, as they were.
 */
OrtStatus *strew_ort_node_run(strew_ort_node *node, OrtKernelContext *context);

/* The number of nodes that this library has run since it was loaded; of nodes run in place; of nodes run on
 * inspected constant indices. */
STREW_ORT_EXPORT uint64_t strew_onnxruntime_runs(void);
STREW_ORT_EXPORT uint64_t strew_onnxruntime_runs_in_place(void);
STREW_ORT_EXPORT uint64_t strew_onnxruntime_runs_inspected(void);

#endif
