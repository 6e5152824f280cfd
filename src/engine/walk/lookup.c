#include "engine/walk/lookup.h"

/* Fewer at once are resolved and moved as soon as a table is loaded. */
enum { LEAST_LOOKED_UP = 32 };

/* How many positions follow each other that have one base, as far as a tile has room for them. */
static int64_t positions_of_a_table(const strew_walk *walk)
{
    int64_t positions = 1;
    for (int32_t d = walk->dims; d-- > 0 && positions < STREW_TILE_POSITIONS;) {
        if (walk->dim[d].base_step != 0 && walk->dim[d].size > 1)
            return positions;
        positions *= walk->dim[d].size;
    }
    return positions < STREW_TILE_POSITIONS ? positions : STREW_TILE_POSITIONS;
}

/* Whether single coordinates name elements of which few follow each other. What stops writes nothing it is not sure
 * of. */
static bool has_tables(const strew_walk *walk, const strew_mover *mover)
{
    const strew_coordinate *coordinate = &walk->coordinates.each[0];
    return walk->kernels->looks_up && walk->bounds != STREW_BOUNDS_STOP && mover->direction == STREW_GATHERS &&
           walk->coordinates.count == 1 && coordinate->size >= 1 && coordinate->size <= STREW_MOST_LOOKED_UP &&
           coordinate->stride == walk->row_bytes &&
           coordinate->size * coordinate->stride <= STREW_MOST_LOOKED_UP_BYTES &&
           (walk->index_dtype == STREW_DTYPE_INT32 || walk->index_dtype == STREW_DTYPE_INT64);
}

bool strew_walk_looks_up(const strew_walk *walk, const strew_mover *mover)
{
    return has_tables(walk, mover) && positions_of_a_table(walk) >= LEAST_LOOKED_UP;
}

strew_tile_lookup strew_tiles_begin_lookup(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                           const strew_pointers *pointers)
{
    strew_tile_lookup tables = {.kernel = NULL};
    if (!strew_walk_looks_up(walk, mover))
        return tables;
    const bool is_narrow = walk->index_dtype == STREW_DTYPE_INT32;
    const int64_t index_bytes = is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    tables.lookup.size = walk->coordinates.each[0].size;
    tables.lookup.wrap = walk->coordinates.wrap;
    tables.lookup.is_narrow = is_narrow;
    strew_tiles_make(tiles, walk, positions_of_a_table(walk));
    strew_tiles_begin(tiles, pointers);
    if (tiles->index_step == index_bytes && tiles->dense_step == walk->row_bytes && tiles->even_indices &&
        tiles->even_dense)
        tables.kernel = walk->kernels->lookup[strew_move_size_of(walk->row_bytes)];
    return tables;
}

bool strew_tile_look_up(const strew_tiles *tiles, strew_tile_lookup *tables)
{
    tables->lookup.table = tiles->pointers.addressed;
    return tables->kernel(tiles->pointers.dense, tiles->pointers.indices, (size_t)strew_tile_positions(tiles),
                          &tables->lookup);
}
