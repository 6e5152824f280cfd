/* A program that calls four operators. test_choice.py measures its size. */
#include <strew/strew.h>

int main(void)
{
    static const int64_t four[] = {4}, tuples[] = {2, 1}, two[] = {2};
    static float numbers[4], rows[2];
    static int64_t named[2];
    const strew_tensor data = {.data = numbers, .dtype = STREW_DTYPE_FLOAT32, .rank = 1, .shape = four};
    const strew_tensor indices = {.data = named, .dtype = STREW_DTYPE_INT64, .rank = 1, .shape = two};
    const strew_tensor pairs = {.data = named, .dtype = STREW_DTYPE_INT64, .rank = 2, .shape = tuples};
    const strew_tensor some = {.data = rows, .dtype = STREW_DTYPE_FLOAT32, .rank = 1, .shape = two};
    return strew_gather(&data, &indices, 0, 0, &some, NULL) || strew_gather_nd(&data, &pairs, 0, &some, NULL) ||
           strew_scatter_nd(&data, &pairs, &some, STREW_REDUCTION_SUM, &data, NULL) ||
           strew_scatter_elements(&data, &indices, &some, 0, STREW_REDUCTION_SUM, true, &data, NULL);
}
