/*
 * OpenVINO's EmbeddingBagOffsets, EmbeddingBagPacked, EmbeddingSegmentsSum and SegmentMax: the examples of their
 * documents, cases that the documents leave open, and the catalogue's entry of each.
 */
#include <math.h>
#include <stdlib.h>

#include <strew/operators.h>

#include "call.h"
#include "element.h"
#include "test.h"

enum { MOST = 16, ROOM = 4096, ABSENT = -99 };

/* Numbers of a list, and how many. */
#define LIST(...)                                                    \
    {                                                                \
        (int32_t)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), \
        {                                                            \
            __VA_ARGS__                                              \
        }                                                            \
    }
#define NOTHING \
    {           \
        0,      \
        {       \
            0   \
        }       \
    }

typedef struct numbers {
    int32_t count;
    double number[MOST];
} numbers;

/* A call of one version on rows of so many columns. */
typedef struct bag_call {
    const char *version;
    int64_t columns;
    numbers data, indices, segments, weights; /* empty weights mean none, and so do empty indices for SegmentMax */
    int64_t packed;                           /* how many indices a row of them has; 0: they have rank 1 */
    strew_reduction reduction;                /* NONE: not given */
    int64_t default_index, segment_count;     /* ABSENT: not given */
    strew_empty empty;                        /* for SegmentMax */
    int64_t rows;                             /* rows of the output */
    strew_status status;
    numbers output;
} bag_call;

#define TABLE LIST(-0.2, -0.6, -0.1, -0.4, -1.9, -1.8, -1.0, 1.5, 0.8, -0.7)
#define OFFSETS_15 "EmbeddingBagOffsets-15", 2, TABLE
#define OFFSETS_3 "EmbeddingBagOffsetsSum-3", 2, TABLE
#define PACKED_15 "EmbeddingBagPacked-15", 2, TABLE
#define PACKED_3 "EmbeddingBagPackedSum-3", 2, TABLE
#define SEGMENTS_3 "EmbeddingSegmentsSum-3", 2, TABLE
#define MAX_16 "SegmentMax-16"
#define NONE STREW_REDUCTION_NONE
#define SUM STREW_REDUCTION_SUM
#define MEAN STREW_REDUCTION_MEAN
#define OK STREW_STATUS_OK
#define INVALID STREW_STATUS_INVALID_ARGUMENT
#define BOUNDS STREW_STATUS_INDEX_OUT_OF_BOUNDS
#define HALVES LIST(0.5, 0.5, 0.5, 0.5)

