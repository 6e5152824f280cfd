/* Threads with another rounding mode, or with subnormals flushed to zero, get the same results and keep their
 * settings. */
#include <fenv.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/float_state.h"
#include "call.h"
#include "test.h"

enum { ROWS = 40, WIDTH = 70, UPDATES = 4000 };

/* Settings of the calling thread and of the pool's threads; each changes some result. */
typedef struct setting {
    const char *name;
    int rounding;
    bool flushes;
} setting;

static const setting settings[] = {
#ifdef FE_UPWARD
    {"upward", FE_UPWARD, false},
#endif
#ifdef FE_DOWNWARD
    {"downward", FE_DOWNWARD, false},
#endif
#ifdef FE_TOWARDZERO
    {"toward zero", FE_TOWARDZERO, false},
#endif
    {"subnormals as zeros", FE_TONEAREST, true},
};

/* The bits of the register that make subnormals zeros, of operands and of results. 0: this CPU has no such. */
#if defined(__x86_64__) || defined(_M_X64) || defined(__SSE__)
enum { FLUSHING = 0x8040 };
#elif defined(__aarch64__) || defined(__arm__)
enum { FLUSHING = 1 << 24 };
#else
enum { FLUSHING = 0 };
#endif

static const setting *current;

static void apply(const setting *chosen)
{
    assert_int_equal(fesetround(chosen->rounding), 0);
    if (chosen->flushes)
        strew_float_state_write(strew_float_state_read() | FLUSHING);
}

static void check_and_reset(void)
{
    assert_int_equal(fegetround(), current->rounding);
    if (current->flushes)
        assert_int_equal(strew_float_state_read() & FLUSHING, FLUSHING);
    strew_float_state_write(strew_float_state_read() & ~(strew_float_state)FLUSHING);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
}

/* A pool is called with the settings of the caller, and its threads have them too. */
static void run_with_settings(void *pool, strew_task task, void *context, size_t count)
{
    (void)pool;
    check_and_reset();
    for (size_t i = 0; i < count; i++) {
        apply(current);
        task(context, i);
        check_and_reset();
    }
    apply(current);
}

static float data[ROWS * WIDTH], updates[UPDATES * WIDTH], expected[ROWS * WIDTH], output[ROWS * WIDTH];
static int64_t indices[UPDATES];

/* Numbers whose sums must be rounded, and subnormals. */
static void fill(float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = i % 3 ? (float)rand() / 7.0f : (float)(rand() % 1000 - 500) * 1e-44f;
}

static void scatter(strew_dtype dtype, strew_reduction reduction, float *result, const strew_parallel *parallel)
{
    const int64_t width = WIDTH * (int64_t)sizeof(float) / (int64_t)strew_dtype_size(dtype);
    const int64_t data_shape[] = {ROWS, width}, updates_shape[] = {UPDATES, width}, indices_shape[] = {UPDATES, 1};
    const strew_tensor table = {data, dtype, 2, data_shape, NULL}, written = {result, dtype, 2, data_shape, NULL};
    const strew_tensor rows = {indices, STREW_DTYPE_INT64, 2, indices_shape, NULL};
    const strew_tensor added = {updates, dtype, 2, updates_shape, NULL};
    strew_options options = call_options();
    options.parallel = parallel;
    const strew_status status = strew_scatter_nd(&table, &rows, &added, reduction, &written, &options);
    assert_int_equal(status, STREW_STATUS_OK);
}

static void check_same(strew_dtype dtype)
{
    const size_t size = strew_dtype_size(dtype) == 2 ? 2 : 4;
    for (size_t at = 0; at < sizeof output; at += size)
        if (memcmp((const char *)output + at, (const char *)expected + at, size) != 0)
            fail_msg("%s: byte %zu of %s differs", current->name, at, strew_dtype_name(dtype));
}

static void settings_change_no_result_and_stay(void **state)
{
    (void)state;
    static const strew_dtype dtypes[] = {STREW_DTYPE_FLOAT16, STREW_DTYPE_BFLOAT16,  STREW_DTYPE_FLOAT32,
                                         STREW_DTYPE_FLOAT64, STREW_DTYPE_COMPLEX64, STREW_DTYPE_COMPLEX128};
    static const strew_reduction reductions[] = {STREW_REDUCTION_SUM, STREW_REDUCTION_SUB, STREW_REDUCTION_PROD,
                                                 STREW_REDUCTION_MIN, STREW_REDUCTION_MAX};
    static const strew_parallel pool = {run_with_settings, NULL, 3};
    const strew_parallel *const pools[] = {NULL, &pool};
    fill(data, COUNT(data));
    fill(updates, COUNT(updates));
    for (size_t i = 0; i < COUNT(indices); i++)
        indices[i] = rand() % ROWS;
    for (size_t s = 0; s < COUNT(settings); s++)
        for (size_t d = 0; d < COUNT(dtypes); d++)
            for (size_t r = 0; r < COUNT(reductions); r++)
                for (size_t p = 0; p < COUNT(pools); p++) {
                    if (!strew_reduction_supports(reductions[r], dtypes[d]))
                        continue;
                    current = &settings[s];
                    scatter(dtypes[d], reductions[r], expected, NULL);
                    apply(current);
                    scatter(dtypes[d], reductions[r], output, pools[p]);
                    check_and_reset();
                    check_same(dtypes[d]);
                }
}

/* Under these settings the library would have other results if it did not set its own. */
static void settings_change_what_c_computes(void **state)
{
    (void)state;
    volatile float one = 1, little = 1e-10f, three = 3, subnormal = 1e-40f;
    for (size_t s = 0; s < COUNT(settings); s++) {
        volatile float sum = one + little, quotient = one / three, kept = subnormal + 0.0f;
        current = &settings[s];
        if (current->flushes && !FLUSHING)
            continue;
        apply(current);
        volatile float sum_then = one + little, quotient_then = one / three, kept_then = subnormal + 0.0f;
        check_and_reset();
        assert_true(sum != sum_then || quotient != quotient_then || kept != kept_then);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_change_no_result_and_stay),
        cmocka_unit_test(settings_change_what_c_computes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
