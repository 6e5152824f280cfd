/*
 * A walk cut into tiles (strip mining): as many positions as are resolved at once.
 *
 * A tile is a number of segments, steps along the one dimension that is split; a segment is all of the dimensions
 * within that one, and its positions step evenly through the indices and the dense tensor. So all tiles are alike,
 * but for the last along the split, which may have fewer segments.
 */
#ifndef STREW_ENGINE_WALK_TILING_H
#define STREW_ENGINE_WALK_TILING_H

#include "engine/walk/walk.h"

/* So many bases are computed at once, and so many more than a tile has are room for that. */
enum { STREW_BASES_ROOM = 4 };

typedef struct strew_tiling {
    int32_t outer_dims;             /* of the walk: those outside the one that is split */
    strew_dim split;                /* from one segment to the next */
    int64_t segments, entries;      /* of a tile, of a segment */
    int64_t index_step, dense_step; /* from one position of a segment to the next */
    bool even_indices, even_dense;  /* whether the next segment begins where one more position would */
    bool has_bases;                 /* otherwise the base of each position is that of the tile */
    _Alignas(64) int64_t bases[STREW_TILE_ENTRIES + STREW_BASES_ROOM]; /* of each position, from that of the tile */
} strew_tiling;

/*
 * Positions that step evenly: all of a tile at once, where its segments follow each other as its positions do, or
 * each segment by itself.
 */
typedef struct strew_spans {
    int64_t count;
    int64_t positions; /* of each */
    int64_t step;      /* from one to the next, in bytes */
} strew_spans;

/* Those of a tile of so many segments in the dense tensor. */
static inline strew_spans strew_tile_dense_spans(const strew_tiling *tiling, int64_t segments)
{
    return tiling->even_dense ? (strew_spans){1, segments * tiling->entries, 0}
                              : (strew_spans){segments, tiling->entries, tiling->split.dense_step};
}

/* Tiles of so many positions at most; STREW_TILE_ENTRIES is the most there can be. */
void strew_tiling_make(strew_tiling *tiling, const strew_walk *walk, int64_t most);

/* Whether tiles of so many positions would be one. May miss walks of three dimensions and more. */
bool strew_walk_is_one_tile(const strew_walk *walk, int64_t most);

/*
 * Going over the tiles of a walk, in order:
 *
 *   for (strew_tiles_begin(&tiles, walk, &tiling, pointers); tiles.segments > 0; strew_tiles_next(&tiles))
 */
typedef struct strew_tiles {
    const strew_walk *walk;
    const strew_tiling *tiling;
    strew_pointers pointers;        /* where the tile begins */
    int64_t segments;               /* of the tile; 0 after the last one */
    int64_t left;                   /* along the split, this tile's among them */
    int64_t steps[STREW_WALK_DIMS]; /* done along each of the outer dimensions */
} strew_tiles;

void strew_tiles_begin(strew_tiles *tiles, const strew_walk *walk, const strew_tiling *tiling,
                       const strew_pointers *pointers);
void strew_tiles_step(strew_tiles *tiles);

static inline void strew_tiles_next(strew_tiles *tiles)
{
    tiles->left -= tiles->segments;
    if (tiles->left == 0 && tiles->tiling->outer_dims == 0)
        tiles->segments = 0;
    else
        strew_tiles_step(tiles);
}

/* Where no position has a base of its own. */
extern const strew_tile_offsets strew_no_bases;

static inline const int64_t *strew_tile_bases(const strew_tiling *tiling)
{
    return tiling->has_bases ? tiling->bases : strew_no_bases;
}

/*
 * Resolves a tile: the offset of each position's row in the tensor that these coordinates address, from bases
 * there. False if an index is out of bounds.
 */
bool strew_tile_resolve_from(const strew_tiling *tiling, const strew_walk *walk,
                             const strew_coordinates *coordinates, const int64_t *bases, const char *indices,
                             int64_t segments, int64_t *offsets);

/* Resolves the first positions of a tile, which step evenly through the indices. */
static inline bool strew_tile_resolve_first(const strew_tiling *tiling, const strew_walk *walk, const char *indices,
                                            int64_t count, int64_t *offsets)
{
    return strew_walk_resolve_kernel(walk)(indices, tiling->index_step, (size_t)count, &walk->coordinates,
                                           strew_tile_bases(tiling), offsets);
}

/* Resolves a tile in the addressed tensor. */
static inline bool strew_tile_resolve(const strew_tiling *tiling, const strew_walk *walk, const char *indices,
                                      int64_t segments, int64_t *offsets)
{
    if (tiling->even_indices)
        return strew_tile_resolve_first(tiling, walk, indices, segments * tiling->entries, offsets);
    return strew_tile_resolve_from(tiling, walk, &walk->coordinates, strew_tile_bases(tiling), indices, segments,
                                   offsets);
}

/* The offset of each position's row in the dense tensor. */
void strew_tile_dense_offsets(const strew_tiling *tiling, int64_t *offsets);

#endif
