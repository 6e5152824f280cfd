/* What this CPU, under this operating system, can run. */
#ifndef STREW_DISPATCH_CPU_H
#define STREW_DISPATCH_CPU_H

#include <stdbool.h>

typedef struct strew_cpu {
    bool avx2;   /* with the operating system saving the YMM registers */
    bool f16c;   /* likewise */
    bool avx512; /* F, BW, DQ and VL, with the operating system saving the ZMM and mask registers */
    bool neon;
    bool amd; /* AMD made it */
} strew_cpu;

strew_cpu strew_cpu_detect(void);

/* What the CPU calls itself, or what it is called. */
enum { STREW_CPU_NAME_BYTES = 49 };
void strew_cpu_name(char name[STREW_CPU_NAME_BYTES]);

/* Bytes of the last-level cache, as far as the CPU or the operating system tells; otherwise 0. */
long strew_cpu_last_level_cache(void);

#endif
