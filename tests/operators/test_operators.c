/* The published versions: what each accepts and refuses, against a table of its own. */
#include "arguments.h"
#include "element.h"
#include "tensor.h"
#include "test.h"

/* ---- The table ----------------------------------------------------------------------------------- */

typedef enum index_set { INT64_ALONE, INT32_AND_INT64, ANY_INTEGER } index_set;

typedef enum data_set { NUMERIC, NUMERIC_OR_BOOL, ANY, ANY_BUT_BFLOAT16 } data_set;

enum { WRAP, REFUSED }; /* negative indices */

enum {
    HAS_AXIS = STREW_ATTRIBUTE_AXIS, /* with the default 0, unless it is required */
    HAS_BATCH = STREW_ATTRIBUTE_BATCH_DIMS,
    HAS_BOTH = HAS_AXIS | HAS_BATCH,
    HAS_INIT = STREW_ATTRIBUTE_USE_INIT_VAL
};

enum {
    FLATTENS = STREW_RULE_FLATTENS_BATCH,
    ONE_ELEMENT = STREW_RULE_ONE_ELEMENT_UPDATES,
    AXIS_INPUT = STREW_RULE_AXIS_IS_INPUT,
    DEPRECATED = STREW_RULE_DEPRECATED,
    ZEROS = STREW_RULE_ZERO_OUTSIDE
};

typedef struct version {
    const char *name, *collection;
    int32_t number;
    strew_kind kind;
    uint32_t attributes; /* every scatter also has a reduction, even if only "none" */
    uint32_t required;
    const char *reductions;
    int negative;
    index_set indices;
    data_set data;
    uint32_t rules; /* besides those of `negative` */
} version;

#define SOME " none sum prod "
#define MORE " none sum prod min max "

