/*
 * The parts of the interface that are compiled into programs: sizes and offsets of every public struct, as
 * functions only of the size of a pointer, and the value of every constant. No compiler, target or flag may give
 * others.
 */
#include <strew/inspect.h>
#include <strew/operators.h>

#include "base/error.h"
#include "base/lists.h"
#include "layout.h"
#include "test.h"

/* ---- Structs ------------------------------------------------------------------------------------- */

/* There is no padding: a field begins where the one before it ends, however 64-bit integers are aligned. */
static void check_layout(const layout_field *fields, size_t count)
{
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        const layout_field *field = &fields[i];
        if (field->offset != end)
            fail_msg("%s.%s: %zu, not %zu", field->type, field->name ? field->name : "(size)", field->offset, end);
        const size_t size = field->pointers * sizeof(void *) + field->bytes;
        if (field->size != size)
            fail_msg("%s.%s has %zu bytes, not %zu", field->type, field->name, field->size, size);
        end = field->name ? end + size : 0;
    }
}

static void structs_are_laid_out_by_the_size_of_a_pointer_alone(void **state)
{
    (void)state;
    check_layout(layout, layout_count);
}

#ifdef STREW_TEST_PACKED
static void flags_for_structs_and_enums_do_not_change_them(void **state)
{
    (void)state;
    assert_int_equal(layout_packed_count, layout_count);
    check_layout(layout_packed, layout_packed_count);
}
#endif

#ifdef STREW_TEST_CPP
static void they_are_the_same_in_cpp(void **state)
{
    (void)state;
    assert_int_equal(layout_cpp_count, layout_count);
    check_layout(layout_cpp, layout_cpp_count);
}
#endif

static void types_of_values_have_32_bits(void **state)
{
    (void)state;
    assert_int_equal(sizeof(bool), 1);
    assert_int_equal(sizeof(strew_status), 4);
    assert_int_equal(sizeof(strew_operand), 4);
    assert_int_equal(sizeof(strew_dtype), 4);
    assert_int_equal(sizeof(strew_reduction), 4);
    assert_int_equal(sizeof(strew_isa), 4);
    assert_int_equal(sizeof(strew_isa_state), 4);
    assert_int_equal(sizeof(strew_kind), 4);
    assert_int_equal(sizeof(strew_bounds), 4);
    assert_int_equal(sizeof(strew_empty), 4);
    assert_true((strew_status)-1 < 0 && (strew_operand)-1 < 0 && (strew_reduction)-1 < 0);
    assert_true((strew_isa)-1 < 0 && (strew_isa_state)-1 < 0 && (strew_kind)-1 < 0);
    assert_true((strew_bounds)-1 < 0 && (strew_empty)-1 < 0);
    assert_true((strew_dtype)-1 > 0);
}

/* ---- Constants ----------------------------------------------------------------------------------- */

typedef struct constant {
    const char *name;
    int64_t is;
    int64_t must_be;
} constant;

#define CONSTANT(name, value)               \
    {                                       \
#name, (int64_t)STREW_##name, value \
    }

static const constant statuses[] = {
    CONSTANT(STATUS_OK, 0),
    CONSTANT(STATUS_INVALID_ARGUMENT, 1),
    CONSTANT(STATUS_SHAPE_MISMATCH, 2),
    CONSTANT(STATUS_DTYPE_MISMATCH, 3),
    CONSTANT(STATUS_UNSUPPORTED_DTYPE, 4),
    CONSTANT(STATUS_UNSUPPORTED_REDUCTION, 5),
    CONSTANT(STATUS_INDEX_OUT_OF_BOUNDS, 6),
    CONSTANT(STATUS_OUT_OF_MEMORY, 7),
    CONSTANT(STATUS_IO_ERROR, 8),
    CONSTANT(STATUS_UNSUPPORTED_OPERATOR, 9),
};

static const constant operands[] = {
    CONSTANT(OPERAND_CALL, 0),       CONSTANT(OPERAND_DATA, 1),           CONSTANT(OPERAND_INDICES, 2),
    CONSTANT(OPERAND_UPDATES, 3),    CONSTANT(OPERAND_OUTPUT, 4),         CONSTANT(OPERAND_AXIS, 5),
    CONSTANT(OPERAND_BATCH_DIMS, 6), CONSTANT(OPERAND_REDUCTION, 7),      CONSTANT(OPERAND_USE_INIT_VAL, 8),
    CONSTANT(OPERAND_OPERATOR, 9),   CONSTANT(OPERAND_ATTRIBUTES, 10),    CONSTANT(OPERAND_PLAN, 11),
    CONSTANT(OPERAND_BUFFERS, 12),   CONSTANT(OPERAND_SHAPE, 13),         CONSTANT(OPERAND_RANK, 14),
    CONSTANT(OPERAND_ISA, 15),       CONSTANT(OPERAND_OPTIONS, 16),       CONSTANT(OPERAND_PARALLEL, 17),
    CONSTANT(OPERAND_SCRATCH, 18),   CONSTANT(OPERAND_BOUNDS, 19),        CONSTANT(OPERAND_CIRCULAR, 20),
    CONSTANT(OPERAND_SLICE, 21),     CONSTANT(OPERAND_OFFSETS, 22),       CONSTANT(OPERAND_SEGMENT_IDS, 23),
    CONSTANT(OPERAND_TARGETS, 24),   CONSTANT(OPERAND_WEIGHTS, 25),       CONSTANT(OPERAND_DEFAULT_INDEX, 26),
    CONSTANT(OPERAND_EMPTY, 27),     CONSTANT(OPERAND_SEGMENT_COUNT, 28), CONSTANT(OPERAND_INSPECTION, 29),
};

