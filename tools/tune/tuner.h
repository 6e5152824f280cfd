/* Measures calls under several tunings, in turns, and holds the fastest tuning so far. */
#ifndef STREW_TOOLS_TUNE_TUNER_H
#define STREW_TOOLS_TUNE_TUNER_H

#include <stdio.h>

#include "call.h"
#include "dispatch/tuning_numbers.h"

enum { TUNER_CANDIDATES = 6 };

typedef struct tuner {
    memory memory;
    const strew_parallel *parallel; /* two threads, or NULL */
    double slice;                   /* seconds for each measurement */
    bool explains;                  /* prints what it measures */
    strew_tuning best;
} tuner;

/* Tunings that are measured against each other. */
typedef struct candidates {
    size_t count;
    strew_tuning each[TUNER_CANDIDATES];
} candidates;

/* Adds that which is best so far, with one number changed. */
strew_tuning *candidates_add(candidates *self, const tuner *of, const strew_tuning_number *number, double value);

/* Seconds of a call under each candidate, of its fastest turn: others may use the machine. Returns an exit status.
 */
int tuner_measure(tuner *self, const call *asked, const candidates *among, double seconds[TUNER_CANDIDATES]);

/* A number of the list by its name. */
const strew_tuning_number *number_named(const char *name);

/* Makes every choice in turn (choices.c). Returns an exit status. */
int tuner_choose(tuner *self);

/* Writes the result: a line for the environment, or C for tuning.c (write.c). */
void write_line(FILE *out, const strew_tuning *tuning);
void write_source(FILE *out, const strew_tuning *tuning, const long cache_bytes[STREW_CPU_CACHES]);

#endif
