/*
 * Indices that are inspected once: the size of the storage, refusals, and no access outside the tensors, whatever
 * the storage contains. test_random.c compares results with the oracle.
 */
#include <stdio.h>
#include <stdlib.h>

#include "arguments.h"
#include "element.h"
#include "parallel.h"
#include "system/system.h"
#include "tensor.h"
#include "test.h"

enum { STORAGE_ROOM = 4096, INVALID = STREW_STATUS_INVALID_ARGUMENT };

/* One of the small calls, planned and inspected. It must not be moved. */
typedef struct inspected_call {
    arguments call;
    strew_plan plan, inspected;
    strew_buffers buffers; /* for a run of the inspected plan */
    strew_run_options options;
    unsigned char storage[STORAGE_ROOM];
} inspected_call;

static strew_status inspect(inspected_call *self, size_t storage_size)
{
    return strew_plan_inspect(&self->inspected, &self->plan,
                              &(strew_buffers){.indices = arguments_buffers(&self->call).indices}, self->storage,
                              storage_size, &self->options);
}

static void inspected_create(inspected_call *self, const char *name)
{
    arguments_create(&self->call, name);
    self->options = (strew_run_options)STREW_RUN_OPTIONS_INIT;
    self->options.error = &self->call.error;
    assert_int_equal(arguments_plan(&self->call, &self->plan), STREW_STATUS_OK);
    assert_in_range(strew_plan_inspection_size(&self->plan), 1, STORAGE_ROOM);
    assert_int_equal(inspect(self, STORAGE_ROOM), STREW_STATUS_OK);
    self->buffers = arguments_buffers(&self->call);
    self->buffers.indices = self->storage;
}

static strew_status run(inspected_call *self)
{
    return arguments_run_plan(&self->call, &self->inspected, &self->buffers);
}

static void assert_message(const inspected_call *self, const char *expected)
{
    char message[256];
    strew_error_message(&self->call.error, message, sizeof message);
    assert_string_equal(message, expected);
}

/* ---- Storage ------------------------------------------------------------------------------------- */

/* The storage of a gather of rows of float32 along the axes that tuples of `coordinates` name. */
static size_t size_for(int32_t coordinates, const int64_t *data_shape, const int64_t *data_strides,
                       const int64_t *indices_shape, const int64_t *indices_strides)
{
    int64_t output_shape[4] = {indices_shape[0], indices_shape[1]};
    for (int32_t d = coordinates; d < 3; d++)
        output_shape[2 + d - coordinates] = data_shape[d];
    const strew_tensor data = {NULL, STREW_DTYPE_FLOAT32, 3, data_shape, data_strides};
    const strew_tensor indices = {NULL, STREW_DTYPE_INT64, 3, indices_shape, indices_strides};
    const strew_tensor output = {NULL, STREW_DTYPE_FLOAT32, 5 - coordinates, output_shape, NULL};
    strew_plan plan;
    assert_int_equal(strew_plan_gather_nd(&plan, &data, &indices, 0, &output, NULL), STREW_STATUS_OK);
    return strew_plan_inspection_size(&plan);
}

enum { HEADER = 64 };

static void storage_has_as_few_bytes_as_can_be(void **state)
{
    (void)state;
    const int64_t shape[] = {6, 5, 4}, padded[] = {24, 4, 1}, wide[] = {INT64_C(1) << 33, 5, 4}, one[] = {0, 0, 0};
    const int64_t singles[] = {10, 7, 1}, pairs[] = {10, 7, 2}, triples[] = {10, 7, 3}, repeated[] = {3, 0, 1};
    assert_int_equal(size_for(1, shape, NULL, singles, NULL), HEADER + 10 * 7 * 4);
    assert_int_equal(size_for(2, shape, NULL, pairs, NULL), HEADER + 10 * 7 * 4);
    assert_int_equal(size_for(3, shape, NULL, triples, NULL), HEADER + 10 * 7 * 4);
    assert_int_equal(size_for(2, shape, padded, pairs, NULL), HEADER + 10 * 7 * 2 * 4);
    assert_int_equal(size_for(3, shape, padded, triples, NULL), HEADER + 10 * 7 * 2 * 4);
    if (sizeof(size_t) > sizeof(uint32_t)) /* elsewhere there is no such tensor */
        assert_int_equal(size_for(1, wide, one, singles, NULL), HEADER + 10 * 7 * 8);
    assert_int_equal(size_for(3, shape, NULL, triples, repeated), HEADER + 10 * 4);
}

