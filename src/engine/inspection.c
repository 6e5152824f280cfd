#include "engine/inspection.h"

#include <string.h>

#include "engine/circular.h"
#include "engine/combine.h"
#include "kernels/elements.h"

/* How the coordinates of a tuple are joined into numbers. */
typedef struct numbering {
    int32_t count;                  /* the number of numbers for each tuple */
    int32_t number[STREW_MAX_RANK]; /* for each coordinate, the number that it is part of */
    int64_t weight[STREW_MAX_RANK]; /* and what a step along the coordinate adds to that number */
    bool is_wide;                   /* numbers have 64 bits, otherwise 32 */
    int64_t stride;                 /* of the first number, in the addressed tensor */
} numbering;

/* Whether a number may exceed 32 bits. The number of a circular window is where it begins in the cache. */
static bool is_wide(const strew_form *form, const strew_coordinates *joined)
{
    if (form->circular)
        return form->output.size[form->axis] > INT32_MAX;
    for (int32_t n = 0; n < joined->count; n++)
        if (joined->each[n].size > INT32_MAX)
            return true;
    return false;
}

static numbering find_numbering(const strew_work *work)
{
    const strew_coordinates *coordinates = &work->walk.coordinates;
    strew_coordinates joined = {.count = 0};
    numbering found = {.count = 0};
    for (int32_t c = 0; c < coordinates->count; c++) {
        strew_coordinates_join(&joined, coordinates->each[c]);
        found.number[c] = joined.count - 1;
    }
    for (int32_t c = coordinates->count; c-- > 0;) {
        const bool is_last = c + 1 == coordinates->count || found.number[c + 1] != found.number[c];
        found.weight[c] = is_last ? 1 : found.weight[c + 1] * coordinates->each[c + 1].size;
    }
    found.count = joined.count;
    found.stride = joined.count > 0 ? joined.each[0].stride : 0;
    found.is_wide = is_wide(&work->form, &joined);
    return found;
}

/* Turns the layout of indices, which are not empty, into that of numbers. Returns false if the bytes overflow. */
static bool lay_out_numbers(strew_layout *indices, const strew_form *form, const numbering *numbers)
{
    int64_t step = numbers->is_wide ? 8 : 4;
    indices->dtype = numbers->is_wide ? STREW_DTYPE_INT64 : STREW_DTYPE_INT32;
    indices->element = step;
    indices->count = 1;
    for (int32_t d = indices->rank; d-- > 0;) {
        const bool is_position = d < strew_form_index_dims(form);
        if (!is_position)
            indices->size[d] = numbers->count;
        indices->count *= indices->size[d];
        const bool is_stepped = !is_position || (indices->size[d] > 1 && indices->stride[d] != 0);
        indices->stride[d] = is_stepped ? step : 0;
        if (is_stepped && !strew_multiply(step, indices->size[d], &step))
            return false;
    }
    indices->extent = (strew_extent){0, STREW_INSPECTION_BEGIN};
    return strew_add(step, STREW_INSPECTION_BEGIN, &indices->extent.high) && indices->extent.high <= PTRDIFF_MAX;
}

/* ---- Lists of each owner's rows -------------------------------------------------------------------- */

/* Returns the number of owners whose rows are listed, so that these need no search; 0 if none are listed. */
static uint32_t listed_owners_of(const strew_work *work, const strew_cut *cut, const numbering *numbers)
{
    const strew_walk *walk = &work->walk;
    const strew_dim *dim = &walk->dim[0];
    const bool is_list = walk->dims == 1 && dim->index_step != 0 && dim->base_step == 0 && dim->size <= INT32_MAX;
    return is_list && cut->kind == STREW_CUT_OWNERS && numbers->count == 1 && !numbers->is_wide &&
                   work->form.reduction != STREW_REDUCTION_MEAN
               ? (uint32_t)cut->shards
               : 0;
}

/*
 * Adds the bytes of the owners' lists to the layout: where each list begins and the last one ends, the numbers of
 * all lists, and the position in the dense tensor of each of those numbers.
 */
