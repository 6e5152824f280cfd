/* A node of a model, run as the version that the model names. */
#include <inttypes.h>
#include <stdio.h>
#include <strew/operators.h>

typedef struct node {
    const char *version;   /* "ScatterElementsUpdate-12" */
    const char *reduction; /* the attribute's text; NULL if the node has none */
    strew_tensor data, indices, updates, axis;
} node;

static strew_status run_node(const node *self, const strew_tensor *output, strew_error *error)
{
    const strew_operator *op = strew_operator_find(self->version);
    strew_attributes attributes = {.given = 0};
    strew_options options = STREW_OPTIONS_INIT;
    options.error = error;
    if (op && (op->rules & STREW_RULE_AXIS_IS_INPUT)) {
        const strew_status status = strew_axis_read(&self->axis, &attributes.axis, error);
        if (status != STREW_STATUS_OK)
            return status;
        attributes.given |= STREW_ATTRIBUTE_AXIS;
    }
    if (self->reduction && strew_reduction_find(self->reduction, &attributes.reduction))
        attributes.given |= STREW_ATTRIBUTE_REDUCTION;
    return strew_operator_run(op, &attributes, &self->data, &self->indices, &self->updates, output, &options);
}

static void print_output_shape(const char *version)
{
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 3, (int64_t[]){2, 3, 5}, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 3, (int64_t[]){2, 3, 1}, NULL};
    const strew_attributes attributes = {.given = STREW_ATTRIBUTE_BATCH_DIMS, .batch_dims = 2};
    int64_t shape[STREW_MAX_RANK];
    int32_t rank = 0;
    const strew_operator *op = strew_operator_find(version);
    if (strew_operator_shape(op, &attributes, &data, &indices, NULL, shape, &rank, NULL) != STREW_STATUS_OK)
        return;
    printf("%s:", version);
    for (int32_t d = 0; d < rank; d++)
        printf(" %" PRId64, shape[d]);
    puts("");
}

int main(void)
{
    float numbers[3] = {1, 2, 3}, values[3] = {10, 20, 30};
    int32_t places[3] = {0, 0, -1};
    int8_t first = 0;
    const int64_t three[] = {3};
    node model = {
        .version = "ScatterElementsUpdate-12",
        .reduction = "sum",
        .data = {numbers, STREW_DTYPE_FLOAT32, 1, three, NULL},
        .indices = {places, STREW_DTYPE_INT32, 1, three, NULL},
        .updates = {values, STREW_DTYPE_FLOAT32, 1, three, NULL},
        .axis = {&first, STREW_DTYPE_INT8, 0, NULL, NULL},
    };
    strew_error error;
    if (run_node(&model, &model.data, &error) != STREW_STATUS_OK)
        return 1;
    printf("%s: %g %g %g\n", model.version, numbers[0], numbers[1], numbers[2]);

    /* The first version of the operator has no reductions and takes no negative index. */
    char message[256];
    model.version = "ScatterElementsUpdate-3";
    for (int attempt = 0; attempt < 2; attempt++) {
        if (run_node(&model, &model.data, &error) == STREW_STATUS_OK)
            return 1;
        strew_error_message(&error, message, sizeof message);
        printf("%s: %s\n", model.version, message);
        model.reduction = NULL;
    }

    /* Two versions that differ in the shape of the output. */
    print_output_shape("GatherND-5");
    print_output_shape("GatherND-8");
    return 0;
}
