#include "engine/share/cut.h"

#include <stdlib.h>

#include "base/thresholds.h"
#include "dispatch/tuning.h"
#include "engine/share/owners.h"

/* Checking indices is this many times as fast as moving rows. */
enum { CHECKS_FASTER = 8 };

const strew_cut strew_cut_nothing = {STREW_CUT_NOTHING, 0, 1, 1, 0, NULL};

/* Returns the pieces of the busiest shard. */
static int64_t busiest_share(int64_t pieces, int64_t shards)
{
    return pieces / shards + (pieces % shards != 0);
}

/* Whether the busiest shard gets at most an eighth more than an equal share. */
static bool is_even(int64_t pieces, int64_t shards)
{
    const int64_t rest = pieces % shards;
    return (rest == 0 ? 0 : shards - rest) <= pieces / 8;
}

/* Whether cutting `pieces` leaves the busiest shard a smaller part of the work than cutting `other_pieces`. */
static bool is_evener(int64_t pieces, int64_t other_pieces, int64_t shards)
{
    return (double)busiest_share(pieces, shards) * (double)other_pieces <
           (double)busiest_share(other_pieces, shards) * (double)pieces;
}

/* Returns how far apart the pieces of a dimension are in the tensor that is written. A check writes nothing: then
 * how far apart they are in the indices. */
static int64_t piece_step(const strew_dim *dim, strew_use use)
{
    switch (use) {
    case STREW_CHECKS: return llabs(dim->index_step);
    case STREW_READS: return llabs(dim->dense_step);
    case STREW_WRITES_ONCE: return dim->base_step != 0 ? llabs(dim->base_step) : llabs(dim->index_step);
    default: return llabs(dim->base_step);
    }
}

static bool can_be_cut(const strew_walk *walk, int32_t d, strew_use use, int64_t shards)
{
    const strew_dim *dim = &walk->dim[d];
    const int64_t step = piece_step(dim, use);
    const int64_t block = dim->size / shards * step;
    return step != 0 && (use == STREW_CHECKS || step >= STREW_LEAST_BLOCK || block >= STREW_LEAST_BLOCK);
}

static strew_cut cut_into(strew_cut_kind kind, int32_t dimension, int64_t pieces, int64_t shards)
{
    return (strew_cut){kind, dimension, pieces, (size_t)(pieces < shards ? pieces : shards), 0, NULL};
}

/* Chooses the outermost dimension that is cut evenly, or else the one that is cut most evenly. Shards of an outer
 * dimension are contiguous. */
static strew_cut cut_dimension(const strew_walk *walk, strew_use use, int64_t shards)
{
    strew_cut chosen = strew_cut_nothing;
    for (int32_t d = 0; d < walk->dims && !is_even(chosen.pieces, shards); d++)
        if (can_be_cut(walk, d, use, shards) && is_evener(walk->dim[d].size, chosen.pieces, shards))
            chosen = cut_into(STREW_CUT_DIMENSION, d, walk->dim[d].size, shards);
    return chosen;
}

static double bytes_of_work(const strew_walk *walk)
{
    return (double)strew_walk_positions(walk) * ((double)walk->row_bytes.addressed + STREW_ROW_COUNTS_AS);
}

/* Whether the walk moves at least `times` as many bytes as make another thread pay. */
static bool is_worth_sharing(const strew_walk *walk, int32_t times)
{
    return bytes_of_work(walk) >= (double)STREW_LEAST_PARALLEL_BYTES * times;
}

/* Every owner resolves and picks all rows. That pays if moving the rows takes longer, and if cutting the dimension
 * would leave three quarters of the work to one shard. */
static bool owners_are_faster(const strew_walk *walk, strew_cut dimension, int64_t shards)
{
    const double far = STREW_THRESHOLD(strew_tuning_active()->least_owned, 0);
    return 4 * busiest_share(dimension.pieces, shards) >= 3 * dimension.pieces &&
           ((double)strew_walk_reach(walk) >= far || walk->row_bytes.addressed >= STREW_LEAST_OWNED_ROW) &&
           is_worth_sharing(walk, STREW_LOOKS_FOR);
}

