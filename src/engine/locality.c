#include "engine/locality.h"

#include <stdlib.h>

#include "engine/threshold.h"
#include "engine/tiling.h"

enum { NEAR_BYTES = STREW_THRESHOLD(4096, 0), SAMPLES = 16 };

typedef struct sample {
    const strew_walk *walk;
    strew_tiling tiling;
    int64_t near, all; /* pairs of rows that follow each other */
} sample;

/* Counts in one tile. */
static bool look_at_tile(void *context, const strew_places *at, int64_t runs)
{
    sample *it = context;
    strew_tile_offsets offsets;
    if (!strew_tile_resolve(&it->tiling, it->walk, &it->walk->coordinates, at->indices, runs, it->tiling.bases,
                            offsets))
        return false;
    const int64_t count = runs * it->tiling.entries;
    for (int64_t i = 1; i < count; i++)
        it->near += llabs(offsets[i] - offsets[i - 1]) < NEAR_BYTES;
    it->all += count - 1;
    return false;
}

bool strew_walk_is_local(const strew_walk *walk, const strew_places *at)
{
    if (walk->dims == 0 || strew_walk_is_empty(walk))
        return true;
    sample it = {.walk = walk, .near = 0, .all = 0};
    strew_walk_tile(walk, STREW_TILE_ENTRIES, &it.tiling);
    const strew_dim *outer = &walk->dim[0];
    const int64_t last = outer->size - (it.tiling.cut == 0 ? it.tiling.runs : 1);
    for (int64_t s = 0; s < SAMPLES; s++) {
        const strew_places there = strew_places_along(at, outer, last / (SAMPLES - 1) * s);
        strew_walk_tiles(walk, &it.tiling, &there, look_at_tile, &it);
    }
    return it.near > it.all / 2;
}
