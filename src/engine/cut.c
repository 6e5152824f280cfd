#include "engine/cut.h"

#include <stdlib.h>

#include "engine/threshold.h"

/* Less of a row for each shard than this would be a waste of memory that is fetched in larger pieces. */
enum { LEAST_ROW_SHARE = 4096 };

/*
 * What a shard writes before it steps over what others write, if a dimension is cut that lies within others: less
 * than this, and shards wait for each other's cache lines. Measured with two threads that sum elements, in times of
 * one thread: pieces of 32 bytes 0.4 to 0.8, 128 bytes across 800 KB 0.7 to 1.0, across 8 MB 1.3 to 1.4, 160 bytes
 * across 178 MB 2.0; of 512 bytes across 800 KB 1.0 to 1.2.
 */
enum { LEAST_BLOCK = STREW_THRESHOLD(128, 0), LEAST_NEAR_BLOCK = STREW_THRESHOLD(512, 0) };

/* Every owner goes over all indices, which more of them do not make faster. */
enum { MOST_OWNERS = 64 };

/* What the busiest of the shards gets. */
static int64_t busiest_share(int64_t pieces, int64_t shards)
{
    return pieces / shards + (pieces % shards != 0);
}

/* Whether the busiest shard does no more than an eighth more than it would if all did the same. */
static bool is_even(int64_t pieces, int64_t shards)
{
    return busiest_share(pieces, shards) * shards - pieces <= pieces / 8;
}

/* Whether a shard of one dimension has less to do than one of the other. */
static bool is_evener(int64_t pieces, int64_t than, int64_t shards)
{
    return (double)busiest_share(pieces, shards) / (double)pieces <
           (double)busiest_share(than, shards) / (double)than;
}

/* How far apart the pieces of a dimension are, in what is written, or, where nothing is, read. */
static int64_t piece_step(const strew_dim *dim, strew_use use)
{
    switch (use) {
    case STREW_CHECKS: return llabs(dim->index_step);
    case STREW_READS: return llabs(dim->dense_step);
    default: return llabs(dim->base_step);
    }
}

static bool can_be_cut(const strew_walk *walk, int32_t d, strew_use use, int64_t shards)
{
    const strew_dim *dim = &walk->dim[d];
    const int64_t step = piece_step(dim, use);
    const int64_t block = strew_walk_reach(walk) < STREW_NEAR_REACH ? LEAST_NEAR_BLOCK : LEAST_BLOCK;
    if (use == STREW_WRITES && step == 0)
        return false;
    return d == 0 || step >= block || dim->size / shards * step >= block;
}

/* The outermost dimension that is cut evenly, whose shards lie in one part each; or the one that is cut most
 * evenly. */
static strew_cut choose_dimension(const strew_walk *walk, strew_use use, int64_t shards)
{
    strew_cut chosen = {STREW_CUT_NOTHING, 0, 1};
    for (int32_t d = 0; d < walk->dims && !is_even(chosen.pieces, shards); d++)
        if (can_be_cut(walk, d, use, shards) && is_evener(walk->dim[d].size, chosen.pieces, shards))
            chosen = (strew_cut){STREW_CUT_DIMENSION, d, walk->dim[d].size};
    return chosen;
}

/*
 * In eighths of a nanosecond, and no more than about so: moving a row takes some time for itself and for its bytes;
 * resolving and picking it, which every owner does with all of them, takes as long whatever its bytes.
 */
static bool owners_are_faster(const strew_walk *walk, strew_cut dimension, int64_t shards)
{
    const int64_t move = 16 + walk->row_bytes, pick = 8;
    return (pick + move / shards) * dimension.pieces < move * busiest_share(dimension.pieces, shards);
}

strew_cut strew_walk_choose_cut(const strew_walk *walk, strew_use use, size_t count)
{
    const int64_t shards = count < PTRDIFF_MAX / LEAST_ROW_SHARE ? (int64_t)count : 1;
    const strew_cut dimension = choose_dimension(walk, use, shards);
    const strew_cut rows = {STREW_CUT_ROWS, 0, walk->row_bytes / STREW_ROW_GRAIN};
    if (is_even(dimension.pieces, shards))
        return dimension;
    if (walk->row_bytes >= LEAST_ROW_SHARE * shards)
        return rows;
    const int64_t owners = shards < MOST_OWNERS ? shards : MOST_OWNERS;
    if (use == STREW_WRITES && walk->coordinates.count > 0 && owners_are_faster(walk, dimension, owners))
        return (strew_cut){STREW_CUT_OWNERS, 0, owners};
    return rows.pieces > dimension.pieces ? rows : dimension;
}
