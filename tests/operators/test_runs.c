/* Rows that are named repeatedly: each run of them is combined in registers. */
#include <inttypes.h>

#include "element.h"
#include "oracle.h"
#include "random.h"
#include "test.h"

enum { ROWS = 9, MOST_ENTRIES = 700, MOST_COLUMNS = 130 };

typedef struct run_case {
    strew_dtype dtype;
    strew_reduction reduction;
    int64_t entries, columns;
    int64_t run;           /* how many neighbours name one row */
    int64_t updates_apart; /* from one row of updates to the next, in rows */
} run_case;

static void fill_elements(random_source *random, test_tensor *tensor)
{
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, &tensor->view); more; more = position_next(position, &tensor->view))
        random_element(random, tensor->view.dtype, tensor_element(&tensor->view, position));
}

static void check_runs(random_source *random, const run_case *trial)
{
    const int64_t shape[] = {ROWS, trial->columns}, named[] = {trial->entries};
    const int64_t updated[] = {trial->entries, trial->columns},
                  strides[] = {trial->updates_apart * trial->columns, 1};
    test_tensor data, indices, updates, output, expected;
    int64_t position[STREW_MAX_RANK], row = 0;
    strew_error error;
    tensor_create(&data, trial->dtype, 2, shape, NULL, 1, 1);
    tensor_create(&indices, STREW_DTYPE_INT64, 1, named, NULL, 0, 0);
    tensor_create(&updates, trial->dtype, 2, updated, strides, 0, 0);
    fill_elements(random, &data);
    fill_elements(random, &updates);
    for (int64_t i = 0; i < trial->entries; i++) {
        row = i % trial->run == 0 ? random_between(random, 0, ROWS - 1) : row;
        ((int64_t *)indices.view.data)[i] = row;
    }
    tensor_clone(&output, &data);
    tensor_clone(&expected, &data);
    operator_call call = {.kind = STREW_KIND_SCATTER,
                          .data = &data.view,
                          .indices = &indices.view,
                          .updates = &updates.view,
                          .output = &output.view,
                          .reduction = trial->reduction,
                          .use_init_val = true};
    const strew_options options = call_options();
    assert_int_equal(call_operator(&call, &options), STREW_STATUS_OK);
    call.output = &expected.view;
    assert_true(oracle_run(&call, &error));
    if (!oracle_equal(&expected.view, &output.view, ORACLE_ANY_NAN, position))
        fail_msg("%s of %s: %" PRId64 " entries of %" PRId64 " columns in runs of %" PRId64,
                 strew_reduction_name(trial->reduction), strew_dtype_name(trial->dtype), trial->entries,
                 trial->columns, trial->run);
    tensor_destroy(&data);
    tensor_destroy(&indices);
    tensor_destroy(&updates);
    tensor_destroy(&output);
    tensor_destroy(&expected);
}

/* For each dtype and reduction; the counts of entries end before, at and after the size of a block. */
static void runs_are_combined_in_order(void **state)
{
    (void)state;
    static const int64_t entries[] = {15, 16, 63, 64, 65, 129, MOST_ENTRIES};
    static const int64_t columns[] = {2, 5, 16, 33, 64, MOST_COLUMNS};
    static const int64_t runs[] = {3, 50, MOST_ENTRIES};
    random_source random = {random_seed()};
    for (strew_dtype dtype = STREW_DTYPE_BOOL; dtype <= STREW_DTYPE_COMPLEX128; dtype++)
        for (strew_reduction reduction = STREW_REDUCTION_SUM; reduction <= STREW_REDUCTION_MAX; reduction++)
            for (size_t e = 0; e < COUNT(entries) && element_reduces(dtype, reduction); e++)
                for (size_t c = 0; c < COUNT(columns); c++)
                    check_runs(&random, &(run_case){.dtype = dtype,
                                                    .reduction = reduction,
                                                    .entries = entries[e],
                                                    .columns = columns[c],
                                                    .run = runs[(e + c) % COUNT(runs)],
                                                    .updates_apart = 1 + (int64_t)(e % 2)});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_are_combined_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
