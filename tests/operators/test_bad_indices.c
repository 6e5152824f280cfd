/*
 * A bad index at every position: a refused call names it, and leaves its inputs and the tensor to write in place as
 * they were, byte for byte; a call that stops has applied the indices before it. All positions of short lists; in
 * long ones, those around the ends of vectors and of tiles of 512 positions, and some between.
 */
#include <stdlib.h>

#include "call.h"
#include "element.h"
#include "parallel.h"
#include "test.h"

enum {
    PLACES = 35,
    OUTER = 5,
    CACHE = 4,
    WINDOW = 2,
    BAG = 3,
    AROUND = 64,
    GARBAGE = 0x77,
    EVERY_POSITION_OF = 70
};

/* ---- What is called ------------------------------------------------------------------------------ */

typedef struct subject {
    strew_kind kind;
    strew_dtype dtype, index_dtype;
    strew_reduction reduction;
    int64_t row;    /* elements of a row; entries beside each other, of elements and of packed bags */
    int64_t tuple;  /* coordinates of a tuple: 2, or 1 of anything else */
    bool replaces;  /* use_init_val is false */
    bool of_second; /* the bad index is in segment_ids or targets */
} subject;

#define NONE STREW_REDUCTION_NONE
#define SUM STREW_REDUCTION_SUM
#define MAX STREW_REDUCTION_MAX
#define MEAN STREW_REDUCTION_MEAN

static const subject subjects[] = {
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_INT32, STREW_DTYPE_INT64, NONE, 1, 1, false, false},
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT32, SUM, 1, 2, false, false},
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_INT16, STREW_DTYPE_INT8, NONE, 5, 2, false, false},
    {STREW_KIND_SCATTER_ND, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, MAX, 16, 1, false, false},
    {STREW_KIND_SCATTER, STREW_DTYPE_UINT8, STREW_DTYPE_INT32, NONE, 1, 1, false, false},
    {STREW_KIND_SCATTER, STREW_DTYPE_FLOAT64, STREW_DTYPE_INT64, NONE, 9, 1, false, false},
    {STREW_KIND_SCATTER, STREW_DTYPE_INT32, STREW_DTYPE_UINT8, SUM, 3, 1, false, false},
    {STREW_KIND_SCATTER, STREW_DTYPE_INT32, STREW_DTYPE_INT64, SUM, 3, 1, true, false},
    {STREW_KIND_SCATTER, STREW_DTYPE_INT32, STREW_DTYPE_INT64, MEAN, 2, 1, false, false},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_DTYPE_INT32, STREW_DTYPE_INT64, NONE, 1, 1, false, false},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_DTYPE_FLOAT16, STREW_DTYPE_INT32, SUM, 3, 1, false, false},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_DTYPE_INT64, STREW_DTYPE_UINT16, NONE, 8, 1, false, false},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_DTYPE_INT8, STREW_DTYPE_INT64, MAX, 1, 1, true, false},
    {STREW_KIND_SCATTER_ELEMENTS, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, MEAN, 1, 1, false, false},
    {STREW_KIND_TENSOR_SCATTER, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, NONE, 3, 1, false, false},
    {STREW_KIND_GATHER_SCATTER, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, SUM, 3, 1, false, false},
    {STREW_KIND_GATHER_SCATTER, STREW_DTYPE_INT32, STREW_DTYPE_INT32, SUM, 4, 1, false, true},
    {STREW_KIND_GATHER_SCATTER, STREW_DTYPE_INT32, STREW_DTYPE_INT64, MAX, 1, 1, true, true},
    {STREW_KIND_GATHER, STREW_DTYPE_INT32, STREW_DTYPE_INT32, NONE, 1, 1, false, false},
    {STREW_KIND_GATHER, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, NONE, 16, 1, false, false},
    {STREW_KIND_GATHER_ND, STREW_DTYPE_INT16, STREW_DTYPE_INT64, NONE, 3, 2, false, false},
    {STREW_KIND_GATHER_ELEMENTS, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT32, NONE, 3, 1, false, false},
    {STREW_KIND_EMBEDDING_BAG_OFFSETS, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, SUM, 4, 1, false, false},
    {STREW_KIND_EMBEDDING_BAG_PACKED, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT32, MAX, 2, 1, false, false},
    {STREW_KIND_EMBEDDING_SEGMENTS, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT64, MEAN, 4, 1, false, false},
    {STREW_KIND_EMBEDDING_SEGMENTS, STREW_DTYPE_FLOAT32, STREW_DTYPE_INT32, SUM, 1, 1, false, true},
    {STREW_KIND_SEGMENT_REDUCE, STREW_DTYPE_INT32, STREW_DTYPE_INT64, MAX, 3, 1, false, true},
};

