/*
 * Gathers from tables small enough for registers, and scatters of more than a tile, with any layout of elements and
 * indices.
 */
#include "element.h"
#include "oracle.h"
#include "random.h"
#include "test.h"

enum { FEW = 12, LANES = 3, POSITIONS = 200, APART = 3 };

static int64_t number_at(size_t lane, size_t position)
{
    return (int64_t)((lane * 5 + position * 7) % FEW);
}

/* Lanes with a table each, and positions that are `apart` elements from each other in each tensor. */
static void check_lanes(strew_dtype index_dtype, int64_t indices_apart, int64_t output_apart, int64_t table_apart)
{
    static const int64_t data_shape[] = {LANES, FEW}, shape[] = {LANES, POSITIONS};
    float data_values[LANES * FEW * APART], found[LANES * POSITIONS * APART] = {0};
    int64_t wide[LANES * POSITIONS * APART];
    int32_t narrow[LANES * POSITIONS * APART];
    for (size_t i = 0; i < COUNT(data_values); i++)
        data_values[i] = (float)i;
    for (size_t i = 0; i < COUNT(wide); i++)
        wide[i] = narrow[i] = 1; /* valid, but wrong: no index is read here */
    for (size_t lane = 0; lane < LANES; lane++)
        for (size_t p = 0; p < POSITIONS; p++) {
            const size_t at = (lane * POSITIONS + p) * (size_t)indices_apart;
            wide[at] = number_at(lane, p);
            narrow[at] = (int32_t)number_at(lane, p);
        }
    const int64_t table_strides[] = {FEW * table_apart, table_apart};
    const int64_t index_strides[] = {POSITIONS * indices_apart, indices_apart};
    const int64_t output_strides[] = {POSITIONS * output_apart, output_apart};
    const void *const numbers = index_dtype == STREW_DTYPE_INT64 ? (const void *)wide : narrow;
    const strew_tensor data = {data_values, STREW_DTYPE_FLOAT32, 2, data_shape, table_strides};
    const strew_tensor indices = {(void *)(uintptr_t)numbers, index_dtype, 2, shape, index_strides};
    const strew_tensor output = {found, STREW_DTYPE_FLOAT32, 2, shape, output_strides};
    const operator_call call = {
        .kind = STREW_KIND_GATHER_ELEMENTS, .data = &data, .indices = &indices, .output = &output, .axis = 1};
    const strew_options options = call_options();
    assert_int_equal(call_operator(&call, &options), STREW_STATUS_OK);
    for (size_t lane = 0; lane < LANES; lane++)
        for (size_t p = 0; p < POSITIONS; p++) {
            const int64_t element = (int64_t)lane * table_strides[0] + number_at(lane, p) * table_apart;
            assert_true(found[(lane * POSITIONS + p) * (size_t)output_apart] == (float)element);
        }
}

static void elements_and_indices_may_lie_apart(void **state)
{
    (void)state;
    static const strew_dtype dtypes[] = {STREW_DTYPE_INT32, STREW_DTYPE_INT64};
    for (size_t t = 0; t < COUNT(dtypes); t++)
        for (int64_t indices_apart = 1; indices_apart <= APART; indices_apart++)
            for (int64_t output_apart = 1; output_apart <= APART; output_apart++)
                for (int64_t table_apart = 1; table_apart <= APART; table_apart++)
                    check_lanes(dtypes[t], indices_apart, output_apart, table_apart);
}

