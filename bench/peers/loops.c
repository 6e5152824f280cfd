/*
 * The operators as a C programmer would write them for one dtype: nested loops, one comparison for each index,
 * memcpy for rows. They are a peer of strew, not the reference for results.
 */
#include <string.h>

#include "call_parts.h"

/* The place that an index names: -1 if it has no part in the call, -2 if it ends it. */
static inline int64_t place_of(const strew_tensor *indices, size_t entry, int64_t extent, strew_bounds bounds)
{
    const int64_t index = indices->dtype == STREW_DTYPE_INT32 ? ((const int32_t *)indices->data)[entry]
                                                              : ((const int64_t *)indices->data)[entry];
    if ((uint64_t)index < (uint64_t)extent)
        return index;
    switch (bounds) {
    case STREW_BOUNDS_SKIP: return -1;
    case STREW_BOUNDS_CLAMP: return index < 0 ? 0 : extent - 1;
    case STREW_BOUNDS_WRAP: return (index % extent + extent) % extent;
    default: return -2;
    }
}

static size_t product(const int64_t *sizes, int32_t count)
{
    size_t result = 1;
    for (int32_t i = 0; i < count; i++)
        result *= (size_t)sizes[i];
    return result;
}

/* Rows that indices name: in each piece, those of its part of data. */
typedef struct {
    strew_peers_call *call;
    size_t pieces, entries, rows, width; /* rows of data in a piece; elements of a row */
    int32_t coordinates;
    int64_t extents[STREW_MAX_RANK];
    bool own_indices; /* each piece has a list of its own */
} rows_loop;

static rows_loop rows_of(strew_peers_call *call)
{
    const strew_tensor *data = &call->tensors[DATA], *indices = &call->tensors[INDICES];
    const bool tuples = call->kind == STREW_KIND_GATHER_ND || call->kind == STREW_KIND_SCATTER_ND;
    const int32_t first = (int32_t)call->attributes[tuples ? BATCH_DIMS : AXIS];
    rows_loop l = {.call = call, .pieces = product(data->shape, first), .own_indices = tuples};
    l.coordinates = tuples ? (int32_t)indices->shape[indices->rank - 1] : 1;
    l.entries = tuples ? product(indices->shape + first, indices->rank - 1 - first)
                       : product(indices->shape, indices->rank);
    memcpy(l.extents, data->shape + first, (size_t)l.coordinates * sizeof *l.extents);
    l.rows = product(l.extents, l.coordinates);
    l.width = product(data->shape + first + l.coordinates, data->rank - first - l.coordinates);
    return l;
}

static inline int64_t row_of(const rows_loop *l, size_t piece, size_t entry)
{
    const size_t first = (entry + (l->own_indices ? piece * l->entries : 0)) * (size_t)l->coordinates;
    int64_t row = 0;
    for (int32_t k = 0; k < l->coordinates; k++) {
        const int64_t place =
            place_of(&l->call->tensors[INDICES], first + (size_t)k, l->extents[k], l->call->bounds);
        if (place < 0)
            return place;
        row = row * l->extents[k] + place;
    }
    return row;
}

#define FOR_EACH_ROW(l, row)                                 \
    for (size_t piece = 0; piece < (l).pieces; piece++)      \
        for (size_t entry = 0; entry < (l).entries; entry++) \
            for (int64_t row = row_of(&(l), piece, entry), once = 1; once; once = 0)

static bool gather_rows(strew_peers_call *call)
{
    const rows_loop l = rows_of(call);
    const size_t bytes = l.width * strew_dtype_size(call->tensors[DATA].dtype);
    const char *data = call->tensors[DATA].data;
    char *output = call->tensors[OUTPUT].data;
    FOR_EACH_ROW(l, row)
    {
        if (row == -2)
            return false;
        if (row < 0)
            memset(output, 0, bytes);
        else
            memcpy(output, data + (piece * l.rows + (size_t)row) * bytes, bytes);
        output += bytes;
    }
    return true;
}

static bool assign_rows(strew_peers_call *call)
{
    const rows_loop l = rows_of(call);
    const size_t bytes = l.width * strew_dtype_size(call->tensors[DATA].dtype);
    const char *updates = call->tensors[UPDATES].data;
    char *output = call->tensors[OUTPUT].data;
    FOR_EACH_ROW(l, row)
    {
        if (row == -2)
            return false;
        if (row >= 0)
            memcpy(output + (piece * l.rows + (size_t)row) * bytes, updates, bytes);
        updates += bytes;
    }
    return true;
}

/* Elements that replace one coordinate of their position: line by line of the last dimension. */
typedef struct {
    strew_peers_call *call;
    size_t lines, length, stride;
    int64_t extent;
    bool along; /* the axis is the last dimension */
    int64_t place[STREW_MAX_RANK];
} elements_loop;

