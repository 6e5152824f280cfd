/* A table that processes share: each adds its updates to the rows that are its own. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <stdio.h>
#include <strew/strew.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 2, ROWS = 4, COLUMNS = 2, ROWS_EACH = ROWS / PROCESSES };

/* Shared memory. A tensor on it is a pointer, as elsewhere. */
typedef struct shared_table {
    float rows[ROWS][COLUMNS];
} shared_table;

/* Each process makes its own plan, because a plan holds addresses, and writes its own rows. */
static strew_status add_to_own_rows(shared_table *shared, int process)
{
    const int64_t places[2] = {ROWS_EACH - 1, ROWS_EACH - 1};
    const float updates[2][COLUMNS] = {{1, 10}, {(float)process, 20}};
    const strew_tensor own = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){ROWS_EACH, COLUMNS}, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){2, 1}, NULL};
    const strew_tensor added = {NULL, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2, COLUMNS}, NULL};
    strew_plan plan;
    const strew_status status =
        strew_plan_scatter_nd(&plan, &own, &indices, &added, STREW_REDUCTION_SUM, &own, NULL);
    if (status != STREW_STATUS_OK)
        return status;
    float(*const rows)[COLUMNS] = shared->rows + process * ROWS_EACH;
    const strew_buffers buffers = {.data = rows, .indices = places, .updates = updates, .output = rows};
    return strew_plan_run(&plan, &buffers, NULL);
}

int main(void)
{
    shared_table *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    for (int process = 0; process < PROCESSES; process++) {
        const pid_t child = fork();
        if (child == 0)
            _exit(add_to_own_rows(shared, process) != STREW_STATUS_OK);
        if (child < 0)
            return 1;
    }
    int failed = 0, status;
    while (wait(&status) > 0)
        failed |= status;
    for (int r = 0; r < ROWS; r++)
        printf("row %d: %g %g\n", r, shared->rows[r][0], shared->rows[r][1]);
    return failed != 0;
}
