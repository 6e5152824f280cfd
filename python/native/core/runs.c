/* A plan run on arrays: threads, scratch, and the GIL released. */
#include "core.h"

/*
 * Below this many bytes read and written a call takes a few microseconds: giving the GIL away costs as much, and
 * other threads would wait no less. Nothing so small is shared among threads either.
 */
static const double LEAST_BYTES_WITHOUT_GIL = 32 << 10;

/* An estimate: what is moved, what says where, and data if all of it is copied. */
static double bytes_of_work(const array arrays[OPERANDS], strew_kind kind)
{
    const double indices = array_bytes(&arrays[INDICES].tensor);
    if (kind_gathers(kind))
        return indices + array_bytes(&arrays[OUTPUT].tensor);
    const bool is_in_place = arrays[DATA].tensor.data == arrays[OUTPUT].tensor.data;
    return indices + array_bytes(&arrays[UPDATES].tensor) + (is_in_place ? 0 : array_bytes(&arrays[DATA].tensor));
}

static bool is_small(const array arrays[OPERANDS], strew_kind kind)
{
    return bytes_of_work(arrays, kind) < LEAST_BYTES_WITHOUT_GIL;
}

size_t run_threads(const array arrays[OPERANDS], strew_kind kind, size_t threads)
{
    return is_small(arrays, kind) ? 1 : threads;
}

static strew_status run(const strew_plan *plan, const strew_buffers *buffers, const strew_run_options *options,
                        bool keeps_gil)
{
    if (keeps_gil)
        return strew_plan_run(plan, buffers, options);
    strew_status status;
    Py_BEGIN_ALLOW_THREADS status = strew_plan_run(plan, buffers, options);
    Py_END_ALLOW_THREADS return status;
}

/* With as many threads as can be had: all, or if another call has the pool, this one. */
static int run_with_threads(const strew_plan *plan, const strew_buffers *buffers, strew_run_options *options,
                            size_t threads, bool is_scatter)
{
    strew_parallel parallel;
    const bool has_pool = threads > 1 && threads_take(threads, &parallel);
    options->parallel = has_pool ? &parallel : NULL;
    scratch lent = {NULL, 0};
    const size_t wanted = is_scatter ? strew_plan_scratch_size(plan, has_pool ? threads : 1) : 0;
    int status = -1;
    if (wanted == 0 || scratch_take(&lent, wanted)) {
        options->scratch = lent.memory;
        options->scratch_size = lent.size;
        status = run(plan, buffers, options, false) == STREW_STATUS_OK ? 0 : 1;
    }
    scratch_give_back(&lent);
    if (has_pool)
        threads_give_back();
    return status;
}

int run_plan(const strew_plan *plan, const array arrays[OPERANDS], strew_kind kind, size_t threads)
{
    strew_error error;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = &error;
    const bool is_scatter = !kind_gathers(kind);
    const strew_buffers buffers = {arrays[DATA].tensor.data, arrays[INDICES].tensor.data,
                                   is_scatter ? arrays[UPDATES].tensor.data : NULL, arrays[OUTPUT].tensor.data};
    const bool keeps_gil = is_small(arrays, kind) && !(is_scatter && strew_plan_scratch_size(plan, 1) > 0);
    const int status = keeps_gil ? run(plan, &buffers, &options, true) != STREW_STATUS_OK
                                 : run_with_threads(plan, &buffers, &options, threads, is_scatter);
    if (status > 0)
        raise_refusal(&error);
    return status == 0 ? 0 : -1;
}
