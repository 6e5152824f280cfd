/*
 * The ONNX project's own node tests, run through the versioned operators. Every case directory becomes one test:
 * its model names the operator, its data sets hold the inputs and the expected output, byte for byte.
 */
#define _FILE_OFFSET_BITS 64 /* or 32-bit programs cannot list the folders of large file systems */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "onnx_reader.h"
#include "test.h"

#include <strew/inspect.h>

/* The number in libonnx-testdata 1.12, in Debian 12, which has none of TensorScatter; fewer means that some were
 * not found. */
enum { LEAST_CASES = 19 };

/* The beginnings of the names of the cases' folders. */
static const char *const case_names[] = {"test_gather_", "test_gathernd", "test_scatter_", "test_scatternd",
                                         "test_tensorscatter"};

enum { PATH_SIZE = 1024, MESSAGE_SIZE = 256, MOST_FOLDERS = 64 };

/* ---- The call that a model describes ------------------------------------------------------------------- */

enum { DATA, INDICES, UPDATES, MAX_INPUTS };

typedef struct onnx_call {
    const strew_operator *op;
    strew_attributes attributes;
    size_t input_count;
    onnx_tensor inputs[MAX_INPUTS];
    onnx_tensor expected;
} onnx_call;

/* The order of the inputs in ONNX; the last one may be left out. */
static const int *input_order(const onnx_call *call)
{
    static const int usual[MAX_INPUTS] = {DATA, INDICES, UPDATES}, windows[MAX_INPUTS] = {DATA, UPDATES, INDICES};
    return call->op->kind == STREW_KIND_TENSOR_SCATTER ? windows : usual;
}

/* NULL if it was left out. */
static const strew_tensor *input_of(const onnx_call *call, int input)
{
    return input_order(call)[UPDATES] != input || call->input_count > UPDATES ? &call->inputs[input].view : NULL;
}

/* NULL if TensorScatter has none. */
static const strew_tensor *indices_of(const onnx_call *call)
{
    return input_of(call, INDICES);
}

/* NULL for a gather. */
static const strew_tensor *updates_of(const onnx_call *call)
{
    return input_of(call, UPDATES);
}

static int64_t opset_of(const Onnx__ModelProto *model)
{
    for (size_t i = 0; i < model->n_opset_import; i++) {
        const Onnx__OperatorSetIdProto *import = model->opset_import[i];
        if (import->domain == NULL || import->domain[0] == '\0')
            return import->version;
    }
    fail_msg("%s imports no operator set of ONNX's own domain", model->graph->name);
    return 0;
}

static bool is_version_of(const strew_operator *op, const char *op_type)
{
    size_t length = strlen(op_type);
    return strcmp(op->collection, "ONNX") == 0 && strncmp(op->name, op_type, length) == 0 &&
           op->name[length] == '-';
}

/* The meaning of a model's op_type: its newest version in the model's operator set. */
static const strew_operator *find_operator(const char *op_type, int64_t opset)
{
    const strew_operator *newest = NULL;
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        if (is_version_of(op, op_type) && op->version <= opset && (newest == NULL || op->version > newest->version))
            newest = op;
    }
    if (newest == NULL)
        fail_msg("no version of %s is in operator set %d", op_type, (int)opset);
    assert_ptr_equal(strew_operator_find(newest->name), newest);
    return newest;
}

static strew_reduction decode_reduction(ProtobufCBinaryData name)
{
    char terminated[16];
    assert_in_range(name.len, 1, sizeof(terminated) - 1);
    memcpy(terminated, name.data, name.len);
    terminated[name.len] = '\0';

    strew_reduction reduction = STREW_REDUCTION_NONE;
    assert_true(strew_reduction_find(terminated, &reduction));
    return reduction;
}

/* Whether TensorScatter goes around the end. */
static bool decode_mode(ProtobufCBinaryData name)
{
    const bool is_circular = name.len == strlen("circular") && memcmp(name.data, "circular", name.len) == 0;
    const bool is_linear = name.len == strlen("linear") && memcmp(name.data, "linear", name.len) == 0;
    assert_true(is_circular || is_linear);
    return is_circular;
}