/* clang-format off */
static const version versions[] = {
    {"ScatterNDUpdate-3",        "OpenVINO", 3,  STREW_KIND_SCATTER_ND,       0,                   0,        " none ",      REFUSED, INT32_AND_INT64, NUMERIC,          ONE_ELEMENT},
    {"ScatterNDUpdate-15",       "OpenVINO", 15, STREW_KIND_SCATTER_ND,       0,                   0,        MORE " sub ",  WRAP,    INT32_AND_INT64, NUMERIC_OR_BOOL,  ONE_ELEMENT},
    {"ScatterElementsUpdate-3",  "OpenVINO", 3,  STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS,            HAS_AXIS, " none ",      REFUSED, ANY_INTEGER,     NUMERIC,          AXIS_INPUT},
    {"ScatterElementsUpdate-12", "OpenVINO", 12, STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS | HAS_INIT, HAS_AXIS, MORE " mean ", WRAP,    ANY_INTEGER,     NUMERIC_OR_BOOL,  AXIS_INPUT},
    {"GatherND-5",               "OpenVINO", 5,  STREW_KIND_GATHER_ND,        HAS_BATCH,           0,        "",            REFUSED, ANY_INTEGER,     ANY,              FLATTENS},
    {"GatherND-8",               "OpenVINO", 8,  STREW_KIND_GATHER_ND,        HAS_BATCH,           0,        "",            REFUSED, ANY_INTEGER,     ANY,              0},
    {"GatherElements-6",         "OpenVINO", 6,  STREW_KIND_GATHER_ELEMENTS,  HAS_AXIS,            HAS_AXIS, "",            WRAP,    INT32_AND_INT64, ANY,              0},
    {"Gather-1",                 "OpenVINO", 1,  STREW_KIND_GATHER,           HAS_AXIS,            HAS_AXIS, "",            REFUSED, ANY_INTEGER,     ANY,              AXIS_INPUT},
    {"Gather-7",                 "OpenVINO", 7,  STREW_KIND_GATHER,           HAS_BOTH,            HAS_AXIS, "",            REFUSED, ANY_INTEGER,     ANY,              AXIS_INPUT},
    {"Gather-8",                 "OpenVINO", 8,  STREW_KIND_GATHER,           HAS_BOTH,            HAS_AXIS, "",            WRAP,    ANY_INTEGER,     ANY,              AXIS_INPUT | ZEROS},
    {"ScatterUpdate-3",          "OpenVINO", 3,  STREW_KIND_SCATTER,          HAS_AXIS,            HAS_AXIS, " none ",      REFUSED, ANY_INTEGER,     NUMERIC,          AXIS_INPUT},
    {"Scatter-9",                "ONNX",     9,  STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS,            0,        " none ",      WRAP,    INT32_AND_INT64, ANY_BUT_BFLOAT16, 0},
    {"Scatter-11",               "ONNX",     11, STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS,            0,        " none ",      WRAP,    INT32_AND_INT64, ANY_BUT_BFLOAT16, DEPRECATED},
    {"ScatterElements-11",       "ONNX",     11, STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS,            0,        " none ",      WRAP,    INT32_AND_INT64, ANY_BUT_BFLOAT16, 0},
    {"ScatterElements-13",       "ONNX",     13, STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS,            0,        " none ",      WRAP,    INT32_AND_INT64, ANY,              0},
    {"ScatterElements-16",       "ONNX",     16, STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS,            0,        SOME,          WRAP,    INT32_AND_INT64, ANY,              0},
    {"ScatterElements-18",       "ONNX",     18, STREW_KIND_SCATTER_ELEMENTS, HAS_AXIS,            0,        MORE,          WRAP,    INT32_AND_INT64, ANY,              0},
    {"ScatterND-11",             "ONNX",     11, STREW_KIND_SCATTER_ND,       0,                   0,        " none ",      WRAP,    INT64_ALONE,     ANY_BUT_BFLOAT16, 0},
    {"ScatterND-13",             "ONNX",     13, STREW_KIND_SCATTER_ND,       0,                   0,        " none ",      WRAP,    INT64_ALONE,     ANY,              0},
    {"ScatterND-16",             "ONNX",     16, STREW_KIND_SCATTER_ND,       0,                   0,        SOME,          WRAP,    INT64_ALONE,     ANY,              0},
    {"ScatterND-18",             "ONNX",     18, STREW_KIND_SCATTER_ND,       0,                   0,        MORE,          WRAP,    INT64_ALONE,     ANY,              0},
    {"GatherND-11",              "ONNX",     11, STREW_KIND_GATHER_ND,        0,                   0,        "",            WRAP,    INT64_ALONE,     ANY_BUT_BFLOAT16, 0},
    {"GatherND-12",              "ONNX",     12, STREW_KIND_GATHER_ND,        HAS_BATCH,           0,        "",            WRAP,    INT64_ALONE,     ANY_BUT_BFLOAT16, 0},
    {"GatherND-13",              "ONNX",     13, STREW_KIND_GATHER_ND,        HAS_BATCH,           0,        "",            WRAP,    INT64_ALONE,     ANY,              0},
    {"GatherElements-11",        "ONNX",     11, STREW_KIND_GATHER_ELEMENTS,  HAS_AXIS,            0,        "",            WRAP,    INT32_AND_INT64, ANY_BUT_BFLOAT16, 0},
    {"GatherElements-13",        "ONNX",     13, STREW_KIND_GATHER_ELEMENTS,  HAS_AXIS,            0,        "",            WRAP,    INT32_AND_INT64, ANY,              0},
    {"Gather-1",                 "ONNX",     1,  STREW_KIND_GATHER,           HAS_AXIS,            0,        "",            WRAP,    INT32_AND_INT64, ANY_BUT_BFLOAT16, 0},
    {"Gather-11",                "ONNX",     11, STREW_KIND_GATHER,           HAS_AXIS,            0,        "",            WRAP,    INT32_AND_INT64, ANY_BUT_BFLOAT16, 0},
    {"Gather-13",                "ONNX",     13, STREW_KIND_GATHER,           HAS_AXIS,            0,        "",            WRAP,    INT32_AND_INT64, ANY,              0},
};
/* clang-format on */

static void name_fully(const version *row, char name[FULL_NAME_SIZE])
{
    strcat(strcat(strcpy(name, row->collection), ":"), row->name);
}

static const strew_operator *find(const version *row)
{
    char name[FULL_NAME_SIZE];
    name_fully(row, name);
    return strew_operator_find(name);
}

static void create(arguments *call, const version *row)
{
    char name[FULL_NAME_SIZE];
    name_fully(row, name);
    arguments_create(call, name);
}

/* Every dtype, by its value, and one opaque. */
enum { DTYPES = STREW_DTYPE_COUNT, SOME_OPAQUE = STREW_DTYPE_NONE };

static strew_dtype dtype_at(strew_dtype i)
{
    return i == SOME_OPAQUE ? STREW_DTYPE_OPAQUE(4) : i;
}

