/* Rows that are gathered and combined: random bags, segments and edges, compared with the oracle. */
#include <inttypes.h>
#include <stdlib.h>

#include <strew/operators.h>

#include "call.h"
#include "element.h"
#include "oracle.h"
#include "parallel.h"
#include "random.h"
#include "test.h"

enum { MOST_ENTRIES = 700, TILE = 512 };

typedef struct bag_case {
    operator_call call;
    test_tensor data, updates, indices, segments, weights, output;
    bool in_place, has_scratch, is_inspected;
    bool adds; /* floats are added in any order, mostly as lists name them, which count from either end */
    int64_t entries, rows;
} bag_case;

/* ---- Drawing ------------------------------------------------------------------------------------- */

static bool scatters(const bag_case *self)
{
    return self->call.kind == STREW_KIND_GATHER_SCATTER;
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

static int64_t draw_index(random_source *source, int64_t size, bool wrong, bool from_either_end)
{
    if (from_either_end && !wrong && size > 0 && random_chance(source, 30))
        return random_between(source, -size, -1);
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
    const bool offsets = self->call.kind == STREW_KIND_EMBEDDING_BAG_OFFSETS;
    const int64_t count = offsets ? self->rows : self->entries, size = offsets ? self->entries + 1 : self->rows;
    const bool wrong = random_chance(source, 8), few = random_chance(source, 30);
    for (int64_t i = 0; i < count; i++)
        values[i] = few && size > 1 ? random_between(source, 0, 1)
                                    : draw_index(source, size, wrong && random_chance(source, 10), self->adds);
    const bool any_order = self->call.kind == STREW_KIND_EMBEDDING_SEGMENTS || scatters(self);
    if (!self->adds && random_chance(source, any_order ? 40 : 95))
        qsort(values, (size_t)count, sizeof *values, compare);
    for (int64_t i = 0; i < count; i++)
        store_integer(&self->segments, i, values[i]);
}

static void draw_shapes(bag_case *self, random_source *source, int64_t *table, int64_t *output)
{
    const int32_t rank = self->adds ? 2 : (int32_t)random_between(source, 1, 3);
    random_shape(source, rank, random_chance(source, 4) ? 60000 : 600, table);
    memcpy(output, table, STREW_MAX_RANK * sizeof *table);
    if (table[0] > 300)
        table[0] = 300;
    self->rows = output[0] = random_between(source, 0, random_chance(source, 50) ? 12 : 300);
    self->entries = random_between(source, 0, random_chance(source, 50) ? 30 : MOST_ENTRIES);
    self->data.view.rank = rank;
}

/* Some bad ones here and there, or a stretch of bad ones, which mostly begins at a tile. */
static void draw_indices(bag_case *self, random_source *source, int64_t rows)
{
    const bool wrong = random_chance(source, 30), is_stretch = random_chance(source, 50);
    const bool at_tile = self->entries > TILE && random_chance(source, 70);
    const int64_t begin = at_tile ? TILE : random_between(source, 0, self->entries);
    const int64_t most = random_chance(source, 50) ? 4 : self->entries, length = random_between(source, 1, most);
    for (int64_t e = 0; e < self->entries; e++) {
        const bool in_stretch = wrong && is_stretch && e >= begin && e < begin + length;
        const bool alone = wrong && !is_stretch && random_chance(source, 5);
        store_integer(&self->indices, e, in_stretch ? rows : draw_index(source, rows, alone, self->adds));
    }
}

static void draw_lists(bag_case *self, random_source *source, int64_t rows)
{
    static const strew_dtype dtypes[] = {STREW_DTYPE_INT64, STREW_DTYPE_INT32, STREW_DTYPE_INT16};
    const bool packed = self->call.kind == STREW_KIND_EMBEDDING_BAG_PACKED;
    const int64_t each = packed && self->rows > 0 ? self->entries / self->rows : self->entries;
    const int64_t shape[] = {packed ? self->rows : each, each};
    const int64_t offsets[] = {self->call.kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ? self->rows : each};
    self->entries = packed ? self->rows * each : each;
    const bool is_plain = self->adds && random_chance(source, 80);
    const random_layout layout = is_plain ? LAYOUT_PLAIN : LAYOUT_OUTPUT;
    random_tensor(source, &self->indices, dtypes[is_plain ? 0 : random_below(source, 3)], packed ? 2 : 1, shape,
                  layout);
    random_tensor(source, &self->segments, dtypes[is_plain ? 0 : random_below(source, 3)], 1, offsets, layout);
    random_tensor(source, &self->weights, self->data.view.dtype, packed ? 2 : 1, shape, LAYOUT_INPUT);
    draw_indices(self, source, rows);
    if (!packed)
        draw_segments(self, source);
}

static strew_bounds draw_bounds(random_source *source)
{
    if (random_chance(source, 30))
        return STREW_BOUNDS_REFUSE;
    return random_chance(source, 30) ? STREW_BOUNDS_STOP
                                     : (strew_bounds)random_between(source, 0, STREW_BOUNDS_COUNT - 1);
}

static strew_reduction draw_reduction(random_source *source, strew_dtype dtype, bool into_data)
{
    const strew_reduction not_offered = into_data ? STREW_REDUCTION_MEAN : STREW_REDUCTION_SUB;
    for (;;) {
        const strew_reduction drawn =
            (strew_reduction)random_between(source, STREW_REDUCTION_SUM, STREW_REDUCTION_MEAN);
        if (strew_reduction_supports(drawn, dtype) && drawn != not_offered)
            return drawn;
    }
}

/* Gives the drawn tensors to the call. */
static void give_tensors(bag_case *self, bool has_weights)
{
    operator_call *call = &self->call;
    const bool has_indices = call->kind != STREW_KIND_SEGMENT_REDUCE;
    call->data = &self->data.view;
    call->indices = has_indices ? &self->indices.view : NULL;
    call->updates = scatters(self) ? &self->updates.view : NULL;
    call->segments = call->kind != STREW_KIND_EMBEDDING_BAG_PACKED ? &self->segments.view : NULL;
    call->weights = has_weights && has_indices ? &self->weights.view : NULL;
    call->output = self->in_place ? &self->data.view : &self->output.view;
}

static void draw_case(bag_case *self, random_source *source, bool adds)
{
    static const strew_dtype dtypes[] = {STREW_DTYPE_FLOAT32,  STREW_DTYPE_FLOAT32, STREW_DTYPE_FLOAT16,
                                         STREW_DTYPE_BFLOAT16, STREW_DTYPE_FLOAT64, STREW_DTYPE_INT8,
                                         STREW_DTYPE_UINT16,   STREW_DTYPE_INT32,   STREW_DTYPE_INT64,
                                         STREW_DTYPE_BOOL,     STREW_DTYPE_UINT8,   STREW_DTYPE_COMPLEX64};
    enum { FLOATS = 5 };
    const strew_dtype dtype = dtypes[random_below(source, adds ? FLOATS : COUNT(dtypes))];
    int64_t table[STREW_MAX_RANK], output[STREW_MAX_RANK];
    memset(self, 0, sizeof *self);
    self->adds = adds;
    operator_call *call = &self->call;
    call->kind =
        adds ? (random_chance(source, 50) ? STREW_KIND_EMBEDDING_SEGMENTS : STREW_KIND_GATHER_SCATTER)
             : (strew_kind)random_between(source, STREW_KIND_EMBEDDING_BAG_OFFSETS, STREW_KIND_GATHER_SCATTER);
    call->reduction = adds ? STREW_REDUCTION_SUM : draw_reduction(source, dtype, scatters(self));
    draw_shapes(self, source, table, output);
    const int32_t rank = self->data.view.rank;
    call->use_init_val = random_chance(source, 60);
    self->in_place = scatters(self) && random_chance(source, 50);
    call->bounds = draw_bounds(source);
    call->flags = random_chance(source, 30) ? STREW_FLAG_REFUSE_NEGATIVE_INDICES : 0;
    self->has_scratch = random_chance(source, 60);
    self->is_inspected = random_chance(source, 30);
    if (call->kind == STREW_KIND_SEGMENT_REDUCE) {
        table[0] = self->entries;
        call->empty = (strew_empty)random_between(source, 0, STREW_EMPTY_COUNT - 1);
    }
    random_tensor(source, &self->data, dtype, rank, scatters(self) ? output : table,
                  scatters(self) ? LAYOUT_OUTPUT : LAYOUT_INPUT);
    random_tensor(source, &self->updates, dtype, rank, table, LAYOUT_INPUT);
    random_tensor(source, &self->output, dtype, rank, output, LAYOUT_OUTPUT);
    draw_lists(self, source, table[0]);
    give_tensors(self, call->reduction != STREW_REDUCTION_MEAN && random_chance(source, 40));
    const bool has_default =
        call->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS || call->kind == STREW_KIND_EMBEDDING_SEGMENTS;
    call->default_index =
        has_default && table[0] > 0 && random_chance(source, 30) ? random_between(source, 0, table[0] - 1) : -1;
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

/* ---- Running ------------------------------------------------------------------------------------- */

/* The storage is the same, whatever the memory held before. */
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

/* Runs an inspected plan with its storage moved; or returns the refusal of the inspection. */
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
    call_use_inspection(&self->call, &changed, moved + 3, size);
    if (status == STREW_STATUS_OK)
        status = strew_plan_run(&inspected, &changed, options);
    free(storage);
    free(moved);
    return status;
}

static strew_status run_plan(const bag_case *self, const strew_plan *plan, const strew_options *options)
{
    const strew_run_options running = call_run_options(options);
    const strew_buffers buffers = call_buffers(&self->call);
    return self->is_inspected ? run_inspected(self, plan, &buffers, &running)
                              : strew_plan_run(plan, &buffers, &running);
}

/* Runs with as much scratch as the plan can use, or with none. */
static strew_status run_case(const bag_case *self, strew_options options, bool planned)
{
    strew_plan plan;
    const strew_plan_options planning = call_plan_options(&options);
    const strew_status status = call_plan(&self->call, &plan, &planning);
    if (status != STREW_STATUS_OK)
        return status;
    const size_t threads = options.parallel ? options.parallel->threads : 1;
    options.scratch_size = self->has_scratch ? strew_plan_scratch_size(&plan, threads) : 0;
    options.scratch = options.scratch_size > 0 ? malloc(options.scratch_size) : NULL;
    const strew_status result =
        planned || self->is_inspected ? run_plan(self, &plan, &options) : call_operator(&self->call, &options);
    free(options.scratch);
    return result;
}

/* ---- Comparing ----------------------------------------------------------------------------------- */

static void fail_case(const bag_case *self, const strew_options *options, const char *complaint)
{
    fprintf(stderr, "%s; %zu threads, scratch %d, inspected %d, run again with STREW_TEST_SEED=%" PRIu64 "\n  ",
            complaint, options->parallel ? options->parallel->threads : 1, self->has_scratch, self->is_inspected,
            random_seed());
    call_describe(stderr, &self->call);
    fail();
}

/* Runs the oracle on a copy of the output. Without scratch, entries that need sorting are refused. */
static bool ask_oracle(const bag_case *self, bool needs_scratch, test_tensor *expected, strew_error *refusal)
{
    operator_call call = self->call;
    tensor_clone(expected, self->in_place ? &self->data : &self->output);
    call.output = &expected->view;
    if (self->in_place)
        call.data = &expected->view;
    if (!oracle_run(&call, refusal))
        return false;
    if (!needs_scratch || self->has_scratch || self->is_inspected || oracle_is_sorted(&call))
        return true;
    *refusal = (strew_error){.status = STREW_STATUS_INVALID_ARGUMENT, .operand = STREW_OPERAND_SCRATCH};
    return false;
}

static bool is_told(const strew_error *expected, const strew_error *found)
{
    return expected->operand == STREW_OPERAND_SCRATCH
               ? found->status == expected->status && found->operand == expected->operand
               : oracle_same_bad_index(expected, found);
}

/* An inspection that stops writes nothing. */
static bool is_left(const bag_case *self, const strew_error *refusal, const test_tensor *expected)
{
    int64_t position[STREW_MAX_RANK];
    const test_tensor *output = self->in_place ? &self->data : &self->output;
    const bool writes_nothing = self->is_inspected && refusal;
    if (self->in_place && refusal && (writes_nothing || self->call.bounds != STREW_BOUNDS_STOP))
        return true; /* unchanged, which another check covers */
    return tensor_same_padding(output, expected) &&
           (writes_nothing || oracle_agrees(&self->call, refusal, &expected->view, ORACLE_ANY_NAN, position));
}

static bool is_refused_without_scratch(const bag_case *self, const strew_options *options, size_t threads)
{
    strew_plan plan;
    const strew_plan_options planning = call_plan_options(options);
    return self->call.kind == STREW_KIND_EMBEDDING_SEGMENTS &&
           call_plan(&self->call, &plan, &planning) == STREW_STATUS_OK &&
           strew_plan_least_scratch_size(&plan, threads) > 0;
}

static void check_case(bag_case *self, random_source *source)
{
    test_tensor expected, before;
    strew_error error = {.status = STREW_STATUS_OK}, bad_index;
    const size_t threads = self->adds && random_chance(source, 60) ? 1 : 1 + random_below(source, 4);
    const strew_parallel parallel =
        random_chance(source, 20) ? parallel_threads(threads) : parallel_shuffled(threads, source);
    strew_options options = call_options();
    options.parallel = threads > 1 ? &parallel : NULL;
    options.bounds = self->call.bounds;
    options.flags = self->call.flags;
    options.error = &error;
    tensor_clone(&before, &self->data);
    const bool wants_scratch = is_refused_without_scratch(self, &options, threads);
    const bool right = ask_oracle(self, wants_scratch, &expected, &bad_index);
    const strew_status status = run_case(self, options, random_chance(source, 50));
    if (status != (right ? STREW_STATUS_OK : bad_index.status))
        fail_case(self, &options, strew_status_name(status));
    if (!right && !is_told(&bad_index, &error))
        fail_case(self, &options, "the error does not tell of the first bad index");
    if (!is_left(self, right ? NULL : &bad_index, &expected))
        fail_case(self, &options, "the output is not the oracle's");
    const bool may_write =
        self->in_place && (right || (self->call.bounds == STREW_BOUNDS_STOP && !self->is_inspected));
    if (!may_write && !tensor_same_memory(&self->data, &before))
        fail_case(self, &options, "data has changed");
    tensor_destroy(&expected);
    tensor_destroy(&before);
}

static void random_bags_are_as_the_oracle_has_them(void **state)
{
    (void)state;
    random_source source = {random_seed()};
    for (int i = 0; i < 2000; i++) {
        static bag_case drawn;
        draw_case(&drawn, &source, false);
        check_case(&drawn, &source);
        destroy_case(&drawn);
    }
}

static void sums_in_any_order_are_as_the_oracle_has_them(void **state)
{
    (void)state;
    random_source source = {random_seed()};
    for (int i = 0; i < 1500; i++) {
        static bag_case drawn;
        draw_case(&drawn, &source, true);
        check_case(&drawn, &source);
        destroy_case(&drawn);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bags_are_as_the_oracle_has_them),
        cmocka_unit_test(sums_in_any_order_are_as_the_oracle_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
