/* Combines bags, in plain C: one loop for all dtypes, which calls what differs by its address. */
#include "kernels/bag_entries.h"
#include "scalar/kernels.h"
#include "scalar/vector.h"

/* A dtype, and the type that its rows are combined in: float32 for halves, otherwise the dtype itself. */
typedef struct bag_type {
    strew_move_kernel *combine; /* rows of that type */
    void (*load)(void *folded, const char *row, size_t elements);
    void (*store)(char *row, const void *folded, size_t elements);
    void (*weigh)(void *folded, const char *row, const char *weight, size_t elements); /* loads rounded products */
    size_t element, folded; /* bytes of an element of either */
} bag_type;

/* How many bytes of a row are combined at once. */
enum { BAG_MOST = 512 };

/* Columns in the type that they are combined in: floats, or any elements. */
typedef f32 bag_block[BAG_MOST / sizeof(f32)];

static bool is_widened(const bag_type *type)
{
    return type->element != type->folded;
}

/* Combines columns with those of another row, times its weight if it has one. */
static void combine_row(const bag_type *type, f32 *folded, const char *row, const char *weight, size_t elements)
{
    bag_block room;
    const bool is_loaded = weight || is_widened(type);
    if (weight)
        type->weigh(room, row, weight, elements);
    else if (is_loaded)
        type->load(room, row, elements);
    type->combine((char *)folded, &(int64_t){0}, 1,
                  &(strew_dense){.rows = is_loaded ? (char *)room : (char *)(uintptr_t)row,
                                 .row_bytes = elements * type->folded});
}

/* Combines rows, as a reduce_rows kernel does, in the type of the combination. */
APART_OF_SOME void combine_rows(const bag_type *type, MOVE_PARAMETERS)
{
    const size_t most = BAG_MOST / type->folded * type->element;
    for (size_t i = 0; i < count; i++)
        for (size_t byte = 0; byte < dense->row_bytes; byte += most) {
            const size_t left = dense->row_bytes - byte, elements = (left < most ? left : most) / type->element;
            char *const target = addressed + offsets[i] + byte;
            bag_block folded;
            type->load(folded, target, elements);
            combine_row(type, folded, dense->rows + (i64)i * dense->step + byte, NULL, elements);
            type->store(target, folded, elements);
        }
}

/* Rounds halves, as a store and a load do. */
static void round_row(const bag_type *type, f32 *folded, size_t elements)
{
    u16 halves[BAG_MOST / sizeof(f32)];
    type->store((char *)halves, folded, elements);
    type->load(folded, (const char *)halves, elements);
}

/* Combines some columns of a bag, or of one entry, whose row and target have been found. Returns false if an index
 * is wrong. */
static bool combine_columns(const bag_type *type, const f32 *start, bag_columns columns, size_t b,
                            const char *single, char *target, const bag_call *call)
{
    const strew_bag_entries *const entries = &call->in;
    const size_t elements = columns.bytes / type->element;
    const bool has_weights = entries->weights != NULL;
    const i64 begin = single ? call->bags.begins[0] + (i64)b : call->bags.begins[b],
              end = single ? begin + 1 : call->bags.begins[b + 1];
    i64 combined = end - begin;
    bag_block folded;
    if (entries->start)
        memcpy(folded, start, elements * type->folded);
    else
        type->load(folded, target, elements);
    for (i64 e = begin; e < end; e++) {
        const char *row = single, *weight = single && has_weights ? bag_single_weight(entries, begin, 0) : NULL;
        i64 stop;
        if (!single) {
            if (!bag_name_some(call, e, end, &stop))
                return false;
            row = call->named->rows[e - call->named->begin];
            weight = call->named->weights[e - call->named->begin];
        }
        combined -= !row;
        if (!row)
            continue;
        combine_row(type, folded, row + columns.begin, has_weights ? weight : NULL, elements);
        if (entries->rounds && is_widened(type))
            round_row(type, folded, elements);
    }
    if (entries->leaves_out && !single)
        call->bags.left_out[b] = end - begin - combined;
    if (combined == 0 && !entries->starts_are_empty)
        return true;
    for (size_t e = 0; e < elements && entries->is_mean && is_widened(type) && combined > 0; e++)
        folded[e] = f32_divided(folded[e], (u64)combined);
    type->store(target, folded, elements);
    return true;
}

/* Combines the rows of all bags, some columns of one bag after the other. */
static bool combine_bags(const bag_call *call)
{
    const bag_type *const type = call->type;
    const size_t most = BAG_MOST / type->folded * type->element;
    const size_t bytes = call->in.target_bytes;
    bag_block start, element;
    bool right = true;
    if (call->in.start) {
        type->load(element, call->in.start, 1);
        bag_repeat((char *)start, (const char *)element, type->folded, sizeof start);
    }
    for (size_t b = 0; b < call->bags.count && right; b++) {
        const char *single = NULL;
        char *target = call->target;
        if (!call->bags.sources)
            target += call->bags.targets[b];
        else if (!bag_find_single(&call->in, &call->bags, b, &single, &target))
            return false;
        else if (!single)
            continue;
        for (bag_columns some = {0, 0, 0}; some.begin < bytes && right; some.begin += some.bytes) {
            some.bytes = bytes - some.begin < most ? bytes - some.begin : most;
            right = combine_columns(type, start, some, b, single, target + some.begin, call);
        }
    }
    return right;
}

#define STREW_ISA scalar
#define STREW_BODY "scalar/bag.inc"
#define STREW_T_KINDS (KIND_BOOL | KINDS_OF_NUMBERS)
#include "kernels/each_dtype.inc"
