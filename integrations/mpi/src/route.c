/* The indices of a rank: checked, and ordered by the rank that holds each row. */
#include "internal.h"

#include <string.h>

/* ---- Reading ------------------------------------------------------------------------------------- */

enum { BATCH = 256 };

#define READ(type, coordinate)                         \
    for (int i = 0; i < count; i++) {                  \
        type value;                                    \
        memcpy(&value, from + i * step, sizeof value); \
        values[i] = coordinate;                        \
    }                                                  \
    break

/* Reads `count` coordinates that lie `step` bytes apart. A uint64 above INT64_MAX becomes its remainder by
 * `modulus` or, if that is 0, INT64_MAX, which is always out of bounds. */
static void read_coordinates(const char *from, ptrdiff_t step, strew_dtype dtype, int count, uint64_t modulus,
                             int64_t values[BATCH])
{
    switch (dtype) {
    case STREW_DTYPE_INT8: READ(int8_t, value);
    case STREW_DTYPE_INT16: READ(int16_t, value);
    case STREW_DTYPE_INT32: READ(int32_t, value);
    case STREW_DTYPE_INT64: READ(int64_t, value);
    case STREW_DTYPE_UINT8: READ(uint8_t, value);
    case STREW_DTYPE_UINT16: READ(uint16_t, value);
    case STREW_DTYPE_UINT32: READ(uint32_t, value);
    default: READ(uint64_t, value <= INT64_MAX ? (int64_t)value : modulus ? (int64_t)(value % modulus) : INT64_MAX);
    }
}

#undef READ

/* The layout of a rank's indices in memory. */
struct reader {
    const char *data;
    strew_dtype dtype;
    ptrdiff_t row_step, step; /* in bytes, from index to index and from coordinate to coordinate */
    bool refuses_negative;
    strew_bounds bounds;
};

static struct reader open_indices(const strew_tensor *indices, bool refuses_negative, strew_bounds bounds)
{
    const ptrdiff_t size = (ptrdiff_t)strew_dtype_size(indices->dtype);
    return (struct reader){indices->data,
                           indices->dtype,
                           strew_mpi_step(indices, 0, (ptrdiff_t)indices->shape[1] * size),
                           strew_mpi_step(indices, 1, size),
                           refuses_negative,
                           bounds};
}

/* Some indices, as rows of the table and places within a row. */
struct batch {
    int count;
    bool is_right;
    int64_t rows[BATCH], within[BATCH];
    bool is_outside[BATCH]; /* marks bad indices, unless is_right */
};

/* Applies the policy to coordinates out of bounds. In an empty dimension they stay bad. */
static void settle(const struct reader *reader, int count, int64_t size, int64_t coordinates[BATCH])
{
    const int64_t least = reader->refuses_negative ? 0 : -size;
    for (int i = 0; i < count && size > 0; i++) {
        const int64_t value = coordinates[i], rest = value % size;
        if (value >= least && value < size)
            continue;
        if (reader->bounds == STREW_BOUNDS_CLAMP)
            coordinates[i] = value < 0 ? 0 : size - 1;
        else
            coordinates[i] = rest < 0 ? rest + size : rest;
    }
}

static void mark_outside(const struct reader *reader, int count, int64_t size, const int64_t coordinates[BATCH],
                         bool is_outside[BATCH])
{
    const int64_t least = reader->refuses_negative ? 0 : -size;
    for (int i = 0; i < count; i++)
        is_outside[i] |= coordinates[i] < least || coordinates[i] >= size;
}

/* Appends a coordinate to the indices: at = at * size + coordinate. */
static bool fold(const struct reader *reader, int count, int64_t size, const int64_t coordinates[BATCH],
                 int64_t at[BATCH])
{
    const int64_t wrap = reader->refuses_negative ? 0 : size;
    bool is_right = true;
    for (int i = 0; i < count; i++) {
        const int64_t value = coordinates[i] + (coordinates[i] < 0 ? wrap : 0);
        is_right &= (uint64_t)value < (uint64_t)size;
        at[i] = (int64_t)((uint64_t)at[i] * (uint64_t)size + (uint64_t)value);
    }
    return is_right;
}

static void read_batch(const struct reader *reader, const struct strew_mpi_plan *plan, int64_t begin,
                       struct batch *batch)
{
    const int64_t left = plan->count - begin;
    const int count = left < BATCH ? (int)left : BATCH;
    int64_t coordinates[BATCH];
    batch->count = count;
    batch->is_right = true;
    memset(batch->rows, 0, sizeof batch->rows);
    memset(batch->within, 0, sizeof batch->within);
    memset(batch->is_outside, 0, sizeof batch->is_outside);
    for (int32_t axis = 0; axis < plan->width; axis++) {
        const char *from = reader->data + (ptrdiff_t)begin * reader->row_step + axis * reader->step;
        const int64_t size = plan->shape[axis];
        const bool wraps = reader->bounds == STREW_BOUNDS_WRAP;
        read_coordinates(from, reader->row_step, reader->dtype, count, wraps ? (uint64_t)size : 0, coordinates);
        if (wraps || reader->bounds == STREW_BOUNDS_CLAMP)
            settle(reader, count, size, coordinates);
        if (!fold(reader, count, size, coordinates, axis == 0 ? batch->rows : batch->within)) {
            batch->is_right = false;
            mark_outside(reader, count, size, coordinates, batch->is_outside);
        }
    }
}