static void decode_attribute(const Onnx__AttributeProto *attribute, strew_attributes *attributes)
{
    if (strcmp(attribute->name, "axis") == 0) {
        attributes->given |= STREW_ATTRIBUTE_AXIS;
        attributes->axis = attribute->i;
    } else if (strcmp(attribute->name, "batch_dims") == 0) {
        attributes->given |= STREW_ATTRIBUTE_BATCH_DIMS;
        attributes->batch_dims = attribute->i;
    } else if (strcmp(attribute->name, "reduction") == 0) {
        attributes->given |= STREW_ATTRIBUTE_REDUCTION;
        attributes->reduction = decode_reduction(attribute->s);
    } else if (strcmp(attribute->name, "mode") == 0) {
        attributes->given |= STREW_ATTRIBUTE_CIRCULAR;
        attributes->circular = decode_mode(attribute->s);
    } else {
        fail_msg("the attribute %s is not known", attribute->name);
    }
}

/* input_N.pb belongs to input N of the graph, so the node must take them all in that order. */
static void assert_node_takes_the_inputs_of(const Onnx__GraphProto *graph, const Onnx__NodeProto *node)
{
    assert_int_equal(node->n_input, graph->n_input);
    for (size_t i = 0; i < node->n_input; i++)
        assert_string_equal(node->input[i], graph->input[i]->name);
}

static onnx_call decode_model(const Onnx__ModelProto *model)
{
    const Onnx__GraphProto *graph = model->graph;
    assert_int_equal(graph->n_node, 1);
    const Onnx__NodeProto *node = graph->node[0];
    assert_node_takes_the_inputs_of(graph, node);
    assert_in_range(node->n_input, UPDATES, MAX_INPUTS);

    onnx_call call = {.op = find_operator(node->op_type, opset_of(model)), .input_count = node->n_input};
    for (size_t i = 0; i < node->n_attribute; i++)
        decode_attribute(node->attribute[i], &call.attributes);
    return call;
}

static onnx_call read_model(const char *directory)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof(path), "%s/model.onnx", directory);
    Onnx__ModelProto *model = onnx_model_read(path);
    onnx_call call = decode_model(model);
    onnx__model_proto__free_unpacked(model, NULL);
    return call;
}

static void read_data_set(onnx_call *call, const char *directory)
{
    char path[PATH_SIZE];
    for (size_t i = 0; i < call->input_count; i++) {
        snprintf(path, sizeof(path), "%s/input_%zu.pb", directory, i);
        call->inputs[input_order(call)[i]] = onnx_tensor_read(path);
    }
    snprintf(path, sizeof(path), "%s/output_0.pb", directory);
    call->expected = onnx_tensor_read(path);
}

static void free_data_set(onnx_call *call)
{
    for (size_t i = 0; i < call->input_count; i++)
        onnx_tensor_free(&call->inputs[input_order(call)[i]]);
    onnx_tensor_free(&call->expected);
}

/* ---- Elements ------------------------------------------------------------------------------------------ */

/* The bytes of an element's value: those of a string, or its own. */
static strew_string element_bytes(const strew_tensor *tensor, size_t index)
{
    if (tensor->dtype == STREW_DTYPE_STRING)
        return ((const strew_string *)tensor->data)[index];
    size_t size = strew_dtype_size(tensor->dtype);
    return (strew_string){(const char *)tensor->data + index * size, size};
}

