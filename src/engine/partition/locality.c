#include "engine/partition/locality.h"

#include <stdlib.h>

#include "base/threshold.h"
#include "engine/walk/tiling.h"

enum { NEAR_BYTES = STREW_THRESHOLD(4096, 0), SAMPLES = 16 };

typedef struct locality_sample {
    const strew_walk *walk;
    strew_tiling tiling;
    int64_t near, total; /* pairs of rows that follow each other */
} locality_sample;

/* Counts in one tile, and stops. */
static bool sample_tile(void *context, const strew_pointers *pointers, int64_t segments)
{
    locality_sample *sampling = context;
    strew_tile_offsets offsets;
    if (!strew_tile_resolve(&sampling->tiling, sampling->walk, pointers->indices, segments, offsets))
        return false;
    const int64_t count = segments * sampling->tiling.entries;
    for (int64_t i = 1; i < count; i++)
        sampling->near += llabs(offsets[i] - offsets[i - 1]) < NEAR_BYTES;
    sampling->total += count - 1;
    return false;
}

bool strew_walk_is_local(const strew_walk *walk, const strew_pointers *pointers)
{
    if (walk->dims == 0)
        return true;
    locality_sample sampling = {.walk = walk, .near = 0, .total = 0};
    strew_tiling_make(&sampling.tiling, walk, STREW_TILE_ENTRIES);
    const strew_dim *outer = &walk->dim[0];
    const int64_t last = outer->size - (sampling.tiling.outer_dims == 0 ? sampling.tiling.segments : 1);
    for (int64_t s = 0; s < SAMPLES; s++) {
        const strew_pointers sample = strew_pointers_along(pointers, outer, last / (SAMPLES - 1) * s);
        strew_walk_tiles(walk, &sampling.tiling, &sample, sample_tile, &sampling);
    }
    return sampling.near > sampling.total / 2;
}
