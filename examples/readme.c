#include <stdint.h>
#include <stdio.h>
#include <strew/strew.h>

int main(void)
{
    float table[6][2] = {{0}}, gradients[3][2] = {{1, 2}, {7, 7}, {10, 20}};
    int64_t words[3] = {2, 0, -4}; /* -4 counts from the end, and is word 2 again */
    const int64_t table_shape[] = {6, 2}, words_shape[] = {3, 1}, gradients_shape[] = {3, 2};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {words, STREW_DTYPE_INT64, 2, words_shape, NULL};
    const strew_tensor updates = {gradients, STREW_DTYPE_FLOAT32, 2, gradients_shape, NULL};

    if (strew_scatter_nd(&data, &indices, &updates, STREW_REDUCTION_SUM, &data, NULL))
        return 1;
    printf("word 2: %g %g\n", table[2][0], table[2][1]);
    return 0;
}
