/* Walks over rows whose elements have one size in the addressed tensor and another one in the dense tensor. */
#include "engine/walk/walk.h"
#include "test.h"

/* Halves in the addressed tensor, floats in the dense one. */
enum { HALF = 2, FLOAT = 4 };

/* A walk over rows of four such elements, whose inner steps are these. */
static strew_walk walk_of(int64_t dense_step, int64_t base_step)
{
    strew_walk walk;
    strew_walk_begin(&walk, NULL, STREW_DTYPE_INT64, (strew_row_dtypes){STREW_DTYPE_FLOAT16, STREW_DTYPE_FLOAT32},
                     (strew_row_bytes){.addressed = HALF, .dense = FLOAT});
    strew_walk_add_dim(&walk, (strew_dim){3, 8, 100, 0});
    strew_walk_add_dim(&walk, (strew_dim){2, 0, 2 * dense_step, 2 * base_step});
    strew_walk_add_dim(&walk, (strew_dim){2, 0, dense_step, base_step});
    strew_walk_coalesce(&walk);
    return walk;
}

static void assert_rows(const strew_walk *walk, int32_t dims, int64_t addressed, int64_t dense)
{
    assert_int_equal(walk->dims, dims);
    assert_int_equal(walk->row_bytes.addressed, addressed);
    assert_int_equal(walk->row_bytes.dense, dense);
}

static void rows_that_are_contiguous_in_both_tensors_are_folded(void **state)
{
    (void)state;
    strew_walk walk = walk_of(FLOAT, HALF);
    assert_rows(&walk, 2, HALF, FLOAT);
    assert_int_equal(walk.dim[1].size, 4);
    strew_walk_fold(&walk);
    assert_rows(&walk, 1, 4 * HALF, 4 * FLOAT);
}

static void each_step_is_compared_with_the_row_of_its_own_tensor(void **state)
{
    (void)state;
    strew_walk halves = walk_of(HALF, HALF), floats = walk_of(FLOAT, FLOAT), swapped = walk_of(HALF, FLOAT);
    strew_walk_fold(&halves);
    assert_rows(&halves, 2, HALF, FLOAT);
    strew_walk_fold(&floats);
    assert_rows(&floats, 2, HALF, FLOAT);
    strew_walk_fold(&swapped);
    assert_rows(&swapped, 2, HALF, FLOAT);
}

static void dimensions_that_step_as_one_in_one_tensor_only_stay_apart(void **state)
{
    (void)state;
    strew_walk walk;
    strew_walk_begin(&walk, NULL, STREW_DTYPE_INT64, (strew_row_dtypes){STREW_DTYPE_FLOAT16, STREW_DTYPE_FLOAT32},
                     (strew_row_bytes){.addressed = HALF, .dense = FLOAT});
    strew_walk_add_dim(&walk, (strew_dim){2, 0, 2 * FLOAT, 2 * FLOAT});
    strew_walk_add_dim(&walk, (strew_dim){2, 0, FLOAT, HALF});
    strew_walk_coalesce(&walk);
    assert_rows(&walk, 2, HALF, FLOAT);
    strew_walk_fold(&walk);
    assert_rows(&walk, 1, 2 * HALF, 2 * FLOAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_are_contiguous_in_both_tensors_are_folded),
        cmocka_unit_test(each_step_is_compared_with_the_row_of_its_own_tensor),
        cmocka_unit_test(dimensions_that_step_as_one_in_one_tensor_only_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