static bool bytes_equal(strew_string left, strew_string right)
{
    return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

/* The first element in which two tensors of one shape and dtype differ; their element count if there is none. */
static size_t find_difference(const strew_tensor *left, const strew_tensor *right)
{
    size_t count = onnx_element_count(left);
    size_t index = 0;
    while (index < count && bytes_equal(element_bytes(left, index), element_bytes(right, index)))
        index++;
    return index;
}

/* The bytes in hexadecimal, as many as fit. */
static void print_bytes(strew_string bytes, char text[MESSAGE_SIZE])
{
    text[0] = '\0';
    for (size_t i = 0; i < bytes.size && 3 * i + 3 < MESSAGE_SIZE; i++)
        snprintf(text + 3 * i, MESSAGE_SIZE - 3 * i, " %02x", (unsigned)(unsigned char)bytes.data[i]);
}

static void assert_elements_equal(const strew_tensor *actual, const strew_tensor *expected, const char *how)
{
    size_t index = find_difference(actual, expected);
    if (index == onnx_element_count(expected))
        return;
    char is[MESSAGE_SIZE];
    char should_be[MESSAGE_SIZE];
    print_bytes(element_bytes(actual, index), is);
    print_bytes(element_bytes(expected, index), should_be);
    fail_msg("%s: %s element %zu of the output has the bytes%s, not%s", how, strew_dtype_name(actual->dtype), index,
             is, should_be);
}

/* ---- Running it ---------------------------------------------------------------------------------------- */

static strew_status run_at_once(const onnx_call *call, const strew_tensor *data, const strew_tensor *output,
                                const strew_options *options)
{
    return strew_operator_run(call->op, &call->attributes, data, indices_of(call), updates_of(call), output,
                              options);
}

static strew_status run_planned(const onnx_call *call, const strew_tensor *data, const strew_tensor *output,
                                const strew_options *options)
{
    const strew_tensor *indices = indices_of(call);
    const strew_tensor *updates = updates_of(call);
    strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    planning.isa = options->isa;
    planning.error = options->error;
    strew_plan plan;
    strew_status status =
        strew_operator_plan(&plan, call->op, &call->attributes, data, indices, updates, output, &planning);
    if (status != STREW_STATUS_OK)
        return status;
    const strew_buffers buffers = {.data = data->data,
                                   .indices = indices ? indices->data : NULL,
                                   .updates = updates ? updates->data : NULL,
                                   .output = output->data};
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    running.error = options->error;
    return strew_plan_run(&plan, &buffers, &running);
}

/* The ways to run a call. All must give the same output. */
static const struct way {
    const char *name;
    strew_status (*run)(const onnx_call *call, const strew_tensor *data, const strew_tensor *output,
                        const strew_options *options);
    bool in_place;
} ways[] = {
    {"at once", run_at_once, false},
    {"planned", run_planned, false},
    {"at once in place", run_at_once, true},
    {"planned in place", run_planned, true},
};

static void assert_ok(strew_status status, const strew_error *error, const char *how)
{
    if (status == STREW_STATUS_OK)
        return;
    char message[MESSAGE_SIZE];
    strew_error_message(error, message, sizeof(message));
    fail_msg("%s: %s: %s", how, strew_status_name(status), message);
}

static void assert_inferred_as_expected(const onnx_call *call)
{
    const strew_tensor *expected = &call->expected.view;
    int64_t shape[STREW_MAX_RANK];
    int32_t rank = -1;
    strew_error error = {0};
    strew_status status = strew_operator_shape(call->op, &call->attributes, &call->inputs[DATA].view,
                                               indices_of(call), updates_of(call), shape, &rank, &error);
    assert_ok(status, &error, "shape inference");
    assert_int_equal(rank, expected->rank);
    for (int32_t i = 0; i < rank; i++)
        assert_int_equal(shape[i], expected->shape[i]);
    assert_int_equal(call->inputs[DATA].view.dtype, expected->dtype);
}

/* A tensor like `model`, filled with unexpected elements, so that an unwritten one shows. */
static strew_tensor make_output(const strew_tensor *model)
{
    size_t size = onnx_element_count(model) * strew_dtype_size(model->dtype);
    strew_tensor output = *model;
    output.data = malloc(size);
    assert_true(output.data != NULL || size == 0);
    memset(output.data, 0xa5, size);
    return output;
}

static void assert_output_as_expected(const onnx_call *call, const struct way *way, strew_isa isa)
{
    char how[MESSAGE_SIZE];
    snprintf(how, sizeof(how), "%s %s on %s", call->op->name, way->name, strew_isa_name(isa));

    strew_tensor data = call->inputs[DATA].view;
    strew_tensor output = make_output(&call->expected.view);
    if (way->in_place) {
        memcpy(output.data, data.data, onnx_element_count(&data) * strew_dtype_size(data.dtype));
        data = output;
    }
    strew_error error = {0};
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = isa;
    options.error = &error;
    assert_ok(way->run(call, &data, &output, &options), &error, how);
    assert_elements_equal(&output, &call->expected.view, how);
    free(output.data);
}

static void assert_output_in_every_way(const onnx_call *call, strew_isa isa)
{
    bool scatters = updates_of(call) != NULL;
    for (size_t i = 0; i < COUNT(ways); i++) {
        if (scatters || !ways[i].in_place)
            assert_output_as_expected(call, &ways[i], isa);
    }
}

static bool runs_here(strew_isa isa)
{
    strew_isa_state state = strew_isa_get_state(isa);
    return isa == STREW_ISA_BEST || state == STREW_ISA_STATE_NATIVE || state == STREW_ISA_STATE_EMULATED;
}

static void assert_data_set_holds(onnx_call *call, const char *directory)
{
    read_data_set(call, directory);
    assert_inferred_as_expected(call);
    for (strew_isa isa = STREW_ISA_BEST; isa < STREW_ISA_COUNT; isa++) {
        if (runs_here(isa))
            assert_output_in_every_way(call, isa);
    }
    free_data_set(call);
}

/* Folders, in the order of their names. */
typedef struct folders {
    size_t count;
    char paths[MOST_FOLDERS][PATH_SIZE];
} folders;

static int compare_paths(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The folders whose names have one of these beginnings. */
static folders folders_in(const char *parent, const char *const *beginnings, size_t count)
{
    folders found = {.count = 0};
    DIR *listing = opendir(parent);
    if (listing == NULL)
        return found;
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing))
        for (size_t i = 0; i < count && found.count < MOST_FOLDERS; i++)
            if (strncmp(entry->d_name, beginnings[i], strlen(beginnings[i])) == 0)
                snprintf(found.paths[found.count++], PATH_SIZE, "%s/%s", parent, entry->d_name);
    closedir(listing);
    qsort(found.paths, found.count, PATH_SIZE, compare_paths);
    return found;
}