static elements_loop elements_of(strew_peers_call *call)
{
    const strew_tensor *data = &call->tensors[DATA], *indices = &call->tensors[INDICES];
    const int32_t axis = (int32_t)call->attributes[AXIS], last = data->rank - 1;
    return (elements_loop){.call = call,
                           .lines = product(indices->shape, last),
                           .length = (size_t)indices->shape[last],
                           .stride = product(data->shape + axis + 1, last - axis),
                           .extent = data->shape[axis],
                           .along = axis == last};
}

/* Counts the place of a line up by one, and returns where the next begins in data, but for the axis. */
static inline size_t next_line(const strew_peers_call *call, int64_t place[STREW_MAX_RANK], size_t begin)
{
    const strew_tensor *data = &call->tensors[DATA], *indices = &call->tensors[INDICES];
    size_t stride = (size_t)data->shape[data->rank - 1];
    for (int32_t d = data->rank - 2; d >= 0; d--) {
        const size_t step = d == call->attributes[AXIS] ? 0 : stride;
        if (++place[d] < indices->shape[d])
            return begin + step;
        begin -= (size_t)(place[d] - 1) * step;
        place[d] = 0;
        stride *= (size_t)data->shape[d];
    }
    return begin;
}

#define FOR_EACH_ELEMENT(l, at)                                                                                \
    for (size_t line = 0, entry = 0, begin = 0; line < (l).lines;                                              \
         line++, begin = next_line((l).call, (l).place, begin))                                                \
        for (size_t i = 0; i < (l).length; i++, entry++)                                                       \
            for (int64_t named = place_of(&(l).call->tensors[INDICES], entry, (l).extent, (l).call->bounds),   \
                         at = named < 0 ? named                                                                \
                                        : (int64_t)(begin + (size_t)named * (l).stride + ((l).along ? 0 : i)), \
                         once = 1;                                                                             \
                 once; once = 0)

/* Moves copy elements as unsigned integers of their width. */
#define DEFINE_MOVES(T)                                     \
    static bool gather_elements_##T(strew_peers_call *call) \
    {                                                       \
        elements_loop l = elements_of(call);                \
        const T *data = call->tensors[DATA].data;           \
        T *output = call->tensors[OUTPUT].data;             \
        FOR_EACH_ELEMENT(l, at)                             \
        {                                                   \
            if (at == -2)                                   \
                return false;                               \
            output[entry] = at < 0 ? 0 : data[at];          \
        }                                                   \
        return true;                                        \
    }                                                       \
    static bool assign_elements_##T(strew_peers_call *call) \
    {                                                       \
        elements_loop l = elements_of(call);                \
        const T *updates = call->tensors[UPDATES].data;     \
        T *output = call->tensors[OUTPUT].data;             \
        FOR_EACH_ELEMENT(l, at)                             \
        {                                                   \
            if (at == -2)                                   \
                return false;                               \
            if (at >= 0)                                    \
                output[at] = updates[entry];                \
        }                                                   \
        return true;                                        \
    }
DEFINE_MOVES(uint8_t)
DEFINE_MOVES(uint16_t)
DEFINE_MOVES(uint32_t)
DEFINE_MOVES(uint64_t)

/* Rows that are gathered and combined, with entries in order: the target of each, and its weight. */
static inline int64_t target_of(const strew_peers_call *call, size_t entry, size_t *bag)
{
    const strew_tensor *segments = &call->tensors[SEGMENTS];
    const int64_t rows = call->tensors[OUTPUT].shape[0];
    if (call->kind == STREW_KIND_EMBEDDING_BAG_PACKED) {
        *bag += (*bag + 1) * (size_t)call->tensors[INDICES].shape[1] <= entry;
        return (int64_t)*bag;
    }
    if (call->kind != STREW_KIND_EMBEDDING_BAG_OFFSETS)
        return place_of(segments, entry, rows, STREW_BOUNDS_REFUSE);
    while (*bag + 1 < (size_t)rows && (size_t)place_of(segments, *bag + 1, INT64_MAX, STREW_BOUNDS_REFUSE) <= entry)
        ++*bag;
    return (int64_t)*bag;
}

#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define LESSER(a, b) ((b) < (a) ? (b) : (a))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))

