#include "engine/walk/tables.h"

#include <string.h>

#include "base/threshold.h"
#include "engine/walk/join.h"

/* Where fewer positions follow each other in one table, they are resolved and moved as soon. */
enum { LEAST_OF_A_TABLE = STREW_THRESHOLD(4, 1) };
/* So few updates of one element have ended before those of the next table wait for them. */
enum { MOST_AWAITED = 16 };

/* Tables of so few bytes are held in registers, where there are kernels that do. */
enum { HELD_TABLE = 256 };

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

/* What stops writes nothing that it is not sure of; and one tile that is resolved may do for all. */
static bool are_looked_up(const strew_walk *walk)
{
    const bool are_held = walk->kernels->holds_tables && strew_walk_reach(walk) <= HELD_TABLE;
    return walk->bounds != STREW_BOUNDS_STOP && walk->coordinates.each[0].size > 0 &&
           (are_held || !strew_walk_repeats_one_tile(walk));
}

/*
 * What would be put twice if a tile were resolved after all has to be refused as a whole. And a scatter that is all
 * one tile may rely on nothing being written before all of it is known to be right (engine/schedule.h).
 */
static bool are_put(const strew_walk *walk, const strew_mover *mover)
{
    return walk->bounds == STREW_BOUNDS_REFUSE && !mover->access.read_first &&
           strew_walk_positions(walk) > STREW_TILE_POSITIONS && !strew_walk_repeats_one_tile(walk);
}

/* Whether single coordinates name elements that follow each other, many from one base. */
static bool are_of_tables(const strew_walk *walk)
{
    const strew_coordinate *const coordinate = &walk->coordinates.each[0];
    return walk->coordinates.count == 1 && (coordinate->stride == walk->row_bytes || coordinate->size == 1) &&
           (walk->index_dtype == STREW_DTYPE_INT32 || walk->index_dtype == STREW_DTYPE_INT64) &&
           positions_of_a_table(walk) >= LEAST_OF_A_TABLE;
}

bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover)
{
    return mover->table && are_of_tables(walk) &&
           (mover->direction == STREW_GATHERS ? are_looked_up(walk) : are_put(walk, mover));
}

/* Whether all that the tiles are of lies evenly, from one table to the next as well, and no segment is of several.
 */
static bool are_even(const strew_tiles *tiles, const strew_tables *tables)
{
    const int64_t index_bytes = tables->table.is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    return tiles->index_step == index_bytes && tiles->dense_step == tiles->walk->row_bytes && tiles->even_indices &&
           tiles->even_dense && tiles->segment_positions <= tables->positions;
}

strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers)
{
    strew_tables tables = {.kernel = NULL, .combines = mover->combines};
    if (!strew_walk_has_tables(walk, mover))
        return tables;
    tables.table.size = walk->coordinates.each[0].size;
    tables.table.wrap = walk->coordinates.wrap;
    tables.table.is_narrow = walk->index_dtype == STREW_DTYPE_INT32;
    tables.positions = positions_of_a_table(walk);
    strew_tiles_make(tiles, walk, STREW_TILE_POSITIONS);
    strew_tiles_begin(tiles, pointers);
    if (are_even(tiles, &tables))
        tables.kernel = mover->table;
    return tables;
}

/* The index of a position, whether it is right or not. */
static uint64_t plain_index(const strew_tiles *tiles, const strew_table *table, int64_t position)
{
    const char *const index = tiles->pointers.indices + position * tiles->index_step;
    int32_t narrow = 0;
    int64_t wide = 0;
    if (table->is_narrow)
        memcpy(&narrow, index, sizeof narrow);
    else
        memcpy(&wide, index, sizeof wide);
    return (uint64_t)(narrow + wide);
}

/* Whether elements follow each other, as far as two positions tell: those of few only from one table to the next.
 */
static bool are_joined(const strew_tiles *tiles, const strew_tables *tables)
{
    const strew_table *const table = &tables->table;
    const bool are_few = tables->positions < STREW_LEAST_JOINED;
    const int64_t last = (are_few ? tables->positions : STREW_LEAST_JOINED) - 1;
    return strew_tile_positions(tiles) > last && (!are_few || table->size == tables->positions) &&
           plain_index(tiles, table, last) - plain_index(tiles, table, 0) == (uint64_t)last;
}

/* Whether the same element is named again and again, as far as a few positions tell. */
static bool are_repeated(const strew_tiles *tiles, const strew_tables *tables)
{
    enum { PLACES = 4 };
    const int64_t count = strew_tile_positions(tiles);
    if (tables->positions <= MOST_AWAITED || count < PLACES)
        return false;
    for (int64_t i = 0; i < count - 1; i += count / PLACES)
        if (plain_index(tiles, &tables->table, i) != plain_index(tiles, &tables->table, i + 1))
            return false;
    return true;
}

bool strew_tile_move_by_table(const strew_tiles *tiles, strew_tables *tables)
{
    strew_table *const table = &tables->table;
    if (are_joined(tiles, tables) || (tables->combines && are_repeated(tiles, tables)))
        return false;
    table->elements = tiles->pointers.addressed;
    table->tables = tiles->split.base_step == 0 ? 1 : (size_t)tiles->segments;
    table->step = tiles->split.base_step;
    return tables->kernel(tiles->pointers.dense, tiles->pointers.indices,
                          (size_t)strew_tile_positions(tiles) / table->tables, table);
}
