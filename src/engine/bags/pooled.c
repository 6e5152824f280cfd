#include "engine/bags/pooled.h"

#include <string.h>

#include "base/thresholds.h"
#include "engine/bags/reading.h"

/* So many bags are handed to a kernel at once. */
enum { POOLED_BAGS = 128 };

/* ---- Whether ------------------------------------------------------------------------------------- */

static strew_pool_kernel *kernel_of(const strew_bags_run_state *run)
{
    const strew_reduction reduction = run->bags->reduction;
    const bool sums = reduction == STREW_REDUCTION_SUM || reduction == STREW_REDUCTION_MEAN;
    return sums ? run->walk->kernels->pool[STREW_ELEMENT_SLOT(run->bags->dtype)] : NULL;
}

/* Whether there are none, or they follow each other as signed ones of 32 or 64 bits. */
static bool are_indices_plain(const strew_integers *sources)
{
    const strew_dtype dtype = sources->list.dtype;
    const bool is_plain = dtype == STREW_DTYPE_INT32 || dtype == STREW_DTYPE_INT64;
    return dtype == STREW_DTYPE_NONE ||
           (is_plain && strew_list_refuses(sources) && sources->list.step == (int64_t)strew_dtype_size(dtype));
}

bool strew_bags_start_from_zero(const strew_bags *bags)
{
    static const char zero[16]; /* of any dtype */
    const size_t size = strew_dtype_size(bags->dtype);
    return bags->start && memcmp(bags->start, zero, size) == 0 && bags->empty &&
           memcmp(bags->empty, zero, size) == 0 && bags->default_row < 0;
}

/* So many of a number are summed in less time than they are folded, for which their ends are not looked for. */
enum { LEAST_OF_A_NUMBER = STREW_THRESHOLD(40, 1) };

/* Halves are rounded at each entry then. */
static bool are_added_to_rows(const strew_bags_run_state *run)
{
    return strew_bags_add_to_rows(run->bags) && !strew_is_half(run->bags->dtype) &&
           (run->bags->segments != STREW_SORTED || strew_list_usual_run(run->rows) >= LEAST_OF_A_NUMBER);
}

bool strew_bags_are_pooled(const strew_bags_run_state *run)
{
    const strew_bags *bags = run->bags;
    const bool leaves_out =
        bags->segments == STREW_SORTED && (bags->drops_beyond || run->rows->bounds == STREW_BOUNDS_SKIP);
    const bool is_weighted = bags->weights.dtype != STREW_DTYPE_NONE;
    return bags->segments != STREW_ANY && !leaves_out && bags->line == bags->entries &&
           !(is_weighted && run->pointers->order) && kernel_of(run) &&
           (strew_bags_start_from_zero(bags) || are_added_to_rows(run)) && are_indices_plain(run->sources);
}

/* ---- How ----------------------------------------------------------------------------------------- */

static strew_pool pool_of(const strew_bags_run_state *run, const char *source, int64_t row_bytes)
{
    const strew_integers *sources = run->sources;
    const strew_coordinate rows = sources->coordinates.each[0];
    const strew_dtype dtype = sources->list.dtype;
    const bool is_weighted = run->bags->weights.dtype != STREW_DTYPE_NONE;
    const strew_bags_reading reading = strew_bags_reading_of(
        (strew_bags_rows){row_bytes, rows.size, strew_is_half(run->bags->dtype), dtype == STREW_DTYPE_NONE});
    return (strew_pool){
        .source = source,
        .source_step = rows.stride,
        .rows = rows.size,
        .gain = sources->coordinates.wrap ? rows.size : 0,
        .row_bytes = (size_t)row_bytes,
        .indices = dtype == STREW_DTYPE_NONE ? NULL : sources->items,
        .is_narrow = strew_dtype_size(dtype) == sizeof(uint32_t),
        .adds = !run->bags->start,
        .is_mean = run->bags->reduction == STREW_REDUCTION_MEAN && strew_is_half(run->bags->dtype),
        .together = reading.together,
        .near = reading.near,
        .nearest = reading.nearest,
        .entries = (size_t)run->bags->entries,
        .rows_ahead = reading.rows_ahead,
        .weights = is_weighted ? run->pointers->weights : NULL,
        .weight_step = run->bags->weights.step,
    };
}

/* Some bags that follow each other, and the entries from the first one's on. */
typedef struct some_bags {
    int64_t first, count, begin, end_entry;
} some_bags;

static void find_uniform_ends(const strew_bags *bags, some_bags some, int64_t *ends)
{
    for (int64_t b = 0; b < some.count; b++)
        ends[b] = (some.first + b + 1) * bags->uniform;
}

/* The list itself, or room in which they are resolved; NULL if it is wrong. */
static const int64_t *find_listed_ends(const strew_bags_run_state *run, some_bags some, int64_t *room)
{
    const bool are_all_listed = some.first + some.count < run->bags->rows;
    const int64_t *const listed = strew_list_numbers(run->rows, some.first + 1);
    if (listed && are_all_listed)
        return listed;
    room[some.count - 1] = run->bags->entries;
    return strew_list_resolve(run->rows, some.first + 1, are_all_listed ? some.count : some.count - 1, room) ==
                   STREW_WRONG
               ? NULL
               : room;
}

