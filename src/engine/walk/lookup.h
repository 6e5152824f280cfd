/* Lookups: gathering single elements from so few that a kernel checks and takes them in one pass. */
#ifndef STREW_ENGINE_WALK_LOOKUP_H
#define STREW_ENGINE_WALK_LOOKUP_H

#include "engine/walk/mover.h"
#include "engine/walk/tiles.h"

typedef struct strew_tile_lookup {
    strew_lookup_kernel *kernel; /* NULL if these tiles are not looked up */
    strew_lookup lookup;
} strew_tile_lookup;

/* Whether the walk gathers single elements from few, which the caches hold. */
bool strew_walk_looks_up(const strew_walk *walk, const strew_mover *mover);

/* Begins with tiles that each have one table, if it does and they lie evenly. Otherwise they are not to be used. */
strew_tile_lookup strew_tiles_begin_lookup(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                           const strew_pointers *pointers);

/* Looks up this tile. False if an index is wrong: then the tile is to be resolved, whatever has been written. */
bool strew_tile_look_up(const strew_tiles *tiles, strew_tile_lookup *tables);

#endif