#define DEFINE_COMBINE(T, NAME, OPERATION)                                                                       \
    static bool NAME##_rows_##T(strew_peers_call *call)                                                          \
    {                                                                                                            \
        const rows_loop l = rows_of(call);                                                                       \
        const T *updates = call->tensors[UPDATES].data;                                                          \
        T *output = call->tensors[OUTPUT].data;                                                                  \
        FOR_EACH_ROW(l, row)                                                                                     \
        {                                                                                                        \
            if (row == -2)                                                                                       \
                return false;                                                                                    \
            T *target = output + (piece * l.rows + (size_t)row) * l.width;                                       \
            for (size_t i = 0; row >= 0 && i < l.width; i++)                                                     \
                target[i] = (T)OPERATION(target[i], updates[i]);                                                 \
            updates += l.width;                                                                                  \
        }                                                                                                        \
        return true;                                                                                             \
    }                                                                                                            \
    static bool NAME##_elements_##T(strew_peers_call *call)                                                      \
    {                                                                                                            \
        elements_loop l = elements_of(call);                                                                     \
        const T *updates = call->tensors[UPDATES].data;                                                          \
        T *output = call->tensors[OUTPUT].data;                                                                  \
        FOR_EACH_ELEMENT(l, at)                                                                                  \
        {                                                                                                        \
            if (at == -2)                                                                                        \
                return false;                                                                                    \
            if (at >= 0)                                                                                         \
                output[at] = (T)OPERATION(output[at], updates[entry]);                                           \
        }                                                                                                        \
        return true;                                                                                             \
    }                                                                                                            \
    static bool NAME##_gathered_##T(strew_peers_call *call)                                                      \
    {                                                                                                            \
        const strew_tensor *t = call->tensors;                                                                   \
        const bool as_they_lie = call->kind == STREW_KIND_SEGMENT_REDUCE;                                        \
        const strew_tensor *table = &t[call->kind == STREW_KIND_GATHER_SCATTER ? UPDATES : DATA];                \
        const size_t width = product(table->shape + 1, table->rank - 1);                                         \
        const size_t count = as_they_lie ? (size_t)table->shape[0] : product(t[INDICES].shape, t[INDICES].rank); \
        const T *rows = table->data, *weights = t[WEIGHTS].data;                                                 \
        T *output = t[OUTPUT].data;                                                                              \
        size_t bag = 0;                                                                                          \
        for (size_t entry = 0; entry < count; entry++) {                                                         \
            const int64_t source =                                                                               \
                as_they_lie ? (int64_t)entry : place_of(&t[INDICES], entry, table->shape[0], call->bounds);      \
            const int64_t target = target_of(call, entry, &bag);                                                 \
            if (source < 0 || target < 0)                                                                        \
                return false;                                                                                    \
            const T *row = rows + (size_t)source * width;                                                        \
            T *into = output + (size_t)target * width;                                                           \
            if (weights)                                                                                         \
                for (size_t i = 0; i < width; i++)                                                               \
                    into[i] = (T)OPERATION(into[i], (T)(weights[entry] * row[i]));                               \
            else                                                                                                 \
                for (size_t i = 0; i < width; i++)                                                               \
                    into[i] = (T)OPERATION(into[i], row[i]);                                                     \
        }                                                                                                        \
        return true;                                                                                             \
    }
#define DEFINE_ALL(T)                \
    DEFINE_COMBINE(T, sum, SUM)      \
    DEFINE_COMBINE(T, prod, PRODUCT) \
    DEFINE_COMBINE(T, min, LESSER)   \
    DEFINE_COMBINE(T, max, GREATER)
DEFINE_ALL(float)
DEFINE_ALL(double)
/* Signed integers wrap as unsigned ones do. */
DEFINE_COMBINE(uint32_t, sum, SUM)
DEFINE_COMBINE(uint32_t, prod, PRODUCT)
DEFINE_COMBINE(int32_t, min, LESSER)
DEFINE_COMBINE(int32_t, max, GREATER)
DEFINE_COMBINE(uint64_t, sum, SUM)
DEFINE_COMBINE(uint64_t, prod, PRODUCT)
DEFINE_COMBINE(int64_t, min, LESSER)
DEFINE_COMBINE(int64_t, max, GREATER)

typedef bool loop_function(strew_peers_call *call);
enum { ROWS, ELEMENTS, GATHERED, FORMS };

#define FORMS_OF(T, NAME)                                         \
    {                                                             \
        NAME##_rows_##T, NAME##_elements_##T, NAME##_gathered_##T \
    }
