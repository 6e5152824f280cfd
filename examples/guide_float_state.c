/* A thread that rounds upward calls strew, which still rounds to nearest. */
#include <fenv.h>
#include <stdio.h>
#include <strew/strew.h>

int main(void)
{
    float numbers[1] = {1}, little[1] = {1e-10f};
    int64_t first[1] = {0};
    const int64_t one[] = {1};
    const strew_tensor data = {numbers, STREW_DTYPE_FLOAT32, 1, one, NULL};
    const strew_tensor indices = {first, STREW_DTYPE_INT64, 1, one, NULL};
    const strew_tensor updates = {little, STREW_DTYPE_FLOAT32, 1, one, NULL};

    const int mode = fegetround();
    fesetround(FE_UPWARD);
    const strew_status status =
        strew_scatter_elements(&data, &indices, &updates, 0, STREW_REDUCTION_SUM, true, &data, NULL);
    const bool is_kept = fegetround() == FE_UPWARD;
    fesetround(mode);

    if (status != STREW_STATUS_OK)
        return 1;
    printf("1 + 1e-10 is %s\n", numbers[0] > 1 ? "more than 1" : "1");
    printf("the thread %s\n", is_kept ? "still rounds upward" : "no longer rounds upward");
    return 0;
}
