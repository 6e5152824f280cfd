/* The sentences of errors, and the names in them. */
#include "base/error.h"
#include "test.h"

static const strew_error index_error = {
    .status = STREW_STATUS_INDEX_OUT_OF_BOUNDS,
    .reason = STREW_REASON_INDEX_OUTSIDE,
    .operand = STREW_OPERAND_INDICES,
    .other = STREW_OPERAND_DATA,
    .value = 7,
    .lower = -4,
    .upper = 3,
    .position_rank = 2,
    .position = {3, 0},
};

static const char index_message[] = "indices[3][0] is 7, outside [-4, 3] for dimension 0 of data";

static void assert_message(const strew_error *error, const char *expected)
{
    char message[256];
    assert_int_equal(strew_error_message(error, message, sizeof message), strlen(expected));
    assert_string_equal(message, expected);
}

static void a_message_is_one_line_without_a_newline(void **state)
{
    (void)state;
    assert_message(&index_error, index_message);
}

static void a_message_is_cut_to_every_size_and_its_length_is_told(void **state)
{
    (void)state;
    for (size_t size = 1; size <= sizeof index_message + 2; size++) {
        char message[sizeof index_message + 4];
        const size_t kept = size < sizeof index_message ? size - 1 : sizeof index_message - 1;
        memset(message, '#', sizeof message);
        assert_int_equal(strew_error_message(&index_error, message, size), sizeof index_message - 1);
        assert_memory_equal(message, index_message, kept);
        assert_int_equal(message[kept], '\0');
        for (size_t i = kept + 1; i < sizeof message; i++)
            assert_int_equal(message[i], '#');
    }
}

static void without_room_only_the_length_is_told(void **state)
{
    (void)state;
    char untouched = '#';
    assert_int_equal(strew_error_message(&index_error, &untouched, 0), sizeof index_message - 1);
    assert_int_equal(untouched, '#');
    assert_int_equal(strew_error_message(&index_error, NULL, 0), sizeof index_message - 1);
    assert_int_equal(strew_error_message(&index_error, NULL, 99), sizeof index_message - 1);
}

static void no_error_is_said_to_be_none(void **state)
{
    (void)state;
    const strew_error none = {.status = STREW_STATUS_OK};
    assert_message(NULL, "no error");
    assert_message(&none, "no error");
}

static void an_error_of_no_known_reason_is_said_to_be_unknown(void **state)
{
    (void)state;
#define ONE(REASON, STATUS, sentence) +1
    static const int32_t reasons[] = {1 STREW_REASONS(ONE), -1, INT32_MIN, INT32_MAX,
                                      10000}; /* the first one that does not exist */
#undef ONE
    for (size_t i = 0; i < COUNT(reasons); i++) {
        const strew_error error = {.status = STREW_STATUS_INVALID_ARGUMENT, .reason = reasons[i]};
        assert_message(&error, "unknown error");
    }
}

/* The longest numbers in the longest sentence: no position in 12 dimensions that fit in memory has 36 digits. */
static void a_message_of_rank_12_fits_256_bytes(void **state)
{
    (void)state;
    strew_error error = {
        .status = STREW_STATUS_INDEX_OUT_OF_BOUNDS,
        .reason = STREW_REASON_INDEX_OUTSIDE,
        .dimension = STREW_MAX_RANK - 1,
        .value = INT64_MIN,
        .lower = INT64_MIN,
        .upper = INT64_MAX,
        .position_rank = 12,
    };
    for (int32_t d = 0; d < error.position_rank; d++)
        error.position[d] = 999;
    assert_in_range(strew_error_message(&error, NULL, 0), 1, 255);
}

