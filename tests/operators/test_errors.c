/* Every refusal of the library, for every operand that it can name; and it leaves all memory as it was. */
#include "base/error.h"
#include "refusal_cases.h"
#include "test.h"

/* ---- Other functions, and calls that lack more than a tensor ----------------------------------- */

static strew_status read_axis(const arguments *call)
{
    int64_t axis = 77;
    const strew_status status = strew_axis_read(call->given[AXIS], &axis, call->options.error);
    assert_int_equal(axis, 77);
    return status;
}

static strew_status read_axis_to_nowhere(const arguments *call)
{
    return strew_axis_read(call->given[AXIS], NULL, call->options.error);
}

static strew_status run_no_version(const arguments *call)
{
    return strew_operator_run(NULL, &call->attributes, call->given[DATA], call->given[INDICES],
                              call->given[UPDATES], call->given[OUTPUT], &call->options);
}

static strew_status infer_no_shape(const arguments *call)
{
    int32_t rank = 77;
    const strew_status status = strew_scatter_nd_shape(call->given[DATA], call->given[INDICES],
                                                       call->given[UPDATES], NULL, &rank, call->options.error);
    assert_int_equal(rank, 77);
    return status;
}

static strew_status infer_no_rank(const arguments *call)
{
    int64_t shape[STREW_MAX_RANK] = {77};
    const strew_status status =
        strew_gather_nd_shape(call->given[DATA], call->given[INDICES], 1, shape, NULL, call->options.error);
    assert_int_equal(shape[0], 77);
    return status;
}

static strew_status plan_to_nowhere(const arguments *call)
{
    return arguments_plan(call, NULL);
}

static strew_status run_no_plan(const arguments *call)
{
    const strew_buffers buffers = arguments_buffers(call);
    return arguments_run_plan(call, NULL, &buffers);
}

static strew_status run_on_nothing(const arguments *call)
{
    strew_plan plan;
    assert_int_equal(arguments_plan(call, &plan), STREW_STATUS_OK);
    return arguments_run_plan(call, &plan, NULL);
}

static strew_status run_gather_on_updates(const arguments *call)
{
    strew_plan plan;
    strew_buffers buffers = arguments_buffers(call);
    buffers.updates = call->memory[UPDATES];
    assert_int_equal(arguments_plan(call, &plan), STREW_STATUS_OK);
    return arguments_run_plan(call, &plan, &buffers);
}

/* Runs on the indices that were inspected. */
static strew_status run_inspected_without_storage(const arguments *call)
{
    strew_plan plan, inspected;
    char storage[1024];
    const strew_buffers buffers = arguments_buffers(call);
    assert_int_equal(arguments_plan(call, &plan), STREW_STATUS_OK);
    assert_int_equal(strew_plan_inspect(&inspected, &plan, &(strew_buffers){.indices = buffers.indices}, storage,
                                        sizeof storage, NULL),
                     STREW_STATUS_OK);
    return arguments_run_plan(call, &inspected, &buffers);
}

static const struct incomplete_call {
    runner *run;
    refusal refusal;
} incomplete_calls[] = {
    {read_axis_to_nowhere, {"gather_elements", spoil_nothing, AXIS, 0, 0, INVALID, "axis is NULL"}},
    {run_no_version, {"ScatterND-18", spoil_nothing, 0, 0, 0, INVALID, "operator is NULL"}},
    {infer_no_shape, {"scatter_nd", spoil_nothing, OUTPUT, 0, 0, INVALID, "shape is NULL"}},
    {infer_no_rank, {"gather_nd", spoil_nothing, OUTPUT, 0, 0, INVALID, "rank is NULL"}},
    {plan_to_nowhere, {"GatherND-13", spoil_nothing, 0, 0, 0, INVALID, "plan is NULL"}},
    {run_no_plan,
     {"gather_nd", spoil_nothing, 0, 0, 0, INVALID, "plan was not made by a call of strew_plan_* that succeeded"}},
    {run_on_nothing, {"scatter_nd", spoil_nothing, 0, 0, 0, INVALID, "buffers is NULL"}},
    {run_gather_on_updates,
     {"gather_nd", spoil_nothing, UPDATES, 0, 0, INVALID, "updates was given, and this operator takes none"}},
    {run_inspected_without_storage,
     {"gather_nd", spoil_nothing, INDICES, 0, 0, INVALID,
      "inspection is not as strew_plan_inspect wrote it for this plan"}},
};

/* ---- The tests ----------------------------------------------------------------------------------- */

static void check_all(const refusal_list *list, runner *run)
{
    for (size_t i = 0; i < list->count; i++)
        refusal_check(&list->refusals[i], run);
}

static void tensors_that_are_none_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_no_tensors, arguments_run);
}

static void tensors_beyond_ptrdiff_t_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_too_large_tensors, arguments_run);
}

static void outputs_that_overlap_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_overlaps, arguments_run);
}

static void dtypes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_dtypes, arguments_run);
}

static void shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_shapes, arguments_run);
}

static void attributes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_attributes, arguments_run);
}

static void options_that_cannot_be_had_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_options, arguments_run);
}

static void indices_outside_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_indices, arguments_run);
}

static void what_does_not_fit_along_an_axis_is_refused(void **state)
{
    (void)state;
    check_all(&refusals_along_an_axis, arguments_run);
}

static void rows_that_cannot_be_combined_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_bags, arguments_run);
}

static void axes_that_are_no_number_are_refused(void **state)
{
    (void)state;
    check_all(&refusals_of_axes, read_axis);
}

static void incomplete_calls_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(incomplete_calls); i++)
        refusal_check(&incomplete_calls[i].refusal, incomplete_calls[i].run);
}

