/*
 * Scatters of lists whose parts name different rows, and of lists that only seem to, with two, three and many tasks
 * in any order. They give the bits of one thread.
 */
#include <stdlib.h>

#include "call.h"
#include "parallel.h"
#include "test.h"

enum { POSITIONS = 60000, ROWS = 15000, MOST_COLUMNS = 3, ORDERS = 6 };
/* The same room for columns of single elements, each with a list of its own. */
enum { LISTS = 5, LIST_POSITIONS = POSITIONS / LISTS, LIST_ROWS = ROWS * MOST_COLUMNS / LISTS };

/* Rows of some columns that a list of indices names, or elements of as many columns as there are lists. */
typedef struct scatter {
    int64_t columns;
    bool of_elements;
    int64_t indices[POSITIONS];
    float updates[POSITIONS * MOST_COLUMNS];
    float data[ROWS * MOST_COLUMNS], output[ROWS * MOST_COLUMNS], expected[ROWS * MOST_COLUMNS];
    random_source source;
} scatter;

static void fill(scatter *self, float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)random_between(&self->source, -99999, 99999) / 1000; /* whose sums are rounded */
}

static void create(scatter *self, int64_t columns)
{
    self->columns = columns;
    self->of_elements = columns == LISTS;
    self->source = (random_source){random_seed()};
    fill(self, self->updates, COUNT(self->updates));
    fill(self, self->data, COUNT(self->data));
}

static size_t output_bytes(const scatter *self)
{
    return (self->of_elements ? LIST_ROWS * LISTS : (size_t)(ROWS * self->columns)) * sizeof *self->output;
}

/* ---- Lists --------------------------------------------------------------------------------------- */

typedef int64_t name_row(int64_t position);

static int64_t in_order(int64_t position)
{
    return position * ROWS / POSITIONS;
}

static int64_t backwards(int64_t position)
{
    return ROWS - 1 - in_order(position);
}

/* Repeats a row up to 400 times, on both sides of every cut. */
static int64_t some_again(int64_t position)
{
    return position / 400;
}

/* Repeats rows so that none ends within a tile of the begin of a part. */
static int64_t often_again(int64_t position)
{
    return position / 7000;
}

/* The first half names the upper half of rows at random, the second the lower half. */
static int64_t in_halves(int64_t position)
{
    const int64_t in_half = position * 7919 % (ROWS / 2);
    return position < POSITIONS / 2 ? ROWS / 2 + in_half : in_half;
}

/* Rows in order; every second index is negative and counts from the end. */
static int64_t from_the_end(int64_t position)
{
    return in_order(position) - (position % 2 ? ROWS : 0);
}

/* A row of the first part, named once in the last. */
static int64_t but_for_one(int64_t position)
{
    return in_order(position == POSITIONS - 777 ? 5 : position);
}

/* The last row of the first of two parts, named again by the last positions, after one that is sampled first. */
static int64_t but_for_the_last(int64_t position)
{
    return in_order(position > POSITIONS - 12 ? POSITIONS / 2 - 1 : position);
}

/* Each half in order, the first up to rows that the second begins with. */
static int64_t overlapping(int64_t position)
{
    return in_order(position) + (position < POSITIONS / 2 ? in_order(position) / 5 : 0);
}

/* In order, and at one position back to the first rows; larger steps then reach the last ones. */
static int64_t back_at;
static int64_t back_once(int64_t position)
{
    return in_order(position < back_at ? position : 2 * (position - back_at));
}

static int64_t all_over(int64_t position)
{
    return position * 7919 % ROWS;
}

static name_row *const lists[] = {in_order,     backwards,   some_again,       often_again, in_halves,
                                  from_the_end, but_for_one, but_for_the_last, overlapping, all_over};

static void draw(scatter *self, name_row *name)
{
    for (int64_t i = 0; i < POSITIONS; i++)
        self->indices[i] = name(i);
}

