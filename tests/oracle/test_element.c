/* Tests the oracle's own arithmetic, which the other tests rely on. */
#include <math.h>

#include "element.h"
#include "test.h"

static void half_conversions_round_to_nearest_even(void **state)
{
    (void)state;
    static const struct {
        strew_dtype dtype;
        double value;
        uint16_t bits;
    } cases[] = {
        {STREW_DTYPE_FLOAT16, 1.0, 0x3c00},
        {STREW_DTYPE_FLOAT16, -2.0, 0xc000},
        {STREW_DTYPE_FLOAT16, -0.0, 0x8000},
        {STREW_DTYPE_FLOAT16, 65504.0, 0x7bff},           /* the greatest */
        {STREW_DTYPE_FLOAT16, 65519.0, 0x7bff},           /* rounds down to it */
        {STREW_DTYPE_FLOAT16, 65520.0, 0x7c00},           /* half way: even is infinity */
        {STREW_DTYPE_FLOAT16, 0x1p-24, 0x0001},           /* the least subnormal */
        {STREW_DTYPE_FLOAT16, 0x1p-25, 0x0000},           /* half way: even is zero */
        {STREW_DTYPE_FLOAT16, 0x1.8p-25, 0x0001},         /* more than half way */
        {STREW_DTYPE_FLOAT16, 0x1.8p-24, 0x0002},         /* half way between 1 and 2 units */
        {STREW_DTYPE_FLOAT16, 0x1p-14, 0x0400},           /* the least normal */
        {STREW_DTYPE_FLOAT16, 0x1p-14 - 0x1p-25, 0x0400}, /* rounds up into it */
        {STREW_DTYPE_FLOAT16, 1.0 + 0x1p-11, 0x3c00},     /* ties to even, down */
        {STREW_DTYPE_FLOAT16, 1.0 + 3 * 0x1p-11, 0x3c02}, /* and up */
        {STREW_DTYPE_BFLOAT16, 1.0, 0x3f80},
        {STREW_DTYPE_BFLOAT16, 1.0 + 0x1p-8, 0x3f80},
        {STREW_DTYPE_BFLOAT16, 1.0 + 3 * 0x1p-8, 0x3f82},
        {STREW_DTYPE_BFLOAT16, 0x1.fep127, 0x7f7f},
        {STREW_DTYPE_BFLOAT16, 0x1.ffp127, 0x7f80},
        {STREW_DTYPE_BFLOAT16, 0x1p-133, 0x0001},
        {STREW_DTYPE_BFLOAT16, (double)-INFINITY, 0xff80},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint16_t bits;
        element_store(cases[i].dtype, cases[i].value, &bits);
        assert_int_equal(bits, cases[i].bits);
    }
}

/* x + (-0) is x for every x: every half goes to a double and back. */
static void every_half_survives_adding_minus_zero(void **state)
{
    (void)state;
    static const strew_dtype halves[] = {STREW_DTYPE_FLOAT16, STREW_DTYPE_BFLOAT16};
    for (size_t h = 0; h < COUNT(halves); h++) {
        for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
            uint16_t target;
            uint16_t half = (uint16_t)bits;
            element_identity(halves[h], STREW_REDUCTION_SUM, &target);
            element_combine(halves[h], STREW_REDUCTION_SUM, &target, &half);
            assert_true(element_same(halves[h], &target, &half));
        }
    }
}

static float combine(strew_reduction reduction, float target, float update)
{
    element_combine(STREW_DTYPE_FLOAT32, reduction, &target, &update);
    return target;
}

static void min_and_max_propagate_nan_and_order_zeros(void **state)
{
    (void)state;
    static const strew_reduction reductions[] = {STREW_REDUCTION_MIN, STREW_REDUCTION_MAX};
    for (size_t r = 0; r < COUNT(reductions); r++) {
        assert_true(isnan(combine(reductions[r], NAN, 1.0f)));
        assert_true(isnan(combine(reductions[r], 1.0f, NAN)));
    }
    assert_true(signbit(combine(STREW_REDUCTION_MIN, 0.0f, -0.0f)));
    assert_true(signbit(combine(STREW_REDUCTION_MIN, -0.0f, 0.0f)));
    assert_false(signbit(combine(STREW_REDUCTION_MAX, 0.0f, -0.0f)));
    assert_false(signbit(combine(STREW_REDUCTION_MAX, -0.0f, 0.0f)));
}

static void integers_wrap(void **state)
{
    (void)state;
    int8_t target = INT8_MAX;
    int8_t update = 1;
    element_combine(STREW_DTYPE_INT8, STREW_REDUCTION_SUM, &target, &update);
    assert_int_equal(target, INT8_MIN);
    element_combine(STREW_DTYPE_INT8, STREW_REDUCTION_SUB, &target, &update);
    assert_int_equal(target, INT8_MAX);
    element_combine(STREW_DTYPE_INT8, STREW_REDUCTION_PROD, &target, &target);
    assert_int_equal(target, 1);
}

static void integer_means_round_toward_minus_infinity(void **state)
{
    (void)state;
    static const struct {
        int32_t sum, count, mean;
    } cases[] = {{7, 2, 3}, {-7, 2, -4}, {-6, 2, -3}, {-1, 3, -1}, {0, 5, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        int32_t target = cases[i].sum;
        element_divide(STREW_DTYPE_INT32, &target, cases[i].count);
        assert_int_equal(target, cases[i].mean);
    }
}

static void complex_products_are_those_of_complex_numbers(void **state)
{
    (void)state;
    float target[2] = {1, 2};
    const float update[2] = {3, 5};
    const float product[2] = {-7, 11};
    element_combine(STREW_DTYPE_COMPLEX64, STREW_REDUCTION_PROD, target, update);
    assert_memory_equal(target, product, sizeof product);
}

static void sameness_forgives_nothing_but_the_payload_of_a_nan(void **state)
{
    (void)state;
    const uint32_t quiet = 0x7fc00000, signalling = 0xff800001, infinity = 0x7f800000;
    const float zero = 0.0f, minus_zero = -0.0f;
    assert_true(element_same(STREW_DTYPE_FLOAT32, &quiet, &signalling));
    assert_false(element_same(STREW_DTYPE_UINT32, &quiet, &signalling));
    assert_false(element_same(STREW_DTYPE_FLOAT32, &quiet, &infinity));
    assert_false(element_same(STREW_DTYPE_FLOAT32, &zero, &minus_zero));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_conversions_round_to_nearest_even),
        cmocka_unit_test(every_half_survives_adding_minus_zero),
        cmocka_unit_test(min_and_max_propagate_nan_and_order_zeros),
        cmocka_unit_test(integers_wrap),
        cmocka_unit_test(integer_means_round_toward_minus_infinity),
        cmocka_unit_test(complex_products_are_those_of_complex_numbers),
        cmocka_unit_test(sameness_forgives_nothing_but_the_payload_of_a_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
