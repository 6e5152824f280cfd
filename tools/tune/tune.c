/* strew tune: measures which of several ways with equal results is fastest on this machine. */
#include <stdio.h>
#include <stdlib.h>
#ifdef STREW_WITH_PTHREADPOOL
#include <strew/pthreadpool.h>

#include "threads.h"
#endif

#include "command.h"
#include "tuner.h"

enum { USUAL_SECONDS = 30, MOST_SECONDS = 3600, USUAL_MEMORY = 512, LEAST_MEMORY = 12, MOST_MEMORY = 1 << 20 };

/* About how many measurements share the time. */
enum { MEASUREMENTS = 50, MIB = 1 << 20 };

static int take_number(const arguments *given, int option, long usual, long least, long most, long *number)
{
    const char *const text = given->option[option];
    char *end;
    *number = text ? strtol(text, &end, 10) : usual;
    if (text && (!*text || *end || *number < least || *number > most))
        return fail_usage("tune", "%s takes an integer from %ld to %ld, and got '%s'", cli_options[option].name,
                          least, most, text);
    return EXIT_DONE;
}

/* Several times as large as the last-level cache, if the memory that may be used is enough. */
static int64_t table_bytes(long mebibytes)
{
    const int64_t least = 64 * MIB, wanted = 4 * (int64_t)strew_cpu_cache_bytes(STREW_CPU_LAST_LEVEL);
    int64_t bytes = 4 * MIB;
    while (bytes < (wanted > least ? wanted : least) && memory_bytes(2 * bytes) <= (int64_t)mebibytes * MIB)
        bytes *= 2;
    return bytes;
}

/* The tuning that this CPU gets by default, from which measuring begins. */
static strew_tuning usual_tuning(long cache_bytes[STREW_CPU_CACHES])
{
    for (int cache = 0; cache < STREW_CPU_CACHES; cache++)
        cache_bytes[cache] = strew_cpu_cache_bytes((strew_cpu_cache)cache);
    return strew_tuning_derive(cache_bytes);
}

static int choose_and_write(tuner *self, bool as_source)
{
    long cache_bytes[STREW_CPU_CACHES];
    self->best = usual_tuning(cache_bytes);
    const int result = tuner_choose(self);
    if (result != EXIT_DONE)
        return result;
    if (as_source)
        write_source(stdout, &self->best, cache_bytes);
    else
        write_line(stdout, &self->best);
    return EXIT_DONE;
}

#ifdef STREW_WITH_PTHREADPOOL
static int tune_with_threads(tuner *self, bool as_source)
{
    const pthreadpool_t pool = threads_create(2);
    const strew_parallel parallel = strew_parallel_from_pthreadpool(pool);
    self->parallel = parallel.threads == 2 ? &parallel : NULL;
    const int result = choose_and_write(self, as_source);
    pthreadpool_destroy(pool);
    return result;
}
#else
static int tune_with_threads(tuner *self, bool as_source)
{
    return choose_and_write(self, as_source);
}
#endif

int command_tune(const arguments *given)
{
    long seconds, mebibytes;
    int result = take_number(given, OPTION_SECONDS, USUAL_SECONDS, 0, MOST_SECONDS, &seconds);
    if (result == EXIT_DONE)
        result = take_number(given, OPTION_MEMORY, USUAL_MEMORY, LEAST_MEMORY, MOST_MEMORY, &mebibytes);
    if (result != EXIT_DONE)
        return result;
    tuner self = {.slice = (double)seconds / MEASUREMENTS, .explains = given->option[OPTION_EXPLAIN]};
    result = memory_create(&self.memory, table_bytes(mebibytes))
                 ? tune_with_threads(&self, given->option[OPTION_SOURCE])
                 : fail(STREW_STATUS_OUT_OF_MEMORY, "no room for %ld MiB", mebibytes);
    memory_destroy(&self.memory);
    return result;
}
