#include <stdatomic.h>
#include <string.h>

#include "base/integer.h"
#include "base/thresholds.h"
#include "dispatch/tuning.h"
#include "engine/bags/group.h"
#include "engine/share/cut.h"

/* ---- Whether entries in any order are sorted ------------------------------------------------------ */

/* Returns whether an element has no bit set. */
static bool is_zero(const void *element, strew_dtype dtype)
{
    static const char zero[16]; /* of any dtype */
    return element && memcmp(element, zero, strew_dtype_size(dtype)) == 0;
}

/* Returns whether sums are added to zeros as their entries come, instead of sorted. */
static bool are_added_to_zeros(const strew_bags *bags, const strew_walk *walk, size_t threads)
{
    const double target = (double)walk->row_bytes.dense * (double)bags->rows;
    return bags->reduction == STREW_REDUCTION_SUM && !strew_is_half(walk->dtypes.dense) && threads <= 1 &&
           is_zero(bags->start, walk->dtypes.dense) && is_zero(bags->empty, walk->dtypes.dense) &&
           bags->default_row < 0 && walk->dims == 0 && walk->row_bytes.dense <= STREW_MOST_ADDED_ROW &&
           target < STREW_FAR_TENSOR;
}

/* Returns whether entries are sorted. With `empty` they are, unless sums are added to zeros. Without it rows keep
 * what they hold, and entries are sorted if it pays. On one thread it does not for sums, differences and products
 * of halves: they are rounded at each step, in bags too. */
static bool wants_sorting(const strew_bags *bags, const strew_walk *walk, size_t threads)
{
    const double bytes = (double)walk->row_bytes.addressed, rows = (double)bags->rows,
                 all = bytes * (double)bags->entries;
    if (bags->empty)
        return !are_added_to_zeros(bags, walk, threads);
    const double target = (double)walk->row_bytes.dense * rows;
    const bool is_exact = bags->reduction == STREW_REDUCTION_MIN || bags->reduction == STREW_REDUCTION_MAX;
    if (strew_is_half(walk->dtypes.dense) && !is_exact && threads <= 1)
        return false;
    return (bytes >= STREW_LEAST_SORTED_ROW && (double)bags->entries >= STREW_LEAST_SORTED_INTO_ROW * rows) ||
           (bytes >= STREW_CACHE_LINE && target >= STREW_FAR_TENSOR && all >= target);
}

size_t strew_bags_scratch_bytes(const strew_bags *bags, const strew_walk *walk, size_t threads)
{
    return bags->segments == STREW_ANY && wants_sorting(bags, walk, threads)
               ? strew_bags_sort_bytes(bags, walk, threads)
               : 0;
}

/* ---- What one thread does ------------------------------------------------------------------------ */

/* Returns whether rows are prefetched. Short ones are if the caches do not hold both tensors, of `all` bytes. */
static bool are_far(strew_dtype dtype, int64_t row_bytes, int64_t rows, double all)
{
    const int64_t combined = strew_is_half(dtype) ? 2 * row_bytes : row_bytes;
    const bool are_short = combined <= STREW_LONGEST_SHORT_ROW;
    return (double)row_bytes * (double)rows >= STREW_SECOND_LEVEL_BYTES &&
           (!are_short || all > strew_tuning_active()->far_short_rows);
}

/* Returns the number that is added to negative indices before they are checked again; 0 if none wraps. */
static int64_t wrap_size_of(const strew_integers *list)
{
    return list->coordinates.wrap && !strew_is_unsigned(list->list.dtype) ? list->coordinates.each[0].size : 0;
}