/* The test of one case; its state is the case's directory. */
static void gives_the_expected_output(void **state)
{
    const char *directory = *state;
    const folders data_sets = folders_in(directory, (const char *const[]){"test_data_set_"}, 1);
    assert_int_not_equal(data_sets.count, 0);

    onnx_call call = read_model(directory);
    for (size_t i = 0; i < data_sets.count; i++)
        assert_data_set_holds(&call, data_sets.paths[i]);
}

/* ---- The fields that hold elements --------------------------------------------------------------------- */

static Onnx__TensorProto make_message(int32_t data_type, int64_t *dimension)
{
    Onnx__TensorProto message = ONNX__TENSOR_PROTO__INIT;
    message.n_dims = 1;
    message.dims = dimension;
    message.has_data_type = true;
    message.data_type = data_type;
    return message;
}

static void assert_decodes_to(const Onnx__TensorProto *message, const void *elements, size_t size)
{
    strew_tensor tensor = onnx_tensor_decode(message);
    assert_int_equal(onnx_element_count(&tensor) * strew_dtype_size(tensor.dtype), size);
    assert_memory_equal(tensor.data, elements, size);
    free(tensor.data);
}

static void small_numbers_are_widened_to_int32(void **state)
{
    (void)state;
    int64_t two = 2;
    int32_t items[] = {1, -2};
    Onnx__TensorProto message = make_message(ONNX__TENSOR_PROTO__DATA_TYPE__INT16, &two);
    message.n_int32_data = 2;
    message.int32_data = items;
    assert_decodes_to(&message, (const int16_t[]){1, -2}, 2 * sizeof(int16_t));
}

static void uint32_is_widened_to_uint64(void **state)
{
    (void)state;
    int64_t two = 2;
    uint64_t items[] = {7, UINT32_MAX};
    Onnx__TensorProto message = make_message(ONNX__TENSOR_PROTO__DATA_TYPE__UINT32, &two);
    message.n_uint64_data = 2;
    message.uint64_data = items;
    assert_decodes_to(&message, (const uint32_t[]){7, UINT32_MAX}, 2 * sizeof(uint32_t));
}

static void complex_numbers_are_pairs_of_floats(void **state)
{
    (void)state;
    int64_t two = 2;
    float items[] = {1, 2, 3, 4};
    Onnx__TensorProto message = make_message(ONNX__TENSOR_PROTO__DATA_TYPE__COMPLEX64, &two);
    message.n_float_data = 4;
    message.float_data = items;
    assert_decodes_to(&message, items, sizeof(items));
}

static void strings_are_views_of_the_message(void **state)
{
    (void)state;
    int64_t two = 2;
    uint8_t text[] = "strew";
    ProtobufCBinaryData items[] = {{5, text}, {2, text + 1}};
    Onnx__TensorProto message = make_message(ONNX__TENSOR_PROTO__DATA_TYPE__STRING, &two);
    message.n_string_data = 2;
    message.string_data = items;
    const strew_string views[] = {{(const char *)text, 5}, {(const char *)text + 1, 2}};
    assert_decodes_to(&message, views, sizeof(views));
}

