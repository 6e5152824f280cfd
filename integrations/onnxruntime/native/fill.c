#include "fill.h"

#include <string.h>

enum { BLOCK = 4096 }; /* bytes, a multiple of the size of every value */

strew_ort_fill strew_ort_fill_of(const strew_tensor *tensor, size_t bytes)
{
    strew_ort_fill fill = {.size = 0};
    const size_t bits = (size_t)strew_dtype_bits(tensor->dtype), size = bits / 8;
    const char *elements = tensor->data;
    /* Elements of 4 bits have values of no whole bytes. */
    if (bits % 8 || size == 0 || size > sizeof fill.value || bytes == 0)
        return fill;
    if (memcmp(elements, elements + size, bytes - size) != 0)
        return fill;
    memcpy(fill.value, elements, size);
    fill.size = size;
    return fill;
}

typedef struct parts {
    char *output;
    size_t blocks, bytes, count;
    char block[BLOCK];
} parts;

static void write_part(void *context, size_t index)
{
    const parts *all = context;
    const size_t end = (index + 1) * all->blocks / all->count;
    for (size_t at = index * all->blocks / all->count; at < end; at++) {
        const size_t begin = at * BLOCK, left = all->bytes - begin;
        memcpy(all->output + begin, all->block, left < BLOCK ? left : BLOCK);
    }
}

void strew_ort_fill_write(const strew_ort_fill *fill, void *output, size_t bytes, const strew_parallel *parallel)
{
    parts all = {.output = output, .blocks = (bytes + BLOCK - 1) / BLOCK, .bytes = bytes};
    all.count = parallel->threads;
    for (size_t i = 0; i < BLOCK && i < bytes; i += fill->size)
        memcpy(all.block + i, fill->value, fill->size);
    if (all.count > 1)
        parallel->run(parallel->pool, write_part, &all, all.count);
    else
        write_part(&all, 0);
}