static strew_bag_entries entries_of(const strew_bags_run_state *run, const char *source, strew_row_bytes bytes)
{
    const strew_bags *bags = run->bags;
    const strew_integers *sources = run->sources;
    const int64_t rows = sources->coordinates.each[0].size, step = run->walk->coordinates.each[0].stride;
    const strew_dtype dtype = run->walk->dtypes.dense;
    const bool is_named = bags->indices.dtype != STREW_DTYPE_NONE, is_half = strew_is_half(dtype);
    const bool goes_on = sources->bounds == STREW_BOUNDS_CLAMP || sources->bounds == STREW_BOUNDS_WRAP;
    const bool are_numbered = strew_bags_have_numbers(bags);
    const bool starts_are_empty = is_zero(bags->start, dtype) && is_zero(bags->empty, dtype);
    const double all = (double)bytes.addressed * (double)rows + (double)bytes.dense * (double)bags->rows;
    return (strew_bag_entries){
        .source = source,
        .source_step = step,
        .rows = rows,
        .wrap_size = wrap_size_of(sources),
        .source_bytes = (size_t)bytes.addressed,
        .target_bytes = (size_t)bytes.dense,
        .entries = bags->entries,
        .indices = is_named ? sources->items : NULL,
        .index_dtype = sources->list.dtype,
        .index_step = sources->list.step,
        .index_line_step = sources->list.line_step,
        .weights = bags->weights.dtype != STREW_DTYPE_NONE ? run->pointers->weights : NULL,
        .weight_step = bags->weights.step,
        .weight_line_step = bags->weights.line_step,
        .line = bags->line,
        .order = run->pointers->order,
        .weight_count = bags->weight_count,
        .is_far = (is_named && are_far(dtype, bytes.addressed, rows, all)) ||
                  (bags->segments == STREW_ANY && are_far(dtype, bytes.dense, bags->rows, all)),
        .leaves_out = sources->bounds == STREW_BOUNDS_SKIP,
        .amend = goes_on ? strew_list_number : NULL,
        .list = sources,
        .start = bags->start    ? bags->start
                 : are_numbered ? NULL
                                : bags->identity,
        .empty = starts_are_empty ? NULL : bags->empty,
        .starts_are_empty = starts_are_empty,
        .default_row = bags->default_row >= 0 ? source + bags->default_row * step : NULL,
        .rounds = is_half && !bags->start,
        .is_mean = is_half && bags->reduction == STREW_REDUCTION_MEAN,
        .target_step = bags->row_step,
        .target_rows = bags->rows,
        .target_wrap_size = are_numbered ? wrap_size_of(run->rows) : 0,
        .drops = are_numbered && run->rows->bounds == STREW_BOUNDS_SKIP,
    };
}

/* Divides each sum by its number of entries. */
static void divide_bags(const strew_bags_run_state *run, char *target, const strew_bag_window *bags,
                        int64_t row_bytes)
{
    int64_t counters[STREW_WINDOW_BAGS], counter_offsets[STREW_WINDOW_BAGS];
    for (size_t b = 0; b < bags->count; b++) {
        const int64_t left_out = run->sources->bounds == STREW_BOUNDS_SKIP ? bags->left_out[b] : 0;
        counters[b] = bags->begins[b + 1] - bags->begins[b] - left_out;
        counter_offsets[b] = (int64_t)(b * sizeof *counters);
    }
    run->walk->kernels->divide[STREW_ELEMENT_SLOT(run->walk->dtypes.dense)](
        target, bags->targets, bags->count, (size_t)row_bytes, (char *)counters, counter_offsets, 0);
}

/* Fills rows that are named by number with the identity, before anything is combined with them. */
STREW_NOINLINE static bool start_rows(const strew_bags_run_state *run, const strew_part *part, char *target,
                                      int64_t row_bytes)
{
    strew_mover fill;
    strew_walk walk = *run->walk;
    strew_entry_rows some = {.sources = {0}};
    walk.row_bytes = (strew_row_bytes){row_bytes, row_bytes};
    strew_mover_fill(&fill, &walk, run->bags->identity, 0);
    for (some.first = part->entries.begin; some.first < part->entries.end; some.first += some.count) {
        size_t count = 0;
        some.count = strew_lesser(part->entries.end - some.first, STREW_TILE_POSITIONS);
        if (!strew_find_rows(run, false, &some))
            return false;
        for (int64_t i = 0, row = STREW_NO_ROW; i < some.count; i++) {
            if (strew_is_left_out(&some, i) || some.targets[i] == row)
                continue;
            row = some.targets[i];
            some.targets[count++] = row * run->bags->row_step; /* overwrites a number that has been looked at */
        }
        if (count > 0)
            strew_mover_move(&fill, target, some.targets, count, NULL, 0, row_bytes);
    }
    return true;
}

