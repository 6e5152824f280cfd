/* The choices of a tuning, and the calls that decide them. */
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "tuner.h"

/* A change must be this much faster at each size that it affects: machines are no quieter. */
static const double least_gain = 0.03;

enum { KIB = 1 << 10, MIB = 1 << 20 };

/* ---- One of some values -------------------------------------------------------------------------- */

enum { MOST_VALUES = TUNER_CANDIDATES - 1, MOST_CALLS = 2 };

typedef struct value_choice {
    const char *number;
    double values[MOST_VALUES];
    size_t count;
    call calls[MOST_CALLS]; /* across the whole table, which is larger than the caches */
} value_choice;

static const value_choice values[] = {
    {"rows_ahead",
     {0, 4, 8, 16, 32},
     5,
     {{.row_bytes = 256, .rows = 20000},
      {.row_bytes = 256, .rows = 20000, .scatters = true, .reduction = STREW_REDUCTION_SUM}}},
    {"stream_pages", {1, 4}, 2, {{.row_bytes = 64 * KIB, .rows = 512}}},
    {"streams_parts",
     {0, 1},
     2,
     {{.row_bytes = 208, .rows = 200000}, {.row_bytes = 208, .rows = 200000, .scatters = true}}},
    {"reads_first", {0, 1}, 2, {{.row_bytes = 4, .rows = 500000, .scatters = true}}},
};

static size_t fastest(const double *costs, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (costs[i] < costs[best])
            best = i;
    return best;
}

static bool is_asked(const call *asked)
{
    return asked->rows > 0;
}

/* Adds to the cost of each candidate the logarithm of its time, because ratios of times count. */
static int add_costs(tuner *self, call asked, const candidates *among, double *costs)
{
    double seconds[TUNER_CANDIDATES] = {0};
    asked.threads = asked.threads > 0 ? asked.threads : 1;
    const int result = tuner_measure(self, &asked, among, seconds);
    for (size_t c = 0; result == EXIT_DONE && c < among->count; c++)
        costs[c] += log(seconds[c]);
    return result;
}

static int choose_value(tuner *self, const value_choice *choice)
{
    const strew_tuning_number *number = number_named(choice->number);
    candidates among = {.count = 0};
    double costs[TUNER_CANDIDATES] = {0};
    int result = EXIT_DONE;
    candidates_add(&among, self, number, strew_tuning_get(&self->best, number));
    for (size_t v = 0; v < choice->count; v++)
        candidates_add(&among, self, number, choice->values[v]);
    for (size_t c = 0; c < MOST_CALLS && is_asked(&choice->calls[c]) && result == EXIT_DONE; c++) {
        call asked = choice->calls[c];
        asked.table_bytes = self->memory.table_bytes;
        asked.moves_on = true;
        if (memory_holds(&self->memory, &asked))
            result = add_costs(self, asked, &among, costs);
    }
    const size_t best = fastest(costs, among.count);
    if (result == EXIT_DONE && costs[best] < costs[0] - least_gain)
        self->best = among.each[best];
    return result;
}

/* ---- From how many bytes on ---------------------------------------------------------------------- */

/* A way that is taken from a size on. */
typedef struct least_choice {
    const char *number;
    double never, always;
    call (*call_of)(const tuner *self, int64_t size);
    double part_of; /* the greatest size, if the number is a part of that; 0 otherwise */
} least_choice;

enum { LEAST_SIZE = MIB, MOST_SIZES = 16 };

/* From 4 MiB on: smaller outputs are never streamed. */
static call rows_gathered(const tuner *self, int64_t size)
{
    return (call){.table_bytes = self->memory.table_bytes,
                  .row_bytes = KIB,
                  .rows = size < 4 * MIB ? 0 : size / KIB,
                  .moves_on = true,
                  .reads_result = true};
}

/* Of a cache line each: a bag of 16 of them. */
static call rows_summed(const tuner *self, int64_t size)
{
    (void)self;
    return (call){.table_bytes = size, .row_bytes = 64, .rows = 100000, .sums = true, .moves_on = true};
}

/* Eight in each cache line. */
static call elements_summed(const tuner *self, int64_t size)
{
    (void)self;
    return (call){.table_bytes = size,
                  .row_bytes = 4,
                  .rows = size / 8,
                  .scatters = true,
                  .reduction = STREW_REDUCTION_SUM,
                  .has_scratch = true};
}

static call elements_summed_by_two(const tuner *self, int64_t size)
{
    call asked = elements_summed(self, size);
    asked.threads = 2;
    return asked;
}

/* Rows of a line by two threads, who own them or leave them to one. */
static call rows_owned(const tuner *self, int64_t size)
{
    (void)self;
    return (call){.table_bytes = size, .row_bytes = 64, .rows = 100000, .scatters = true, .threads = 2};
}