typedef struct spoiled_call {
    const subject *of;
    int64_t count; /* size of the first dimension of indices */
    test_tensor data, indices, updates, segments;
    test_tensor target; /* the tensor to write: data, or the output of a gather */
    test_tensor state;  /* data after the updates before the bad index */
    test_tensor *spoiled, spoiled_before;
    operator_call call;
} spoiled_call;

static bool names_elements(const subject *of)
{
    return of->kind == STREW_KIND_SCATTER_ELEMENTS || of->kind == STREW_KIND_GATHER_ELEMENTS;
}

/* The number of adjacent indices of an entry. */
static int64_t entries_of(const subject *of)
{
    return names_elements(of) || of->kind == STREW_KIND_EMBEDDING_BAG_PACKED ? of->row : of->tuple;
}

static bool has_segments(const subject *of)
{
    return of->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS || of->kind == STREW_KIND_EMBEDDING_SEGMENTS ||
           of->kind == STREW_KIND_SEGMENT_REDUCE || of->kind == STREW_KIND_GATHER_SCATTER;
}

static bool is_into_segments(const subject *of)
{
    return of->of_second && of->kind != STREW_KIND_GATHER_SCATTER;
}

static int64_t bag_count(int64_t count)
{
    return (count + BAG - 1) / BAG;
}

/* The valid range of an index: *lower to *upper. */
static void find_range(const spoiled_call *self, int64_t entry, int64_t *lower, int64_t *upper)
{
    const subject *of = self->of;
    const int64_t size = of->tuple == 1 ? PLACES : entry % 2 == 0 ? OUTER : PLACES / OUTER;
    const int64_t bags = self->target.shape[0];
    *upper = of->kind == STREW_KIND_TENSOR_SCATTER ? CACHE - WINDOW : is_into_segments(of) ? bags - 1 : size - 1;
    const bool counts_back =
        of->kind != STREW_KIND_TENSOR_SCATTER && !is_into_segments(of) && element_is_signed(of->index_dtype);
    *lower = counts_back ? -size : 0;
}

/* ---- Its tensors --------------------------------------------------------------------------------- */

static void create_numbers(test_tensor *tensor, strew_dtype dtype, int32_t rank, const int64_t *shape,
                           int64_t first)
{
    tensor_create(tensor, dtype, rank, shape, NULL, AROUND, AROUND);
    const int64_t count = shape_count(shape, rank);
    for (int64_t i = 0; i < count; i++)
        element_store(dtype, (double)((first + i * 37) % 101),
                      (char *)tensor->view.data + (size_t)i * element_size(dtype));
}

static void store_index(test_tensor *tensor, int64_t entry, int64_t value)
{
    const strew_dtype dtype = tensor->view.dtype;
    element_store_integer(dtype, (uint64_t)value, (char *)tensor->view.data + (size_t)entry * element_size(dtype));
}

/* Some place, counted from the end now and then. */
static int64_t right_index(int64_t entry, int64_t size, strew_dtype dtype)
{
    const int64_t place = (entry * 7 + 3) % size;
    return element_is_signed(dtype) && entry % 5 == 0 ? place - size : place;
}

static void create_indices(spoiled_call *self)
{
    const subject *of = self->of;
    const int64_t shape[] = {self->count, entries_of(of)};
    const bool is_list = !names_elements(of) && !kind_has_rows(of->kind) && entries_of(of) == 1;
    const int32_t rank = is_list ? 1 : 2;
    tensor_create(&self->indices, of->index_dtype, rank, shape, NULL, AROUND, AROUND);
    for (int64_t e = 0; e < shape_count(shape, rank); e++) {
        const int64_t size = of->tuple == 1 ? PLACES : e % 2 == 0 ? OUTER : PLACES / OUTER;
        store_index(&self->indices, e,
                    of->kind == STREW_KIND_TENSOR_SCATTER ? e % (CACHE - WINDOW + 1)
                                                          : right_index(e, size, of->index_dtype));
    }
}

