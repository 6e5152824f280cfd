#include "engine/walk/tables.h"

#include <string.h>

#include "base/threshold.h"
#include "engine/walk/join.h"

/* Fewer of one table at once are resolved and moved as soon. */
enum { LEAST_OF_A_TABLE = STREW_THRESHOLD(32, 1) };

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

strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers)
{
    strew_tables tables = {.kernel = NULL, .combines = mover->combines};
    if (!strew_walk_has_tables(walk, mover))
        return tables;
    const bool is_narrow = walk->index_dtype == STREW_DTYPE_INT32;
    const int64_t index_bytes = is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    tables.table.size = walk->coordinates.each[0].size;
    tables.table.wrap = walk->coordinates.wrap;
    tables.table.is_narrow = is_narrow;
    strew_tiles_make(tiles, walk, positions_of_a_table(walk));
    strew_tiles_begin(tiles, pointers);
    if (tiles->index_step == index_bytes && tiles->dense_step == walk->row_bytes && tiles->even_indices &&
        tiles->even_dense)
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

/* Whether elements follow each other, as far as two positions tell. */
static bool are_joined(const strew_tiles *tiles, const strew_table *table)
{
    enum { LAST = STREW_LEAST_JOINED - 1 };
    return strew_tile_positions(tiles) > LAST &&
           plain_index(tiles, table, LAST) - plain_index(tiles, table, 0) == LAST;
}

/* Whether the same element is named again and again, as far as a few positions tell. */
static bool are_repeated(const strew_tiles *tiles, const strew_table *table)
{
    enum { PLACES = 4 };
    const int64_t count = strew_tile_positions(tiles);
    if (count < PLACES)
        return false;
    for (int64_t i = 0; i < count - 1; i += count / PLACES)
        if (plain_index(tiles, table, i) != plain_index(tiles, table, i + 1))
            return false;
    return true;
}

bool strew_tile_move_by_table(const strew_tiles *tiles, strew_tables *tables)
{
    strew_table *const table = &tables->table;
    if (are_joined(tiles, table) || (tables->combines && are_repeated(tiles, table)))
        return false;
    table->elements = tiles->pointers.addressed;
    return tables->kernel(tiles->pointers.dense, tiles->pointers.indices, (size_t)strew_tile_positions(tiles),
                          table);
}