/* The costs of never and of always at each size that there is memory for. Returns an exit status. */
static int measure_sizes(tuner *self, const least_choice *choice, int64_t *sizes, double costs[][TUNER_CANDIDATES],
                         size_t *count)
{
    const strew_tuning_number *number = number_named(choice->number);
    candidates among = {.count = 0};
    int result = EXIT_DONE;
    candidates_add(&among, self, number, choice->never);
    candidates_add(&among, self, number, choice->always);
    *count = 0;
    for (int64_t size = LEAST_SIZE; result == EXIT_DONE && *count < MOST_SIZES && size <= self->memory.table_bytes;
         size *= 2) {
        const call asked = choice->call_of(self, size);
        if (!is_asked(&asked) || !memory_holds(&self->memory, &asked) ||
            (choice->part_of > 0 && (double)size > choice->part_of))
            continue;
        costs[*count][0] = costs[*count][1] = 0;
        sizes[*count] = size;
        result = add_costs(self, asked, &among, costs[*count]);
        ++*count;
    }
    return result;
}

/* The cost of all sizes if the way is used from size number `from` on. */
static double cost_from(size_t from, double costs[][TUNER_CANDIDATES], size_t count)
{
    double sum = 0;
    for (size_t s = 0; s < count; s++)
        sum += costs[s][s >= from];
    return sum;
}

/* Halfway between the greatest size below which it is not taken and the least at which it is. */
static double least_of(const least_choice *choice, const int64_t *sizes, size_t from, size_t count)
{
    if (from == count)
        return choice->never;
    const double bytes = 0.75 * (double)sizes[from];
    return choice->part_of > 0 ? bytes / choice->part_of : bytes;
}

static int choose_least(tuner *self, const least_choice *choice)
{
    const strew_tuning_number *number = number_named(choice->number);
    double costs[MOST_SIZES][TUNER_CANDIDATES], sums[MOST_SIZES + 1];
    int64_t sizes[MOST_SIZES];
    size_t count, now = 0;
    const int result = measure_sizes(self, choice, sizes, costs, &count);
    const double unit = choice->part_of > 0 ? choice->part_of : 1,
                 least = strew_tuning_get(&self->best, number) * unit;
    if (result != EXIT_DONE)
        return result;
    while (now < count && (double)sizes[now] < least)
        now++;
    for (size_t from = 0; from <= count; from++)
        sums[from] = cost_from(from, costs, count);
    const size_t best = fastest(sums, count + 1);
    const size_t changed = best > now ? best - now : now - best;
    if (sums[best] < sums[now] - least_gain * (double)changed)
        strew_tuning_set(&self->best, number, least_of(choice, sizes, best, count));
    return EXIT_DONE;
}

/* ---- All of them --------------------------------------------------------------------------------- */

static int choose_alone(tuner *self)
{
    const double last = (double)strew_cpu_cache_bytes(STREW_CPU_LAST_LEVEL), never = STREW_TUNING_NEVER;
    const least_choice leasts[] = {
        {"kept_of_a_result", 1, 0, rows_gathered, last > 0 ? last : 1},
        {"far_short_rows", never, 0, rows_summed, 0},
        {"least_partitioned", never, 0, elements_summed, 0},
    };
    int result = EXIT_DONE;
    for (size_t l = 0; l < sizeof leasts / sizeof *leasts && result == EXIT_DONE; l++)
        result = choose_least(self, &leasts[l]);
    for (size_t v = 0; v < sizeof values / sizeof *values && result == EXIT_DONE; v++)
        result = choose_value(self, &values[v]);
    return result;
}

static int choose_by_two(tuner *self)
{
    const least_choice partitioned = {"least_partitioned_by_two", STREW_TUNING_NEVER, 0, elements_summed_by_two, 0};
    const least_choice owned = {"least_owned", STREW_TUNING_NEVER, 0, rows_owned, 0};
    const int result = choose_least(self, &partitioned);
    return result == EXIT_DONE ? choose_least(self, &owned) : result;
}

/* If another program has the second core, or there is none, two threads measure nothing useful. */
static int compare_threads(tuner *self, bool *faster)
{
    static const double least_speedup = 1.5;
    call asked = {.table_bytes = 64 * KIB, .row_bytes = 256, .rows = 4096, .threads = 1};
    candidates among = {.count = 1, .each = {self->best}};
    double alone[TUNER_CANDIDATES] = {0}, shared[TUNER_CANDIDATES] = {0};
    int result = tuner_measure(self, &asked, &among, alone);
    asked.threads = 2;
    if (result == EXIT_DONE)
        result = tuner_measure(self, &asked, &among, shared);
    *faster = result == EXIT_DONE && shared[0] * least_speedup < alone[0];
    return result;
}

int tuner_choose(tuner *self)
{
    bool faster = false;
    int result = choose_alone(self);
    if (result == EXIT_DONE && self->parallel)
        result = compare_threads(self, &faster);
    if (result == EXIT_DONE && !faster)
        fputs(
            "strew: note: two threads are no faster than one here and now; what is for several is left as it was\n",
            stderr);
    return faster ? choose_by_two(self) : result;
}
