#include "engine/bags/lists.h"

#include <string.h>

#include "base/integer.h"

static void begin_list(strew_integers *integers, const strew_walk *walk, strew_list list, const char *items,
                       int64_t count)
{
    integers->items = items;
    integers->list = list;
    integers->count = integers->line = count;
    integers->is_plain = false;
    integers->kernels = walk->kernels;
    integers->bounds = STREW_BOUNDS_REFUSE;
    integers->coordinates.count = 1;
    integers->coordinates.wrap = false;
    integers->coordinates.step = 0;
}

/* Of so many rows. */
static void set_rows(strew_integers *integers, int64_t rows, int64_t step, bool wrap, strew_bounds bounds)
{
    integers->coordinates.each[0] = (strew_coordinate){rows, step};
    integers->coordinates.wrap = wrap;
    integers->bounds = strew_walk_bounds(rows, bounds);
    if (strew_list_refuses(integers))
        integers->list.dtype = strew_coordinates_read_as(&integers->coordinates, integers->list.dtype);
}

void strew_list_sources(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers)
{
    const strew_coordinate rows = walk->coordinates.each[0];
    begin_list(integers, walk, bags->indices, pointers->indices, bags->entries);
    integers->line = bags->line;
    set_rows(integers, rows.size, rows.stride, walk->coordinates.wrap, bags->bounds);
}

void strew_list_segments(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                         const strew_bags_pointers *pointers)
{
    begin_list(integers, walk, bags->segment_ids, pointers->segment_ids, bags->entries);
    set_rows(integers, bags->rows, 1, bags->wrap, bags->drops_beyond ? STREW_BOUNDS_SKIP : bags->bounds);
}

void strew_list_offsets(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers)
{
    begin_list(integers, walk, bags->segment_ids, pointers->segment_ids, bags->rows);
    set_rows(integers, bags->entries + 1, 1, false, STREW_BOUNDS_REFUSE);
}

static const char *place_of(const strew_integers *integers, int64_t place)
{
    const strew_list *list = &integers->list;
    return integers->items + place / integers->line * list->line_step + place % integers->line * list->step;
}

int64_t strew_list_item(const strew_integers *integers, int64_t place)
{
    return strew_read_integer(place_of(integers, place), integers->list.dtype);
}

strew_resolved strew_list_resolve(const strew_integers *integers, int64_t first, int64_t count, int64_t *resolved)
{
    static const strew_tile_offsets no_bases;
    const strew_coordinates *coordinates = &integers->coordinates;
    const strew_dtype dtype = integers->list.dtype;
    if (count == 0)
        return STREW_ROWS_ALL;
    if (dtype == STREW_DTYPE_NONE) {
        for (int64_t i = 0; i < count; i++)
            resolved[i] = (first + i) * coordinates->each[0].stride;
        return STREW_ROWS_ALL;
    }
    const size_t slot = STREW_INDEX_SLOT(dtype);
    const char *const items = place_of(integers, first);
    if (integers->kernels->resolve[slot](items, integers->list.step, (size_t)count, coordinates, no_bases,
                                         resolved))
        return STREW_ROWS_ALL;
    if (strew_list_refuses(integers))
        return STREW_WRONG;
    integers->kernels->amend[slot](items, integers->list.step, (size_t)count, coordinates, no_bases, resolved,
                                   integers->bounds);
    return integers->bounds == STREW_BOUNDS_SKIP ? STREW_ROWS_GAPS : STREW_ROWS_ALL;
}

bool strew_list_check(const strew_integers *integers, int64_t count)
{
    if (integers->list.dtype == STREW_DTYPE_NONE || !strew_list_refuses(integers))
        return true;
    strew_check_kernel *const check = integers->kernels->check[STREW_INDEX_SLOT(integers->list.dtype)];
    bool right = true;
    for (int64_t first = 0; first < count && right; first += integers->line)
        right = check(place_of(integers, first), integers->list.step,
                      (size_t)strew_lesser(count - first, integers->line), &integers->coordinates);
    return right;
}

/* What has been seen of the order so far. */
typedef struct order_seen {
    int64_t last;       /* row */
    bool has_row, left; /* left: entries after the last row have been left out */
} order_seen;

/* As it mostly is, which asks nothing of each. What follows or precedes none differs from it by its sign. */
static bool is_plainly_sorted(order_seen *seen, const int64_t *numbers, int64_t count)
{
    uint64_t signs = (uint64_t)numbers[count - 1] | ((uint64_t)numbers[0] - (uint64_t)seen->last);
    for (int64_t i = 1; i < count; i++)
        signs |= (uint64_t)numbers[i] - (uint64_t)numbers[i - 1];
    if (seen->left || (int64_t)signs < 0)
        return false;
    *seen = (order_seen){numbers[count - 1], true, false};
    return true;
}

static bool stays_sorted(order_seen *seen, const int64_t *numbers, int64_t count)
{
    bool sorted = true;
    for (int64_t i = 0; i < count && sorted; i++) {
        if (numbers[i] == STREW_NO_ROW) {
            seen->left = seen->has_row;
            continue;
        }
        sorted = !seen->left && numbers[i] >= seen->last;
        seen->last = numbers[i];
        seen->has_row = true;
    }
    return sorted;
}