/* Columns of all rows. They begin at the same byte in both tensors: only rows of one size are cut. */
typedef struct column_range {
    int64_t begin;
    strew_row_bytes bytes;
} column_range;

/* Combines columns of all rows of a part. Returns false if an index is wrong. */
static bool run_columns(const strew_bags_run_state *run, const strew_part *part, const strew_pointers *lane,
                        const column_range *columns)
{
    const strew_bags *bags = run->bags;
    const bool is_mean = bags->reduction == STREW_REDUCTION_MEAN;
    const int64_t row_bytes = columns->bytes.dense;
    char *const target = lane->dense + columns->begin;
    const strew_bag_entries entries = entries_of(run, lane->addressed + columns->begin, columns->bytes);
    strew_bag_kernel *const kernel =
        run->walk->kernels
            ->bag[STREW_COMBINATION_SLOT(bags->reduction)][STREW_ELEMENT_SLOT(run->walk->dtypes.addressed)];
    strew_window window;
    strew_window_begin(&window, run, part);
    if (bags->identity && strew_bags_have_numbers(bags) && !start_rows(run, part, target, row_bytes))
        return false;
    while (strew_window_next(&window)) {
        if (window.bags.count == 0)
            return true;
        if (!kernel(target + window.target, &window.bags, &entries))
            return false;
        if (is_mean && !entries.is_mean)
            divide_bags(run, target + window.target, &window.bags, row_bytes);
    }
    return false;
}

/* Returns where lane `index` of rows that are not contiguous begins. */
static strew_pointers lane_at(const strew_bags_run_state *run, int64_t index)
{
    strew_pointers lane = {
        .indices = run->pointers->source, .addressed = run->pointers->source, .dense = run->pointers->target};
    for (int32_t d = run->walk->dims; d-- > 0; index /= run->walk->dim[d].size)
        lane = strew_pointers_along(&lane, &run->walk->dim[d], index % run->walk->dim[d].size);
    return lane;
}

static bool combine_part(const strew_bags_run_state *run, const strew_part *part, const column_range *columns)
{
    const int64_t lanes = columns->bytes.dense > 0 ? strew_walk_positions(run->walk) : 0;
    for (int64_t index = 0; index < lanes; index++) {
        const strew_pointers lane = lane_at(run, index);
        if (!run_columns(run, part, &lane, columns))
            return false;
    }
    return true;
}

/* ---- Sharing ------------------------------------------------------------------------------------- */

typedef struct shared_run {
    const strew_bags_run_state *run;
    bool by_columns; /* each thread does some columns of all rows; otherwise all of some rows */
    size_t tasks;
} shared_run;

static bool run_task(void *context, size_t index)
{
    const shared_run *const shared = context;
    const int64_t row_bytes = shared->run->walk->row_bytes.dense;
    column_range columns = {0, shared->run->walk->row_bytes};
    if (shared->by_columns) {
        const strew_range range = strew_range_of(row_bytes / STREW_ROW_GRAIN, index, shared->tasks);
        const int64_t end = index + 1 == shared->tasks ? row_bytes : range.end * STREW_ROW_GRAIN;
        columns.begin = range.begin * STREW_ROW_GRAIN;
        columns.bytes.addressed = columns.bytes.dense = end - columns.begin;
    }
    const strew_part part = shared->by_columns ? strew_bags_part(shared->run, 0, 1)
                                               : strew_bags_part(shared->run, index, shared->tasks);
    return combine_part(shared->run, &part, &columns);
}

