/*
 * Element arithmetic of the oracle. Real numbers are computed as doubles: one step of +, -, * or / on float32
 * operands, done in float64 and rounded to float32, has the bits of the float32 step, because float64 has more than
 * twice the digits.
 */
#include "element.h"

#include <math.h>
#include <string.h>

enum family { MOVED, TRUTH, SIGNED, UNSIGNED, REAL, COMPLEX };

typedef struct traits {
    enum family family;
    size_t size;
    float_format format;
} traits;

static const traits traits_of_dtypes[STREW_DTYPE_COUNT] = {
    [STREW_DTYPE_BOOL] = {TRUTH, 1, {0, 0}},
    [STREW_DTYPE_INT8] = {SIGNED, 1, {0, 0}},
    [STREW_DTYPE_INT16] = {SIGNED, 2, {0, 0}},
    [STREW_DTYPE_INT32] = {SIGNED, 4, {0, 0}},
    [STREW_DTYPE_INT64] = {SIGNED, 8, {0, 0}},
    [STREW_DTYPE_UINT8] = {UNSIGNED, 1, {0, 0}},
    [STREW_DTYPE_UINT16] = {UNSIGNED, 2, {0, 0}},
    [STREW_DTYPE_UINT32] = {UNSIGNED, 4, {0, 0}},
    [STREW_DTYPE_UINT64] = {UNSIGNED, 8, {0, 0}},
    [STREW_DTYPE_FLOAT16] = {REAL, 2, {10, 5}},
    [STREW_DTYPE_BFLOAT16] = {REAL, 2, {7, 8}},
    [STREW_DTYPE_FLOAT32] = {REAL, 4, {23, 8}},
    [STREW_DTYPE_FLOAT64] = {REAL, 8, {52, 11}},
    [STREW_DTYPE_COMPLEX64] = {COMPLEX, 8, {23, 8}},
    [STREW_DTYPE_COMPLEX128] = {COMPLEX, 16, {52, 11}},
    [STREW_DTYPE_STRING] = {MOVED, sizeof(strew_string), {0, 0}},
    [STREW_DTYPE_FLOAT8E4M3FN] = {MOVED, 1, {0, 0}},
    [STREW_DTYPE_FLOAT8E4M3FNUZ] = {MOVED, 1, {0, 0}},
    [STREW_DTYPE_FLOAT8E5M2] = {MOVED, 1, {0, 0}},
    [STREW_DTYPE_FLOAT8E5M2FNUZ] = {MOVED, 1, {0, 0}},
    [STREW_DTYPE_FLOAT8E8M0] = {MOVED, 1, {0, 0}},
    /* as whole bytes alone: test_packed.c */
    [STREW_DTYPE_UINT4] = {MOVED, 0, {0, 0}},
    [STREW_DTYPE_INT4] = {MOVED, 0, {0, 0}},
    [STREW_DTYPE_FLOAT4E2M1] = {MOVED, 0, {0, 0}},
    [STREW_DTYPE_UINT2] = {MOVED, 0, {0, 0}},
    [STREW_DTYPE_INT2] = {MOVED, 0, {0, 0}},
};

/* Invalid dtypes also have traits: elements of size 0. */
static traits traits_of(strew_dtype dtype)
{
    if (dtype & STREW_DTYPE_OPAQUE_BIT)
        return (traits){MOVED, dtype & ~STREW_DTYPE_OPAQUE_BIT, {0, 0}};
    return dtype < STREW_DTYPE_COUNT ? traits_of_dtypes[dtype] : (traits){MOVED, 0, {0, 0}};
}

static enum family family_of(strew_dtype dtype)
{
    return traits_of(dtype).family;
}

size_t element_size(strew_dtype dtype)
{
    return traits_of(dtype).size;
}

float_format element_float_format(strew_dtype dtype)
{
    return traits_of(dtype).format;
}

bool element_is_signed(strew_dtype dtype)
{
    return family_of(dtype) == SIGNED;
}

bool element_is_integer(strew_dtype dtype)
{
    return element_is_signed(dtype) || family_of(dtype) == UNSIGNED;
}

bool element_is_complex(strew_dtype dtype)
{
    return family_of(dtype) == COMPLEX;
}

/* ---- Integers ------------------------------------------------------------------------------------ */

