/* The calls that check every kernel that finds adjoining rows. */
#include <inttypes.h>

#include "kernel_check.h"
#include "kernel_reference.h"
#include "test.h"

typedef struct adjoin_call {
    strew_adjoin_kernel *kernel;
    const int64_t *offsets;
    size_t begin, count;
    int64_t row_bytes;
    size_t end;
} adjoin_call;

static void make_call(void *context)
{
    adjoin_call *call = context;
    call->end = call->kernel(call->offsets, call->begin, call->count, call->row_bytes);
}

/* Makes rows adjoin, and then moves some, mostly few. */
static adjoin_call place(const kernel_subject *subject, size_t count)
{
    random_source *const random = subject->random;
    const int64_t row_bytes = 1 + (int64_t)random_below(random, 300);
    operand_place(&subject->operands[0], "offsets", count * sizeof(int64_t),
                  (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT), 0);
    int64_t *const offsets = (int64_t *)(void *)subject->operands[0].begin;
    int64_t offset = (int64_t)random_below(random, 1 << 20) - (1 << 19);
    const size_t rarity = 1 + random_below(random, 2 * count);
    for (size_t i = 0; i < count; i++, offset += row_bytes) {
        if (random_below(random, rarity) == 0)
            offset += (int64_t)random_below(random, 7) - 3;
        offsets[i] = offset;
    }
    return (adjoin_call){.kernel = subject->kernels->adjoin,
                         .offsets = offsets,
                         .begin = random_below(random, count),
                         .count = count,
                         .row_bytes = row_bytes};
}

static bool check_case(const kernel_subject *subject, size_t count)
{
    adjoin_call call = place(subject, count);
    operand_remember(&subject->operands[0]);
    adjoin_call expected = call;
    if (subject->reference) {
        expected.kernel = subject->reference->adjoin;
        make_call(&expected);
    } else {
        expected.end = reference_adjoin(call.offsets, call.begin, call.count, call.row_bytes);
    }
    if (!kernel_survives(subject, make_call, &call) || !kernel_left_as_expected(subject, &subject->operands[0]))
        return false;
    if (call.end == expected.end)
        return true;
    return kernel_report(subject,
                         "of %zu rows of %" PRId64 " bytes, from %zu on, those before %zu adjoin, should be %zu",
                         call.count, call.row_bytes, call.begin, call.end, expected.end);
}

bool check_adjoin(const kernel_subject *subject)
{
    enum { ROUNDS = 60 };
    for (size_t count = 1; count <= 70; count++)
        for (int round = 0; round < ROUNDS; round++)
            if (!check_case(subject, count))
                return false;
    return true;
}