static void what_has_no_indices_needs_no_storage(void **state)
{
    (void)state;
    arguments call;
    strew_plan plan, inspected;
    arguments_create(&call, "slice_scatter");
    assert_int_equal(arguments_plan(&call, &plan), STREW_STATUS_OK);
    assert_int_equal(strew_plan_inspection_size(&plan), 0);
    assert_int_equal(strew_plan_inspect(&inspected, &plan, &(strew_buffers){.indices = NULL}, NULL, 0, NULL),
                     STREW_STATUS_OK);
    const strew_buffers buffers = arguments_buffers(&call);
    assert_int_equal(arguments_run_plan(&call, &inspected, &buffers), STREW_STATUS_OK);
    memset(&plan, 0, sizeof plan);
    assert_int_equal(strew_plan_inspection_size(&plan), 0);
    assert_int_equal(strew_plan_inspection_size(NULL), 0);
}

static void storage_that_is_too_small_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        inspected_call self;
        char expected[256];
        inspected_create(&self, kinds[i]);
        const size_t size = strew_plan_inspection_size(&self.plan);
        assert_int_equal(inspect(&self, size - 1), STREW_STATUS_INVALID_ARGUMENT);
        snprintf(expected, sizeof expected, "inspection has %zu bytes; this plan needs %zu", size - 1, size);
        assert_message(&self, expected);
        assert_int_equal(run(&self), STREW_STATUS_INVALID_ARGUMENT);
        assert_int_equal(inspect(&self, size), STREW_STATUS_OK);
        assert_int_equal(run(&self), STREW_STATUS_OK);
        assert_int_equal(strew_plan_inspect(&self.inspected, &self.plan,
                                            &(strew_buffers){.indices = arguments_buffers(&self.call).indices},
                                            NULL, STORAGE_ROOM, NULL),
                         STREW_STATUS_INVALID_ARGUMENT);
    }
}

/* ---- Plans --------------------------------------------------------------------------------------- */

static void inspected_indices_are_not_needed_any_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        inspected_call self;
        unsigned char expected[ARGUMENT_ROOM];
        inspected_create(&self, kinds[i]);
        const strew_buffers given = arguments_buffers(&self.call);
        assert_int_equal(arguments_run_plan(&self.call, &self.plan, &given), STREW_STATUS_OK);
        memcpy(expected, self.call.memory[OUTPUT], sizeof expected);
        memset(self.call.tensor[OUTPUT].data, 0x77, 4);
        memset(self.call.tensor[INDICES].data, 0xff, 8);
        for (int again = 0; again < 2; again++)
            assert_int_equal(run(&self), STREW_STATUS_OK);
        assert_memory_equal(self.call.memory[OUTPUT], expected, sizeof expected);
    }
}

static void what_cannot_be_inspected_is_refused(void **state)
{
    (void)state;
    inspected_call self;
    inspected_create(&self, "scatter_nd");
    const void *indices = arguments_buffers(&self.call).indices;
    strew_plan other = self.inspected;
    unsigned char *const storage = self.storage;
    const strew_run_options *options = &self.options;
    assert_int_equal(strew_plan_inspect(&other, &self.inspected, &(strew_buffers){.indices = indices}, storage,
                                        STORAGE_ROOM, options),
                     INVALID);
    assert_message(&self, "plan was not made by a call of strew_plan_* that succeeded");
    assert_int_equal(
        strew_plan_inspect(&other, NULL, &(strew_buffers){.indices = indices}, storage, STORAGE_ROOM, NULL),
        INVALID);
    assert_int_equal(
        strew_plan_inspect(NULL, &self.plan, &(strew_buffers){.indices = indices}, storage, STORAGE_ROOM, options),
        INVALID);
    assert_int_equal(strew_plan_inspect(&self.plan, &self.plan, &(strew_buffers){.indices = indices}, storage,
                                        STORAGE_ROOM, options),
                     INVALID);
    assert_message(&self, "plan overlaps plan; it must lie apart from it");
    assert_int_equal(
        strew_plan_inspect(&other, &self.plan, &(strew_buffers){.indices = NULL}, storage, STORAGE_ROOM, options),
        INVALID);
    assert_message(&self, "indices has elements, but its data pointer is NULL");
    assert_int_equal(strew_plan_inspect(&other, &self.plan, NULL, storage, STORAGE_ROOM, options), INVALID);
    assert_message(&self, "buffers is NULL");
    assert_int_equal(strew_plan_inspect(&other, &self.plan, &(strew_buffers){.indices = storage + 8}, storage,
                                        STORAGE_ROOM, options),
                     INVALID);
    assert_message(&self, "inspection overlaps indices; it must lie apart from it");
    assert_int_equal(run(&self), STREW_STATUS_OK);
}

