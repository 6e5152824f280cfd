/*
 * The operators that move or combine by indices, with every dtype, reduction and index dtype, on random shapes,
 * layouts and threads, compared with the oracle; windows, slices and bags have tests of their own. A failure prints
 * the seed of its run: STREW_TEST_SEED in the environment repeats it.
 */
#include "base/lists.h"
#include "element.h"
#include "random_case.h"
#include "test.h"

static const strew_dtype dtypes[] = {
#define DTYPE(CONSTANT, name, suffix, bits) STREW_DTYPE_##CONSTANT,
#define OPAQUE(bytes) STREW_DTYPE_OPAQUE(bytes),
    STREW_DTYPES(DTYPE) OPAQUE(1) OPAQUE(3) OPAQUE(5) OPAQUE(16) OPAQUE(24) OPAQUE(100)
#undef OPAQUE
#undef DTYPE
};

static const strew_dtype index_dtypes[] = {
#define DTYPE(CONSTANT, name, suffix, bits) STREW_DTYPE_##CONSTANT,
    STREW_INTEGER_DTYPES(DTYPE)
#undef DTYPE
};

static bool operator_reduces(strew_kind kind, strew_dtype dtype, strew_reduction reduction)
{
    switch (kind) {
    case STREW_KIND_SCATTER_ND: return reduction != STREW_REDUCTION_MEAN && element_reduces(dtype, reduction);
    case STREW_KIND_SCATTER:
    case STREW_KIND_SCATTER_ELEMENTS: return element_reduces(dtype, reduction);
    default: return reduction == STREW_REDUCTION_NONE;
    }
}

static void check_cases(const case_request *request, random_source *source, int cases)
{
    for (int i = 0; i < cases; i++) {
        random_case drawn;
        random_case_create(&drawn, request, random_bits(source));
        random_case_check(&drawn);
        random_case_destroy(&drawn);
    }
}

/* Each element of the matrix dtype x reduction x index dtype, `cases` times. */
static void check_operator(strew_kind kind, int cases)
{
    random_source source = {random_seed() + (uint64_t)kind};
    for (size_t d = 0; d < COUNT(dtypes); d++) {
        if (element_size(dtypes[d]) == 0) /* packed: test_packed.c */
            continue;
        for (size_t i = 0; i < COUNT(index_dtypes); i++) {
            for (int r = 0; r < STREW_REDUCTION_COUNT; r++) {
                case_request request = {kind, dtypes[d], index_dtypes[i], (strew_reduction)r, 500, 2000};
                if (operator_reduces(kind, request.dtype, request.reduction))
                    check_cases(&request, &source, cases);
            }
        }
    }
}

static void gather_nd_agrees_with_the_oracle(void **state)
{
    (void)state;
    check_operator(STREW_KIND_GATHER_ND, 6);
}

static void gather_elements_agrees_with_the_oracle(void **state)
{
    (void)state;
    check_operator(STREW_KIND_GATHER_ELEMENTS, 6);
}

static void gather_agrees_with_the_oracle(void **state)
{
    (void)state;
    check_operator(STREW_KIND_GATHER, 6);
}

static void scatter_agrees_with_the_oracle(void **state)
{
    (void)state;
    check_operator(STREW_KIND_SCATTER, 2);
}

static void scatter_nd_agrees_with_the_oracle(void **state)
{
    (void)state;
    check_operator(STREW_KIND_SCATTER_ND, 2);
}

static void scatter_elements_agrees_with_the_oracle(void **state)
{
    (void)state;
    check_operator(STREW_KIND_SCATTER_ELEMENTS, 2);
}

/* Large enough that the work is split between threads and that an index block is not the only one. */
static void large_calls_agree_with_the_oracle(void **state)
{
    (void)state;
    static const strew_dtype samples[] = {STREW_DTYPE_UINT8, STREW_DTYPE_FLOAT16, STREW_DTYPE_FLOAT32,
                                          STREW_DTYPE_COMPLEX128};
    static const strew_reduction reductions[] = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUM, STREW_REDUCTION_MAX,
                                                 STREW_REDUCTION_MEAN};
    random_source source = {random_seed()};
    for (int kind = STREW_KIND_GATHER_ND; kind <= STREW_KIND_SCATTER; kind++) {
        for (size_t d = 0; d < COUNT(samples); d++) {
            for (size_t r = 0; r < COUNT(reductions); r++) {
                strew_dtype index_dtype = random_chance(&source, 50) ? STREW_DTYPE_INT32 : STREW_DTYPE_INT64;
                case_request request = {(strew_kind)kind, samples[d], index_dtype, reductions[r], 100000, 60000};
                if (operator_reduces(request.kind, request.dtype, request.reduction))
                    check_cases(&request, &source, 10);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_agrees_with_the_oracle),
        cmocka_unit_test(gather_nd_agrees_with_the_oracle),
        cmocka_unit_test(gather_elements_agrees_with_the_oracle),
        cmocka_unit_test(scatter_agrees_with_the_oracle),
        cmocka_unit_test(scatter_nd_agrees_with_the_oracle),
        cmocka_unit_test(scatter_elements_agrees_with_the_oracle),
        cmocka_unit_test(large_calls_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
