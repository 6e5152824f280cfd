/*
 * The layers in the published documents, at full size, with every reduction of their version, in place and out of
 * place, against the oracle.
 */
#include <stdlib.h>

#include "element.h"
#include "oracle.h"
#include "parallel.h"
#include "tensor.h"
#include "test.h"

typedef struct layer_shape {
    int32_t rank;
    int64_t dimensions[5];
} layer_shape;

/* The dimensions that a layer shows, and the versions and attributes that it is run with. */
typedef struct seed_layer {
    layer_shape data, indices, other; /* other: the updates of a scatter, the output of a gather */
    const char *operators[2];
    int64_t batch_dims;
    int64_t axes; /* the axes from 0 on; 1 for operators without one */
} seed_layer;

/* clang-format off */
#define ROWS_SHAPES {4, {1000, 256, 10, 15}}, {3, {25, 125, 3}}, {3, {25, 125, 15}}
#define ELEMENTS_SHAPES {4, {1000, 256, 7, 7}}, {4, {125, 20, 7, 6}}, {4, {125, 20, 7, 6}}
/* clang-format on */

static const seed_layer layers[] = {
    {ROWS_SHAPES, {"GatherND-8"}, 0, 1},
    {{4, {30, 2, 100, 35}}, {4, {30, 2, 3, 1}}, {4, {30, 2, 3, 35}}, {"GatherND-8"}, 2, 1},
    {{4, {1, 64, 64, 320}}, {5, {1, 64, 64, 1, 1}}, {4, {1, 64, 64, 1}}, {"GatherND-8"}, 3, 1},
    {ROWS_SHAPES, {"ScatterNDUpdate-3", "ScatterNDUpdate-15"}, 0, 1},
    {ELEMENTS_SHAPES, {"ScatterElementsUpdate-3", "ScatterElementsUpdate-12"}, 0, 4},
};

/* A layer's tensors, and the current run on them. */
typedef struct layer_run {
    const seed_layer *layer;
    const strew_operator *op;
    int64_t axis;
    test_tensor data, indices, other, output, expected;
} layer_run;

/* ---- Filling ------------------------------------------------------------------------------------- */

/* Numbers that no reduction here makes a NaN of, in a random pattern of a prime period. */
static void fill(random_source *source, test_tensor *tensor)
{
    enum { PERIOD = 4001 };
    size_t size = element_size(tensor->view.dtype);
    size_t count = tensor->size / size;
    double scale = element_is_integer(tensor->view.dtype) ? 1.0 : 1.0 / 13.0;
    for (size_t i = 0; i < count && i < PERIOD; i++) {
        double value = (double)random_between(source, 1, 100) * (random_chance(source, 50) ? scale : -scale);
        element_store(tensor->view.dtype, value, tensor->memory + i * size);
    }
    for (size_t done = PERIOD; done < count; done *= 2)
        memcpy(tensor->memory + done * size, tensor->memory, (done < count - done ? done : count - done) * size);
}

static void fill_indices(random_source *source, layer_run *run)
{
    const seed_layer *layer = run->layer;
    const strew_tensor *indices = &run->indices.view;
    bool refuses_negative = run->op->rules & STREW_RULE_REFUSES_NEGATIVE;
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, indices); more; more = position_next(position, indices)) {
        int64_t dimension =
            kind_has_rows(run->op->kind) ? layer->batch_dims + position[indices->rank - 1] : run->axis;
        int64_t size = layer->data.dimensions[dimension];
        int64_t index = random_between(source, refuses_negative ? 0 : -size, size - 1);
        element_store_integer(indices->dtype, (uint64_t)index, tensor_element(indices, position));
    }
}

static void create(test_tensor *tensor, strew_dtype dtype, const layer_shape *shape)
{
    tensor_create(tensor, dtype, shape->rank, shape->dimensions, NULL, 0, 0);
}

static bool is_gather(const seed_layer *layer)
{
    return kind_gathers(strew_operator_find(layer->operators[0])->kind);
}

static void layer_run_create(random_source *source, layer_run *run, const seed_layer *layer, strew_dtype dtype,
                             strew_dtype index_dtype)
{
    const layer_shape *output = is_gather(layer) ? &layer->other : &layer->data;
    run->layer = layer;
    create(&run->data, dtype, &layer->data);
    create(&run->indices, index_dtype, &layer->indices);
    create(&run->other, dtype, &layer->other);
    create(&run->output, dtype, output);
    create(&run->expected, dtype, output);
    fill(source, &run->data);
    fill(source, &run->other);
}

static void layer_run_destroy(layer_run *run)
{
    tensor_destroy(&run->data);
    tensor_destroy(&run->indices);
    tensor_destroy(&run->other);
    tensor_destroy(&run->output);
    tensor_destroy(&run->expected);
}

/* ---- Running ------------------------------------------------------------------------------------- */

