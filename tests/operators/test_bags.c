/* Rows that are gathered and combined: random bags, segments and edges against plain loops. */
#include <stdlib.h>

#include <strew/operators.h>

#include "call.h"
#include "element.h"
#include "oracle.h"
#include "parallel.h"
#include "random.h"
#include "test.h"

enum { ELEMENT_ROOM = 16, NOWHERE = -1, MOST_ENTRIES = 700, TILE = 512 };

typedef struct bag_case {
    strew_kind kind;
    test_tensor data, updates, indices, segments, weights, output;
    bool has_weights, use_init_val, in_place, has_scratch, is_inspected;
    strew_reduction reduction;
    strew_bounds bounds;
    strew_empty empty;
    int64_t default_index, entries, rows;
    uint32_t flags;
} bag_case;

static bool is_half(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_FLOAT16 || dtype == STREW_DTYPE_BFLOAT16;
}

/* What elements are combined in. */
static strew_dtype wide_of(strew_dtype dtype)
{
    return is_half(dtype) ? STREW_DTYPE_FLOAT32 : dtype;
}

static void widen(strew_dtype dtype, const void *element, void *wide)
{
    if (is_half(dtype))
        element_store(STREW_DTYPE_FLOAT32, element_load(dtype, element), wide);
    else
        memcpy(wide, element, element_size(dtype));
}

static void narrow(strew_dtype dtype, const void *wide, void *element)
{
    if (is_half(dtype))
        element_store(dtype, element_load(STREW_DTYPE_FLOAT32, wide), element);
    else
        memcpy(element, wide, element_size(dtype));
}

/* ---- Drawing ------------------------------------------------------------------------------------- */

static bool has_segments(const bag_case *self)
{
    return self->kind != STREW_KIND_EMBEDDING_BAG_PACKED;
}

static bool has_indices(const bag_case *self)
{
    return self->kind != STREW_KIND_SEGMENT_REDUCE;
}

/* Whether a list says the row that each entry goes into. */
static bool has_numbers(const bag_case *self)
{
    return has_segments(self) && self->kind != STREW_KIND_EMBEDDING_BAG_OFFSETS;
}

static bool scatters(const bag_case *self)
{
    return self->kind == STREW_KIND_GATHER_SCATTER;
}

static void store_integer(test_tensor *tensor, int64_t place, int64_t value)
{
    int64_t position[STREW_MAX_RANK] = {place};
    if (tensor->view.rank == 2) {
        position[0] = place / tensor->shape[1];
        position[1] = place % tensor->shape[1];
    }
    element_store_integer(tensor->view.dtype, (uint64_t)value, tensor_element(&tensor->view, position));
}

/* As the tensor's dtype has it. */
static int64_t load_integer(const test_tensor *tensor, int64_t place)
{
    int64_t position[STREW_MAX_RANK] = {place};
    if (tensor->view.rank == 2) {
        position[0] = place / tensor->shape[1];
        position[1] = place % tensor->shape[1];
    }
    return (int64_t)element_load_integer(tensor->view.dtype, tensor_element(&tensor->view, position));
}

static int64_t draw_index(random_source *source, int64_t size, bool wrong)
{
    return wrong || size == 0 ? random_between(source, -size - 3, size + 3) : random_between(source, 0, size - 1);
}

