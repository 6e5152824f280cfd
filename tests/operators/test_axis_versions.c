/*
 * The versions of gather and scatter along an axis: their treatment of negative indices and of bad ones, and how a
 * caller's policy changes it.
 */
#include "call.h"
#include "test.h"

enum { MOST = 8 };

static strew_tensor row_of(const void *memory, strew_dtype dtype, const int64_t *count)
{
    return (strew_tensor){(void *)(uintptr_t)memory, dtype, 1, count, NULL};
}

/* 1 to 5, gathered or scattered by these indices under the policy: the result, or a refusal. */
typedef struct version_case {
    const char *name;
    strew_bounds bounds;
    uint32_t flags;
    int64_t count;
    int64_t index[MOST];
    bool refused;
    int32_t output[MOST]; /* for a scatter of updates 10, 20, ...: all of data */
} version_case;

enum { NO_NEGATIVE = STREW_FLAG_REFUSE_NEGATIVE_INDICES };

#define BEYOND ((int64_t)1 << 32)

/* clang-format off */
static const version_case version_cases[] = {
    {"OpenVINO:Gather-1", STREW_BOUNDS_REFUSE, 0, 2, {3, 5}, true, {0}},
    {"OpenVINO:Gather-1", STREW_BOUNDS_REFUSE, 0, 2, {3, -1}, true, {0}},
    {"OpenVINO:Gather-1", STREW_BOUNDS_REFUSE, 0, 2, {3, 4}, false, {4, 5}},
    {"Gather-1", STREW_BOUNDS_REFUSE, 0, 1, {-1}, true, {0}},
    {"Gather-7", STREW_BOUNDS_REFUSE, 0, 2, {3, -1}, true, {0}},
    {"Gather-7", STREW_BOUNDS_REFUSE, 0, 2, {3, 5}, true, {0}},
    {"Gather-7", STREW_BOUNDS_SKIP, 0, 3, {3, -1, 5}, false, {4, 0, 0}},
    {"Gather-7", STREW_BOUNDS_CLAMP, 0, 3, {3, -1, 5}, false, {4, 1, 5}},
    {"Gather-7", STREW_BOUNDS_WRAP, 0, 3, {3, -1, 5}, false, {4, 5, 1}},

    {"Gather-8", STREW_BOUNDS_REFUSE, 0, 7, {3, 10, -20, -1, -5, -6, 5}, false, {4, 0, 0, 5, 1, 0, 0}},
    {"Gather-8", STREW_BOUNDS_REFUSE, 0, 3, {BEYOND + 1, -BEYOND - 1, 1}, false, {0, 0, 2}},
    {"Gather-8", STREW_BOUNDS_REFUSE, NO_NEGATIVE, 3, {3, -1, 10}, false, {4, 0, 0}},
    {"Gather-8", STREW_BOUNDS_STOP, 0, 3, {3, 10, -20}, true, {0}},
    {"Gather-8", STREW_BOUNDS_STOP, 0, 3, {3, -1, -5}, false, {4, 5, 1}},
    {"Gather-8", STREW_BOUNDS_SKIP, 0, 3, {3, 10, -20}, false, {4, 0, 0}},
    {"Gather-8", STREW_BOUNDS_CLAMP, 0, 3, {3, 10, -20}, false, {4, 5, 1}},
    {"Gather-8", STREW_BOUNDS_WRAP, 0, 4, {3, 12, -21, -1}, false, {4, 3, 5, 5}},

    {"ONNX:Gather-1", STREW_BOUNDS_REFUSE, 0, 2, {-1, -5}, false, {5, 1}},
    {"ONNX:Gather-1", STREW_BOUNDS_REFUSE, 0, 1, {5}, true, {0}},
    {"ONNX:Gather-1", STREW_BOUNDS_REFUSE, 0, 1, {-6}, true, {0}},
    {"Gather-11", STREW_BOUNDS_REFUSE, 0, 2, {-1, -5}, false, {5, 1}},
    {"Gather-11", STREW_BOUNDS_REFUSE, 0, 1, {-6}, true, {0}},
    {"Gather-13", STREW_BOUNDS_REFUSE, 0, 2, {-1, -5}, false, {5, 1}},
    {"Gather-13", STREW_BOUNDS_REFUSE, 0, 1, {5}, true, {0}},
    {"Gather-13", STREW_BOUNDS_REFUSE, NO_NEGATIVE, 1, {-1}, true, {0}},
    {"Gather-13", STREW_BOUNDS_SKIP, 0, 2, {5, -6}, false, {0, 0}},

    {"ScatterUpdate-3", STREW_BOUNDS_REFUSE, 0, 2, {2, 2}, false, {1, 2, 20, 4, 5}},
    {"ScatterUpdate-3", STREW_BOUNDS_REFUSE, 0, 0, {0}, false, {1, 2, 3, 4, 5}},
    {"ScatterUpdate-3", STREW_BOUNDS_REFUSE, 0, 2, {-1, 0}, true, {0}},
    {"ScatterUpdate-3", STREW_BOUNDS_REFUSE, 0, 2, {5, 0}, true, {0}},
    {"ScatterUpdate-3", STREW_BOUNDS_REFUSE, 0, 2, {0, INT32_MAX}, true, {0}},
    {"ScatterUpdate-3", STREW_BOUNDS_SKIP, 0, 3, {-1, 0, 5}, false, {20, 2, 3, 4, 5}},
    {"ScatterUpdate-3", STREW_BOUNDS_CLAMP, 0, 3, {-1, 1, 5}, false, {10, 20, 3, 4, 30}},
    {"ScatterUpdate-3", STREW_BOUNDS_WRAP, 0, 3, {-1, 1, 5}, false, {30, 20, 3, 4, 10}},
};
/* clang-format on */