/* The begins of bags, the segment of each row, or its target. */
static void create_segments(spoiled_call *self)
{
    const subject *of = self->of;
    const bool is_offsets = of->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS;
    const int64_t count = is_offsets ? bag_count(self->count) : self->count;
    tensor_create(&self->segments, of->index_dtype, 1, &count, NULL, AROUND, AROUND);
    for (int64_t e = 0; e < count; e++)
        store_index(&self->segments, e,
                    is_offsets                              ? e * BAG
                    : of->kind != STREW_KIND_GATHER_SCATTER ? e / BAG
                                                            : right_index(e, PLACES, of->index_dtype));
}

static void create_tensors(spoiled_call *self)
{
    const subject *of = self->of;
    const bool is_cache = of->kind == STREW_KIND_TENSOR_SCATTER, is_edges = of->kind == STREW_KIND_GATHER_SCATTER;
    const bool has_bags = has_segments(of) && !is_edges;
    const int64_t tuples_shape[] = {OUTER, PLACES / OUTER, of->row}, cache_shape[] = {self->count, CACHE, of->row};
    const bool is_in_order = of->kind == STREW_KIND_SEGMENT_REDUCE; /* a row of data for each entry */
    const int64_t rows_shape[] = {is_in_order ? self->count : PLACES, of->row},
                  windows_shape[] = {self->count, WINDOW, of->row};
    const int64_t dense_shape[] = {has_bags ? bag_count(self->count) : self->count, of->row};
    const int32_t rank = is_cache || of->tuple == 2 ? 3 : 2;
    create_numbers(&self->data, of->dtype, rank, is_cache ? cache_shape : rank == 3 ? tuples_shape : rows_shape, 1);
    create_numbers(&self->updates, of->dtype, is_cache ? 3 : 2,
                   is_cache   ? windows_shape
                   : is_edges ? rows_shape
                              : dense_shape,
                   50);
    tensor_clone(&self->target, kind_gathers(of->kind) ? &self->updates : &self->data);
    tensor_clone(&self->state, &self->data);
    create_indices(self);
    create_segments(self);
}

static void spoiled_call_create(spoiled_call *self, const subject *of, int64_t count)
{
    *self = (spoiled_call){.of = of, .count = count};
    create_tensors(self);
    self->spoiled = of->of_second ? &self->segments : &self->indices;
    tensor_clone(&self->spoiled_before, self->spoiled);
    self->call = (operator_call){
        .kind = of->kind,
        .indices = of->kind == STREW_KIND_SEGMENT_REDUCE ? NULL : &self->indices.view,
        .updates = kind_gathers(of->kind) ? NULL : &self->updates.view,
        .segments = has_segments(of) ? &self->segments.view : NULL,
        .output = &self->target.view,
        .axis = of->kind == STREW_KIND_TENSOR_SCATTER ? 1 : 0,
        .reduction = of->reduction,
        .use_init_val = !of->replaces,
        .default_index = -1,
    };
}

static void spoiled_call_destroy(spoiled_call *self)
{
    test_tensor *const tensors[] = {&self->data,   &self->indices, &self->updates,       &self->segments,
                                    &self->target, &self->state,   &self->spoiled_before};
    for (size_t t = 0; t < COUNT(tensors); t++)
        tensor_destroy(tensors[t]);
}

/* ---- What comes before --------------------------------------------------------------------------- */

static bool combines_bags(const subject *of)
{
    return of->kind == STREW_KIND_EMBEDDING_BAG_PACKED ||
           (has_segments(of) && of->kind != STREW_KIND_GATHER_SCATTER);
}

/* Whether a stopped call applies the part before the bad index: not if there is none, or if it is undefined. */
static bool does_a_part(const subject *of)
{
    return combines_bags(of) ? !of->of_second : of->reduction != MEAN && !of->replaces;
}

static char *element_at(const test_tensor *tensor, int64_t ordinal)
{
    return (char *)tensor->view.data + (size_t)ordinal * element_size(tensor->view.dtype);
}