/* float32. */
static const bag_call examples[] = {
    /* the documents' */
    {OFFSETS_15, LIST(0, 2, 3, 4), LIST(0, 2, 2), HALVES, 0, SUM, 0, ABSENT, 0, 3, OK,
     LIST(-1.05, -1.2, -0.2, -0.6, -0.1, 0.4)},
    {OFFSETS_15, LIST(0, 2, 3, 4), LIST(0, 2, 2), LIST(0.5, 0.2, -2, 1), 0, SUM, -1, ABSENT, 0, 3, OK,
     LIST(-0.48, -0.66, 0, 0, 2.8, -3.7)},
    {OFFSETS_15, LIST(0, 2, 3, 4), LIST(0, 2, 2), NOTHING, 0, MEAN, ABSENT, ABSENT, 0, 3, OK,
     LIST(-1.05, -1.2, 0, 0, -0.1, 0.4)},
    {OFFSETS_3, LIST(0, 2, 3, 4), LIST(0, 2, 2), HALVES, 0, NONE, 0, ABSENT, 0, 3, OK,
     LIST(-1.05, -1.2, -0.2, -0.6, -0.1, 0.4)},
    {PACKED_15, LIST(0, 2, 1, 2, 3, 4), NOTHING, NOTHING, 2, SUM, ABSENT, ABSENT, 0, 3, OK,
     LIST(-2.1, -2.4, -2.0, -2.2, -0.2, 0.8)},
    {PACKED_15, LIST(0, 2, 1, 2, 3, 4), NOTHING, LIST(0.5, 0.5, 0.5, 0.5, 0.5, 0.5), 2, NONE, ABSENT, ABSENT, 0, 3,
     OK, LIST(-1.05, -1.2, -1.0, -1.1, -0.1, 0.4)},
    {PACKED_15, LIST(0, 2, 1, 2, 3, 4), NOTHING, NOTHING, 2, MEAN, ABSENT, ABSENT, 0, 3, OK,
     LIST(-1.05, -1.2, -1.0, -1.1, -0.1, 0.4)},
    {PACKED_3, LIST(0, 2, 1, 2, 3, 4), NOTHING, LIST(0.5, 0.5, 0.5, 0.5, 0.5, 0.5), 2, NONE, ABSENT, ABSENT, 0, 3,
     OK, LIST(-1.05, -1.2, -1.0, -1.1, -0.1, 0.4)},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(0, 0, 2, 2), HALVES, 0, NONE, 0, 3, 0, 3, OK,
     LIST(-1.05, -1.2, -0.2, -0.6, -0.1, 0.4)},

    /* offsets: an empty bag at the end, indices before the first, no indices, no bags */
    {OFFSETS_15, LIST(0, 2, 3, 4), LIST(0, 2, 4), NOTHING, 0, SUM, -1, ABSENT, 0, 3, OK,
     LIST(-2.1, -2.4, -0.2, 0.8, 0, 0)},
    {OFFSETS_15, LIST(0, 2, 3, 4), LIST(1, 2, 3), NOTHING, 0, SUM, ABSENT, ABSENT, 0, 3, OK,
     LIST(-1.9, -1.8, -1.0, 1.5, 0.8, -0.7)},
    {OFFSETS_15, NOTHING, LIST(0, 0), NOTHING, 0, SUM, 3, ABSENT, 0, 2, OK, LIST(-1.0, 1.5, -1.0, 1.5)},
    {OFFSETS_15, NOTHING, LIST(0, 0), NOTHING, 0, MEAN, ABSENT, ABSENT, 0, 2, OK, LIST(0, 0, 0, 0)},
    {OFFSETS_15, LIST(0, 2), NOTHING, NOTHING, 0, SUM, ABSENT, ABSENT, 0, 0, OK, NOTHING},
    {OFFSETS_15, LIST(0, 2, 3, 4), LIST(0, 2, 5), NOTHING, 0, SUM, ABSENT, ABSENT, 0, 3, INVALID, NOTHING},
    {OFFSETS_15, LIST(0, 2, 3, 4), LIST(2, 0, 3), NOTHING, 0, SUM, ABSENT, ABSENT, 0, 3, INVALID, NOTHING},
    {OFFSETS_3, LIST(0, 2, 3, 4), LIST(-1, 0, 3), NOTHING, 0, SUM, ABSENT, ABSENT, 0, 3, INVALID, NOTHING},

    /* a default is checked even if no bag is empty; with a mean it is the row itself, without a weight */
    {OFFSETS_15, LIST(0, 2, 3), LIST(0, 2), NOTHING, 0, SUM, 5, ABSENT, 0, 2, INVALID, NOTHING},
    {OFFSETS_15, LIST(0, 2, 3), LIST(0, 2), NOTHING, 0, SUM, -2, ABSENT, 0, 2, INVALID, NOTHING},
    {OFFSETS_15, LIST(0, 2, 3), LIST(0, 3), NOTHING, 0, MEAN, 2, ABSENT, 0, 2, OK,
     LIST(-3.1 / 3, -0.9 / 3, -1.9, -1.8)},
    {OFFSETS_3, LIST(0, 2, 3), LIST(0, 3), LIST(2, 2, 2), 0, SUM, 2, ABSENT, 0, 2, OK,
     LIST(-6.2, -1.8, -1.9, -1.8)},
    {OFFSETS_15, LIST(0, 2, 3), LIST(0, 3), LIST(2, 2, 2), 0, MEAN, 2, ABSENT, 0, 2, INVALID, NOTHING},

    /* indices outside the table */
    {OFFSETS_15, LIST(0, 5), LIST(0), NOTHING, 0, SUM, ABSENT, ABSENT, 0, 1, BOUNDS, NOTHING},
    {OFFSETS_3, LIST(0, -1), LIST(0), NOTHING, 0, SUM, ABSENT, ABSENT, 0, 1, BOUNDS, NOTHING},
    {OFFSETS_15, LIST(-1, 0), LIST(1), NOTHING, 0, SUM, ABSENT, ABSENT, 0, 1, BOUNDS, NOTHING}, /* in no bag */
    {PACKED_15, LIST(0, -1), NOTHING, NOTHING, 2, SUM, ABSENT, ABSENT, 0, 1, BOUNDS, NOTHING},
    {PACKED_3, LIST(5, 0), NOTHING, NOTHING, 1, SUM, ABSENT, ABSENT, 0, 2, BOUNDS, NOTHING},
    {SEGMENTS_3, LIST(0, 4294967296.0), LIST(0, 0), NOTHING, 0, SUM, ABSENT, 1, 0, 1, BOUNDS, NOTHING},

    /* segments: without a default, with -1 for one, without an order, out of bounds, none */
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(0, 0, 2, 2), NOTHING, 0, SUM, ABSENT, 3, 0, 3, OK,
     LIST(-2.1, -2.4, 0, 0, -0.2, 0.8)},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(0, 0, 2, 2), HALVES, 0, SUM, ABSENT, ABSENT, 0, 4, OK,
     LIST(-1.05, -1.2, 0, 0, -0.1, 0.4, 0, 0)},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(0, 0, 2, 2), NOTHING, 0, SUM, -1, 3, 0, 3, INVALID, NOTHING},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(0, 0, 1, 2), NOTHING, 0, SUM, 5, 3, 0, 3, INVALID, NOTHING},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(0, 2, 0, 2), NOTHING, 0, SUM, 1, 3, 0, 3, OK,
     LIST(-1.2, 0.9, -0.1, -0.4, -1.1, -2.5)},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(2, 2, 0, 0), NOTHING, 0, SUM, ABSENT, 3, 0, 3, OK,
     LIST(-0.2, 0.8, 0, 0, -2.1, -2.4)},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(0, 0, 2, 2), NOTHING, 0, SUM, ABSENT, 2, 0, 2, BOUNDS, NOTHING},
    {SEGMENTS_3, LIST(0, 2, 3, 4), LIST(-1, 0, 1, 2), NOTHING, 0, SUM, ABSENT, 3, 0, 3, BOUNDS, NOTHING},
    {SEGMENTS_3, NOTHING, NOTHING, NOTHING, 0, SUM, 4, 2, 0, 2, OK, LIST(0.8, -0.7, 0.8, -0.7)},
    {SEGMENTS_3, NOTHING, NOTHING, NOTHING, 0, SUM, ABSENT, 0, 0, 0, OK, NOTHING},
    {SEGMENTS_3, LIST(0), LIST(0), NOTHING, 0, SUM, ABSENT, 0, 0, 0, BOUNDS, NOTHING},
    {SEGMENTS_3, LIST(0), LIST(0), NOTHING, 0, SUM, ABSENT, -1, 0, 1, INVALID, NOTHING},
};

