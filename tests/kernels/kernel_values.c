/* Special elements, and pools of random ones. */
#include "kernel_values.h"

#include "element.h"
#include "test.h"

/* ---- Special values ------------------------------------------------------------------------------ */

static strew_dtype bits_of_size(size_t size)
{
    static const strew_dtype bits[] = {
        [1] = STREW_DTYPE_UINT8, [2] = STREW_DTYPE_UINT16, [4] = STREW_DTYPE_UINT32, [8] = STREW_DTYPE_UINT64};
    return bits[size];
}

static size_t every_value(size_t size, char *values)
{
    const size_t count = (size_t)1 << 8 * size;
    for (size_t i = 0; i < count; i++)
        element_store_integer(bits_of_size(size), i, values + i * size);
    return count;
}

static size_t special_integers(size_t size, char *values)
{
    const strew_dtype bits = bits_of_size(size);
    char *end = values;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        const uint64_t power = UINT64_C(1) << bit;
        const uint64_t nearby[] = {power, power - 1, -power};
        for (size_t i = 0; i < COUNT(nearby); i++, end += size)
            element_store_integer(bits, nearby[i], end);
    }
    return (size_t)(end - values) / size;
}

static uint64_t real_bits(float_format format, uint64_t sign, uint64_t exponent, uint64_t mantissa)
{
    return (sign << format.exponent_bits | exponent) << format.mantissa_bits | mantissa;
}

static size_t special_reals(float_format format, size_t size, char *values)
{
    const uint64_t digits = (uint64_t)format.mantissa_bits;
    const uint64_t ones = (UINT64_C(1) << digits) - 1;
    const uint64_t quiet = UINT64_C(1) << (digits - 1);
    const uint64_t special = (UINT64_C(1) << format.exponent_bits) - 1;
    const uint64_t one = special / 2;
    const uint64_t mantissas[] = {0, 1, quiet - 1, quiet, ones};
    const uint64_t exponents[] = {0,           1,      one - digits - 1, one - 1, one, one + 1, one + digits,
                                  special - 1, special};
    char *end = values;
    for (size_t e = 0; e < COUNT(exponents); e++)
        for (size_t m = 0; m < COUNT(mantissas); m++)
            for (uint64_t sign = 0; sign < 2; sign++, end += size)
                element_store_integer(bits_of_size(size), real_bits(format, sign, exponents[e], mantissas[m]), end);
    return (size_t)(end - values) / size;
}

/* Every pair of one of each kind of real number. */
static size_t special_complex(float_format format, size_t size, char *values)
{
    const size_t part = size / 2;
    const uint64_t ones = (UINT64_C(1) << format.mantissa_bits) - 1;
    const uint64_t special = (UINT64_C(1) << format.exponent_bits) - 1;
    const uint64_t kinds[][2] = {
        {0, 0},       {0, 1},      {special / 2, 0}, {special / 2, 1}, {special / 2, ones}, {special - 1, ones},
        {special, 0}, {special, 1}};
    uint64_t parts[2 * COUNT(kinds)];
    for (size_t i = 0; i < COUNT(parts); i++)
        parts[i] = real_bits(format, i % 2, kinds[i / 2][0], kinds[i / 2][1]);
    for (size_t i = 0; i < COUNT(parts) * COUNT(parts); i++, values += size) {
        element_store_integer(bits_of_size(part), parts[i / COUNT(parts)], values);
        element_store_integer(bits_of_size(part), parts[i % COUNT(parts)], values + part);
    }
    return COUNT(parts) * COUNT(parts);
}

size_t values_special(strew_dtype dtype, char values[VALUES_MOST_BYTES])
{
    const size_t size = element_size(dtype);
    const float_format format = element_float_format(dtype);
    if (size == 1)
        return every_value(size, values);
    if (element_is_integer(dtype))
        return special_integers(size, values);
    return element_is_complex(dtype) ? special_complex(format, size, values) : special_reals(format, size, values);
}

size_t values_of_data(strew_dtype dtype, char *values)
{
    return element_size(dtype) == 2 ? every_value(2, values) : values_special(dtype, values);
}

/* ---- Pools --------------------------------------------------------------------------------------- */

static void empty_pool(value_pool *pool, strew_dtype dtype)
{
    pool->element = element_size(dtype);
    pool->count = sizeof pool->values / pool->element;
}

void value_pool_of_ordinary(value_pool *pool, random_source *random, strew_dtype dtype)
{
    empty_pool(pool, dtype);
    for (size_t i = 0; i < pool->count; i++)
        random_element(random, dtype, pool->values + i * pool->element);
}

void value_pool_of_special(value_pool *pool, random_source *random, strew_dtype dtype)
{
    char special[VALUES_MOST_BYTES];
    const size_t choices = values_special(dtype, special);
    empty_pool(pool, dtype);
    for (size_t i = 0; i < pool->count; i++)
        memcpy(pool->values + i * pool->element, special + random_bits(random) % choices * pool->element,
               pool->element);
}

void value_pool_draw(const value_pool *pool, random_source *random, char *target, size_t bytes)
{
    while (bytes > 0) {
        const size_t skipped = random_below(random, pool->count) * pool->element;
        const size_t left = pool->count * pool->element - skipped;
        const size_t drawn = bytes < left ? bytes : left;
        memcpy(target, pool->values + skipped, drawn);
        target += drawn;
        bytes -= drawn;
    }
}