/* The error is that of a run; and there is no inspected plan then. */
static void the_first_bad_index_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds <= STREW_BOUNDS_STOP; bounds++) {
            inspected_call self;
            inspected_create(&self, kinds[i]);
            self.call.options.bounds = bounds;
            assert_int_equal(arguments_plan(&self.call, &self.plan), STREW_STATUS_OK);
            int64_t wrong = 100;
            memcpy((char *)self.call.tensor[INDICES].data + 2 * sizeof wrong, &wrong, sizeof wrong);
            const strew_buffers buffers = arguments_buffers(&self.call);
            assert_int_equal(arguments_run_plan(&self.call, &self.plan, &buffers),
                             STREW_STATUS_INDEX_OUT_OF_BOUNDS);
            const strew_error expected = self.call.error;
            memset(&self.call.error, 0, sizeof self.call.error);
            assert_int_equal(inspect(&self, STORAGE_ROOM), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
            assert_memory_equal(&self.call.error, &expected, sizeof expected);
            assert_int_equal(run(&self), STREW_STATUS_INVALID_ARGUMENT);
            assert_message(&self, "plan was not made by a call of strew_plan_* that succeeded");
        }
}

/* For bags by offsets, inspecting reads only the indices. */
static void a_wrong_index_of_bags_is_told_without_offsets(void **state)
{
    (void)state;
    inspected_call self;
    inspected_create(&self, "embedding_bag_offsets");
    ((int64_t *)self.call.tensor[INDICES].data)[3] = 99;
    assert_int_equal(inspect(&self, STORAGE_ROOM), STREW_STATUS_INDEX_OUT_OF_BOUNDS);
    assert_true(self.call.error.value == 99 && self.call.error.position[0] == 3);
}

/* ---- Storage that is not what it was --------------------------------------------------------------- */

/* The same numbers in another order. */
static void storage_in_another_order_is_refused(void **state)
{
    (void)state;
    static const int64_t two[] = {2}, tuples[] = {2, 1};
    static int64_t orders[2][2] = {{0, 1}, {1, 0}};
    _Alignas(64) static unsigned char storage[2][STORAGE_ROOM];
    float data[] = {1, 2}, output[2];
    const strew_tensor table = {data, STREW_DTYPE_FLOAT32, 1, two, NULL};
    const strew_tensor indices = {orders, STREW_DTYPE_INT64, 2, tuples, NULL};
    const strew_tensor found = {output, STREW_DTYPE_FLOAT32, 1, two, NULL};
    strew_plan plan, inspected[2];
    assert_int_equal(strew_plan_gather_nd(&plan, &table, &indices, 0, &found, NULL), STREW_STATUS_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(strew_plan_inspect(&inspected[i], &plan, &(strew_buffers){.indices = orders[i]},
                                            storage[i], STORAGE_ROOM, NULL),
                         STREW_STATUS_OK);
    for (int i = 0; i < 2; i++)
        for (int other = 0; other < 2; other++) {
            const strew_buffers buffers = {.data = data, .indices = storage[other], .output = output};
            assert_int_equal(strew_plan_run(&inspected[i], &buffers, NULL),
                             i == other ? STREW_STATUS_OK : STREW_STATUS_INVALID_ARGUMENT);
        }
}

static void storage_of_another_inspection_is_refused(void **state)
{
    (void)state;
    static const int64_t others[] = {1, -1};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        inspected_call self;
        strew_plan other;
        unsigned char storage[STORAGE_ROOM] = {0};
        inspected_create(&self, kinds[i]);
        self.buffers.indices = storage;
        assert_int_equal(run(&self), STREW_STATUS_INVALID_ARGUMENT);
        assert_message(&self, "inspection is not as strew_plan_inspect wrote it for this plan");
        memcpy(self.call.tensor[INDICES].data, others, sizeof others);
        assert_int_equal(strew_plan_inspect(&other, &self.plan,
                                            &(strew_buffers){.indices = self.call.tensor[INDICES].data}, storage,
                                            STORAGE_ROOM, NULL),
                         STREW_STATUS_OK);
        assert_int_equal(run(&self), STREW_STATUS_INVALID_ARGUMENT);
        self.buffers.indices = NULL;
        assert_int_equal(run(&self), STREW_STATUS_INVALID_ARGUMENT);
        assert_message(&self, "indices has elements, but its data pointer is NULL");
    }
}