#define ZERO STREW_EMPTY_ZERO
#define LOWEST STREW_EMPTY_LOWEST
#define EIGHT LIST(1, 2, 3, -4, -5, -6, 7, 8)
#define FIVE LIST(10, 20, 30, 40, 50)
#define THREE_ROWS LIST(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
#define INT32_LOWEST -2147483648.0

/* int32. */
static const bag_call maxima[] = {
    {MAX_16, 1, EIGHT, NOTHING, LIST(0, 0, 0, 1, 1, 3, 5, 5), NOTHING, 0, NONE, ABSENT, ABSENT, ZERO, 6, OK,
     LIST(3, -4, 0, -6, 0, 8)},
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 0, 2, 3, 3), NOTHING, 0, NONE, ABSENT, 2, ZERO, 2, OK, LIST(20, 0)},
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 0, 2, 3, 3), NOTHING, 0, NONE, ABSENT, 8, ZERO, 8, OK,
     LIST(20, 0, 30, 50, 0, 0, 0, 0)},
    {MAX_16, 4, THREE_ROWS, NOTHING, LIST(0, 1, 1), NOTHING, 0, NONE, ABSENT, ABSENT, LOWEST, 2, OK,
     LIST(0, 1, 2, 3, 8, 9, 10, 11)},
    {MAX_16, 4, THREE_ROWS, NOTHING, LIST(0, 2, 2), NOTHING, 0, STREW_REDUCTION_MAX, ABSENT, 4, LOWEST, 4, OK,
     LIST(0, 1, 2, 3, INT32_LOWEST, INT32_LOWEST, INT32_LOWEST, INT32_LOWEST, 8, 9, 10, 11, INT32_LOWEST,
          INT32_LOWEST, INT32_LOWEST, INT32_LOWEST)},

    /* beyond the last segment they are dropped, even all of them; below the first they are refused, at any place */
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 0, 2, 3, 3), NOTHING, 0, NONE, ABSENT, 0, ZERO, 0, OK, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(7, 7, 8, 9, 9), NOTHING, 0, NONE, ABSENT, 2, LOWEST, 2, OK,
     LIST(INT32_LOWEST, INT32_LOWEST)},
    {MAX_16, 1, FIVE, NOTHING, LIST(-1, 0, 2, 3, 3), NOTHING, 0, NONE, ABSENT, 4, ZERO, 4, BOUNDS, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 0, -1, 3, 3), NOTHING, 0, NONE, ABSENT, 4, ZERO, 4, BOUNDS, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 0, 3, 3, -1), NOTHING, 0, NONE, ABSENT, 4, ZERO, 4, BOUNDS, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 9, 9, 9, -1), NOTHING, 0, NONE, ABSENT, 4, ZERO, 4, BOUNDS, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(-1, -1, -1, -1, -1), NOTHING, 0, NONE, ABSENT, 0, ZERO, 0, BOUNDS, NOTHING},

    /* not sorted, among those that are dropped too */
    {MAX_16, 1, FIVE, NOTHING, LIST(1, 0, 1, 2, 2), NOTHING, 0, NONE, ABSENT, 3, ZERO, 3, INVALID, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(9, 0, 1, 2, 2), NOTHING, 0, NONE, ABSENT, 3, ZERO, 3, INVALID, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 9, 1, 2, 2), NOTHING, 0, NONE, ABSENT, 3, ZERO, 3, INVALID, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(0, 1, 2, 9, 8), NOTHING, 0, NONE, ABSENT, 3, ZERO, 3, INVALID, NOTHING},
    {MAX_16, 1, FIVE, NOTHING, LIST(9, 8, 8, 8, 8), NOTHING, 0, NONE, ABSENT, 3, ZERO, 3, INVALID, NOTHING},

    /* no rows */
    {MAX_16, 1, NOTHING, NOTHING, NOTHING, NOTHING, 0, NONE, ABSENT, 3, LOWEST, 3, OK,
     LIST(INT32_LOWEST, INT32_LOWEST, INT32_LOWEST)},
    {MAX_16, 1, NOTHING, NOTHING, NOTHING, NOTHING, 0, NONE, ABSENT, ABSENT, ZERO, 0, OK, NOTHING},
};

