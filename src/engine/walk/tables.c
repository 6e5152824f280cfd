#include "engine/walk/tables.h"

#include <string.h>

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

/* What stops writes nothing it is not sure of. */
static bool are_looked_up(const strew_walk *walk)
{
    const strew_coordinate *coordinate = &walk->coordinates.each[0];
    return walk->kernels->looks_up && walk->bounds != STREW_BOUNDS_STOP && coordinate->size >= 1 &&
           coordinate->size <= STREW_MOST_LOOKED_UP &&
           coordinate->size * coordinate->stride <= STREW_MOST_LOOKED_UP_BYTES;
}

/*
 * What would be put twice if a tile were resolved after all has to be refused as a whole. And a scatter that is all
 * one tile may rely on nothing being written before all of it is known to be right (engine/schedule.h).
 */
static bool are_put(const strew_walk *walk, const strew_mover *mover)
{
    return mover->put && walk->bounds == STREW_BOUNDS_REFUSE && !mover->access.read_first &&
           strew_walk_positions(walk) > STREW_TILE_POSITIONS;
}

/* NULL if there is none. */
static strew_table_kernel *kernel_of(const strew_walk *walk, const strew_mover *mover)
{
    const bool are_elements = walk->coordinates.count == 1 && walk->coordinates.each[0].stride == walk->row_bytes &&
                              (walk->index_dtype == STREW_DTYPE_INT32 || walk->index_dtype == STREW_DTYPE_INT64);
    if (!are_elements || positions_of_a_table(walk) < LEAST_LOOKED_UP)
        return NULL;
    if (mover->direction == STREW_GATHERS)
        return are_looked_up(walk) ? walk->kernels->lookup[strew_move_size_of(walk->row_bytes)] : NULL;
    return are_put(walk, mover) ? mover->put : NULL;
}

bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover)
{
    return kernel_of(walk, mover);
}

strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers)
{
    strew_tables tables = {.kernel = NULL, .combines = mover->combines};
    strew_table_kernel *const kernel = kernel_of(walk, mover);
    if (!kernel)
        return tables;
    const bool is_narrow = walk->index_dtype == STREW_DTYPE_INT32;
    const int64_t index_bytes = is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    tables.each.size = walk->coordinates.each[0].size;
    tables.each.wrap = walk->coordinates.wrap;
    tables.each.is_narrow = is_narrow;
    strew_tiles_make(tiles, walk, positions_of_a_table(walk));
    strew_tiles_begin(tiles, pointers);
    if (tiles->index_step == index_bytes && tiles->dense_step == walk->row_bytes && tiles->even_indices &&
        tiles->even_dense)
        tables.kernel = kernel;
    return tables;
}

/* Whether the same element is named again and again, as far as a few indices tell. */
static bool repeats_elements(const strew_tiles *tiles, const strew_tables *tables)
{
    enum { PLACES = 4 };
    const int64_t count = strew_tile_positions(tiles), step = tiles->index_step;
    bool repeat = true;
    for (int64_t i = 0; i < count - 1 && repeat; i += count / PLACES) {
        const char *const index = tiles->pointers.indices + i * step;
        repeat = tables->each.is_narrow ? memcmp(index, index + step, sizeof(int32_t)) == 0
                                        : memcmp(index, index + step, sizeof(int64_t)) == 0;
    }
    return repeat;
}

bool strew_tile_move_by_table(const strew_tiles *tiles, strew_tables *tables)
{
    if (tables->combines && repeats_elements(tiles, tables))
        return false;
    tables->each.elements = tiles->pointers.addressed;
    return tables->kernel(tiles->pointers.dense, tiles->pointers.indices, (size_t)strew_tile_positions(tiles),
                          &tables->each);
}
