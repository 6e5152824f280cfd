/* Defines what the bags of all dtypes share: which rows entries name, their weights, and prefetching. */
#ifndef STREW_KERNELS_BAG_ENTRIES_H
#define STREW_KERNELS_BAG_ENTRIES_H

#include <string.h>

#include "base/integer.h"
#include "kernels/glue.h"

/* How entries name rows: by contiguous integers, by their own number, or by an odd list, read one by one. */
typedef enum bag_naming { BAG_BY_INT32, BAG_BY_INT64, BAG_BY_COUNT, BAG_BY_ODD_INDEX, BAG_BY_ANY } bag_naming;

/* The constants that a loop is compiled for. BAG_ASKED and BAG_BY_ANY: it asks at run time. */
typedef enum bag_answer { BAG_NO, BAG_YES, BAG_ASKED } bag_answer;
typedef struct bag_known {
    bag_naming naming;   /* not BAG_BY_ODD_INDEX */
    bag_answer weighted; /* weights are contiguous */
    bag_answer far;
    bool asks; /* for the combination; otherwise rows are summed */
    bool rare; /* asks for reordered weights and for rounding */
} bag_known;

/* The questions that a loop asks at run time, as bits. Without the bit of a combination it sums. */
typedef unsigned bag_asked;
enum {
    BAG_NAMING = 3,
    BAG_WEIGHTED = 4,
    BAG_FAR = 8,
    BAG_ROUNDED = 16,
    BAG_LEAVES_OUT = 32,
    BAG_STARTED = 64,
    BAG_STORES_EMPTY = 128,
    BAG_ODD = 2048, /* indices or weights do not follow each other, or wrong ones name rows */
    BAG_SUMS = 0,
    BAG_PROD = 256,
    BAG_MIN = 512,
    BAG_MAX = 1024,
    BAG_OTHERS = BAG_PROD | BAG_MIN | BAG_MAX,
    BAG_MEAN = 4096,
    BAG_REORDERED = 8192 /* each entry has the weight of another */
};

/* Entries of an odd list, and the rows that they name. The row of an entry that is left out is NULL. */
enum { BAG_NAMED_AT_ONCE = 64 };
typedef struct bag_named {
    i64 begin, end;
    const char *rows[BAG_NAMED_AT_ONCE], *weights[BAG_NAMED_AT_ONCE];
} bag_named;

/* A block of columns. last_line: its last byte, if blocks begin or end within cache lines; otherwise 0. */
typedef struct bag_columns {
    size_t begin, bytes, last_line;
} bag_columns;

typedef struct bag_range {
    size_t begin, end;
} bag_range;

/* The arguments of a kernel. */
typedef struct bag_call {
    const strew_bag_entries *entries;
    bag_asked asked;
    char *target;
    const char *source;
    size_t bytes; /* of rows of the target */
    strew_bag_window bags;
    bag_named *named;
    const void *type; /* of the way's own */
} bag_call;

/* The parts of the entries that loops need. */
typedef struct bag_reading {
    const char *source, *indices, *weights;
    const u32_at *order;
    i64 step, rows, wrap_size, weight_step, weight_count, ahead, last;
    size_t last_line; /* of columns that begin or end within lines: their last byte; otherwise 0 */
    bag_asked asked;
} bag_reading;

INLINE bag_naming bag_naming_of(const strew_bag_entries *entries)
{
    const strew_dtype dtype = entries->index_dtype;
    if (!entries->indices)
        return BAG_BY_COUNT;
    if (entries->line >= entries->entries && dtype == STREW_DTYPE_INT32 && entries->index_step == sizeof(i32))
        return BAG_BY_INT32;
    if (entries->line >= entries->entries && dtype == STREW_DTYPE_INT64 && entries->index_step == sizeof(i64))
        return BAG_BY_INT64;
    return BAG_BY_ODD_INDEX;
}

/* Returns whether indices and weights are contiguous and each index names a row or is wrong. */
INLINE bool bag_is_plain(const strew_bag_entries *entries, size_t element)
{
    const bag_naming naming = bag_naming_of(entries);
    const bool plain_weights = !entries->weights || (entries->line >= entries->entries && naming != BAG_BY_COUNT &&
                                                     entries->weight_step == (i64)element);
    return naming != BAG_BY_ODD_INDEX && plain_weights && !entries->amend;
}

/* Returns the last byte of columns, if those of some row begin or end within cache lines; otherwise 0. */
INLINE size_t bag_last_line(const char *source, i64 step, size_t bytes)
{
    const uintptr_t places = (uintptr_t)source | (uintptr_t)step | STREW_CACHE_LINE,
                    alignment = places & (0 - places);
    const bool are_lines = alignment == STREW_CACHE_LINE && bytes % STREW_CACHE_LINE == 0;
    return are_lines || bytes <= alignment ? 0 : bytes - 1;
}