/* ---- A call in memory ---------------------------------------------------------------------------- */

typedef struct built_call {
    strew_tensor data, indices, segments, weights, output;
    int64_t data_shape[2], indices_shape[2], segments_shape[1], output_shape[2];
    strew_attributes attributes;
    uint64_t memory[5][ROOM / sizeof(uint64_t)];
} built_call;

static void build_list(strew_tensor *tensor, strew_dtype dtype, const numbers *list, void *memory, int32_t rank,
                       const int64_t *shape)
{
    *tensor = (strew_tensor){memory, dtype, rank, shape, NULL};
    for (int32_t i = 0; i < list->count; i++)
        element_store(dtype, list->number[i], (char *)memory + (size_t)i * element_size(dtype));
}

static bool is_max(const bag_call *call)
{
    return strcmp(call->version, MAX_16) == 0;
}

static void build_attributes(built_call *self, const bag_call *call)
{
    strew_attributes *attributes = &self->attributes;
    *attributes = (strew_attributes){.reduction = call->reduction,
                                     .segments = &self->segments,
                                     .weights = &self->weights,
                                     .default_index = call->default_index,
                                     .segment_count = call->segment_count,
                                     .empty = call->empty};
    attributes->given = (call->reduction != NONE ? STREW_ATTRIBUTE_REDUCTION : 0u) |
                        (call->packed == 0 ? STREW_ATTRIBUTE_SEGMENTS : 0u) |
                        (call->weights.count > 0 ? STREW_ATTRIBUTE_WEIGHTS : 0u) |
                        (call->default_index != ABSENT ? STREW_ATTRIBUTE_DEFAULT_INDEX : 0u) |
                        (call->segment_count != ABSENT ? STREW_ATTRIBUTE_SEGMENT_COUNT : 0u) |
                        (is_max(call) ? STREW_ATTRIBUTE_EMPTY : 0u);
}

static void build(built_call *self, const bag_call *call, strew_dtype dtype, strew_dtype index_dtype)
{
    const int64_t packed = call->packed;
    memset(self, 0x5a, sizeof *self);
    self->data_shape[0] = call->data.count / call->columns;
    self->data_shape[1] = self->output_shape[1] = call->columns;
    self->indices_shape[0] = packed > 0 ? call->indices.count / packed : call->indices.count;
    self->indices_shape[1] = packed;
    self->segments_shape[0] = call->segments.count;
    self->output_shape[0] = call->rows;
    const int32_t rank = packed > 0 ? 2 : 1;
    build_list(&self->data, dtype, &call->data, self->memory[0], 2, self->data_shape);
    build_list(&self->indices, index_dtype, &call->indices, self->memory[1], rank, self->indices_shape);
    build_list(&self->segments, index_dtype, &call->segments, self->memory[2], 1, self->segments_shape);
    build_list(&self->weights, dtype, &call->weights, self->memory[3], rank, self->indices_shape);
    self->output = (strew_tensor){self->memory[4], dtype, 2, self->output_shape, NULL};
    build_attributes(self, call);
}

static const strew_tensor *indices_of(built_call *self, const bag_call *call)
{
    return is_max(call) ? NULL : &self->indices;
}

static strew_status run_at_once(built_call *self, const bag_call *call)
{
    static uint64_t scratch[ROOM];
    strew_options options = call_options();
    options.scratch = scratch;
    options.scratch_size = sizeof scratch;
    return strew_operator_run(strew_operator_find(call->version), &self->attributes, &self->data,
                              indices_of(self, call), NULL, &self->output, &options);
}

