#include "engine/walk/tables.h"

#include <string.h>

#include "base/thresholds.h"
#include "engine/walk/join.h"

static int64_t at_most_a_tile(int64_t positions)
{
    return positions < STREW_TILE_POSITIONS ? positions : STREW_TILE_POSITIONS;
}

/* How many positions in a row name elements of one table, up to a tile's. None if its elements do not follow each
 * other. */
static int64_t count_positions(const strew_walk *walk)
{
    const strew_coordinate *const coordinate = &walk->coordinates.each[0];
    int64_t positions = 1;
    if (coordinate->stride != walk->row_bytes && coordinate->size != 1)
        return 0;
    for (int32_t d = walk->dims; d-- > 0 && positions < STREW_TILE_POSITIONS;) {
        if (walk->dim[d].base_step != 0 && walk->dim[d].size > 1)
            return positions;
        positions *= walk->dim[d].size;
    }
    return at_most_a_tile(positions);
}

/*
 * Whether the guarantees of a walk allow it. A lookup may write after a wrong index, which a walk that stops there
 * must not. A scatter that is refused may rely on nothing being written before all of its only tile is known to be
 * right (engine/schedule.h).
 */
static bool are_allowed(const strew_walk *walk, const strew_mover *mover)
{
    return mover->direction == STREW_GATHERS
               ? walk->bounds != STREW_BOUNDS_STOP
               : walk->bounds != STREW_BOUNDS_REFUSE || strew_walk_positions(walk) > STREW_TILE_POSITIONS;
}

bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover)
{
    return mover->table && !mover->access.read_first && walk->coordinates.count == 1 &&
           walk->coordinates.each[0].size > 0 &&
           (walk->index_dtype == STREW_DTYPE_INT32 || walk->index_dtype == STREW_DTYPE_INT64) &&
           count_positions(walk) >= STREW_LEAST_OF_A_TABLE && !strew_walk_repeats_one_tile(walk) &&
           are_allowed(walk, mover);
}

static int64_t index_bytes(const strew_element_table *table)
{
    return table->is_narrow ? sizeof(int32_t) : sizeof(int64_t);
}

/* Whether indices and dense elements follow each other, from one table to the next as well. */
static bool are_even(const strew_tiles *tiles, const strew_tables *tables)
{
    return tiles->index_step == index_bytes(&tables->table) && tiles->even_indices &&
           (tables->mover->constant_row || (tiles->dense_step == tiles->walk->row_bytes && tiles->even_dense));
}

strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers)
{
    strew_tables tables = {.mover = mover};
    if (!strew_walk_has_tables(walk, mover))
        return tables;
    tables.positions = count_positions(walk);
    tables.table.size = walk->coordinates.each[0].size;
    tables.table.dense_step = mover->constant_row ? 0 : walk->row_bytes;
    tables.table.wrap = walk->coordinates.wrap;
    tables.table.is_narrow = walk->index_dtype == STREW_DTYPE_INT32;
    strew_tiles_make(tiles, walk, STREW_TILE_POSITIONS);
    strew_tiles_begin(tiles, pointers);
    if (are_even(tiles, &tables))
        tables.kernel = mover->table;
    return tables;
}

/* The index of a position, whether it is right or not. */
static int64_t read_index(const strew_tiles *tiles, const strew_element_table *table, int64_t position)
{
    const char *const index = tiles->pointers.indices + position * tiles->index_step;
    int32_t narrow;
    int64_t wide;
    if (!table->is_narrow) {
        memcpy(&wide, index, sizeof wide);
        return wide;
    }
    memcpy(&narrow, index, sizeof narrow);
    return narrow;
}

/* Whether a tile begins with so many elements that follow each other that they are joined, as two indices tell. */
static bool begins_joined(const strew_tiles *tiles, const strew_tables *tables)
{
    const int64_t last = STREW_LEAST_JOINED - 1;
    return tables->mover->join && last < tables->positions && last < strew_tile_positions(tiles) &&
           (uint64_t)read_index(tiles, &tables->table, last) - (uint64_t)read_index(tiles, &tables->table, 0) ==
               (uint64_t)last;
}

int64_t strew_tile_move_by_table(const strew_tiles *tiles, strew_tables *tables)
{
    static const int64_t no_base = 0;
    const int64_t positions = strew_tile_positions(tiles);
    const bool is_of_one = tiles->segment_positions == 1 && tiles->split.base_step == 0;
    const int64_t count = is_of_one || positions < tables->positions ? positions : tables->positions;
    if (begins_joined(tiles, tables))
        return 0;
    tables->table.elements = tiles->pointers.addressed;
    tables->table.tables = (size_t)(positions / count);
    tables->table.bases = tiles->has_bases ? tiles->bases : &no_base;
    char *const dense = tables->mover->constant_row ? tables->mover->constant_row : tiles->pointers.dense;
    const int64_t moved = (int64_t)tables->kernel(dense, tiles->pointers.indices, (size_t)count, &tables->table);
    if (moved < positions)
        tables->kernel = NULL;
    return moved < positions && tables->mover->direction == STREW_GATHERS ? 0 : moved;
}