/* All columns go by one list but the last, which may go by another. */
static void draw_columns(scatter *self, name_row *name, name_row *last)
{
    for (int64_t i = 0; i < POSITIONS; i++) {
        const int64_t row = (i % LISTS == LISTS - 1 ? last : name)(i);
        const int64_t scaled = (row < 0 ? row + ROWS : row) * LIST_ROWS / ROWS;
        self->indices[i] = row < 0 ? scaled - LIST_ROWS : scaled;
    }
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

/* A scatter in place, and how to run it. */
typedef struct request {
    strew_reduction reduction;
    bool use_init_val;
    strew_bounds bounds;
} request;

static strew_status run(scatter *self, const request *asked, const strew_parallel *parallel, strew_error *error)
{
    const bool of_elements = self->of_elements;
    const int64_t rows[] = {of_elements ? LIST_ROWS : ROWS, self->columns};
    const int64_t positions[] = {of_elements ? LIST_POSITIONS : POSITIONS, self->columns};
    const strew_tensor output = {self->output, STREW_DTYPE_FLOAT32, 2, rows, NULL};
    const strew_tensor indices = {self->indices, STREW_DTYPE_INT64, of_elements ? 2 : 1, positions, NULL};
    const strew_tensor updates = {self->updates, STREW_DTYPE_FLOAT32, 2, positions, NULL};
    const operator_call call = {.kind = of_elements ? STREW_KIND_SCATTER_ELEMENTS : STREW_KIND_SCATTER,
                                .data = &output,
                                .indices = &indices,
                                .updates = &updates,
                                .output = &output,
                                .reduction = asked->reduction,
                                .use_init_val = asked->use_init_val};
    strew_options options = call_options();
    options.parallel = parallel;
    options.bounds = asked->bounds;
    options.error = error;
    memcpy(self->output, self->data, sizeof self->output);
    return call_operator(&call, &options);
}

/* Runs tasks one after the other in another order than that of positions. */
static void check_threads(scatter *self, const request *asked, size_t threads, strew_status expected_status)
{
    for (int order = 0; order < ORDERS; order++) {
        const strew_parallel shuffled = parallel_shuffled(threads, &self->source);
        assert_int_equal(run(self, asked, &shuffled, NULL), expected_status);
        assert_memory_equal(self->output, self->expected, output_bytes(self));
    }
    const strew_parallel real = parallel_threads(threads < 8 ? threads : 8);
    assert_int_equal(run(self, asked, &real, NULL), expected_status);
    assert_memory_equal(self->output, self->expected, output_bytes(self));
}

static void check(scatter *self, const request *asked)
{
    static const size_t threads[] = {2, 3, 16, 200};
    const strew_status status = run(self, asked, NULL, NULL);
    memcpy(self->expected, self->output, sizeof self->output);
    for (size_t t = 0; t < COUNT(threads); t++)
        check_threads(self, asked, threads[t], status);
}

static void check_lists(const request *asked)
{
    static scatter self;
    for (int64_t columns = 1; columns <= MOST_COLUMNS; columns += MOST_COLUMNS - 1) {
        create(&self, columns);
        for (size_t i = 0; i < COUNT(lists); i++) {
            draw(&self, lists[i]);
            check(&self, asked);
        }
    }
}

static void check_columns(const request *asked)
{
    static name_row *const others[] = {backwards, but_for_one, but_for_the_last, overlapping, all_over};
    static scatter self;
    create(&self, LISTS);
    for (size_t i = 0; i < COUNT(lists); i++) {
        draw_columns(&self, lists[i], lists[i]);
        check(&self, asked);
    }
    for (size_t i = 0; i < COUNT(others); i++) {
        draw_columns(&self, in_order, others[i]);
        check(&self, asked);
    }
    /* the second tile of a part that begins in the middle */
    const int64_t tile = 512 / LISTS, first = LIST_POSITIONS / 2 + tile;
    for (int64_t row = first - 1; row < first + 8; row++) {
        back_at = row * LISTS;
        draw_columns(&self, in_order, back_once);
        check(&self, asked);
    }
}

static void columns_are_shared_if_all_are_sorted(void **state)
{
    (void)state;
    check_columns(&(request){STREW_REDUCTION_NONE, true, STREW_BOUNDS_REFUSE});
    check_columns(&(request){STREW_REDUCTION_SUM, true, STREW_BOUNDS_REFUSE});
}

static void the_last_update_wins(void **state)
{
    (void)state;
    check_lists(&(request){STREW_REDUCTION_NONE, true, STREW_BOUNDS_REFUSE});
}

static void sums_are_rounded_in_the_order_of_updates(void **state)
{
    (void)state;
    check_lists(&(request){STREW_REDUCTION_SUM, true, STREW_BOUNDS_REFUSE});
}

static void sums_begin_anew(void **state)
{
    (void)state;
    check_lists(&(request){STREW_REDUCTION_SUM, false, STREW_BOUNDS_REFUSE});
}

/* ---- Wrong indices ------------------------------------------------------------------------------- */

/* A position that is not sampled first. */
enum { WRONG_AT = 31234 };

static void a_wrong_index_in_a_part_is_treated_as_asked(void **state)
{
    static const strew_bounds policies[] = {STREW_BOUNDS_STOP, STREW_BOUNDS_SKIP, STREW_BOUNDS_CLAMP,
                                            STREW_BOUNDS_WRAP};
    static scatter self;
    (void)state;
    create(&self, MOST_COLUMNS);
    draw(&self, in_order);
    self.indices[WRONG_AT] = 5 * ROWS + 3;
    for (size_t p = 0; p < COUNT(policies); p++)
        check(&self, &(request){STREW_REDUCTION_SUM, true, policies[p]});
}

static void a_wrong_index_in_a_part_is_refused(void **state)
{
    static scatter self;
    static const request asked = {STREW_REDUCTION_SUM, true, STREW_BOUNDS_REFUSE};
    const strew_parallel threads = parallel_threads(2);
    strew_error error;
    (void)state;
    create(&self, MOST_COLUMNS);
    draw(&self, in_order);
    self.indices[WRONG_AT] = ROWS;
    assert_int_equal(run(&self, &asked, &threads, &error), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_int_equal(error.position[0], WRONG_AT);
    assert_int_equal(error.value, ROWS);
    assert_memory_equal(self.output, self.data, output_bytes(&self));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_update_wins),
        cmocka_unit_test(sums_are_rounded_in_the_order_of_updates),
        cmocka_unit_test(sums_begin_anew),
        cmocka_unit_test(columns_are_shared_if_all_are_sorted),
        cmocka_unit_test(a_wrong_index_in_a_part_is_treated_as_asked),
        cmocka_unit_test(a_wrong_index_in_a_part_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
