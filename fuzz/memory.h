/*
 * The memory of a call, exactly the bytes that its tensors reach: each operand has an allocation of its own or, to
 * overlap, lies in another's.
 */
#ifndef STREW_FUZZ_MEMORY_H
#define STREW_FUZZ_MEMORY_H

#include "fuzz_call.h"

typedef struct fuzz_memory {
    unsigned char *block[FUZZ_OPERANDS];
    size_t size[FUZZ_OPERANDS];
} fuzz_memory;

/* Finds how much memory the call needs, and places its operands in it. False if it is too much. */
bool fuzz_call_lay_out(fuzz_call *self, input *bytes, fuzz_memory *memory);

/* Allocates the memory and fills it: most indices may be valid. */
void fuzz_memory_create(fuzz_memory *memory, const fuzz_call *call, input *bytes);
void fuzz_memory_clone(fuzz_memory *copy, const fuzz_memory *memory);
void fuzz_memory_destroy(fuzz_memory *memory);
bool fuzz_memory_same(const fuzz_memory *memory, const fuzz_memory *other);

/* Points the call into memory, or, without any, nowhere. It then points into itself as well: it is not to be moved.
 */
void fuzz_call_attach(fuzz_call *self, const fuzz_memory *memory);

#endif
