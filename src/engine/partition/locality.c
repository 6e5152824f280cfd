#include "engine/partition/locality.h"

#include <stdlib.h>

#include "base/threshold.h"
#include "engine/walk/tiling.h"

enum { NEAR_BYTES = STREW_THRESHOLD(4096, 0), SAMPLES = 16 };

bool strew_walk_is_local(const strew_walk *walk, const strew_pointers *pointers)
{
    strew_tiling tiling;
    strew_tiles tiles;
    strew_tile_offsets offsets;
    int64_t near = 0, pairs = 0; /* of rows that follow each other */
    if (walk->dims == 0)
        return true;
    strew_tiling_make(&tiling, walk, STREW_TILE_ENTRIES);
    const strew_dim *outer = &walk->dim[0];
    const int64_t last = outer->size - (tiling.outer_dims == 0 ? tiling.segments : 1);
    for (int64_t s = 0; s < SAMPLES; s++) {
        const strew_pointers sample = strew_pointers_along(pointers, outer, last / (SAMPLES - 1) * s);
        strew_tiles_begin(&tiles, walk, &tiling, &sample);
        if (!strew_tile_resolve(&tiling, walk, tiles.pointers.indices, tiles.segments, offsets))
            continue;
        for (int64_t i = 1; i < tiles.segments * tiling.entries; i++, pairs++)
            near += llabs(offsets[i] - offsets[i - 1]) < NEAR_BYTES;
    }
    return near > pairs / 2;
}