uint64_t element_greatest(strew_dtype dtype)
{
    uint64_t all_bits = UINT64_MAX >> (64 - 8 * element_size(dtype));
    return element_is_signed(dtype) ? all_bits / 2 : all_bits;
}

uint64_t element_least(strew_dtype dtype)
{
    return element_is_signed(dtype) ? ~element_greatest(dtype) : 0;
}

uint64_t element_load_integer(strew_dtype dtype, const void *element)
{
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
    } narrow = {.u64 = 0};
    memcpy(&narrow, element, element_size(dtype));
    uint64_t value = 0;
    switch (element_size(dtype)) {
    case 1: value = narrow.u8; break;
    case 2: value = narrow.u16; break;
    case 4: value = narrow.u32; break;
    default: value = narrow.u64; break;
    }
    /* The negative values of a signed dtype are those above its greatest one. */
    return value > element_greatest(dtype) ? value | element_least(dtype) : value;
}

void element_store_integer(strew_dtype dtype, uint64_t value, void *element)
{
    switch (element_size(dtype)) {
    case 1: memcpy(element, &(uint8_t){(uint8_t)value}, 1); break;
    case 2: memcpy(element, &(uint16_t){(uint16_t)value}, 2); break;
    case 4: memcpy(element, &(uint32_t){(uint32_t)value}, 4); break;
    default: memcpy(element, &value, 8); break;
    }
}

static bool integer_less(strew_dtype dtype, uint64_t left, uint64_t right)
{
    return element_is_signed(dtype) ? (int64_t)left < (int64_t)right : left < right;
}

static void combine_integers(strew_dtype dtype, strew_reduction reduction, void *target, const void *update)
{
    uint64_t a = element_load_integer(dtype, target);
    uint64_t b = element_load_integer(dtype, update);
    switch (reduction) {
    case STREW_REDUCTION_SUB: a -= b; break;
    case STREW_REDUCTION_PROD: a *= b; break;
    case STREW_REDUCTION_MIN: a = integer_less(dtype, b, a) ? b : a; break;
    case STREW_REDUCTION_MAX: a = integer_less(dtype, a, b) ? b : a; break;
    default: a += b; break;
    }
    element_store_integer(dtype, a, target);
}

static uint64_t integer_identity(strew_dtype dtype, strew_reduction reduction)
{
    switch (reduction) {
    case STREW_REDUCTION_PROD: return 1;
    case STREW_REDUCTION_MIN: return element_greatest(dtype);
    case STREW_REDUCTION_MAX: return element_least(dtype);
    default: return 0;
    }
}

static void divide_integer(strew_dtype dtype, void *target, int64_t count)
{
    uint64_t sum = element_load_integer(dtype, target);
    uint64_t mean = sum / (uint64_t)count;
    if (element_is_signed(dtype)) {
        int64_t signed_sum = (int64_t)sum;
        mean = (uint64_t)(signed_sum / count - (signed_sum % count < 0));
    }
    element_store_integer(dtype, mean, target);
}

/* ---- bool ---------------------------------------------------------------------------------------- */

static void combine_truths(strew_reduction reduction, unsigned char *target, const unsigned char *update)
{
    bool a = *target != 0;
    bool b = *update != 0;
    switch (reduction) {
    case STREW_REDUCTION_SUB: *target = a != b; break;
    case STREW_REDUCTION_PROD:
    case STREW_REDUCTION_MIN: *target = a && b; break;
    default: *target = a || b; break;
    }
}

/* ---- Real numbers -------------------------------------------------------------------------------- */

static int exponent_bias(float_format format)
{
    return (1 << (format.exponent_bits - 1)) - 1;
}

/* The exponent of the lowest mantissa bit of the smallest normal number, and of every subnormal one. */
static int lowest_exponent(float_format format)
{
    return 1 - exponent_bias(format) - format.mantissa_bits;
}

static double load_half(float_format format, const void *element)
{
    unsigned bits = (unsigned)element_load_integer(STREW_DTYPE_UINT16, element);
    unsigned implicit_one = 1u << format.mantissa_bits;
    unsigned mantissa = bits & (implicit_one - 1);
    int exponent = (int)(bits >> format.mantissa_bits) & ((1 << format.exponent_bits) - 1);
    double magnitude;
    if (exponent == (1 << format.exponent_bits) - 1)
        magnitude = mantissa ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        magnitude = ldexp(mantissa, lowest_exponent(format));
    else
        magnitude = ldexp(mantissa + implicit_one, lowest_exponent(format) + exponent - 1);
    return bits >> 15 ? -magnitude : magnitude;
}

