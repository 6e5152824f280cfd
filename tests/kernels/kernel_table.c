/* The calls that check every kernel that looks elements up in a table, assigns them or combines them there. */
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { TABLE, INDICES, DENSE, OPERANDS };

/* Sizes of tables: some that fit registers, and larger ones. */
enum { ONE = 1, VERY_FEW = 9, FEW = 64, MANY = 300 };
enum { MOST_COUNT = 70, LONG_COUNT = 8 * MOST_COUNT, MOST_TABLES = 4 };

typedef struct table_case {
    size_t count;
    strew_element_table table; /* its elements are placed later */
    bool is_wrong;             /* one index is */
    bool is_repeated;          /* most are as the one before */
    bool is_apart;             /* an element lies between one table and the next */
    bool is_backward;          /* the last table comes first */
    bool is_special;           /* the numbers are that are combined */
    operand_placement placement;
    size_t misalignment;
} table_case;

static bool combines(const kernel_subject *subject)
{
    return subject->slot->family == FAMILY_COMBINE;
}

static char *place_operand(const kernel_subject *subject, const table_case *trial, int which, const char *name,
                           size_t bytes)
{
    operand_place(&subject->operands[which], name, bytes, trial->placement, trial->misalignment);
    return subject->operands[which].begin;
}

static void set_index(const table_case *trial, char *indices, size_t i, int64_t index)
{
    const int32_t narrow = (int32_t)index;
    if (trial->table.is_narrow)
        memcpy(indices + i * sizeof narrow, &narrow, sizeof narrow);
    else
        memcpy(indices + i * sizeof index, &index, sizeof index);
}

static int64_t random_index(random_source *random, const table_case *trial)
{
    const int64_t position = (int64_t)random_below(random, (size_t)trial->table.size);
    return trial->table.wrap && random_bits(random) % 2 ? position - trial->table.size : position;
}

static void draw_indices(random_source *random, const table_case *trial, char *indices, size_t positions)
{
    int64_t index = 0;
    for (size_t i = 0; i < positions; i++) {
        if (i == 0 || !trial->is_repeated || random_bits(random) % 16 == 0)
            index = random_index(random, trial);
        set_index(trial, indices, i, index);
    }
}

static int64_t wrong_index(random_source *random, const table_case *trial)
{
    const int64_t size = trial->table.size, least = trial->table.wrap ? -size - 1 : -1;
    const int64_t narrow[] = {size, least, INT32_MAX, INT32_MIN, size + 64, least - 64};
    const int64_t wide[] = {INT64_MAX, INT64_MIN, INT64_C(1) << 32, -(INT64_C(1) << 32), (INT64_C(1) << 32) + size};
    return trial->table.is_narrow || random_bits(random) % 2
               ? narrow[random_bits(random) % (sizeof narrow / sizeof *narrow)]
               : wide[random_bits(random) % (sizeof wide / sizeof *wide)];
}

/* The numbers that are combined. */
static value_pool ordinary, special;

/* Any bits, or numbers of the dtype that is combined. */
static void draw_elements(const kernel_subject *subject, const table_case *trial, char *elements, size_t bytes)
{
    if (combines(subject)) {
        value_pool_draw(trial->is_special ? &special : &ordinary, subject->random, elements, bytes);
        return;
    }
    for (size_t byte = 0; byte < bytes; byte++)
        elements[byte] = (char)random_bits(subject->random);
}

/* Sets the base of each table at the first of its positions, as kernels get it. */
static void set_bases(table_case *trial, char *elements, int64_t step, int64_t *bases)
{
    const int64_t last = trial->is_backward ? (int64_t)trial->table.tables - 1 : 0;
    for (size_t i = 0; i < trial->table.tables * trial->count; i++)
        bases[i] = -1;
    for (size_t t = 0; t < trial->table.tables; t++)
        bases[t * trial->count] = (trial->is_backward ? -(int64_t)t : (int64_t)t) * step;
    trial->table.bases = bases;
    trial->table.elements = elements + last * step;
}

static table_call place(const kernel_subject *subject, table_case *trial)
{
    static int64_t bases[LONG_COUNT * MOST_TABLES];
    const size_t element = subject->slot->row_bytes, positions = trial->count * trial->table.tables;
    const size_t step = ((size_t)trial->table.size + (trial->is_apart ? 1 : 0)) * element;
    const size_t index_bytes = trial->table.is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    const size_t dense_bytes = trial->table.dense_step == 0 ? element : positions * element;
    char *const elements = place_operand(subject, trial, TABLE, "table", trial->table.tables * step);
    char *const indices = place_operand(subject, trial, INDICES, "indices", positions * index_bytes);
    char *const dense = place_operand(subject, trial, DENSE, "dense", dense_bytes);
    draw_elements(subject, trial, elements, trial->table.tables * step);
    draw_elements(subject, trial, dense, dense_bytes);
    draw_indices(subject->random, trial, indices, positions);
    if (trial->is_wrong)
        set_index(trial, indices, random_below(subject->random, positions), wrong_index(subject->random, trial));
    set_bases(trial, elements, (int64_t)step, bases);
    return (table_call){.dense = dense, .indices = indices, .count = trial->count, .table = trial->table};
}