/* Rows of float16. */
typedef struct guarded_shape {
    int64_t rows, row, positions;
    size_t threads; /* that the plan is made for */
} guarded_shape;

/* So long that threads share them as owners, unless something else keeps them apart. */
static const guarded_shape small = {512, 3, 700, 1}, listed = {1100, 1000, 1500, 2};
enum { MOST_THREADS = 3, MOST_POSITIONS = 1500 };

/* A call whose tensors are each between guard pages. */
typedef struct guarded_call {
    const guarded_shape *shape;
    char *memory[3]; /* data, dense, storage */
    size_t bytes[3];
    strew_plan inspected;
    strew_buffers buffers;
    strew_run_options options;
    strew_status status;
} guarded_call;

static void run_guarded(void *context)
{
    guarded_call *self = context;
    self->status = strew_plan_run(&self->inspected, &self->buffers, &self->options);
}

/* Places bytes at the end of the pages, or at the beginning. */
static char *place(const guarded_call *self, int which, size_t bytes, bool at_end)
{
    return self->memory[which] + (at_end ? self->bytes[which] - bytes : 0);
}

static size_t storage_bytes(const guarded_call *self)
{
    const size_t positions = (size_t)self->shape->positions;
    return self->shape->threads == 1 ? HEADER + positions * 4
                                     : HEADER + (3 * positions + self->shape->threads + 1) * 4;
}

/* The storage is the same, whatever the memory held before. */
static void check_inspected_again(const strew_plan *plan, const int64_t *indices, const char *storage, size_t size)
{
    strew_plan again;
    char *const other = malloc(size);
    assert_non_null(other);
    memset(other, 0xa5, size);
    assert_int_equal(strew_plan_inspect(&again, plan, &(strew_buffers){.indices = indices}, other, size, NULL),
                     STREW_STATUS_OK);
    assert_memory_equal(other, storage, size);
    free(other);
}

static void guarded_create(guarded_call *self, const guarded_shape *shape, strew_kind kind,
                           strew_reduction reduction, strew_bounds bounds, bool at_end)
{
    static int64_t indices[MOST_POSITIONS * 3];
    const int64_t data_shape[] = {shape->rows, shape->row}, dense_shape[] = {shape->positions, shape->row};
    const int64_t tuples_shape[] = {shape->positions, 1}, axis_shape[] = {shape->positions};
    const bool gathers = kind_gathers(kind), elements = kind == STREW_KIND_SCATTER_ELEMENTS;
    const size_t page = system_page_bytes(), sizes[] = {(size_t)(shape->rows * shape->row) * 2,
                                                        (size_t)(shape->positions * shape->row) * 2, 32768};
    for (int64_t i = 0; i < MOST_POSITIONS * 3; i++)
        indices[i] = i % 7 == 0 && bounds >= STREW_BOUNDS_SKIP
                         ? 3 * shape->rows + i
                         : i * 37 % shape->rows - (i % 3 == 0 ? shape->rows : 0);
    self->shape = shape;
    for (int m = 0; m < 3; m++) {
        self->bytes[m] = (sizes[m] + page - 1) / page * page;
        self->memory[m] = system_guarded_create(self->bytes[m]);
        assert_non_null(self->memory[m]);
    }
    const strew_tensor data = {place(self, 0, sizes[0], at_end), STREW_DTYPE_FLOAT16, 2, data_shape, NULL};
    const strew_tensor dense = {place(self, 1, sizes[1], at_end), STREW_DTYPE_FLOAT16, 2, dense_shape, NULL};
    const strew_tensor given = {indices, STREW_DTYPE_INT64, kind_has_axis(kind) ? 1 : 2,
                                elements              ? dense_shape
                                : kind_has_axis(kind) ? axis_shape
                                                      : tuples_shape,
                                NULL};
    const operator_call call = {.kind = kind,
                                .data = &data,
                                .indices = &given,
                                .updates = gathers ? NULL : &dense,
                                .output = gathers ? &dense : &data,
                                .reduction = reduction,
                                .use_init_val = true};
    const strew_options options = call_options();
    strew_plan_options planning = call_plan_options(&options);
    planning.bounds = bounds;
    planning.threads = shape->threads;
    strew_plan plan;
    assert_int_equal(call_plan(&call, &plan, &planning), STREW_STATUS_OK);
    const size_t size = strew_plan_inspection_size(&plan);
    assert_in_range(size, 1, self->bytes[2]);
    if (kind != STREW_KIND_SCATTER_ELEMENTS)
        assert_int_equal(size, storage_bytes(self));
    char *const storage = place(self, 2, size, at_end);
    assert_int_equal(
        strew_plan_inspect(&self->inspected, &plan, &(strew_buffers){.indices = indices}, storage, size, NULL),
        STREW_STATUS_OK);
    check_inspected_again(&plan, indices, storage, size);
    self->buffers = call_buffers(&call);
    self->buffers.indices = storage;
    self->options = (strew_run_options)STREW_RUN_OPTIONS_INIT;
}

