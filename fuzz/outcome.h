/*
 * The result of a call, and the expected one: the oracle's or, for packed elements, strew's own on one thread in
 * plain C.
 */
#ifndef STREW_FUZZ_OUTCOME_H
#define STREW_FUZZ_OUTCOME_H

#include "memory.h"

/* A call on memory of its own. */
typedef struct outcome {
    fuzz_call call;
    fuzz_memory memory;
    strew_status status;
    strew_error error;
    bool inspected;
} outcome;

/* A copy of the call on a copy of the memory; it points into itself: it is not to be moved. */
void outcome_begin(outcome *self, const fuzz_call *call, const fuzz_memory *memory);
void outcome_end(outcome *self);

/* For a run of inspected indices: the storage replaces the indices, which may be anywhere. */
void outcome_had_inspected(outcome *self);

/* Aborts unless it is the right outcome of this call on this memory. */
void outcome_check(const outcome *self, const fuzz_call *call, const fuzz_memory *memory);

/*
 * A part of that check, for any call: a refused call leaves all memory as it was, and an output that overlaps an
 * input is refused. `before` is the memory before the call.
 */
void outcome_check_memory(const outcome *self, const fuzz_memory *before);

/* The least: bytes that belong to no element of the output are as they were. */
void outcome_check_around(const outcome *self, const fuzz_memory *before);

/* Aborts unless both came to the same. */
void outcome_check_same(const outcome *self, const outcome *expected);

#endif