/* Returns whether threads that share columns would wait for each other's cache lines. */
static bool contend_for_lines(const strew_bags_run_state *run)
{
    return run->bags->segments == STREW_ANY && run->bags->rows < STREW_LEAST_SHARED_TARGETS &&
           run->walk->row_bytes.dense < STREW_LEAST_ROW_SHARE;
}

/* Rows that nothing goes into cost nothing where they keep what they hold. */
static double bytes_of_bags(const strew_bags_run_state *run)
{
    const strew_bags *bags = run->bags;
    const double items = (double)bags->entries + (bags->empty ? (double)bags->rows : 0);
    return items * (double)(run->walk->row_bytes.addressed + STREW_ROW_COUNTS_AS);
}

static bool are_worth_sharing(const strew_bags_run_state *run)
{
    const int32_t times = run->bags->segments == STREW_ANY ? STREW_LEAST_SHARED_COLUMNS : 1;
    return bytes_of_bags(run) >= (double)STREW_LEAST_PARALLEL_BYTES * times;
}

/* Shares a run among threads: each has rows of its own, or columns of all rows. */
static bool share(const strew_bags_run_state *run, const strew_bags_resources *resources)
{
    const strew_bags *bags = run->bags;
    const int64_t pieces = strew_row_pieces(run->walk), threads = (int64_t)resources->threads;
    shared_run shared = {.run = run, .tasks = 1};
    if (threads > 1 && are_worth_sharing(run) && !contend_for_lines(run)) {
        shared.by_columns =
            bags->segments == STREW_ANY || (bags->rows / threads < STREW_LEAST_SHARED_ROWS && pieces >= threads);
        const size_t shards = strew_shards_for(bytes_of_bags(run), resources->threads, strew_cores_differ());
        const int64_t most = shared.by_columns ? strew_lesser(pieces, threads) : bags->rows;
        shared.tasks = (size_t)(most < 1 ? 1 : strew_lesser(most, (int64_t)shards));
    }
    return strew_parallel_run(resources->parallel, run_task, &shared, shared.tasks);
}

/* ---- Looking at lists ---------------------------------------------------------------------------- */

/* A list that several tasks read, each a part of it. */
typedef struct shared_list {
    const strew_integers *list;
    int64_t count; /* of its items */
    size_t tasks;
    bool asks_order; /* of the items; otherwise it asks only whether one is wrong */
    atomic_bool found[STREW_ORDERS];
} shared_list;

/* Decides how many tasks read a list. One does if items may be left out, which parts cannot see, or if the list has
 * several lines. */
static size_t tasks_for_list(const strew_integers *list, int64_t count, const strew_bags_resources *resources)
{
    const double bytes = (double)count * (double)strew_dtype_size(list->list.dtype);
    const bool is_shared = list->list.dtype != STREW_DTYPE_NONE && strew_list_refuses(list) &&
                           list->line == list->count && count > 1 && bytes >= STREW_LEAST_PARALLEL_BYTES;
    const size_t most = (uint64_t)count < resources->threads ? (size_t)count : resources->threads;
    return is_shared ? most : 1;
}

static strew_order look_at(const strew_integers *list, int64_t count, bool asks_order)
{
    if (asks_order)
        return strew_list_order(list);
    return strew_list_check(list, count) ? STREW_ORDER_PLAIN : STREW_ORDER_WRONG;
}

/* Looks at a part. Its order includes the item before it. */
static bool order_part(void *context, size_t index)
{
    shared_list *const shared = context;
    strew_integers part = *shared->list;
    strew_range range = strew_range_of(shared->count, index, shared->tasks);
    range.begin -= shared->asks_order && range.begin > 0;
    part.items += range.begin * part.list.step;
    part.count = part.line = range.end - range.begin;
    const strew_order order = look_at(&part, part.count, shared->asks_order);
    atomic_store_explicit(&shared->found[order], true, memory_order_relaxed);
    return true;
}

