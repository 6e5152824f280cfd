/* The amalgamation has the native kernels of the library's table, and picks the same ones. */
#include "test.h"

#include "strew/inspect.h"

/* The amalgamation's versions of these functions: see the prefix in CMakeLists.txt. */
size_t amalgamated_strew_kernel_count(void);
bool amalgamated_strew_kernel_at(size_t index, strew_isa isa, strew_kernel_info *info);
strew_isa_state amalgamated_strew_isa_get_state(strew_isa isa);
strew_isa amalgamated_strew_isa_active(void);
const char *amalgamated_strew_version(void);

static void is_the_same_version(void **state)
{
    (void)state;
    assert_string_equal(amalgamated_strew_version(), strew_version());
}

/* The amalgamation lacks sets that the library only emulates, or this CPU does not run them. */
static void has_the_native_instruction_sets(void **state)
{
    (void)state;
    for (strew_isa isa = STREW_ISA_BEST; isa < STREW_ISA_COUNT; isa++) {
        const strew_isa_state expected = strew_isa_get_state(isa), found = amalgamated_strew_isa_get_state(isa);
        if (expected == STREW_ISA_STATE_EMULATED)
            assert_in_range(found, STREW_ISA_STATE_ABSENT, STREW_ISA_STATE_UNAVAILABLE);
        else
            assert_int_equal(found, expected);
    }
    assert_int_equal(amalgamated_strew_isa_active(), strew_isa_active());
}

static void picks_the_same_kernels(void **state)
{
    (void)state;
    assert_int_equal(amalgamated_strew_kernel_count(), strew_kernel_count());
    for (strew_isa isa = STREW_ISA_BEST; isa < STREW_ISA_COUNT; isa++) {
        if (strew_isa_get_state(isa) != STREW_ISA_STATE_NATIVE)
            continue;
        for (size_t slot = 0; slot < strew_kernel_count(); slot++) {
            strew_kernel_info expected, found;
            assert_true(strew_kernel_at(slot, isa, &expected));
            assert_true(amalgamated_strew_kernel_at(slot, isa, &found));
            assert_string_equal(found.operation, expected.operation);
            assert_string_equal(found.operand, expected.operand);
            assert_int_equal(found.isa, expected.isa);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_same_version),
        cmocka_unit_test(has_the_native_instruction_sets),
        cmocka_unit_test(picks_the_same_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