static void guarded_destroy(guarded_call *self)
{
    for (int m = 0; m < 3; m++)
        system_guarded_destroy(self->memory[m], self->bytes[m]);
}

/* A number after the seal: any, or one of the few that are the begins of lists. */
static uint64_t draw_number(const guarded_call *self, random_source *source)
{
    const uint64_t positions = (uint64_t)self->shape->positions, threads = self->shape->threads;
    if (threads > 1 && random_below(source, positions) == 0)
        return positions + random_below(source, threads + 1);
    return random_below(source, (storage_bytes(self) - HEADER) / 4);
}

/* Overwrites a part of the storage after the seal; a damaged seal would have every run refused. */
static void overwrite(guarded_call *self, random_source *source)
{
    char *const numbers = (char *)(uintptr_t)self->buffers.indices + HEADER;
    for (int64_t i = random_between(source, 1, self->shape->positions); i > 0; i--) {
        const uint64_t bits = random_chance(source, 50) ? random_bits(source) : random_below(source, 2000);
        memcpy(numbers + draw_number(self, source) * 4, &bits, 4);
    }
}

static void check_overwritten(const guarded_shape *shape, strew_kind kind, strew_reduction reduction,
                              strew_bounds bounds, random_source *source)
{
    guarded_call self;
    const char *touched = NULL;
    const size_t threads = random_below(source, MOST_THREADS + 1);
    const strew_parallel parallel = parallel_shuffled(threads, source);
    guarded_create(&self, shape, kind, reduction, bounds, random_chance(source, 50));
    const size_t scratch = strew_plan_scratch_size(&self.inspected, MOST_THREADS);
    self.options.parallel = threads > 0 ? &parallel : NULL;
    self.options.scratch = malloc(scratch + 1);
    self.options.scratch_size = scratch;
    run_guarded(&self);
    assert_int_equal(self.status, STREW_STATUS_OK);
    overwrite(&self, source);
    if (!system_run_guarded(run_guarded, &self, &touched))
        fail_msg("%s touched %p", strew_kind_name(kind), (const void *)touched);
    assert_true(self.status == STREW_STATUS_INVALID_ARGUMENT || self.status == STREW_STATUS_OK);
    free(self.options.scratch);
    guarded_destroy(&self);
}

