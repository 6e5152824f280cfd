/* The element that a reduction without initial values starts from. */
#ifndef STREW_ENGINE_IDENTITY_H
#define STREW_ENGINE_IDENTITY_H

#include "engine/plan.h"

/* That element, to be read only. Mean's is sum's. */
const void *strew_identity(strew_dtype dtype, strew_reduction reduction);

/*
 * Writes the identity of the plan's reduction to every element that the walk addresses. The rows of the walk are
 * single elements. False if an index is out of bounds.
 */
bool strew_start_from_identity(const strew_plan_body *plan, const strew_walk *walk, const strew_places *at,
                               const strew_parallel *parallel);

#endif
