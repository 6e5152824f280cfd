#include "engine/tiling.h"

#include <stdatomic.h>
#include <string.h>

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

/*
 * Where the addressed tensor is stepped through by its coordinates alone, every base is 0. Tiles that are so are
 * the most common ones, and have nothing to compute.
 */
static const strew_tile_offsets no_bases;

/* 0, step, 2 * step, ...; unsigned, for the one after the last may be more than can be counted. */
static void count_by(int64_t step, int64_t *offsets, int64_t count)
{
    uint64_t offset = 0;
    for (int64_t i = 0; i < count; i++, offset += (uint64_t)step)
        offsets[i] = (int64_t)offset;
}

/*
 * The bases of the first run, moved, are those of every other one. They are moved some at a time; what is too many
 * is written again by the next run, or lies in the room after the last.
 */
static void move_bases(int64_t *bases, int64_t entries, int64_t runs, int64_t base_step)
{
    int64_t *to = bases;
    uint64_t some[STREW_BASES_ROOM];
    for (int64_t run = 1; run < runs; run++) {
        to += entries;
        for (int64_t entry = 0; entry < entries; entry += STREW_BASES_ROOM) {
            memcpy(some, bases + entry, sizeof some);
            for (int64_t i = 0; i < STREW_BASES_ROOM; i++)
                some[i] += (uint64_t)run * (uint64_t)base_step;
            memcpy(to + entry, some, sizeof some);
        }
    }
}

/* Repeats the bases of one run: `count` runs in all, each a step further on. */
static void repeat_bases(strew_tiling *tiling, int64_t count, int64_t base_step)
{
    const bool had_none = tiling->bases == no_bases;
    if (had_none && base_step == 0)
        return;
    if (had_none && tiling->entries > 1)
        memset(tiling->own_bases, 0, (size_t)tiling->entries * sizeof *tiling->own_bases);
    if (tiling->entries == 1)
        count_by(base_step, tiling->own_bases, count);
    else
        move_bases(tiling->own_bases, tiling->entries, count, base_step);
    tiling->bases = tiling->own_bases;
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

void strew_walk_tile(const strew_walk *walk, int64_t most, strew_tiling *tiling)
{
    static const strew_dim once = {1, 0, 0, 0};
    tiling->entries = 1;
    tiling->bases = no_bases;
    tiling->cut = walk->dims - 1;
    set_run(tiling, walk->dims > 0 ? &walk->dim[tiling->cut] : &once);
    while (tiling->cut > 0 && tiling->even_indices && tiling->even_dense &&
           tiling->run.size <= most / tiling->entries) {
        repeat_bases(tiling, tiling->run.size, tiling->run.base_step);
        tiling->entries *= tiling->run.size;
        set_run(tiling, &walk->dim[--tiling->cut]);
    }
    tiling->runs = at_most(tiling->run.size, most / tiling->entries);
    repeat_bases(tiling, tiling->runs, tiling->run.base_step);
}

void strew_tile_dense_offsets(const strew_tiling *tiling, int64_t *offsets)
{
    if (tiling->even_dense) {
        count_by(tiling->dense_step, offsets, tiling->runs * tiling->entries);
        return;
    }
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