static void overwritten_storage_never_leads_outside(void **state)
{
    (void)state;
    static const strew_kind all[] = {STREW_KIND_GATHER, STREW_KIND_GATHER_ND, STREW_KIND_SCATTER,
                                     STREW_KIND_SCATTER_ND, STREW_KIND_SCATTER_ELEMENTS};
    random_source source = {random_seed()};
    for (size_t k = 0; k < COUNT(all); k++)
        for (strew_bounds bounds = STREW_BOUNDS_REFUSE; bounds < STREW_BOUNDS_COUNT; bounds++)
            for (int r = 0; r < (kind_gathers(all[k]) ? 1 : 2); r++)
                for (int i = 0; i < 8; i++)
                    check_overwritten(&small, all[k], r ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE, bounds,
                                      &source);
    for (int i = 0; i < 40; i++)
        check_overwritten(&listed, STREW_KIND_SCATTER, i % 2 ? STREW_REDUCTION_MAX : STREW_REDUCTION_NONE,
                          i % 4 < 2 ? STREW_BOUNDS_REFUSE : STREW_BOUNDS_SKIP, &source);
}

/* Numbers out of bounds are detected if nothing is skipped. */
static void overwritten_storage_is_refused(void **state)
{
    (void)state;
    guarded_call self;
    guarded_create(&self, &small, STREW_KIND_SCATTER, STREW_REDUCTION_NONE, STREW_BOUNDS_CLAMP, true);
    memset((char *)(uintptr_t)self.buffers.indices + HEADER + 40, 0x7f, 4);
    run_guarded(&self);
    assert_int_equal(self.status, STREW_STATUS_INVALID_ARGUMENT);
    guarded_destroy(&self);
}

/* ---- Lists of who moves what ----------------------------------------------------------------------- */

/* On any number of threads, including the plan's, results are those of one thread. */
static void scatters_that_are_listed_give_the_same_bits(void **state)
{
    (void)state;
    random_source source = {random_seed()};
    for (int i = 0; i < 12; i++) {
        guarded_call self, one;
        const guarded_shape alone = {listed.rows, listed.row, listed.positions, 1};
        const strew_bounds bounds = i % 2 ? STREW_BOUNDS_SKIP : STREW_BOUNDS_REFUSE;
        const strew_reduction reduction = i % 3 ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE;
        const strew_parallel parallel = parallel_threads(1 + (size_t)i % MOST_THREADS);
        guarded_create(&self, &listed, STREW_KIND_SCATTER, reduction, bounds, true);
        guarded_create(&one, &alone, STREW_KIND_SCATTER, reduction, bounds, true);
        for (size_t at = 0; at < self.bytes[1]; at += 2) {
            const uint16_t element = (uint16_t)(0x3c00 | (random_bits(&source) & 0x3ff));
            memcpy(self.memory[1] + at, &element, 2);
            memcpy(one.memory[1] + at, &element, 2);
        }
        self.options.parallel = &parallel;
        run_guarded(&self);
        run_guarded(&one);
        assert_int_equal(self.status, STREW_STATUS_OK);
        assert_int_equal(one.status, STREW_STATUS_OK);
        assert_memory_equal(self.memory[0], one.memory[0], one.bytes[0]);
        guarded_destroy(&self);
        guarded_destroy(&one);
    }
}

/* Entries that have been sorted, and which of the weights is each one's. */
static void overwritten_lists_of_segments_stay_within(void **state)
{
    (void)state;
    enum { ENTRIES = 7, SUMS = 3 };
    static const int64_t table_shape[] = {4, 1}, list[] = {ENTRIES}, sums_shape[] = {SUMS, 1};
    float table[] = {1, 1, 1, 1}, factors[ENTRIES] = {1, 1, 1, 1, 1, 1, 1}, expected[] = {2, 2, 3};
    int32_t rows[ENTRIES] = {0, 3, 1, 2, 0, 1, 3}, ids[ENTRIES] = {2, 0, 1, 2, 0, 1, 2};
    _Alignas(4) unsigned char storage[STORAGE_ROOM];
    random_source source = {random_seed()};
    float around[SUMS + 2];
    const strew_tensor data = {table, STREW_DTYPE_FLOAT32, 2, table_shape, NULL};
    const strew_tensor indices = {rows, STREW_DTYPE_INT32, 1, list, NULL};
    const strew_tensor segments = {ids, STREW_DTYPE_INT32, 1, list, NULL};
    const strew_tensor weights = {factors, STREW_DTYPE_FLOAT32, 1, list, NULL};
    const strew_tensor sums = {around + 1, STREW_DTYPE_FLOAT32, 2, sums_shape, NULL};
    const strew_buffers given = {.indices = rows, .segments = ids, .weights = factors};
    const strew_buffers buffers = {
        .data = table, .indices = storage, .segments = ids, .weights = factors, .output = around + 1};
    strew_plan plan, inspected;
    assert_int_equal(strew_plan_embedding_segments(&plan, &data, &indices, &segments, &weights, STREW_REDUCTION_SUM,
                                                   -1, &sums, NULL),
                     STREW_STATUS_OK);
    for (int i = 0; i < 400; i++) {
        const size_t size = strew_plan_inspection_size(&plan);
        assert_in_range(size, HEADER, STORAGE_ROOM);
        assert_int_equal(strew_plan_inspect(&inspected, &plan, &given, storage, size, NULL), STREW_STATUS_OK);
        for (int n = 0; n < i % 4; n++)
            storage[HEADER + random_below(&source, size - HEADER)] = (unsigned char)random_bits(&source);
        around[0] = around[SUMS + 1] = 77;
        const strew_status status = strew_plan_run(&inspected, &buffers, NULL);
        assert_true(around[0] == 77 && around[SUMS + 1] == 77);
        if (i % 4 == 0)
            assert_true(status == STREW_STATUS_OK && memcmp(around + 1, expected, sizeof expected) == 0);
    }
}