static int compare(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Offsets or ids, mostly right; those that have to be sorted mostly are. */
static void draw_segments(bag_case *self, random_source *source)
{
    int64_t values[MOST_ENTRIES];
    const bool offsets = self->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS;
    const int64_t count = offsets ? self->rows : self->entries, size = offsets ? self->entries + 1 : self->rows;
    const bool wrong = random_chance(source, 8), few = random_chance(source, 30);
    for (int64_t i = 0; i < count; i++)
        values[i] = few && size > 1 ? random_between(source, 0, 1)
                                    : draw_index(source, size, wrong && random_chance(source, 10));
    const bool any_order = self->kind == STREW_KIND_EMBEDDING_SEGMENTS || scatters(self);
    if (random_chance(source, any_order ? 40 : 95))
        qsort(values, (size_t)count, sizeof *values, compare);
    for (int64_t i = 0; i < count; i++)
        store_integer(&self->segments, i, values[i]);
}

static void draw_shapes(bag_case *self, random_source *source, int64_t *table, int64_t *output)
{
    const int32_t rank = (int32_t)random_between(source, 1, 3);
    random_shape(source, rank, random_chance(source, 4) ? 60000 : 600, table);
    memcpy(output, table, STREW_MAX_RANK * sizeof *table);
    if (table[0] > 300)
        table[0] = 300;
    self->rows = output[0] = random_between(source, 0, random_chance(source, 50) ? 12 : 300);
    self->entries = random_between(source, 0, random_chance(source, 50) ? 30 : MOST_ENTRIES);
    self->data.view.rank = rank;
}

/* Some wrong ones here and there, or a stretch of nothing else, mostly one that begins where a tile does. */
static void draw_indices(bag_case *self, random_source *source, int64_t rows)
{
    const bool wrong = random_chance(source, 30), is_stretch = random_chance(source, 50);
    const bool at_tile = self->entries > TILE && random_chance(source, 70);
    const int64_t begin = at_tile ? TILE : random_between(source, 0, self->entries);
    const int64_t most = random_chance(source, 50) ? 4 : self->entries, length = random_between(source, 1, most);
    for (int64_t e = 0; e < self->entries; e++) {
        const bool in_stretch = wrong && is_stretch && e >= begin && e < begin + length;
        const bool alone = wrong && !is_stretch && random_chance(source, 5);
        store_integer(&self->indices, e, in_stretch ? rows : draw_index(source, rows, alone));
    }
}

static void draw_lists(bag_case *self, random_source *source, int64_t rows)
{
    static const strew_dtype dtypes[] = {STREW_DTYPE_INT64, STREW_DTYPE_INT32, STREW_DTYPE_INT16};
    const bool packed = self->kind == STREW_KIND_EMBEDDING_BAG_PACKED;
    const int64_t each = packed && self->rows > 0 ? self->entries / self->rows : self->entries;
    const int64_t shape[] = {packed ? self->rows : each, each};
    const int64_t offsets[] = {self->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ? self->rows : each};
    self->entries = packed ? self->rows * each : each;
    random_tensor(source, &self->indices, dtypes[random_below(source, 3)], packed ? 2 : 1, shape, LAYOUT_OUTPUT);
    random_tensor(source, &self->segments, dtypes[random_below(source, 3)], 1, offsets, LAYOUT_OUTPUT);
    random_tensor(source, &self->weights, self->data.view.dtype, packed ? 2 : 1, shape, LAYOUT_INPUT);
    draw_indices(self, source, rows);
    if (has_segments(self))
        draw_segments(self, source);
}

static void draw_case(bag_case *self, random_source *source)
{
    static const strew_dtype dtypes[] = {STREW_DTYPE_FLOAT32,  STREW_DTYPE_FLOAT32, STREW_DTYPE_FLOAT16,
                                         STREW_DTYPE_BFLOAT16, STREW_DTYPE_FLOAT64, STREW_DTYPE_INT8,
                                         STREW_DTYPE_UINT16,   STREW_DTYPE_INT32,   STREW_DTYPE_INT64,
                                         STREW_DTYPE_BOOL,     STREW_DTYPE_UINT8,   STREW_DTYPE_COMPLEX64};
    const strew_dtype dtype = dtypes[random_below(source, COUNT(dtypes))];
    int64_t table[STREW_MAX_RANK], output[STREW_MAX_RANK];
    memset(self, 0, sizeof *self);
    self->kind = (strew_kind)random_between(source, STREW_KIND_EMBEDDING_BAG_OFFSETS, STREW_KIND_GATHER_SCATTER);
    do
        self->reduction = (strew_reduction)random_between(source, STREW_REDUCTION_SUM, STREW_REDUCTION_MEAN);
    while (!strew_reduction_supports(self->reduction, dtype) ||
           self->reduction == (scatters(self) ? STREW_REDUCTION_MEAN : STREW_REDUCTION_SUB));
    draw_shapes(self, source, table, output);
    const int32_t rank = self->data.view.rank;
    self->use_init_val = random_chance(source, 60);
    self->in_place = scatters(self) && random_chance(source, 50);
    self->bounds = random_chance(source, 30)   ? STREW_BOUNDS_REFUSE
                   : random_chance(source, 30) ? STREW_BOUNDS_STOP
                                               : (strew_bounds)random_between(source, 0, STREW_BOUNDS_COUNT - 1);
    self->flags = random_chance(source, 30) ? STREW_FLAG_REFUSE_NEGATIVE_INDICES : 0;
    self->has_scratch = random_chance(source, 60);
    self->is_inspected = random_chance(source, 30);
    if (self->kind == STREW_KIND_SEGMENT_REDUCE) {
        table[0] = self->entries;
        self->empty = (strew_empty)random_between(source, 0, STREW_EMPTY_COUNT - 1);
    }
    random_tensor(source, &self->data, dtype, rank, scatters(self) ? output : table,
                  scatters(self) ? LAYOUT_OUTPUT : LAYOUT_INPUT);
    random_tensor(source, &self->updates, dtype, rank, table, LAYOUT_INPUT);
    random_tensor(source, &self->output, dtype, rank, output, LAYOUT_OUTPUT);
    draw_lists(self, source, table[0]);
    self->has_weights = self->reduction != STREW_REDUCTION_MEAN && has_indices(self) && random_chance(source, 40);
    self->default_index = table[0] > 0 && random_chance(source, 30) ? random_between(source, 0, table[0] - 1) : -1;
    if (self->kind != STREW_KIND_EMBEDDING_BAG_OFFSETS && self->kind != STREW_KIND_EMBEDDING_SEGMENTS)
        self->default_index = -1;
}

static void destroy_case(bag_case *self)
{
    tensor_destroy(&self->data);
    tensor_destroy(&self->updates);
    tensor_destroy(&self->indices);
    tensor_destroy(&self->segments);
    tensor_destroy(&self->weights);
    tensor_destroy(&self->output);
}

/* ---- What must come of it ------------------------------------------------------------------------ */

static const test_tensor *source_of(const bag_case *self)
{
    return scatters(self) ? &self->updates : &self->data;
}

/* Which row an integer names under the call's policy; NOWHERE for one that is skipped. False if it is refused. */
static bool find_row(const bag_case *self, int64_t index, int64_t size, bool wrap, int64_t *row)
{
    *row = index < 0 && wrap ? index + size : index;
    if (*row >= 0 && *row < size)
        return true;
    *row = NOWHERE;
    if (self->bounds == STREW_BOUNDS_SKIP)
        return true;
    if (size == 0 || self->bounds == STREW_BOUNDS_REFUSE || self->bounds == STREW_BOUNDS_STOP)
        return false;
    *row = self->bounds == STREW_BOUNDS_WRAP ? (index % size + size) % size : index < 0 ? 0 : size - 1;
    return true;
}

/* Where the entries lead: from which row, into which. Of a call that stops, those before the offender. */
typedef struct entry_rows {
    int64_t count;
    int64_t source[MOST_ENTRIES], target[MOST_ENTRIES];
} entry_rows;

/* What a call is refused for, and where. */
typedef struct expected_refusal {
    strew_status status;
    strew_operand operand;
    int64_t place;
} expected_refusal;

static expected_refusal find_bags(const bag_case *self, entry_rows *rows)
{
    for (int64_t b = 0; b < self->rows; b++) {
        const int64_t offset = load_integer(&self->segments, b);
        if (offset < 0 || offset > self->entries)
            return (expected_refusal){STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_OFFSETS, b};
    }
    for (int64_t b = 1; b < self->rows; b++)
        if (load_integer(&self->segments, b) < load_integer(&self->segments, b - 1))
            return (expected_refusal){STREW_STATUS_INVALID_ARGUMENT, STREW_OPERAND_OFFSETS, b};
    for (int64_t e = 0, b = -1; e < self->entries; e++) {
        while (b + 1 < self->rows && load_integer(&self->segments, b + 1) <= e)
            b++;
        rows->target[e] = b; /* NOWHERE before the first */
    }
    return (expected_refusal){.status = STREW_STATUS_OK};
}

static strew_operand segments_operand(const bag_case *self)
{
    return scatters(self) ? STREW_OPERAND_TARGETS : STREW_OPERAND_SEGMENT_IDS;
}

/* Whether the rows that entries go into come in an order that the call takes. */
static expected_refusal check_order(const bag_case *self, const entry_rows *rows)
{
    const bool sorts = self->has_scratch || self->is_inspected;
    if (scatters(self) || (self->kind == STREW_KIND_EMBEDDING_SEGMENTS && sorts))
        return (expected_refusal){.status = STREW_STATUS_OK};
    /* As the policy has them; what is left out comes first or last. */
    bool sorted = true, left = false;
    int64_t before = NOWHERE;
    for (int64_t e = 0; e < self->entries && sorted; e++) {
        if (rows->target[e] == NOWHERE) {
            left = before != NOWHERE;
            continue;
        }
        sorted = !left && rows->target[e] >= before;
        before = rows->target[e];
    }
    if (sorted)
        return (expected_refusal){.status = STREW_STATUS_OK};
    return (expected_refusal){
        STREW_STATUS_INVALID_ARGUMENT,
        self->kind == STREW_KIND_SEGMENT_REDUCE ? STREW_OPERAND_SEGMENT_IDS : STREW_OPERAND_SCRATCH, -1};
}

/* The first offender, an index before the number of a row. */
static expected_refusal find_rows(const bag_case *self, entry_rows *rows)
{
    const bool wrap = !(self->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES);
    const int64_t size = source_of(self)->shape[0];
    for (int64_t e = 0; e < self->entries; e++) {
        rows->source[e] = e;
        if (!has_segments(self))
            rows->target[e] = e / self->indices.shape[1];
        if (has_indices(self) && !find_row(self, load_integer(&self->indices, e), size, wrap, &rows->source[e]))
            return (expected_refusal){STREW_STATUS_INDEX_OUT_OF_BOUNDS, STREW_OPERAND_INDICES, e};
        if (has_numbers(self) &&
            !find_row(self, load_integer(&self->segments, e), self->rows, wrap && scatters(self), &rows->target[e]))
            return (expected_refusal){STREW_STATUS_INDEX_OUT_OF_BOUNDS, segments_operand(self), e};
    }
    return (expected_refusal){.status = STREW_STATUS_OK};
}

static expected_refusal find_entries(const bag_case *self, entry_rows *rows)
{
    expected_refusal refusal = {.status = STREW_STATUS_OK};
    if (self->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS)
        refusal = find_bags(self, rows);
    if (refusal.status == STREW_STATUS_OK)
        refusal = find_rows(self, rows);
    if (refusal.status == STREW_STATUS_OK && has_numbers(self))
        refusal = check_order(self, rows);
    const bool stops = refusal.status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && self->bounds == STREW_BOUNDS_STOP;
    rows->count = stops ? refusal.place : self->entries;
    return refusal;
}

/* weights[entry] * the element at a position of the row that the entry names. */
static void load_update(const bag_case *self, const entry_rows *rows, int64_t entry, const int64_t *position,
                        unsigned char *update)
{
    const strew_dtype dtype = self->data.view.dtype;
    int64_t place[STREW_MAX_RANK];
    memcpy(place, position, sizeof place);
    place[0] = rows->source[entry];
    widen(dtype, tensor_element(&source_of(self)->view, place), update);
    if (self->has_weights) {
        unsigned char product[ELEMENT_ROOM];
        int64_t at[STREW_MAX_RANK] = {entry};
        if (self->weights.view.rank == 2) {
            at[0] = entry / self->weights.shape[1];
            at[1] = entry % self->weights.shape[1];
        }
        widen(dtype, tensor_element(&self->weights.view, at), product);
        element_combine(wide_of(dtype), STREW_REDUCTION_PROD, product, update);
        memcpy(update, product, ELEMENT_ROOM);
    }
}

static void store_lowest(strew_dtype dtype, void *element)
{
    const float_format format = element_float_format(dtype);
    if (element_is_complex(dtype)) {
        memset(element, 0, element_size(dtype));
        return;
    }
    if (format.mantissa_bits == 0) {
        element_identity(dtype, STREW_REDUCTION_MAX, element);
        return;
    }
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    double power = 1;
    for (int i = 0; i < bias; i++)
        power *= 2;
    double least_step = 1;
    for (int i = 0; i < format.mantissa_bits; i++)
        least_step /= 2;
    element_store(dtype, -(2 - least_step) * power, element);
}

/* What an element is of a row that nothing goes into. */
static void store_empty(const bag_case *self, const int64_t *position, void *element)
{
    const strew_dtype dtype = self->data.view.dtype;
    int64_t place[STREW_MAX_RANK];
    memcpy(place, position, sizeof place);
    place[0] = self->default_index;
    if (self->default_index >= 0)
        memcpy(element, tensor_element(&self->data.view, place), element_size(dtype));
    else if (self->empty == STREW_EMPTY_LOWEST)
        store_lowest(dtype, element);
    else
        memset(element, 0, element_size(dtype));
}

static void expect_element(const bag_case *self, const entry_rows *rows, const int64_t *position, void *element)
{
    const strew_dtype dtype = self->data.view.dtype, wide = wide_of(dtype);
    unsigned char sum[ELEMENT_ROOM] = {0}, update[ELEMENT_ROOM];
    int64_t count = 0;
    for (int64_t e = 0; e < rows->count; e++) {
        if (rows->target[e] != position[0] || rows->source[e] == NOWHERE)
            continue;
        const bool first = count++ == 0;
        if (scatters(self)) {
            if (first && !self->use_init_val)
                element_identity(dtype, self->reduction, element);
            widen(dtype, element, sum);
        } else if (first && self->reduction != STREW_REDUCTION_SUM && self->reduction != STREW_REDUCTION_MEAN) {
            element_identity(wide, self->reduction, sum);
        }
        load_update(self, rows, e, position, update);
        element_combine(wide, self->reduction, sum, update);
        if (scatters(self))
            narrow(dtype, sum, element);
    }
    if (scatters(self))
        return;
    if (count == 0)
        store_empty(self, position, element);
    else
        narrow(dtype, sum, element);
    if (count > 0 && self->reduction == STREW_REDUCTION_MEAN)
        element_divide(dtype, element, count);
}

/* ---- What a call leaves that stops --------------------------------------------------------------- */

/* What is inspected writes nothing, and of segments in no order nothing is said. */
static bool leaves_what_comes_before(const bag_case *self, expected_refusal refusal)
{
    const bool is_ordered = has_numbers(self) && !scatters(self);
    for (int64_t e = 1; e < self->entries && is_ordered; e++)
        if (load_integer(&self->segments, e) < load_integer(&self->segments, e - 1))
            return false;
    return refusal.status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && self->bounds == STREW_BOUNDS_STOP &&
           !self->is_inspected;
}

/* Whether all that goes into a row comes before an entry. */
static bool ends_before(const bag_case *self, int64_t row, int64_t entry)
{
    if (has_numbers(self))
        return row < load_integer(&self->segments, entry);
    if (!has_segments(self))
        return (row + 1) * self->indices.shape[1] <= entry;
    return (row + 1 < self->rows ? load_integer(&self->segments, row + 1) : self->entries) <= entry;
}

/* Whether a row of the output is another one after the call: none is that it has not come to the end of. */
static bool is_written(const bag_case *self, int64_t row, expected_refusal refusal)
{
    return refusal.status == STREW_STATUS_OK || scatters(self) || ends_before(self, row, refusal.place);
}

static void expect_output(const bag_case *self, const entry_rows *rows, expected_refusal refusal,
                          test_tensor *expected)
{
    int64_t position[STREW_MAX_RANK];
    const bool as_a_whole = scatters(self) && !self->use_init_val;
    for (bool more = position_first(position, &expected->view); more;
         more = position_next(position, &expected->view)) {
        void *const element = tensor_element(&expected->view, position);
        if (!is_written(self, position[0], refusal))
            continue;
        if (scatters(self))
            memcpy(element, tensor_element(&self->data.view, position), element_size(expected->view.dtype));
        if (refusal.status == STREW_STATUS_OK || !as_a_whole)
            expect_element(self, rows, position, element);
    }
}

/* ---- Running ------------------------------------------------------------------------------------- */

static strew_status run_call(bag_case *self, const strew_tensor *output, const strew_options *options)
{
    const strew_tensor *data = &self->data.view, *indices = &self->indices.view, *segments = &self->segments.view;
    const strew_tensor *weights = self->has_weights ? &self->weights.view : NULL;
    switch (self->kind) {
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_embedding_bag_offsets(data, indices, segments, weights, self->reduction, self->default_index,
                                           output, options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_embedding_bag_packed(data, indices, weights, self->reduction, output, options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_embedding_segments(data, indices, segments, weights, self->reduction, self->default_index,
                                        output, options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_segment_reduce(data, segments, self->reduction, self->empty, output, options);
    default:
        return strew_gather_scatter(data, &self->updates.view, indices, segments, weights, self->reduction,
                                    self->use_init_val, output, options);
    }
}

static strew_status plan_call(bag_case *self, strew_plan *plan, const strew_tensor *output,
                              const strew_plan_options *options)
{
    const strew_tensor *data = &self->data.view, *indices = &self->indices.view, *segments = &self->segments.view;
    const strew_tensor *weights = self->has_weights ? &self->weights.view : NULL;
    switch (self->kind) {
    case STREW_KIND_EMBEDDING_BAG_OFFSETS:
        return strew_plan_embedding_bag_offsets(plan, data, indices, segments, weights, self->reduction,
                                                self->default_index, output, options);
    case STREW_KIND_EMBEDDING_BAG_PACKED:
        return strew_plan_embedding_bag_packed(plan, data, indices, weights, self->reduction, output, options);
    case STREW_KIND_EMBEDDING_SEGMENTS:
        return strew_plan_embedding_segments(plan, data, indices, segments, weights, self->reduction,
                                             self->default_index, output, options);
    case STREW_KIND_SEGMENT_REDUCE:
        return strew_plan_segment_reduce(plan, data, segments, self->reduction, self->empty, output, options);
    default:
        return strew_plan_gather_scatter(plan, data, &self->updates.view, indices, segments, weights,
                                         self->reduction, self->use_init_val, output, options);
    }
}

/* Whatever the memory held before, the same is written. */
static void check_inspected_again(const strew_plan *plan, const strew_buffers *buffers, const char *storage,
                                  size_t size)
{
    strew_plan again;
    char *const other = malloc(size + 1);
    assert_non_null(other);
    memset(other, 0xa5, size);
    assert_int_equal(strew_plan_inspect(&again, plan, buffers, other, size, NULL), STREW_STATUS_OK);
    assert_memory_equal(other, storage, size);
    free(other);
}

/* The plan that inspecting makes, on other memory than it was inspected in; or what that refuses. */
static strew_status run_inspected(const bag_case *self, const strew_plan *plan, const strew_buffers *buffers,
                                  const strew_run_options *options)
{
    const size_t size = strew_plan_inspection_size(plan);
    char *const storage = malloc(size + 1), *const moved = malloc(size + 3);
    strew_plan inspected;
    strew_buffers changed = *buffers;
    assert_non_null(storage);
    assert_non_null(moved);
    memset(storage, 0x5a, size + 1);
    strew_status status = strew_plan_inspect(&inspected, plan, buffers, storage + 1, size, options);
    if (status == STREW_STATUS_OK)
        check_inspected_again(plan, buffers, storage + 1, size);
    memcpy(moved + 3, storage + 1, size);
    changed.indices = moved + 3;
    if (has_numbers(self))
        changed.segments = NULL;
    if (size == 0)
        changed.indices = buffers->indices;
    if (status == STREW_STATUS_OK)
        status = strew_plan_run(&inspected, &changed, options);
    free(storage);
    free(moved);
    return status;
}

static strew_status run_plan(bag_case *self, const strew_plan *plan, const strew_tensor *output,
                             const strew_options *options)
{
    const strew_run_options running = call_run_options(options);
    const strew_buffers buffers = {.data = self->data.view.data,
                                   .indices = has_indices(self) ? self->indices.view.data : NULL,
                                   .updates = scatters(self) ? self->updates.view.data : NULL,
                                   .output = output->data,
                                   .segments = has_segments(self) ? self->segments.view.data : NULL,
                                   .weights = self->has_weights ? self->weights.view.data : NULL};
    return self->is_inspected ? run_inspected(self, plan, &buffers, &running)
                              : strew_plan_run(plan, &buffers, &running);
}

/* With as much scratch as the plan would have, or none. */
static strew_status run_case(bag_case *self, const strew_tensor *output, strew_options options, bool planned)
{
    strew_plan plan;
    strew_plan_options planning = call_plan_options(&options);
    const strew_status status = plan_call(self, &plan, output, &planning);
    if (status != STREW_STATUS_OK)
        return status;
    const size_t threads = options.parallel ? options.parallel->threads : 1;
    options.scratch_size = self->has_scratch ? strew_plan_scratch_size(&plan, threads) : 0;
    options.scratch = options.scratch_size > 0 ? malloc(options.scratch_size) : NULL;
    const strew_status result =
        planned ? run_plan(self, &plan, output, &options) : run_call(self, output, &options);
    free(options.scratch);
    return result;
}

static void check_error(const bag_case *self, const strew_error *error, expected_refusal refusal)
{
    assert_int_equal(error->operand, refusal.operand);
    if (refusal.place < 0 || refusal.operand == STREW_OPERAND_SCRATCH)
        return;
    const int64_t ordinal = error->position_rank == 2
                                ? error->position[0] * self->indices.shape[1] + error->position[1]
                                : error->position[0];
    assert_int_equal(ordinal, refusal.place);
}

static void check_case(bag_case *self, random_source *source)
{
    static entry_rows rows;
    test_tensor expected;
    test_tensor *const output = self->in_place ? &self->data : &self->output;
    int64_t position[STREW_MAX_RANK];
    strew_error error = {0};
    const size_t threads = 1 + random_below(source, 4);
    const strew_parallel parallel = parallel_shuffled(threads, source);
    strew_options options = call_options();
    options.parallel = threads > 1 ? &parallel : NULL;
    options.bounds = self->bounds;
    options.flags = self->flags;
    options.error = &error;
    const expected_refusal refusal = find_entries(self, &rows);
    tensor_clone(&expected, output);
    const bool leaves_some = leaves_what_comes_before(self, refusal);
    if (refusal.status == STREW_STATUS_OK || leaves_some)
        expect_output(self, &rows, refusal, &expected);
    const strew_status status =
        run_case(self, &output->view, options, self->is_inspected || random_chance(source, 50));
    if (status != refusal.status) {
        char message[256];
        strew_error_message(&error, message, sizeof message);
        print_error("kind %d entries %d rows %d bounds %d source rows %d inspected %d rank %d: %s\n",
                    (int)self->kind, (int)self->entries, (int)self->rows, (int)self->bounds,
                    (int)source_of(self)->shape[0], self->is_inspected, self->data.view.rank, message);
    }
    assert_int_equal(status, refusal.status);
    if (status != STREW_STATUS_OK)
        check_error(self, &error, refusal);
    if (status != STREW_STATUS_OK && !leaves_some) {
        if (self->in_place)
            assert_true(tensor_same_memory(output, &expected));
    } else {
        const bool same = oracle_equal(&expected.view, &output->view, ORACLE_ANY_NAN, position);
        if (!same) {
            double x = 0, y = 0;
            memcpy(&x, tensor_element(&expected.view, position), element_size(expected.view.dtype));
            memcpy(&y, tensor_element(&output->view, position), element_size(expected.view.dtype));
            print_error(
                "%a %a; kind %d %s %s weights %d entries %d rows %d row %d threads %d scratch %d init %d in place "
                "%d bounds %d rank %d\n",
                x, y, (int)self->kind, strew_dtype_name(self->data.view.dtype),
                strew_reduction_name(self->reduction), self->has_weights, (int)self->entries, (int)self->rows,
                (int)position[0], (int)threads, self->has_scratch, self->use_init_val, self->in_place,
                (int)self->bounds, expected.view.rank);
        }
        assert_true(same);
        assert_true(tensor_same_padding(output, &expected));
    }
    tensor_destroy(&expected);
}

static void random_bags_are_as_plain_loops_have_them(void **state)
{
    (void)state;
    random_source source = {random_seed()};
    for (int i = 0; i < 2000; i++) {
        static bag_case drawn;
        draw_case(&drawn, &source);
        check_case(&drawn, &source);
        destroy_case(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bags_are_as_plain_loops_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
