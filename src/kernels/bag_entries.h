/* Defines what the bags of all dtypes share: which rows entries name, their weights, and prefetching. */
#ifndef STREW_KERNELS_BAG_ENTRIES_H
#define STREW_KERNELS_BAG_ENTRIES_H

#include <string.h>

#include "base/integer.h"
#include "base/thresholds.h"
#include "kernels/glue.h"

/* How entries name rows: by contiguous integers, by their own number, by other lists, or by pointers (bag_named).
 */
typedef enum bag_naming {
    BAG_BY_INT32,
    BAG_BY_INT64,
    BAG_BY_COUNT,
    BAG_BY_LIST,
    BAG_BY_POINTER,
    BAG_BY_ANY
} bag_naming;

/* The constants that a loop is compiled for. BAG_BY_ANY and BAG_ASKED: it asks at run time. */
typedef enum bag_answer { BAG_NO, BAG_YES, BAG_ASKED } bag_answer;
typedef struct bag_known {
    unsigned widths;   /* the widths of blocks that have a loop each, as bits: see below */
    bag_naming naming; /* BAG_BY_ANY: one of the first three, which it asks. See bag_is_near */
    bag_answer weighted;
    bool asks; /* for the combination, and whether each step is rounded; otherwise it sums without rounding */
} bag_known;

/* The widths of a block: so many elements (1 to 4, or 8), a part of a vector, a vector, up to so many vectors. In
 * place of a number of vectors, BAG_LONG goes along the row of a single entry, vector after vector. */
#define BAG_OF(elements) (1u << (elements))
#define BAG_UP_TO(vectors) (256u << (vectors))
enum { BAG_PART = 64, BAG_VECTOR = 128 };
enum { BAG_LONG = 3 };

/* The questions that a loop asks at run time, as bits. The lowest two hold a bag_naming. */
typedef unsigned bag_asked;
enum {
    BAG_NAMING = 3,
    BAG_WEIGHTED = 4,
    BAG_FAR = 8,
    BAG_ROUNDED = 16,
    BAG_LEAVES_OUT = 32,
    BAG_STARTED = 64,
    BAG_STORES_EMPTY = 128,
    BAG_MEAN = 256,
    BAG_UNSIGNED = 512,   /* of integers that are combined as signed ones */
    BAG_HAS_ORDER = 1024, /* a list says which weight each entry has */
    /* The combination; a sum without any of them. */
    BAG_SUMS = 0,
    BAG_SUB = 2048,
    BAG_PROD = 4096,
    BAG_MIN = 8192,
    BAG_MAX = 16384,
    BAG_OTHERS = BAG_SUB | BAG_PROD | BAG_MIN | BAG_MAX
};

/* Pointers to the rows and weights of some entries. The row of an entry that is left out is NULL. */
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

/* The arguments of a kernel, and what follows from them. Loops take a copy, whose source and target begin at their
 * columns. */
typedef struct bag_call {
    strew_bag_entries in;
    strew_bag_window bags;
    char *target;
    const char *start; /* the element that bags start with; zero if they start with what the target holds */
    bag_asked asked;
    i64 ahead; /* how many entries ahead rows are prefetched */
    bag_named *named;
    const void *type; /* the bag_type of scalar's loop; otherwise NULL */
} bag_call;

/* Combines all bags of a call. */
typedef bool bag_loop(const bag_call *call);

INLINE bag_naming bag_naming_of(const strew_bag_entries *entries)
{
    const strew_dtype dtype = entries->index_dtype;
    if (!entries->indices)
        return BAG_BY_COUNT;
    if (entries->line < entries->entries || entries->amend)
        return BAG_BY_LIST;
    if (dtype == STREW_DTYPE_INT32 && entries->index_step == sizeof(i32))
        return BAG_BY_INT32;
    return dtype == STREW_DTYPE_INT64 && entries->index_step == sizeof(i64) ? BAG_BY_INT64 : BAG_BY_LIST;
}

/* Returns whether indices and weights are contiguous. */
INLINE bool bag_is_plain(const strew_bag_entries *entries, size_t element)
{
    const bag_naming naming = bag_naming_of(entries);
    return naming != BAG_BY_LIST &&
           (!entries->weights || (naming != BAG_BY_COUNT && entries->weight_step == (i64)element));
}

