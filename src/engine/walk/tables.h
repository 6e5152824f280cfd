/* Tables: a single coordinate names each element, and one kernel checks the indices and moves the elements. */
#ifndef STREW_ENGINE_WALK_TABLES_H
#define STREW_ENGINE_WALK_TABLES_H

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

typedef struct strew_tables {
    strew_table_kernel *kernel; /* NULL: tiles are resolved instead */
    const strew_mover *mover;
    int64_t positions;         /* the most positions of a tile that select from one table */
    strew_element_table table; /* the fields that all tiles share */
} strew_tables;

/* Whether the walk's elements can be moved by table. */
bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover);

/* Begins tiles that each cover whole tables or a part of one. If it returns no kernel, begin other tiles. */
strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers);

/*
 * Moves the elements of this tile. Returns how many of its first positions are done; the caller resolves the
 * others. It stops at a bad index: it then makes this tile begin later and short enough to be resolved, and later
 * tiles are not moved by table.
 */
int64_t strew_tile_move_by_table(strew_tiles *tiles, strew_tables *tables);

#endif
