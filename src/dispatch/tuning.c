#include "dispatch/tuning.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/cpu.h"

/*
 * A server CPU of the Sapphire Rapids generation: 2 MiB of second-level cache; a large last level, which answers in
 * 110 ns and is shared by many; 16 loads in flight. Streamed, 2 MB are copied in 0.8 of memcpy's time, 64 MB in
 * 0.45. Measured with elements of 4 bytes at random, partitioned, of the time otherwise: one thread, across 10
 * MB 1.0, 40 MB 0.75, 160 MB 0.5; two threads, across 2.4 MB 0.9, 4 MB 0.6.
 */
static const strew_tuning xeon = {
    .name = "xeon",
    .reads_first = true,
    .kept_of_a_result = 1 / 16.,
    .interleaves = true,
    .least_fetched = UINT64_MAX,
    .least_short_tiles = UINT64_MAX,
    .move = {{2 << 20, 1, 1 / 20.}, {16 << 20, 4, 1 / 10.}, {UINT64_MAX, 8, 1 / 10.}},
    .owners_start = 2000,
    .least_partitioned = 16 << 20,
    .least_partitioned_by_two = 3 << 20,
};

/*
 * A server CPU of the Zen 5 generation: 1 MiB of second-level cache; 32 MiB of last level, near enough that
 * elements in it take 1 ns; many more loads and stores in flight, so that elements from memory take 3 ns. The same,
 * assigned and summed: one thread, across 20 MB 1.9, 40 MB 1.4 and 1.3, 160 MB 1.4 and 1.2; two threads, across
 * 4 MB 1.85, 10 MB 1.4, 20 MB 1.2 and 1.3, 40 MB 0.9 and 1.0, 160 MB 0.8 and 0.95. Streamed, 4 MB are copied
 * in 1.35 of memcpy's time, 8 MB in 1.35, 16 MB in 0.8, 64 MB in 0.7; rows of 1 and 3 KiB gathered into 4 MB in 1.0
 * to 1.15, 8 MB 0.75, 16 MB 0.45. What fetching tiles does, engine/memory.c tells.
 */
static const strew_tuning zen = {
    .name = "zen",
    .reads_first = false,
    .kept_of_a_result = 3 / 8.,
    .interleaves = false,
    .least_fetched = 8 << 20,
    .least_short_tiles = 16 << 20,
    .move = {{2 << 20, 0, 1 / 64.}, {16 << 20, 0, 1 / 48.}, {32 << 20, 6, 1 / 10.}, {UINT64_MAX, 8, 1 / 25.}},
    .owners_start = 10000,
    .least_partitioned = INT64_MAX,
    .least_partitioned_by_two = 24 << 20,
};

/* The one that the environment names, if it names one; otherwise the one that is most like this CPU. */
static const strew_tuning *choose(void)
{
    static const strew_tuning *const all[] = {&xeon, &zen};
    const char *const name = getenv("STREW_TUNING");
    for (size_t t = 0; name && t < sizeof all / sizeof *all; t++)
        if (strcmp(name, all[t]->name) == 0)
            return all[t];
    return strew_cpu_detect().amd ? &zen : &xeon;
}

const strew_tuning *strew_tuning_active(void)
{
    static _Atomic(const strew_tuning *) active;
    const strew_tuning *chosen = atomic_load_explicit(&active, memory_order_relaxed);
    if (!chosen) {
        chosen = choose();
        atomic_store_explicit(&active, chosen, memory_order_relaxed);
    }
    return chosen;
}
