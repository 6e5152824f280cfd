/*
 * Owners share a scatter in which any index may name any row (owner computes). Every owner resolves all indices and
 * moves only the rows that it owns. The address of a row decides who owns it, so one owner gets all updates of a
 * row, in order.
 */
#ifndef STREW_ENGINE_SHARE_OWNERS_H
#define STREW_ENGINE_SHARE_OWNERS_H

#include "engine/walk/walk.h"

struct strew_mover;

/* Returns the size of the blocks that owners own: 2 to the power of this many bytes. */
int32_t strew_owners_block_bits(const strew_walk *walk, size_t count);

/* Does what strew_walk_run does, but moves only the rows that begin in blocks of one owner. Checks all indices. */
bool strew_owners_run(const strew_walk *walk, const struct strew_mover *mover, const strew_pointers *pointers,
                      strew_ownership ownership);

#endif
