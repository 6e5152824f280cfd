/*
 * Along what a walk is cut into shards.
 *
 * A gather may be cut along any dimension. A scatter or a reduction may be cut only where no two shards can write
 * the same byte: along a dimension that steps along the base, across long rows, or, where there is no such
 * dimension, by who owns the rows (engine/owned.h). Updates of one element so stay in one shard, in order.
 */
#ifndef STREW_ENGINE_CUT_H
#define STREW_ENGINE_CUT_H

#include "engine/walk.h"

typedef enum strew_use {
    STREW_CHECKS, /* indices */
    STREW_READS,  /* rows that shards may share */
    STREW_WRITES  /* rows that they must not */
} strew_use;

typedef enum strew_cut_kind {
    STREW_CUT_NOTHING,
    STREW_CUT_DIMENSION,
    STREW_CUT_ROWS,  /* each of them, at multiples of STREW_ROW_GRAIN */
    STREW_CUT_OWNERS /* nothing: each shard goes over everything, and does what it owns */
} strew_cut_kind;

typedef struct strew_cut {
    strew_cut_kind kind;
    int32_t dimension;
    int64_t pieces; /* of which a shard gets some */
} strew_cut;

/* No element is split, and no two shards write one cache line. */
enum { STREW_ROW_GRAIN = 64 };

/* What moves within less memory than this takes little longer than to be resolved. */
enum { STREW_NEAR_REACH = 4 << 20 };

/* For at least two shards. */
strew_cut strew_walk_choose_cut(const strew_walk *walk, strew_use use, size_t shards);

/* Whether a scatter can be cut into pieces that so many threads do apart. One does not need any. */
bool strew_walk_can_be_shared(const strew_walk *walk, size_t threads);

#endif
