#include "engine/bags/window.h"

#include <string.h>

#include "base/thresholds.h"
#include "engine/walk/mover.h"

/* ---- Windows ------------------------------------------------------------------------------------- */

/* Returns the bag that a number names; `count` if it names none of them. */
static int64_t bag_of(int64_t first, int64_t count, int64_t number)
{
    const uint64_t bag = (uint64_t)number - (uint64_t)first;
    return bag < (uint64_t)count ? (int64_t)bag : count;
}

/* Returns where the run of sorted numbers that begins at `i` ends. Its steps double, and then halve. */
static int64_t end_of_run(const int64_t *numbers, int64_t i, int64_t count)
{
    const int64_t number = numbers[i];
    int64_t step = 1;
    for (; i + step < count && numbers[i + step] == number; step *= 2)
        i += step;
    for (; step > 0; step /= 2)
        i += i + step < count && numbers[i + step] == number ? step : 0;
    return i + 1;
}

/* Finds the ends of bags of sorted numbers. Each entry ends its bag until the next one does. */
static void end_bags(const strew_window *window, int64_t bags, const int64_t *numbers, int64_t entry, int64_t count,
                     int64_t *ends)
{
    const int64_t first = window->left.rows.begin;
    const bool are_short = (numbers[count - 1] - numbers[0] + 1) * STREW_LEAST_JOINED > count;
    for (int64_t i = 0; i < count && are_short; i++)
        ends[bag_of(first, bags, numbers[i])] = entry + i + 1;
    for (int64_t i = 0, end; i < count && !are_short; i = end) {
        end = end_of_run(numbers, i, count);
        ends[bag_of(first, bags, numbers[i])] = entry + end;
    }
}

/* Finds the ends of all bags. A row that no entry names ends where the row before it does. ends[bags]
 * receives the ends of entries of other rows. */
static void find_numbered_ends(const strew_window *window, int64_t bags, int64_t *ends)
{
    int64_t room[STREW_WINDOW_BAGS], last = window->left.entries.begin, count;
    const int64_t end_row = window->left.rows.begin + bags;
    memset(ends, 0, (size_t)bags * sizeof *ends);
    for (int64_t entry = last, number = -1; number < end_row && entry < window->left.entries.end; entry += count) {
        count = strew_lesser(window->left.entries.end - entry, STREW_WINDOW_BAGS);
        const int64_t *const numbers = strew_list_numbers(window->run->rows, entry, count, room);
        end_bags(window, bags, numbers, entry, count, ends);
        number = numbers[count - 1];
    }
    for (int64_t b = 0; b < bags; b++)
        last = ends[b] = ends[b] > last ? ends[b] : last;
}

/* Returns where the next `count` rows begin, and where the last one ends. */
static const int64_t *begins_of_rows(strew_window *window, int64_t count)
{
    const strew_bags_run_state *run = window->run;
    int64_t *const room = window->begins;
    const int64_t first = window->left.rows.begin;
    if (run->bags->segments == STREW_OFFSETS && first + count < run->bags->rows)
        return strew_list_numbers(run->rows, first, count + 1, room);
    if (run->bags->segments == STREW_OFFSETS) {
        strew_list_resolve(run->rows, first, count, room);
        room[count] = run->bags->entries;
    } else if (run->bags->segments == STREW_UNIFORM) {
        for (int64_t b = 0; b <= count; b++)
            room[b] = (first + b) * run->bags->uniform;
    } else {
        room[0] = window->left.entries.begin;
        find_numbered_ends(window, count, room + 1);
    }
    return room;
}

static void next_rows(strew_window *window)
{
    const int64_t first = window->left.rows.begin,
                  count = strew_lesser(window->left.rows.end - first, STREW_WINDOW_BAGS);
    const int64_t *const bounds = begins_of_rows(window, count);
    window->bags.count = (size_t)count;
    window->bags.begins = bounds;
    window->target = first * window->run->bags->row_step;
    window->left.entries.begin = bounds[count];
    window->left.rows.begin = first + count;
}

/* Goes to runs of entries that go into one row: each is a bag. Returns false if there are few, or entries without
 * a row. */
static bool next_runs(strew_window *window, const int64_t *named, int64_t count)
{
    const int64_t step = window->run->bags->row_step, first = window->left.entries.begin;
    int64_t *const targets = window->targets, *const begins = window->begins, bags = 0, i;
    if (!strew_rows_repeat(named, (size_t)count) ||
        strew_list_resolve(window->run->rows, first, count, targets) != STREW_ALL_ROWS)
        return false;
    for (i = 0; i < count; i++) {
        if (bags > 0 && targets[i] * step == targets[bags - 1])
            continue;
        if (bags == STREW_WINDOW_BAGS)
            break;
        begins[bags] = first + i;
        targets[bags++] = targets[i] * step;
    }
    begins[bags] = window->left.entries.begin = first + i;
    window->bags.count = (size_t)bags;
    window->bags.targets = targets;
    window->bags.sources = NULL;
    return true;
}

/* Goes to the next entries as they come: runs or single ones are bags. Returns false if a number is wrong. */
static bool next_entries(strew_window *window)
{
    const strew_bags_run_state *run = window->run;
    const int64_t first = window->left.entries.begin,
                  count = strew_lesser(window->left.entries.end - first, STREW_TILE_POSITIONS);
    const int64_t *const targets = strew_list_unchecked(run->rows, first, count, window->targets);
    if (!targets)
        return false;
    if (next_runs(window, targets, count))
        return true;
    window->left.entries.begin = first + count;
    window->bags.targets = targets;
    window->bags.sources = strew_list_unchecked(run->sources, first, count, window->sources);
    window->begins[0] = first;
    window->bags.count = (size_t)count;
    return window->bags.sources != NULL;
}

