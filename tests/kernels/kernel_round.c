/* The calls that every kernel that rounds sums to halves is checked with. */
#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { TARGET, SUMS };

static round_call place(const kernel_subject *subject, size_t rows, size_t row_bytes, operand_placement placement)
{
    random_source *random = subject->random;
    operand *target = &subject->operands[TARGET], *sums = &subject->operands[SUMS];
    const size_t gap = random_chance(random, 50) ? random_below(random, 10) : 0;
    operand_place(target, "target", rows > 0 ? rows * (row_bytes + gap) - gap : 0, placement,
                  random_below(random, 64));
    operand_place(sums, "sums", rows * 2 * row_bytes, placement, random_below(random, 64));
    for (int i = SUMS + 1; i < KERNEL_OPERANDS; i++)
        operand_place(&subject->operands[i], "nothing", 0, placement, 0);
    return (round_call){target->begin, (int64_t)(row_bytes + gap), sums->begin, rows, row_bytes};
}

typedef struct kernel_call {
    strew_round_kernel *kernel;
    const round_call *arguments;
} kernel_call;

static void make_call(void *context)
{
    const kernel_call *call = context;
    const round_call *arguments = call->arguments;
    call->kernel(arguments->target, arguments->target_step, arguments->sums, arguments->rows, arguments->row_bytes);
}

static void make_expected(const kernel_subject *subject, const round_call *call)
{
    round_call expected = *call;
    expected.target = operand_expected(&subject->operands[TARGET], call->target);
    if (subject->reference)
        make_call(&(kernel_call){(strew_round_kernel *)kernel_in(subject->reference, subject->slot), &expected});
    else
        reference_round(subject->slot, &expected);
}

static bool print_case(const round_call *call)
{
    print_error("    %zu rows of %zu bytes\n", call->rows, call->row_bytes);
    return false;
}

static bool check_case(const kernel_subject *subject, size_t rows, size_t row_bytes, operand_placement placement,
                       const value_pool *floats)
{
    const operand *target = &subject->operands[TARGET], *sums = &subject->operands[SUMS];
    const round_call call = place(subject, rows, row_bytes, placement);
    value_pool_draw(floats, subject->random, sums->begin, sums->bytes);
    for (int i = 0; i < KERNEL_OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    make_expected(subject, &call);
    if (!kernel_survives(subject, make_call,
                         &(kernel_call){(strew_round_kernel *)kernel_in(subject->kernels, subject->slot), &call}))
        return print_case(&call);
    for (size_t r = 0; r < rows; r++)
        for (size_t e = 0; e < row_bytes; e += element_size(subject->slot->dtype))
            kernel_settle(subject, target, call.target + (int64_t)r * call.target_step + e);
    return (kernel_left_as_expected(subject, target) && kernel_left_as_expected(subject, sums)) ||
           print_case(&call);
}

bool check_round(const kernel_subject *subject)
{
    value_pool floats[2];
    random_source *random = subject->random;
    const size_t size = element_size(subject->slot->dtype);
    value_pool_of_ordinary(&floats[0], random, STREW_DTYPE_FLOAT32);
    value_pool_of_special(&floats[1], random, STREW_DTYPE_FLOAT32);
    for (size_t elements = 1; elements <= 150; elements++)
        for (int round = 0; round < 4 * OPERAND_PLACEMENT_COUNT; round++)
            if (!check_case(subject, random_below(random, 6), elements * size,
                            (operand_placement)(round % OPERAND_PLACEMENT_COUNT),
                            &floats[random_below(random, COUNT(floats))]))
                return false;
    return true;
}
