/* A layer of a graph network, planned once for a graph and run for each batch; and bags of an embedding table. */
#include <stdio.h>
#include <stdlib.h>
#include <strew/strew.h>

enum { NODES = 4, EDGES = 6, WIDTH = 2, WORDS = 5, BAGS = 3 };

/* The graph: edge e goes from sources[e] to targets[e]. */
static int32_t sources[EDGES] = {1, 2, 0, 3, 1, 2}, targets[EDGES] = {0, 0, 1, 3, 3, 3};

typedef struct layer {
    strew_plan plan;
    void *scratch;
    size_t scratch_size;
} layer;

static strew_status plan_layer(layer *self)
{
    const strew_tensor nodes = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){NODES, WIDTH}, NULL};
    const strew_tensor edges = {NULL, STREW_DTYPE_INT32, 1, (int64_t[]){EDGES}, NULL};
    const strew_tensor weights = {NULL, STREW_DTYPE_FLOAT32, 1, (int64_t[]){EDGES}, NULL};
    const strew_status status = strew_plan_gather_scatter(&self->plan, &nodes, &nodes, &edges, &edges, &weights,
                                                          STREW_REDUCTION_SUM, true, &nodes, NULL);
    self->scratch_size = strew_plan_scratch_size(&self->plan, 1); /* kept from run to run */
    self->scratch = malloc(self->scratch_size);
    return status;
}

/* sums[targets[e]] += weights[e] * features[sources[e]], in the order of the edges. */
static strew_status run_layer(const layer *self, const float *features, const float *weights, float *sums)
{
    const strew_buffers buffers = {.data = sums,
                                   .updates = features,
                                   .indices = sources,
                                   .segments = targets,
                                   .weights = weights,
                                   .output = sums};
    strew_run_options options = STREW_RUN_OPTIONS_INIT;
    options.scratch = self->scratch;
    options.scratch_size = self->scratch ? self->scratch_size : 0;
    return strew_plan_run(&self->plan, &buffers, &options);
}

/* Averages the words of each sentence; -1 is padding. */
static strew_status average(float table[WORDS][WIDTH], float means[BAGS][WIDTH])
{
    int64_t words[BAGS][3] = {{0, 2, -1}, {4, -1, -1}, {1, 1, 3}};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, (int64_t[]){WORDS, WIDTH}, NULL};
    const strew_tensor indices = {words, STREW_DTYPE_INT64, 2, (int64_t[]){BAGS, 3}, NULL};
    const strew_tensor output = {means, STREW_DTYPE_FLOAT32, 2, (int64_t[]){BAGS, WIDTH}, NULL};
    strew_options options = STREW_OPTIONS_INIT;
    options.flags = STREW_FLAG_REFUSE_NEGATIVE_INDICES;
    options.bounds = STREW_BOUNDS_SKIP;
    return strew_embedding_bag_packed(&data, &indices, NULL, STREW_REDUCTION_MEAN, &output, &options);
}

int main(void)
{
    layer graph;
    float features[NODES][WIDTH] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, sums[NODES][WIDTH] = {{0}};
    const float weights[EDGES] = {0.5F, 0.5F, 1, 0.25F, 0.25F, 0.5F};
    if (plan_layer(&graph) || run_layer(&graph, &features[0][0], weights, &sums[0][0]))
        return 1;
    free(graph.scratch);
    for (int n = 0; n < NODES; n++)
        printf("node %d: %g %g\n", n, sums[n][0], sums[n][1]);

    float table[WORDS][WIDTH] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}, means[BAGS][WIDTH];
    if (average(table, means))
        return 1;
    for (int b = 0; b < BAGS; b++)
        printf("bag %d: %.4f %.4f\n", b, means[b][0], means[b][1]);
    return 0;
}
