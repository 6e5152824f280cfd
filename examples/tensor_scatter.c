/* TensorScatter: new keys of two sequences written into their caches, first within it, then around its end. */
#include <stdbool.h>
#include <stdio.h>
#include <strew/strew.h>

enum { SEQUENCES = 2, LENGTH = 5, NEW = 2 };

static strew_status append(int32_t cache[SEQUENCES][LENGTH], int64_t first, int64_t second, bool circular)
{
    int64_t begins[SEQUENCES] = {first, second};
    int32_t keys[SEQUENCES][NEW] = {{11, 12}, {21, 22}};
    const strew_tensor data = {cache, STREW_DTYPE_INT32, 2, (int64_t[]){SEQUENCES, LENGTH}, NULL};
    const strew_tensor indices = {begins, STREW_DTYPE_INT64, 1, (int64_t[]){SEQUENCES}, NULL};
    const strew_tensor updates = {keys, STREW_DTYPE_INT32, 2, (int64_t[]){SEQUENCES, NEW}, NULL};
    return strew_tensor_scatter(&data, &indices, &updates, 1, circular, &data, NULL);
}

static void print(int32_t cache[SEQUENCES][LENGTH])
{
    for (int s = 0; s < SEQUENCES; s++)
        for (int i = 0; i < LENGTH; i++)
            printf("%d%c", cache[s][i], i + 1 < LENGTH ? ' ' : '\n');
}

int main(void)
{
    int32_t linear[SEQUENCES][LENGTH] = {{0}}, circular[SEQUENCES][LENGTH] = {{0}};
    const strew_status status = append(linear, 0, 3, false);
    if (status != STREW_STATUS_OK || append(circular, 4, 7, true) != STREW_STATUS_OK)
        return 1;
    print(linear);
    print(circular);
    return 0;
}