/* Whether no item is negative or less than the one before: as unsigned numbers, which compilers make vectors of. */
#define ARE_PLAIN(name, T)                                                         \
    static bool name(const T *items, int64_t count)                                \
    {                                                                              \
        enum { AT_ONCE = 512 };                                                    \
        const T sign = (T)1 << (8 * sizeof(T) - 1);                                \
        T signs = items[0];                                                        \
        for (int64_t first = 1; first < count && signs < sign; first += AT_ONCE)   \
            for (int64_t i = first; i < strew_lesser(count, first + AT_ONCE); i++) \
                signs |= items[i] | (items[i] - items[i - 1]);                     \
        return signs < sign;                                                       \
    }
ARE_PLAIN(are_plain_32, uint32_t)
ARE_PLAIN(are_plain_64, uint64_t)
#undef ARE_PLAIN

int64_t strew_list_usual_run(const strew_integers *integers)
{
    const int64_t count = integers->count;
    if (count == 0)
        return 0;
    const uint64_t first = (uint64_t)strew_list_item(integers, 0);
    const uint64_t further = (uint64_t)strew_list_item(integers, count - 1) - first;
    return further < (uint64_t)count ? count / (int64_t)(further + 1) : 0;
}

int64_t strew_list_count_up_to(const strew_integers *integers, int64_t number, int64_t begin, int64_t end,
                               int64_t usual)
{
    while (usual < end - begin && strew_list_item(integers, begin + usual - 1) <= number)
        begin += usual;
    end = strew_lesser(end, begin + usual);
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (strew_list_item(integers, middle) <= number)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* The same of long runs: from where each would end the next number is greater, if none of its items differs. */
static bool are_plain_runs(const strew_integers *integers, int64_t usual)
{
    const char *const items = integers->items;
    const int64_t count = integers->count, size = integers->list.step;
    for (int64_t i = 0, end; i < count; i = end) {
        end = strew_list_count_up_to(integers, strew_list_item(integers, i), i + 1, count, usual);
        if (memcmp(items + i * size, items + (i + 1) * size, (size_t)((end - i - 1) * size)) != 0)
            return false;
    }
    return strew_list_item(integers, 0) >= 0;
}

/* As most lists are, which are not resolved then. */
static bool is_plain_order(const strew_integers *integers)
{
    const strew_list list = integers->list;
    const bool is_narrow = list.dtype == STREW_DTYPE_INT32, is_wide = list.dtype == STREW_DTYPE_INT64;
    const int64_t size = (int64_t)strew_dtype_size(list.dtype), count = integers->count;
    const void *const items = integers->items;
    if (!(is_narrow || is_wide) || count == 0 || integers->line < count || list.step != size ||
        (uintptr_t)items % (uintptr_t)size != 0 ||
        strew_list_item(integers, count - 1) >= integers->coordinates.each[0].size)
        return false;
    const int64_t usual = strew_list_usual_run(integers);
    if (usual >= STREW_LEAST_SEARCHED)
        return are_plain_runs(integers, usual);
    return is_narrow ? are_plain_32(items, count) : are_plain_64(items, count);
}

const int64_t *strew_list_numbers(const strew_integers *integers, int64_t first)
{
    const void *const items = place_of(integers, first);
    return integers->is_plain && integers->list.dtype == STREW_DTYPE_INT64 ? items : NULL;
}

/* Items of a line that follow each other, from one on; NULL: they have to be resolved. */
static const int64_t *items_as_they_are(const strew_integers *integers, int64_t first)
{
    const strew_list list = integers->list;
    const void *const items = place_of(integers, first);
    const bool are_plain =
        list.dtype == STREW_DTYPE_INT64 && list.step == sizeof(int64_t) && (uintptr_t)items % sizeof(int64_t) == 0;
    return are_plain && strew_list_refuses(integers) ? items : NULL;
}

bool strew_list_name_entries(const strew_integers *sources, const strew_integers *targets, int64_t most,
                             strew_named_entries *entries, strew_named_entries_room *room)
{
    const int64_t first = entries->first;
    entries->sources = sources ? items_as_they_are(sources, first) : NULL;
    entries->targets = items_as_they_are(targets, first);
    entries->count = most;
    entries->has_gaps = false;
    if (entries->targets && (entries->sources || !sources))
        return true;
    entries->count = strew_lesser(most, STREW_TILE_POSITIONS);
    entries->sources = room->sources;
    entries->targets = room->targets;
    const strew_resolved from =
        sources ? strew_list_resolve(sources, first, entries->count, room->sources) : STREW_ROWS_ALL;
    const strew_resolved to = strew_list_resolve(targets, first, entries->count, room->targets);
    if (from == STREW_ROWS_GAPS)
        strew_list_leave_out(room->targets, room->sources, entries->count);
    if (to == STREW_ROWS_GAPS && sources)
        strew_list_leave_out(room->sources, room->targets, entries->count);
    entries->has_gaps = from == STREW_ROWS_GAPS || to == STREW_ROWS_GAPS;
    return from != STREW_WRONG && to != STREW_WRONG;
}

strew_order strew_list_order(const strew_integers *integers)
{
    if (is_plain_order(integers))
        return STREW_ORDER_PLAIN;
    strew_tile_offsets numbers;
    order_seen seen = {0, false, false};
    for (int64_t first = 0; first < integers->count; first += STREW_TILE_POSITIONS) {
        const int64_t count = strew_lesser(integers->count - first, STREW_TILE_POSITIONS);
        if (strew_list_resolve(integers, first, count, numbers) == STREW_WRONG)
            return STREW_ORDER_WRONG;
        if (!is_plainly_sorted(&seen, numbers, count) && !stays_sorted(&seen, numbers, count))
            return STREW_ORDER_NONE;
    }
    return STREW_ORDER_SORTED;
}
