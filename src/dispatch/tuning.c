#include "dispatch/tuning.h"

#include <stdlib.h>
#include <string.h>

#include "dispatch/cpu.h"

/* What was measured, and what each choice gains, docs/performance.md tells under "CPUs differ" and "Thresholds". */

/* A server CPU of the Sapphire Rapids generation. */
static const strew_tuning xeon = {
    .name = "xeon",
    /* longer rows the CPU has begun to prefetch before they are reached; a second-level cache holds what is near */
    .prefetch.read = {65, 1024, 16, 1 << 20},
    .prefetch.overwritten = {1, 64, 8, 16384},
    /* loads wait for memory side by side, stores one after the other */
    .reads_first = true,
    .read_first_unless_within = 4096,
    /* the last level is large, but shared by many */
    .kept_of_a_result = 1 / 16.,
    /* several pages keep more of the memory busy than one */
    .stream_pages = 4,
    /* 16 loads in flight leave no room for prefetches */
    .least_prefetched = UINT64_MAX,
    .least_short_tiles = UINT64_MAX,
    .move_costs = {{2 << 20, 1, 1 / 20.}, {16 << 20, 4, 1 / 10.}, {UINT64_MAX, 8, 1 / 10.}},
    .owners_start = 2000,
    .least_partitioned = 16 << 20,
    .least_partitioned_by_two = 3 << 20,
};

/* A server CPU of the Zen 5 generation. */
static const strew_tuning zen = {
    .name = "zen",
    .prefetch.read = {65, 1024, 16, 1 << 20},
    .prefetch.overwritten = {1, 64, 8, 16384},
    /* many more stores are in flight than there */
    .reads_first = false,
    .read_first_unless_within = 4096,
    /* the last level is near, and its own */
    .kept_of_a_result = 3 / 8.,
    .stream_pages = 1,
    /* loads retire in order, prefetches do not wait */
    .least_prefetched = 8 << 20,
    /* the CPU begins with one tile while another waits for memory */
    .least_short_tiles = 16 << 20,
    .move_costs = {{2 << 20, 0, 1 / 64.}, {16 << 20, 0, 1 / 48.}, {32 << 20, 6, 1 / 10.}, {UINT64_MAX, 8, 1 / 25.}},
    .owners_start = 10000,
    /* elements in the last level take about a nanosecond as they are */
    .least_partitioned = INT64_MAX,
    .least_partitioned_by_two = 24 << 20,
};

_Atomic(const strew_tuning *) strew_tuning_chosen;

/* The one that the environment names, if it names one; otherwise the one that is most like this CPU. */
const strew_tuning *strew_tuning_choose(void)
{
    static const strew_tuning *const measured[] = {&xeon, &zen};
    const char *const name = getenv("STREW_TUNING");
    const strew_tuning *chosen = strew_cpu_features() & STREW_CPU_AMD ? &zen : &xeon;
    for (size_t t = 0; name && t < sizeof measured / sizeof *measured; t++)
        if (strcmp(name, measured[t]->name) == 0)
            chosen = measured[t];
    atomic_store_explicit(&strew_tuning_chosen, chosen, memory_order_relaxed);
    return chosen;
}

/* Whoever reads next must fetch from memory what was streamed: so only what the caches would keep little of. */
int64_t strew_tuning_streamed_bytes(void)
{
    enum { LEAST = 4 << 20 };
    static atomic_long known; /* 0 until it is */
    long bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes == 0) {
        bytes = (long)((double)strew_cpu_last_level_cache() * strew_tuning_active()->kept_of_a_result);
        if (bytes < LEAST)
            bytes = LEAST;
        atomic_store_explicit(&known, bytes, memory_order_relaxed);
    }
    return bytes;
}