static strew_status run_planned(built_call *self, const bag_call *call)
{
    strew_plan plan;
    const strew_options options = call_options();
    const strew_plan_options planning = call_plan_options(&options);
    const strew_status status =
        strew_operator_plan(&plan, strew_operator_find(call->version), &self->attributes, &self->data,
                            indices_of(self, call), NULL, &self->output, &planning);
    if (status != STREW_STATUS_OK)
        return status;
    strew_run_options running = STREW_RUN_OPTIONS_INIT;
    running.scratch_size = strew_plan_least_scratch_size(&plan, 1);
    running.scratch = malloc(running.scratch_size + 1);
    const strew_buffers buffers = {.data = self->data.data,
                                   .indices = is_max(call) ? NULL : self->indices.data,
                                   .output = self->output.data,
                                   .segments = call->packed > 0 ? NULL : self->segments.data,
                                   .weights = call->weights.count > 0 ? self->weights.data : NULL};
    const strew_status result = strew_plan_run(&plan, &buffers, &running);
    free(running.scratch);
    return result;
}

static double load(strew_dtype dtype, const void *element)
{
    return element_is_integer(dtype) ? (double)(int64_t)element_load_integer(dtype, element)
                                     : element_load(dtype, element);
}

/* Compares to a millionth: the documents print rounded numbers. */
static void check_output(const built_call *self, const bag_call *call, const char *how)
{
    const strew_dtype dtype = self->output.dtype;
    assert_int_equal(call->output.count, call->rows * call->columns);
    for (int32_t i = 0; i < call->output.count; i++) {
        const void *const element = (const char *)self->output.data + (size_t)i * element_size(dtype);
        const double found = load(dtype, element), expected = call->output.number[i];
        if (!(fabs(found - expected) <= 1e-6))
            fail_msg("%s, %s: element %d is %.9g, not %.9g", call->version, how, (int)i, found, expected);
    }
}

static void check_shape(built_call *self, const bag_call *call)
{
    int64_t shape[STREW_MAX_RANK] = {ABSENT};
    int32_t rank = ABSENT;
    const bool counts = is_max(call) || strcmp(call->version, "EmbeddingSegmentsSum-3") == 0;
    strew_error error = {0};
    const strew_status status =
        strew_operator_shape(strew_operator_find(call->version), &self->attributes, &self->data,
                             indices_of(self, call), NULL, shape, &rank, &error);
    if (counts && call->segment_count == ABSENT) { /* only an output can give it */
        assert_int_equal(status, STREW_STATUS_INVALID_ARGUMENT);
        assert_int_equal(error.operand, STREW_OPERAND_SEGMENT_COUNT);
        return;
    }
    assert_int_equal(status, STREW_STATUS_OK);
    assert_int_equal(rank, 2);
    assert_int_equal(shape[0], call->rows);
    assert_int_equal(shape[1], call->columns);
}

static void check_call(const bag_call *call, size_t number, strew_dtype dtype, strew_dtype index_dtype,
                       strew_status (*run)(built_call *, const bag_call *), const char *how)
{
    static built_call built;
    build(&built, call, dtype, index_dtype);
    const strew_status status = run(&built, call);
    if (status != call->status)
        fail_msg("%s, %s, number %zu: %s, not %s", call->version, how, number, strew_status_name(status),
                 strew_status_name(call->status));
    if (status != STREW_STATUS_OK)
        return;
    check_output(&built, call, how);
    check_shape(&built, call);
}

static bool fits_int32(const bag_call *call)
{
    for (int32_t i = 0; i < call->indices.count; i++)
        if (call->indices.number[i] > INT32_MAX)
            return false;
    return true;
}

static void check_calls(const bag_call *calls, size_t count, strew_dtype dtype)
{
    for (size_t i = 0; i < count; i++) {
        check_call(&calls[i], i, dtype, STREW_DTYPE_INT64, run_at_once, "at once");
        check_call(&calls[i], i, dtype, STREW_DTYPE_INT64, run_planned, "planned");
        if (fits_int32(&calls[i]))
            check_call(&calls[i], i, dtype, STREW_DTYPE_INT32, run_at_once, "of int32");
    }
}

/* ---- The tests ----------------------------------------------------------------------------------- */

static void bags_are_as_their_documents_have_them(void **state)
{
    (void)state;
    check_calls(examples, COUNT(examples), STREW_DTYPE_FLOAT32);
}

static void maxima_are_as_their_document_has_them(void **state)
{
    (void)state;
    check_calls(maxima, COUNT(maxima), STREW_DTYPE_INT32);
}

