/*
 * A cut divides a walk into shards, one for each thread, or several where cores differ.
 *
 * A gather may be cut along any dimension, and so may a scatter that writes each row once. Any other scatter may be
 * cut only so that no two shards write the same byte. There are four such cuts: along a dimension that moves the
 * base, across long rows, between parts of sorted indices (engine/share/parts.h), and by owners of rows
 * (engine/share/owners.h). All updates of a row are then in one shard, in order, so the result is that of one
 * thread.
 */
#ifndef STREW_ENGINE_SHARE_CUT_H
#define STREW_ENGINE_SHARE_CUT_H

#include "engine/share/parts.h"

typedef enum strew_use {
    STREW_CHECKS,     /* checks indices */
    STREW_READS,      /* gathers: shards may read the same rows */
    STREW_WRITES,     /* scatters: shards must not write the same rows */
    STREW_WRITES_ONCE /* scatters, and each position has a different row */
} strew_use;

typedef enum strew_cut_kind {
    STREW_CUT_NOTHING, /* one shard */
    STREW_CUT_DIMENSION,
    STREW_CUT_ROWS,  /* every row is split, at multiples of STREW_ROW_GRAIN */
    STREW_CUT_PARTS, /* parts of sorted indices (engine/share/parts.h) */
    STREW_CUT_OWNERS /* each shard visits all positions and moves the rows that it owns */
} strew_cut_kind;

/* The most owners: each reads all indices. A row costs as much as its bytes and 16 more. */
enum { STREW_MOST_OWNERS = 64, STREW_ROW_COUNTS_AS = 16 };

typedef struct strew_cut {
    strew_cut_kind kind;
    int32_t dimension;
    int64_t pieces; /* what is divided among the shards: steps of the dimension, grains of a row, parts or owners */
    size_t shards;
    int32_t block_bits; /* for OWNERS, as strew_ownership's */
    const strew_parts *parts;
} strew_cut;

/* One shard. */
extern const strew_cut strew_cut_nothing;

/* Rows are split at multiples of this: no element is split, and no two shards write the same cache line. */
enum { STREW_ROW_GRAIN = 64 };

/* Returns how many pieces each row can be cut into. Rows of two sizes are not cut. */
static inline int64_t strew_row_pieces(const strew_walk *walk)
{
    return walk->row_bytes.addressed == walk->row_bytes.dense ? walk->row_bytes.dense / STREW_ROW_GRAIN : 0;
}

/* Chooses a cut for two or more threads: one shard if there is little work. The walk must have positions. */
strew_cut strew_cut_choose(const strew_walk *walk, strew_use use, size_t threads);

/* Whether it pays to look for parts in the indices of a walk that would otherwise be cut this way. */
bool strew_cut_may_be_parts(const strew_cut *cut, const strew_walk *walk, strew_use use);

/*
 * Returns how many shards of `bytes` of work are made for some threads. Where cores differ, there are more and
 * smaller ones, which the threads take in turn, so that fast cores take more of them.
 */
size_t strew_shards_for(double bytes, size_t threads, bool cores_differ);
bool strew_cores_differ(void);

/* Returns how many shards a walk is dealt out in at most. */
size_t strew_cut_shards(const strew_walk *walk, size_t threads);

/* Whether there are shards, and they write different bytes whatever the indices are. */
bool strew_cut_is_disjoint(const strew_cut *cut);

#endif
