/*
 * Finds out what this CPU is and what it can run under this operating system. Each fact is read once and
 * remembered.
 */
#ifndef STREW_DISPATCH_CPU_H
#define STREW_DISPATCH_CPU_H

#include <stdlib.h>

#include "strew/strew.h"

enum {
    STREW_CPU_AVX2 = 1u << 0,   /* and F16C and FMA, and the operating system saves the YMM registers */
    STREW_CPU_AVX512 = 1u << 1, /* F, BW, DQ and VL, and the operating system saves the ZMM and mask registers */
    STREW_CPU_NEON = 1u << 2,
    STREW_CPU_NEON_FP16 = 1u << 3 /* FEAT_FP16: vectors of float16 are combined */
};

/* Returns a variable of the environment, or NULL. Programs without an operating system have none. */
static inline const char *strew_cpu_variable(const char *name)
{
#ifdef STREW_WITHOUT_ENVIRONMENT
    (void)name;
    return NULL;
#else
    return getenv(name);
#endif
}

/* Returns the STREW_CPU_* bits of this CPU. */
uint32_t strew_cpu_features(void);

/* Writes the CPU's name and those of its extensions that strew uses. */
enum { STREW_CPU_TEXT_BYTES = 160 };
void strew_cpu_text(char text[STREW_CPU_TEXT_BYTES]);

/* The data caches that a core has or shares. Without a third level, the second is the last. */
typedef enum strew_cpu_cache {
    STREW_CPU_FIRST_LEVEL,
    STREW_CPU_SECOND_LEVEL,
    STREW_CPU_LAST_LEVEL,
    STREW_CPU_CACHES
} strew_cpu_cache;

/* Returns the bytes of a cache; 0 if neither the CPU nor the operating system reports them. */
long strew_cpu_cache_bytes(strew_cpu_cache cache);

/* Whether some cores are faster than others, as far as the operating system tells. */
bool strew_cpu_cores_differ(void);

#endif
