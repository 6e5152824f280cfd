/*
 * Scattering where any shard may address any row: every shard resolves all indices, and moves the rows that it
 * owns. Who owns a row follows from its address, so that all updates of one row are one shard's, which takes them
 * in order.
 */
#ifndef STREW_ENGINE_OWNED_H
#define STREW_ENGINE_OWNED_H

#include "engine/walk.h"

/* What one shard of `count` owns: its part of the blocks of memory, dealt out by a hash of their addresses. */
typedef struct strew_ownership {
    uint32_t index, count;
    int32_t block_bits; /* a block is 2 to the power of this many bytes */
} strew_ownership;

/* Which of the shards owns a row that begins at this address. */
static inline uint32_t strew_owner(strew_ownership ownership, uintptr_t address)
{
    const uint32_t block = (uint32_t)(address >> ownership.block_bits);
    const uint32_t hash = block * UINT32_C(0x9e3779b1);
    return (uint32_t)((uint64_t)hash * ownership.count >> 32);
}

/* Blocks for a walk that is shared among so many. */
int32_t strew_ownership_block_bits(const strew_walk *walk, size_t count);

/* strew_walk_run, but only of the rows that begin in blocks that are owned. Indices are all checked. */
bool strew_walk_run_owned(const strew_walk *walk, strew_places at, strew_ownership ownership);

#endif
