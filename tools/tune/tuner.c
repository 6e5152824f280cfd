#include "tuner.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "command.h"

enum { LEAST_TURNS = 3, MOST_TURNS = 100 };

const strew_tuning_number *number_named(const char *name)
{
    const strew_tuning_number *number = strew_tuning_numbers;
    while (strcmp(number->name, name) != 0)
        number++;
    return number;
}

strew_tuning *candidates_add(candidates *self, const tuner *of, const strew_tuning_number *number, double value)
{
    strew_tuning *added = &self->each[self->count++];
    *added = of->best;
    strew_tuning_set(added, number, value);
    return added;
}

static void explain(const call *asked, const candidates *among, const double *seconds, size_t turns)
{
    printf("# %s, %lld of %lld bytes, table of %lld, on %zu, %zu turns:",
           asked->scatters ? strew_reduction_name(asked->reduction)
           : asked->sums   ? "bags"
                           : "gather",
           (long long)asked->rows, (long long)asked->row_bytes, (long long)asked->table_bytes, asked->threads,
           turns);
    for (size_t c = 0; c < among->count; c++)
        printf(" %.3g us", seconds[c] * 1e6);
    putchar('\n');
}

/* Takes one turn with each candidate. The library reads the current tuning whenever it plans or runs. */
static int take_turns(tuner *self, const call *asked, const candidates *among, double *seconds)
{
    strew_error error = {.status = STREW_STATUS_OK};
    for (size_t c = 0; c < among->count; c++) {
        atomic_store_explicit(&strew_tuning_chosen, &among->each[c], memory_order_relaxed);
        seconds[c] = call_seconds(&self->memory, asked, self->parallel, &error);
        if (seconds[c] < 0)
            return error.status == STREW_STATUS_OUT_OF_MEMORY ? fail(error.status, "no room for scratch")
                                                              : fail_with(&error);
    }
    return EXIT_DONE;
}

/* The first turns, in which memory and threads wake up, do not count. */
int tuner_measure(tuner *self, const call *asked, const candidates *among, double seconds[TUNER_CANDIDATES])
{
    double turn[TUNER_CANDIDATES] = {0};
    memory_draw(&self->memory, asked);
    int result = take_turns(self, asked, among, turn);
    const double begun = clock_seconds();
    size_t turns = 0;
    while (result == EXIT_DONE && turns < MOST_TURNS &&
           (turns < LEAST_TURNS || clock_seconds() - begun < self->slice)) {
        result = take_turns(self, asked, among, turn);
        for (size_t c = 0; c < among->count; c++)
            seconds[c] = turns == 0 || turn[c] < seconds[c] ? turn[c] : seconds[c];
        turns++;
    }
    atomic_store_explicit(&strew_tuning_chosen, &self->best, memory_order_relaxed);
    if (result == EXIT_DONE && self->explains)
        explain(asked, among, seconds, turns);
    return result;
}
