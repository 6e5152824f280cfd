/* Tables: elements that single coordinates name, moved by kernels that check and move in one pass. */
#ifndef STREW_ENGINE_WALK_TABLES_H
#define STREW_ENGINE_WALK_TABLES_H

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

typedef struct strew_tables {
    strew_table_kernel *kernel; /* NULL if tiles are to be resolved */
    const strew_mover *mover;
    int64_t positions;         /* of a table, up to a tile's */
    strew_element_table table; /* what the tables of all tiles have in common */
} strew_tables;

/* Whether single coordinates name elements that can be moved by table. */
bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover);

/* Begins with tiles of whole tables, or of parts of one. Without a kernel they are not to be used. */
strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers);

/*
 * Moves the elements of this tile. Returns how many of its first positions are done. The others are to be resolved:
 * rows that can be joined, or those from a wrong index on, after which no other tile is moved by table.
 */
int64_t strew_tile_move_by_table(const strew_tiles *tiles, strew_tables *tables);

#endif