/* Skipped rows are filled with elements, so the shards of a row must begin at an element. */
static bool rows_can_be_cut(const strew_walk *walk)
{
    return strew_row_pieces(walk) > 0 &&
           (walk->bounds != STREW_BOUNDS_SKIP || STREW_ROW_GRAIN % walk->element_bytes == 0);
}

static strew_cut cut_for(const strew_walk *walk, strew_use use, int64_t shards)
{
    const strew_cut dimension = cut_dimension(walk, use, shards);
    const strew_cut rows = cut_into(STREW_CUT_ROWS, 0, strew_row_pieces(walk), shards);
    if (use == STREW_CHECKS || is_even(dimension.pieces, shards))
        return dimension;
    if (walk->row_bytes.addressed >= STREW_LEAST_ROW_SHARE * shards && rows_can_be_cut(walk))
        return rows;
    const int64_t owners = strew_lesser(shards, STREW_MOST_OWNERS);
    if (use == STREW_WRITES && walk->coordinates.count > 0 && owners_are_faster(walk, dimension, owners)) {
        strew_cut cut = cut_into(STREW_CUT_OWNERS, 0, owners, owners);
        cut.block_bits = strew_owners_block_bits(walk, cut.shards);
        return cut;
    }
    return walk->row_bytes.addressed / STREW_LEAST_ROW_SHARE > dimension.pieces && rows_can_be_cut(walk)
               ? rows
               : dimension;
}

bool strew_cores_differ(void)
{
    return STREW_THRESHOLD(strew_cpu_cores_differ(), true);
}

/* With 16 shards each, four fast threads and four of at least a fifth of their speed come to 0.89 of the sum
 * (strew-balance). A shard is worth an eighth of what makes another thread pay, which need not be woken for it. */
size_t strew_shards_for(double bytes, size_t threads, bool cores_differ)
{
    const double most = 8 * bytes / (STREW_LEAST_PARALLEL_BYTES + 1), wanted = 16 * (double)threads;
    if (!cores_differ || most < (double)threads)
        return threads;
    return (size_t)(most < wanted ? most : wanted);
}

size_t strew_cut_shards(const strew_walk *walk, size_t threads)
{
    return strew_shards_for(bytes_of_work(walk), threads, strew_cores_differ());
}

/* Makes more and smaller shards, if cores differ and no shard writes less than it may. */
static void deal_out(strew_cut *cut, const strew_walk *walk, strew_use use, size_t threads)
{
    const int64_t shards = (int64_t)strew_cut_shards(walk, threads);
    if (cut->kind == STREW_CUT_DIMENSION ? can_be_cut(walk, cut->dimension, use, shards)
                                         : walk->row_bytes.addressed >= STREW_LEAST_ROW_SHARE * shards)
        cut->shards = (size_t)strew_lesser(shards, cut->pieces);
}

strew_cut strew_cut_choose(const strew_walk *walk, strew_use use, size_t threads)
{
    if (threads >= PTRDIFF_MAX / STREW_LEAST_ROW_SHARE ||
        !is_worth_sharing(walk, use == STREW_CHECKS ? CHECKS_FASTER : 1))
        return strew_cut_nothing;
    strew_cut cut = cut_for(walk, use, (int64_t)threads);
    if (strew_cut_is_disjoint(&cut))
        deal_out(&cut, walk, use, threads);
    return cut;
}

bool strew_cut_may_be_parts(const strew_cut *cut, const strew_walk *walk, strew_use use)
{
    const strew_dim *list = &walk->dim[0];
    return use == STREW_WRITES && !strew_cut_is_disjoint(cut) && strew_parts_columns(walk) > 0 &&
           walk->coordinates.count > 0 && walk->listed_owners == 0 && list->index_step != 0 &&
           list->base_step == 0 && is_worth_sharing(walk, STREW_LOOKS_FOR);
}

bool strew_cut_is_disjoint(const strew_cut *cut)
{
    return cut->kind == STREW_CUT_DIMENSION || cut->kind == STREW_CUT_ROWS;
}