/* A circular cache, where an index has no upper bound. */
static void overwritten_begins_of_circular_windows_stay_within(void **state)
{
    (void)state;
    enum { BATCHES = 4, LENGTH = 5 };
    static const int64_t cache_shape[] = {BATCHES, LENGTH}, window_shape[] = {BATCHES, 3}, batches[] = {BATCHES};
    const int64_t begins[BATCHES] = {0, 4, 1000002, 3};
    random_source source = {random_seed()};
    int32_t cache[BATCHES * LENGTH], window[BATCHES * 3] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    int32_t storage[HEADER / 4 + BATCHES];
    const strew_tensor data = {cache, STREW_DTYPE_INT32, 2, cache_shape, NULL};
    const strew_tensor updates = {window, STREW_DTYPE_INT32, 2, window_shape, NULL};
    const strew_tensor indices = {(void *)(uintptr_t)begins, STREW_DTYPE_INT64, 1, batches, NULL};
    strew_plan plan, inspected;
    assert_int_equal(strew_plan_tensor_scatter(&plan, &data, &indices, &updates, 1, true, &data, NULL),
                     STREW_STATUS_OK);
    assert_int_equal(strew_plan_inspection_size(&plan), sizeof storage);
    assert_int_equal(
        strew_plan_inspect(&inspected, &plan, &(strew_buffers){.indices = begins}, storage, sizeof storage, NULL),
        STREW_STATUS_OK);
    assert_int_equal(storage[HEADER / 4 + 2], 2);
    for (int i = 0; i < 100; i++) {
        for (int b = 0; b < BATCHES; b++)
            storage[HEADER / 4 + b] = (int32_t)random_bits(&source);
        int32_t around[BATCHES * LENGTH + 2] = {77, [BATCHES * LENGTH + 1] = 77};
        const strew_buffers buffers = {
            .data = around + 1, .indices = storage, .updates = window, .output = around + 1};
        strew_plan_run(&inspected, &buffers, NULL);
        assert_int_equal(around[0], 77);
        assert_int_equal(around[BATCHES * LENGTH + 1], 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storage_has_as_few_bytes_as_can_be),
        cmocka_unit_test(what_has_no_indices_needs_no_storage),
        cmocka_unit_test(storage_that_is_too_small_is_refused),
        cmocka_unit_test(inspected_indices_are_not_needed_any_more),
        cmocka_unit_test(what_cannot_be_inspected_is_refused),
        cmocka_unit_test(the_first_bad_index_is_named),
        cmocka_unit_test(a_wrong_index_of_bags_is_told_without_offsets),
        cmocka_unit_test(storage_of_another_inspection_is_refused),
        cmocka_unit_test(storage_in_another_order_is_refused),
        cmocka_unit_test(overwritten_storage_never_leads_outside),
        cmocka_unit_test(overwritten_storage_is_refused),
        cmocka_unit_test(scatters_that_are_listed_give_the_same_bits),
        cmocka_unit_test(overwritten_lists_of_segments_stay_within),
        cmocka_unit_test(overwritten_begins_of_circular_windows_stay_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
