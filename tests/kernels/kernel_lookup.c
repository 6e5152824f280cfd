/* The calls that every kernel that looks up elements of a small table is checked with. */
#include "kernel_check.h"
#include "kernel_reference.h"
#include "test.h"

enum { TABLE, INDICES, DENSE, OPERANDS };

typedef struct lookup_case {
    size_t count;
    strew_lookup lookup; /* its table is placed later */
    bool is_wrong;       /* one index is */
    operand_placement placement;
    size_t misalignment;
} lookup_case;

static char *place_operand(const kernel_subject *subject, const lookup_case *trial, int which, const char *name,
                           size_t bytes)
{
    operand_place(&subject->operands[which], name, bytes, trial->placement, trial->misalignment);
    return subject->operands[which].begin;
}

static void set_index(const lookup_case *trial, char *indices, size_t i, int64_t index)
{
    const int32_t narrow = (int32_t)index;
    if (trial->lookup.is_narrow)
        memcpy(indices + i * sizeof narrow, &narrow, sizeof narrow);
    else
        memcpy(indices + i * sizeof index, &index, sizeof index);
}

static int64_t random_index(random_source *random, const lookup_case *trial)
{
    const int64_t position = (int64_t)random_below(random, (size_t)trial->lookup.size);
    return trial->lookup.wrap && random_bits(random) % 2 ? position - trial->lookup.size : position;
}

static int64_t wrong_index(random_source *random, const lookup_case *trial)
{
    const int64_t size = trial->lookup.size, least = trial->lookup.wrap ? -size - 1 : -1;
    const int64_t narrow[] = {size, least, INT32_MAX, INT32_MIN, size + 64, least - 64};
    const int64_t wide[] = {INT64_MAX, INT64_MIN, INT64_C(1) << 32, -(INT64_C(1) << 32), (INT64_C(1) << 32) + size};
    return trial->lookup.is_narrow || random_bits(random) % 2
               ? narrow[random_bits(random) % (sizeof narrow / sizeof *narrow)]
               : wide[random_bits(random) % (sizeof wide / sizeof *wide)];
}

static lookup_call place(const kernel_subject *subject, lookup_case *trial)
{
    const size_t element = subject->slot->row_bytes, size = (size_t)trial->lookup.size;
    const size_t index_bytes = trial->lookup.is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    char *const table = place_operand(subject, trial, TABLE, "table", size * element);
    char *const indices = place_operand(subject, trial, INDICES, "indices", trial->count * index_bytes);
    for (size_t byte = 0; byte < size * element; byte++)
        table[byte] = (char)random_bits(subject->random);
    for (size_t i = 0; i < trial->count; i++)
        set_index(trial, indices, i, random_index(subject->random, trial));
    if (trial->is_wrong)
        set_index(trial, indices, random_below(subject->random, trial->count), wrong_index(subject->random, trial));
    trial->lookup.table = table;
    return (lookup_call){
        .dense = place_operand(subject, trial, DENSE, "dense", trial->count * element),
        .indices = indices,
        .count = trial->count,
        .lookup = &trial->lookup,
    };
}

typedef struct kernel_call {
    strew_lookup_kernel *kernel;
    const lookup_call *arguments;
    bool right;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const lookup_call *arguments = call->arguments;
    call->right = call->kernel(arguments->dense, arguments->indices, arguments->count, arguments->lookup);
}

static bool make_expected(const kernel_subject *subject, const lookup_call *call)
{
    lookup_call expected = *call;
    expected.dense = operand_expected(&subject->operands[DENSE], call->dense);
    if (!subject->reference)
        return reference_lookup(subject->slot, &expected);
    strew_lookup_kernel *reference;
    any_kernel *const found = kernel_in(subject->reference, subject->slot);
    memcpy(&reference, &found, sizeof reference);
    kernel_call scalar = {reference, &expected, false};
    make_call(&scalar);
    return scalar.right;
}

static bool print_case(const lookup_case *trial)
{
    print_error("    count %zu, table of %d, %s indices%s%s, %s\n", trial->count, (int)trial->lookup.size,
                trial->lookup.is_narrow ? "int32" : "int64", trial->lookup.wrap ? ", negative ones" : "",
                trial->is_wrong ? ", a wrong one" : "", placement_name(trial->placement));
    return false;
}

static bool check_case(const kernel_subject *subject, lookup_case *trial)
{
    const lookup_call call = place(subject, trial);
    operand *const dense = &subject->operands[DENSE];
    kernel_call checked = {NULL, &call, false};
    any_kernel *const kernel = kernel_in(subject->kernels, subject->slot);
    memcpy(&checked.kernel, &kernel, sizeof checked.kernel);
    for (int i = 0; i < OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    const bool right = make_expected(subject, &call);
    if (right == trial->is_wrong || !kernel_survives(subject, make_call, &checked))
        return print_case(trial);
    if (checked.right != right) {
        kernel_report(subject, "indices are %s, it says otherwise", right ? "right" : "wrong");
        return print_case(trial);
    }
    if (!right)
        memcpy(operand_expected(dense, dense->begin), dense->begin, dense->bytes);
    for (int i = 0; i < OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return print_case(trial);
    return true;
}

static lookup_case random_case(const kernel_subject *subject, size_t count)
{
    random_source *const random = subject->random;
    const size_t room = STREW_MOST_LOOKED_UP_BYTES / subject->slot->row_bytes;
    const size_t most = room < STREW_MOST_LOOKED_UP ? room : STREW_MOST_LOOKED_UP;
    return (lookup_case){
        .count = count,
        .lookup = {.size = (int64_t)(1 + random_below(random, most)),
                   .wrap = random_bits(random) % 2,
                   .is_narrow = random_bits(random) % 2},
        .is_wrong = count > 0 && random_bits(random) % 3 == 0,
        .placement = (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT),
        .misalignment = random_bits(random) % 64,
    };
}

bool check_lookup(const kernel_subject *subject)
{
    enum { ROUNDS = 40 };
    for (size_t count = 0; count <= 70; count++)
        for (int round = 0; round < ROUNDS; round++) {
            lookup_case trial = random_case(subject, round == 0 ? 8 * count : count);
            if (!check_case(subject, &trial))
                return false;
        }
    return true;
}
