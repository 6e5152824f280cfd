/* Naming the index that is out of bounds, once it is known that there is one. */
#ifndef STREW_ENGINE_OFFENDER_H
#define STREW_ENGINE_OFFENDER_H

#include "engine/work.h"

/* The first index that is wrong, in the row-major order of `indices`: where it stands. False if there is none. */
bool strew_find_first_offender(const strew_work *work, const void *indices, int64_t *position);

/*
 * Finds the first offender in the row-major order of `indices`. The kernels, which may run in any order, say only
 * that there is one; this looks again, one index at a time.
 */
strew_status strew_refuse_first_offender(const strew_work *work, const void *indices, strew_error *error);

#endif