/* Looks at the first items of a list. If it decreases before an item is wrong, either may be found. */
static strew_order look_at_list(const strew_integers *list, int64_t count, bool asks_order,
                                const strew_bags_resources *resources)
{
    shared_list shared = {list, count, tasks_for_list(list, count, resources), asks_order, {false}};
    strew_order worst = STREW_ORDER_WRONG;
    if (shared.tasks <= 1)
        return look_at(list, count, asks_order);
    strew_parallel_run(resources->parallel, order_part, &shared, shared.tasks);
    while (!atomic_load_explicit(&shared.found[worst], memory_order_relaxed))
        worst++;
    return worst;
}

static bool check_list(const strew_integers *list, int64_t count, const strew_bags_resources *resources)
{
    return look_at_list(list, count, false, resources) != STREW_ORDER_WRONG;
}

static strew_order order_of_list(const strew_integers *list, const strew_bags_resources *resources)
{
    return look_at_list(list, list->count, true, resources);
}

/* ---- Running ------------------------------------------------------------------------------------- */

/* Runs sorted segments. Those left out come first or last. */
static bool run_sorted(const strew_bags_run_state *run, bool is_plain, const strew_bags_resources *resources)
{
    strew_bags bags = *run->bags;
    strew_integers rows = *run->rows;
    strew_range numbered = run->numbered;
    bags.segments = STREW_SORTED;
    rows.is_plain = is_plain;
    while (numbered.begin < numbered.end && strew_list_number(&rows, numbered.begin) == STREW_NO_ROW)
        numbered.begin++;
    while (numbered.begin < numbered.end && strew_list_number(&rows, numbered.end - 1) == STREW_NO_ROW)
        numbered.end--;
    return share(&(strew_bags_run_state){&bags, run->walk, run->pointers, run->sources, &rows, numbered},
                 resources);
}

/* Runs segments that are sorted in scratch. All numbers are checked before any row is written. */
static bool run_grouped(const strew_bags_run_state *run, const strew_bags_resources *resources)
{
    strew_bags bags;
    strew_bags_pointers pointers;
    strew_integers sources, offsets;
    if (!strew_group(run, resources, &bags, &pointers))
        return false;
    strew_list_sources(&sources, &bags, run->walk, &pointers);
    strew_list_offsets(&offsets, &bags, run->walk, &pointers);
    sources.coordinates.wrap = false;
    return share(&(strew_bags_run_state){&bags, run->walk, &pointers, &sources, &offsets, run->numbered},
                 resources);
}

/* Clears all rows: contiguous ones at once, because a call for each short row takes longer than adding to it. */
static void clear_rows(const strew_bags_run_state *run)
{
    char *const target = run->pointers->target;
    const int64_t rows = run->bags->rows, step = run->bags->row_step, row_bytes = run->walk->row_bytes.dense;
    if (step == row_bytes)
        memset(target, 0, (size_t)(rows * row_bytes));
    for (int64_t row = 0; row < rows && step != row_bytes; row++)
        memset(target + row * step, 0, (size_t)row_bytes);
}

/* Runs segments as they come, into rows that hold something. */
static bool run_as_they_come(const strew_bags_run_state *run, const strew_bags_resources *resources)
{
    strew_bags bags = *run->bags;
    strew_bags_run_state adding = *run;
    if (bags.empty && run->walk->row_bytes.dense > 0)
        clear_rows(run);
    bags.start = bags.empty = NULL;
    adding.bags = &bags;
    return share(&adding, resources);
}

/* Runs segments that are numbers: in their order if they are sorted, sorted in scratch if there is enough, or as
 * they come. Returns false if there is too little for rows that must be sorted. */
