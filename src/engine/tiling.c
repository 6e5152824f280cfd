#include "engine/tiling.h"

#include <stdatomic.h>

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

/* Repeats the bases of one run: `count` runs in all, each a step further on. */
static void repeat_bases(strew_tiling *tiling, int64_t count, int64_t base_step)
{
    int64_t *to = tiling->bases + tiling->entries;
    for (int64_t run = 1; run < count; run++)
        for (int64_t entry = 0; entry < tiling->entries; entry++)
            *to++ = run * base_step + tiling->bases[entry];
}

/* Makes `run` the dimension along which runs follow each other. */
static void set_run(strew_tiling *tiling, const strew_dim *run)
{
    if (tiling->entries == 1) {
        tiling->index_step = run->index_step;
        tiling->dense_step = run->dense_step;
    }
    tiling->run = *run;
    tiling->even_indices = strew_is_multiple(run->index_step, tiling->entries, tiling->index_step);
    tiling->even_dense = strew_is_multiple(run->dense_step, tiling->entries, tiling->dense_step);
}

void strew_walk_tile(const strew_walk *walk, strew_tiling *tiling)
{
    static const strew_dim once = {1, 0, 0, 0};
    tiling->entries = 1;
    tiling->bases[0] = 0;
    tiling->cut = walk->dims - 1;
    set_run(tiling, walk->dims > 0 ? &walk->dim[tiling->cut] : &once);
    while (tiling->cut > 0 && tiling->even_indices && tiling->even_dense &&
           tiling->run.size <= STREW_TILE_ENTRIES / tiling->entries) {
        repeat_bases(tiling, tiling->run.size, tiling->run.base_step);
        tiling->entries *= tiling->run.size;
        set_run(tiling, &walk->dim[--tiling->cut]);
    }
    tiling->runs = at_most(tiling->run.size, STREW_TILE_ENTRIES / tiling->entries);
    repeat_bases(tiling, tiling->runs, tiling->run.base_step);
}

void strew_tile_dense_offsets(const strew_tiling *tiling, int64_t *offsets)
{
    for (int64_t run = 0; run < tiling->runs; run++)
        for (int64_t entry = 0; entry < tiling->entries; entry++)
            *offsets++ = run * tiling->run.dense_step + entry * tiling->dense_step;
}

static bool cut_into_tiles(const strew_tiling *tiling, const strew_places *at, strew_tile_task *task, void *context)
{
    for (int64_t r = 0; r < tiling->run.size; r += tiling->runs) {
        const strew_places tile = strew_places_along(at, &tiling->run, r);
        if (!task(context, &tile, at_most(tiling->run.size - r, tiling->runs)))
            return false;
    }
    return true;
}

static bool walk_from(const strew_walk *walk, int32_t d, const strew_tiling *tiling, const strew_places *at,
                      strew_tile_task *task, void *context)
{
    if (d >= tiling->cut)
        return cut_into_tiles(tiling, at, task, context);
    for (int64_t i = 0; i < walk->dim[d].size; i++) {
        const strew_places inner = strew_places_along(at, &walk->dim[d], i);
        if (!walk_from(walk, d + 1, tiling, &inner, task, context))
            return false;
    }
    return true;
}

bool strew_walk_tiles(const strew_walk *walk, const strew_tiling *tiling, const strew_places *at,
                      strew_tile_task *task, void *context)
{
    const bool done = walk_from(walk, 0, tiling, at, task, context);
    if (walk->streams)
        atomic_thread_fence(memory_order_seq_cst);
    return done;
}
