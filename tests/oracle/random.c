/* Random numbers, shapes, strides and elements. */
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"

/* ---- Numbers ------------------------------------------------------------------------------------- */

/* splitmix64 (Steele, Lea, Flood 2014): any seed will do, and so will one seed next to another. */
uint64_t random_bits(random_source *source)
{
    source->state += 0x9e3779b97f4a7c15u;
    uint64_t bits = source->state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

int64_t random_between(random_source *source, int64_t low, int64_t high)
{
    uint64_t choices = (uint64_t)high - (uint64_t)low + 1;
    uint64_t bits = random_bits(source);
    return (int64_t)((uint64_t)low + (choices ? bits % choices : bits));
}

size_t random_below(random_source *source, size_t limit)
{
    return (size_t)random_between(source, 0, (int64_t)limit - 1);
}

bool random_chance(random_source *source, int percent)
{
    return random_between(source, 1, 100) <= percent;
}

void random_order(random_source *source, size_t count, int64_t *order)
{
    for (int64_t i = 0; i < (int64_t)count; i++) {
        const int64_t other = random_between(source, 0, i);
        order[i] = order[other];
        order[other] = i;
    }
}

uint64_t random_seed(void)
{
    const char *text = getenv("STREW_TEST_SEED");
    return text ? strtoull(text, NULL, 0) : 20240229;
}

/* ---- Shapes and strides -------------------------------------------------------------------------- */

/* The longest that the next of `left` dimensions may be: a favourite length, or a fair share of the budget. */
static int64_t random_limit(random_source *source, int64_t budget, int32_t left)
{
    static const int64_t favourites[] = {1, 2, 3, 5, 9, 17, 70, 300};
    double share = pow((double)budget, 1.0 / left);
    int64_t limit = (int64_t)(1.5 * share) + 1;
    if (left <= 4 && random_chance(source, 50))
        limit = favourites[random_between(source, 0, sizeof favourites / sizeof *favourites - 1)];
    return limit < budget ? limit : budget;
}

void random_shape(random_source *source, int32_t rank, int64_t budget, int64_t *shape)
{
    int32_t first = rank > 0 ? (int32_t)random_between(source, 0, rank - 1) : 0;
    for (int32_t i = 0; i < rank; i++) {
        int64_t dimension = random_between(source, 1, random_limit(source, budget, rank - i));
        shape[(first + i) % rank] = dimension;
        budget /= dimension;
    }
    if (rank > 0 && random_chance(source, 3))
        shape[first] = 0;
}

/* Each stride steps over the reach of the smaller ones, with random gaps and signs. */
static void apart_strides(random_source *source, int32_t rank, const int64_t *shape, int64_t *strides)
{
    bool transposed = random_chance(source, 40);
    bool padded = random_chance(source, 50);
    bool backwards = random_chance(source, 40);
    int64_t order[STREW_MAX_RANK];
    random_order(source, (size_t)rank, order);
    int64_t reached = 1;
    for (int32_t i = 0; i < rank; i++) {
        int32_t d = transposed ? (int32_t)order[i] : rank - 1 - i;
        int64_t stride = reached + (padded ? random_between(source, 0, 3) : 0);
        if (shape[d] <= 1) {
            strides[d] = random_between(source, -5, 5);
            continue;
        }
        strides[d] = backwards && random_chance(source, 50) ? -stride : stride;
        reached += stride * (shape[d] - 1);
    }
}

/* Overlaps that only an input may have: expanded inner dimensions, expanded single ones, sliding windows. */
static void overlap_strides(random_source *source, int32_t rank, int64_t *strides)
{
    int64_t way = random_between(source, 0, 2);
    int64_t first = random_between(source, 0, rank);
    for (int32_t d = 0; d < rank; d++) {
        if (way == 0 && d >= first)
            strides[d] = 0;
        else if (way == 1 && random_chance(source, 30))
            strides[d] = 0;
        else if (way == 2)
            strides[d] = random_between(source, -5, 5);
    }
}

static const int64_t *random_strides(random_source *source, int32_t rank, const int64_t *shape,
                                     random_layout layout, int64_t *strides)
{
    if (layout == LAYOUT_PLAIN || random_chance(source, 40))
        return NULL;
    apart_strides(source, rank, shape, strides);
    if (layout == LAYOUT_INPUT && random_chance(source, 60))
        overlap_strides(source, rank, strides);
    return strides;
}

/* ---- Elements ------------------------------------------------------------------------------------ */

static void random_bytes(random_source *source, unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)random_bits(source);
}

