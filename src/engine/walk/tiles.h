/*
 * A walk gone over in tiles (strip mining): as many positions as are resolved at once.
 *
 * A tile is a number of segments, steps along the one dimension that is split; a segment is all of the dimensions
 * within that one, and its positions step evenly through the indices and the dense tensor. So all tiles are alike,
 * but for the last along the split, which may have fewer segments.
 */
#ifndef STREW_ENGINE_WALK_TILES_H
#define STREW_ENGINE_WALK_TILES_H

#include "engine/walk/walk.h"

/* So many bases are computed at once, and so many more than a tile has are room for that. */
enum { STREW_BASES_ROOM = 4 };

/* Zeros: where no position has a base of its own, or all name one row. */
extern const strew_tile_offsets strew_no_offsets;

typedef struct strew_tiles {
    const strew_walk *walk;
    int32_t outer_dims;             /* of the walk: those outside the one that is split */
    strew_dim split;                /* from one segment to the next */
    int64_t most_segments;          /* of a tile */
    int64_t segment_positions;      /* of each segment */
    int64_t index_step, dense_step; /* from one position of a segment to the next */
    bool even_indices, even_dense;  /* whether the next segment begins where one more position would */
    strew_pointers pointers;        /* where this tile begins */
    int64_t segments;               /* of this tile; 0 after the last one */
    int64_t left;                   /* segments along the split, this tile's among them */
    int64_t steps[STREW_WALK_DIMS]; /* done along each of the outer dimensions */
    bool has_bases;                 /* otherwise the base of each position is that of the tile */
    _Alignas(
        64) int64_t bases[STREW_TILE_POSITIONS + STREW_BASES_ROOM]; /* of each position, from that of the tile */
} strew_tiles;

/* Tiles of so many positions at most; STREW_TILE_POSITIONS is the most there can be. The walk has positions. */
void strew_tiles_make(strew_tiles *tiles, const strew_walk *walk, int64_t most);

/* for (strew_tiles_begin(&tiles, pointers); tiles.segments > 0; strew_tiles_next(&tiles)) */
void strew_tiles_begin(strew_tiles *tiles, const strew_pointers *pointers);
void strew_tiles_next(strew_tiles *tiles);

static inline int64_t strew_tile_positions(const strew_tiles *tiles)
{
    return tiles->segments * tiles->segment_positions;
}

/* The positions of a tile in as few spans as step evenly through one tensor: one, or one for each segment. */
typedef struct strew_spans {
    int64_t count;
    int64_t positions; /* of each */
    int64_t step;      /* from one to the next, in bytes */
} strew_spans;

static inline strew_spans strew_tile_spans(const strew_tiles *tiles, bool even, int64_t segment_step)
{
    return even ? (strew_spans){1, strew_tile_positions(tiles), 0}
                : (strew_spans){tiles->segments, tiles->segment_positions, segment_step};
}

/* Those of this tile in the dense tensor. */
static inline strew_spans strew_tile_dense_spans(const strew_tiles *tiles)
{
    return strew_tile_spans(tiles, tiles->even_dense, tiles->split.dense_step);
}

/* The offset of each position's row in the dense tensor, from where the tile begins. */
void strew_tile_dense_offsets(const strew_tiles *tiles, int64_t *offsets);

typedef enum strew_resolved {
    STREW_WRONG,    /* an index is out of bounds; where the walk stops at it, the offsets before it are right */
    STREW_ROWS_ALL, /* every position has a row */
    STREW_ROWS_GAPS /* some have STREW_NO_ROW, which are to be skipped */
} strew_resolved;

/* Resolves this tile: the offset of each position's row in the addressed tensor. */
strew_resolved strew_tile_resolve(const strew_tiles *tiles, int64_t *offsets);

/* The same in another tensor, which these coordinates address from bases of its own. */
strew_resolved strew_tile_resolve_other(const strew_tiles *tiles, const strew_coordinates *coordinates,
                                        const int64_t *bases, int64_t *offsets);

/* Resolves only the first positions of this tile. False as well if so many do not step evenly. */
bool strew_tile_resolve_first(const strew_tiles *tiles, int64_t count, int64_t *offsets);

#endif