/* Returns whether the windows visit entries instead of rows: rows keep what they hold, and few entries go into
 * each. */
static bool goes_by_entries(const strew_bags *bags)
{
    return strew_bags_have_numbers(bags) && !bags->empty &&
           (bags->segments == STREW_ANY || bags->rows > bags->entries / STREW_LEAST_ENTRIES_A_ROW);
}

void strew_window_begin(strew_window *window, const strew_bags_run_state *run, const strew_part *part)
{
    const int64_t step = run->bags->row_step;
    window->run = run;
    window->left = *part;
    window->target = 0;
    window->bags =
        (strew_bag_window){.begins = window->begins, .targets = window->targets, .left_out = window->left_out};
    for (int64_t b = 0; b < strew_lesser(part->rows.end - part->rows.begin, STREW_WINDOW_BAGS); b++)
        window->targets[b] = b * step;
}

bool strew_window_next(strew_window *window)
{
    window->bags.count = 0;
    if (goes_by_entries(window->run->bags))
        return window->left.entries.begin == window->left.entries.end || next_entries(window);
    if (window->left.rows.begin < window->left.rows.end)
        next_rows(window);
    return true;
}

bool strew_find_rows(const strew_bags_run_state *run, bool needs_sources, strew_entry_rows *some)
{
    strew_resolved from = STREW_ALL_ROWS;
    const strew_resolved to = strew_list_resolve(run->rows, some->first, some->count, some->targets);
    if (needs_sources || run->sources->bounds == STREW_BOUNDS_SKIP)
        from = strew_list_resolve(run->sources, some->first, some->count, some->sources);
    some->has_gaps = to == STREW_SOME_ROWS || from == STREW_SOME_ROWS;
    return to != STREW_BAD_INDEX && from != STREW_BAD_INDEX;
}

/* ---- Parts --------------------------------------------------------------------------------------- */

/* Writing a row takes as long as so many entries. */
enum { ROW_COUNTS_AS_ENTRIES = 2 };

static int64_t first_entry_of(const strew_integers *offsets, const strew_bags *bags, int64_t row)
{
    if (bags->segments == STREW_UNIFORM)
        return row * bags->uniform;
    return row < bags->rows ? strew_list_item(offsets, row) : bags->entries;
}

static double work_before(const strew_integers *offsets, const strew_bags *bags, int64_t row)
{
    return (double)first_entry_of(offsets, bags, row) + (double)ROW_COUNTS_AS_ENTRIES * (double)row;
}

/* Returns the row before which there is most nearly this much work. */
static int64_t row_near(const strew_integers *offsets, const strew_bags *bags, double work)
{
    int64_t low = 0, high = bags->rows;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (work_before(offsets, bags, middle) < work)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_nearer_before =
        low > 0 && work - work_before(offsets, bags, low - 1) < work_before(offsets, bags, low) - work;
    return is_nearer_before ? low - 1 : low;
}

/* Returns the place where a run of this number begins or ends. */
static int64_t bound_of_run(const strew_integers *list, strew_range places, int64_t number, bool begins)
{
    int64_t low = places.begin, high = places.end;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if ((strew_list_number(list, middle) == number) == begins)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Returns the nearest entry at which a row begins, or where all entries begin or end. */
static int64_t boundary_near(const strew_integers *list, int64_t entry, strew_range all)
{
    if (entry == all.begin || entry == all.end)
        return entry;
    const int64_t number = strew_list_number(list, entry);
    const int64_t end = bound_of_run(list, (strew_range){entry, all.end}, number, false);
    const int64_t begin = bound_of_run(list, (strew_range){all.begin, entry}, number, true);
    return entry - begin < end - entry ? begin : end;
}

/* The entry and the row at which a part begins. */
typedef struct part_begin {
    int64_t entry, row;
} part_begin;

static part_begin begin_by_offsets(const strew_bags_run_state *run, size_t index, size_t count)
{
    const strew_bags *bags = run->bags;
    if (index == 0)
        return (part_begin){bags->rows > 0 ? first_entry_of(run->rows, bags, 0) : 0, 0};
    const double all = (double)bags->entries + (double)ROW_COUNTS_AS_ENTRIES * (double)bags->rows;
    const int64_t row =
        index == count ? bags->rows : row_near(run->rows, bags, all * ((double)index / (double)count));
    return (part_begin){first_entry_of(run->rows, bags, row), row};
}

static part_begin begin_by_numbers(const strew_bags_run_state *run, size_t index, size_t count)
{
    const strew_range all = run->numbered;
    if (index == 0)
        return (part_begin){all.begin, 0};
    const int64_t near = all.begin + strew_range_of(all.end - all.begin, index, count).begin;
    const int64_t entry = boundary_near(run->rows, near, all);
    return (part_begin){entry, entry < all.end ? strew_list_number(run->rows, entry) : run->bags->rows};
}

strew_part strew_bags_part(const strew_bags_run_state *run, size_t index, size_t count)
{
    part_begin (*const begins)(const strew_bags_run_state *, size_t, size_t) =
        strew_bags_have_numbers(run->bags) ? begin_by_numbers : begin_by_offsets;
    const part_begin first = begins(run, index, count), next = begins(run, index + 1, count);
    return (strew_part){{first.entry, next.entry}, {first.row, next.row}};
}
