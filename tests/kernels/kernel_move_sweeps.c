/* The calls that check every kernel that moves: one property is swept at a time, with the others at random. */
#include "element.h"
#include "kernel_check.h"
#include "kernel_move.h"
#include "kernel_values.h"
#include "test.h"

/* ---- Cases --------------------------------------------------------------------------------------- */

/* The ways about memory that a kernel may have: all others it would ignore. */
typedef struct access_list {
    size_t count;
    const strew_access *each;
} access_list;

static access_list accesses_of(const kernel_slot *slot)
{
    static const strew_access of_rows[] = {
        {.rows_ahead = 0},
        {.rows_ahead = 1},
        {.rows_ahead = 8},
        {.rows_ahead = 16},
        {.has_runs = true},
        {.has_runs = true, .rows_ahead = 8},
        {.stream_pages = 1},
        {.stream_pages = 4},
        {.stream_pages = 1, .stream_parts = true},
        {.stream_pages = 1, .rows_ahead = 16},
        {.stream_pages = 4, .rows_ahead = 8},
        {.stream_pages = 4, .stream_parts = true, .rows_ahead = 16},
    };
    static const strew_access of_elements[] = {{.read_first = false}, {.read_first = true}};
    enum { NOT_STREAMED = 6 };
    if (slot->row_bytes > 0)
        return (access_list){slot->family == FAMILY_SCATTER ? COUNT(of_elements) : 1, of_elements};
    return (access_list){slot->family == FAMILY_REDUCE_ROWS ? NOT_STREAMED : COUNT(of_rows), of_rows};
}

typedef struct move_subject {
    const kernel_subject *subject;
    access_list accesses;
    value_pool ordinary, special;
} move_subject;

/* The step from row to row: so many row lengths, and some bytes more. */
static const struct row_step {
    int64_t rows, extra;
} row_steps[] = {{1, 0}, {1, 5}, {-1, 0}, {-1, -7}, {0, 0}, {0, 1}};

/* Rows that are written must not overlap. */
static size_t legal_row_steps(const kernel_slot *slot)
{
    return slot->family == FAMILY_GATHER ? 4 : COUNT(row_steps);
}

static void set_row_step(move_case *trial, size_t choice)
{
    trial->row_step = row_steps[choice].rows * (int64_t)trial->row_bytes + row_steps[choice].extra;
}

/* The gap between rows: mostly nothing or a few bytes, sometimes so much that rows are pages apart. */
static size_t random_gap(random_source *random)
{
    static const size_t limits[] = {1, 1, 1, 1, 10, 10, 10, 600};
    return random_below(random, limits[random_below(random, COUNT(limits))]);
}

static move_case random_case(const kernel_subject *subject, size_t count, size_t row_bytes)
{
    random_source *random = subject->random;
    move_case trial = {
        .count = count,
        .row_bytes = row_bytes,
        .order = (row_order)random_below(random, ROW_ORDER_COUNT),
        .gap = random_gap(random),
        .placement = (operand_placement)random_below(random, OPERAND_PLACEMENT_COUNT),
        .addressed_misalignment = random_below(random, 32),
        .rows_misalignment = random_below(random, 32),
    };
    set_row_step(&trial, random_below(random, legal_row_steps(subject->slot)));
    return trial;
}

/* The row length that the kernel is made for, or else one of up to 40 elements. */
static size_t random_row_bytes(const kernel_subject *subject)
{
    const kernel_slot *slot = subject->slot;
    return slot->row_bytes > 0 ? slot->row_bytes : random_below(subject->random, 41) * element_size(slot->dtype);
}

/* The number of cases in which every access meets each value of a sweep of at least `least` cases. */
static size_t rounds_of(const move_subject *mover, size_t least)
{
    return mover->accesses.count > least ? mover->accesses.count : least;
}

static bool check_case(const move_subject *mover, move_case *trial, size_t round)
{
    random_source *random = mover->subject->random;
    trial->access = mover->accesses.each[round % mover->accesses.count];
    const move_call call = move_place(mover->subject, trial);
    const value_pool *pool = random_chance(random, 50) ? &mover->ordinary : &mover->special;
    for (size_t i = 0; i < call.count; i++) {
        value_pool_draw(pool, random, call.addressed + call.offsets[i], call.dense.row_bytes);
        value_pool_draw(pool, random, call.dense.rows + (int64_t)i * call.dense.step, call.dense.row_bytes);
    }
    return move_check(mover->subject, trial, &call);
}

/* Every placement and every access, in other pairs each time. */
static bool check_every_way(const move_subject *mover, size_t count, size_t row_bytes)
{
    const size_t first = random_below(mover->subject->random, OPERAND_PLACEMENT_COUNT);
    for (size_t round = 0; round < rounds_of(mover, OPERAND_PLACEMENT_COUNT); round++) {
        move_case trial = random_case(mover->subject, count, row_bytes);
        trial.placement = (operand_placement)((first + round) % OPERAND_PLACEMENT_COUNT);
        if (!check_case(mover, &trial, round))
            return false;
    }
    return true;
}

/* ---- Sweeps -------------------------------------------------------------------------------------- */

static bool sweep_counts(const move_subject *mover)
{
    static const size_t large[] = {127, 128, 129, 511, 512};
    for (size_t count = 0; count <= 70; count++)
        if (!check_every_way(mover, count, random_row_bytes(mover->subject)))
            return false;
    for (size_t i = 0; i < COUNT(large); i++)
        if (!check_every_way(mover, large[i], random_row_bytes(mover->subject)))
            return false;
    return true;
}

