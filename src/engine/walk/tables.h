/*
 * Tables: elements that follow each other, of which single coordinates name one each. Few are looked up, and any
 * number is put, by kernels that check and move in one pass, without offsets between.
 */
#ifndef STREW_ENGINE_WALK_TABLES_H
#define STREW_ENGINE_WALK_TABLES_H

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

typedef struct strew_tables {
    strew_table_kernel *kernel; /* NULL if these tiles have none that are of use */
    bool combines;
    strew_table each;
} strew_tables;

/* Whether the walk has such tables. */
bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover);

/* Begins with tiles that each have one table, if it does and they lie evenly. Otherwise they are not to be used. */
strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers);

/* Moves this tile. False if that is left to others: an index is wrong, whatever has been written, or rows repeat.
 */
bool strew_tile_move_by_table(const strew_tiles *tiles, strew_tables *tables);

#endif
