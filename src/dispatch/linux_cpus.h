/* Reads what Linux tells about its CPUs in files. */
#ifndef STREW_DISPATCH_LINUX_CPUS_H
#define STREW_DISPATCH_LINUX_CPUS_H

#include "dispatch/cpu.h"

enum { STREW_LINUX_NAMES_BYTES = 96 };

typedef struct strew_linux_cpus {
    char names[STREW_LINUX_NAMES_BYTES]; /* of the kinds of ARM's cores, each once; empty on other CPUs */
    long cache_bytes[STREW_CPU_CACHES];  /* of the first CPU; 0: not told */
    bool differ;                         /* some have an eighth more capacity than others */
} strew_linux_cpus;

/* Reads below a directory: "" is this machine's. Other systems have no such files. */
void strew_linux_cpus_read(strew_linux_cpus *cpus, const char *root);

#endif
