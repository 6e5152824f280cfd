/* A pthreadpool, lent to a call. */
#include <stdio.h>
#include <strew/pthreadpool.h>

enum { ROWS = 50000, COLUMNS = 4 };

static float data[ROWS][COLUMNS], gathered[ROWS][COLUMNS];
static int64_t reversed[ROWS];

int main(void)
{
    for (int r = 0; r < ROWS; r++) {
        reversed[r] = ROWS - 1 - r;
        data[r][0] = (float)r;
    }
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};
    const strew_tensor indices = {reversed, STREW_DTYPE_INT64, 2, (int64_t[]){ROWS, 1}, NULL};
    const strew_tensor output = {gathered, STREW_DTYPE_FLOAT32, 2, (int64_t[]){ROWS, COLUMNS}, NULL};

    pthreadpool_t pool = pthreadpool_create(2);
    strew_parallel parallel = strew_parallel_from_pthreadpool(pool);
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = &parallel;
    const strew_status status = strew_gather_nd(&table, &indices, 0, &output, &options);
    pthreadpool_destroy(pool);

    printf("%s: first %g, last %g\n", strew_status_name(status), gathered[0][0], gathered[ROWS - 1][0]);
    return status != STREW_STATUS_OK;
}