static bool takes_indices(const version *row, strew_dtype dtype)
{
    switch (row->indices) {
    case INT64_ALONE: return dtype == STREW_DTYPE_INT64;
    case INT32_AND_INT64: return dtype == STREW_DTYPE_INT32 || dtype == STREW_DTYPE_INT64;
    default: return element_is_integer(dtype);
    }
}

static bool takes_data(const version *row, strew_dtype dtype)
{
    if (dtype > STREW_DTYPE_STRING) /* float8, packed and opaque elements */
        return false;
    switch (row->data) {
    case NUMERIC: return dtype != STREW_DTYPE_BOOL && dtype != STREW_DTYPE_STRING;
    case NUMERIC_OR_BOOL: return dtype != STREW_DTYPE_STRING;
    case ANY_BUT_BFLOAT16: return dtype != STREW_DTYPE_BFLOAT16;
    default: return true;
    }
}

static bool has_reduction(const version *row, strew_reduction reduction)
{
    char word[16] = " ";
    strcat(strcat(word, strew_reduction_name(reduction)), " ");
    return strstr(row->reductions, word) != NULL;
}

static uint32_t all_attributes(const version *row)
{
    return row->attributes | (kind_gathers(row->kind) ? 0 : (uint32_t)STREW_ATTRIBUTE_REDUCTION);
}

static void check_status(const version *row, strew_status status, strew_status expected, const char *what)
{
    if (status != expected)
        fail_msg("%s, %s: %s; expected: %s", row->name, what, strew_status_name(status),
                 strew_status_name(expected));
}

/* Checks that the plan is accepted, or refused with this status for this operand. */
static void check_plan(const version *row, const arguments *call, bool taken, strew_status refusal,
                       strew_operand operand, const char *what)
{
    strew_plan plan;
    check_status(row, arguments_plan(call, &plan), taken ? STREW_STATUS_OK : refusal, what);
    if (!taken)
        assert_int_equal(call->error.operand, operand);
}

/* ---- Names --------------------------------------------------------------------------------------- */

static void the_catalogue_has_these_versions_and_no_others(void **state)
{
    (void)state;
    static const char *const of_their_own_tests[] = {
        "TensorScatter-24",      "SliceScatter-15",         "EmbeddingBagOffsets-15", "EmbeddingBagOffsetsSum-3",
        "EmbeddingBagPacked-15", "EmbeddingBagPackedSum-3", "EmbeddingSegmentsSum-3", "SegmentMax-16"};
    const size_t count = COUNT(versions) + COUNT(of_their_own_tests);
    for (size_t i = 0; i < COUNT(of_their_own_tests); i++)
        assert_non_null(strew_operator_find(of_their_own_tests[i]));
    assert_int_equal(strew_operator_count(), count);
    assert_null(strew_operator_at(count));
    assert_null(strew_operator_at(SIZE_MAX));
    for (size_t i = 0; i < COUNT(versions); i++) {
        const strew_operator *op = find(&versions[i]);
        assert_non_null(op);
        assert_string_equal(op->name, versions[i].name);
        assert_string_equal(op->collection, versions[i].collection);
        assert_int_equal(op->version, versions[i].number);
        assert_int_equal(op->kind, versions[i].kind);
    }
}

static void every_version_in_the_catalogue_is_found_by_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < strew_operator_count(); i++) {
        char name[FULL_NAME_SIZE];
        full_name(strew_operator_at(i), name);
        assert_ptr_equal(strew_operator_find(name), strew_operator_at(i));
    }
}

/* OpenVINO's is meant by the name that both collections have. */
static void a_name_alone_finds_a_version_unless_both_collections_have_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i), *found = strew_operator_find(op->name);
        assert_non_null(found);
        assert_string_equal(found->name, op->name);
        if (strcmp(op->name, "Gather-1") == 0)
            assert_string_equal(found->collection, "OpenVINO");
        else
            assert_ptr_equal(found, op);
    }
}

static void names_without_a_version_mean_the_newest(void **state)
{
    (void)state;
    static const char *const newest[][2] = {
        {"ScatterNDUpdate", "ScatterNDUpdate-15"},
        {"ScatterElementsUpdate", "ScatterElementsUpdate-12"},
        {"Scatter", "Scatter-11"},
        {"ScatterElements", "ScatterElements-18"},
        {"ScatterND", "ScatterND-18"},
        {"GatherND", "GatherND-13"},
        {"GatherElements", "GatherElements-13"},
        {"Gather", "Gather-13"},
        {"ONNX:Gather", "Gather-13"},
        {"OpenVINO:Gather", "Gather-8"},
        {"OpenVINO:ScatterUpdate", "ScatterUpdate-3"},
        {"EmbeddingBagOffsets", "EmbeddingBagOffsets-15"},
        {"EmbeddingBagPackedSum", "EmbeddingBagPackedSum-3"},
        {"SegmentMax", "SegmentMax-16"},
    };
    for (size_t i = 0; i < COUNT(newest); i++)
        assert_string_equal(strew_operator_find(newest[i][0])->name, newest[i][1]);
}

