/* The calls that check every kernel that picks owned rows. */
#include <inttypes.h>

#include "kernel_check.h"
#include "kernel_reference.h"
#include "test.h"

enum { OFFSETS, OTHERS, PICKED, PICKED_OTHERS };

typedef struct pick_case {
    size_t count;
    strew_ownership ownership;
    int64_t reach; /* offsets are below it, on both sides of 0 */
    operand_placement placement;
} pick_case;

static int64_t *place_array(const kernel_subject *subject, const pick_case *trial, int which, const char *name,
                            size_t count)
{
    operand *array = &subject->operands[which];
    operand_place(array, name, count * sizeof(int64_t), trial->placement, 0);
    return (int64_t *)(void *)array->begin;
}

/* An address from which no offset leaves the address space. */
static const char *random_address(random_source *random, int64_t reach)
{
    const uintptr_t room = UINTPTR_MAX - (uintptr_t)reach;
    return (const char *)((uintptr_t)reach / 2 + (uintptr_t)(random_bits(random) % room));
}

static pick_call place(const kernel_subject *subject, const pick_case *trial)
{
    int64_t *offsets = place_array(subject, trial, OFFSETS, "offsets", trial->count);
    int64_t *others = place_array(subject, trial, OTHERS, "others", trial->count);
    for (size_t i = 0; i < trial->count; i++) {
        offsets[i] = (int64_t)random_below(subject->random, (size_t)trial->reach) - trial->reach / 2;
        others[i] = (int64_t)random_bits(subject->random);
    }
    return (pick_call){
        .addressed = random_address(subject->random, trial->reach),
        .offsets = offsets,
        .others = others,
        .count = trial->count,
        .ownership = trial->ownership,
        .picked = place_array(subject, trial, PICKED, "picked", trial->count + STREW_PICK_ROOM),
        .picked_others =
            place_array(subject, trial, PICKED_OTHERS, "picked others", trial->count + STREW_PICK_ROOM),
    };
}

typedef struct kernel_call {
    strew_pick_kernel *kernel;
    const pick_call *arguments;
    size_t picks;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const pick_call *arguments = call->arguments;
    call->picks = call->kernel(arguments->addressed, arguments->offsets, arguments->others, arguments->count,
                               arguments->ownership, arguments->picked, arguments->picked_others);
}

static size_t make_expected(const kernel_subject *subject, const pick_call *call)
{
    pick_call expected = *call;
    expected.picked = (int64_t *)(void *)operand_expected(&subject->operands[PICKED], (char *)call->picked);
    expected.picked_others =
        (int64_t *)(void *)operand_expected(&subject->operands[PICKED_OTHERS], (char *)call->picked_others);
    if (!subject->reference)
        return reference_pick(&expected);
    kernel_call reference = {subject->reference->pick, &expected, 0};
    make_call(&reference);
    return reference.picks;
}

/* Ignores the bytes behind the picked positions: they may be anything. */
static void forgive_the_rest(const operand *array, const int64_t *picked, size_t picks)
{
    const char *rest = (const char *)(picked + picks);
    memcpy(operand_expected(array, rest), rest, array->bytes - picks * sizeof(int64_t));
}

static bool left_as_expected(const kernel_subject *subject, const pick_call *call, size_t picks)
{
    forgive_the_rest(&subject->operands[PICKED], call->picked, picks);
    forgive_the_rest(&subject->operands[PICKED_OTHERS], call->picked_others, picks);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return false;
    return true;
}

static bool print_case(const pick_case *trial)
{
    print_error("    count %zu, owner %" PRIu32 " of %" PRIu32 ", blocks of 2^%" PRId32 " bytes, reach %" PRId64
                ", %s\n",
                trial->count, trial->ownership.index, trial->ownership.count, trial->ownership.block_bits,
                trial->reach, placement_name(trial->placement));
    return false;
}

static bool check_case(const kernel_subject *subject, const pick_case *trial)
{
    const pick_call call = place(subject, trial);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    const size_t expected = make_expected(subject, &call);
    kernel_call checked = {subject->kernels->pick, &call, 0};
    if (!kernel_survives(subject, make_call, &checked))
        return print_case(trial);
    if (checked.picks != expected) {
        kernel_report(subject, "picked %zu of %zu, should be %zu", checked.picks, trial->count, expected);
        return print_case(trial);
    }
    return left_as_expected(subject, &call, expected) || print_case(trial);
}

static pick_case random_case(random_source *random, size_t count)
{
    static const uint32_t owners[] = {1, 2, 3, 7, 64, UINT32_MAX};
    const uint32_t most = owners[random_bits(random) % (sizeof owners / sizeof *owners)];
    return (pick_case){
        .count = count,
        .ownership = {(uint32_t)random_bits(random) % most, most, (int32_t)(6 + random_bits(random) % 7)},
        .reach = (int64_t)1 << (8 + random_bits(random) % (8 * sizeof(void *) - 24)),
        .placement = (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT),
    };
}

bool check_pick(const kernel_subject *subject)
{
    enum { ROUNDS = 30 };
    for (size_t count = 0; count <= 70; count++)
        for (int round = 0; round < ROUNDS; round++) {
            const pick_case trial = random_case(subject->random, count);
            if (!check_case(subject, &trial))
                return false;
        }
    return true;
}