/* Returns the last byte of columns, if those of some row begin or end within cache lines; otherwise 0. */
INLINE size_t bag_last_line(const char *source, i64 step, size_t bytes)
{
    const uintptr_t places = (uintptr_t)source | (uintptr_t)step | STREW_CACHE_LINE,
                    alignment = places & (0 - places);
    const bool are_lines = alignment == STREW_CACHE_LINE && bytes % STREW_CACHE_LINE == 0;
    return are_lines || bytes <= alignment ? 0 : bytes - 1;
}

/* How many rows ahead are prefetched. bag_ahead aims at BAG_BYTES_AHEAD bytes. Near rows of one entry: NEAR. */
enum { BAG_MOST_AHEAD = 32, BAG_NEAR_AHEAD = 12, BAG_LEAST_AHEAD = 4, BAG_BYTES_AHEAD = 4096 };

INLINE i64 bag_ahead(size_t bytes)
{
    i64 ahead = BAG_MOST_AHEAD;
    while (ahead > BAG_LEAST_AHEAD && (size_t)ahead * bytes > BAG_BYTES_AHEAD)
        ahead /= 2;
    return ahead;
}

INLINE bag_asked bag_asked_of(const strew_bag_entries *entries)
{
    return (bag_asked)bag_naming_of(entries) | (entries->weights ? BAG_WEIGHTED : 0) |
           (entries->is_far ? BAG_FAR : 0) | (entries->rounds ? BAG_ROUNDED : 0) |
           (entries->leaves_out ? BAG_LEAVES_OUT : 0) | (entries->start ? BAG_STARTED : 0) |
           (entries->starts_are_empty ? BAG_STORES_EMPTY : 0) | (entries->is_mean ? BAG_MEAN : 0) |
           (entries->order ? BAG_HAS_ORDER : 0);
}

/* Returns whether a loop is one for near, short rows, all of whose entries are combined, in their order. */
INLINE bool bag_is_near(bag_known known)
{
    return known.naming < BAG_BY_LIST;
}

/* Returns the questions that a loop still asks. */
INLINE bag_asked bag_still_asked(bag_known known, bag_asked asked)
{
    STREW_KEEP_APART(asked); /* or compilers make a loop of its own for each answer */
    return bag_is_near(known) ? asked & ~(bag_asked)BAG_LEAVES_OUT : asked;
}

/* Returns how many registers hold a block: one holds a part of a vector. */
INLINE size_t bag_held(size_t vectors)
{
    return vectors > 0 ? vectors : 1;
}

/* Returns whether a number names a row, as it is or after *wrap_size has been added to it. */
INLINE bool bag_names_row(u64 *number, i64 rows, const i64 *wrap_size)
{
    return !(STREW_SELDOM(*number >= (u64)rows) && (*number += (u64)*wrap_size) >= (u64)rows);
}

/* Returns the address of an entry's item, in a list that may have lines. */
INLINE const char *bag_item(const strew_bag_entries *entries, const char *items, i64 step, i64 line_step, i64 e)
{
    return entries->line >= entries->entries ? items + e * step
                                             : items + e / entries->line * line_step + e % entries->line * step;
}

INLINE i64 bag_index(const strew_bag_entries *in, bag_naming naming, i64 e)
{
    return naming == BAG_BY_INT32   ? ((const i32_at *)in->indices)[e]
           : naming == BAG_BY_INT64 ? ((const i64_at *)in->indices)[e]
                                    : e;
}

/* Returns the row that an index names. Any address will do for prefetching: the index has not been checked. */
INLINE const char *bag_unchecked_row(const strew_bag_entries *in, i64 index)
{
    return (const char *)((uintptr_t)in->source + (uintptr_t)index * (uintptr_t)in->source_step);
}

/* Returns the entry whose row is prefetched while this one is combined. */
INLINE i64 bag_later(const bag_call *call, i64 e)
{
    return e + call->ahead < call->in.entries ? e + call->ahead : call->in.entries - 1;
}

/* Prefetches the cache lines of a block of `bytes`, a constant, and the line of byte `last`. */
INLINE void bag_prefetch(const char *row, size_t bytes, size_t last)
{
    STREW_PREFETCH(row);
    for (size_t line = STREW_CACHE_LINE; line < bytes; line += STREW_CACHE_LINE)
        STREW_PREFETCH(row + line);
    STREW_PREFETCH(row + last);
}

/* Returns the number of the weight that a sorted entry has. */
INLINE i64 bag_ordered(const strew_bag_entries *in, i64 e)
{
    const i64 other = (i64)((const u32_at *)(const void *)in->order)[e];
    return other < in->weight_count ? other : 0;
}

