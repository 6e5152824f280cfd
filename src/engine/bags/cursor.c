#include "engine/bags/cursor.h"

void strew_cursor_begin(strew_cursor *cursor, const strew_bags *bags, const strew_integers *list, strew_part part)
{
    cursor->segments = bags->segments;
    cursor->list = list;
    cursor->uniform = bags->uniform;
    cursor->all_entries = bags->entries;
    cursor->entry = part.entries.begin;
    cursor->end_entry = part.entries.end;
    cursor->row = part.rows.begin;
    cursor->end_row = part.rows.end;
    cursor->is_inside = false;
    cursor->window = (strew_range){0, 0};
}

/* What the list says at a place, which has been checked. */
static inline int64_t resolved_at(strew_cursor *cursor, int64_t place)
{
    if (place >= cursor->window.end || place < cursor->window.begin) {
        const int64_t count = strew_lesser(cursor->list->count - place, STREW_CURSOR_WINDOW);
        strew_list_resolve(cursor->list, place, count, cursor->resolved);
        cursor->window = (strew_range){place, place + count};
    }
    return cursor->resolved[place - cursor->window.begin];
}

/* The entry where a row ends. */
static int64_t end_of(strew_cursor *cursor, int64_t row)
{
    if (cursor->segments == STREW_UNIFORM)
        return (row + 1) * cursor->uniform;
    return row + 1 < cursor->list->count ? resolved_at(cursor, row + 1) : cursor->all_entries;
}

static bool next_of_offsets(strew_cursor *cursor, int64_t most, strew_piece *piece)
{
    const bool begins = !cursor->is_inside;
    if (begins && cursor->row == cursor->end_row)
        return false;
    if (begins)
        cursor->row_end = end_of(cursor, cursor->row);
    const int64_t count = strew_lesser(cursor->row_end - cursor->entry, most);
    cursor->entry += count;
    const bool ends = cursor->entry == cursor->row_end;
    *piece = (strew_piece){cursor->row, count, begins, ends};
    cursor->is_inside = !ends;
    cursor->row += ends;
    return true;
}

/* How many entries from the next on say the same as that, and no more than `most`. */
static int64_t count_same(strew_cursor *cursor, int64_t number, int64_t most)
{
    const int64_t end = strew_lesser(cursor->end_entry - cursor->entry, most);
    int64_t count = 1;
    while (count < end && resolved_at(cursor, cursor->entry + count) == number)
        count++;
    return count;
}

/* The entries from the next on that go into one row. */
static void take_same(strew_cursor *cursor, int64_t number, int64_t most, strew_piece *piece)
{
    const int64_t count = count_same(cursor, number, most);
    const bool begins = !cursor->is_inside;
    cursor->entry += count;
    const bool ends = cursor->entry == cursor->end_entry || resolved_at(cursor, cursor->entry) != number;
    *piece = (strew_piece){number, count, begins, ends};
    cursor->is_inside = !ends;
}

/* Rows that no entry names are empty, if they are in order. */
static bool next_of_numbers(strew_cursor *cursor, int64_t most, strew_piece *piece)
{
    const bool is_sorted = cursor->segments == STREW_SORTED, has_entry = cursor->entry < cursor->end_entry;
    const int64_t number = has_entry ? resolved_at(cursor, cursor->entry) : cursor->end_row;
    const bool is_named = has_entry && (!is_sorted || number == STREW_NO_ROW || number == cursor->row);
    if (is_named) {
        take_same(cursor, number, most, piece);
        cursor->row += piece->ends && number == cursor->row;
        return true;
    }
    if (!is_sorted || cursor->row >= cursor->end_row)
        return false;
    *piece = (strew_piece){cursor->row++, 0, true, true};
    return true;
}

bool strew_cursor_next(strew_cursor *cursor, int64_t most, strew_piece *piece)
{
    return cursor->segments == STREW_OFFSETS || cursor->segments == STREW_UNIFORM
               ? next_of_offsets(cursor, most, piece)
               : next_of_numbers(cursor, most, piece);
}

/* The end of a row, as far as it is known without resolving more; beyond that one that is too far. */
static inline int64_t known_end(const strew_cursor *cursor, int64_t row)
{
    if (cursor->segments == STREW_UNIFORM)
        return (row + 1) * cursor->uniform;
    return row + 1 < cursor->window.end && row + 1 >= cursor->window.begin
               ? cursor->resolved[row + 1 - cursor->window.begin]
               : INT64_MAX;
}