static void run_library(const operator_call *call, const layer_run *run, const strew_parallel *parallel)
{
    strew_attributes attributes = {
        .given = run->op->attributes,
        .reduction = call->reduction,
        .axis = call->axis,
        .batch_dims = call->batch_dims,
        .use_init_val = call->use_init_val,
    };
    strew_options options = call_options();
    options.parallel = parallel;
    const strew_plan_options planning = call_plan_options(&options);
    strew_plan plan;
    strew_status status = strew_operator_plan(&plan, run->op, &attributes, call->data, call->indices, call->updates,
                                              call->output, &planning);
    assert_string_equal(strew_status_name(status), "ok");
    strew_run_options running = call_run_options(&options);
    running.scratch_size = strew_plan_scratch_size(&plan, planning.threads);
    running.scratch = malloc(running.scratch_size);
    strew_buffers buffers = call_buffers(call);
    status = strew_plan_run(&plan, &buffers, &running);
    assert_string_equal(strew_status_name(status), "ok");
    free(running.scratch);
}

static void check(const operator_call *call, const strew_tensor *expected)
{
    int64_t position[STREW_MAX_RANK];
    if (!oracle_equal(expected, call->output, ORACLE_SAME_BITS, position)) {
        call_describe(stderr, call);
        fail_msg("the output differs at [%d][%d][%d][%d]", (int)position[0], (int)position[1], (int)position[2],
                 (int)position[3]);
    }
}

static operator_call call_of(const layer_run *run)
{
    return (operator_call){
        .kind = run->op->kind,
        .data = &run->data.view,
        .indices = &run->indices.view,
        .output = &run->output.view,
        .batch_dims = run->layer->batch_dims,
        .axis = run->axis,
        .use_init_val = true,
    };
}

/* The oracle starts from a copy of data, for its own copying of so many elements one by one takes long. */
static void check_scatter(layer_run *run, strew_reduction reduction, bool use_init_val)
{
    strew_error error;
    const strew_parallel parallel = parallel_threads(2);
    operator_call call = call_of(run);
    call.updates = &run->other.view;
    call.reduction = reduction;
    call.use_init_val = use_init_val;

    operator_call oracle_call = call;
    memcpy(run->expected.memory, run->data.memory, run->data.size);
    oracle_call.data = oracle_call.output = &run->expected.view;
    assert_true(oracle_run(&oracle_call, &error));

    run_library(&call, run, &parallel);
    check(&call, &run->expected.view);

    memcpy(run->output.memory, run->data.memory, run->data.size);
    call.data = &run->output.view;
    run_library(&call, run, NULL);
    check(&call, &run->expected.view);
}

static void check_reductions(layer_run *run)
{
    for (int r = 0; r < STREW_REDUCTION_COUNT; r++) {
        strew_reduction reduction = (strew_reduction)r;
        if (!(run->op->reductions >> r & 1u))
            continue;
        check_scatter(run, reduction, true);
        if (reduction != STREW_REDUCTION_NONE && (run->op->attributes & STREW_ATTRIBUTE_USE_INIT_VAL))
            check_scatter(run, reduction, false);
    }
}

static void check_gather(layer_run *run)
{
    strew_error error;
    operator_call call = call_of(run);
    operator_call oracle_call = call;
    oracle_call.output = &run->expected.view;
    assert_true(oracle_run(&oracle_call, &error));
    run_library(&call, run, NULL);
    check(&call, &run->expected.view);
}

static void check_operators(random_source *source, layer_run *run)
{
    for (size_t o = 0; o < COUNT(run->layer->operators) && run->layer->operators[o]; o++) {
        run->op = strew_operator_find(run->layer->operators[o]);
        assert_non_null(run->op);
        for (run->axis = 0; run->axis < run->layer->axes; run->axis++) {
            fill_indices(source, run);
            if (is_gather(run->layer))
                check_gather(run);
            else
                check_reductions(run);
        }
    }
}

static void check_layers(strew_dtype dtype, strew_dtype index_dtype)
{
    random_source source = {random_seed()};
    for (size_t l = 0; l < COUNT(layers); l++) {
        layer_run run;
        layer_run_create(&source, &run, &layers[l], dtype, index_dtype);
        check_operators(&source, &run);
        layer_run_destroy(&run);
    }
}

static void float32_layers_agree_with_the_oracle(void **state)
{
    (void)state;
    check_layers(STREW_DTYPE_FLOAT32, STREW_DTYPE_INT32);
}

static void float16_layers_agree_with_the_oracle(void **state)
{
    (void)state;
    check_layers(STREW_DTYPE_FLOAT16, STREW_DTYPE_INT64);
}

static void int8_layers_agree_with_the_oracle(void **state)
{
    (void)state;
    check_layers(STREW_DTYPE_INT8, STREW_DTYPE_INT64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float32_layers_agree_with_the_oracle),
        cmocka_unit_test(float16_layers_agree_with_the_oracle),
        cmocka_unit_test(int8_layers_agree_with_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