static bool run_numbers(const strew_bags_run_state *run, bool check_first, const strew_bags_resources *resources)
{
    const strew_bags *bags = run->bags;
    const int64_t checked = check_first ? bags->entries : 0;
    const strew_order order = order_of_list(run->rows, resources);
    if (order == STREW_ORDER_WRONG || (order == STREW_ORDER_NONE && bags->segments == STREW_SORTED))
        return false;
    if (order >= STREW_ORDER_SORTED)
        return check_list(run->sources, checked, resources) &&
               run_sorted(run, order == STREW_ORDER_PLAIN, resources);
    const bool sorts = wants_sorting(bags, run->walk, resources->threads);
    if (sorts && resources->scratch &&
        strew_bags_sort_bytes(bags, run->walk, resources->threads) <= resources->scratch_bytes)
        return run_grouped(run, resources);
    return check_list(run->sources, checked, resources) && check_list(run->rows, checked, resources) &&
           !(sorts && bags->empty) && run_as_they_come(run, resources);
}

/* Returns whether the numbers beyond the last row come last and do not decrease, and the first and the last of all
 * others may be the ends of a sorted list. */
static bool drops_what_is_beyond(const strew_integers *numbers, int64_t rows)
{
    int64_t count = numbers->count, last = 0, next = INT64_MAX;
    for (; count > 0 && (last = strew_list_item(numbers, count - 1)) >= rows; count--, next = last)
        if (last > next)
            return false;
    const int64_t first = count > 0 ? strew_list_item(numbers, 0) : 0;
    return count == 0 || (first >= 0 && first <= last);
}

/* Returns the number of entries before the first bag, which the run does not visit. */
static int64_t unused_entries(const strew_bags_run_state *run)
{
    if (run->bags->segments != STREW_OFFSETS)
        return 0;
    return run->bags->rows > 0 ? strew_list_item(run->rows, 0) : run->bags->entries;
}

/* The lists of a run, and the run with them. */
typedef struct listed_run {
    strew_integers sources, rows;
    strew_bags_run_state run;
} listed_run;

static void begin_lists(listed_run *listed, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers)
{
    listed->run = (strew_bags_run_state){bags,
                                         walk,
                                         pointers,
                                         &listed->sources,
                                         bags->segments == STREW_UNIFORM ? NULL : &listed->rows,
                                         {0, bags->entries}};
    strew_list_sources(&listed->sources, bags, walk, pointers);
    if (strew_bags_have_numbers(bags))
        strew_list_segments(&listed->rows, bags, walk, pointers);
    else if (bags->segments == STREW_OFFSETS)
        strew_list_offsets(&listed->rows, bags, walk, pointers);
}

/* Checks what every policy requires: offsets do not decrease, and dropped segments come last. */
static bool look_at_lists(listed_run *listed, const strew_bags_resources *resources)
{
    const strew_bags *bags = listed->run.bags;
    if (bags->segments == STREW_OFFSETS) {
        const strew_order order = order_of_list(&listed->rows, resources);
        listed->rows.is_plain = order == STREW_ORDER_PLAIN;
        return order >= STREW_ORDER_SORTED;
    }
    return !bags->drops_beyond || drops_what_is_beyond(&listed->rows, bags->rows);
}

bool strew_bags_run(const strew_bags *bags, const strew_walk *walk, const strew_bags_pointers *pointers,
                    bool check_first, const strew_bags_resources *resources)
{
    listed_run listed;
    begin_lists(&listed, bags, walk, pointers);
    if (!look_at_lists(&listed, resources))
        return false;
    const bool checks_all = check_first || walk->row_bytes.dense == 0;
    if (strew_bags_have_numbers(bags))
        return run_numbers(&listed.run, checks_all, resources);
    return check_list(&listed.sources, checks_all ? bags->entries : unused_entries(&listed.run), resources) &&
           share(&listed.run, resources);
}

bool strew_bags_sort(const strew_bags *bags, const strew_walk *walk, const strew_bags_pointers *pointers,
                     const strew_bags_resources *resources, strew_bags *sorted,
                     strew_bags_pointers *sorted_pointers)
{
    listed_run listed;
    begin_lists(&listed, bags, walk, pointers);
    return look_at_lists(&listed, resources) &&
           (bags->segments != STREW_SORTED || order_of_list(&listed.rows, resources) >= STREW_ORDER_SORTED) &&
           strew_group(&listed.run, resources, sorted, sorted_pointers);
}