/* Otherwise a refusal above could have another reason than the spoiled argument. */
static void the_calls_that_are_spoilt_are_valid(void **state)
{
    (void)state;
    arguments call;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        arguments_create(&call, kinds[i]);
        assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    }
    for (size_t i = 0; i < COUNT(bag_kinds); i++) {
        arguments_create(&call, bag_kinds[i]);
        assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    }
    for (size_t i = 0; i < strew_operator_count(); i++) {
        char name[FULL_NAME_SIZE];
        full_name(strew_operator_at(i), name);
        arguments_create(&call, name);
        assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    }
}

static void an_output_may_begin_where_another_tensor_ends(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "scatter_nd");
    unsigned char *updates = call.tensor[UPDATES].data;
    call.tensor[OUTPUT].data = updates + 5 * 4 * sizeof(float);
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    arguments_use_strides(&call, OUTPUT);
    call.strides[OUTPUT][0] = -12;
    call.tensor[OUTPUT].data = updates + 5 * 4 * sizeof(float) + 12 * sizeof(float);
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
}

/* For elements of one byte, the least overlap is one byte. */
static void an_output_may_not_overlap_itself_by_one_byte(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "gather_nd");
    call.tensor[DATA].dtype = call.tensor[OUTPUT].dtype = STREW_DTYPE_INT8;
    arguments_use_strides(&call, OUTPUT);
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    call.strides[OUTPUT][1] = 3;
    assert_int_equal(arguments_run(&call), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(call.error.dimension, 1);
    assert_int_equal(call.error.lower, 4);
}

static void inputs_may_overlap_each_other(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "scatter_nd");
    call.tensor[UPDATES].data = call.tensor[INDICES].data;
    call.tensor[DATA].data = (char *)call.tensor[INDICES].data + 1;
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
}

static void tensors_without_elements_need_no_data_and_overlap_nothing(void **state)
{
    (void)state;
    arguments call;
    arguments_create(&call, "scatter_nd");
    call.shape[INDICES][0] = call.shape[UPDATES][0] = 0;
    call.tensor[INDICES].data = call.tensor[UPDATES].data = NULL;
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    call.tensor[UPDATES].data = (char *)call.tensor[OUTPUT].data + 8;
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
}

static strew_status plan(const arguments *call)
{
    strew_plan unused;
    return arguments_plan(call, &unused);
}

static void check_refused_without_a_word(size_t size, runner *run)
{
    arguments call;
    arguments_create(&call, "scatter_nd");
    call.options.struct_size = size;
    call.error.reason = -1;
    const arguments before = call;
    assert_int_equal(run(&call), STREW_STATUS_INVALID_ARGUMENT);
    assert_int_equal(call.error.reason, -1);
    assert_memory_equal(before.memory, call.memory, sizeof before.memory);
}

/* Options of another size may have anything at the place of `error`. */
static void options_of_another_size_are_refused_without_a_word(void **state)
{
    (void)state;
    static runner *const runners[] = {arguments_run, plan, run_no_plan};
    static const size_t sizes[] = {0, sizeof(strew_options) - 1, sizeof(strew_options) + 8};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t r = 0; r < COUNT(runners); r++)
            check_refused_without_a_word(sizes[i], runners[r]);
}

/* Reasons that this complete build cannot have; tests/consumers/choice.c tests a build that can. */
static bool is_of_another_build(strew_reason reason)
{
    return reason == STREW_REASON_OPERATOR_LEFT_OUT || reason == STREW_REASON_DTYPE_LEFT_OUT ||
           reason == STREW_REASON_REDUCTION_LEFT_OUT;
}

/* Run this last. Options of a wrong size are the only reason without an error: see above. */
static void every_reason_has_been_seen(void **state)
{
    (void)state;
#define CHECK_SEEN(REASON, STATUS, sentence)                                                                      \
    if (STREW_REASON_##REASON != STREW_REASON_WRONG_STRUCT_SIZE && !is_of_another_build(STREW_REASON_##REASON) && \
        !refusal_seen(STREW_REASON_##REASON))                                                                     \
        fail_msg("no test is refused because \"%s\"", sentence);
    STREW_REASONS(CHECK_SEEN)
#undef CHECK_SEEN
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_calls_that_are_spoilt_are_valid),
        cmocka_unit_test(tensors_that_are_none_are_refused),
        cmocka_unit_test(tensors_beyond_ptrdiff_t_are_refused),
        cmocka_unit_test(outputs_that_overlap_are_refused),
        cmocka_unit_test(an_output_may_begin_where_another_tensor_ends),
        cmocka_unit_test(an_output_may_not_overlap_itself_by_one_byte),
        cmocka_unit_test(inputs_may_overlap_each_other),
        cmocka_unit_test(tensors_without_elements_need_no_data_and_overlap_nothing),
        cmocka_unit_test(dtypes_that_do_not_fit_are_refused),
        cmocka_unit_test(shapes_that_do_not_fit_are_refused),
        cmocka_unit_test(attributes_that_do_not_fit_are_refused),
        cmocka_unit_test(options_that_cannot_be_had_are_refused),
        cmocka_unit_test(options_of_another_size_are_refused_without_a_word),
        cmocka_unit_test(indices_outside_are_refused),
        cmocka_unit_test(what_does_not_fit_along_an_axis_is_refused),
        cmocka_unit_test(rows_that_cannot_be_combined_are_refused),
        cmocka_unit_test(axes_that_are_no_number_are_refused),
        cmocka_unit_test(incomplete_calls_are_refused),
        cmocka_unit_test(every_reason_has_been_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