/* Returns the weight of an entry. */
INLINE const char *bag_weight(const strew_bag_entries *in, i64 e)
{
    return bag_item(in, in->weights, in->weight_step, in->weight_line_step, in->order ? bag_ordered(in, e) : e);
}

/* Clears the numbers of entries of some bags that are left out. */
INLINE void bag_leave_out_none(const bag_call *call, bag_range bags)
{
    if (call->in.leaves_out)
        memset(call->bags.left_out + bags.begin, 0, (bags.end - bags.begin) * sizeof *call->bags.left_out);
}

/* Returns where the entries of a bag that are left out are counted. The bag is a pointer to its begin. */
INLINE i64 *bag_left_out(const bag_call *call, const i64 *bag)
{
    return &call->bags.left_out[bag - call->bags.begins];
}

/* Returns how many entries go into a bag, after they have been combined. */
INLINE i64 bag_entries_in(const bag_call *call, const i64 *bag)
{
    return bag[1] - bag[0] - (call->in.leaves_out ? *bag_left_out(call, bag) : 0);
}

/* Finds the row that an entry with a wrong index names instead: NULL if it is left out. Returns false if it has
 * none. */
INLINE bool bag_amend(const strew_bag_entries *in, i64 e, const char **row)
{
    const u64 number = in->amend ? (u64)in->amend(in->list, e) : (u64)in->rows;
    *row = NULL;
    if (in->leaves_out)
        return true;
    if (number >= (u64)in->rows)
        return false;
    *row = in->source + (i64)number * in->source_step;
    return true;
}

INLINE i64 bag_any_index(const strew_bag_entries *in, bag_naming naming, i64 e)
{
    if (naming != BAG_BY_LIST)
        return bag_index(in, naming, e);
    return strew_read_integer(bag_item(in, in->indices, in->index_step, in->index_line_step, e), in->index_dtype);
}

/* Finds the rows of entries, up to one whose index is wrong. `naming` is a constant. */
INLINE void bag_name_rows(bag_naming naming, const bag_call *call, i64 end, bag_named *named)
{
    const strew_bag_entries in = call->in; /* a copy, which no store can change */
    for (i64 e = named->begin; e < end; named->end = ++e) {
        const char **const row = &named->rows[e - named->begin];
        u64 number = (u64)bag_any_index(&in, naming, e);
        if (bag_names_row(&number, in.rows, &in.wrap_size))
            *row = in.source + (i64)number * in.source_step;
        else if (!bag_amend(&in, e, row))
            return;
        if (in.is_far)
            strew_prefetch_row(bag_unchecked_row(&in, bag_any_index(&in, naming, bag_later(call, e))),
                               in.source_bytes);
    }
}

/* Finds the rows and weights of entries from `first` on, up to one whose index is wrong. Returns false if that is
 * `first`. */
APART_OF_SOME bool bag_name(const bag_call *call, i64 first)
{
    bag_named *const named = call->named;
    const i64 most = first + BAG_NAMED_AT_ONCE, all = call->bags.begins[call->bags.count],
              end = most < all ? most : all;
    named->begin = named->end = first;
    switch (bag_naming_of(&call->in)) {
    case BAG_BY_INT32: bag_name_rows(BAG_BY_INT32, call, end, named); break;
    case BAG_BY_INT64: bag_name_rows(BAG_BY_INT64, call, end, named); break;
    case BAG_BY_COUNT: bag_name_rows(BAG_BY_COUNT, call, end, named); break;
    default: bag_name_rows(BAG_BY_LIST, call, end, named); break;
    }
    for (i64 e = first; e < named->end && call->in.weights; e++)
        named->weights[e - first] = bag_weight(&call->in, e);
    return named->end > first;
}

/* Names entries from `e` on. Sets *stop to the first entry without a name, or `end`. Returns false if the index of
 * `e` is wrong. */
INLINE bool bag_name_some(const bag_call *call, i64 e, i64 end, i64 *stop)
{
    const bag_named *const named = call->named;
    if ((e < named->begin || e >= named->end) && !bag_name(call, e))
        return false;
    *stop = named->end < end ? named->end : end;
    return true;
}

typedef enum bag_found { BAG_FOUND, BAG_LEFT_OUT, BAG_WRONG } bag_found;

