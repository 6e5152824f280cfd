/* Tables: elements that single coordinates name, moved by kernels that check and move in one pass. */
#ifndef STREW_ENGINE_WALK_TABLES_H
#define STREW_ENGINE_WALK_TABLES_H

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

typedef struct strew_tables {
    strew_table_kernel *kernel; /* NULL if it is of no use */
    strew_table_kernel *twins;
    bool puts;
    int64_t repeated_places; /* where an element repeats if a tile is left to others, or 0 */
    int64_t positions;       /* of a table, or across tables, up to a tile's */
    int64_t most;            /* positions of one table that are moved at once */
    bool are_prefetched;     /* one while others are moved */
    strew_table table;       /* those of a tile, but for where it begins */
} strew_tables;

/* Whether the walk is over elements that are best moved so. */
bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover);

/* The outermost dimension, if it leads from table to table: where their sums wait for each other, they can be made
 * in the first half of the tables and in the second by turns. */
enum { STREW_NO_TWINS = -1 };
int32_t strew_walk_twins(const strew_walk *walk, const strew_mover *mover);

/* Begins with tiles of whole tables, or of parts of one, if it is and they lie evenly. Otherwise they are not to be
 * used. */
strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers);

/*
 * Moves this tile, which becomes longer if it is of one table, as far as it goes: how many positions need not be
 * moved any more. The others are left, to later tiles if this one could be cut off before them: an index is wrong,
 * or elements follow each other, or are one and the same, so that they are moved at once.
 */
int64_t strew_tile_move_by_table(strew_tiles *tiles, strew_tables *tables);

/* Whether sums of this tile wait for each other, as far as some positions tell: one near them names the same. */
bool strew_tile_awaits_sums(const strew_tiles *tiles, const strew_tables *tables);

/* Moves this tile, which may become longer, and its twin. False if an index is wrong, whatever has been written. */
bool strew_tile_move_twins(strew_tiles *tiles, const strew_tables *tables);

#endif