/* Bags of k = 0: every one is empty, of a mean too. */
static void packed_bags_of_no_rows_are_zeros(void **state)
{
    (void)state;
    static const char *const names[] = {"EmbeddingBagPacked-15", "EmbeddingBagPackedSum-3"};
    float table[2] = {1, 2}, sums[2][1];
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2, 1}, NULL};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 2, (int64_t[]){2, 0}, NULL};
    const strew_tensor output = {sums, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2, 1}, NULL};
    for (int r = 0; r < 3; r++) {
        const strew_attributes attributes = {.given = STREW_ATTRIBUTE_REDUCTION, .reduction = r == 1 ? MEAN : SUM};
        const strew_options options = call_options();
        sums[0][0] = sums[1][0] = 7;
        assert_int_equal(strew_operator_run(strew_operator_find(names[r / 2]), &attributes, &data, &indices, NULL,
                                            &output, &options),
                         STREW_STATUS_OK);
        assert_true(sums[0][0] == 0 && sums[1][0] == 0);
    }
}

/* The least that each dtype has, of floats the least that is finite, by the bits of all of them. */
static const struct lowest {
    strew_dtype dtype;
    uint64_t bits;
} lowest_of[] = {
    {STREW_DTYPE_INT8, 0x80},
    {STREW_DTYPE_INT16, 0x8000},
    {STREW_DTYPE_INT32, 0x80000000},
    {STREW_DTYPE_INT64, 0x8000000000000000},
    {STREW_DTYPE_UINT8, 0},
    {STREW_DTYPE_UINT16, 0},
    {STREW_DTYPE_UINT32, 0},
    {STREW_DTYPE_UINT64, 0},
    {STREW_DTYPE_FLOAT16, 0xfbff},
    {STREW_DTYPE_BFLOAT16, 0xff7f},
    {STREW_DTYPE_FLOAT32, 0xff7fffff},
    {STREW_DTYPE_FLOAT64, 0xffefffffffffffff},
};

static bool has_bits(strew_dtype dtype, const void *element, uint64_t bits)
{
    switch (element_size(dtype)) {
    case 1: return *(const uint8_t *)element == bits;
    case 2: return *(const uint16_t *)element == bits;
    case 4: return *(const uint32_t *)element == bits;
    default: return *(const uint64_t *)element == bits;
    }
}

static void empty_segments_are_given_the_lowest_of_every_dtype(void **state)
{
    (void)state;
    static const bag_call call = {MAX_16, 1,      LIST(1, 2), NOTHING, LIST(1, 1), NOTHING, 0,
                                  NONE,   ABSENT, 3,          LOWEST,  3,          OK,      LIST(0, 2, 0)};
    static built_call built;
    for (size_t i = 0; i < COUNT(lowest_of); i++) {
        const strew_dtype dtype = lowest_of[i].dtype;
        const size_t size = element_size(dtype);
        build(&built, &call, dtype, STREW_DTYPE_INT64);
        assert_int_equal(run_at_once(&built, &call), STREW_STATUS_OK);
        const char *const output = built.output.data;
        for (size_t row = 0; row < 3; row += 2)
            if (!has_bits(dtype, output + row * size, lowest_of[i].bits))
                fail_msg("row %zu of %s is not its lowest", row, strew_dtype_name(dtype));
        assert_true(load(dtype, output + size) == 2);
    }
}

/* Segments of minus infinity, of NaN, and of both zeros: their content counts, not the value for empty ones. */
static void the_greatest_of_a_segment_is_that_of_its_rows_alone(void **state)
{
    (void)state;
    float rows[] = {-INFINITY, -INFINITY, 1, NAN, 2, 0.0F, -0.0F}, greatest[4];
    int64_t ids[] = {0, 0, 1, 1, 1, 3, 3};
    const strew_tensor data = {rows, STREW_DTYPE_FLOAT32, 1, (int64_t[]){7}, NULL};
    const strew_tensor segment_ids = {ids, STREW_DTYPE_INT64, 1, (int64_t[]){7}, NULL};
    const strew_tensor output = {greatest, STREW_DTYPE_FLOAT32, 1, (int64_t[]){4}, NULL};
    const strew_attributes attributes = {
        .given = STREW_ATTRIBUTE_SEGMENTS | STREW_ATTRIBUTE_EMPTY, .segments = &segment_ids, .empty = LOWEST};
    const strew_options options = call_options();
    assert_int_equal(
        strew_operator_run(strew_operator_find(MAX_16), &attributes, &data, NULL, NULL, &output, &options),
        STREW_STATUS_OK);
    assert_true(isinf(greatest[0]) && greatest[0] < 0);
    assert_true(isnan(greatest[1]));
    assert_true(has_bits(STREW_DTYPE_FLOAT32, &greatest[2], 0xff7fffff));
    assert_true(greatest[3] == 0 && !signbit(greatest[3]));
}