/* Of some bags the one that a number names; one more, if it names another. */
static int64_t bag_of(some_bags some, int64_t number)
{
    const uint64_t bag = (uint64_t)number - (uint64_t)some.first;
    return bag < (uint64_t)some.count ? (int64_t)bag : some.count;
}

/*
 * Each of some entries, whose numbers follow each other in order, ends its bag until the next one does. Where a row
 * is named by many, runs are found several entries at a time.
 */
static void end_bags_of(const strew_bags_run_state *run, some_bags some, const int64_t *numbers, int64_t entry,
                        int64_t count, int64_t *ends)
{
    enum { LONG_RUN = STREW_THRESHOLD(16, 2) };
    if ((numbers[count - 1] - numbers[0] + 1) * LONG_RUN > count) {
        for (int64_t i = 0; i < count; i++)
            ends[bag_of(some, numbers[i])] = entry + i + 1;
        return;
    }
    for (size_t i = 0, end; i < (size_t)count; i = end) {
        end = run->walk->kernels->adjoin(numbers, i, (size_t)count, 0);
        ends[bag_of(some, numbers[i])] = entry + (int64_t)end;
    }
}

/* Of sorted numbers: bags without one end where others did. */
static bool find_numbered_ends(const strew_bags_run_state *run, some_bags some, int64_t *ends)
{
    int64_t numbers[POOLED_BAGS], count;
    memset(ends, 0, (size_t)some.count * sizeof *ends);
    bool goes_on = true;
    for (int64_t entry = some.begin; goes_on && entry < some.end_entry; entry += count) {
        count = strew_lesser(some.end_entry - entry, POOLED_BAGS);
        const int64_t *given = strew_list_numbers(run->rows, entry);
        if (!given && strew_list_resolve(run->rows, entry, count, numbers) == STREW_WRONG)
            return false;
        given = given ? given : numbers;
        end_bags_of(run, some, given, entry, count, ends);
        goes_on = bag_of(some, given[count - 1]) < some.count;
    }
    for (int64_t b = 0, end = some.begin; b < some.count; b++)
        ends[b] = end = ends[b] > end ? ends[b] : end;
    return true;
}

/* The row that the next entry goes into: one more than there are after the last. */
static int64_t next_row(const strew_bags_run_state *run, some_bags some, int64_t entry)
{
    return entry < some.end_entry ? strew_list_item(run->rows, entry) : run->bags->rows;
}

static void search_ends(const strew_bags_run_state *run, some_bags some, int64_t usual, int64_t *ends)
{
    int64_t end = some.begin, next = next_row(run, some, end);
    for (int64_t b = 0; b < some.count; b++) {
        const int64_t row = some.first + b;
        if (next <= row) {
            end = strew_list_count_up_to(run->rows, row, end, some.end_entry, usual);
            next = next_row(run, some, end);
        }
        ends[b] = end;
    }
}

/* Where they end, which there is room for, and for one more; NULL if the list that says so is wrong. */
static const int64_t *find_ends(const strew_bags_run_state *run, some_bags some, int64_t *room)
{
    switch (run->bags->segments) {
    case STREW_UNIFORM: find_uniform_ends(run->bags, some, room); return room;
    case STREW_OFFSETS: return find_listed_ends(run, some, room);
    default: break;
    }
    const int64_t usual = run->rows->is_plain ? strew_list_usual_run(run->rows) : 0;
    if (usual < STREW_LEAST_SEARCHED)
        return find_numbered_ends(run, some, room) ? room : NULL;
    search_ends(run, some, usual, room);
    return room;
}

/* Divides each sum by how many entries its bag has. */
static void divide_bags(const strew_bags_run_state *run, char *target, some_bags some, const int64_t *ends,
                        int64_t row_bytes)
{
    int64_t offsets[POOLED_BAGS], counters[POOLED_BAGS], counter_offsets[POOLED_BAGS];
    for (int64_t b = 0, begin = some.begin; b < some.count; begin = ends[b++]) {
        offsets[b] = b * run->bags->row_step;
        counters[b] = ends[b] - begin;
        counter_offsets[b] = b * (int64_t)sizeof *counters;
    }
    run->walk->kernels->divide[STREW_ELEMENT_SLOT(run->bags->dtype)](
        target, offsets, (size_t)some.count, (size_t)row_bytes, (char *)counters, counter_offsets, 0);
}

bool strew_bags_pool(const strew_bags_run_state *run, strew_part part, const strew_pointers *lane,
                     strew_range bytes)
{
    int64_t room[POOLED_BAGS + 1];
    const int64_t *ends;
    const strew_bags *bags = run->bags;
    const int64_t row_bytes = bytes.end - bytes.begin;
    const strew_pool pool = pool_of(run, lane->addressed + bytes.begin, row_bytes);
    strew_pool_kernel *const kernel = kernel_of(run);
    some_bags some = {part.rows.begin, 0, part.entries.begin, part.entries.end};
    for (; some.first < part.rows.end; some.first += some.count, some.begin = ends[some.count - 1]) {
        char *const target = lane->dense + bytes.begin + some.first * bags->row_step;
        some.count = strew_lesser(part.rows.end - some.first, POOLED_BAGS);
        ends = find_ends(run, some, room);
        if (!ends || !kernel(target, bags->row_step, (size_t)some.begin, ends, (size_t)some.count, &pool))
            return false;
        if (bags->reduction == STREW_REDUCTION_MEAN && !pool.is_mean)
            divide_bags(run, target, some, ends, row_bytes);
    }
    return true;
}