/* How many rows ahead are prefetched: of about BAG_BYTES_AHEAD bytes. */
enum { BAG_MOST_AHEAD = 32, BAG_NEAR_AHEAD = 12, BAG_LEAST_AHEAD = 4, BAG_BYTES_AHEAD = 4096 };

INLINE i64 bag_ahead(size_t bytes)
{
    i64 ahead = BAG_MOST_AHEAD;
    while (ahead > BAG_LEAST_AHEAD && (size_t)ahead * bytes > BAG_BYTES_AHEAD)
        ahead /= 2;
    return ahead;
}

INLINE bool bag_is_odd(const strew_bag_entries *entries)
{
    return bag_naming_of(entries) == BAG_BY_ODD_INDEX || entries->line < entries->entries || entries->amend ||
           entries->order;
}

INLINE bag_asked bag_asked_of(const strew_bag_entries *entries)
{
    return (bag_asked)bag_naming_of(entries) | (entries->weights ? BAG_WEIGHTED : 0) |
           (entries->is_far ? BAG_FAR : 0) | (entries->rounds ? BAG_ROUNDED : 0) |
           (entries->leaves_out ? BAG_LEAVES_OUT : 0) | (entries->start ? BAG_STARTED : 0) |
           (entries->starts_are_empty ? BAG_STORES_EMPTY : 0) | (bag_is_odd(entries) ? BAG_ODD : 0) |
           (entries->is_mean ? BAG_MEAN : 0) | (entries->order ? BAG_REORDERED : 0);
}

/* Keeps compilers from making a loop of its own for each answer. */
#define bag_keep_asking(known, asked)                                           \
    do {                                                                        \
        if (known.asks || known.naming == BAG_BY_ANY || known.far == BAG_ASKED) \
            STREW_KEEP_APART(asked);                                            \
    } while (0)

INLINE bag_reading bag_reading_of(const bag_call *call)
{
    const strew_bag_entries *const entries = call->entries;
    return (bag_reading){
        .source = call->source,
        .indices = entries->indices,
        .weights = entries->weights,
        .order = (const void *)entries->order,
        .step = entries->source_step,
        .weight_step = entries->weight_step,
        .weight_count = entries->weight_count,
        .ahead = bag_ahead(call->bytes),
        .last = entries->entries - 1,
        .rows = entries->rows,
        .wrap_size = entries->wrap_size,
        .last_line = bag_last_line(call->source, entries->source_step, call->bytes),
        .asked = call->asked,
    };
}

/* Returns the entry whose weight an entry has. */
INLINE i64 bag_ordered(const bag_reading *in, i64 e)
{
    const i64 other = (i64)in->order[e];
    return other < in->weight_count ? other : 0;
}

/* Returns how many registers hold a block: one holds a part of a vector. */
INLINE size_t bag_held(size_t vectors)
{
    return vectors > 0 ? vectors : 1;
}

/* Returns whether a number names a row. Adds wrap_size to it if it names one then. */
INLINE bool bag_names_row(u64 *number, i64 rows, i64 wrap_size)
{
    return !(STREW_SELDOM(*number >= (u64)rows) && (*number += (u64)wrap_size) >= (u64)rows);
}

/* Returns the address of an entry's item, in a list that may have lines. */
INLINE const char *bag_item(const strew_bag_entries *entries, const char *items, i64 step, i64 line_step, i64 e)
{
    return entries->line >= entries->entries ? items + e * step
                                             : items + e / entries->line * line_step + e % entries->line * step;
}

INLINE i64 bag_index(const bag_reading *in, bag_known known, bag_asked asked, i64 e)
{
    const bag_naming naming = known.naming == BAG_BY_ANY ? (bag_naming)(asked & BAG_NAMING) : known.naming;
    return naming == BAG_BY_INT32   ? ((const i32_at *)in->indices)[e]
           : naming == BAG_BY_INT64 ? ((const i64_at *)in->indices)[e]
                                    : e;
}

/* Returns the row of the entry that comes `ahead` entries later. Any address will do: its index is not checked. */
INLINE const char *bag_source_ahead(const bag_reading *in, bag_known known, bag_asked asked, i64 e)
{
    const i64 later = e + in->ahead < in->last ? e + in->ahead : in->last;
    const uintptr_t offset = (uintptr_t)bag_index(in, known, asked, later) * (uintptr_t)in->step;
    return (const char *)((uintptr_t)in->source + offset);
}

