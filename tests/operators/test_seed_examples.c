/*
 * Every worked example of the published documents, under the version that prints it, in every dtype and index
 * dtype of that version that can hold its numbers; scatters in place too.
 */
#include <math.h>

#include "element.h"
#include "oracle.h"
#include "seed_examples.h"
#include "tensor.h"
#include "test.h"

static bool holds(strew_dtype dtype, const example_tensor *tensor)
{
    if (element_float_format(dtype).mantissa_bits > 0)
        return true;
    if (!element_is_integer(dtype))
        return false;
    double least = element_is_signed(dtype) ? -(double)element_greatest(dtype) - 1 : 0;
    for (int64_t i = 0; i < shape_count(tensor->shape, tensor->rank); i++) {
        double value = tensor->values[i];
        if (value < least || value > (double)element_greatest(dtype) || fabs(value - rint(value)) > 0)
            return false;
    }
    return true;
}

static void load(test_tensor *tensor, strew_dtype dtype, const example_tensor *example)
{
    tensor_create(tensor, dtype, example->rank, example->shape, NULL, 0, 0);
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, &tensor->view); more; more = position_next(position, &tensor->view)) {
        double value = example->values[position_ordinal(position, &tensor->view)];
        element_store(dtype, value, tensor_element(&tensor->view, position));
    }
}

static void fail_example(const seed_example *example, strew_dtype dtype, const char *complaint)
{
    fail_msg("%s, %s, %s: %s", example->operator_name, example->title, strew_dtype_name(dtype), complaint);
}

static void check_run(const seed_example *example, const strew_tensor *data, const strew_tensor *indices,
                      const strew_tensor *updates, const strew_tensor *output)
{
    const strew_operator *op = strew_operator_find(example->operator_name);
    assert_non_null(op);
    strew_error error;
    strew_options options = call_options();
    options.error = &error;
    strew_status status = strew_operator_run(op, &example->attributes, data, indices, updates, output, &options);
    if (status != STREW_STATUS_OK) {
        char message[256];
        strew_error_message(&error, message, sizeof message);
        fail_example(example, data->dtype, message);
    }
}

static void check_output(const seed_example *example, const strew_tensor *output)
{
    test_tensor expected;
    int64_t position[STREW_MAX_RANK];
    load(&expected, output->dtype, &example->output);
    if (!oracle_equal(&expected.view, output, ORACLE_SAME_BITS, position))
        fail_example(example, output->dtype, "the output is not the document's");
    tensor_destroy(&expected);
}

static void check_example(const seed_example *example, strew_dtype dtype, strew_dtype index_dtype)
{
    test_tensor data, indices, updates, output;
    bool is_scatter = example->updates.rank > 0;
    load(&data, dtype, &example->data);
    load(&indices, index_dtype, &example->indices);
    load(&updates, dtype, &example->updates);
    tensor_create(&output, dtype, example->output.rank, example->output.shape, NULL, 0, 0);

    const strew_tensor *given_updates = is_scatter ? &updates.view : NULL;
    check_run(example, &data.view, &indices.view, given_updates, &output.view);
    check_output(example, &output.view);
    if (is_scatter) {
        check_run(example, &data.view, &indices.view, given_updates, &data.view);
        check_output(example, &data.view);
    }
    tensor_destroy(&data);
    tensor_destroy(&indices);
    tensor_destroy(&updates);
    tensor_destroy(&output);
}

static bool takes_and_holds(uint32_t allowed, strew_dtype dtype, const example_tensor *tensor)
{
    return (allowed >> dtype & 1u) && holds(dtype, tensor);
}

static void check_every_dtype(const seed_example *example)
{
    const strew_operator *op = strew_operator_find(example->operator_name);
    assert_non_null(op);
    for (strew_dtype dtype = 1; dtype < STREW_DTYPE_COUNT; dtype++) {
        if (!takes_and_holds(op->data_dtypes, dtype, &example->data) ||
            !takes_and_holds(op->data_dtypes, dtype, &example->updates) ||
            !takes_and_holds(op->data_dtypes, dtype, &example->output))
            continue;
        for (strew_dtype index_dtype = 1; index_dtype < STREW_DTYPE_COUNT; index_dtype++) {
            if (takes_and_holds(op->index_dtypes, index_dtype, &example->indices))
                check_example(example, dtype, index_dtype);
        }
    }
}

static void every_example_gives_what_its_document_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < seed_example_count; i++)
        check_every_dtype(&seed_examples[i]);
}

/* The documents' own dtypes are always among those that check_every_dtype goes through. */
static void every_version_takes_float32_and_int32(void **state)
{
    (void)state;
    for (size_t i = 0; i < seed_example_count; i++)
        check_example(&seed_examples[i], STREW_DTYPE_FLOAT32, STREW_DTYPE_INT32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_takes_float32_and_int32),
        cmocka_unit_test(every_example_gives_what_its_document_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
