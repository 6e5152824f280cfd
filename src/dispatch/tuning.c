#include "dispatch/tuning.h"

#include <string.h>

#include "base/thresholds.h"
#include "dispatch/tuning_numbers.h"

/*
 * The measured tunings. docs/performance.md says under "CPUs differ" which CPU uses which one. `strew tune
 * --source` writes another one.
 */

/* A server CPU of the Sapphire Rapids generation. */
static const strew_tuning xeon = {
    .name = "xeon",
    .changes = "",
    .cache_bytes = {48 << 10, 2 << 20, 0},
    .rows_ahead = 16,
    .far_short_rows = 16 << 20,
    /* loads wait for memory at the same time, stores one after the other */
    .reads_first = 1,
    /* the last level is large, but many cores share it */
    .kept_of_a_result = 1 / 16.,
    /* writing several pages by turns keeps more of the memory busy */
    .stream_pages = 4,
    .streams_parts = 0,
    .least_owned = 2 << 20,
    .least_partitioned = 16 << 20,
    .least_partitioned_by_two = 3 << 20,
};

/* A server CPU of the Zen 5 generation. */
static const strew_tuning zen = {
    .name = "zen",
    .changes = "",
    .cache_bytes = {48 << 10, 1 << 20, 32 << 20},
    .rows_ahead = 16,
    /* so many loads wait at the same time that prefetching short rows costs more than it saves */
    .far_short_rows = 16 << 20,
    /* more stores are in flight than on a Xeon */
    .reads_first = 0,
    /* the last level is near, and not shared by many */
    .kept_of_a_result = 3 / 8.,
    .stream_pages = 1,
    /* a line that is written in part waits for its other parts */
    .streams_parts = 1,
    .least_owned = 16 << 20,
    /* reaching elements in the last level takes no longer than writing buckets */
    .least_partitioned = STREW_TUNING_NEVER,
    .least_partitioned_by_two = 24 << 20,
};

static const strew_tuning *const measured[] = {&xeon, &zen};

const strew_tuning *strew_tuning_find(const char *name, size_t length)
{
    for (size_t m = 0; m < sizeof measured / sizeof *measured; m++)
        if (strlen(measured[m]->name) == length && memcmp(measured[m]->name, name, length) == 0)
            return measured[m];
    return NULL;
}

/* ---- From caches --------------------------------------------------------------------------------- */

/* Returns the measured tuning that suits these caches best. A larger last level, or one of unknown size, counts as
 * far. */
static const strew_tuning *most_like(const long cache_bytes[STREW_CPU_CACHES])
{
    const long last = cache_bytes[STREW_CPU_LAST_LEVEL];
    return last > 0 && last <= zen.cache_bytes[STREW_CPU_LAST_LEVEL] ? &zen : &xeon;
}

static const char to_caches[] = ", its sizes to these caches";

static void scale_to_caches(strew_tuning *tuning, const strew_tuning_number *number,
                            const long cache_bytes[STREW_CPU_CACHES])
{
    const bool counts_on_last = tuning->cache_bytes[STREW_CPU_LAST_LEVEL] > 0;
    const strew_cpu_cache cache = counts_on_last ? STREW_CPU_LAST_LEVEL : STREW_CPU_SECOND_LEVEL;
    const long own = cache_bytes[cache], theirs = tuning->cache_bytes[cache];
    const double bytes = strew_tuning_get(tuning, number);
    if (own <= 0 || own == theirs || bytes >= STREW_TUNING_NEVER)
        return;
    strew_tuning_set(tuning, number, bytes * (double)own / (double)theirs);
    tuning->changes = to_caches;
}

/* Servers and desktops tell the sizes of their caches. A core that tells none is a small one. */
strew_tuning strew_tuning_derive(const long cache_bytes[STREW_CPU_CACHES])
{
    static const long small[STREW_CPU_CACHES] = {32 << 10, 256 << 10, 1 << 20};
    if (cache_bytes[STREW_CPU_SECOND_LEVEL] <= 0 && cache_bytes[STREW_CPU_LAST_LEVEL] <= 0)
        cache_bytes = small;
    strew_tuning tuning = *most_like(cache_bytes);
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++)
        if (number->grows)
            scale_to_caches(&tuning, number, cache_bytes);
    /* Cores with a small second level have fewer loads waiting, and must prefetch sooner. */
    const long second = cache_bytes[STREW_CPU_SECOND_LEVEL];
    const double far = STREW_SMALL_CORE_REACH * (double)second;
    if (second > 0 && second < zen.cache_bytes[STREW_CPU_SECOND_LEVEL] && tuning.far_short_rows > far) {
        tuning.far_short_rows = far;
        tuning.changes = to_caches;
    }
    return tuning;
}

/* ---- The active tuning --------------------------------------------------------------------------- */

_Atomic(const strew_tuning *) strew_tuning_chosen;

static strew_tuning tuning_of_this_cpu(void)
{
    long cache_bytes[STREW_CPU_CACHES];
    for (int cache = 0; cache < STREW_CPU_CACHES; cache++)
        cache_bytes[cache] = strew_cpu_cache_bytes((strew_cpu_cache)cache);
    return strew_tuning_derive(cache_bytes);
}

/*
 * Makes the tuning of this CPU once. Other threads use a measured one in the meantime: results are the same, and
 * no thread waits.
 */
const strew_tuning *strew_tuning_choose(void)
{
    static strew_tuning own;
    static atomic_bool begun;
    if (atomic_exchange_explicit(&begun, true, memory_order_relaxed)) {
        const strew_tuning *const chosen = atomic_load_explicit(&strew_tuning_chosen, memory_order_acquire);
        return chosen ? chosen : &xeon;
    }
    const char *const text = strew_cpu_variable("STREW_TUNING");
    own = tuning_of_this_cpu();
    if (text && *text && !strew_tuning_read(&own, text))
        own.changes = "; STREW_TUNING is refused: not a tuning";
    atomic_store_explicit(&strew_tuning_chosen, &own, memory_order_release);
    return &own;
}

/*
 * Streamed bytes must be fetched from memory when they are read next. So only results are streamed that
 * the caches would keep little of.
 */
int64_t strew_tuning_streamed_bytes(void)
{
    const double last = (double)strew_cpu_cache_bytes(STREW_CPU_LAST_LEVEL);
    const int64_t bytes = (int64_t)(last * strew_tuning_active()->kept_of_a_result);
    return bytes > STREW_LEAST_STREAMED ? bytes : STREW_LEAST_STREAMED;
}