static const int32_t five_numbers[MOST] = {1, 2, 3, 4, 5};
static const int32_t some_updates[MOST] = {10, 20, 30, 40, 50, 60, 70, 80};
static const int64_t five = 5;

typedef strew_status version_runner(const strew_operator *op, const strew_tensor *operands[4],
                                    const strew_options *options);

static const strew_attributes axis_0 = {.given = STREW_ATTRIBUTE_AXIS};

static strew_status run_at_once(const strew_operator *op, const strew_tensor *operands[4],
                                const strew_options *options)
{
    return strew_operator_run(op, &axis_0, operands[0], operands[1], operands[2], operands[3], options);
}

static strew_status run_planned(const strew_operator *op, const strew_tensor *operands[4],
                                const strew_options *options)
{
    strew_plan plan;
    const strew_plan_options planning = call_plan_options(options);
    const strew_run_options running = call_run_options(options);
    const strew_buffers buffers = {.data = operands[0]->data,
                                   .indices = operands[1]->data,
                                   .updates = operands[2] ? operands[2]->data : NULL,
                                   .output = operands[3]->data};
    const strew_status status =
        strew_operator_plan(&plan, op, &axis_0, operands[0], operands[1], operands[2], operands[3], &planning);
    return status == STREW_STATUS_OK ? strew_plan_run(&plan, &buffers, &running) : status;
}

static void check_version(const version_case *version, version_runner *run)
{
    const strew_operator *op = strew_operator_find(version->name);
    assert_non_null(op);
    const bool gathers = kind_gathers(op->kind);
    int32_t found[MOST] = {0};
    const strew_tensor data = row_of(five_numbers, STREW_DTYPE_INT32, &five);
    const strew_tensor indices = row_of(version->index, STREW_DTYPE_INT64, &version->count);
    const strew_tensor updates = row_of(some_updates, STREW_DTYPE_INT32, &version->count);
    const strew_tensor output = row_of(found, STREW_DTYPE_INT32, gathers ? &version->count : &five);
    const strew_tensor *operands[] = {&data, &indices, gathers ? NULL : &updates, &output};
    strew_options options = call_options();
    options.bounds = version->bounds;
    options.flags = version->flags;
    const strew_status status = run(op, operands, &options);
    if (status != (version->refused ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK))
        fail_msg("%s, case %d: %s", version->name, (int)(version - version_cases), strew_status_name(status));
    for (int64_t i = 0; !version->refused && i < output.shape[0]; i++)
        if (found[i] != version->output[i])
            fail_msg("%s, case %d: element %d is %d, not %d", version->name, (int)(version - version_cases), (int)i,
                     (int)found[i], (int)version->output[i]);
}

static void versions_have_their_own_rules_unless_the_caller_chooses(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(version_cases); i++) {
        check_version(&version_cases[i], run_at_once);
        check_version(&version_cases[i], run_planned);
    }
}

/* 2^64 - 1 and 2^32 - 1 are no -1. */
static void unsigned_indices_are_never_negative(void **state)
{
    (void)state;
    static const int64_t two = 2;
    const uint64_t wide[] = {UINT64_MAX, 2};
    const uint32_t narrow[] = {UINT32_MAX, 2};
    const strew_tensor data = row_of(five_numbers, STREW_DTYPE_INT32, &five);
    const strew_tensor indices[] = {row_of(wide, STREW_DTYPE_UINT64, &two),
                                    row_of(narrow, STREW_DTYPE_UINT32, &two)};
    for (size_t i = 0; i < COUNT(indices); i++) {
        int32_t found[2] = {9, 9};
        const strew_tensor output = row_of(found, STREW_DTYPE_INT32, &two);
        const strew_tensor *operands[] = {&data, &indices[i], NULL, &output};
        const strew_options options = call_options();
        assert_int_equal(run_at_once(strew_operator_find("Gather-8"), operands, &options), STREW_STATUS_OK);
        assert_int_equal(found[0], 0);
        assert_int_equal(found[1], 3);
        assert_int_equal(run_at_once(strew_operator_find("Gather-7"), operands, &options),
                         STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_have_their_own_rules_unless_the_caller_chooses),
        cmocka_unit_test(unsigned_indices_are_never_negative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
