/* Numbers from a fuzzer's bytes. When these are used up, all numbers are 0. */
#ifndef STREW_FUZZ_INPUT_H
#define STREW_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct input {
    const uint8_t *bytes;
    size_t left;
} input;

/* A number of so many bytes, at most 8. */
uint64_t input_bits(input *self, size_t bytes);

/* Below a limit that is at least 1. */
uint64_t input_below(input *self, uint64_t limit);

/* Between two numbers, both included. */
int64_t input_between(input *self, int64_t low, int64_t high);

/* True once in so many draws; false if no bytes are left. */
bool input_rarely(input *self, unsigned once_in);

/* Any number: mostly a small one, else one of those at which integers end, or any bits. */
int64_t input_number(input *self);

#endif