/* Prefetches the cache lines of a block of `bytes`, a constant, and the line of its last byte. */
INLINE void bag_prefetch(const char *row, size_t bytes, size_t last)
{
    STREW_PREFETCH(row);
    for (size_t line = STREW_CACHE_LINE; line < bytes; line += STREW_CACHE_LINE)
        STREW_PREFETCH(row + line);
    if (last > 0)
        STREW_PREFETCH(row + last);
}

INLINE i64 bag_any_index(const strew_bag_entries *entries, const bag_reading *in, bag_asked asked, i64 e)
{
    const bag_known known = {BAG_BY_ANY, BAG_NO, BAG_ASKED, true, true};
    if ((asked & BAG_NAMING) != BAG_BY_ODD_INDEX)
        return bag_index(in, known, asked, e);
    return strew_read_integer(bag_item(entries, entries->indices, entries->index_step, entries->index_line_step, e),
                              entries->index_dtype);
}

INLINE const char *bag_any_weight(const strew_bag_entries *entries, const bag_reading *in, i64 e)
{
    const i64 weight = entries->order ? bag_ordered(in, e) : e;
    return bag_item(entries, entries->weights, entries->weight_step, entries->weight_line_step, weight);
}

/* Sets how many entries of some bags are left out to none. A window of single entries has no room for that. */
INLINE void bag_leave_out_none(const bag_call *call, bag_range bags)
{
    if (call->entries->leaves_out && !call->bags.sources)
        memset(call->bags.left_out + bags.begin, 0, (bags.end - bags.begin) * sizeof *call->bags.left_out);
}

/* Returns how many entries go into a bag, after they have been combined. */
INLINE i64 bag_entries_in(const bag_call *call, size_t b)
{
    const strew_bag_window *const bags = &call->bags;
    return bags->begins[b + 1] - bags->begins[b] - (call->entries->leaves_out ? bags->left_out[b] : 0);
}

/* Finds the row of an entry, NULL if it is left out. Returns false if its index is wrong. */
INLINE bool bag_find_row(const strew_bag_entries *entries, i64 index, i64 e, const char **found)
{
    u64 row = (u64)index;
    *found = NULL;
    if (STREW_SELDOM(!bag_names_row(&row, entries->rows, entries->wrap_size))) {
        if (entries->leaves_out)
            return true;
        row = entries->amend ? (u64)entries->amend(entries->list, e) : (u64)entries->rows;
        if (row >= (u64)entries->rows)
            return false;
    }
    *found = entries->source + (i64)row * entries->source_step;
    return true;
}

/* Finds the rows and weights of entries from `first` on, up to one whose index is wrong. Returns false if that is
 * `first`. */
APART_OF_SOME bool bag_name(const bag_call *call, i64 first)
{
    const strew_bag_entries *const entries = call->entries;
    bag_named *const named = call->named;
    const bag_reading in = bag_reading_of(call);
    const i64 ahead = bag_ahead(entries->source_bytes), most = first + BAG_NAMED_AT_ONCE,
              end = call->bags.begins[call->bags.count];
    named->begin = named->end = first;
    for (i64 e = first; e < end && e < most; named->end = ++e) {
        const i64 index = bag_any_index(entries, &in, in.asked, e);
        if (!bag_find_row(entries, index, e, &named->rows[e - first]))
            return e > first;
        if (entries->weights)
            named->weights[e - first] = bag_any_weight(entries, &in, e);
        if (entries->is_far) {
            const i64 later = bag_any_index(entries, &in, in.asked, e + ahead < in.last ? e + ahead : in.last);
            const uintptr_t offset = (uintptr_t)later * (uintptr_t)in.step;
            strew_prefetch_row((const char *)((uintptr_t)entries->source + offset), entries->source_bytes);
        }
    }
    return true;
}

/* Prepares entries from `e` on for bag_find_entry: up to *stop, which is `end` or less. Entries of odd lists are
 * named now. Returns false if the index of `e` is wrong. */
INLINE bool bag_find_odd(const bag_call *call, bag_asked asked, i64 e, i64 end, i64 *stop)
{
    const bag_named *const named = call->named;
    *stop = end;
    if (!(asked & BAG_ODD))
        return true;
    if ((e < named->begin || e >= named->end) && !bag_name(call, e))
        return false;
    *stop = named->end < end ? named->end : end;
    return true;
}

/* Finds the columns of the row of an entry, NULL if it is left out, and its weight. Returns false if its index is
 * wrong. */
