/*
 * Owner computes: scattering where any shard may address any row. Every shard resolves all indices, and moves the
 * rows that it owns. Who owns a row follows from its address, so that all updates of one row are one shard's, which
 * takes them in order.
 */
#ifndef STREW_ENGINE_SHARE_OWNERS_H
#define STREW_ENGINE_SHARE_OWNERS_H

#include "engine/walk/walk.h"

struct strew_mover;

/* Blocks for a walk that is shared among so many. */
int32_t strew_owners_block_bits(const strew_walk *walk, size_t count);

/* strew_walk_run, but only of the rows that begin in blocks that are owned. Indices are all checked. */
bool strew_owners_run(const strew_walk *walk, const struct strew_mover *mover, const strew_pointers *pointers,
                      strew_ownership ownership);

#endif
