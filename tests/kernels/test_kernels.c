/*
 * Every kernel of every instruction set that runs here, whether natively or by emulation. The scalar kernels are
 * compared with the definitions of their families, and all others with the scalar kernel of their slot: a new
 * kernel is tested by being in its table.
 */
#include <stdio.h>
#include <stdlib.h>

#include <strew/inspect.h>

#include "dispatch/dispatch.h"
#include "kernel_check.h"
#include "test.h"

static const char *const family_names[FAMILY_COUNT] = {
#define NAME(CONSTANT, name) [FAMILY_##CONSTANT] = #name,
    KERNEL_FAMILIES(NAME)
#undef NAME
};

static kernel_check *const checks[FAMILY_COUNT] = {
    [FAMILY_RESOLVE] = check_resolve, [FAMILY_AMEND] = check_resolve,   [FAMILY_LOOKUP] = check_table,
    [FAMILY_PUT] = check_table,       [FAMILY_COMBINE] = check_combine, [FAMILY_GATHER] = check_move,
    [FAMILY_SCATTER] = check_move,    [FAMILY_FILL] = check_fill,       [FAMILY_REDUCE_ROWS] = check_reduce,
    [FAMILY_BAG] = check_bag,         [FAMILY_DIVIDE] = check_divide,   [FAMILY_PICK] = check_pick,
};

static operand operands[KERNEL_OPERANDS];

static int create_operands(void **state)
{
    (void)state;
    for (size_t i = 0; i < KERNEL_OPERANDS; i++)
        if (!operand_create(&operands[i]))
            return -1;
    return 0;
}

static int destroy_operands(void **state)
{
    (void)state;
    for (size_t i = 0; i < KERNEL_OPERANDS; i++)
        operand_destroy(&operands[i]);
    return 0;
}

/* One test: a family of kernels of one instruction set. */
typedef struct family_test {
    strew_isa isa;
    kernel_family family;
    char name[64];
} family_test;

static kernel_subject subject_of(const family_test *test, const kernel_slot *slot, random_source *random)
{
    return (kernel_subject){
        .isa = strew_isa_name(test->isa),
        .slot = slot,
        .kernels = strew_kernels_of(test->isa),
        .reference = test->isa == STREW_ISA_SCALAR ? NULL : strew_kernels_of(STREW_ISA_SCALAR),
        .operands = operands,
        .random = random,
    };
}

/* The slots are those that the library shows, in the same order. */
static bool is_borrowed(size_t slot, strew_isa isa)
{
    strew_kernel_info info;
    assert_true(strew_kernel_at(slot, isa, &info));
    return info.isa != isa;
}

static void skip_unless_it_runs(strew_isa isa)
{
    const strew_isa_state state = strew_isa_get_state(isa);
    if (state == STREW_ISA_STATE_NATIVE || state == STREW_ISA_STATE_EMULATED)
        return;
    print_message("%s is %s\n", strew_isa_name(isa), strew_isa_state_name(state));
    skip();
}

static void every_kernel_agrees_with_its_reference(void **state)
{
    const family_test *test = *state;
    random_source random = {random_seed()};
    size_t own = 0, borrowed = 0, wrong = 0;
    skip_unless_it_runs(test->isa);
    for (size_t i = 0; i < kernel_slot_count; i++) {
        const kernel_slot slot = kernel_slot_at(i);
        if (slot.family != test->family)
            continue;
        const kernel_subject subject = subject_of(test, &slot, &random);
        assert_non_null(kernel_in(subject.kernels, subject.slot));
        if (is_borrowed(i, test->isa)) {
            borrowed++;
        } else {
            own++;
            wrong += !checks[test->family](&subject);
        }
    }
    print_message("%s (%s): %zu kernels of its own, %zu borrowed\n", test->name,
                  strew_isa_state_name(strew_isa_get_state(test->isa)), own, borrowed);
    assert_int_equal(wrong, 0);
}

/* Leaves out all other families, or none. */
static void select_family(const char *family)
{
    static char pattern[64];
    snprintf(pattern, sizeof pattern, "* %s", family ? family : "*");
    cmocka_set_test_filter(pattern);
}

int main(void)
{
    static const strew_isa isas[] = {
#define ISA(CONSTANT, name) STREW_ISA_##CONSTANT,
        STREW_ISAS(ISA)
#undef ISA
    };
    static family_test states[COUNT(isas) * FAMILY_COUNT];
    static struct CMUnitTest tests[COUNT(states)];
    for (size_t i = 0; i < COUNT(tests); i++) {
        states[i].isa = isas[i / FAMILY_COUNT];
        states[i].family = (kernel_family)(i % FAMILY_COUNT);
        snprintf(states[i].name, sizeof states[i].name, "%s %s", strew_isa_name(states[i].isa),
                 family_names[states[i].family]);
        tests[i] =
            (struct CMUnitTest){states[i].name, every_kernel_agrees_with_its_reference, NULL, NULL, &states[i]};
    }
    select_family(getenv("STREW_TEST_FAMILY"));
    return cmocka_run_group_tests(tests, create_operands, destroy_operands);
}