static bool add_lists(strew_layout *indices, uint32_t listed_owners)
{
    const int64_t numbers = indices->extent.high - STREW_INSPECTION_BEGIN;
    int64_t *const high = &indices->extent.high;
    return listed_owners == 0 ||
           (strew_add(*high, (listed_owners + INT64_C(1)) * 4, high) && strew_add(*high, numbers, high) &&
            strew_add(*high, numbers, high) && *high <= PTRDIFF_MAX);
}

static void write_lists(const strew_work *work, const strew_cut *cut, const numbering *key, char *numbers)
{
    const strew_ownership all = {0, (uint32_t)cut->shards, cut->block_bits};
    const int64_t positions = work->walk.dim[0].size;
    const u32_at *const number = (const u32_at *)numbers;
    u32_at *const begins = (u32_at *)numbers + positions, *const listed = begins + all.count + 1,
                  *const places = listed + positions;
    uint32_t next[STREW_MOST_OWNERS + 1] = {0};
    for (int64_t i = 0; i < positions; i++)
        if (number[i] != UINT32_MAX)
            next[strew_owner(all, (uintptr_t)(number[i] * (uint64_t)key->stride)) + 1]++;
    for (uint32_t owner = 0; owner <= all.count; owner++)
        begins[owner] = next[owner] += owner > 0 ? next[owner - 1] : 0;
    for (int64_t i = 0; i < positions; i++) {
        if (number[i] == UINT32_MAX)
            continue;
        const uint32_t at = next[strew_owner(all, (uintptr_t)(number[i] * (uint64_t)key->stride))]++;
        listed[at] = number[i];
        places[at] = (uint32_t)i;
    }
}

static bool has_indices(const strew_work *work)
{
    return work->form.indices.extent.high > work->form.indices.extent.low;
}

size_t strew_inspection_size(const strew_work *work, const strew_cut *cut)
{
    const numbering numbers = find_numbering(work);
    strew_layout layout = work->form.indices;
    size_t bytes = 0;
    if (strew_form_has_segment_ids(&work->form))
        return strew_add_sizes(strew_bags_sort_bytes(&work->bags, &work->walk, 1), STREW_INSPECTION_BEGIN, &bytes)
                   ? bytes
                   : SIZE_MAX;
    if (!has_indices(work))
        return 0;
    return lay_out_numbers(&layout, &work->form, &numbers) &&
                   add_lists(&layout, listed_owners_of(work, cut, &numbers))
               ? (size_t)layout.extent.high
               : SIZE_MAX;
}

/* Makes the walk that resolves indices to one of the numbers. Its dense tensor is the tensor of numbers. */
static void make_number_walk(strew_walk *walk, const strew_work *work, const strew_layout *numbers,
                             const numbering *key, int32_t number)
{
    const strew_layout *indices = &work->form.indices;
    strew_walk_begin(walk, work->kernels, indices->dtype, (strew_row_dtypes){STREW_DTYPE_NONE, STREW_DTYPE_NONE},
                     (strew_row_bytes){1, 1});
    walk->bounds = work->walk.bounds;
    walk->coordinates = work->walk.coordinates;
    for (int32_t c = 0; c < walk->coordinates.count; c++)
        walk->coordinates.each[c].stride = key->number[c] == number ? key->weight[c] : 0;
    for (int32_t d = 0; d < strew_form_index_dims(&work->form); d++)
        if (numbers->stride[d] != 0)
            strew_walk_add_dim(walk, (strew_dim){indices->size[d], indices->stride[d], numbers->stride[d], 0});
    strew_walk_coalesce(walk);
}

static void store_number(char *to, int64_t number, int64_t bytes)
{
    const int32_t narrow = (int32_t)number;
    memcpy(to, bytes == sizeof narrow ? (const void *)&narrow : &number, (size_t)bytes);
}

static void store_tile(const strew_tiles *tiles, const int64_t *offsets, int64_t bytes)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    for (int64_t s = 0; s < spans.count; s++, offsets += spans.positions)
        for (int64_t i = 0; i < spans.positions; i++)
            store_number(tiles->pointers.dense + s * spans.step + i * tiles->dense_step,
                         offsets[i] == STREW_NO_ROW ? -1 : offsets[i], bytes);
}