static int64_t place_in(const test_tensor *list, int64_t entry, int64_t size)
{
    const int64_t index = (int64_t)element_load_integer(list->view.dtype, element_at(list, entry));
    return index < 0 ? index + size : index;
}

/* The place of the index before it was spoiled. */
static int64_t place_at(const spoiled_call *self, int64_t entry, int64_t size)
{
    return place_in(self->of->of_second ? &self->indices : &self->spoiled_before, entry, size);
}

static void update_elements(spoiled_call *self, int64_t to, int64_t from, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        char *const target = element_at(&self->state, to + i), *const update = element_at(&self->updates, from + i);
        if (self->of->reduction == NONE)
            memcpy(target, update, element_size(self->of->dtype));
        else
            element_combine(self->of->dtype, self->of->reduction, target, update);
    }
}

/* Applies an entry, if it is the last coordinate of its tuple. */
static void do_entry(spoiled_call *self, int64_t entry)
{
    const subject *of = self->of;
    const int64_t row = of->row, inner = PLACES / OUTER;
    if (names_elements(of))
        update_elements(self, place_at(self, entry, PLACES) * row + entry % row, entry, 1);
    else if (of->kind == STREW_KIND_GATHER_SCATTER)
        update_elements(self, place_in(&self->segments, entry, PLACES) * row, place_at(self, entry, PLACES) * row,
                        row);
    else if (of->kind == STREW_KIND_TENSOR_SCATTER)
        update_elements(self, (entry * CACHE + place_at(self, entry, 0)) * row, entry * WINDOW * row, WINDOW * row);
    else if (of->tuple == 1)
        update_elements(self, place_at(self, entry, PLACES) * row, entry * row, row);
    else if (entry % 2 == 1)
        update_elements(self, (place_at(self, entry - 1, OUTER) * inner + place_at(self, entry, inner)) * row,
                        entry / 2 * row, row);
}

/* The elements of a gather's output that come before the entry, and from where in data each is. */
static bool has_gathered(const spoiled_call *self, int64_t entry)
{
    const subject *of = self->of;
    const int64_t per_entry = names_elements(of) ? 1 : of->row, inner = PLACES / OUTER;
    for (int64_t i = 0; i < entry / of->tuple * per_entry; i++) {
        const int64_t at = i / per_entry, column = names_elements(of) ? at % of->row : i % of->row;
        const int64_t place = of->tuple == 1
                                  ? place_at(self, at, PLACES)
                                  : place_at(self, 2 * at, OUTER) * inner + place_at(self, 2 * at + 1, inner);
        if (memcmp(element_at(&self->target, i), element_at(&self->data, place * of->row + column),
                   element_size(of->dtype)) != 0)
            return false;
    }
    return true;
}

/* An element of a row that is combined of the entries from one on. */
static void combine_entries(const spoiled_call *self, int64_t first, int64_t count, int64_t column, void *element)
{
    const subject *of = self->of;
    for (int64_t e = first; e < first + count; e++) {
        const char *const from = element_at(&self->data, place_at(self, e, PLACES) * of->row + column);
        if (e == first)
            memcpy(element, from, element_size(of->dtype));
        else
            element_combine(of->dtype, of->reduction == MEAN ? SUM : of->reduction, element, from);
    }
    if (of->reduction == MEAN)
        element_divide(of->dtype, element, count);
}

/* Whether the rows that end before an entry are written, and the others still hold garbage. */
static bool has_combined(const spoiled_call *self, int64_t entry, const test_tensor *garbage)
{
    const subject *of = self->of;
    const int64_t each = of->kind == STREW_KIND_EMBEDDING_BAG_PACKED ? of->row : BAG;
    const int64_t ended = entry / each * of->row, all = shape_count(self->target.shape, self->target.view.rank);
    const size_t size = element_size(of->dtype);
    for (int64_t i = 0; i < ended; i++) {
        unsigned char combined[16];
        combine_entries(self, i / of->row * each, each, i % of->row, combined);
        if (memcmp(element_at(&self->target, i), combined, size) != 0)
            return false;
    }
    return memcmp(element_at(&self->target, ended), element_at(garbage, ended), (size_t)(all - ended) * size) == 0;
}

/* ---- A run --------------------------------------------------------------------------------------- */

typedef struct spoiled_run {
    call_way way;
    call_scratch scratch;
    const strew_parallel *parallel;
    bool in_place;
    strew_bounds bounds;
} spoiled_run;

