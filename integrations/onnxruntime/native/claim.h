/* Which nodes of a model the execution provider takes. */
#ifndef STREW_ONNXRUNTIME_CLAIM_H
#define STREW_ONNXRUNTIME_CLAIM_H

#include "operators.h"

/*
 * Whether strew runs a node, one of those for which there is a kernel; `is_exact`: also what the runtime does as
 * well. `api` is of version 23 or newer.
 */
OrtStatus *strew_ort_claims(const OrtApi *api, const OrtNode *node, bool is_exact, bool *claims);

#endif
