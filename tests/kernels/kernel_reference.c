/* The families of kernels in their plainest form. */
#include "kernel_reference.h"

#include <string.h>

#include "element.h"

/* ---- Moves --------------------------------------------------------------------------------------- */

static void copy_bytes(char *target, const char *source, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        target[i] = source[i];
}

static void combine_rows(const kernel_slot *slot, char *data, const char *update, size_t bytes)
{
    for (size_t e = 0; e < bytes; e += element_size(slot->dtype))
        element_combine(slot->dtype, slot->reduction, data + e, update + e);
}

void reference_move(const kernel_slot *slot, const move_call *call)
{
    for (size_t i = 0; i < call->count; i++) {
        char *place = call->addressed + call->offsets[i];
        char *row = call->dense.rows + (int64_t)i * call->dense.step;
        if (slot->family == FAMILY_GATHER)
            copy_bytes(row, place, call->dense.row_bytes);
        else if (slot->family == FAMILY_SCATTER)
            copy_bytes(place, row, call->dense.row_bytes);
        else
            combine_rows(slot, place, row, call->dense.row_bytes);
    }
}

/* ---- Resolving ----------------------------------------------------------------------------------- */

bool reference_position(strew_dtype dtype, const char *index, int64_t size, bool wrap, int64_t *position)
{
    const uint64_t bits = element_load_integer(dtype, index);
    if (!element_is_signed(dtype) && bits > INT64_MAX)
        return false;
    const int64_t value = (int64_t)bits;
    *position = value < 0 ? value + size : value;
    return value >= (wrap ? -size : 0) && value < size;
}

/* The place of a tuple in the addressed tensor. */
static bool reference_place(strew_dtype dtype, const char *tuple, const strew_coordinates *coordinates,
                            int64_t *place)
{
    bool good = true;
    *place = 0;
    for (int32_t c = 0; c < coordinates->count; c++) {
        const strew_coordinate coordinate = coordinates->each[c];
        int64_t position;
        if (reference_position(dtype, tuple + c * coordinates->step, coordinate.size, coordinates->wrap, &position))
            *place += position * coordinate.stride;
        else
            good = false;
    }
    return good;
}

bool reference_resolve(const kernel_slot *slot, const resolve_call *call)
{
    bool good = true;
    for (size_t i = 0; i < call->count; i++) {
        int64_t place;
        good &=
            reference_place(slot->dtype, call->indices + (int64_t)i * call->index_step, call->coordinates, &place);
        call->offsets[i] = call->bases[i] + place;
    }
    return good;
}

/* The position of a bad index after the policy; false if it has none. */
static bool reference_amended(strew_dtype dtype, const char *index, int64_t size, strew_bounds bounds,
                              int64_t *position)
{
    const uint64_t bits = element_load_integer(dtype, index);
    const bool negative = element_is_signed(dtype) && (int64_t)bits < 0;
    if (bounds == STREW_BOUNDS_CLAMP)
        *position = negative ? 0 : size - 1;
    else if (bounds == STREW_BOUNDS_WRAP)
        *position = negative ? ((int64_t)bits % size + size) % size : (int64_t)(bits % (uint64_t)size);
    return bounds == STREW_BOUNDS_CLAMP || bounds == STREW_BOUNDS_WRAP;
}

void reference_amend(const kernel_slot *slot, const resolve_call *call)
{
    const strew_coordinates *coordinates = call->coordinates;
    for (size_t i = 0; i < call->count; i++) {
        int64_t place = call->bases[i];
        bool has_row = true;
        for (int32_t c = 0; c < coordinates->count; c++) {
            const char *index = call->indices + (int64_t)i * call->index_step + c * coordinates->step;
            const int64_t size = coordinates->each[c].size;
            int64_t position = 0;
            if (!reference_position(slot->dtype, index, size, coordinates->wrap, &position))
                has_row &= reference_amended(slot->dtype, index, size, call->bounds, &position);
            place += has_row ? position * coordinates->each[c].stride : 0;
        }
        call->offsets[i] = has_row ? place : STREW_NO_ROW;
    }
}

/* ---- Bags ---------------------------------------------------------------------------------------- */

typedef char bag_element[16];

/* An element of a row, in the type that it is combined in. */
static void load_folded(strew_dtype from, strew_dtype in, bag_element value, const char *element)
{
    if (from == in)
        memcpy(value, element, element_size(from));
    else
        element_store(in, element_load(from, element), value);
}

static void store_folded(strew_dtype to, strew_dtype in, char *element, const bag_element value)
{
    if (to == in)
        memcpy(element, value, element_size(to));
    else
        element_store(to, element_load(in, value), element);
}

static const char *item_of(const strew_bag_entries *all, const char *items, int64_t step, int64_t line_step,
                           int64_t entry)
{
    return items + entry / all->line * line_step + entry % all->line * step;
}

typedef enum bag_row { BAG_HAS_ROW, BAG_HAS_NONE, BAG_IS_WRONG } bag_row;

static bag_row find_bag_row(const strew_bag_entries *all, int64_t entry, int64_t *row)
{
    const char *index =
        all->indices ? item_of(all, all->indices, all->index_step, all->index_line_step, entry) : NULL;
    *row = entry;
    if (!index || reference_position(all->index_dtype, index, all->rows, all->wrap_size != 0, row))
        return BAG_HAS_ROW;
    if (all->leaves_out)
        return BAG_HAS_NONE;
    *row = all->amend ? all->amend(all->list, entry) : -1;
    return *row >= 0 ? BAG_HAS_ROW : BAG_IS_WRONG;
}