/* ---- A wrong index ------------------------------------------------------------------------------- */

/*
 * Gets strew's error for the bad index: gathers from a tensor of the table's shape whose strides are 0, a single
 * byte. Gathers the batch one by one, to find the first bad index.
 */
static bool name_bad_index(struct strew_mpi_call *call, const struct strew_mpi_plan *plan,
                           const struct reader *reader, int64_t begin, int count)
{
    static const int64_t no_strides[STREW_MAX_RANK] = {0};
    char byte = 0, out = 0;
    strew_error error = {0};
    strew_options options = STREW_OPTIONS_INIT;
    options.error = &error;
    options.flags = reader->refuses_negative ? STREW_FLAG_REFUSE_NEGATIVE_INDICES : 0;
    options.bounds = reader->bounds;
    const strew_tensor data = {&byte, STREW_DTYPE_UINT8, plan->width, plan->shape, no_strides};
    const strew_tensor output = {&out, STREW_DTYPE_UINT8, 1, (int64_t[]){1}, NULL};
    const int64_t strides[] = {0, reader->step / (ptrdiff_t)strew_dtype_size(reader->dtype)};
    for (int64_t at = begin; at < begin + count; at++) {
        const char *from = reader->data + (ptrdiff_t)at * reader->row_step;
        const strew_tensor index = {(void *)(uintptr_t)from, reader->dtype, 2, (int64_t[]){1, plan->width},
                                    strides};
        if (strew_gather_nd(&data, &index, 0, &output, &options) != STREW_STATUS_OK) {
            error.position[0] = at;
            break;
        }
    }
    return strew_mpi_refuse_local(call, &error);
}

/* ---- Who holds it -------------------------------------------------------------------------------- */

/* A resolved list of indices: the owner of each row, and the row's place there. */
struct resolved {
    int32_t *owners; /* NOBODY means skipped */
    int64_t *slices;
    int64_t count;
};

enum { NOBODY = -1 };

static void find_owners(const struct strew_mpi_plan *plan, const struct batch *batch, int32_t *owners,
                        int64_t *slices)
{
    const int ranks = plan->context->size;
    for (int i = 0; i < batch->count; i++) {
        int64_t local;
        int owner;
        if (batch->is_outside[i]) {
            owners[i] = NOBODY;
            slices[i] = 0;
            continue;
        }
        strew_mpi_find_row(plan->shape[0], plan->block, ranks, batch->rows[i], &owner, &local);
        owners[i] = owner;
        slices[i] = local * plan->inner + batch->within[i];
    }
}

static bool resolve(struct strew_mpi_call *call, const struct strew_mpi_plan *plan, const strew_tensor *indices,
                    bool refuses_negative, const struct resolved *resolved)
{
    const struct reader reader = open_indices(indices, refuses_negative, plan->bounds);
    struct batch batch;
    for (int64_t begin = 0; begin < plan->count; begin += BATCH) {
        read_batch(&reader, plan, begin, &batch);
        if (!batch.is_right && plan->bounds != STREW_BOUNDS_SKIP)
            return name_bad_index(call, plan, &reader, begin, batch.count);
        find_owners(plan, &batch, resolved->owners + begin, resolved->slices + begin);
    }
    return true;
}

/* ---- Repetitions --------------------------------------------------------------------------------- */

static uint64_t hash(int32_t owner, int64_t slice)
{
    const uint64_t mixed = ((uint64_t)slice ^ ((uint64_t)(uint32_t)owner << 40)) * 0x9E3779B97F4A7C15u;
    return mixed ^ (mixed >> 32);
}

/*
 * Keeps the first appearance of each row, in place; numbers[i] becomes the number of the kept one for index i, or
 * NOBODY. `found` is a hash table: numbers, or -1.
 */
static void drop_repetitions(struct resolved *resolved, int64_t *numbers, int64_t *found, uint64_t mask)
{
    int64_t kept = 0;
    memset(found, 0xFF, (size_t)(mask + 1) * sizeof *found);
    for (int64_t i = 0; i < resolved->count; i++) {
        const int32_t owner = resolved->owners[i];
        const int64_t slice = resolved->slices[i];
        numbers[i] = NOBODY;
        if (owner == NOBODY)
            continue;
        uint64_t at = hash(owner, slice) & mask;
        while (found[at] >= 0 && (resolved->slices[found[at]] != slice || resolved->owners[found[at]] != owner))
            at = (at + 1) & mask;
        if (found[at] < 0) {
            resolved->owners[kept] = owner;
            resolved->slices[kept] = slice;
            found[at] = kept++;
        }
        numbers[i] = found[at];
    }
    resolved->count = kept;
}

/* ---- The order in which they travel -------------------------------------------------------------- */

