/* A graph whose edges stay the same: inspected when it is loaded, run for each request. */
#include <stdio.h>
#include <stdlib.h>
#include <strew/strew.h>

enum { NODES = 4, FEATURES = 2, EDGES = 5 };

typedef struct graph {
    strew_plan sums; /* of the messages of edges, at the nodes where they end */
    void *edges;     /* the inspection */
} graph;

/* Reads the edges, once. */
static strew_status graph_create(graph *self, const int64_t *ends, strew_error *error)
{
    const strew_tensor nodes = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){NODES, FEATURES}, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 1, (int64_t[]){EDGES}, NULL};
    const strew_tensor messages = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){EDGES, FEATURES}, NULL};
    strew_plan_options planning = STREW_PLAN_OPTIONS_INIT;
    strew_run_options inspecting = STREW_RUN_OPTIONS_INIT;
    strew_plan plan;
    planning.error = inspecting.error = error;
    self->edges = NULL;
    const strew_status status =
        strew_plan_scatter(&plan, &nodes, &indices, &messages, 0, 0, STREW_REDUCTION_SUM, true, &nodes, &planning);
    if (status != STREW_STATUS_OK)
        return status;
    const size_t size = strew_plan_inspection_size(&plan);
    self->edges = malloc(size);
    const strew_buffers seen = {.indices = ends};
    return strew_plan_inspect(&self->sums, &plan, &seen, self->edges, self->edges ? size : 0, &inspecting);
}

/* The inspection takes the place of the indices. */
static strew_status graph_sum(const graph *self, float *nodes, const float *messages)
{
    const strew_buffers buffers = {.data = nodes, .indices = self->edges, .updates = messages, .output = nodes};
    return strew_plan_run(&self->sums, &buffers, NULL);
}

static int refused(graph *self, const strew_error *error)
{
    char message[256];
    strew_error_message(error, message, sizeof message);
    puts(message);
    free(self->edges);
    return 1;
}

int main(void)
{
    const int64_t ends[EDGES] = {2, 0, 2, -1, 2}, wrong[EDGES] = {2, 0, 4, -1, 2};
    graph loaded;
    strew_error error;
    if (graph_create(&loaded, ends, &error) != STREW_STATUS_OK)
        return refused(&loaded, &error);
    for (int request = 1; request <= 2; request++) {
        float nodes[NODES][FEATURES] = {{0}}, messages[EDGES][FEATURES];
        for (int e = 0; e < EDGES; e++)
            messages[e][0] = messages[e][1] = (float)(request * (e + 1));
        if (graph_sum(&loaded, nodes[0], messages[0]) != STREW_STATUS_OK)
            return 1;
        printf("request %d: %g %g %g %g\n", request, nodes[0][0], nodes[1][0], nodes[2][0], nodes[3][0]);
    }
    free(loaded.edges);

    /* The inspection refuses a bad index and names it as a run would. */
    return graph_create(&loaded, wrong, &error) == STREW_STATUS_OK || !refused(&loaded, &error);
}