/* Rows that begin and end here: nearly all, if they are short. */
static size_t take_whole_rows(strew_cursor *cursor, int64_t most, strew_piece *pieces, size_t room)
{
    const int64_t limit = cursor->entry + most;
    int64_t entry = cursor->entry, row = cursor->row;
    size_t taken = 0;
    for (; taken < room && row < cursor->end_row; taken++) {
        const int64_t end = known_end(cursor, row);
        if (end > limit)
            break;
        pieces[taken] = (strew_piece){row++, end - entry, true, true};
        entry = end;
    }
    cursor->entry = entry;
    cursor->row = row;
    return taken;
}

size_t strew_cursor_take(strew_cursor *cursor, int64_t most, strew_piece *pieces, size_t room)
{
    const bool has_ends = cursor->segments == STREW_OFFSETS || cursor->segments == STREW_UNIFORM;
    const int64_t limit = cursor->entry + most;
    size_t taken = 0;
    while (taken < room && cursor->entry < limit) {
        if (has_ends && !cursor->is_inside)
            taken += take_whole_rows(cursor, limit - cursor->entry, pieces + taken, room - taken);
        if (taken == room || cursor->entry == limit ||
            !strew_cursor_next(cursor, limit - cursor->entry, &pieces[taken]))
            break;
        taken++;
    }
    return taken;
}

/* ---- Parts --------------------------------------------------------------------------------------- */

/* A row counts as so many entries, for it is written. */
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

/* The row before which there is most nearly as much as this to do. */
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

static int64_t number_at(const strew_integers *list, int64_t place)
{
    int64_t number;
    strew_list_resolve(list, place, 1, &number);
    return number;
}

/* Of places that all say this number up to one of them, or from one of them on: that one. */
static int64_t bound_of_run(const strew_integers *list, strew_range places, int64_t number, bool begins)
{
    int64_t low = places.begin, high = places.end;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if ((number_at(list, middle) == number) == begins)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Where a row begins nearest to this entry; 0 and beyond all count as well. */
static int64_t boundary_near(const strew_integers *list, int64_t entry, int64_t entries)
{
    if (entry == 0 || entry == entries)
        return entry;
    const int64_t number = number_at(list, entry);
    const int64_t end = bound_of_run(list, (strew_range){entry, entries}, number, false);
    if (number == STREW_NO_ROW)
        return end; /* those left out stand before the first row, or after the last */
    const int64_t begin = bound_of_run(list, (strew_range){0, entry}, number, true);
    return entry - begin < end - entry ? begin : end;
}
/* Where a part begins: the entry, and the row. */
typedef struct part_begin {
    int64_t entry, row;
} part_begin;

static part_begin begin_by_offsets(const strew_bags *bags, const strew_integers *list, size_t index, size_t count)
{
    if (index == 0)
        return (part_begin){bags->rows > 0 ? first_entry_of(list, bags, 0) : 0, 0};
    const double all = (double)bags->entries + (double)ROW_COUNTS_AS_ENTRIES * (double)bags->rows;
    const int64_t row = index == count ? bags->rows : row_near(list, bags, all * ((double)index / (double)count));
    return (part_begin){first_entry_of(list, bags, row), row};
}

static part_begin begin_by_numbers(const strew_bags *bags, const strew_integers *list, size_t index, size_t count)
{
    if (index == 0)
        return (part_begin){0, 0};
    const int64_t entry = boundary_near(list, strew_range_of(bags->entries, index, count).begin, bags->entries);
    const int64_t number = entry < bags->entries ? number_at(list, entry) : STREW_NO_ROW;
    return (part_begin){entry, number == STREW_NO_ROW ? bags->rows : number};
}

strew_part strew_cursor_part(const strew_bags *bags, const strew_integers *list, size_t index, size_t count)
{
    part_begin (*const begins)(const strew_bags *, const strew_integers *, size_t, size_t) =
        bags->segments == STREW_SORTED || bags->segments == STREW_ANY ? begin_by_numbers : begin_by_offsets;
    const part_begin first = begins(bags, list, index, count), next = begins(bags, list, index + 1, count);
    return (strew_part){{first.entry, next.entry}, {first.row, next.row}};
}
