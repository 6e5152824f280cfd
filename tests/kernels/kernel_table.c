/* The calls that every kernel that looks elements up in a table, or puts them there, is checked with. */
#include "kernel_check.h"
#include "kernel_reference.h"
#include "kernel_values.h"
#include "test.h"

enum { TABLE, INDICES, DENSE, OPERANDS };

/* Elements that registers hold, and more than they do; and those of tables across which is named. */
enum { VERY_FEW = 9, FEW = 64, MANY = 300, MOST_ACROSS = 12 };
enum { MOST_COUNT = 70, MOST_IN_BLOCKS = 8 * MOST_COUNT, MOST_IN_PIECES = 4200, MOST_TABLES = 4 };

/*
 * What is summed: sums of whole numbers, and of others most of which keep their exponent, go a way of their own;
 * and updates may be whole at first, and then not.
 */
typedef enum summed_values {
    SPECIAL_VALUES,
    WHOLE_VALUES,
    SMALLER_VALUES,
    WHOLE_VALUES_AT_FIRST,
    SUMMED_VALUES
} summed_values;

typedef struct table_case {
    size_t count;
    strew_table table; /* its elements are placed later */
    bool is_wrong;     /* one index is */
    bool is_repeated;  /* most are as the one before */
    bool is_apart;     /* an element lies between one table and the next */
    bool is_backward;  /* the last table comes first, and across tables the last element of each */
    summed_values values;
    int largest; /* of what elements hold */
    operand_placement placement;
    size_t misalignment;
} table_case;

