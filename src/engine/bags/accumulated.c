#include "engine/bags/accumulated.h"

#include <string.h>

#include "base/thresholds.h"
#include "engine/bags/pooled.h"
#include "engine/walk/gaps.h"

/* ---- Whether ------------------------------------------------------------------------------------- */

/* Longer rows, and those that more entries than so many that follow each other go into, are held in registers. */
enum { MOST_BYTES = STREW_THRESHOLD(512, 64), MOST_WEIGHTED_BYTES = STREW_THRESHOLD(128, 64), SHORT_RUN = 10 };

/* Of some pairs of neighbours. */
static bool are_runs_short(const strew_integers *rows, strew_range entries)
{
    enum { LOOKED_AT = 64 };
    const int64_t count = entries.end - entries.begin, pairs = strew_lesser(count - 1, LOOKED_AT);
    int64_t ends = 0;
    for (int64_t i = 0; i < pairs; i++) {
        const int64_t place = entries.begin + i * (count - 1) / pairs;
        ends += strew_list_item(rows, place) != strew_list_item(rows, place + 1);
    }
    return ends * SHORT_RUN > pairs;
}

static bool is_weighted(const strew_bags *bags)
{
    return bags->weights.dtype != STREW_DTYPE_NONE;
}

/* More bytes of rows are foreseen from further. */
static bool are_far(int64_t row_bytes, int64_t rows)
{
    enum { FAR_ROWS_BYTES = 8 << 20 };
    return (double)row_bytes * (double)rows > FAR_ROWS_BYTES;
}

/* Whether far rows have more lines than one, of which only folds prefetch the others. */
static bool are_far_and_of_lines(const char *first, int64_t step, int64_t row_bytes, int64_t rows)
{
    const uint64_t places = (uint64_t)(uintptr_t)first | (uint64_t)step | STREW_CACHE_LINE,
                   alignment = places & (0 - places);
    return (uint64_t)row_bytes > alignment && are_far(row_bytes, rows);
}

bool strew_bags_are_accumulated(const strew_bags_run_state *run, strew_range entries, strew_range bytes)
{
    const strew_bags *bags = run->bags;
    const strew_bags_pointers *pointers = run->pointers;
    const strew_coordinate sources = run->sources->coordinates.each[0];
    const int64_t row_bytes = bytes.end - bytes.begin;
    return strew_bags_have_numbers(bags) && strew_bags_add_to_rows(bags) && !strew_is_half(bags->dtype) &&
           bags->reduction == STREW_REDUCTION_SUM &&
           run->walk->kernels->accumulate[STREW_ELEMENT_SLOT(bags->dtype)] && row_bytes > 0 &&
           row_bytes <= (is_weighted(bags) ? MOST_WEIGHTED_BYTES : MOST_BYTES) &&
           !are_far_and_of_lines(pointers->source, sources.stride, row_bytes, sources.size) &&
           !are_far_and_of_lines(pointers->target, bags->row_step, row_bytes, bags->rows) &&
           are_runs_short(run->rows, entries);
}

/* ---- How ----------------------------------------------------------------------------------------- */

static strew_accumulation accumulation_of(const strew_bags_run_state *run, const char *source, int64_t row_bytes)
{
    const strew_bags *bags = run->bags;
    const strew_coordinate rows = run->sources->coordinates.each[0];
    enum { NEAR_AHEAD = 12, FAR_AHEAD = 32 };
    return (strew_accumulation){
        .source = source,
        .sources = strew_list_rows(run->sources, rows.stride),
        .targets = strew_list_rows(run->rows, bags->row_step),
        .row_bytes = (size_t)row_bytes,
        .rows_ahead = are_far(row_bytes, rows.size) || are_far(row_bytes, bags->rows) ? FAR_AHEAD : NEAR_AHEAD,
        .weights = is_weighted(bags) ? run->pointers->weights : NULL,
        .weight_step = bags->weights.step,
    };
}

