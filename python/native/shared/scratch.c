/* A few blocks are kept: to fault in fresh pages would cost as much as scratch gains. */
#include "shared/scratch.h"

#include "shared/pages.h"

#include <stdatomic.h>
#include <stdlib.h>

struct scratch_block {
    size_t size;
    unsigned char bytes[];
};

/* The limits of the kept blocks: their number, and their bytes together. */
enum { KEPT_BLOCKS = 4, KEPT_BYTES = 256 << 20 };

static _Atomic(scratch_block *) kept[KEPT_BLOCKS];
static atomic_size_t kept_bytes;

static scratch_block *allocate(size_t size)
{
    scratch_block *const block = size <= SIZE_MAX - sizeof *block ? malloc(sizeof *block + size) : NULL;
    if (!block)
        return NULL;
    prefer_huge_pages(block, size);
    block->size = size;
    return block;
}

/* A block of at least `size` bytes; kept ones that are smaller make place for it. NULL if there is no memory. */
static scratch_block *take(size_t size)
{
    for (size_t i = 0; i < KEPT_BLOCKS; i++) {
        scratch_block *const block = atomic_exchange(&kept[i], NULL);
        if (!block)
            continue;
        atomic_fetch_sub(&kept_bytes, block->size);
        if (block->size >= size)
            return block;
        free(block);
    }
    return allocate(size);
}

bool scratch_lend(const strew_plan *plan, size_t threads, strew_run_options *options, scratch_block **lent)
{
    const size_t best = strew_plan_scratch_size(plan, threads),
                 least = strew_plan_least_scratch_size(plan, threads);
    *lent = best > 0 ? take(best) : NULL;
    if (!*lent && least > 0)
        *lent = take(least);
    if (!*lent)
        return least == 0;
    options->scratch = (*lent)->bytes;
    options->scratch_size = (*lent)->size;
    return true;
}

void scratch_give_back(scratch_block *lent)
{
    if (!lent)
        return;
    const size_t size = lent->size; /* once the block is kept, another thread may take it */
    const bool fits = size <= KEPT_BYTES && atomic_fetch_add(&kept_bytes, size) <= KEPT_BYTES - size;
    for (size_t i = 0; fits && i < KEPT_BLOCKS; i++) {
        scratch_block *none = NULL;
        if (atomic_compare_exchange_strong(&kept[i], &none, lent))
            return;
    }
    if (size <= KEPT_BYTES)
        atomic_fetch_sub(&kept_bytes, size);
    free(lent);
}

size_t scratch_kept(void)
{
    return atomic_load(&kept_bytes);
}
