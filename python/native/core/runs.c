/* Runs or inspects a plan on arrays: threads, scratch, and the release of the GIL. */
#include "core.h"
#include "shared/scratch.h"

/*
 * The work of a call, in bytes of moved rows; to read, check and follow one index costs as much as moving some tens
 * of bytes. Below LEAST_WORK_WITHOUT_GIL a call takes a few microseconds and keeps the GIL: releasing it costs as
 * much as it gains. Below LEAST_WORK_SHARED a call ends before another thread has woken.
 */
static const double BYTES_AN_INDEX_COSTS = 32, LEAST_WORK_WITHOUT_GIL = 64 << 10, LEAST_WORK_SHARED = 2 << 20;

static double count_of(const strew_tensor *tensor)
{
    double count = 1;
    for (int32_t d = 0; d < tensor->rank; d++)
        count *= (double)tensor->shape[d];
    return count;
}

static double bytes_of(const strew_tensor *tensor)
{
    return count_of(tensor) * (double)strew_dtype_size(tensor->dtype);
}

/* The bytes of the rows that are gathered and combined. Output has the rows of data. */
static double bytes_combined(const array arrays[OPERANDS])
{
    const strew_tensor *const output = &arrays[OUTPUT].tensor;
    const array *const places = arrays[INDICES].tensor.data ? &arrays[INDICES] : &arrays[SEGMENTS];
    const double rows = output->rank > 0 && output->shape[0] > 0 ? (double)output->shape[0] : 1;
    return count_of(&places->tensor) * bytes_of(output) / rows;
}

/* Counts the moved rows, the indices, and data if all of it is copied. */
static double work_of(const array arrays[OPERANDS], strew_kind kind)
{
    const double indices = BYTES_AN_INDEX_COSTS * count_of(&arrays[INDICES].tensor);
    const double rows = kind_combines(kind) ? bytes_combined(arrays) : bytes_of(&arrays[UPDATES].tensor);
    if (kind_gathers(kind))
        return indices + rows + bytes_of(&arrays[OUTPUT].tensor);
    const bool is_in_place = arrays[DATA].tensor.data == arrays[OUTPUT].tensor.data;
    return indices + rows + (is_in_place ? 0 : bytes_of(&arrays[DATA].tensor));
}

size_t run_threads(const array arrays[OPERANDS], strew_kind kind, size_t threads)
{
    return threads > 1 && work_of(arrays, kind) < LEAST_WORK_SHARED ? 1 : threads;
}

static strew_status run(const strew_plan *plan, const strew_buffers *buffers, const strew_run_options *options,
                        bool keeps_gil)
{
    if (keeps_gil)
        return strew_plan_run(plan, buffers, options);
    PyThreadState *const released = PyEval_SaveThread();
    const strew_status status = strew_plan_run(plan, buffers, options);
    PyEval_RestoreThread(released);
    return status;
}

/*
 * Runs with all threads, or with this one if another call has the pool. Some runs need no scratch. -1 with
 * MemoryError.
 */
static int run_with_threads(const strew_plan *plan, const strew_buffers *buffers, strew_run_options *options,
                            size_t threads, bool has_no_use, bool keeps_gil, strew_status *status)
{
    strew_parallel parallel;
    scratch_block *lent = NULL;
    const bool has_pool = threads > 1 && threads_take(threads, &parallel);
    const bool has_scratch = has_no_use || scratch_lend(plan, has_pool ? threads : 1, options, &lent);
    options->parallel = has_pool ? &parallel : NULL;
    if (has_scratch)
        *status = run(plan, buffers, options, keeps_gil);
    else
        PyErr_NoMemory();
    scratch_give_back(lent);
    if (has_pool)
        threads_give_back();
    return has_scratch ? 0 : -1;
}

int run_plan(const strew_plan *plan, const array arrays[OPERANDS], PyObject *fill, strew_kind kind, size_t threads)
{
    strew_error error;
    strew_status status;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = &error;
    options.fill = fill ? PyBytes_AsString(fill) : NULL;
    const bool keeps_gil = work_of(arrays, kind) < LEAST_WORK_WITHOUT_GIL;
    const strew_buffers buffers = {.data = arrays[DATA].tensor.data,
                                   .indices = arrays[INDICES].tensor.data,
                                   .updates = arrays[UPDATES].tensor.data,
                                   .output = arrays[OUTPUT].tensor.data,
                                   .segments = arrays[SEGMENTS].tensor.data,
                                   .weights = arrays[WEIGHTS].tensor.data};
    if (run_with_threads(plan, &buffers, &options, threads, kind_fills(kind), keeps_gil, &status) != 0)
        return -1;
    if (status != STREW_STATUS_OK)
        raise_refusal(&error);
    return status == STREW_STATUS_OK ? 0 : -1;
}

int inspect_plan(strew_plan *inspected, const strew_plan *plan, const array arrays[OPERANDS], void *storage,
                 size_t storage_size)
{
    strew_error error;
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.error = &error;
    const strew_buffers buffers = {.indices = arrays[INDICES].tensor.data,
                                   .segments = arrays[SEGMENTS].tensor.data};
    const double indices = count_of(&arrays[INDICES].tensor) + count_of(&arrays[SEGMENTS].tensor);
    const bool keeps_gil = BYTES_AN_INDEX_COSTS * indices < LEAST_WORK_WITHOUT_GIL;
    PyThreadState *const released = keeps_gil ? NULL : PyEval_SaveThread();
    const strew_status status = strew_plan_inspect(inspected, plan, &buffers, storage, storage_size, &options);
    if (released)
        PyEval_RestoreThread(released);
    if (status != STREW_STATUS_OK)
        raise_refusal(&error);
    return status == STREW_STATUS_OK ? 0 : -1;
}