/* False if an item is wrong. */
static bool accumulate(const strew_bags_run_state *run, char *target, const strew_named_entries *some,
                       strew_accumulation *all)
{
    const strew_bags *bags = run->bags;
    strew_accumulate_kernel *const kernel = run->walk->kernels->accumulate[STREW_ELEMENT_SLOT(bags->dtype)];
    const size_t count = (size_t)some->count;
    const bool has_gaps = some->has_gaps;
    strew_rows rows = has_gaps ? strew_rows_first(some->sources, count) : (strew_rows){0, count};
    while (rows.begin < count) {
        if (all->weights)
            all->weights = run->pointers->weights + (some->first + (int64_t)rows.begin) * bags->weights.step;
        if (!kernel(target, some->targets + rows.begin, some->sources + rows.begin, rows.end - rows.begin, all))
            return false;
        rows = has_gaps ? strew_rows_next(rows, some->sources, count) : (strew_rows){count, count};
    }
    return true;
}

bool strew_bags_accumulate(const strew_bags_run_state *run, strew_range entries, const strew_pointers *lane,
                           strew_range bytes)
{
    strew_named_entries_room room;
    strew_named_entries some;
    strew_integers sources = *run->sources;
    strew_accumulation all = accumulation_of(run, lane->addressed + bytes.begin, bytes.end - bytes.begin);
    sources.coordinates.each[0].stride = 1;
    for (some.first = entries.begin; some.first < entries.end; some.first += some.count)
        if (!strew_list_name_entries(&sources, run->rows, entries.end - some.first, &some, &room) ||
            !accumulate(run, lane->dense + bytes.begin, &some, &all))
            return false;
    return true;
}

/* ---- Sums that start from zero ------------------------------------------------------------------- */

/* Rows of up to so many bytes, one thread sums as they come in less time than it sorts them. */
enum { MOST_SUMMED_BYTES = 128, MOST_SUMMED_HALVES_BYTES = 32 };

size_t strew_bags_sums_bytes(const strew_bags *bags, const strew_walk *walk)
{
    return strew_is_half(bags->dtype) ? (size_t)bags->rows * 2 * (size_t)walk->row_bytes : 0;
}

bool strew_bags_are_summed(const strew_bags *bags, const strew_walk *walk, size_t threads)
{
    const int64_t most = strew_is_half(bags->dtype) ? MOST_SUMMED_HALVES_BYTES : MOST_SUMMED_BYTES;
    return threads <= 1 && bags->segments == STREW_ANY && bags->reduction == STREW_REDUCTION_SUM &&
           walk->dims == 0 && walk->row_bytes > 0 && walk->row_bytes <= most && strew_bags_start_from_zero(bags) &&
           walk->kernels->accumulate[STREW_ELEMENT_SLOT(bags->dtype)] &&
           !are_far(strew_is_half(bags->dtype) ? 2 * walk->row_bytes : walk->row_bytes, bags->rows);
}

static void clear_rows(char *rows, int64_t step, int64_t count, size_t row_bytes)
{
    if (step == (int64_t)row_bytes) {
        memset(rows, 0, (size_t)count * row_bytes);
        return;
    }
    for (int64_t row = 0; row < count; row++)
        memset(rows + row * step, 0, row_bytes);
}

/* Those of halves in float32, and rounded once. */
bool strew_bags_sum(const strew_bags_run_state *run, char *scratch)
{
    strew_bags bags = *run->bags;
    strew_bags_run_state summing = *run;
    char *const target = run->pointers->target;
    const int64_t row_bytes = run->walk->row_bytes;
    const bool are_halves = strew_is_half(bags.dtype);
    strew_pointers lane = {.addressed = run->pointers->source, .dense = are_halves ? scratch : target};
    summing.bags = &bags;
    bags.row_step = are_halves ? 2 * row_bytes : bags.row_step;
    clear_rows(lane.dense, bags.row_step, bags.rows, (size_t)(are_halves ? 2 * row_bytes : row_bytes));
    if (!strew_bags_accumulate(&summing, (strew_range){0, bags.entries}, &lane, (strew_range){0, row_bytes}))
        return false;
    if (are_halves)
        run->walk->kernels->round[STREW_ELEMENT_SLOT(bags.dtype)](target, run->bags->row_step, scratch,
                                                                  (size_t)bags.rows, (size_t)row_bytes);
    return true;
}
