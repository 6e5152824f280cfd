#include "engine/walk/tables.h"

#include <string.h>

#include "base/threshold.h"
#include "engine/walk/join.h"

/* Where fewer positions follow each other in one table, they are resolved and moved as soon. */
enum { LEAST_OF_A_TABLE = STREW_THRESHOLD(4, 1), LEAST_ACROSS = STREW_THRESHOLD(32, 2) };
/* So few updates of one element have ended before those of the next table wait for them. */
enum { MOST_AWAITED = 16 };
static int64_t at_most_a_tile(int64_t positions)
{
    return positions < STREW_TILE_POSITIONS ? positions : STREW_TILE_POSITIONS;
}

/* How many positions follow each other that name elements of one table, as far as a tile has room for them: none if
 * elements do not follow each other there. */
static int64_t positions_of_a_table(const strew_walk *walk)
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

/* How many name elements of as many tables, side by side: those of the innermost dimension, if it steps so. */
static int64_t positions_across(const strew_walk *walk)
{
    int32_t d = walk->dims - 1;
    while (d > 0 && walk->dim[d].size == 1)
        d--;
    return d >= 0 && walk->dim[d].base_step == walk->row_bytes ? at_most_a_tile(walk->dim[d].size) : 0;
}

/* What stops writes nothing after a wrong index; and one tile that is resolved may do for all. */
static bool are_looked_up(const strew_walk *walk)
{
    const bool are_held =
        walk->kernels->holds_tables && walk->coordinates.each[0].size <= STREW_HELD_TABLE / walk->row_bytes;
    if (are_held && walk->bounds == STREW_BOUNDS_STOP)
        return false;
    return (are_held && strew_walk_reach(walk) <= STREW_HELD_TABLE) || !strew_walk_repeats_one_tile(walk);
}

/* A scatter that is refused, and all one tile, may rely on nothing being written before all of it is known to be
 * right (engine/schedule.h). */
static bool are_put(const strew_walk *walk, const strew_mover *mover)
{
    return !mover->access.read_first && !strew_walk_repeats_one_tile(walk) &&
           (walk->bounds != STREW_BOUNDS_REFUSE || strew_walk_positions(walk) > STREW_TILE_POSITIONS);
}

/* Whether single coordinates name elements, many of one table or across many. */
static bool are_of_tables(const strew_walk *walk, const strew_mover *mover)
{
    return walk->coordinates.count == 1 && walk->coordinates.each[0].size > 0 &&
           (walk->index_dtype == STREW_DTYPE_INT32 || walk->index_dtype == STREW_DTYPE_INT64) &&
           (positions_of_a_table(walk) >= LEAST_OF_A_TABLE ||
            (positions_across(walk) >= LEAST_ACROSS && mover->group_unless_within == 0));
}

bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover)
{
    return mover->table && are_of_tables(walk, mover) &&
           (mover->direction == STREW_GATHERS ? are_looked_up(walk) : are_put(walk, mover));
}

int32_t strew_walk_twins(const strew_walk *walk, const strew_mover *mover)
{
    int32_t d = 0;
    while (d < walk->dims - 1 && walk->dim[d].size == 1)
        d++;
    return mover->twins && walk->bounds == STREW_BOUNDS_REFUSE && d < walk->dims && walk->dim[d].size > 1 &&
                   walk->dim[d].base_step != 0 && are_of_tables(walk, mover) &&
                   positions_of_a_table(walk) > MOST_AWAITED
               ? d
               : STREW_NO_TWINS;
}

/* So many positions tell whether all of a tile name one element, or almost all. */
enum { FEW_PLACES = 4, MORE_PLACES = 16 };

/* At how many places an element has to repeat for runs of it, found and added in registers, to take less than sums
 * that wait for each other: of floats at few, of short integers at more, of other integers at none. */
static int64_t places_repeated(const strew_walk *walk, const strew_mover *mover)
{
    enum { SHORT_BYTES = 2 };
    if (!mover->combines)
        return 0;
    if (mover->computes_floats)
        return FEW_PLACES;
    return walk->row_bytes <= SHORT_BYTES ? MORE_PLACES : 0;
}

