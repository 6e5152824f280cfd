/* Options of callers that were compiled for version 0.2, whose structs end with `error`; no other size is
 * accepted. */
#include <stdlib.h>

#include "arguments.h"
#include "test.h"

enum {
    OPTIONS_OF_0_2 = offsetof(strew_options, bounds),
    PLAN_OPTIONS_OF_0_2 = offsetof(strew_plan_options, bounds),
    RUN_OPTIONS_OF_0_2 = offsetof(strew_run_options, fill),
    BEYOND = 16
};

/* The first so many bytes of options alone, in memory that ends there. */
static void *cut_to(const void *options, size_t whole, size_t size)
{
    const size_t kept = size < whole ? size : whole;
    char *const cut = calloc(1, size > sizeof size ? size : sizeof size);
    assert_non_null(cut);
    memcpy(cut, options, kept);
    memcpy(cut, &size, sizeof size);
    return cut;
}

/* Each runner gives the library options of that size; those beyond have a policy that it must not see. */
typedef strew_status sized_runner(const arguments *call, size_t size);

static strew_status run_sized(const arguments *call, size_t size)
{
    arguments copy = *call;
    copy.options.bounds = STREW_BOUNDS_SKIP;
    strew_options *const options = cut_to(&copy.options, sizeof copy.options, size);
    const operator_call operands = arguments_call(call);
    const strew_status status = call_operator(&operands, options);
    free(options);
    return status;
}

static strew_status plan_sized(const arguments *call, size_t size)
{
    strew_plan plan;
    strew_plan_options whole = call_plan_options(&call->options);
    whole.bounds = STREW_BOUNDS_SKIP;
    strew_plan_options *const options = cut_to(&whole, sizeof whole, size);
    const operator_call operands = arguments_call(call);
    strew_status status = call_plan(&operands, &plan, options);
    free(options);
    if (status != STREW_STATUS_OK)
        return status;
    const strew_buffers buffers = arguments_buffers(call);
    return strew_plan_run(&plan, &buffers, NULL);
}

static strew_status run_plan_sized(const arguments *call, size_t size)
{
    strew_plan plan;
    static const float fill = 55;
    strew_run_options whole = call_run_options(&call->options);
    whole.fill = &fill;
    assert_int_equal(arguments_plan(call, &plan), STREW_STATUS_OK);
    strew_run_options *const options = cut_to(&whole, sizeof whole, size);
    const strew_buffers buffers = arguments_buffers(call);
    const strew_status status = strew_plan_run(&plan, &buffers, options);
    free(options);
    return status;
}

static const struct sized {
    sized_runner *run;
    size_t size, size_of_0_2;
} sized[] = {
    {run_sized, sizeof(strew_options), OPTIONS_OF_0_2},
    {plan_sized, sizeof(strew_plan_options), PLAN_OPTIONS_OF_0_2},
    {run_plan_sized, sizeof(strew_run_options), RUN_OPTIONS_OF_0_2},
};

static void structs_of_0_2_are_taken_and_all_other_sizes_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t s = 0; s < COUNT(sized); s++)
            for (size_t size = 0; size <= sized[s].size + BEYOND; size++) {
                arguments call;
                arguments_create(&call, kinds[k]);
                const bool taken = size == sized[s].size || size == sized[s].size_of_0_2;
                const strew_status status = sized[s].run(&call, size);
                if (status != (taken ? STREW_STATUS_OK : STREW_STATUS_INVALID_ARGUMENT))
                    fail_msg("%s, struct %zu of %zu bytes: %s", kinds[k], s, size, strew_status_name(status));
            }
}

/* For a caller without policies, an index out of bounds is refused, and reported in its `error`. */
static void policies_of_structs_of_0_2_are_to_refuse(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t s = 0; s < 2; s++) {
            arguments call;
            arguments_create(&call, kinds[k]);
            ((int64_t *)call.tensor[INDICES].data)[1] = 33;
            assert_int_equal(sized[s].run(&call, sized[s].size), STREW_STATUS_OK);
            call.error.value = 0;
            assert_int_equal(sized[s].run(&call, sized[s].size_of_0_2), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        }
    arguments call;
    arguments_create(&call, "gather");
    ((int64_t *)call.tensor[INDICES].data)[1] = 33;
    assert_int_equal(run_sized(&call, OPTIONS_OF_0_2), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(call.error.value, 33);
}

/* For a caller without fills, skipped positions are zero. */
static void fills_of_structs_of_0_2_are_zero(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "gather");
    ((int64_t *)call.tensor[INDICES].data)[1] = 33;
    call.options.bounds = STREW_BOUNDS_SKIP;
    const float *const skipped = (const float *)call.tensor[OUTPUT].data + 4;
    assert_int_equal(run_plan_sized(&call, sizeof(strew_run_options)), STREW_STATUS_OK);
    assert_true(skipped[0] == 55 && skipped[3] == 55);
    assert_int_equal(run_plan_sized(&call, RUN_OPTIONS_OF_0_2), STREW_STATUS_OK);
    assert_true(skipped[0] == 0 && skipped[3] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_of_0_2_are_taken_and_all_other_sizes_refused),
        cmocka_unit_test(policies_of_structs_of_0_2_are_to_refuse),
        cmocka_unit_test(fills_of_structs_of_0_2_are_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