static bool write_number(const strew_work *work, const strew_layout *layout, const numbering *key, int32_t number,
                         const char *indices, char *numbers)
{
    strew_walk walk;
    strew_tiles tiles;
    strew_tile_offsets offsets;
    char *const first = numbers + number * layout->element;
    const strew_pointers pointers = {.indices = indices, .addressed = first, .dense = first};
    make_number_walk(&walk, work, layout, key, number);
    for (strew_tiles_begin(&tiles, &walk, &pointers); tiles.strips > 0; strew_tiles_next(&tiles)) {
        if (strew_tile_resolve(&tiles, offsets) == STREW_BAD_INDEX)
            return false;
        store_tile(&tiles, offsets, layout->element);
    }
    return true;
}

static bool write_begins(const strew_work *work, const strew_layout *layout, const char *indices, char *numbers)
{
    const strew_layout *given = &work->form.indices;
    for (int64_t b = 0; b < given->size[0]; b++) {
        int64_t begin;
        const strew_resolved resolved = strew_circular_begin(work, indices + b * given->stride[0], &begin);
        if (resolved == STREW_BAD_INDEX)
            return false;
        store_number(numbers + b * layout->stride[0], resolved == STREW_SOME_ROWS ? -1 : begin, layout->element);
    }
    return true;
}

/* Hashes the numbers. Inspections with the same numbers and layout have the same seal; others almost never do. */
static uint64_t make_seal(const strew_layout *layout, const char *numbers)
{
    const int64_t bytes = layout->extent.high - STREW_INSPECTION_BEGIN;
    uint64_t seal = (uint64_t)bytes, odd = 1;
    for (int64_t at = 0; at < bytes; at += (int64_t)sizeof(uint32_t), odd += 2) {
        uint32_t part;
        memcpy(&part, numbers + at, sizeof part);
        seal += (part + odd) * UINT64_C(0x9e3779b97f4a7c15) * odd;
    }
    return seal;
}

static bool write_numbers(strew_form *inspected, const strew_work *work, const strew_cut *cut, const char *indices,
                          char *first)
{
    const numbering numbers = find_numbering(work);
    lay_out_numbers(&inspected->indices, &work->form, &numbers);
    bool is_good = !strew_form_is_circular(&work->form) || write_begins(work, &inspected->indices, indices, first);
    for (int32_t n = 0; n < numbers.count && is_good && !work->form.circular; n++)
        is_good = write_number(work, &inspected->indices, &numbers, n, indices, first);
    if (!is_good)
        return false;
    inspected->listed_owners = listed_owners_of(work, cut, &numbers);
    add_lists(&inspected->indices, inspected->listed_owners);
    if (inspected->listed_owners > 0)
        write_lists(work, cut, &numbers, first);
    return true;
}

bool strew_inspect(strew_form *inspected, const strew_work *work, const strew_cut *cut,
                   const strew_buffers *buffers, char *storage)
{
    char *const first = storage + STREW_INSPECTION_BEGIN;
    const bool sorts = strew_form_has_segment_ids(&work->form);
    *inspected = work->form;
    if (!sorts && !has_indices(work))
        return true;
    const size_t size = strew_inspection_size(work, cut);
    const bool leaves_some = sorts || work->form.bounds == STREW_BOUNDS_SKIP;
    memset(storage, 0, leaves_some ? size : STREW_INSPECTION_BEGIN); /* the seal covers bytes that stay unwritten */
    if (!(sorts ? strew_combine_inspect(inspected, work, buffers, first)
                : write_numbers(inspected, work, cut, buffers->indices, first)))
        return false;
    inspected->indices.extent = (strew_extent){0, (int64_t)size};
    inspected->inspected = true;
    inspected->wrap = false;
    inspected->bounds = work->form.bounds == STREW_BOUNDS_SKIP && !sorts ? STREW_BOUNDS_SKIP : STREW_BOUNDS_REFUSE;
    inspected->seal = make_seal(&inspected->indices, first);
    memcpy(storage, &inspected->seal, sizeof inspected->seal);
    return true;
}

bool strew_inspection_is_sealed(const strew_form *inspected, const void *storage)
{
    return memcmp(storage, &inspected->seal, sizeof inspected->seal) == 0;
}