static const constant dtypes[] = {
    CONSTANT(DTYPE_NONE, 0),
    CONSTANT(DTYPE_BOOL, 1),
    CONSTANT(DTYPE_INT8, 2),
    CONSTANT(DTYPE_INT16, 3),
    CONSTANT(DTYPE_INT32, 4),
    CONSTANT(DTYPE_INT64, 5),
    CONSTANT(DTYPE_UINT8, 6),
    CONSTANT(DTYPE_UINT16, 7),
    CONSTANT(DTYPE_UINT32, 8),
    CONSTANT(DTYPE_UINT64, 9),
    CONSTANT(DTYPE_FLOAT16, 10),
    CONSTANT(DTYPE_BFLOAT16, 11),
    CONSTANT(DTYPE_FLOAT32, 12),
    CONSTANT(DTYPE_FLOAT64, 13),
    CONSTANT(DTYPE_COMPLEX64, 14),
    CONSTANT(DTYPE_COMPLEX128, 15),
    CONSTANT(DTYPE_STRING, 16),
    CONSTANT(DTYPE_FLOAT8E4M3FN, 17),
    CONSTANT(DTYPE_FLOAT8E4M3FNUZ, 18),
    CONSTANT(DTYPE_FLOAT8E5M2, 19),
    CONSTANT(DTYPE_FLOAT8E5M2FNUZ, 20),
    CONSTANT(DTYPE_FLOAT8E8M0, 21),
    CONSTANT(DTYPE_UINT4, 22),
    CONSTANT(DTYPE_INT4, 23),
    CONSTANT(DTYPE_FLOAT4E2M1, 24),
    CONSTANT(DTYPE_UINT2, 25),
    CONSTANT(DTYPE_INT2, 26),
};

static const constant reductions[] = {
    CONSTANT(REDUCTION_NONE, 0), CONSTANT(REDUCTION_SUM, 1), CONSTANT(REDUCTION_SUB, 2),
    CONSTANT(REDUCTION_PROD, 3), CONSTANT(REDUCTION_MIN, 4), CONSTANT(REDUCTION_MAX, 5),
    CONSTANT(REDUCTION_MEAN, 6),
};

static const constant isas[] = {
    CONSTANT(ISA_BEST, 0),   CONSTANT(ISA_SCALAR, 1), CONSTANT(ISA_AVX2, 2),
    CONSTANT(ISA_AVX512, 3), CONSTANT(ISA_NEON, 4),
};

static const constant states[] = {
    CONSTANT(ISA_STATE_ABSENT, 0),
    CONSTANT(ISA_STATE_UNAVAILABLE, 1),
    CONSTANT(ISA_STATE_EMULATED, 2),
    CONSTANT(ISA_STATE_NATIVE, 3),
};

static const constant kinds[] = {
    CONSTANT(KIND_GATHER_ND, 0),
    CONSTANT(KIND_GATHER_ELEMENTS, 1),
    CONSTANT(KIND_SCATTER_ND, 2),
    CONSTANT(KIND_SCATTER_ELEMENTS, 3),
    CONSTANT(KIND_GATHER, 4),
    CONSTANT(KIND_SCATTER, 5),
    CONSTANT(KIND_TENSOR_SCATTER, 6),
    CONSTANT(KIND_SLICE_SCATTER, 7),
    CONSTANT(KIND_EMBEDDING_BAG_OFFSETS, 8),
    CONSTANT(KIND_EMBEDDING_BAG_PACKED, 9),
    CONSTANT(KIND_EMBEDDING_SEGMENTS, 10),
    CONSTANT(KIND_SEGMENT_REDUCE, 11),
    CONSTANT(KIND_GATHER_SCATTER, 12),
};

static const constant policies[] = {
    CONSTANT(BOUNDS_REFUSE, 0), CONSTANT(BOUNDS_STOP, 1), CONSTANT(BOUNDS_SKIP, 2),
    CONSTANT(BOUNDS_CLAMP, 3),  CONSTANT(BOUNDS_WRAP, 4),
};