static void split(struct strew_mpi_route *route, int ranks)
{
    int64_t *parts = route->counts.memory;
    route->out.counts = parts;
    route->out.starts = parts + ranks;
    route->in.counts = parts + 2 * (size_t)ranks;
    route->in.starts = parts + 3 * (size_t)ranks;
}

static bool is_wide(int64_t count)
{
    return count > INT32_MAX;
}

/* The most rows on any rank: rank 0 holds them. */
static int64_t most_slices(const struct strew_mpi_plan *plan)
{
    return strew_mpi_local_rows(plan->shape[0], plan->block, plan->context->size, 0) * plan->inner;
}

static bool reserve_route(struct strew_mpi_call *call, const struct strew_mpi_plan *plan,
                          struct strew_mpi_route *route, int64_t count)
{
    const int ranks = plan->context->size;
    route->place.count = plan->count;
    route->place.is_wide = is_wide(plan->count);
    route->sent.count = count;
    route->sent.is_wide = route->received.is_wide = is_wide(most_slices(plan));
    if (!strew_mpi_reserve(call, &route->counts, 4 * (int64_t)ranks, sizeof(int64_t)) ||
        !strew_mpi_reserve(call, &route->place.buffer, plan->count, strew_mpi_index_size(&route->place)) ||
        !strew_mpi_reserve(call, &route->sent.buffer, count, strew_mpi_index_size(&route->sent)))
        return false;
    split(route, ranks);
    return true;
}

/* Sorts by owner, and leaves those of one owner in their order. `places` are those that each got; may be `slices`.
 */
static void sort_by_owner(struct strew_mpi_route *route, int ranks, const struct resolved *resolved,
                          struct strew_mpi_list *places)
{
    int64_t *counts = route->out.counts, *starts = route->out.starts, total = 0;
    memset(counts, 0, (size_t)ranks * sizeof *counts);
    for (int64_t i = 0; i < resolved->count; i++)
        if (resolved->owners[i] != NOBODY)
            counts[resolved->owners[i]]++;
    for (int rank = 0; rank < ranks; rank++) {
        starts[rank] = total;
        total += counts[rank];
    }
    for (int64_t i = 0; i < resolved->count; i++) {
        if (resolved->owners[i] == NOBODY) {
            strew_mpi_put(places, i, NOBODY);
            continue;
        }
        const int64_t place = starts[resolved->owners[i]]++;
        strew_mpi_put(&route->sent, place, resolved->slices[i]);
        strew_mpi_put(places, i, place);
    }
    for (int rank = 0; rank < ranks; rank++)
        starts[rank] -= counts[rank];
    route->out.total = total;
}

static bool route_full(struct strew_mpi_call *call, struct strew_mpi_plan *plan, const struct resolved *resolved)
{
    struct strew_mpi_route *route = &plan->routes[ROUTE_FULL];
    if (!reserve_route(call, plan, route, plan->count))
        return false;
    sort_by_owner(route, plan->context->size, resolved, &route->place);
    return true;
}

/* Overwrites `resolved`. */
static bool route_distinct(struct strew_mpi_call *call, struct strew_mpi_plan *plan, struct resolved *resolved)
{
    strew_mpi_context *context = plan->context;
    struct strew_mpi_buffer *found = &context->buffers[BUFFER_FOUND], *numbers = &context->buffers[BUFFER_NUMBERS];
    struct strew_mpi_route *route = &plan->routes[ROUTE_DISTINCT];
    int64_t room = 64;
    while (room / 2 < plan->count)
        room *= 2;
    if (!strew_mpi_reserve(call, found, room, sizeof(int64_t)) ||
        !strew_mpi_reserve(call, numbers, plan->count, sizeof(int64_t)))
        return false;
    drop_repetitions(resolved, numbers->memory, found->memory, (uint64_t)room - 1);
    if (!reserve_route(call, plan, route, resolved->count))
        return false;
    struct strew_mpi_list places = {.buffer = context->buffers[BUFFER_SLICES], .is_wide = true};
    sort_by_owner(route, context->size, resolved, &places);
    for (int64_t i = 0; i < plan->count; i++) {
        const int64_t number = ((const int64_t *)numbers->memory)[i];
        strew_mpi_put(&route->place, i, number == NOBODY ? NOBODY : strew_mpi_get(&places, number));
    }
    return true;
}

bool strew_mpi_route(struct strew_mpi_call *call, struct strew_mpi_plan *plan, const strew_tensor *indices,
                     bool refuses_negative)
{
    struct strew_mpi_buffer *owners = &plan->context->buffers[BUFFER_OWNERS];
    struct strew_mpi_buffer *slices = &plan->context->buffers[BUFFER_SLICES];
    if (!strew_mpi_reserve(call, owners, plan->count, sizeof(int32_t)) ||
        !strew_mpi_reserve(call, slices, plan->count, sizeof(int64_t)))
        return false;
    struct resolved resolved = {owners->memory, slices->memory, plan->count};
    return resolve(call, plan, indices, refuses_negative, &resolved) &&
           (!plan->has_route[ROUTE_FULL] || route_full(call, plan, &resolved)) &&
           (!plan->has_route[ROUTE_DISTINCT] || route_distinct(call, plan, &resolved));
}
