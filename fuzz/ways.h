/* The ways in which the library runs a call: instruction sets, threads, tunings, plans and inspections. */
#ifndef STREW_FUZZ_WAYS_H
#define STREW_FUZZ_WAYS_H

#include "memory.h"

/* Makes strew choose as on the machine that the call names. */
void fuzz_call_tune(const fuzz_call *self);

/* Runs the call by the library, with these options but the call's own flags and policy. */
strew_status fuzz_call_run(const fuzz_call *self, call_way way, call_scratch scratch, const strew_options *options);

/* Plans the call without memory. */
void fuzz_call_plan_alone(fuzz_call *self);

/* An instruction set that runs here, and up to 4 threads, whose tasks run one after another, the last one first. */
strew_isa fuzz_isa(input *bytes);
const strew_parallel *fuzz_threads(input *bytes);

#endif
