/* A few blocks are kept: pages that the system has just given would cost as much as scratch gains. */
#include "scratch.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* What is kept at most: as many blocks, of as many bytes each. */
enum { KEPT_BLOCKS = 4, KEPT_BYTES = 64 << 20 };

static _Atomic(strew_jax_scratch *) kept[KEPT_BLOCKS];

static strew_jax_scratch *allocate(size_t size)
{
    strew_jax_scratch *scratch = size <= SIZE_MAX - sizeof *scratch ? malloc(sizeof *scratch + size) : NULL;
    if (scratch != NULL)
        scratch->size = size;
    return scratch;
}

strew_jax_scratch *strew_jax_take_scratch(size_t size)
{
    if (size == 0)
        return NULL;
    for (size_t i = 0; i < KEPT_BLOCKS; i++) {
        strew_jax_scratch *scratch = atomic_exchange(&kept[i], NULL);
        if (scratch != NULL && scratch->size >= size)
            return scratch;
        free(scratch);
    }
    return allocate(size);
}

void strew_jax_give_scratch(strew_jax_scratch *scratch)
{
    if (scratch == NULL)
        return;
    for (size_t i = 0; scratch->size <= KEPT_BYTES && i < KEPT_BLOCKS; i++) {
        strew_jax_scratch *none = NULL;
        if (atomic_compare_exchange_strong(&kept[i], &none, scratch))
            return;
    }
    free(scratch);
}