static void fail_run(const spoiled_call *self, const spoiled_run *run, int64_t entry, const char *complaint)
{
    call_describe(stderr, &self->call);
    fail_msg("entry %d of %d is wrong, on %zu threads, way %d, scratch %d: %s", (int)entry,
             (int)shape_count(self->spoiled->shape, self->spoiled->view.rank),
             run->parallel ? run->parallel->threads : 1, (int)run->way, (int)run->scratch, complaint);
}

static bool names_bad_index(const spoiled_call *self, const strew_error *error, int64_t entry, int64_t value)
{
    int64_t lower, upper;
    const bool has_targets = self->of->kind == STREW_KIND_GATHER_SCATTER;
    const strew_operand operand = !self->of->of_second ? STREW_OPERAND_INDICES
                                  : has_targets        ? STREW_OPERAND_TARGETS
                                                       : STREW_OPERAND_SEGMENT_IDS;
    find_range(self, entry, &lower, &upper);
    return error->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && error->operand == operand &&
           error->position_rank == self->spoiled->view.rank &&
           position_ordinal(error->position, &self->spoiled->view) == entry && error->value == value &&
           error->lower == lower && error->upper == upper;
}

static bool inputs_are_as_before(const spoiled_call *self, const test_tensor before[4])
{
    return tensor_same_memory(&self->data, &before[0]) && tensor_same_memory(&self->indices, &before[1]) &&
           tensor_same_memory(&self->updates, &before[2]) && tensor_same_memory(&self->segments, &before[3]);
}

/* The target is that of data in place, otherwise garbage that the call has to write over. */
static bool target_is_right(const spoiled_call *self, const spoiled_run *run, int64_t entry,
                            const test_tensor *garbage)
{
    const bool stops = run->bounds == STREW_BOUNDS_STOP, gathers = kind_gathers(self->of->kind);
    if (run->in_place)
        return tensor_same_memory(&self->target, stops ? &self->state : &self->data);
    if (!tensor_same_padding(&self->target, garbage))
        return false;
    if (!stops || !does_a_part(self->of))
        return true;
    if (combines_bags(self->of))
        return has_combined(self, entry, garbage);
    const size_t bytes =
        (size_t)shape_count(self->data.shape, self->data.view.rank) * element_size(self->of->dtype);
    return gathers ? has_gathered(self, entry) : memcmp(self->target.view.data, self->state.view.data, bytes) == 0;
}

static void check_run(spoiled_call *self, const spoiled_run *run, int64_t entry, int64_t value,
                      const test_tensor before[4])
{
    strew_error error = {.status = STREW_STATUS_OK};
    strew_options options = call_options();
    test_tensor garbage;
    options.bounds = self->call.bounds = run->bounds;
    options.parallel = run->parallel;
    options.error = &error;
    self->call.data = run->in_place ? &self->target.view : &self->data.view;
    if (run->in_place)
        memcpy(self->target.memory, self->data.memory, self->data.size);
    else
        memset(self->target.memory, GARBAGE, self->target.size);
    tensor_clone(&garbage, &self->target);
    if (call_run(&self->call, run->way, run->scratch, &options) != STREW_STATUS_INDEX_OUT_OF_BOUNDS)
        fail_run(self, run, entry, "it was not refused");
    if (!names_bad_index(self, &error, entry, value))
        fail_run(self, run, entry, "the error names another one");
    if (!inputs_are_as_before(self, before))
        fail_run(self, run, entry, "an input has changed");
    if (!target_is_right(self, run, entry, &garbage))
        fail_run(self, run, entry, "the output is another one");
    tensor_destroy(&garbage);
}

/* ---- All of them --------------------------------------------------------------------------------- */

/* The last one has threads, which take long to start: it has every fourth position. */
static const strew_parallel *pools[4];