/* Whether elements are numbers that are combined. */
static bool is_summed(const kernel_subject *subject)
{
    return subject->slot->family == FAMILY_PUT_SUM || subject->slot->family == FAMILY_PUT_TWINS;
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

/* Any bits, or numbers of the dtype that is combined: updates of less than elements. */
static void draw_elements(const kernel_subject *subject, summed_values values, int size, char *elements,
                          size_t bytes)
{
    value_pool pool;
    if (is_summed(subject)) {
        if (values == SPECIAL_VALUES)
            value_pool_of_special(&pool, subject->random, subject->slot->dtype);
        else
            value_pool_of_size(&pool, subject->random, subject->slot->dtype, size, values != SMALLER_VALUES);
        value_pool_draw(&pool, subject->random, elements, bytes);
        return;
    }
    for (size_t byte = 0; byte < bytes; byte++)
        elements[byte] = (char)random_bits(subject->random);
}

/* How many bytes lie from one element of a table to the next, and from where a table, or many across, begin to
 * their end. */
static int64_t stride_of(const table_case *trial, size_t element)
{
    const size_t gap = trial->is_apart ? 1 : 0;
    return (int64_t)(trial->table.is_across ? (trial->count + gap) * element : element);
}

static size_t extent_of(const table_case *trial, size_t element)
{
    const size_t last = (size_t)(trial->table.size - 1) * (size_t)stride_of(trial, element);
    return last + (trial->table.is_across ? trial->count : 1) * element;
}

/* Where each begins, as it is told the kernel: at those of its positions that are first there. */
static void set_bases(table_case *trial, char *elements, size_t element, int64_t *bases)
{
    const int64_t stride = stride_of(trial, element);
    const int64_t step = (int64_t)(extent_of(trial, element) + (trial->is_apart ? element : 0));
    const int64_t last = trial->is_backward ? (int64_t)trial->table.tables - 1 : 0;
    for (size_t i = 0; i < trial->table.tables * trial->count; i++)
        bases[i] = -1;
    for (size_t t = 0; t < trial->table.tables; t++)
        bases[t * trial->count] = (trial->is_backward ? -(int64_t)t : (int64_t)t) * step;
    trial->table.bases = bases;
    trial->table.elements = elements + last * step;
    trial->table.stride = stride;
    if (trial->is_backward && trial->table.is_across) {
        trial->table.elements += (trial->table.size - 1) * stride;
        trial->table.stride = -stride;
    }
}

static table_call place(const kernel_subject *subject, table_case *trial)
{
    enum { MOST_OF_AN_UPDATE = 3 };
    static int64_t bases[MOST_IN_PIECES * MOST_TABLES];
    const size_t element = subject->slot->row_bytes, positions = trial->count * trial->table.tables;
    const size_t gap = trial->is_apart ? element : 0;
    const size_t bytes = trial->table.tables * (extent_of(trial, element) + gap);
    const size_t index_bytes = trial->table.is_narrow ? sizeof(int32_t) : sizeof(int64_t);
    char *const elements = place_operand(subject, trial, TABLE, "table", bytes);
    char *const indices = place_operand(subject, trial, INDICES, "indices", positions * index_bytes);
    char *const dense = place_operand(subject, trial, DENSE, "dense", positions * element);
    draw_elements(subject, trial->values, trial->largest, elements, bytes);
    draw_elements(subject, trial->values, MOST_OF_AN_UPDATE, dense, positions * element);
    if (trial->values == WHOLE_VALUES_AT_FIRST) {
        const size_t first = positions / 2 * element;
        draw_elements(subject, SMALLER_VALUES, MOST_OF_AN_UPDATE, dense + first, positions * element - first);
    }
    draw_indices(subject->random, trial, indices, positions);
    if (trial->is_wrong)
        set_index(trial, indices, random_below(subject->random, positions), wrong_index(subject->random, trial));
    set_bases(trial, elements, element, bases);
    const size_t half = trial->table.tables / 2 * trial->count;
    trial->table.twin = (strew_twin){(int64_t)(half * element), (int64_t)(half * index_bytes), bases[half]};
    return (table_call){.dense = dense, .indices = indices, .count = trial->count, .table = trial->table};
}

typedef struct kernel_call {
    strew_table_kernel *kernel;
    const table_call *arguments;
    bool are_twins; /* the second half of the tables are those of the first */
    bool right;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const table_call *arguments = call->arguments;
    strew_table table = arguments->table;
    if (call->are_twins)
        table.tables /= 2;
    call->right = call->kernel(arguments->dense, arguments->indices, arguments->count, &table);
}

static bool make_expected(const kernel_subject *subject, const table_call *call)
{
    table_call expected = *call;
    expected.dense = operand_expected(&subject->operands[DENSE], call->dense);
    expected.table.elements = operand_expected(&subject->operands[TABLE], call->table.elements);
    if (!subject->reference)
        return reference_table(subject->slot, &expected);
    strew_table_kernel *reference;
    any_kernel *const found = kernel_in(subject->reference, subject->slot);
    memcpy(&reference, &found, sizeof reference);
    kernel_call scalar = {reference, &expected, subject->slot->family == FAMILY_PUT_TWINS, false};
    make_call(&scalar);
    return scalar.right;
}

static bool print_case(const table_case *trial)
{
    print_error("    count %zu, %zu %s of %d, %s indices%s%s%s, %s\n", trial->count, trial->table.tables,
                trial->table.is_across ? "times across tables" : "tables", (int)trial->table.size,
                trial->table.is_narrow ? "int32" : "int64", trial->table.wrap ? ", negative ones" : "",
                trial->is_wrong ? ", a wrong one" : "", trial->table.is_paced ? ", paced" : "",
                placement_name(trial->placement));
    return false;
}

static void settle_all(const operand *any)
{
    memcpy(operand_expected(any, any->begin), any->begin, any->bytes);
}

/* A lookup in what registers may hold has written anything where an index is wrong, and twins have done any part of
 * what they were to do; and one NaN is as good as another. */
static void settle(const kernel_subject *subject, const table_case *trial, bool right)
{
    const operand *const table = &subject->operands[TABLE];
    const size_t bytes = (size_t)trial->table.size * subject->slot->row_bytes;
    if (subject->slot->family == FAMILY_LOOKUP && !right && bytes <= STREW_HELD_TABLE)
        settle_all(&subject->operands[DENSE]);
    if (subject->slot->family == FAMILY_PUT_TWINS && !right)
        settle_all(table);
    for (size_t e = 0; is_summed(subject) && e < table->bytes; e += subject->slot->row_bytes)
        kernel_settle(subject, table, table->begin + e);
}

static bool check_case(const kernel_subject *subject, table_case *trial)
{
    const table_call call = place(subject, trial);
    kernel_call checked = {NULL, &call, subject->slot->family == FAMILY_PUT_TWINS, false};
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
    settle(subject, trial, right);
    for (int i = 0; i < OPERANDS; i++)
        if (!kernel_left_as_expected(subject, &subject->operands[i]))
            return print_case(trial);
    return true;
}

static table_case random_case(const kernel_subject *subject, size_t count)
{
    random_source *const random = subject->random;
    const bool are_twins = subject->slot->family == FAMILY_PUT_TWINS;
    const bool is_across = !are_twins && random_bits(random) % 2;
    const size_t tables = random_bits(random) % 2 ? 1 : 2 + random_below(random, MOST_TABLES - 1);
    static const size_t sizes[] = {VERY_FEW, VERY_FEW, FEW, MANY};
    static const int largest[] = {100, 250, 2040}; /* halves hold all whole numbers up to 256, or to 2048 */
    const size_t most = is_across ? MOST_ACROSS : sizes[random_below(random, COUNT(sizes))];
    return (table_case){
        .count = count,
        .table = {.size = (int64_t)(1 + random_below(random, most)),
                  .is_across = is_across,
                  .wrap = random_bits(random) % 2,
                  .is_narrow = random_bits(random) % 2,
                  .is_paced = random_bits(random) % 2,
                  .tables = are_twins ? (tables + 1) / 2 * 2 : tables},
        .is_apart = random_bits(random) % 2,
        .is_backward = random_bits(random) % 2,
        .is_repeated = random_bits(random) % 2,
        .is_wrong = count > 0 && random_bits(random) % 3 == 0,
        .values = (summed_values)random_below(random, SUMMED_VALUES),
        .largest = largest[random_below(random, COUNT(largest))],
        .placement = (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT),
        .misalignment = random_bits(random) % 64,
    };
}

bool check_table(const kernel_subject *subject)
{
    enum { ROUNDS = 40, LONG_ROUNDS = 4, PIECES_ROUNDS = 20 };
    for (size_t count = 0; count <= MOST_COUNT; count++)
        for (int round = 0; round < ROUNDS; round++) {
            table_case trial =
                random_case(subject, round < LONG_ROUNDS ? MOST_IN_BLOCKS / MOST_COUNT * count : count);
            if (!check_case(subject, &trial))
                return false;
        }
    for (int round = 0; round < PIECES_ROUNDS; round++) {
        table_case trial = random_case(subject, MOST_IN_PIECES - random_below(subject->random, MOST_COUNT));
        if (!check_case(subject, &trial))
            return false;
    }
    return true;
}