/* 2048 + 1 + 1 is 2050 if halves are summed in float32, 2048 if they round at each step; for bfloat16 258 and
 * 256. */
static void halves_round_once(void **state)
{
    (void)state;
    static const struct half_sum {
        strew_dtype dtype;
        double first;
    } sums[] = {{STREW_DTYPE_FLOAT16, 2048}, {STREW_DTYPE_BFLOAT16, 256}};
    static const char *const names[] = {"EmbeddingBagOffsets-15", "EmbeddingBagOffsetsSum-3"};
    static built_call built;
    for (size_t i = 0; i < COUNT(sums); i++) {
        bag_call call = {names[i], 1,      LIST(0, 1, 1), LIST(0, 1, 2), LIST(0), NOTHING, 0,
                         NONE,     ABSENT, ABSENT,        ZERO,          1,       OK,      LIST(0)};
        call.data.number[0] = sums[i].first;
        build(&built, &call, sums[i].dtype, STREW_DTYPE_INT64);
        assert_int_equal(run_at_once(&built, &call), STREW_STATUS_OK);
        assert_true(element_load(sums[i].dtype, built.output.data) == sums[i].first + 2);
    }
}

/* A fused step would keep the part of (1 + 2^-13)^2 that float32 cannot hold. */
static void products_are_rounded_by_themselves(void **state)
{
    (void)state;
    const float a = 0x1.0008p0F;
    float table[] = {1, a}, factors[] = {-1, a}, sum = 7;
    int64_t rows[] = {0, 1}, begin = 0;
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 1, (int64_t[]){2}, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 1, (int64_t[]){2}, NULL};
    const strew_tensor offsets = {&begin, STREW_DTYPE_INT64, 1, (int64_t[]){1}, NULL};
    const strew_tensor weights = {factors, STREW_DTYPE_FLOAT32, 1, (int64_t[]){2}, NULL};
    const strew_tensor output = {&sum, STREW_DTYPE_FLOAT32, 1, (int64_t[]){1}, NULL};
    const strew_options options = call_options();
    assert_int_equal(strew_embedding_bag_offsets(&data, &indices, &offsets, &weights, SUM, -1, &output, &options),
                     STREW_STATUS_OK);
    assert_true(sum == 0x1p-12F);
}

/* A sum begins with +0, and a weight of 0 leaves no row out. */
static void a_sum_begins_with_zero_and_skips_nothing(void **state)
{
    (void)state;
    float table[] = {-0.0F, INFINITY}, factors[] = {1, 0}, sums[2];
    int64_t rows[] = {0, 1};
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 1, (int64_t[]){2}, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT64, 2, (int64_t[]){2, 1}, NULL};
    const strew_tensor weights = {factors, STREW_DTYPE_FLOAT32, 2, (int64_t[]){2, 1}, NULL};
    const strew_tensor output = {sums, STREW_DTYPE_FLOAT32, 1, (int64_t[]){2}, NULL};
    const strew_options options = call_options();
    assert_int_equal(strew_embedding_bag_packed(&data, &indices, &weights, SUM, &output, &options),
                     STREW_STATUS_OK);
    assert_true(sums[0] == 0 && !signbit(sums[0]));
    assert_true(isnan(sums[1]));
}

/* An int8 sum wraps before it is divided; the mean of 3 and -4 goes toward minus infinity. */
static void means_of_integers_wrap_and_go_down(void **state)
{
    (void)state;
    int8_t table[] = {100, 100, 3, -4}, means[2];
    int32_t rows[] = {0, 1, 2, 3};
    const strew_tensor data = {table, STREW_DTYPE_INT8, 1, (int64_t[]){4}, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT32, 2, (int64_t[]){2, 2}, NULL};
    const strew_tensor output = {means, STREW_DTYPE_INT8, 1, (int64_t[]){2}, NULL};
    const strew_attributes attributes = {.given = STREW_ATTRIBUTE_REDUCTION, .reduction = MEAN};
    const strew_options options = call_options();
    assert_int_equal(strew_operator_run(strew_operator_find("EmbeddingBagPacked-15"), &attributes, &data, &indices,
                                        NULL, &output, &options),
                     STREW_STATUS_OK);
    assert_int_equal(means[0], -28);
    assert_int_equal(means[1], -1);
}

/* ---- The catalogue ------------------------------------------------------------------------------- */

