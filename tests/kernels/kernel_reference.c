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

/* Where one tuple leads to, from the addressed tensor. */
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

/* The position that a wrong index becomes; false for none. */
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

/* ---- Folds --------------------------------------------------------------------------------------- */

typedef struct fold_step {
    strew_dtype from, in; /* the dtype of rows, and the one that they are folded in */
    strew_reduction reduction;
    bool first, last; /* of the run */
} fold_step;

static bool is_half(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_FLOAT16 || dtype == STREW_DTYPE_BFLOAT16;
}

static fold_step fold_step_at(const kernel_slot *slot, const fold_call *call, size_t i)
{
    const bool halves = is_half(slot->dtype);
    const bool apart = halves && call->fold.apart;
    const int64_t *runs = call->target_offsets;
    return (fold_step){slot->dtype, halves ? STREW_DTYPE_FLOAT32 : slot->dtype, slot->reduction,
                       i == 0 || apart || runs[i - 1] != runs[i],
                       i == call->count - 1 || apart || runs[i + 1] != runs[i]};
}

typedef char fold_element[16];

static void load_folded(const fold_step *step, fold_element value, const char *element)
{
    if (step->from == step->in)
        memcpy(value, element, element_size(step->from));
    else
        element_store(step->in, element_load(step->from, element), value);
}

static void store_folded(const fold_step *step, char *element, const fold_element value)
{
    if (step->from == step->in)
        memcpy(element, value, element_size(step->from));
    else
        element_store(step->from, element_load(step->in, value), element);
}

/* Element `e` of every row, one entry after the other. */
static void fold_elements(const kernel_slot *slot, const fold_call *call, size_t e)
{
    const strew_fold *fold = &call->fold;
    const size_t size = element_size(slot->dtype);
    fold_element folded = {0}, update, weight;
    uint64_t entries = 0;
    for (size_t i = 0; i < call->count; i++) {
        const fold_step step = fold_step_at(slot, call, i);
        const bool carries = step.from != step.in, continues = i == 0 && fold->continued;
        char *target = call->target + call->target_offsets[i] + e * size;
        char *carry = carries && fold->carry ? fold->carry + e * sizeof(float) : NULL;
        if (continues && carries)
            memcpy(folded, carry, sizeof(float));
        else if (step.first)
            load_folded(&step, folded, fold->start && !continues ? fold->start : target);
        load_folded(&step, update, fold->source + call->source_offsets[i] + e * size);
        if (fold->weights) {
            load_folded(&step, weight, fold->weights + (int64_t)i * fold->weight_step);
            element_combine(step.in, STREW_REDUCTION_PROD, update, weight);
        }
        element_combine(step.in, step.reduction, folded, update);
        entries = step.first ? (continues ? fold->counted : 0) + 1 : entries + 1;
        if (i == call->count - 1 && fold->open && carries) {
            memcpy(carry, folded, sizeof(float));
        } else if (step.last) {
            if (fold->is_mean && carries)
                element_divide(step.in, folded, (int64_t)entries);
            store_folded(&step, target, folded);
        }
    }
}

void reference_fold(const kernel_slot *slot, const fold_call *call)
{
    for (size_t e = 0; e < call->fold.row_bytes / element_size(slot->dtype); e++)
        fold_elements(slot, call, e);
}

/* ---- Pools --------------------------------------------------------------------------------------- */

/* The row that an entry names, as its offset in the source. */
static bool pooled_row(const strew_pool *pool, size_t entry, int64_t *offset)
{
    const strew_dtype dtype = pool->is_narrow ? STREW_DTYPE_INT32 : STREW_DTYPE_INT64;
    int64_t row = (int64_t)entry;
    const char *index = pool->indices ? pool->indices + entry * element_size(dtype) : NULL;
    if (index ? !reference_position(dtype, index, pool->rows, pool->gain != 0, &row) : row >= pool->rows)
        return false;
    *offset = row * pool->source_step;
    return true;
}

/* Each entry of a bag is folded into its row, which starts with zero. */
bool reference_pool(const kernel_slot *slot, const pool_call *call)
{
    static const char zero[16];
    const strew_pool *pool = &call->pool;
    kernel_slot sum = *slot;
    sum.reduction = STREW_REDUCTION_SUM;
    size_t entry = call->begin;
    for (size_t b = 0; b < call->bags; b++) {
        char *const target = call->target + (int64_t)b * call->target_step;
        if (!pool->adds)
            memset(target, 0, pool->row_bytes);
        int64_t offsets[POOL_ENTRIES], targets[POOL_ENTRIES] = {0};
        const size_t first = entry;
        for (; entry < (size_t)call->ends[b]; entry++)
            if (!pooled_row(pool, entry, &offsets[entry - first]))
                return false;
        fold_call folded = {target, targets, offsets, entry - first, {0}};
        folded.fold =
            (strew_fold){.source = pool->source,
                         .row_bytes = pool->row_bytes,
                         .weights = pool->weights ? pool->weights + (int64_t)first * pool->weight_step : NULL,
                         .weight_step = pool->weight_step,
                         .start = pool->adds ? NULL : zero,
                         .is_mean = pool->is_mean};
        reference_fold(&sum, &folded);
    }
    return true;
}

/* ---- Accumulations ------------------------------------------------------------------------------- */

static bool named_row(strew_named_rows rows, int64_t number, int64_t *offset)
{
    int64_t row;
    if (!reference_position(STREW_DTYPE_INT64, (const char *)&number, rows.count, rows.gain != 0, &row))
        return false;
    *offset = row * rows.step;
    return true;
}

/* Each entry goes on with a run that no other ends, of halves in the target itself. */
bool reference_accumulate(const kernel_slot *slot, const accumulate_call *call)
{
    const strew_accumulation *all = &call->accumulation;
    kernel_slot sum = *slot;
    sum.reduction = STREW_REDUCTION_SUM;
    for (size_t i = 0; i < call->count; i++) {
        int64_t from, to;
        if (!named_row(all->sources, call->sources[i], &from) || !named_row(all->targets, call->targets[i], &to))
            return false;
        fold_call folded = {call->target, &to, &from, 1, {0}};
        folded.fold = (strew_fold){.source = all->source,
                                   .row_bytes = all->row_bytes,
                                   .weights = all->weights ? all->weights + (int64_t)i * all->weight_step : NULL,
                                   .continued = true,
                                   .open = true,
                                   .carry = call->target + to};
        reference_fold(&sum, &folded);
    }
    return true;
}

void reference_round(const kernel_slot *slot, const round_call *call)
{
    const size_t size = element_size(slot->dtype), elements = call->row_bytes / size;
    for (size_t r = 0; r < call->rows; r++)
        for (size_t e = 0; e < elements; e++)
            element_store(slot->dtype,
                          element_load(STREW_DTYPE_FLOAT32, call->sums + (r * elements + e) * sizeof(float)),
                          call->target + (int64_t)r * call->target_step + e * size);
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

size_t reference_adjoin(const int64_t *offsets, size_t begin, size_t count, int64_t row_bytes)
{
    size_t end = begin + 1;
    while (end < count && offsets[end] == offsets[end - 1] + row_bytes)
        end++;
    return end;
}

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
    const strew_table *table = &call->table;
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