static void store_half(float_format format, double value, void *element)
{
    unsigned infinity = ((1u << format.exponent_bits) - 1) << format.mantissa_bits;
    unsigned bits = infinity;
    if (isnan(value)) {
        bits = infinity + 1;
    } else if (!isinf(value)) {
        /* value counted in units of its last place; halves go to the even count. */
        int exponent = 0;
        (void)frexp(value, &exponent);
        int unit = exponent - 1 - format.mantissa_bits;
        if (unit < lowest_exponent(format) || fpclassify(value) == FP_ZERO)
            unit = lowest_exponent(format);
        double count = rint(ldexp(fabs(value), -unit));
        /* The implicit bit, if there is one, carries into the exponent; so does a count that rounds up. */
        double pattern = ldexp(unit - lowest_exponent(format), format.mantissa_bits) + count;
        bits = pattern < infinity ? (unsigned)pattern : infinity;
    }
    element_store_integer(STREW_DTYPE_UINT16, signbit(value) ? bits | 0x8000u : bits, element);
}

static bool is_half(float_format format)
{
    return format.mantissa_bits + format.exponent_bits == 15;
}

static bool is_single(float_format format)
{
    return format.mantissa_bits == 23;
}

static double load_real(float_format format, const void *element)
{
    if (is_half(format))
        return load_half(format, element);
    if (is_single(format)) {
        float single;
        memcpy(&single, element, sizeof single);
        return (double)single;
    }
    double value;
    memcpy(&value, element, sizeof value);
    return value;
}

/* Halves are combined in float32, so that even they are rounded to that first. */
static double rounded(float_format format, double value)
{
    return format.mantissa_bits <= 23 ? (double)(float)value : value;
}

static void store_real(float_format format, double value, void *element)
{
    double result = rounded(format, value);
    if (is_half(format))
        store_half(format, result, element);
    else if (is_single(format))
        memcpy(element, &(float){(float)result}, sizeof(float));
    else
        memcpy(element, &result, sizeof result);
}

/* NaN if either is; -0 is less than +0. */
static double lesser(double a, double b)
{
    if (isnan(a) || isnan(b))
        return (double)NAN;
    if (a < b || (!(b < a) && signbit(a)))
        return a;
    return b;
}

static void combine_reals(float_format format, strew_reduction reduction, void *target, const void *update)
{
    double a = load_real(format, target);
    double b = load_real(format, update);
    switch (reduction) {
    case STREW_REDUCTION_SUB: a -= b; break;
    case STREW_REDUCTION_PROD: a *= b; break;
    case STREW_REDUCTION_MIN: a = lesser(a, b); break;
    case STREW_REDUCTION_MAX: a = -lesser(-a, -b); break;
    default: a += b; break;
    }
    store_real(format, a, target);
}

static double real_identity(strew_reduction reduction)
{
    switch (reduction) {
    case STREW_REDUCTION_SUB: return 0.0;
    case STREW_REDUCTION_PROD: return 1.0;
    case STREW_REDUCTION_MIN: return (double)INFINITY;
    case STREW_REDUCTION_MAX: return (double)-INFINITY;
    default: return -0.0;
    }
}

static void divide_real(float_format format, void *target, int64_t count)
{
    store_real(format, load_real(format, target) / (double)count, target);
}

/* ---- Complex numbers ----------------------------------------------------------------------------- */

static size_t part_size(float_format format)
{
    return is_single(format) ? sizeof(float) : sizeof(double);
}

static void multiply_complex(float_format format, char *target, const char *update)
{
    size_t imaginary = part_size(format);
    double a = load_real(format, target);
    double b = load_real(format, target + imaginary);
    double c = load_real(format, update);
    double d = load_real(format, update + imaginary);
    store_real(format, rounded(format, a * c) - rounded(format, b * d), target);
    store_real(format, rounded(format, a * d) + rounded(format, b * c), target + imaginary);
}