static void other_names_are_not_found(void **state)
{
    (void)state;
    static const char *const others[] = {
        "",
        "-",
        "-18",
        "ScatterND-",
        "ScatterND-1",
        "ScatterND-17",
        "scatternd",
        "ScatterND 18",
        "ScatterND-018",
        "ScatterND-180",
        "ScatterND-18 ",
        "gather_nd",
        "Scatte",
        "ONNX",
        "ONNX:",
        ":Gather-1",
        "onnx:Gather-1",
        "ONNX:Gather-8",
        "OpenVINO:Gather-13",
        "ONNX:ScatterUpdate-3",
        "ONNX:ScatterUpdate",
        "ONNX: Gather-1",
        "ONNX:ONNX:Gather-1",
    };
    for (size_t i = 0; i < COUNT(others); i++)
        assert_null(strew_operator_find(others[i]));
    assert_null(strew_operator_find(NULL));
}

/* ---- What each version takes --------------------------------------------------------------------- */

static void the_fields_of_each_version_say_what_it_takes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        const version *row = &versions[i];
        const strew_operator *op = find(row);
        const uint32_t negative = row->negative == REFUSED ? STREW_RULE_REFUSES_NEGATIVE : 0;
        assert_int_equal(op->attributes, all_attributes(row));
        assert_int_equal(op->required, row->required);
        assert_int_equal(op->rules, row->rules | negative);
        for (unsigned r = 0; r < STREW_REDUCTION_COUNT; r++)
            assert_int_equal(op->reductions >> r & 1, has_reduction(row, (strew_reduction)r));
        for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_COUNT; dtype++) {
            assert_int_equal(op->data_dtypes >> dtype & 1, takes_data(row, dtype));
            assert_int_equal(op->index_dtypes >> dtype & 1, takes_indices(row, dtype));
        }
    }
}

static void each_version_takes_its_index_dtypes_and_no_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++)
        for (strew_dtype d = 0; d < DTYPES; d++) {
            arguments call;
            create(&call, &versions[i]);
            call.tensor[INDICES].dtype = dtype_at(d);
            check_plan(&versions[i], &call, takes_indices(&versions[i], dtype_at(d)),
                       STREW_STATUS_UNSUPPORTED_DTYPE, INDICES, strew_dtype_name(dtype_at(d)));
        }
}

static void each_version_takes_its_data_dtypes_and_no_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++)
        for (strew_dtype d = 0; d < DTYPES; d++) {
            const strew_dtype dtype = dtype_at(d);
            arguments call;
            create(&call, &versions[i]);
            call.tensor[DATA].dtype = call.tensor[UPDATES].dtype = call.tensor[OUTPUT].dtype = dtype;
            check_plan(&versions[i], &call, takes_data(&versions[i], dtype), STREW_STATUS_UNSUPPORTED_DTYPE, DATA,
                       strew_dtype_name(dtype));
        }
}

static void each_version_takes_its_reductions_and_no_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++)
        for (unsigned r = 0; r < STREW_REDUCTION_COUNT; r++) {
            const strew_reduction reduction = (strew_reduction)r;
            arguments call;
            create(&call, &versions[i]);
            call.attributes.reduction = reduction;
            call.attributes.given |= STREW_ATTRIBUTE_REDUCTION;
            check_plan(&versions[i], &call, has_reduction(&versions[i], reduction),
                       kind_gathers(versions[i].kind) ? STREW_STATUS_INVALID_ARGUMENT
                                                      : STREW_STATUS_UNSUPPORTED_REDUCTION,
                       STREW_OPERAND_REDUCTION, strew_reduction_name(reduction));
        }
}