static const struct {
    strew_dtype dtype;
    strew_reduction reduction;
    loop_function *by_form[FORMS];
} combining[] = {
    {STREW_DTYPE_FLOAT32, STREW_REDUCTION_SUM, FORMS_OF(float, sum)},
    {STREW_DTYPE_FLOAT32, STREW_REDUCTION_PROD, FORMS_OF(float, prod)},
    {STREW_DTYPE_FLOAT32, STREW_REDUCTION_MIN, FORMS_OF(float, min)},
    {STREW_DTYPE_FLOAT32, STREW_REDUCTION_MAX, FORMS_OF(float, max)},
    {STREW_DTYPE_FLOAT64, STREW_REDUCTION_SUM, FORMS_OF(double, sum)},
    {STREW_DTYPE_FLOAT64, STREW_REDUCTION_PROD, FORMS_OF(double, prod)},
    {STREW_DTYPE_FLOAT64, STREW_REDUCTION_MIN, FORMS_OF(double, min)},
    {STREW_DTYPE_FLOAT64, STREW_REDUCTION_MAX, FORMS_OF(double, max)},
    {STREW_DTYPE_INT32, STREW_REDUCTION_SUM, FORMS_OF(uint32_t, sum)},
    {STREW_DTYPE_INT32, STREW_REDUCTION_PROD, FORMS_OF(uint32_t, prod)},
    {STREW_DTYPE_INT32, STREW_REDUCTION_MIN, FORMS_OF(int32_t, min)},
    {STREW_DTYPE_INT32, STREW_REDUCTION_MAX, FORMS_OF(int32_t, max)},
    {STREW_DTYPE_INT64, STREW_REDUCTION_SUM, FORMS_OF(uint64_t, sum)},
    {STREW_DTYPE_INT64, STREW_REDUCTION_PROD, FORMS_OF(uint64_t, prod)},
    {STREW_DTYPE_INT64, STREW_REDUCTION_MIN, FORMS_OF(int64_t, min)},
    {STREW_DTYPE_INT64, STREW_REDUCTION_MAX, FORMS_OF(int64_t, max)},
};

static bool gathers_and_combines(strew_kind kind)
{
    return kind == STREW_KIND_EMBEDDING_BAG_OFFSETS || kind == STREW_KIND_EMBEDDING_BAG_PACKED ||
           kind == STREW_KIND_EMBEDDING_SEGMENTS || kind == STREW_KIND_SEGMENT_REDUCE ||
           kind == STREW_KIND_GATHER_SCATTER;
}

static loop_function *find_moving(const strew_peers_call *call)
{
    const size_t size = strew_dtype_size(call->tensors[DATA].dtype);
    const bool gathers = call->kind == STREW_KIND_GATHER_ELEMENTS;
    switch (call->kind) {
    case STREW_KIND_GATHER:
    case STREW_KIND_GATHER_ND: return gather_rows;
    case STREW_KIND_SCATTER:
    case STREW_KIND_SCATTER_ND: return assign_rows;
    case STREW_KIND_GATHER_ELEMENTS:
    case STREW_KIND_SCATTER_ELEMENTS:
        switch (size) {
        case 1: return gathers ? gather_elements_uint8_t : assign_elements_uint8_t;
        case 2: return gathers ? gather_elements_uint16_t : assign_elements_uint16_t;
        case 4: return gathers ? gather_elements_uint32_t : assign_elements_uint32_t;
        case 8: return gathers ? gather_elements_uint64_t : assign_elements_uint64_t;
        default: return NULL;
        }
    default: return NULL;
    }
}

static loop_function *find_combining(const strew_peers_call *call)
{
    const int form = gathers_and_combines(call->kind)            ? GATHERED
                     : call->kind == STREW_KIND_SCATTER_ELEMENTS ? ELEMENTS
                                                                 : ROWS;
    if (form == GATHERED && call->reduction != STREW_REDUCTION_SUM)
        return NULL; /* an empty bag is no identity */
    for (size_t i = 0; i < sizeof combining / sizeof *combining; i++)
        if (combining[i].dtype == call->tensors[DATA].dtype && combining[i].reduction == call->reduction)
            return combining[i].by_form[form];
    return NULL;
}

static loop_function *find_loop(const strew_peers_call *call)
{
    return call->reduction == STREW_REDUCTION_NONE ? find_moving(call) : find_combining(call);
}

static strew_status run_loops(strew_peers_call *call, const strew_parallel *parallel)
{
    const strew_tensor *data = &call->tensors[DATA], *output = &call->tensors[OUTPUT];
    const size_t bytes = product(output->shape, output->rank) * strew_dtype_size(output->dtype);
    const bool gathers = call->kind == STREW_KIND_GATHER || call->kind == STREW_KIND_GATHER_ND ||
                         call->kind == STREW_KIND_GATHER_ELEMENTS;
    (void)parallel;
    if (gathers_and_combines(call->kind) && call->kind != STREW_KIND_GATHER_SCATTER)
        memset(output->data, 0, bytes);
    else if (!gathers && output->data != data->data)
        memcpy(output->data, data->data, bytes);
    return find_loop(call)(call) ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS;
}

/* Strides are written out for them. */
bool strew_peers_use_loops(strew_peers_call *call)
{
    call->run = run_loops;
    return find_loop(call) != NULL;
}
