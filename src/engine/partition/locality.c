/* Whether rows lie near each other in the addressed tensor, which only the indices can tell. */
#include "engine/partition/partition.h"

#include <stdlib.h>

#include "base/thresholds.h"
#include "engine/walk/tiles.h"

enum { SAMPLES = 16 };

bool strew_walk_is_local(const strew_walk *walk, const strew_pointers *pointers)
{
    strew_tiles tiles;
    strew_tile_offsets offsets;
    int64_t near = 0, pairs = 0; /* of rows that follow each other */
    if (walk->dims == 0)
        return true;
    strew_tiles_make(&tiles, walk, STREW_TILE_POSITIONS);
    const strew_dim *outer = &walk->dim[0];
    const int64_t last = outer->size - (tiles.outer_dims == 0 ? tiles.most_segments : 1);
    for (int64_t s = 0; s < SAMPLES; s++) {
        const strew_pointers sample = strew_pointers_along(pointers, outer, last / (SAMPLES - 1) * s);
        strew_tiles_begin(&tiles, &sample);
        if (strew_tile_resolve(&tiles, offsets) != STREW_ROWS_ALL)
            continue;
        for (int64_t i = 1; i < strew_tile_positions(&tiles); i++, pairs++)
            near += llabs(offsets[i] - offsets[i - 1]) < STREW_NEAR_BYTES;
    }
    return near > pairs / 2;
}
