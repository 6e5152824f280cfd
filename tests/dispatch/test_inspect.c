/* strew/inspect.h on things that do not exist. */
#include <strew/inspect.h>

#include "test.h"

static void kernels_that_there_are_not_are_not_told(void **state)
{
    (void)state;
    strew_kernel_info info = {.operation = NULL};
    assert_false(strew_kernel_at(strew_kernel_count(), STREW_ISA_SCALAR, &info));
    assert_false(strew_kernel_at(0, STREW_ISA_COUNT, &info));
    assert_null(info.operation);
    assert_false(strew_kernel_at(0, STREW_ISA_SCALAR, NULL));
    assert_true(strew_kernel_at(strew_kernel_count() - 1, STREW_ISA_SCALAR, &info));
    assert_int_equal(info.isa, STREW_ISA_SCALAR);
}

static void instruction_sets_that_nobody_knows_are_absent(void **state)
{
    (void)state;
    assert_int_equal(strew_isa_get_state(STREW_ISA_COUNT), STREW_ISA_STATE_ABSENT);
    assert_int_equal(strew_isa_get_state(STREW_ISA_SCALAR), STREW_ISA_STATE_NATIVE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_that_there_are_not_are_not_told),
        cmocka_unit_test(instruction_sets_that_nobody_knows_are_absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
