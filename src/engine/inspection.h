/*
 * Indices that stay the same, looked at once: resolved under the policy of the plan, and written as numbers of
 * strew's own, in storage of the caller's. The plan for them is that of the same call whose indices are this
 * tensor: packed, of 32 bits where that is enough, and with one coordinate where those of a tuple select as from
 * one dimension. So all that runs a plan runs it, and checks the numbers as it checks indices; but nothing needs to
 * be checked before, and fewer bytes are read.
 *
 * Where indices repeat along a dimension, by a stride of 0, numbers do as well. What is to be skipped has -1.
 */
#ifndef STREW_ENGINE_INSPECTION_H
#define STREW_ENGINE_INSPECTION_H

#include "engine/share/cut.h"
#include "engine/work.h"

/* The seal stands before the numbers, which begin on a cache line where the storage does. */
enum { STREW_INSPECTION_BEGIN = 64 };

/* The bytes of storage; SIZE_MAX, which nobody can have, if they are more than can be counted. */
size_t strew_inspection_size(const strew_work *work, const strew_cut *cut);

/* Writes the storage, and the form of the call with what it has written. False if an index is wrong. */
bool strew_inspect(strew_form *inspected, const strew_work *work, const strew_cut *cut,
                   const strew_buffers *buffers, char *storage);

/* Whether the storage begins with the seal of this form. */
bool strew_inspection_is_sealed(const strew_form *inspected, const void *storage);

#endif