/* Past a body of four vectors of 256 bits, those that it leaves, and the elements that they leave; twice. */
static bool sweep_row_lengths(const move_subject *mover)
{
    const size_t size = element_size(mover->subject->slot->dtype);
    for (size_t row_bytes = 0; row_bytes <= 300; row_bytes += size)
        if (!check_every_way(mover, 1 + random_below(mover->subject->random, 6), row_bytes))
            return false;
    return true;
}

static bool sweep_long_rows(const move_subject *mover)
{
    static const size_t elements[] = {1000, 1024, 4096, 4097};
    const size_t size = element_size(mover->subject->slot->dtype);
    for (size_t row_bytes = 512; row_bytes <= 512 + 128; row_bytes += size)
        if (!check_every_way(mover, 2, row_bytes))
            return false;
    for (size_t i = 0; i < COUNT(elements); i++)
        if (!check_every_way(mover, 3, elements[i] * size))
            return false;
    return check_every_way(mover, 3, 100000 / size * size);
}

static bool sweep_misalignments(const move_subject *mover)
{
    for (size_t misalignment = 0; misalignment < 64; misalignment++)
        for (size_t round = 0; round < 2 * rounds_of(mover, 2); round++) {
            move_case trial = random_case(mover->subject, 4, random_row_bytes(mover->subject));
            trial.placement = OPERAND_BETWEEN_CANARIES;
            *(round % 2 ? &trial.addressed_misalignment : &trial.rows_misalignment) = misalignment;
            if (!check_case(mover, &trial, round / 2))
                return false;
        }
    return true;
}

/* Rows that are gathered one after the other, lines and parts of lines, from every place in a line on. */
static bool sweep_adjoining_rows(const move_subject *mover)
{
    static const size_t bytes[] = {64, 68, 80, 96, 130, 132, 192, 300};
    if (mover->subject->slot->family != FAMILY_GATHER)
        return true;
    for (size_t i = 0; i < COUNT(bytes); i++)
        for (size_t misalignment = 0; misalignment < 64; misalignment++) {
            move_case trial = random_case(mover->subject, 5, bytes[i]);
            trial.placement = OPERAND_BETWEEN_CANARIES;
            trial.rows_misalignment = misalignment;
            trial.row_step = (int64_t)trial.row_bytes;
            for (size_t round = 0; round < mover->accesses.count; round++)
                if (!check_case(mover, &trial, round))
                    return false;
        }
    return true;
}

static bool sweep_orders_and_steps(const move_subject *mover)
{
    for (int order = 0; order < ROW_ORDER_COUNT; order++)
        for (size_t step = 0; step < legal_row_steps(mover->subject->slot); step++)
            for (size_t round = 0; round < rounds_of(mover, 3); round++) {
                move_case trial = random_case(mover->subject, 2 + random_below(mover->subject->random, 20),
                                              random_row_bytes(mover->subject));
                trial.order = (row_order)order;
                set_row_step(&trial, step);
                if (!check_case(mover, &trial, round))
                    return false;
            }
    return true;
}

bool check_move(const kernel_subject *subject)
{
    move_subject mover = {.subject = subject, .accesses = accesses_of(subject->slot)};
    value_pool_of_ordinary(&mover.ordinary, subject->random, subject->slot->dtype);
    value_pool_of_special(&mover.special, subject->random, subject->slot->dtype);
    const bool any_length = subject->slot->row_bytes == 0;
    return sweep_counts(&mover) && sweep_misalignments(&mover) && sweep_orders_and_steps(&mover) &&
           (!any_length || (sweep_row_lengths(&mover) && sweep_long_rows(&mover) && sweep_adjoining_rows(&mover)));
}

/* ---- Values -------------------------------------------------------------------------------------- */

/* One update to each of many values: as a single row that repeats it, or as single elements that share it. */
static bool check_update(const kernel_subject *subject, const char *data, size_t count, const char *update)
{
    const size_t size = element_size(subject->slot->dtype);
    const bool elements = subject->slot->family == FAMILY_COMBINE;
    const move_case trial = {
        .count = elements ? count : 1,
        .row_bytes = elements ? size : count * size,
        .placement = OPERAND_BETWEEN_CANARIES,
    };
    const move_call call = move_place(subject, &trial);
    memcpy(call.addressed, data, count * size);
    for (size_t e = 0; e < trial.row_bytes; e += size)
        memcpy(call.dense.rows + e, update, size);
    return move_check(subject, &trial, &call);
}

static bool sweep_values(const kernel_subject *subject)
{
    static char data[2 << 16], updates[VALUES_MOST_BYTES];
    const strew_dtype dtype = subject->slot->dtype;
    const size_t data_count = values_of_data(dtype, data);
    const size_t update_count = values_special(dtype, updates);
    /* The oracle is slow. One in thirteen still has both signs and comes by all mantissas. */
    const size_t step = !subject->reference && data_count > VALUES_MOST ? 13 : 1;
    for (size_t u = 0; u < update_count; u += step)
        if (!check_update(subject, data, data_count, updates + u * element_size(dtype)))
            return false;
    return true;
}

bool check_reduce(const kernel_subject *subject)
{
    return check_move(subject) && sweep_values(subject);
}

/* Combines by table, and by offsets like rows. */
bool check_combine(const kernel_subject *subject)
{
    return check_table(subject) && check_reduce(subject);
}
