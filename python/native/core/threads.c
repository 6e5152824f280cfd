/*
 * The threads that strew may use in this process: one pool, started by the first call that is large enough to
 * share. One call has it at a time; all others run on their own threads. A forked child starts a pool of its own
 * when it needs one.
 */
#include "core.h"

#include <pthreadpool.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef _WIN32
#include <pthread.h>
#endif

static struct {
    pthreadpool_t threads; /* NULL: not started */
    size_t size;           /* how many it has, the caller's included */
    size_t lanes;          /* how many of them the current call may use */
    bool is_taken;         /* by a call */
} pool;

static size_t default_threads = 1;

/* ---- The pool ----------------------------------------------------------------------------------------- */

/* Tasks are drawn by as many of the pool's threads as the call may have, which the pool may have more of. */
typedef struct draw {
    strew_task task;
    void *context;
    size_t count;
    atomic_size_t next;
} draw;

static void draw_tasks(void *context, size_t lane)
{
    draw *const tasks = context;
    (void)lane;
    for (;;) {
        const size_t index = atomic_fetch_add_explicit(&tasks->next, 1, memory_order_relaxed);
        if (index >= tasks->count)
            return;
        tasks->task(tasks->context, index);
    }
}

static void stop_pool(void)
{
    if (pool.threads)
        pthreadpool_destroy(pool.threads);
    pool.threads = NULL;
    pool.size = 0;
}

/* Needs the GIL, like every change of the pool. False if threads cannot be started. */
static bool start_pool(size_t threads)
{
    if (pool.size >= threads)
        return true;
    stop_pool();
    pool.threads = pthreadpool_create(threads);
    pool.size = pool.threads ? threads : 0;
    return pool.threads != NULL;
}

static void run_tasks(void *unused, strew_task task, void *context, size_t count)
{
    (void)unused;
    draw tasks = {task, context, count, 0};
    const size_t lanes = count < pool.lanes ? count : pool.lanes;
    /* Workers look out for the next call for some milliseconds: to wake them takes as long as most calls. */
    if (lanes > 1)
        pthreadpool_parallelize_1d(pool.threads, draw_tasks, &tasks, lanes, 0);
    else
        draw_tasks(&tasks, 0);
}

bool threads_take(size_t threads, strew_parallel *parallel)
{
    if (pool.is_taken || !start_pool(threads))
        return false;
    pool.is_taken = true;
    pool.lanes = threads;
    *parallel = (strew_parallel){run_tasks, NULL, threads};
    return true;
}

void threads_give_back(void)
{
    pool.is_taken = false;
}

size_t threads_started(void)
{
    return pool.size;
}

/* The parent's threads do not exist in the child, so the child abandons the pool. */
static void forget_pool(void)
{
    pool.threads = NULL;
    pool.size = 0;
    pool.is_taken = false;
}

/* ---- How many ----------------------------------------------------------------------------------------- */

enum { MOST_THREADS = 1024 };

size_t threads_default(void)
{
    return default_threads;
}

void threads_set_default(size_t threads)
{
    default_threads = threads;
    if (!pool.is_taken && pool.size > threads)
        stop_pool();
}

size_t threads_from(PyObject *value)
{
    if (!value || value == Py_None)
        return default_threads;
    PyObject *integer = PyNumber_Index(value);
    if (!integer) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            raise_type(value, PARAMETER_NUM_THREADS, "an int or None");
        return 0;
    }
    const long long threads = PyLong_AsLongLong(integer);
    PyErr_Clear(); /* a number that does not fit is refused like -1 */
    if (threads < 1 || threads > MOST_THREADS)
        raise_status(STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_PARALLEL, "num_threads is %S, outside [1, %d]",
                     integer, MOST_THREADS);
    Py_DECREF(integer);
    return threads < 1 || threads > MOST_THREADS ? 0 : (size_t)threads;
}

/* The CPUs that this process may use; 0 with an exception. */
static size_t count_cpus(void)
{
    PyObject *module = PyImport_ImportModule("strew._cpus");
    PyObject *cpus = module ? PyObject_CallMethod(module, "available_cpus", NULL) : NULL;
    const Py_ssize_t count = cpus ? PyLong_AsSsize_t(cpus) : 0;
    Py_XDECREF(cpus);
    Py_XDECREF(module);
    return count > 0 ? (size_t)count : 0;
}

/* The number of threads in the environment; 0, with a warning, if it is no valid number, and 0 if it is not set. */
static size_t threads_of_environment(void)
{
    const char *text = getenv("STREW_NUM_THREADS");
    if (!text || !*text)
        return 0;
    char *end;
    const long threads = strtol(text, &end, 10);
    if (!*end && threads >= 1 && threads <= MOST_THREADS)
        return (size_t)threads;
    PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "STREW_NUM_THREADS is '%s', not a number in [1, %d]: it is ignored",
                     text, (int)MOST_THREADS);
    return 0;
}

int threads_begin(void)
{
    static bool has_begun;
    if (has_begun)
        return 0;
#ifndef _WIN32
    if (pthread_atfork(NULL, NULL, forget_pool) != 0) {
        PyErr_NoMemory();
        return -1;
    }
#else
    (void)forget_pool;
#endif
    has_begun = true;
    const size_t cpus = count_cpus();
    const size_t asked = cpus ? threads_of_environment() : 0;
    if (cpus)
        default_threads = asked ? asked : cpus < MOST_THREADS ? cpus : MOST_THREADS;
    return PyErr_Occurred() ? -1 : 0;
}
