/*
 * Memory for scatters that partition or count. The last blocks are kept, for pages that the system has just given
 * cost as much as scratch gains. With the GIL held.
 */
#include "core.h"

#include <stdlib.h>

enum { BLOCKS_KEPT = 4 };
static const size_t MOST_BYTES_KEPT = (size_t)256 << 20; /* all blocks together */

static scratch kept[BLOCKS_KEPT];

size_t scratch_kept(void)
{
    size_t size = 0;
    for (int i = 0; i < BLOCKS_KEPT; i++)
        size += kept[i].size;
    return size;
}

static void forget(scratch *block)
{
    free(block->memory);
    *block = (scratch){NULL, 0};
}

/* The smallest block that is large enough, or NULL. */
static scratch *find(size_t size)
{
    scratch *best = NULL;
    for (int i = 0; i < BLOCKS_KEPT; i++)
        if (kept[i].size >= size && (!best || kept[i].size < best->size))
            best = &kept[i];
    return best;
}

static scratch *smallest(void)
{
    scratch *least = &kept[0];
    for (int i = 1; i < BLOCKS_KEPT; i++)
        if (kept[i].size < least->size)
            least = &kept[i];
    return least;
}

bool scratch_take(scratch *target, size_t size)
{
    scratch *const found = find(size);
    if (size == 0)
        return true;
    if (found) {
        *target = *found;
        *found = (scratch){NULL, 0};
        return true;
    }
    void *const memory = malloc(size);
    *target = (scratch){memory, memory ? size : 0};
    return memory != NULL;
}

/* Keeps a block in the place of the smallest, if that is smaller, and lets the small go while all are too many
 * bytes. */
void scratch_give_back(scratch *target)
{
    if (!target->memory)
        return;
    scratch *const place = smallest();
    if (target->size > MOST_BYTES_KEPT || target->size <= place->size) {
        forget(target);
        return;
    }
    forget(place);
    *place = *target;
    *target = (scratch){NULL, 0};
    for (int i = 0; i < BLOCKS_KEPT && scratch_kept() > MOST_BYTES_KEPT; i++)
        if (&kept[i] != place)
            forget(&kept[i]);
}
