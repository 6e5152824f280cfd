/*
 * An inspection resolves once the indices that stay the same, under the plan's policy, and writes the result as a
 * tensor of numbers into the caller's storage. The inspected plan is a plan of the same call with these numbers as
 * its indices. They are contiguous, have 32 bits if that is enough, and have one coordinate if the coordinates of a
 * tuple select as from one dimension. An inspected plan runs like any other, and checks the numbers as it would
 * check indices. It need not check them before the run, and it reads fewer bytes.
 *
 * Indices that repeat along a dimension, because its stride is 0, are written once and repeat there too. A skipped
 * index is written as -1.
 */
#ifndef STREW_ENGINE_INSPECTION_H
#define STREW_ENGINE_INSPECTION_H

#include "engine/share/cut.h"
#include "engine/work.h"

/* The numbers begin after the seal. They are aligned to a cache line if the storage is. */
enum { STREW_INSPECTION_BEGIN = 64 };

/* Returns the bytes of storage that an inspection needs, or SIZE_MAX if the number overflows. */
size_t strew_inspection_size(const strew_work *work, const strew_cut *cut);

/* Writes the storage, and the form of the call on these numbers. Returns false if it refuses an index. */
bool strew_inspect(strew_form *inspected, const strew_work *work, const strew_cut *cut,
                   const strew_buffers *buffers, char *storage);

/* Whether the storage begins with the seal of this form. */
bool strew_inspection_is_sealed(const strew_form *inspected, const void *storage);

#endif