INLINE bool bag_find_entry(const bag_call *call, const bag_reading *in, bag_asked asked, i64 e, size_t column,
                           const char **source, const char **weight)
{
    const bag_known known = {BAG_BY_ANY, BAG_NO, BAG_ASKED, true, true};
    if (STREW_SELDOM(asked & BAG_ODD)) {
        const bag_named *const named = call->named;
        const char *const row = named->rows[e - named->begin];
        *source = row ? row + column : NULL;
        *weight = named->weights[e - named->begin];
        return true;
    }
    u64 row = (u64)bag_index(in, known, asked, e);
    *weight = in->weights + e * in->weight_step;
    *source = NULL;
    if (STREW_SELDOM(!bag_names_row(&row, in->rows, in->wrap_size)))
        return asked & BAG_LEAVES_OUT;
    *source = in->source + (i64)row * in->step;
    if (asked & BAG_FAR)
        bag_prefetch(bag_source_ahead(in, known, asked, e), 1, in->last_line);
    return true;
}

/* Finds the rows of an entry that is a bag. *source is NULL if it is left out. Returns false if a number is wrong.
 */
INLINE bool bag_find_single(const strew_bag_entries *in, const strew_bag_window *bags, size_t b,
                            const char **source, char **target)
{
    u64 from = (u64)bags->sources[b], to = (u64)bags->targets[b];
    const bool is_named = bag_names_row(&to, in->target_rows, in->target_wrap_size);
    *source = NULL;
    if (STREW_SELDOM(!is_named || !bag_names_row(&from, in->rows, in->wrap_size)))
        return is_named ? in->leaves_out : in->drops;
    *source = in->source + (i64)from * in->source_step;
    *target += (i64)to * in->target_step;
    return true;
}

/* Prefetches the rows of such an entry. Its numbers have not been checked: any addresses will do. */
INLINE void bag_prefetch_single(const strew_bag_entries *in, const strew_bag_window *bags, size_t b,
                                const char *target, size_t bytes)
{
    const uintptr_t from = (uintptr_t)bags->sources[b] * (uintptr_t)in->source_step,
                    to = (uintptr_t)bags->targets[b] * (uintptr_t)in->target_step;
    const size_t last = bytes > STREW_CACHE_LINE ? bytes - 1 : 0;
    bag_prefetch((const char *)((uintptr_t)in->source + from), 1, last);
    bag_prefetch((const char *)((uintptr_t)target + to), 1, last);
}

/* Returns the weight of such an entry. */
INLINE const char *bag_single_weight(const strew_bag_entries *in, i64 first, size_t b)
{
    return in->weights + (first + (i64)b) * in->weight_step;
}

/* Fills a row with an element. Each copy is twice as long as the one before. */
INLINE void bag_repeat(char *row, const char *element, size_t size, size_t bytes)
{
    memcpy(row, element, size);
    for (size_t filled = size; filled < bytes; filled *= 2)
        memcpy(row + filled, row, filled < bytes - filled ? filled : bytes - filled);
}

/* Writes the rows that nothing goes into. An element has `element` bytes. */
INLINE void bag_fill_empty(const bag_call *call, size_t element)
{
    const strew_bag_entries *const entries = call->entries;
    const strew_bag_window *const bags = &call->bags;
    for (size_t b = 0; b < bags->count; b++) {
        char *const target = call->target + bags->targets[b];
        if (bag_entries_in(call, b) > 0)
            continue;
        if (entries->default_row)
            memcpy(target, entries->default_row, call->bytes);
        else
            bag_repeat(target, entries->empty, element, call->bytes);
    }
}

/* Returns the bytes of the next block of columns, of up to `most` vectors of `size` bytes. More than 8 vectors are
 * either full or not taken, and a little more than a block is halved. */
INLINE size_t bag_next_columns(size_t left, size_t size, size_t most)
{
    const size_t few = (most < 8 ? most : 8) * size, all = most * size;
    if (left <= few)
        return left;
    if (all > few && (left == all || left > all + 2 * size))
        return all;
    return left >= 2 * few ? few : (left / 2 + size - 1) / size * size;
}

/* Combines all bags of a call. */
typedef bool bag_way(const bag_call *call);

APART_OF_SOME bool bag_run(bag_way *way, const void *type, bag_asked combination, size_t element, BAG_PARAMETERS)
{
    bag_named named;
    named.begin = named.end = 0;
    const bag_call call = {.entries = entries,
                           .asked = bag_asked_of(entries) | combination,
                           .target = target,
                           .source = entries->source,
                           .bytes = entries->target_bytes,
                           .named = &named,
                           .type = type,
                           .bags = *window};
    bag_leave_out_none(&call, (bag_range){0, window->count});
    if (!way(&call))
        return false;
    if (entries->empty || entries->default_row)
        bag_fill_empty(&call, element);
    return true;
}

#endif