typedef struct kernel_call {
    strew_table_kernel *kernel;
    const table_call *arguments;
    size_t moved;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const table_call *arguments = call->arguments;
    call->moved = call->kernel(arguments->dense, arguments->indices, arguments->count, &arguments->table);
}

static size_t make_expected(const kernel_subject *subject, const table_call *call)
{
    table_call expected = *call;
    expected.dense = operand_expected(&subject->operands[DENSE], call->dense);
    expected.table.elements = operand_expected(&subject->operands[TABLE], call->table.elements);
    if (!subject->reference)
        return reference_table(subject->slot, &expected);
    kernel_call scalar = {(strew_table_kernel *)kernel_in(subject->reference, subject->slot), &expected, 0};
    make_call(&scalar);
    return scalar.moved;
}

static bool print_case(const table_case *trial)
{
    print_error("    count %zu, %zu tables of %d, %s indices%s%s%s, %s\n", trial->count, trial->table.tables,
                (int)trial->table.size, trial->table.is_narrow ? "int32" : "int64",
                trial->table.wrap ? ", negative ones" : "", trial->is_wrong ? ", a wrong one" : "",
                trial->table.dense_step == 0 ? ", one update" : "", placement_name(trial->placement));
    return false;
}

/* One NaN is as good as another. */
static void settle(const kernel_subject *subject)
{
    const operand *const table = &subject->operands[TABLE];
    for (size_t e = 0; combines(subject) && e < table->bytes; e += subject->slot->row_bytes)
        kernel_settle(subject, table, table->begin + e);
}

static bool check_case(const kernel_subject *subject, table_case *trial)
{
    const table_call call = place(subject, trial);
    kernel_call checked = {(strew_table_kernel *)kernel_in(subject->kernels, subject->slot), &call, 0};
    for (int i = 0; i < OPERANDS; i++)
        operand_remember(&subject->operands[i]);
    const size_t expected = make_expected(subject, &call);
    const bool is_wrong = expected < trial->count * trial->table.tables;
    if (is_wrong != trial->is_wrong || !kernel_survives(subject, make_call, &checked) ||
        (checked.moved != expected &&
         !kernel_report(subject, "%zu are done, it says %zu", expected, checked.moved)))
        return print_case(trial);
    settle(subject);
    for (int i = 0; i < OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return print_case(trial);
    return true;
}

static table_case random_case(const kernel_subject *subject, size_t count)
{
    random_source *const random = subject->random;
    static const size_t sizes[] = {ONE, VERY_FEW, VERY_FEW, FEW, MANY};
    const bool repeats_update = combines(subject) && random_bits(random) % 8 == 0;
    return (table_case){
        .count = count,
        .table = {.size = (int64_t)(1 + random_below(random, sizes[random_below(random, COUNT(sizes))])),
                  .dense_step = repeats_update ? 0 : (int64_t)subject->slot->row_bytes,
                  .wrap = random_bits(random) % 2,
                  .is_narrow = random_bits(random) % 2,
                  .tables = random_bits(random) % 2 ? 1 : 2 + random_below(random, MOST_TABLES - 1)},
        .is_apart = random_bits(random) % 2,
        .is_backward = random_bits(random) % 2,
        .is_repeated = random_bits(random) % 2,
        .is_wrong = count > 0 && random_bits(random) % 3 == 0,
        .is_special = random_bits(random) % 2,
        .placement = (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT),
        .misalignment = random_bits(random) % 64,
    };
}

bool check_table(const kernel_subject *subject)
{
    enum { ROUNDS = 40, LONG_ROUNDS = 4 };
    if (combines(subject)) {
        value_pool_of_ordinary(&ordinary, subject->random, subject->slot->dtype);
        value_pool_of_special(&special, subject->random, subject->slot->dtype);
    }
    for (size_t count = 0; count <= MOST_COUNT; count++)
        for (int round = 0; round < ROUNDS; round++) {
            table_case trial = random_case(subject, round < LONG_ROUNDS ? LONG_COUNT / MOST_COUNT * count : count);
            if (!check_case(subject, &trial))
                return false;
        }
    return true;
}
