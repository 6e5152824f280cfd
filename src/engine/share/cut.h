/*
 * How a walk is cut into shards, one for each thread.
 *
 * A gather may be cut along any dimension, and so may what writes each row once. A scatter or a reduction may be
 * cut only where no two shards can write the same byte: along a dimension that steps along the base, across long
 * rows, between parts of a list that are found to name rows apart (engine/share/parts.h), or else by who owns the
 * rows (owner computes: engine/share/owners.h). Updates of one row so stay in one shard, in order, and results are
 * those of one thread.
 */
#ifndef STREW_ENGINE_SHARE_CUT_H
#define STREW_ENGINE_SHARE_CUT_H

#include "engine/share/parts.h"

typedef enum strew_use {
    STREW_CHECKS,     /* indices */
    STREW_READS,      /* gathers: shards may share the rows that they read */
    STREW_WRITES,     /* scatters: they must not share what they write */
    STREW_WRITES_ONCE /* the same where each position has a row of its own */
} strew_use;

typedef enum strew_cut_kind {
    STREW_CUT_NOTHING, /* one shard */
    STREW_CUT_DIMENSION,
    STREW_CUT_ROWS,  /* every row is split, at multiples of STREW_ROW_GRAIN */
    STREW_CUT_PARTS, /* of a list, found to name rows apart (engine/share/parts.h) */
    STREW_CUT_OWNERS /* no cut: each shard goes over all positions, and moves the rows that it owns */
} strew_cut_kind;

typedef struct strew_cut {
    strew_cut_kind kind;
    int32_t dimension;
    int64_t pieces; /* of which a shard gets some */
    size_t shards;
    int32_t block_bits; /* of what is owned: as strew_ownership's */
    const strew_parts *parts;
} strew_cut;

/* One thread does it all. */
extern const strew_cut strew_cut_nothing;

/* No element is split, and no two shards write one cache line. */
enum { STREW_ROW_GRAIN = 64 };

/* For more than one thread, on which the walk may be too little work to share. It has positions. */
strew_cut strew_cut_choose(const strew_walk *walk, strew_use use, size_t threads);

/* Whether a walk that would be cut so is a list, and worth a look for parts of it. */
bool strew_cut_may_be_parts(const strew_cut *cut, const strew_walk *walk, strew_use use);

/* A shard for each of the parts that have been found, which stay where they are. */
strew_cut strew_cut_into_parts(const strew_parts *parts, size_t count);

/* Whether there are shards that are apart without anybody owning rows. */
bool strew_cut_is_disjoint(const strew_cut *cut);

#endif