/* Finds the row of an entry from some columns on, and its weight, of `element` bytes. Rows ahead are prefetched:
 * `bytes`, a constant, and the last line of the columns. */
INLINE bag_found bag_find_entry(bag_known known, const bag_call *call, const bag_call *whole, bag_asked asked,
                                i64 e, bag_columns columns, size_t element, size_t bytes, const char **row,
                                const char **weight)
{
    const strew_bag_entries *const in = &call->in;
    const bag_naming naming = known.naming == BAG_BY_ANY ? (bag_naming)(asked & BAG_NAMING) : known.naming;
    if (known.naming == BAG_BY_POINTER) {
        const char *const found = call->named->rows[e - call->named->begin];
        if (STREW_SELDOM(!found))
            return BAG_LEFT_OUT;
        *row = found + columns.begin;
        *weight = call->named->weights[e - call->named->begin];
        return BAG_FOUND;
    }
    u64 number = (u64)bag_index(in, naming, e);
    if (known.naming != BAG_BY_COUNT && STREW_SELDOM(!bag_names_row(&number, in->rows, &whole->in.wrap_size)))
        return asked & BAG_LEAVES_OUT ? BAG_LEFT_OUT : BAG_WRONG;
    if (known.naming == BAG_BY_ANY && asked & BAG_FAR)
        bag_prefetch(bag_unchecked_row(in, bag_index(in, naming, bag_later(call, e))), bytes, columns.last_line);
    *row = in->source + (i64)number * in->source_step;
    const bool may_be_ordered = known.weighted != BAG_NO && known.naming == BAG_BY_ANY;
    const i64 place = may_be_ordered && asked & BAG_HAS_ORDER ? bag_ordered(in, e) : e;
    *weight = (const char *)((uintptr_t)in->weights + (uintptr_t)place * element); /* there may be no weights */
    return BAG_FOUND;
}

/* Finds the rows of an entry: a bag. *source is NULL if it is left out. Returns false if a number is wrong. */
INLINE bool bag_find_single(const strew_bag_entries *in, const strew_bag_window *bags, size_t b,
                            const char **source, char **target)
{
    u64 from = (u64)bags->sources[b], to = (u64)bags->targets[b];
    const bool is_named = bag_names_row(&to, in->target_rows, &in->target_wrap_size);
    *source = NULL;
    if (STREW_SELDOM(!is_named || !bag_names_row(&from, in->rows, &in->wrap_size)))
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
    const strew_bag_entries *const in = &call->in;
    const char *row = in->default_row;
    for (size_t b = 0; b < call->bags.count; b++) {
        char *const target = call->target + call->bags.targets[b];
        if (bag_entries_in(call, &call->bags.begins[b]) > 0)
            continue;
        if (row)
            memcpy(target, row, in->target_bytes);
        else
            bag_repeat(target, in->empty, element, in->target_bytes);
        row = in->default_row ? row : target;
    }
}

/* Returns the end of the bags from `first` on whose rows stay in the nearest cache while their columns are
 * combined, block after block. Far rows are read whole: that is one bag. */
INLINE size_t bag_end_of_some(const bag_call *call, size_t first)
{
    const i64 *const begins = call->bags.begins;
    const size_t bytes = call->in.source_bytes;
    size_t end = first + 1;
    while (!call->in.is_far && end < call->bags.count &&
           ((u64)(begins[end + 1] - begins[first]) + (end - first)) * bytes <= STREW_BAG_BYTES_AT_ONCE)
        end++;
    return end;
}

/* Returns the bytes of the next block of columns, of up to `all` bytes, so that none that follows is shorter than
 * `least`. */
INLINE size_t bag_next_columns(size_t left, size_t all, size_t least)
{
    return left <= all ? left : left - all < least ? all - least : all;
}

APART_OF_SOME bool bag_run(bag_loop *loop, const void *type, bag_asked combination, size_t element, BAG_PARAMETERS)
{
    static const char zero[16]; /* of any dtype */
    bag_named named;
    named.begin = named.end = 0;
    const bag_call call = {.in = *entries,
                           .bags = *window,
                           .target = target,
                           .start = entries->start ? entries->start : zero,
                           .asked = bag_asked_of(entries) | combination,
                           .ahead = bag_ahead(entries->source_bytes),
                           .named = &named,
                           .type = type};
    if (!loop(&call))
        return false;
    if (entries->empty || entries->default_row)
        bag_fill_empty(&call, element);
    return true;
}

#endif
