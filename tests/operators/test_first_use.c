/*
 * Many threads use the library for the first time at once: together they settle the kernels, the CPU's features and
 * the tuning. Each race has a process of its own, in which nothing is settled yet: this one never calls the
 * library.
 */
#define _DEFAULT_SOURCE /* fork, sched_yield */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <strew/inspect.h>

#include "parallel.h"
#include "system/system.h"
#include "test.h"

enum { RACERS = 8, RACES = 25, ROWS = 64, ENTRIES = 300, TEXT_BYTES = 400 };

static const int64_t data_shape[] = {ROWS, 3}, indices_shape[] = {ENTRIES, 1}, updates_shape[] = {ENTRIES, 3};

typedef struct racer {
    int number;
    strew_isa isa;
    bool right;
} racer;

/* ---- What one of them does ----------------------------------------------------------------------- */

static atomic_int waiting;

static void wait_for_all(void)
{
    atomic_fetch_sub(&waiting, 1);
    while (atomic_load(&waiting) > 0)
        sched_yield();
}

/* Sums of small integers, which are exact in any order. */
static bool scatters(void)
{
    int64_t rows[ENTRIES];
    float table[ROWS][3] = {{0}}, updates[ENTRIES][3], expected[ROWS][3] = {{0}};
    for (int i = 0; i < ENTRIES; i++) {
        rows[i] = i * 7 % ROWS;
        for (int c = 0; c < 3; c++) {
            updates[i][c] = (float)(i + c);
            expected[rows[i]][c] += updates[i][c];
        }
    }
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, data_shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 2, indices_shape, NULL};
    const strew_tensor added = {updates, STREW_DTYPE_FLOAT32, 2, updates_shape, NULL};
    const strew_parallel parallel = parallel_threads(2);
    strew_options options = STREW_OPTIONS_INIT;
    options.parallel = &parallel;
    return strew_scatter_nd(&data, &indices, &added, STREW_REDUCTION_SUM, &data, &options) == STREW_STATUS_OK &&
           memcmp(table, expected, sizeof table) == 0;
}

static bool describes(void)
{
    char text[TEXT_BYTES];
    return strew_cpu_describe(text, sizeof text) > 0 && strstr(text, "tuned as ");
}

static bool lists_kernels(void)
{
    strew_kernel_info info;
    return strew_kernel_count() > 0 && strew_kernel_at(0, STREW_ISA_BEST, &info);
}

static void *race(void *argument)
{
    racer *self = argument;
    wait_for_all();
    self->right = self->number % 4 == 0 ? describes() : self->number % 4 == 1 ? lists_kernels() : scatters();
    self->isa = strew_isa_active();
    self->right = self->right && scatters();
    return NULL;
}

/* ---- One race ------------------------------------------------------------------------------------ */

/* All of them are right and have the same kernels, and afterwards the requested tuning is in use. */
static bool all_are_right(const racer racers[RACERS], const char *tuning)
{
    char text[TEXT_BYTES], expected[TEXT_BYTES];
    snprintf(expected, sizeof expected, "tuned as %s", tuning ? tuning : "");
    strew_cpu_describe(text, sizeof text);
    bool right = strstr(text, expected);
    for (size_t i = 0; i < RACERS; i++)
        right = right && racers[i].right && racers[i].isa == strew_isa_active();
    return right;
}

static bool is_won(const char *tuning)
{
    pthread_t threads[RACERS];
    racer racers[RACERS];
    atomic_store(&waiting, RACERS);
    for (int i = 0; i < RACERS; i++) {
        racers[i] = (racer){.number = i};
        if (pthread_create(&threads[i], NULL, race, &racers[i]) != 0)
            return false;
    }
    for (size_t i = 0; i < RACERS; i++)
        pthread_join(threads[i], NULL);
    return all_are_right(racers, tuning);
}

/* ThreadSanitizer reports a race when the process exits, by its status. */
static void run_race(const char *tuning)
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        exit(is_won(tuning) ? EXIT_SUCCESS : EXIT_FAILURE);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_SUCCESS);
}

static void check_races(const char *tuning)
{
    assert_true(system_set_variable("STREW_TUNING", tuning));
    for (int i = 0; i < RACES; i++)
        run_race(tuning);
    assert_true(system_set_variable("STREW_TUNING", NULL));
}

/* ---- The tests ----------------------------------------------------------------------------------- */

static void threads_settle_the_kernels_and_the_tuning_of_this_cpu(void **state)
{
    (void)state;
    check_races(NULL);
}

static void threads_settle_the_tuning_of_the_environment(void **state)
{
    (void)state;
    check_races("zen");
    check_races("xeon");
}

static void threads_settle_the_instruction_set_of_the_environment(void **state)
{
    (void)state;
    assert_true(system_set_variable("STREW_ISA", "scalar"));
    check_races(NULL);
    assert_true(system_set_variable("STREW_ISA", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_settle_the_kernels_and_the_tuning_of_this_cpu),
        cmocka_unit_test(threads_settle_the_tuning_of_the_environment),
        cmocka_unit_test(threads_settle_the_instruction_set_of_the_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
