#include "engine/bags/lists.h"

#include <assert.h>

#include "base/integer.h"

static void begin_list(strew_integers *integers, const strew_walk *walk, strew_list list, const char *items,
                       int64_t count)
{
    integers->items = items;
    integers->list = list;
    integers->count = integers->line = count;
    integers->is_plain = false;
    integers->kernels = walk->kernels;
    integers->coordinates.count = 1;
    integers->coordinates.step = 0;
}

/* Sets what the items name. */
static void set_rows(strew_integers *integers, int64_t rows, bool wrap, strew_bounds bounds)
{
    integers->coordinates.each[0] = (strew_coordinate){rows, 1};
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
    set_rows(integers, rows.size, walk->coordinates.wrap, bags->bounds);
}

void strew_list_segments(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                         const strew_bags_pointers *pointers)
{
    begin_list(integers, walk, bags->segment_ids, pointers->segment_ids, bags->entries);
    set_rows(integers, bags->rows, bags->wrap, bags->drops_beyond ? STREW_BOUNDS_SKIP : bags->bounds);
}

void strew_list_offsets(strew_integers *integers, const strew_bags *bags, const strew_walk *walk,
                        const strew_bags_pointers *pointers)
{
    begin_list(integers, walk, bags->segment_ids, pointers->segment_ids, bags->rows);
    set_rows(integers, bags->entries + 1, false, STREW_BOUNDS_REFUSE);
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
    const strew_coordinates *coordinates = &integers->coordinates;
    const strew_dtype dtype = integers->list.dtype;
    assert(count <= STREW_TILE_POSITIONS);
    if (count == 0)
        return STREW_ALL_ROWS;
    if (dtype == STREW_DTYPE_NONE) {
        for (int64_t i = 0; i < count; i++)
            resolved[i] = first + i;
        return STREW_ALL_ROWS;
    }
    const size_t slot = STREW_INDEX_SLOT(dtype);
    const char *const items = place_of(integers, first);
    if (integers->kernels->resolve[slot](items, integers->list.step, (size_t)count, coordinates, strew_no_offsets,
                                         resolved))
        return STREW_ALL_ROWS;
    if (strew_list_refuses(integers))
        return STREW_BAD_INDEX;
    integers->kernels->amend[slot](items, integers->list.step, (size_t)count, coordinates, strew_no_offsets,
                                   resolved, integers->bounds);
    return integers->bounds == STREW_BOUNDS_SKIP ? STREW_SOME_ROWS : STREW_ALL_ROWS;
}

int64_t strew_list_number(const void *list, int64_t place)
{
    int64_t number;
    strew_list_resolve(list, place, 1, &number);
    return number;
}

bool strew_list_check(const strew_integers *integers, int64_t count)
{
    if (integers->list.dtype == STREW_DTYPE_NONE || !strew_list_refuses(integers))
        return true;
    strew_tile_offsets resolved; /* nothing uses them */
    for (int64_t first = 0, some; first < count; first += some) {
        some = strew_lesser(strew_lesser(count - first, integers->line - first % integers->line),
                            STREW_TILE_POSITIONS);
        if (strew_list_resolve(integers, first, some, resolved) == STREW_BAD_INDEX)
            return false;
    }
    return true;
}

/* The state of the search for a decrease. */
typedef struct order_seen {
    int64_t last;      /* the last row; -1 before the first */
    bool has_left_out; /* entries after a row have been left out */
} order_seen;

static bool stays_sorted(order_seen *seen, const int64_t *numbers, int64_t count)
{
    bool sorted = true;
    for (int64_t i = 0; i < count && sorted; i++) {
        if (numbers[i] == STREW_NO_ROW) {
            seen->has_left_out = seen->last >= 0;
            continue;
        }
        sorted = !seen->has_left_out && numbers[i] >= seen->last;
        seen->last = numbers[i];
    }
    return sorted;
}

/* Returns whether no item is negative or less than the one before. Compilers vectorise unsigned arithmetic. */
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

/* Returns whether the list is plain, as most lists are. Such a list need not be resolved. */
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
    return is_narrow ? are_plain_32(items, count) : are_plain_64(items, count);
}

const int64_t *strew_list_numbers(const strew_integers *integers, int64_t first, int64_t count, int64_t *room)
{
    const void *const items = place_of(integers, first);
    if (integers->is_plain && integers->list.dtype == STREW_DTYPE_INT64)
        return items;
    strew_list_resolve(integers, first, count, room);
    return room;
}

const int64_t *strew_list_unchecked(const strew_integers *integers, int64_t first, int64_t count, int64_t *room)
{
    const char *const items = place_of(integers, first);
    const bool is_kept = strew_list_refuses(integers) || integers->bounds == STREW_BOUNDS_SKIP;
    if (is_kept && integers->list.dtype == STREW_DTYPE_INT64 && integers->list.step == sizeof(int64_t) &&
        (uintptr_t)items % sizeof(int64_t) == 0)
        return (const void *)items;
    return strew_list_resolve(integers, first, count, room) == STREW_BAD_INDEX ? NULL : room;
}

strew_order strew_list_order(const strew_integers *integers)
{
    if (is_plain_order(integers))
        return STREW_ORDER_PLAIN;
    strew_tile_offsets numbers;
    order_seen seen = {-1, false};
    for (int64_t first = 0; first < integers->count; first += STREW_TILE_POSITIONS) {
        const int64_t count = strew_lesser(integers->count - first, STREW_TILE_POSITIONS);
        if (strew_list_resolve(integers, first, count, numbers) == STREW_BAD_INDEX)
            return STREW_ORDER_WRONG;
        if (!stays_sorted(&seen, numbers, count))
            return STREW_ORDER_NONE;
    }
    return STREW_ORDER_SORTED;
}