/* Exactly the elements before the bad index are written, for a table of this size. */
static void check_what_stops(int64_t size)
{
    static const int64_t many[] = {POSITIONS};
    float table[POSITIONS], found[POSITIONS];
    int64_t numbers[POSITIONS];
    for (size_t i = 0; i < POSITIONS; i++)
        table[i] = (float)i;
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 1, &size, NULL};
    const strew_tensor indices = {numbers, STREW_DTYPE_INT64, 1, many, NULL};
    const strew_tensor output = {found, STREW_DTYPE_FLOAT32, 1, many, NULL};
    const operator_call call = {
        .kind = STREW_KIND_GATHER_ELEMENTS, .data = &data, .indices = &indices, .output = &output};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_STOP;
    for (size_t wrong = 0; wrong < POSITIONS; wrong += 7) {
        for (size_t p = 0; p < POSITIONS; p++) {
            numbers[p] = p == wrong ? size : number_at(0, p);
            found[p] = -1;
        }
        assert_int_equal(call_operator(&call, &options), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        for (size_t p = 0; p < POSITIONS; p++)
            assert_true(found[p] == (p < wrong ? table[numbers[p]] : -1));
    }
}

/* Whether registers hold the table or not. */
static void what_stops_has_written_no_further(void **state)
{
    (void)state;
    check_what_stops(FEW);
    check_what_stops(POSITIONS);
}

/* ---- By lanes ------------------------------------------------------------------------------------ */

/* In each lane: more than a tile, or less. */
enum { MANY = 1200, SOME = 150, SIZE = 90 };

/* The length of the runs of equal indices. */
static const size_t runs[] = {1, 40, 150, 2000};

/* No runs: each index is one more than the one before, as far as there are elements. */
enum { ADJOINING = 0 };

typedef struct lane_case {
    strew_kind kind; /* gather or scatter elements */
    strew_dtype dtype, index_dtype;
    strew_reduction reduction;
    size_t lanes, size, count; /* each lane: elements, and positions */
    bool across;               /* lanes lie side by side, not one after the other */
    size_t run;
    size_t wrong; /* the position of a bad index in all lanes; past the end: none */
    bool in_place;
    strew_bounds bounds;
    int64_t updates_apart;
} lane_case;

static void fill_indices(const lane_case *trial, random_source *random, test_tensor *indices)
{
    const size_t bytes = element_size(trial->index_dtype);
    const int64_t size = (int64_t)trial->size;
    int64_t index = 0;
    for (size_t i = 0; i < trial->lanes * trial->count; i++) {
        if (trial->run == ADJOINING)
            index = (int64_t)(i % trial->count) % size;
        else if (i % trial->run == 0)
            index = random_between(random, -size, size - 1);
        const int64_t value = i == trial->wrong ? size : index;
        element_store_integer(trial->index_dtype, (uint64_t)value, (char *)indices->view.data + i * bytes);
    }
}

/* Mostly numbers whose sums are rounded but stay finite. */
static void fill_elements(random_source *random, test_tensor *tensor)
{
    const strew_dtype dtype = tensor->view.dtype;
    const bool any =
        element_is_complex(dtype) || element_float_format(dtype).mantissa_bits == 0 || random_chance(random, 25);
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, &tensor->view); more; more = position_next(position, &tensor->view)) {
        void *const element = tensor_element(&tensor->view, position);
        if (any)
            random_element(random, dtype, element);
        else
            element_store(dtype, (double)random_between(random, -50, 50) / 10.0, element);
    }
}