/* Whether all that the tiles are of lies evenly, from one table to the next as well. */
static bool are_even(const strew_tiles *tiles, const strew_tables *tables)
{
    const int64_t index_bytes = tables->table.is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    return tiles->index_step == index_bytes && tiles->dense_step == tiles->walk->row_bytes && tiles->even_indices &&
           tiles->even_dense;
}

strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers)
{
    strew_tables tables = {.puts = mover->direction == STREW_SCATTERS,
                           .twins = mover->twins,
                           .most = STREW_TABLE_POSITIONS,
                           .repeated_places = places_repeated(walk, mover)};
    if (!strew_walk_has_tables(walk, mover))
        return tables;
    tables.positions = positions_of_a_table(walk);
    tables.table.is_across = tables.positions < LEAST_OF_A_TABLE;
    if (tables.table.is_across)
        tables.positions = positions_across(walk);
    tables.table.size = walk->coordinates.each[0].size;
    tables.table.stride = walk->coordinates.each[0].stride;
    tables.table.wrap = walk->coordinates.wrap;
    tables.table.is_paced = false;
    tables.are_prefetched = !tables.table.is_across && strew_prefetches_tables(walk, tables.positions);
    tables.table.is_narrow = walk->index_dtype == STREW_DTYPE_INT32;
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

/* Whether the same is named twice at all of so many places of a tile, or at any of them. */
static bool are_repeated(const strew_tiles *tiles, const strew_table *table, int64_t count, int64_t places,
                         bool all)
{
    if (count < places)
        return false;
    for (int64_t i = 0; i < count - 1; i += count / places)
        if ((plain_index(tiles, table, i) == plain_index(tiles, table, i + 1)) != all)
            return !all;
    return all;
}

/* Whether elements of a table follow each other, as far as two positions tell: those of few only from one table to
 * the next. */
static bool are_joined(const strew_tiles *tiles, const strew_tables *tables)
{
    const strew_table *const table = &tables->table;
    const bool are_few = tables->positions < STREW_LEAST_JOINED;
    const int64_t last = (are_few ? tables->positions : STREW_LEAST_JOINED) - 1;
    return strew_tile_positions(tiles) > last && (!are_few || table->size == tables->positions) &&
           plain_index(tiles, table, last) - plain_index(tiles, table, 0) == (uint64_t)last;
}

/* Whether a tile is better left to others: what follows each other is moved at once, and what is combined with one
 * and the same element waits. */
static bool are_left(const strew_tiles *tiles, const strew_tables *tables)
{
    const int64_t count = strew_tile_positions(tiles), places = tables->repeated_places;
    if (tables->table.is_across)
        return tables->positions >= STREW_LEAST_JOINED && count >= STREW_LEAST_JOINED &&
               are_repeated(tiles, &tables->table, STREW_LEAST_JOINED, FEW_PLACES, true);
    return are_joined(tiles, tables) || (places > 0 && tables->positions > MOST_AWAITED &&
                                         are_repeated(tiles, &tables->table, count, places, true));
}

/* Whether all tiles along the split are of one table. */
static bool are_of_one(const strew_tiles *tiles)
{
    return tiles->segment_positions == 1 && tiles->split.base_step == 0;
}

static void resize(strew_tiles *tiles, int64_t positions)
{
    if (are_of_one(tiles))
        strew_tile_resize(tiles, positions);
}

/* Of one table more positions are moved at once, for nothing is kept of each; unless some of those may be better
 * left. */
static void lengthen(strew_tiles *tiles, const strew_tables *tables)
{
    const int64_t count = strew_tile_positions(tiles);
    if (tables->repeated_places == 0 || !are_repeated(tiles, &tables->table, count, FEW_PLACES, false))
        resize(tiles, tables->most);
}

/* Some tables at a time, while those that lie so far ahead, if there are any, are on their way. */
static bool move_while_prefetching(const strew_tiles *tiles, strew_table table, int64_t count,
                                   strew_table_kernel *kernel)
{
    enum { POSITIONS_AT_ONCE = 64, BYTES_AHEAD = 3072 };
    const int64_t *const bases = table.bases, all = (int64_t)table.tables, row_bytes = tiles->walk->row_bytes;
    const int64_t step = bases[count] - bases[0], some = (POSITIONS_AT_ONCE + count - 1) / count;
    const int64_t ahead = step > 0 ? (BYTES_AHEAD + step - 1) / step * step : 0;
    for (int64_t t = 0; t < all; t += some) {
        const strew_pointers *const pointers = &tiles->pointers;
        const int64_t left = all - t;
        table.bases = bases + t * count;
        table.tables = (size_t)(left < some ? left : some);
        for (size_t later = 0; later < table.tables; later++) {
            const int64_t offset = table.bases[(int64_t)later * count] + ahead;
            strew_prefetch_row((const char *)((uintptr_t)table.elements + (uintptr_t)offset),
                               (size_t)(table.size * row_bytes));
        }
        if (!kernel(pointers->dense + t * count * row_bytes, pointers->indices + t * count * tiles->index_step,
                    (size_t)count, &table))
            return false;
    }
    return true;
}

/* Moves those of a tile. */
static bool move_tables(const strew_tiles *tiles, const strew_tables *tables, strew_table_kernel *kernel)
{
    static const int64_t no_base = 0;
    const int64_t positions = strew_tile_positions(tiles);
    const int64_t count = are_of_one(tiles) || positions < tables->positions ? positions : tables->positions;
    strew_table table = tables->table;
    table.elements = tiles->pointers.addressed;
    table.tables = (size_t)(positions / count);
    table.bases = tiles->has_bases ? tiles->bases : &no_base;
    if (tables->are_prefetched && table.tables > 1)
        return move_while_prefetching(tiles, table, count, kernel);
    return kernel(tiles->pointers.dense, tiles->pointers.indices, (size_t)count, &table);
}

/* Those of a tile before the first index that is wrong. */
static int64_t positions_right(const strew_tiles *tiles, const strew_table *table)
{
    const int64_t count = strew_tile_positions(tiles);
    const uint64_t size = (uint64_t)table->size, gain = table->wrap ? size : 0;
    int64_t position = 0;
    for (; position < count; position++) {
        const uint64_t index = plain_index(tiles, table, position);
        if (index >= size && index + gain >= size)
            break;
    }
    return position;
}

/* Where one index is wrong others are: less is then looked up in vain, and what is left is put another way. */
static int64_t move_before_wrong(const strew_tiles *tiles, strew_tables *tables)
{
    const int64_t moved = tables->puts ? positions_right(tiles, &tables->table) : 0;
    tables->most = STREW_TILE_POSITIONS;
    if (moved > 0)
        tables->kernel = NULL;
    return moved;
}

int64_t strew_tile_move_by_table(strew_tiles *tiles, strew_tables *tables)
{
    int64_t moved = 0;
    if (!are_left(tiles, tables)) {
        lengthen(tiles, tables);
        if (move_tables(tiles, tables, tables->kernel))
            return strew_tile_positions(tiles);
        moved = move_before_wrong(tiles, tables);
        resize(tiles, moved > 0 ? moved : STREW_TILE_POSITIONS);
    }
    return moved;
}

/* Halves wait longer. */
bool strew_tile_awaits_sums(const strew_tiles *tiles, const strew_tables *tables)
{
    enum { PLACES = 64, APART = 4, LEAST_ALIKE_OF_100 = 16, LEAST_HALVES_ALIKE_OF_100 = 5 };
    const int64_t least = tiles->walk->row_bytes == 2 ? LEAST_HALVES_ALIKE_OF_100 : LEAST_ALIKE_OF_100;
    const int64_t last = strew_tile_positions(tiles) - APART;
    int64_t places = 0, alike = 0;
    for (int64_t i = 0; i < last; i += (last + PLACES - 1) / PLACES, places++)
        alike += plain_index(tiles, &tables->table, i) == plain_index(tiles, &tables->table, i + APART);
    return 100 * alike >= least * places;
}

bool strew_tile_move_twins(strew_tiles *tiles, const strew_tables *tables)
{
    resize(tiles, tables->most);
    return move_tables(tiles, tables, tables->twins);
}
