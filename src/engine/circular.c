#include "engine/circular.h"

#include "base/integer.h"
#include "engine/share/shard.h"

typedef struct circular_run {
    const strew_work *work;
    size_t threads; /* 0: indices are only checked */
    const strew_parallel *parallel;
} circular_run;

/* Writes positions [first, first + length) of a batch's window to the axis from `target` on. */
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

strew_resolved strew_circular_begin(const strew_work *work, const char *index, int64_t *begin)
{
    const strew_walk *walk = &work->walk;
    const int64_t length = work->form.output.size[work->form.axis], size = length > 0 ? length : 1;
    const int64_t value = walk->coordinates.count > 0 ? strew_read_integer(index, walk->index_dtype) : 0;
    if (value < 0 && walk->index_dtype == STREW_DTYPE_UINT64) {
        *begin = (int64_t)((uint64_t)value % (uint64_t)size);
        return STREW_ALL_ROWS;
    }
    const int64_t remainder = value % size;
    *begin = remainder < 0 ? remainder + size : remainder;
    if (value >= 0 || walk->bounds == STREW_BOUNDS_WRAP)
        return STREW_ALL_ROWS;
    *begin = 0;
    return walk->bounds == STREW_BOUNDS_CLAMP  ? STREW_ALL_ROWS
           : walk->bounds == STREW_BOUNDS_SKIP ? STREW_SOME_ROWS
                                               : STREW_BAD_INDEX;
}

bool strew_circular_run(const strew_work *work, const strew_pointers *pointers, size_t threads,
                        const strew_parallel *parallel)
{
    const circular_run run = {work, threads, parallel};
    const strew_dim batches = strew_form_index_dim(&work->form, 0);
    for (int64_t b = 0; b < batches.size; b++) {
        const strew_pointers batch = strew_pointers_along(pointers, &batches, b);
        int64_t begin;
        const strew_resolved resolved = strew_circular_begin(work, batch.indices, &begin);
        if (resolved == STREW_BAD_INDEX)
            return false;
        if (resolved == STREW_ALL_ROWS && threads > 0)
            write_window(&run, &batch, begin);
    }
    return true;
}
