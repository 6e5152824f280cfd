/*
 * What Python needs beside strew itself: threads; a clock around many runs, which leaves Python's own time out; and
 * the layout of the structures, which it declares once more.
 */
#ifndef STREW_BENCH_PEERS_SHIM_H
#define STREW_BENCH_PEERS_SHIM_H

#include <strew/strew.h>

/* A pthreadpool of so many threads; of one, the calling thread alone. */
strew_parallel strew_peers_start_threads(size_t threads);
void strew_peers_stop_threads(const strew_parallel *parallel);

/* Runs a plan so many times, and says how long they took together. The first run that is refused ends it. */
strew_status strew_peers_time_runs(const strew_plan *plan, const strew_buffers *buffers, size_t repetitions,
                                   uint64_t *nanoseconds, const strew_run_options *options);

/* Where a field of a structure stands; a field without a name is the whole structure. */
typedef struct strew_peers_field {
    const char *structure;
    const char *field;
    size_t offset;
    size_t size;
} strew_peers_field;

/* Every field of every structure declared in strew_ctypes.py. NULL at the end. */
const strew_peers_field *strew_peers_field_at(size_t index);

#endif
