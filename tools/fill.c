#include "fill.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* Whether strtod and its kin read the whole text. */
static bool is_whole(const char *text, const char *end)
{
    return *text && !*end;
}

bool fill_is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return is_whole(text, end);
}

static bool take_signed(const char *text, size_t size, uint64_t *bits)
{
    const int64_t greatest = INT64_MAX >> (64 - 8 * size);
    char *end;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    *bits = (uint64_t)value;
    return is_whole(text, end) && !errno && value >= -greatest - 1 && value <= greatest;
}

static bool take_unsigned(const char *text, uint64_t greatest, uint64_t *bits)
{
    char *end;
    errno = 0;
    *bits = strtoull(text, &end, 10);
    return is_whole(text, end) && !errno && !strchr(text, '-') && *bits <= greatest;
}

static void put_integer(size_t size, uint64_t bits, fill_element *element)
{
    switch (size) {
    case 1: element->byte = (uint8_t)bits; break;
    case 2: element->of_2 = (uint16_t)bits; break;
    case 4: element->of_4 = (uint32_t)bits; break;
    default: element->of_8 = bits; break;
    }
}

static bool take_integer(const char *text, strew_dtype dtype, fill_element *element)
{
    const size_t size = strew_dtype_size(dtype);
    uint64_t bits;
    const bool is_signed = dtype >= STREW_DTYPE_INT8 && dtype <= STREW_DTYPE_INT64;
    const uint64_t greatest = dtype == STREW_DTYPE_BOOL ? 1 : UINT64_MAX >> (64 - 8 * size);
    const bool fits = is_signed ? take_signed(text, size, &bits) : take_unsigned(text, greatest, &bits);
    put_integer(size, bits, element);
    return fits;
}

/* Numbers that are too small round. Numbers that are too large are refused, unless the text says infinity. */
static bool take_single(const char *text, fill_element *element)
{
    errno = 0;
    element->single[0] = strtof(text, NULL);
    return !(errno && isinf(element->single[0]));
}

static bool take_twofold(const char *text, fill_element *element)
{
    errno = 0;
    element->twofold[0] = strtod(text, NULL);
    return !(errno && isinf(element->twofold[0]));
}

int fill_from_number(const char *text, strew_dtype dtype, fill_element *element)
{
    bool fits;
    memset(element, 0, sizeof *element);
    if (dtype >= STREW_DTYPE_BOOL && dtype <= STREW_DTYPE_UINT64)
        fits = take_integer(text, dtype, element);
    else if (dtype == STREW_DTYPE_FLOAT32 || dtype == STREW_DTYPE_COMPLEX64)
        fits = take_single(text, element);
    else if (dtype == STREW_DTYPE_FLOAT64 || dtype == STREW_DTYPE_COMPLEX128)
        fits = take_twofold(text, element);
    else
        return fail(STREW_STATUS_UNSUPPORTED_DTYPE, "--fill takes no number for data of %s, only a .npy file",
                    strew_dtype_name(dtype));
    return fits ? EXIT_DONE
                : fail(STREW_STATUS_INVALID_ARGUMENT, "--fill is %s, which %s does not hold", text,
                       strew_dtype_name(dtype));
}

int fill_check_array(const npy_array *fill, const npy_array *data)
{
    int64_t count = 1;
    for (int32_t d = 0; d < fill->rank; d++)
        count *= fill->shape[d];
    if (count != 1)
        return fail(STREW_STATUS_SHAPE_MISMATCH, "fill has %" PRId64 " elements; one is needed", count);
    if (fill->dtype != data->dtype)
        return fail(STREW_STATUS_DTYPE_MISMATCH, "fill is %s; %s is needed, as in data",
                    strew_dtype_name(fill->dtype), strew_dtype_name(data->dtype));
    return EXIT_DONE;
}
