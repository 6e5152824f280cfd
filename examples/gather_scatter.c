/* Edges of a graph: each adds the row of its source to the row of its target. */
#include <stdio.h>
#include <strew/strew.h>

enum { NODES = 4, EDGES = 5, FEATURES = 3 };

static strew_status pass_on(const strew_tensor *weights)
{
    int32_t features[NODES][FEATURES] = {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32}};
    int32_t sums[NODES][FEATURES] = {{0}};
    int64_t leaves[EDGES] = {1, 2, 0, 3, 1}, enters[EDGES] = {0, 0, 1, 3, 3};
    const strew_tensor updates = {features, STREW_DTYPE_INT32, 2, (int64_t[]){NODES, FEATURES}, NULL};
    const strew_tensor data = {sums, STREW_DTYPE_INT32, 2, (int64_t[]){NODES, FEATURES}, NULL};
    const strew_tensor indices = {leaves, STREW_DTYPE_INT64, 1, (int64_t[]){EDGES}, NULL};
    const strew_tensor targets = {enters, STREW_DTYPE_INT64, 1, (int64_t[]){EDGES}, NULL};
    const strew_status status =
        strew_gather_scatter(&data, &updates, &indices, &targets, weights, STREW_REDUCTION_SUM, true, &data, NULL);
    for (int n = 0; n < NODES; n++)
        printf("%d %d %d\n", sums[n][0], sums[n][1], sums[n][2]);
    return status;
}

int main(void)
{
    int32_t along[EDGES] = {1, 2, -1, 1, 3};
    const strew_tensor weights = {along, STREW_DTYPE_INT32, 1, (int64_t[]){EDGES}, NULL};
    return pass_on(NULL) || pass_on(&weights);
}