static const struct catalogued {
    const char *name;
    int32_t version;
    strew_kind kind;
    uint32_t attributes, required, reductions, rules;
} catalogued[] = {
    {"EmbeddingBagOffsets-15", 15, STREW_KIND_EMBEDDING_BAG_OFFSETS,
     STREW_ATTRIBUTE_REDUCTION | STREW_ATTRIBUTE_SEGMENTS | STREW_ATTRIBUTE_WEIGHTS | STREW_ATTRIBUTE_DEFAULT_INDEX,
     STREW_ATTRIBUTE_SEGMENTS, 1u << SUM | 1u << MEAN, 0},
    {"EmbeddingBagOffsetsSum-3", 3, STREW_KIND_EMBEDDING_BAG_OFFSETS,
     STREW_ATTRIBUTE_REDUCTION | STREW_ATTRIBUTE_SEGMENTS | STREW_ATTRIBUTE_WEIGHTS | STREW_ATTRIBUTE_DEFAULT_INDEX,
     STREW_ATTRIBUTE_SEGMENTS, 1u << SUM, 0},
    {"EmbeddingBagPacked-15", 15, STREW_KIND_EMBEDDING_BAG_PACKED,
     STREW_ATTRIBUTE_REDUCTION | STREW_ATTRIBUTE_WEIGHTS, 0, 1u << SUM | 1u << MEAN, 0},
    {"EmbeddingBagPackedSum-3", 3, STREW_KIND_EMBEDDING_BAG_PACKED,
     STREW_ATTRIBUTE_REDUCTION | STREW_ATTRIBUTE_WEIGHTS, 0, 1u << SUM, 0},
    {"EmbeddingSegmentsSum-3", 3, STREW_KIND_EMBEDDING_SEGMENTS,
     STREW_ATTRIBUTE_REDUCTION | STREW_ATTRIBUTE_SEGMENTS | STREW_ATTRIBUTE_WEIGHTS |
         STREW_ATTRIBUTE_DEFAULT_INDEX | STREW_ATTRIBUTE_SEGMENT_COUNT,
     STREW_ATTRIBUTE_SEGMENTS, 1u << SUM, STREW_RULE_NAMES_DEFAULT},
    {"SegmentMax-16", 16, STREW_KIND_SEGMENT_REDUCE,
     STREW_ATTRIBUTE_REDUCTION | STREW_ATTRIBUTE_SEGMENTS | STREW_ATTRIBUTE_EMPTY | STREW_ATTRIBUTE_SEGMENT_COUNT,
     STREW_ATTRIBUTE_SEGMENTS | STREW_ATTRIBUTE_EMPTY, 1u << STREW_REDUCTION_MAX, STREW_RULE_DROPS_BEYOND},
};

static bool is_numeric(strew_dtype dtype)
{
    return dtype > STREW_DTYPE_BOOL && dtype < STREW_DTYPE_STRING;
}

static void the_fields_of_each_version_say_what_it_takes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(catalogued); i++) {
        const struct catalogued *row = &catalogued[i];
        const strew_operator *op = strew_operator_find(row->name);
        assert_non_null(op);
        assert_string_equal(op->collection, "OpenVINO");
        assert_int_equal(op->version, row->version);
        assert_int_equal(op->kind, row->kind);
        assert_int_equal(op->attributes, row->attributes);
        assert_int_equal(op->required, row->required);
        assert_int_equal(op->reductions, row->reductions);
        assert_int_equal(op->rules, row->rules | STREW_RULE_REFUSES_NEGATIVE);
        for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_COUNT; dtype++) {
            assert_int_equal(op->data_dtypes >> dtype & 1, is_numeric(dtype));
            assert_int_equal(op->index_dtypes >> dtype & 1,
                             dtype == STREW_DTYPE_INT32 || dtype == STREW_DTYPE_INT64);
        }
    }
}

static void what_empty_rows_are_given_is_found_by_its_name(void **state)
{
    (void)state;
    strew_empty found = 77;
    assert_false(strew_empty_find("ZERO", &found));
    assert_false(strew_empty_find("", &found));
    assert_false(strew_empty_find(NULL, &found));
    assert_int_equal(found, 77);
    assert_true(strew_empty_find("lowest", &found));
    assert_int_equal(found, STREW_EMPTY_LOWEST);
    assert_true(strew_empty_find("zero", &found));
    assert_int_equal(found, STREW_EMPTY_ZERO);
    assert_string_equal(strew_empty_name(-1), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bags_are_as_their_documents_have_them),
        cmocka_unit_test(maxima_are_as_their_document_has_them),
        cmocka_unit_test(packed_bags_of_no_rows_are_zeros),
        cmocka_unit_test(empty_segments_are_given_the_lowest_of_every_dtype),
        cmocka_unit_test(the_greatest_of_a_segment_is_that_of_its_rows_alone),
        cmocka_unit_test(halves_round_once),
        cmocka_unit_test(products_are_rounded_by_themselves),
        cmocka_unit_test(a_sum_begins_with_zero_and_skips_nothing),
        cmocka_unit_test(means_of_integers_wrap_and_go_down),
        cmocka_unit_test(the_fields_of_each_version_say_what_it_takes),
        cmocka_unit_test(what_empty_rows_are_given_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