static void a_message_that_lists_all_dtypes_fits_320_bytes(void **state)
{
    (void)state;
    const strew_error error = {
        .status = STREW_STATUS_UNSUPPORTED_DTYPE,
        .reason = STREW_REASON_DTYPE_NOT_TAKEN,
        .operand = STREW_OPERAND_DATA,
        .value = STREW_DTYPE_OPAQUE(INT32_MAX),
        .lower = (1 << STREW_DTYPE_COUNT) - 1,
    };
    assert_in_range(strew_error_message(&error, NULL, 0), 281, 319);
}

static void opaque_elements_are_listed_first(void **state)
{
    (void)state;
    const strew_error error = {
        .status = STREW_STATUS_UNSUPPORTED_DTYPE,
        .reason = STREW_REASON_DTYPE_NOT_TAKEN,
        .operand = STREW_OPERAND_DATA,
        .value = STREW_DTYPE_INT2,
        .lower = 1 << STREW_DTYPE_NONE | 1 << STREW_DTYPE_BOOL | 1 << STREW_DTYPE_UINT2,
    };
    assert_message(&error, "data is int2; this operator takes opaque elements, bool, uint2");
}

static void a_position_beyond_the_greatest_rank_is_not_read(void **state)
{
    (void)state;
    strew_error error = index_error;
    error.position_rank = INT32_MAX;
    const size_t of_all = strew_error_message(&error, NULL, 0);
    error.position_rank = STREW_MAX_RANK;
    assert_int_equal(of_all, strew_error_message(&error, NULL, 0));
}

static void unsigned_values_are_printed_unsigned(void **state)
{
    (void)state;
    strew_error error = index_error;
    error.value = -1;
    error.value_is_unsigned = true;
    assert_message(&error, "indices[3][0] is 18446744073709551615, outside [-4, 3] for dimension 0 of data");
    error.value_is_unsigned = false;
    assert_message(&error, "indices[3][0] is -1, outside [-4, 3] for dimension 0 of data");
}

/* ---- Names --------------------------------------------------------------------------------------- */

static void operands_go_by_their_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "call",          "data",         "indices",     "updates",    "output",  "axis",          "batch_dims",
        "reduction",     "use_init_val", "operator",    "attributes", "plan",    "buffers",       "shape",
        "rank",          "isa",          "options",     "parallel",   "scratch", "bounds",        "circular",
        "slice",         "offsets",      "segment_ids", "targets",    "weights", "default_index", "empty",
        "segment_count", "inspection",   "unknown",
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        const strew_error error = {.reason = STREW_REASON_NULL_ARGUMENT, .operand = (strew_operand)i};
        char expected[64] = "";
        strcat(strcat(expected, names[i]), " is NULL");
        assert_message(&error, expected);
    }
}

static void statuses_have_their_values_and_names(void **state)
{
    (void)state;
    static const char *const names[] = {
        "ok",
        "invalid_argument",
        "shape_mismatch",
        "dtype_mismatch",
        "unsupported_dtype",
        "unsupported_reduction",
        "index_out_of_bounds",
        "out_of_memory",
        "io_error",
        "unsupported_operator",
        "unknown",
    };
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(strew_status_name((strew_status)i), names[i]);
    assert_string_equal(strew_status_name((strew_status)-1), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_one_line_without_a_newline),
        cmocka_unit_test(a_message_is_cut_to_every_size_and_its_length_is_told),
        cmocka_unit_test(without_room_only_the_length_is_told),
        cmocka_unit_test(no_error_is_said_to_be_none),
        cmocka_unit_test(an_error_of_no_known_reason_is_said_to_be_unknown),
        cmocka_unit_test(a_message_of_rank_12_fits_256_bytes),
        cmocka_unit_test(a_message_that_lists_all_dtypes_fits_320_bytes),
        cmocka_unit_test(opaque_elements_are_listed_first),
        cmocka_unit_test(a_position_beyond_the_greatest_rank_is_not_read),
        cmocka_unit_test(unsigned_values_are_printed_unsigned),
        cmocka_unit_test(operands_go_by_their_names),
        cmocka_unit_test(statuses_have_their_values_and_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