static void every_name_of_a_reduction_is_found(void **state)
{
    (void)state;
    static const struct named {
        const char *name;
        strew_reduction reduction;
    } names[] = {
        {"none", STREW_REDUCTION_NONE}, {"sum", STREW_REDUCTION_SUM},   {"add", STREW_REDUCTION_SUM},
        {"sub", STREW_REDUCTION_SUB},   {"prod", STREW_REDUCTION_PROD}, {"mul", STREW_REDUCTION_PROD},
        {"min", STREW_REDUCTION_MIN},   {"max", STREW_REDUCTION_MAX},   {"mean", STREW_REDUCTION_MEAN},
    };
    strew_reduction found;
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_true(strew_reduction_find(names[i].name, &found));
        assert_int_equal(found, names[i].reduction);
    }
    assert_false(strew_reduction_find("", &found));
    assert_false(strew_reduction_find("Sum", &found));
    assert_false(strew_reduction_find(NULL, &found));
}

/* Index -1 in the place of the first: the last of the dimension, or out of bounds, which is zeros for Gather-8. */
static void negative_indices_wrap_or_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        arguments call;
        create(&call, &versions[i]);
        int64_t *indices = call.tensor[INDICES].data;
        indices[0] = -1;
        const bool refused = versions[i].negative == REFUSED;
        check_status(&versions[i], arguments_run(&call),
                     refused ? STREW_STATUS_INDEX_OUT_OF_BOUNDS : STREW_STATUS_OK, "index -1");
        if (refused)
            assert_int_equal(call.error.lower, 0);
        call.options.flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES;
        check_status(&versions[i], arguments_run(&call),
                     versions[i].rules & ZEROS ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS,
                     "index -1, with the flag");
    }
}

static void a_negative_index_does_as_its_positive_twin(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        if (versions[i].negative == REFUSED)
            continue;
        arguments negative, positive;
        create(&negative, &versions[i]);
        create(&positive, &versions[i]);
        const bool is_first = versions[i].kind == STREW_KIND_SCATTER_ND || !versions[i].attributes;
        ((int64_t *)negative.tensor[INDICES].data)[0] = -1;
        ((int64_t *)positive.tensor[INDICES].data)[0] = is_first ? 1 : 2; /* in dimension 0 or 1 */
        assert_int_equal(arguments_run(&negative), STREW_STATUS_OK);
        assert_int_equal(arguments_run(&positive), STREW_STATUS_OK);
        assert_memory_equal(negative.memory[OUTPUT], positive.memory[OUTPUT], ARGUMENT_ROOM);
    }
}

/* ---- Attributes ---------------------------------------------------------------------------------- */

static void attributes_that_a_version_has_not_are_refused(void **state)
{
    (void)state;
    static const struct attribute {
        uint32_t bit;
        strew_operand operand;
    } attributes[] = {
        {STREW_ATTRIBUTE_AXIS, STREW_OPERAND_AXIS},
        {STREW_ATTRIBUTE_BATCH_DIMS, STREW_OPERAND_BATCH_DIMS},
        {STREW_ATTRIBUTE_REDUCTION, STREW_OPERAND_REDUCTION},
        {STREW_ATTRIBUTE_USE_INIT_VAL, STREW_OPERAND_USE_INIT_VAL},
    };
    for (size_t i = 0; i < COUNT(versions); i++)
        for (size_t a = 0; a < COUNT(attributes); a++) {
            arguments call;
            create(&call, &versions[i]);
            call.attributes.given |= attributes[a].bit;
            check_plan(&versions[i], &call, all_attributes(&versions[i]) & attributes[a].bit,
                       STREW_STATUS_INVALID_ARGUMENT, attributes[a].operand, "an attribute");
        }
}

/* Not for a plan, nor for the shape of the output. */
static void a_gather_takes_no_updates(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        arguments call;
        int64_t shape[STREW_MAX_RANK];
        int32_t rank;
        if (!kind_gathers(versions[i].kind))
            continue;
        create(&call, &versions[i]);
        call.given[UPDATES] = &call.tensor[UPDATES];
        check_plan(&versions[i], &call, false, STREW_STATUS_INVALID_ARGUMENT, UPDATES, "updates");
        assert_int_equal(strew_operator_shape(call.op, &call.attributes, call.given[DATA], call.given[INDICES],
                                              call.given[UPDATES], shape, &rank, NULL),
                         STREW_STATUS_INVALID_ARGUMENT);
    }
}

/* The call along axis 0, of the same data. */
static void turn_to_axis_0(arguments *call)
{
    if (!kind_has_axis(call->kind)) {
        call->shape[INDICES][1] = call->shape[UPDATES][1] = call->shape[OUTPUT][1] = 3;
        return;
    }
    const strew_operand dense = kind_gathers(call->kind) ? OUTPUT : UPDATES;
    call->attributes.given &= ~(uint32_t)STREW_ATTRIBUTE_BATCH_DIMS;
    call->tensor[INDICES].rank = 1;
    call->shape[INDICES][0] = call->shape[dense][0] = 5;
    call->shape[dense][1] = 3;
}

