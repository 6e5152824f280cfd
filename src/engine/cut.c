#include "engine/cut.h"

#include <stdlib.h>

#include "dispatch/tuning.h"
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
    return (double)busiest_share(pieces, shards) * (double)than <
           (double)busiest_share(than, shards) * (double)pieces;
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

/* The outermost dimension that is cut evenly, so that shards lie in one part each; or that which is cut most so. */
static strew_cut choose_dimension(const strew_walk *walk, strew_use use, int64_t shards)
{
    strew_cut chosen = {STREW_CUT_NOTHING, 0, 1};
    for (int32_t d = 0; d < walk->dims && !is_even(chosen.pieces, shards); d++)
        if (can_be_cut(walk, d, use, shards) && is_evener(walk->dim[d].size, chosen.pieces, shards))
            chosen = (strew_cut){STREW_CUT_DIMENSION, d, walk->dim[d].size};
    return chosen;
}

/* Nanoseconds that it takes to scatter a row, about. */
static double move_time(const strew_walk *walk)
{
    const strew_move_cost *cost = strew_tuning_active()->move;
    const uint64_t reach = strew_walk_reach(walk);
    while (reach >= cost->reach)
        cost++;
    return cost->row + (double)walk->row_bytes * cost->byte;
}

/*
 * Every owner resolves and picks all rows, which must be worth it. Measured with two threads, in times of one, on a
 * Xeon of the Sapphire Rapids generation: across 13 KB, rows of 64 bytes 0.2 to 0.5; across 400 KB, of 60 bytes
 * 0.6, 384 bytes 0.9 to 1.3, 1,024 bytes 1.2 to 1.5; across 4 MB, of 24 bytes 0.9, 64 bytes 1.2, 256 bytes 1.6
 * to 1.8; 255 rows of 384 bytes 0.7. On a CPU of the Zen 5 generation: across 64 KB, of 256 bytes 0.5, 1,024 bytes
 * 0.6 to 1.2; 8 MB, of 64 bytes 1.0, 256 bytes 0.9 to 1.2, 1,024 bytes 1.1 to 1.6; 128 MB, of 16 bytes 1.4 to 2, 64
 * bytes 1.3, 400 bytes 2; 3,125 rows of 60 bytes 0.8.
 */
enum { PICK = STREW_THRESHOLD(4, 0) };

static bool owners_are_faster(const strew_walk *walk, strew_cut dimension, int64_t shards)
{
    const double rows = (double)strew_walk_positions(walk), move = move_time(walk);
    const double share = (double)busiest_share(dimension.pieces, shards) / (double)dimension.pieces;
    const double start = STREW_THRESHOLD(strew_tuning_active()->owners_start, 0);
    return start + rows * (PICK + move / (double)shards) < rows * move * share;
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
    return walk->row_bytes / LEAST_ROW_SHARE > dimension.pieces ? rows : dimension;
}

bool strew_walk_can_be_shared(const strew_walk *walk, size_t threads)
{
    if (threads == 1)
        return true;
    const strew_cut_kind kind = strew_walk_choose_cut(walk, STREW_WRITES, threads).kind;
    return kind == STREW_CUT_DIMENSION || kind == STREW_CUT_ROWS;
}