static void check_lane_case(random_source *random, const lane_case *trial)
{
    const bool scatters = trial->kind == STREW_KIND_SCATTER_ELEMENTS;
    const int64_t lanes = (int64_t)trial->lanes, count = (int64_t)trial->count;
    const int64_t size = (int64_t)trial->size, axis = trial->across ? 0 : 1;
    const int64_t shape[] = {axis == 1 ? lanes : size, axis == 1 ? size : lanes};
    const int64_t named[] = {axis == 1 ? lanes : count, axis == 1 ? count : lanes};
    const int64_t apart[] = {named[1] * trial->updates_apart, trial->updates_apart};
    test_tensor data, indices, updates, output, expected;
    int64_t position[STREW_MAX_RANK];
    strew_error error;
    tensor_create(&data, trial->dtype, 2, shape, NULL, 1, 1);
    tensor_create(&indices, trial->index_dtype, 2, named, NULL, 0, 0);
    tensor_create(&updates, trial->dtype, 2, named, apart, 0, 0);
    fill_elements(random, &data);
    fill_elements(random, &updates);
    fill_indices(trial, random, &indices);
    tensor_clone(&output, scatters ? &data : &updates);
    tensor_clone(&expected, scatters ? &data : &updates);
    operator_call call = {.kind = trial->kind,
                          .data = trial->in_place ? &output.view : &data.view,
                          .indices = &indices.view,
                          .updates = scatters ? &updates.view : NULL,
                          .output = &output.view,
                          .axis = axis,
                          .reduction = trial->reduction,
                          .use_init_val = true,
                          .bounds = trial->bounds};
    strew_options options = call_options();
    options.bounds = trial->bounds;
    const strew_status status = call_operator(&call, &options);
    call.data = &data.view;
    call.output = &expected.view;
    const bool right = oracle_run(&call, &error);
    assert_int_equal(status, right ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    if (right || trial->in_place || trial->bounds == STREW_BOUNDS_STOP)
        assert_true(oracle_equal(&expected.view, &output.view, ORACLE_ANY_NAN, position));
    tensor_destroy(&data);
    tensor_destroy(&indices);
    tensor_destroy(&updates);
    tensor_destroy(&output);
    tensor_destroy(&expected);
}

/* A dtype that tables take. */
static strew_dtype random_index_dtype(random_source *random)
{
    return random_chance(random, 50) ? STREW_DTYPE_INT32 : STREW_DTYPE_INT64;
}

static strew_bounds random_policy(random_source *random)
{
    return (strew_bounds)random_below(random, STREW_BOUNDS_COUNT);
}

static void combine_in_order(random_source *random, strew_dtype dtype, strew_reduction reduction, size_t run)
{
    const bool any = random_chance(random, 50);
    const size_t lanes = 1 + random_below(random, any ? 3 : 13), count = any ? MANY : SOME;
    const lane_case trial = {.kind = STREW_KIND_SCATTER_ELEMENTS,
                             .dtype = dtype,
                             .index_dtype = random_index_dtype(random),
                             .reduction = reduction,
                             .lanes = lanes,
                             .size = random_chance(random, 50) ? SIZE : FEW / 2,
                             .count = count,
                             .run = run,
                             .wrong = lanes * count,
                             .in_place = random_chance(random, 50),
                             .updates_apart = random_chance(random, 75) ? 1 : 2};
    check_lane_case(random, &trial);
}

/* For each dtype and reduction, also with one element updated repeatedly. */
static void elements_are_combined_in_order(void **state)
{
    (void)state;
    enum { SUMS = 12 }; /* there are more ways to them */
    random_source random = {random_seed()};
    for (strew_dtype dtype = STREW_DTYPE_BOOL; dtype <= STREW_DTYPE_COMPLEX128; dtype++)
        for (strew_reduction reduction = STREW_REDUCTION_NONE; reduction <= STREW_REDUCTION_MAX; reduction++)
            for (size_t r = 0; r < COUNT(runs) && element_reduces(dtype, reduction); r++)
                for (size_t times = reduction == STREW_REDUCTION_SUM ? SUMS : 1; times > 0; times--)
                    combine_in_order(&random, dtype, reduction, runs[r]);
}

/* A refused call does not change the elements, and one that continues combines the rest. */
static void wrong_ones_end_what_their_policy_ends(void **state)
{
    (void)state;
    static const strew_reduction reductions[] = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUM};
    static const strew_dtype dtypes[] = {STREW_DTYPE_INT32, STREW_DTYPE_FLOAT32, STREW_DTYPE_FLOAT16};
    random_source random = {random_seed()};
    for (size_t wrong = 0; wrong < MANY; wrong += 41)
        for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds <= STREW_BOUNDS_WRAP; bounds++)
            for (size_t r = 0; r < COUNT(runs); r++) {
                const size_t count = wrong < SOME ? SOME : MANY;
                const lane_case trial = {.kind = STREW_KIND_SCATTER_ELEMENTS,
                                         .dtype = dtypes[random_below(&random, COUNT(dtypes))],
                                         .index_dtype = random_index_dtype(&random),
                                         .reduction = reductions[r % COUNT(reductions)],
                                         .lanes = 2,
                                         .size = SIZE,
                                         .count = count,
                                         .run = runs[r],
                                         .wrong = count + wrong,
                                         .in_place = random_chance(&random, 75),
                                         .bounds = bounds,
                                         .updates_apart = 1};
                check_lane_case(&random, &trial);
            }
}

