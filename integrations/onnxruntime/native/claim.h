/* The nodes of a model that the execution provider takes. */
#ifndef STREW_ONNXRUNTIME_CLAIM_H
#define STREW_ONNXRUNTIME_CLAIM_H

#include "operators.h"

/*
 * Whether strew runs a node for which it has a kernel; with `is_exact` also nodes that the runtime runs as well.
 * `api` is of version 23 or newer.
 */
OrtStatus *strew_ort_claims(const OrtApi *api, const OrtNode *node, bool is_exact, bool *claims);

#endif
