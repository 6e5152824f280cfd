#include "engine/bags/group.h"

#include <string.h>

#include "engine/share/shard.h"
#include "kernels/elements.h"

/* The layout of scratch. */
typedef struct group_room {
    size_t tasks;
    size_t counters, offsets, sources, order; /* where each begins */
    size_t bytes;
} group_room;

/* Returns how many threads sort. More of them would count for longer than they sort. */
static size_t tasks_of(const strew_bags *bags, size_t threads)
{
    const uint64_t most = 1 + (uint64_t)bags->entries / (uint64_t)(bags->rows > 0 ? bags->rows : 1);
    return threads < most ? threads : (size_t)most;
}

/* Adds items to the layout. Returns false if there are too many to count. */
static bool add_items(size_t *bytes, size_t *place, uint64_t count, size_t size)
{
    size_t added;
    *place = *bytes;
    return count <= UINT32_MAX && strew_multiply_sizes((size_t)count, size, &added) &&
           strew_add_sizes(*bytes, added, bytes);
}

static bool make_room(group_room *room, const strew_bags *bags, const strew_walk *walk, size_t threads)
{
    const uint64_t entries = (uint64_t)bags->entries, rows = (uint64_t)bags->rows;
    const size_t ordered = bags->weights.dtype == STREW_DTYPE_NONE ? 0 : sizeof(uint32_t);
    size_t counters;
    room->tasks = tasks_of(bags, threads);
    room->bytes = 0;
    return (uint64_t)walk->coordinates.each[0].size <= UINT32_MAX &&
           strew_multiply_sizes(room->tasks, sizeof(uint32_t), &counters) &&
           add_items(&room->bytes, &room->counters, rows, counters) &&
           add_items(&room->bytes, &room->offsets, rows + 1, sizeof(uint32_t)) &&
           add_items(&room->bytes, &room->order, entries, ordered) &&
           add_items(&room->bytes, &room->sources, entries, sizeof(uint32_t));
}

size_t strew_bags_sort_bytes(const strew_bags *bags, const strew_walk *walk, size_t threads)
{
    group_room room;
    return make_room(&room, bags, walk, threads) ? room.bytes : SIZE_MAX;
}

typedef struct group_run {
    const strew_bags_run_state *run;
    group_room room;
    char *scratch;
    bool places; /* entries are put in their places; otherwise counted */
} group_run;

static void count_entries(u32_at *counters, const strew_entry_rows *some)
{
    for (int64_t i = 0; i < some->count; i++)
        if (!strew_is_left_out(some, i))
            counters[some->targets[i]]++;
}

static void place_entries(const group_run *grouping, u32_at *counters, const strew_entry_rows *some)
{
    u32_at *const placed = (u32_at *)(grouping->scratch + grouping->room.sources);
    u32_at *const order = (u32_at *)(grouping->scratch + grouping->room.order);
    const bool has_weights = grouping->run->bags->weights.dtype != STREW_DTYPE_NONE;
    for (int64_t i = 0; i < some->count; i++) {
        if (strew_is_left_out(some, i))
            continue;
        const uint32_t place = counters[some->targets[i]]++;
        placed[place] = (uint32_t)some->sources[i];
        if (has_weights)
            order[place] = (uint32_t)(some->first + i);
    }
}

static bool sort_some(void *context, size_t index)
{
    const group_run *const grouping = context;
    strew_entry_rows some = {.sources = {0}};
    const int64_t entries = grouping->run->bags->entries, bags = grouping->run->bags->rows;
    const strew_range range = strew_range_of(entries, index, grouping->room.tasks);
    u32_at *const counters = (u32_at *)(grouping->scratch + grouping->room.counters) + (int64_t)index * bags;
    if (!grouping->places)
        memset(counters, 0, (size_t)bags * sizeof *counters);
    for (some.first = range.begin; some.first < range.end; some.first += some.count) {
        some.count = strew_lesser(range.end - some.first, STREW_TILE_POSITIONS);
        /* Counting needs no sources, unless a wrong one leaves its entry out. */
        if (!strew_find_rows(grouping->run, grouping->places, &some))
            return false;
        if (grouping->places)
            place_entries(grouping, counters, &some);
        else
            count_entries(counters, &some);
    }
    return true;
}

/* Turns the counts of each row and task into the places where their entries begin. Returns the number of entries.
 */
static uint32_t add_up(const group_run *grouping)
{
    u32_at *const counters = (u32_at *)(grouping->scratch + grouping->room.counters);
    u32_at *const offsets = (u32_at *)(grouping->scratch + grouping->room.offsets);
    const int64_t rows = grouping->run->bags->rows;
    uint32_t sum = 0;
    for (int64_t row = 0; row < rows; row++) {
        offsets[row] = sum;
        for (size_t task = 0; task < grouping->room.tasks; task++) {
            u32_at *const counter = &counters[(int64_t)task * rows + row];
            const uint32_t count = *counter;
            *counter = sum;
            sum += count;
        }
    }
    return sum;
}

/*
 * Scratch holds the counters of one task, one for each row; the offsets, one more; the order of entries that have
 * weights; and the rows that the entries name.
 */
void strew_bags_find_sorted(const strew_bags *sorted, const char *scratch, strew_bags_pointers *pointers)
{
    const int64_t rows = sorted->rows, number = sizeof(uint32_t);
    pointers->segment_ids = scratch + rows * number;
    pointers->order =
        sorted->weights.dtype == STREW_DTYPE_NONE ? NULL : pointers->segment_ids + (rows + 1) * number;
    pointers->indices = pointers->segment_ids + (rows + 1 + sorted->weight_count) * number;
}

/* Describes the sorted entries to a run. Their lists have no gaps and no wrong item. */
static void describe(const group_run *grouping, int64_t entries, strew_bags *grouped, strew_bags_pointers *pointers)
{
    static const strew_list numbers = {STREW_DTYPE_UINT32, sizeof(uint32_t), 0};
    const strew_bags *bags = grouping->run->bags;
    const size_t later_tasks = (grouping->room.tasks - 1) * (size_t)bags->rows * sizeof(uint32_t);
    *grouped = *bags;
    grouped->segments = STREW_OFFSETS;
    grouped->entries = grouped->line = entries;
    grouped->indices = grouped->segment_ids = numbers;
    grouped->bounds = STREW_BOUNDS_REFUSE;
    *pointers = *grouping->run->pointers;
    strew_bags_find_sorted(grouped, grouping->scratch + later_tasks, pointers);
}

bool strew_group(const strew_bags_run_state *run, const strew_bags_resources *resources, strew_bags *grouped,
                 strew_bags_pointers *pointers)
{
    group_run grouping = {.run = run, .scratch = resources->scratch};
    make_room(&grouping.room, run->bags, run->walk, resources->threads);
    if (!strew_parallel_run(resources->parallel, sort_some, &grouping, grouping.room.tasks))
        return false;
    const uint32_t entries = add_up(&grouping);
    grouping.places = true;
    if (!strew_parallel_run(resources->parallel, sort_some, &grouping, grouping.room.tasks))
        return false;
    describe(&grouping, entries, grouped, pointers);
    return true;
}