/* ---- What a model means -------------------------------------------------------------------------------- */

/* A model of one TensorScatter of that mode, with so many inputs, in operator set 24. */
static onnx_call decode_tensor_scatter(char *mode, size_t inputs)
{
    char *names[] = {"past_cache", "update", "write_indices"};
    Onnx__ValueInfoProto values[MAX_INPUTS];
    Onnx__ValueInfoProto *graph_inputs[MAX_INPUTS];
    for (size_t i = 0; i < MAX_INPUTS; i++) {
        values[i] = (Onnx__ValueInfoProto)ONNX__VALUE_INFO_PROTO__INIT;
        values[i].name = names[i];
        graph_inputs[i] = &values[i];
    }
    Onnx__AttributeProto attribute = ONNX__ATTRIBUTE_PROTO__INIT;
    attribute.name = "mode";
    attribute.s = (ProtobufCBinaryData){strlen(mode), (uint8_t *)mode};
    Onnx__NodeProto node = ONNX__NODE_PROTO__INIT;
    node.op_type = "TensorScatter";
    node.n_input = inputs;
    node.input = names;
    node.n_attribute = 1;
    node.attribute = (Onnx__AttributeProto *[]){&attribute};
    Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
    graph.n_input = inputs;
    graph.input = graph_inputs;
    graph.n_node = 1;
    graph.node = (Onnx__NodeProto *[]){&node};
    Onnx__OperatorSetIdProto opset = ONNX__OPERATOR_SET_ID_PROTO__INIT;
    opset.version = 24;
    Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
    model.graph = &graph;
    model.n_opset_import = 1;
    model.opset_import = (Onnx__OperatorSetIdProto *[]){&opset};
    return decode_model(&model);
}

static void tensor_scatter_has_a_mode_and_its_updates_before_its_indices(void **state)
{
    (void)state;
    const onnx_call circular = decode_tensor_scatter((char[]){"circular"}, 3);
    const onnx_call linear = decode_tensor_scatter((char[]){"linear"}, 2);
    assert_string_equal(circular.op->name, "TensorScatter-24");
    assert_int_equal(circular.attributes.given, STREW_ATTRIBUTE_CIRCULAR);
    assert_true(circular.attributes.circular);
    assert_false(linear.attributes.circular);
    assert_int_equal(input_order(&circular)[1], UPDATES);
    assert_ptr_equal(indices_of(&circular), &circular.inputs[INDICES].view);
    assert_ptr_equal(updates_of(&linear), &linear.inputs[UPDATES].view);
    assert_null(indices_of(&linear));
}

/* ---- The tests ----------------------------------------------------------------------------------------- */

static const struct CMUnitTest reader_tests[] = {
    cmocka_unit_test(small_numbers_are_widened_to_int32),
    cmocka_unit_test(uint32_is_widened_to_uint64),
    cmocka_unit_test(complex_numbers_are_pairs_of_floats),
    cmocka_unit_test(strings_are_views_of_the_message),
    cmocka_unit_test(tensor_scatter_has_a_mode_and_its_updates_before_its_indices),
};

static int run_cases(folders *cases)
{
    struct CMUnitTest *tests = calloc(cases->count, sizeof(*tests));
    if (tests == NULL)
        return EXIT_FAILURE;
    for (size_t i = 0; i < cases->count; i++) {
        char *directory = cases->paths[i];
        tests[i].name = strrchr(directory, '/') + 1;
        tests[i].test_func = gives_the_expected_output;
        tests[i].initial_state = directory;
    }
    /* cmocka_run_group_tests calls this; the macro itself only takes arrays of a constant length. */
    int failed = _cmocka_run_group_tests("onnx", tests, cases->count, NULL, NULL);
    free(tests);
    return failed;
}

int main(void)
{
    folders cases = folders_in(STREW_ONNX_TESTDATA, case_names, COUNT(case_names));
    if (cases.count < LEAST_CASES) {
        fprintf(stderr, "%zu cases in %s, fewer than %d\n", cases.count, STREW_ONNX_TESTDATA, LEAST_CASES);
        return EXIT_FAILURE;
    }
    int failed = cmocka_run_group_tests_name("onnx_reader", reader_tests, NULL, NULL);
    failed += run_cases(&cases);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