static void combine_complex(float_format format, strew_reduction reduction, char *target, const char *update)
{
    size_t imaginary = part_size(format);
    if (reduction == STREW_REDUCTION_PROD) {
        multiply_complex(format, target, update);
        return;
    }
    combine_reals(format, reduction, target, update);
    combine_reals(format, reduction, target + imaginary, update + imaginary);
}

/* ---- Any element --------------------------------------------------------------------------------- */

double element_load(strew_dtype dtype, const void *element)
{
    return load_real(element_float_format(dtype), element);
}

void element_store(strew_dtype dtype, double value, void *element)
{
    float_format format = element_float_format(dtype);
    switch (family_of(dtype)) {
    case COMPLEX:
        store_real(format, value, element);
        store_real(format, 0.0, (char *)element + part_size(format));
        break;
    case REAL: store_real(format, value, element); break;
    case SIGNED: element_store_integer(dtype, (uint64_t)(int64_t)value, element); break;
    default: element_store_integer(dtype, (uint64_t)value, element); break;
    }
}

bool element_reduces(strew_dtype dtype, strew_reduction reduction)
{
    static const unsigned numeric = (1u << STREW_REDUCTION_COUNT) - 1;
    static const unsigned ordered = 1u << STREW_REDUCTION_MIN | 1u << STREW_REDUCTION_MAX;
    static const unsigned mean = 1u << STREW_REDUCTION_MEAN;
    static const unsigned reductions[] = {
        [MOVED] = 1u << STREW_REDUCTION_NONE,
        [TRUTH] = numeric & ~mean,
        [SIGNED] = numeric,
        [UNSIGNED] = numeric,
        [REAL] = numeric,
        [COMPLEX] = numeric & ~ordered,
    };
    return reductions[family_of(dtype)] >> reduction & 1u;
}

void element_combine(strew_dtype dtype, strew_reduction reduction, void *target, const void *update)
{
    float_format format = element_float_format(dtype);
    if (reduction == STREW_REDUCTION_NONE) {
        memcpy(target, update, element_size(dtype));
        return;
    }
    switch (family_of(dtype)) {
    case TRUTH: combine_truths(reduction, target, update); break;
    case SIGNED:
    case UNSIGNED: combine_integers(dtype, reduction, target, update); break;
    case REAL: combine_reals(format, reduction, target, update); break;
    case COMPLEX: combine_complex(format, reduction, target, update); break;
    case MOVED: break;
    }
}

void element_identity(strew_dtype dtype, strew_reduction reduction, void *target)
{
    float_format format = element_float_format(dtype);
    switch (family_of(dtype)) {
    case TRUTH:
        element_store_integer(dtype, reduction == STREW_REDUCTION_PROD || reduction == STREW_REDUCTION_MIN, target);
        break;
    case SIGNED:
    case UNSIGNED: element_store_integer(dtype, integer_identity(dtype, reduction), target); break;
    case REAL: store_real(format, real_identity(reduction), target); break;
    case COMPLEX:
        store_real(format, real_identity(reduction), target);
        store_real(format, reduction == STREW_REDUCTION_PROD ? 0.0 : real_identity(reduction),
                   (char *)target + part_size(format));
        break;
    case MOVED: break;
    }
}

void element_divide(strew_dtype dtype, void *target, int64_t count)
{
    float_format format = element_float_format(dtype);
    if (element_is_integer(dtype)) {
        divide_integer(dtype, target, count);
        return;
    }
    divide_real(format, target, count);
    if (element_is_complex(dtype))
        divide_real(format, (char *)target + part_size(format), count);
}

static bool same_reals(float_format format, const char *left, const char *right, size_t size)
{
    return memcmp(left, right, size) == 0 || (isnan(load_real(format, left)) && isnan(load_real(format, right)));
}

bool element_same(strew_dtype dtype, const void *left, const void *right)
{
    size_t size = element_size(dtype);
    float_format format = element_float_format(dtype);
    if (format.mantissa_bits == 0)
        return memcmp(left, right, size) == 0;
    if (!element_is_complex(dtype))
        return same_reals(format, left, right, size);
    const char *a = left;
    const char *b = right;
    return same_reals(format, a, b, size / 2) && same_reals(format, a + size / 2, b + size / 2, size / 2);
}