static const constant empties[] = {
    CONSTANT(EMPTY_ZERO, 0),
    CONSTANT(EMPTY_LOWEST, 1),
};

/* Constants outside the lists of base/lists.h: bits, limits. */
static const constant others[] = {
    CONSTANT(ATTRIBUTE_AXIS, 1),
    CONSTANT(ATTRIBUTE_BATCH_DIMS, 2),
    CONSTANT(ATTRIBUTE_REDUCTION, 4),
    CONSTANT(ATTRIBUTE_USE_INIT_VAL, 8),
    CONSTANT(ATTRIBUTE_CIRCULAR, 16),
    CONSTANT(ATTRIBUTE_SLICE, 32),
    CONSTANT(ATTRIBUTE_SEGMENTS, 64),
    CONSTANT(ATTRIBUTE_WEIGHTS, 128),
    CONSTANT(ATTRIBUTE_DEFAULT_INDEX, 256),
    CONSTANT(ATTRIBUTE_EMPTY, 512),
    CONSTANT(ATTRIBUTE_SEGMENT_COUNT, 1024),
    CONSTANT(RULE_REFUSES_NEGATIVE, 1),
    CONSTANT(RULE_FLATTENS_BATCH, 2),
    CONSTANT(RULE_ONE_ELEMENT_UPDATES, 4),
    CONSTANT(RULE_AXIS_IS_INPUT, 8),
    CONSTANT(RULE_DEPRECATED, 16),
    CONSTANT(RULE_ZERO_OUTSIDE, 32),
    CONSTANT(RULE_DROPS_BEYOND, 64),
    CONSTANT(RULE_NAMES_DEFAULT, 128),
    CONSTANT(FLAG_REFUSE_NEGATIVE_INDICES, 1),
    CONSTANT(FLAG_UNIQUE_INDICES, 2),
    CONSTANT(MAX_RANK, 32),
    CONSTANT(PLAN_SIZE, 8192),
    CONSTANT(DTYPE_OPAQUE_BIT, 0x80000000),
    CONSTANT(DTYPE_OPAQUE(1), 0x80000001),
    CONSTANT(DTYPE_OPAQUE(0x7fffffff), 0xffffffff),
    CONSTANT(DTYPE_OPAQUE(0), 0),
    CONSTANT(DTYPE_OPAQUE(0x80000000), 0),
};

/* The lengths of the library's lists. test_lists compares the lists with the headers. */
#define ONE(...) +1

static const struct group {
    const char *name;
    const constant *constants;
    size_t count;
    size_t listed;
} groups[] = {
    {"strew_status", statuses, COUNT(statuses), STREW_STATUSES(ONE)},
    {"strew_operand", operands, COUNT(operands), STREW_OPERANDS(ONE)},
    {"strew_dtype", dtypes, COUNT(dtypes), 1 STREW_DTYPES(ONE)},
    {"strew_reduction", reductions, COUNT(reductions), STREW_REDUCTIONS(ONE)},
    {"strew_isa", isas, COUNT(isas), 1 STREW_ISAS(ONE)},
    {"strew_isa_state", states, COUNT(states), STREW_ISA_STATES(ONE)},
    {"strew_kind", kinds, COUNT(kinds), STREW_KINDS(ONE)},
    {"strew_bounds", policies, COUNT(policies), STREW_POLICIES(ONE)},
    {"strew_empty", empties, COUNT(empties), STREW_EMPTIES(ONE)},
    {"others", others, COUNT(others), COUNT(others)},
};

static void constants_have_the_values_that_programs_are_compiled_with(void **state)
{
    (void)state;
    for (size_t g = 0; g < COUNT(groups); g++)
        for (size_t c = 0; c < groups[g].count; c++)
            if (groups[g].constants[c].is != groups[g].constants[c].must_be)
                fail_msg("STREW_%s is %lld, not %lld", groups[g].constants[c].name,
                         (long long)groups[g].constants[c].is, (long long)groups[g].constants[c].must_be);
}

static void every_enumerator_is_here(void **state)
{
    (void)state;
    for (size_t g = 0; g < COUNT(groups); g++)
        if (groups[g].count != groups[g].listed)
            fail_msg("%s has %zu values, and this test %zu", groups[g].name, groups[g].listed, groups[g].count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_are_laid_out_by_the_size_of_a_pointer_alone),
#ifdef STREW_TEST_PACKED
        cmocka_unit_test(flags_for_structs_and_enums_do_not_change_them),
#endif
#ifdef STREW_TEST_CPP
        cmocka_unit_test(they_are_the_same_in_cpp),
#endif
        cmocka_unit_test(types_of_values_have_32_bits),
        cmocka_unit_test(constants_have_the_values_that_programs_are_compiled_with),
        cmocka_unit_test(every_enumerator_is_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
