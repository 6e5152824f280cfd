/*
 * Tiles divide a walk into groups of positions that are resolved at once (strip mining).
 *
 * A tile is a number of strips. One dimension of the walk is split: each step along it is a strip, and a strip
 * spans all dimensions inside it. The positions of a strip step evenly through the indices and the dense tensor.
 * All tiles have the same size, but the last one along the split may have fewer strips.
 */
#ifndef STREW_ENGINE_WALK_TILES_H
#define STREW_ENGINE_WALK_TILES_H

#include "engine/walk/walk.h"

typedef struct strew_tiles {
    const strew_walk *walk;
    int32_t outer_dims;             /* the number of dimensions outside the one that is split */
    strew_dim split;                /* the dimension that is split: from one strip to the next */
    int64_t most_strips;            /* the strips of a full tile */
    int64_t strip_positions;        /* the positions of each strip */
    int64_t index_step, dense_step; /* from one position of a strip to the next */
    bool even_indices, even_dense;  /* whether the next strip begins where one more position would */
    strew_pointers pointers;        /* where this tile begins */
    int64_t strips;                 /* the strips of this tile; 0 after the last tile */
    int64_t left;                   /* the strips from this tile to the end of the split */
    int64_t steps[STREW_WALK_DIMS]; /* the current index along each outer dimension */
    bool has_bases;                 /* false: all positions share the tile's base */
    strew_tile_offsets bases;       /* each position's, from the tile's base */
} strew_tiles;

/*
 * Visits the tiles of a walk that has positions:
 *
 *   for (strew_tiles_begin(&tiles, walk, pointers); tiles.strips > 0; strew_tiles_next(&tiles))
 */
void strew_tiles_begin(strew_tiles *tiles, const strew_walk *walk, const strew_pointers *pointers);
void strew_tiles_next(strew_tiles *tiles);

/*
 * Makes this tile and those after it span up to so many positions. More than STREW_TILE_POSITIONS are allowed for
 * tiles that have no bases and are not resolved.
 */
void strew_tiles_resize(strew_tiles *tiles, int64_t positions);

/* Begins again, with the same walk. */
void strew_tiles_restart(strew_tiles *tiles, const strew_pointers *pointers);

static inline int64_t strew_tile_positions(const strew_tiles *tiles)
{
    return tiles->strips * tiles->strip_positions;
}

/* The spans of a tile in one tensor: one for all positions if the strips are even there, or else one per strip. */
typedef struct strew_spans {
    int64_t count;
    int64_t positions; /* of each span */
    int64_t step;      /* from one span to the next, in bytes */
} strew_spans;

static inline strew_spans strew_tile_spans(const strew_tiles *tiles, bool even, int64_t strip_step)
{
    return even ? (strew_spans){1, strew_tile_positions(tiles), 0}
                : (strew_spans){tiles->strips, tiles->strip_positions, strip_step};
}

/* Returns the spans of this tile in the dense tensor. */
static inline strew_spans strew_tile_dense_spans(const strew_tiles *tiles)
{
    return strew_tile_spans(tiles, tiles->even_dense, tiles->split.dense_step);
}

/* Computes the offset of each position's row in the dense tensor, from where the tile begins. */
void strew_tile_dense_offsets(const strew_tiles *tiles, int64_t *offsets);

typedef enum strew_resolved {
    STREW_BAD_INDEX, /* an index is bad. If the walk's policy is STOP, the offsets before it are valid */
    STREW_ALL_ROWS,  /* every position has a row */
    STREW_SOME_ROWS  /* some positions have STREW_NO_ROW and are skipped */
} strew_resolved;

/* Resolves this tile: writes the offset of each position's row in the addressed tensor. */
strew_resolved strew_tile_resolve(const strew_tiles *tiles, int64_t *offsets);

/* Resolves this tile for another tensor, which has its own coordinates and bases. */
strew_resolved strew_tile_resolve_other(const strew_tiles *tiles, const strew_coordinates *coordinates,
                                        const int64_t *bases, int64_t *offsets);

#endif