/* Several lanes in a tile, each with a table of its own, of as many elements as positions or another number. */
static void short_lanes_are_each_of_their_own(void **state)
{
    (void)state;
    enum { LONGEST = 40, POSITIONS_OF_ALL = 2000 };
    random_source random = {random_seed()};
    for (size_t count = 1; count <= LONGEST; count++)
        for (size_t t = 0; t < 8; t++) {
            const bool scatters = t % 2, combines = t % 4 == 3;
            const size_t lanes = POSITIONS_OF_ALL / count;
            const lane_case trial = {.kind = scatters ? STREW_KIND_SCATTER_ELEMENTS : STREW_KIND_GATHER_ELEMENTS,
                                     .dtype = random_chance(&random, 50) ? STREW_DTYPE_FLOAT32 : STREW_DTYPE_INT8,
                                     .index_dtype = random_index_dtype(&random),
                                     .reduction = combines ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE,
                                     .lanes = lanes,
                                     .size =
                                         random_chance(&random, 50) ? count : random_below(&random, LONGEST) + 1,
                                     .count = count,
                                     .run = t < 4 ? 1 : ADJOINING,
                                     .wrong = random_below(&random, 2 * lanes * count),
                                     .in_place = scatters && random_chance(&random, 50),
                                     .bounds = random_policy(&random),
                                     .updates_apart = random_chance(&random, 75) ? 1 : 2};
            check_lane_case(&random, &trial);
        }
}

/* Some for a tile each, parts of one, and several to a tile. */
static void lanes_may_lie_side_by_side(void **state)
{
    (void)state;
    static const size_t widths[] = {2, 15, 16, 17, 33, 100, 511, 512, 1000};
    random_source random = {random_seed()};
    for (size_t w = 0; w < COUNT(widths); w++)
        for (strew_dtype dtype = STREW_DTYPE_BOOL; dtype <= STREW_DTYPE_COMPLEX128; dtype++)
            for (size_t t = 0; t < 6; t++) {
                const bool scatters = t % 2, combines = t % 4 == 3 && element_reduces(dtype, STREW_REDUCTION_SUM);
                const size_t count = 1 + MANY / widths[w];
                const lane_case trial = {.kind =
                                             scatters ? STREW_KIND_SCATTER_ELEMENTS : STREW_KIND_GATHER_ELEMENTS,
                                         .dtype = dtype,
                                         .index_dtype = random_index_dtype(&random),
                                         .reduction = combines ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE,
                                         .lanes = widths[w],
                                         .size = 1 + random_below(&random, SIZE),
                                         .count = count,
                                         .across = true,
                                         .run = runs[t % COUNT(runs)],
                                         .wrong = random_below(&random, 2 * widths[w] * count),
                                         .in_place = scatters && random_chance(&random, 50),
                                         .bounds = random_policy(&random),
                                         .updates_apart = random_chance(&random, 75) ? 1 : 2};
                check_lane_case(&random, &trial);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_and_indices_may_lie_apart),
        cmocka_unit_test(what_stops_has_written_no_further),
        cmocka_unit_test(elements_are_combined_in_order),
        cmocka_unit_test(wrong_ones_end_what_their_policy_ends),
        cmocka_unit_test(short_lanes_are_each_of_their_own),
        cmocka_unit_test(lanes_may_lie_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
