/* Elements that are gathered from few: as many as are looked up at once, wherever they and their indices lie. */
#include "call.h"
#include "test.h"

enum { FEW = 12, LANES = 3, POSITIONS = 200, APART = 3 };

static int64_t number_at(size_t lane, size_t position)
{
    return (int64_t)((lane * 5 + position * 7) % FEW);
}

/* Lanes of a table each, and positions that are `apart` elements from each other in what they are in. */
static void check_lanes(strew_dtype index_dtype, int64_t indices_apart, int64_t output_apart, int64_t table_apart)
{
    static const int64_t data_shape[] = {LANES, FEW}, shape[] = {LANES, POSITIONS};
    float data_values[LANES * FEW * APART], found[LANES * POSITIONS * APART] = {0};
    int64_t wide[LANES * POSITIONS * APART];
    int32_t narrow[LANES * POSITIONS * APART];
    for (size_t i = 0; i < COUNT(data_values); i++)
        data_values[i] = (float)i;
    for (size_t i = 0; i < COUNT(wide); i++)
        wide[i] = narrow[i] = 1; /* right, but not what is meant, where no index lies */
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

/* What comes before the offender, and nothing else. */
static void what_stops_has_written_no_further(void **state)
{
    (void)state;
    static const int64_t few[] = {FEW}, many[] = {POSITIONS};
    float table[FEW], found[POSITIONS];
    int64_t numbers[POSITIONS];
    for (size_t i = 0; i < FEW; i++)
        table[i] = (float)i;
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 1, few, NULL};
    const strew_tensor indices = {numbers, STREW_DTYPE_INT64, 1, many, NULL};
    const strew_tensor output = {found, STREW_DTYPE_FLOAT32, 1, many, NULL};
    const operator_call call = {
        .kind = STREW_KIND_GATHER_ELEMENTS, .data = &data, .indices = &indices, .output = &output};
    strew_options options = call_options();
    options.bounds = STREW_BOUNDS_STOP;
    for (size_t wrong = 0; wrong < POSITIONS; wrong += 7) {
        for (size_t p = 0; p < POSITIONS; p++) {
            numbers[p] = p == wrong ? FEW : number_at(0, p);
            found[p] = -1;
        }
        assert_int_equal(call_operator(&call, &options), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
        for (size_t p = 0; p < POSITIONS; p++)
            assert_true(found[p] == (p < wrong ? table[numbers[p]] : -1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_and_indices_may_lie_apart),
        cmocka_unit_test(what_stops_has_written_no_further),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