static uint64_t random_integer(random_source *source, strew_dtype dtype)
{
    switch (random_between(source, 0, 5)) {
    case 0: return element_greatest(dtype) - random_bits(source) % 2;
    case 1: return element_least(dtype) + random_bits(source) % 2;
    case 2: return random_bits(source);
    default: return (uint64_t)random_between(source, element_is_signed(dtype) ? -9 : 0, 9);
    }
}

/*
 * The bits of a real number. Ordinary ones have a full mantissa and a size about 1, so that rounding shows the
 * order of a sum. Special ones have an exponent and a mantissa from the ends of their ranges: that makes zeros,
 * subnormals, the least and greatest normal numbers, infinities, quiet and signalling NaN.
 */
static uint64_t random_real(random_source *source, float_format format)
{
    uint64_t mantissas = UINT64_C(1) << format.mantissa_bits;
    uint64_t exponents = UINT64_C(1) << format.exponent_bits;
    uint64_t mantissa = random_bits(source) % mantissas;
    uint64_t exponent = (uint64_t)random_between(source, (int64_t)exponents / 2 - 4, (int64_t)exponents / 2 + 3);
    if (random_chance(source, 12)) {
        const uint64_t special_mantissas[] = {0, 0, 1, mantissas - 1, mantissa};
        const uint64_t special_exponents[] = {0, 0, 1, exponents - 2, exponents - 1};
        mantissa = special_mantissas[random_between(source, 0, 4)];
        exponent = special_exponents[random_between(source, 0, 4)];
    }
    uint64_t sign = random_bits(source) % 2;
    return (sign << format.exponent_bits | exponent) << format.mantissa_bits | mantissa;
}

static void random_string(random_source *source, void *element)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    size_t start = (size_t)random_between(source, 0, (int64_t)sizeof text - 1);
    size_t size = (size_t)random_between(source, 0, (int64_t)(sizeof text - 1 - start));
    memcpy(element, &(strew_string){text + start, size}, sizeof(strew_string));
}

void random_element(random_source *source, strew_dtype dtype, void *element)
{
    static const unsigned char truths[] = {0, 1, 0, 1, 2, 255};
    float_format format = element_float_format(dtype);
    if (dtype == STREW_DTYPE_BOOL) {
        memcpy(element, &truths[random_between(source, 0, 5)], 1);
    } else if (element_is_integer(dtype)) {
        element_store_integer(dtype, random_integer(source, dtype), element);
    } else if (format.mantissa_bits > 0) {
        size_t parts = element_is_complex(dtype) ? 2 : 1;
        size_t size = element_size(dtype) / parts;
        strew_dtype pattern = size == 2 ? STREW_DTYPE_UINT16 : size == 4 ? STREW_DTYPE_UINT32 : STREW_DTYPE_UINT64;
        for (size_t part = 0; part < parts; part++)
            element_store_integer(pattern, random_real(source, format), (char *)element + part * size);
    } else if (dtype == STREW_DTYPE_STRING) {
        random_string(source, element);
    } else {
        random_bytes(source, element, element_size(dtype));
    }
}

void random_tensor(random_source *source, test_tensor *tensor, strew_dtype dtype, int32_t rank,
                   const int64_t *shape, random_layout layout)
{
    int64_t stride_storage[STREW_MAX_RANK];
    const int64_t *strides = random_strides(source, rank, shape, layout, stride_storage);
    /* A sanitizer finds reads beyond an input; guards find writes beyond an output without one. */
    size_t front = layout == LAYOUT_PLAIN ? 0 : (size_t)random_between(source, 0, 15);
    size_t back = layout == LAYOUT_OUTPUT && random_chance(source, 50) ? 64 : 0;
    tensor_create(tensor, dtype, rank, shape, strides, front, back);
    random_bytes(source, tensor->memory, tensor->size);
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, &tensor->view); more; more = position_next(position, &tensor->view))
        random_element(source, dtype, tensor_element(&tensor->view, position));
    if (shape_count(shape, rank) == 0 && random_chance(source, 50))
        tensor->view.data = NULL;
}