/* Runs on 1, 2 and 3 threads, with the least scratch and with all, in place and not, with REFUSE and STOP. */
static void check_ways(spoiled_call *self, int64_t entry, int64_t value)
{
    static unsigned turn;
    test_tensor before[4];
    tensor_clone(&before[0], &self->data);
    tensor_clone(&before[1], &self->indices);
    tensor_clone(&before[2], &self->updates);
    tensor_clone(&before[3], &self->segments);
    for (size_t p = 0; p < COUNT(pools) - (entry % 4 != 0); p++)
        for (call_scratch scratch = LEAST_SCRATCH; scratch <= FULL_SCRATCH; scratch++)
            for (int in_place = 0; in_place <= !kind_gathers(self->of->kind); in_place++)
                for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds <= STREW_BOUNDS_STOP; bounds++) {
                    /* with STOP, inspecting writes nothing */
                    const bool inspects = bounds == STREW_BOUNDS_REFUSE && !has_segments(self->of);
                    const call_way way = (call_way)(turn++ % (inspects ? BY_INSPECTION + 1 : BY_INSPECTION));
                    check_run(self, &(spoiled_run){way, scratch, pools[p], in_place, bounds}, entry, value, before);
                }
    for (size_t b = 0; b < COUNT(before); b++)
        tensor_destroy(&before[b]);
}

/* Just outside and far outside; and with a second bad index behind it, which the error must not name. */
static void check_entry(spoiled_call *self, int64_t entry, int64_t last)
{
    static unsigned turn;
    int64_t lower, upper;
    find_range(self, entry, &lower, &upper);
    const strew_dtype dtype = self->of->index_dtype;
    const int64_t wrong[] = {upper + 1, element_is_signed(dtype) ? lower - 1 : upper + 1,
                             (int64_t)element_greatest(dtype),
                             element_is_signed(dtype) ? (int64_t)element_least(dtype) : upper + 1};
    const int64_t value = wrong[turn % COUNT(wrong)];
    store_index(self->spoiled, entry, value);
    if (turn++ / COUNT(wrong) % 2 == 1 && entry < last)
        store_index(self->spoiled, last, wrong[turn % COUNT(wrong)]);
    check_ways(self, entry, value);
    memcpy(self->spoiled->memory, self->spoiled_before.memory, self->spoiled->size);
}

/* Positions around multiples of vectors and tiles, and some others. */
static bool is_of_interest(int64_t entry, int64_t last)
{
    static const int64_t units[] = {64, 512};
    if (last < EVERY_POSITION_OF || entry < 2 || last - entry < 2 || entry % (last / 7) == 5)
        return true;
    for (size_t u = 0; u < COUNT(units); u++) {
        const int64_t rest = entry % units[u], number = (entry + 1) / units[u];
        const bool is_near = rest <= 1 || rest == units[u] - 1;
        if (is_near && number > 0 && (number <= 2 || number == (last + 1) / units[u]))
            return true;
    }
    return false;
}

static void check_subject(const subject *of, int64_t count)
{
    spoiled_call checked;
    spoiled_call_create(&checked, of, count);
    const int64_t last = shape_count(checked.spoiled->shape, checked.spoiled->view.rank) - 1;
    for (int64_t entry = 0; entry <= last; entry++) {
        if (is_of_interest(entry, last))
            check_entry(&checked, entry, last);
        if (does_a_part(of) && !kind_gathers(of->kind))
            do_entry(&checked, entry);
    }
    spoiled_call_destroy(&checked);
}

static void check_subjects(const int64_t *counts, size_t how_many)
{
    random_source order = {random_seed()};
    const strew_parallel two = parallel_shuffled(2, &order), three = parallel_shuffled(3, &order);
    const strew_parallel real = parallel_threads(3);
    pools[0] = NULL;
    pools[1] = &two;
    pools[2] = &three;
    pools[3] = &real;
    for (size_t s = 0; s < COUNT(subjects); s++)
        for (size_t c = 0; c < how_many; c++)
            check_subject(&subjects[s], counts[c]);
}

static void every_position_of_few_indices(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 2, 3, 7, 8, 9, 16, 17, 33};
    check_subjects(counts, COUNT(counts));
}

static void positions_at_the_ends_of_tiles(void **state)
{
    (void)state;
    static const int64_t counts[] = {511, 512, 513, 1025};
    check_subjects(counts, COUNT(counts));
}

static void positions_of_many_tiles(void **state)
{
    (void)state;
    static const int64_t counts[] = {5000};
    check_subjects(counts, COUNT(counts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_position_of_few_indices),
        cmocka_unit_test(positions_at_the_ends_of_tiles),
        cmocka_unit_test(positions_of_many_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
