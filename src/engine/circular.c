#include "engine/circular.h"

#include "engine/share/shard.h"
#include "engine/walk/tiles.h"

typedef struct circular_run {
    const strew_work *work;
    size_t threads;
    const strew_parallel *parallel;
} circular_run;

/* Writes so many positions of a batch's window, from `first` on, to where `target` is along the axis. */
static void write_piece(const circular_run *run, const strew_pointers *batch, int64_t first, int64_t length,
                        int64_t target)
{
    const strew_form *form = &run->work->form;
    strew_walk walk;
    strew_mover mover;
    strew_pointers begin = *batch;
    begin.dense += first * form->dense.stride[form->axis];
    begin.addressed += target * form->output.stride[form->axis];
    strew_form_window_walk(&walk, form, run->work->kernels, length);
    strew_mover_assign(&mover, &walk, STREW_SCATTERS, form->dense.count * form->dense.element);
    const strew_cut cut = run->threads > 1 ? strew_cut_choose(&walk, STREW_READS, run->threads) : strew_cut_nothing;
    strew_shards_run(&walk, &mover, &begin, &cut, run->parallel);
}

static void write_window(const circular_run *run, const strew_pointers *batch, int64_t begin)
{
    const strew_form *form = &run->work->form;
    const int64_t length = form->dense.size[form->axis], left = form->output.size[form->axis] - begin;
    const int64_t first = length < left ? length : left;
    write_piece(run, batch, 0, first, begin);
    if (first < length)
        write_piece(run, batch, first, length - first, 0);
}

/* Where a window begins: the index, as the walk's policy has it, modulo the length of the cache. */
static strew_resolved find_begin(const strew_work *work, const char *index, int64_t *begin)
{
    static const int64_t no_base = 0;
    const strew_walk *walk = &work->walk;
    const int64_t size = work->form.output.size[work->form.axis];
    const size_t slot = STREW_INDEX_SLOT(walk->index_dtype);
    *begin = 0;
    if (walk->coordinates.count == 0)
        return STREW_ROWS_ALL;
    strew_coordinates coordinate = {.count = 1, .each = {{walk->coordinates.each[0].size, 1}}};
    if (!walk->kernels->resolve[slot](index, 0, 1, &coordinate, &no_base, begin)) {
        if (walk->bounds == STREW_BOUNDS_REFUSE || walk->bounds == STREW_BOUNDS_STOP)
            return STREW_WRONG;
        if (walk->bounds == STREW_BOUNDS_WRAP)
            coordinate.each[0].size = size;
        walk->kernels->amend[slot](index, 0, 1, &coordinate, &no_base, begin, walk->bounds);
    }
    if (*begin == STREW_NO_ROW)
        return STREW_ROWS_GAPS;
    *begin %= size;
    return STREW_ROWS_ALL;
}

bool strew_circular_run(const strew_work *work, const strew_pointers *pointers, size_t threads,
                        const strew_parallel *parallel)
{
    const circular_run run = {work, threads, parallel};
    const strew_dim batches = strew_form_index_dim(&work->form, 0);
    for (int64_t b = 0; b < batches.size; b++) {
        const strew_pointers batch = strew_pointers_along(pointers, &batches, b);
        int64_t begin;
        const strew_resolved resolved = find_begin(work, batch.indices, &begin);
        if (resolved == STREW_WRONG)
            return false;
        if (resolved == STREW_ROWS_ALL)
            write_window(&run, &batch, begin);
    }
    return true;
}