static void an_axis_without_default_is_required(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        arguments call;
        create(&call, &versions[i]);
        if (kind_has_rows(versions[i].kind))
            continue;
        turn_to_axis_0(&call);
        call.attributes.given = 0;
        check_plan(&versions[i], &call, !versions[i].required, STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_AXIS,
                   "no axis");
    }
}

/* The value of an attribute that is not given has no effect. */
static void axis_is_0_where_it_has_a_default(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(versions); i++) {
        if (kind_has_rows(versions[i].kind) || versions[i].required)
            continue;
        arguments given, left_out;
        arguments *const calls[] = {&given, &left_out};
        for (size_t c = 0; c < COUNT(calls); c++) {
            create(calls[c], &versions[i]);
            turn_to_axis_0(calls[c]);
        }
        given.attributes.axis = 0;
        left_out.attributes.given = 0;
        assert_int_equal(arguments_run(&given), STREW_STATUS_OK);
        assert_int_equal(arguments_run(&left_out), STREW_STATUS_OK);
        assert_memory_equal(given.memory[OUTPUT], left_out.memory[OUTPUT], ARGUMENT_ROOM);
    }
}

/* data [2, 3, 4] and indices [2, 2, 1] without batch dimensions: [2, 2, 3, 4]. */
static void batch_dims_is_0_where_it_is_not_given(void **state)
{
    (void)state;
    static const char *const names[] = {"GatherND-5", "GatherND-8", "GatherND-12", "GatherND-13"};
    static const int64_t expected[] = {2, 2, 3, 4};
    for (size_t i = 0; i < COUNT(names); i++) {
        arguments call;
        int64_t shape[STREW_MAX_RANK];
        int32_t rank = 0;
        arguments_create(&call, names[i]);
        assert_int_equal(
            strew_operator_shape(call.op, NULL, call.given[DATA], call.given[INDICES], NULL, shape, &rank, NULL),
            STREW_STATUS_OK);
        assert_int_equal(rank, COUNT(expected));
        assert_memory_equal(shape, expected, sizeof expected);
    }
}

static void initial_values_are_used_unless_it_is_said_otherwise(void **state)
{
    (void)state;
    arguments call;
    float *output;
    arguments_create(&call, "ScatterElementsUpdate-12");
    output = call.tensor[OUTPUT].data;
    call.attributes.reduction = STREW_REDUCTION_SUM;
    call.attributes.given |= STREW_ATTRIBUTE_REDUCTION;
    call.attributes.use_init_val = false;
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    const float with_data = output[0];
    call.attributes.given |= STREW_ATTRIBUTE_USE_INIT_VAL;
    assert_int_equal(arguments_run(&call), STREW_STATUS_OK);
    assert_true(with_data - output[0] == ((const float *)call.tensor[DATA].data)[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_catalogue_has_these_versions_and_no_others),
        cmocka_unit_test(every_version_in_the_catalogue_is_found_by_its_name),
        cmocka_unit_test(a_name_alone_finds_a_version_unless_both_collections_have_it),
        cmocka_unit_test(names_without_a_version_mean_the_newest),
        cmocka_unit_test(other_names_are_not_found),
        cmocka_unit_test(the_fields_of_each_version_say_what_it_takes),
        cmocka_unit_test(each_version_takes_its_index_dtypes_and_no_others),
        cmocka_unit_test(each_version_takes_its_data_dtypes_and_no_others),
        cmocka_unit_test(each_version_takes_its_reductions_and_no_others),
        cmocka_unit_test(every_name_of_a_reduction_is_found),
        cmocka_unit_test(negative_indices_wrap_or_are_refused),
        cmocka_unit_test(a_negative_index_does_as_its_positive_twin),
        cmocka_unit_test(attributes_that_a_version_has_not_are_refused),
        cmocka_unit_test(a_gather_takes_no_updates),
        cmocka_unit_test(an_axis_without_default_is_required),
        cmocka_unit_test(axis_is_0_where_it_has_a_default),
        cmocka_unit_test(batch_dims_is_0_where_it_is_not_given),
        cmocka_unit_test(initial_values_are_used_unless_it_is_said_otherwise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