static const char *weight_of(const strew_bag_entries *all, int64_t entry)
{
    uint32_t weight = (uint32_t)entry;
    if (all->order)
        memcpy(&weight, all->order + (size_t)entry * sizeof weight, sizeof weight);
    if (all->order && (int64_t)weight >= all->weight_count)
        weight = 0;
    return item_of(all, all->weights, all->weight_step, all->weight_line_step, weight);
}

/* Element `e` of the row of a bag. */
static bool combine_bag(const kernel_slot *slot, const strew_bag_entries *all, const strew_bag_window *window,
                        size_t b, char *element, size_t e)
{
    const int64_t begin = window->begins[b], end = window->begins[b + 1];
    const strew_dtype dtype = slot->dtype, in = strew_is_half(dtype) ? STREW_DTYPE_FLOAT32 : dtype;
    const size_t size = element_size(dtype);
    bag_element folded = {0}, update = {0}, weight = {0};
    int64_t row, left_out = 0;
    load_folded(dtype, in, folded, all->start ? all->start : element);
    for (int64_t entry = begin; entry < end; entry++) {
        const bag_row found = find_bag_row(all, entry, &row);
        if (found == BAG_IS_WRONG)
            return false;
        left_out += found == BAG_HAS_NONE;
        if (found == BAG_HAS_NONE)
            continue;
        load_folded(dtype, in, update, all->source + row * all->source_step + e * size);
        if (all->weights) {
            load_folded(dtype, in, weight, weight_of(all, entry));
            element_combine(in, STREW_REDUCTION_PROD, update, weight);
        }
        element_combine(in, slot->reduction, folded, update);
        if (all->rounds && in != dtype) {
            bag_element rounded;
            store_folded(dtype, in, rounded, folded);
            load_folded(dtype, in, folded, rounded);
        }
    }
    window->left_out[b] = left_out;
    const int64_t combined = end - begin - left_out;
    if (combined > 0 && all->is_mean && in != dtype)
        element_divide(in, folded, combined);
    if (combined > 0 || all->starts_are_empty)
        store_folded(dtype, in, element, folded);
    else if (all->default_row || all->empty)
        memcpy(element, all->default_row ? all->default_row + e * size : all->empty, size);
    return true;
}

/* The row of the target that a bag goes into; NULL if it is dropped. */
static char *target_of_bag(const bag_call *call, size_t b)
{
    const strew_bag_entries *entries = &call->entries;
    int64_t target = call->window.targets[b];
    if (!call->window.sources)
        return call->target + target;
    target += target < 0 ? entries->target_wrap_size : 0;
    return target >= 0 && target < entries->target_rows ? call->target + target * entries->target_step : NULL;
}

bool reference_bag(const kernel_slot *slot, const bag_call *call)
{
    const size_t size = element_size(slot->dtype);
    for (size_t b = 0; b < call->window.count; b++) {
        char *const target = target_of_bag(call, b);
        for (size_t e = 0; e < call->entries.target_bytes / size && target; e++)
            if (!combine_bag(slot, &call->entries, &call->window, b, target + e * size, e))
                return false;
    }
    return true;
}

/* ---- Division ------------------------------------------------------------------------------------ */

void reference_divide(const kernel_slot *slot, const divide_call *call)
{
    for (size_t i = 0; i < call->count; i++) {
        char *counter = call->counters + call->counter_offsets[i];
        uint64_t updates;
        memcpy(&updates, counter, sizeof updates);
        if (updates == 0)
            continue;
        for (size_t e = 0; e < call->row_bytes; e += element_size(slot->dtype))
            element_divide(slot->dtype, call->addressed + call->offsets[i] + e, (int64_t)(updates + call->extra));
        memset(counter, 0, sizeof updates);
    }
}

/* ---- Picking ------------------------------------------------------------------------------------- */

static void move_by_table(const kernel_slot *slot, char *element, char *dense)
{
    if (slot->family == FAMILY_LOOKUP)
        memcpy(dense, element, slot->row_bytes);
    else if (slot->family == FAMILY_PUT)
        memcpy(element, dense, slot->row_bytes);
    else
        element_combine(slot->dtype, slot->reduction, element, dense);
}

size_t reference_table(const kernel_slot *slot, const table_call *call)
{
    const strew_element_table *table = &call->table;
    const strew_dtype dtype = table->is_narrow ? STREW_DTYPE_INT32 : STREW_DTYPE_INT64;
    for (size_t i = 0; i < table->tables * call->count; i++) {
        char *const elements = table->elements + table->bases[i - i % call->count];
        int64_t index = (int64_t)element_load_integer(dtype, call->indices + i * element_size(dtype));
        if (index < 0 && table->wrap)
            index += table->size;
        if (index < 0 || index >= table->size)
            return i;
        move_by_table(slot, elements + index * (int64_t)slot->row_bytes,
                      call->dense + (int64_t)i * table->dense_step);
    }
    return table->tables * call->count;
}

size_t reference_pick(const pick_call *call)
{
    size_t picks = 0;
    for (size_t i = 0; i < call->count; i++) {
        const uintptr_t address = (uintptr_t)call->addressed + (uintptr_t)call->offsets[i];
        if (strew_owner(call->ownership, address) != call->ownership.index)
            continue;
        call->picked[picks] = call->offsets[i];
        call->picked_others[picks++] = call->others[i];
    }
    return picks;
}
