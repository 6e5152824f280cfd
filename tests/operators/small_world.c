#include "small_world.h"

#include <inttypes.h>
#include <stdlib.h>

#include <strew/inspect.h>

#include "element.h"
#include "oracle.h"
#include "tensor.h"
#include "test.h"

enum { MOST_THREADS = 3, ALL_COMBINATIONS_OF = 3 };

/* Reads beyond a tensor are found by a sanitizer, which wants it to end with its allocation; writes by what is
 * around.
 */
#ifdef __SANITIZE_ADDRESS__
enum { AROUND = 0 };
#else
enum { AROUND = 16 };
#endif

/* ---- Memory -------------------------------------------------------------------------------------- */

/* A tensor, and the memory that it is the middle of. */
typedef struct room {
    strew_tensor view;
    int64_t strides[WORLD_UPDATES_RANK];
    unsigned char *memory;
    size_t bytes;
} room;

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(memory);
    return memory;
}

static void room_create(room *self, strew_dtype dtype, int32_t rank, const int64_t *shape)
{
    const int64_t count = shape_count(shape, rank);
    self->bytes = 2 * AROUND + (size_t)count * element_size(dtype);
    self->memory = allocate(self->bytes);
    self->view = (strew_tensor){count > 0 ? self->memory + AROUND : NULL, dtype, rank, shape, NULL};
    if (count == 0)
        self->view.strides = self->strides;
    for (int32_t d = 0; d < WORLD_UPDATES_RANK; d++)
        self->strides[d] = d % 2 ? -(PTRDIFF_MAX / 128) : PTRDIFF_MAX / 128;
    if (self->bytes > 0)
        memset(self->memory, 0xa5, self->bytes);
}

static void room_copy(room *self, const room *from)
{
    if (self->bytes > 0)
        memcpy(self->memory, from->memory, self->bytes);
}

static bool room_same(const room *self, const room *other)
{
    return self->bytes == 0 || memcmp(self->memory, other->memory, self->bytes) == 0;
}

static bool room_same_around(const room *self, const room *other)
{
    return memcmp(self->memory, other->memory, AROUND) == 0 &&
           memcmp(self->memory + self->bytes - AROUND, other->memory + self->bytes - AROUND, AROUND) == 0;
}

/* Numbers of either sign, of which sums and products of floats are rounded. */
static void room_fill(room *self, int64_t first)
{
    const size_t size = element_size(self->view.dtype);
    const double part = element_is_integer(self->view.dtype) ? 1 : 3;
    for (int64_t i = 0; i < shape_count(self->view.shape, self->view.rank); i++)
        element_store(self->view.dtype, (double)((first + i * 37) % 23 - 7) / part,
                      (char *)self->view.data + (size_t)i * size);
}

/* ---- A call in its world ------------------------------------------------------------------------- */

typedef struct world_variant {
    strew_dtype dtype;
    strew_reduction reduction;
    bool use_init_val;
    strew_bounds bounds;
} world_variant;

typedef struct world_case {
    const small_world *world;
    world_variant variant;
    operator_call call;
    room data, indices, updates, output; /* what the call is given; updates of a scatter */
    room target;                         /* what is written in place */
    room expected;
    room indices_before, updates_before;
    int64_t pattern; /* the number of that of the indices */
    bool right;      /* whether the oracle took the indices */
    strew_error offender;
    strew_plan plans[STREW_ISA_COUNT][MOST_THREADS];
    char *scratch;
    world_counts *counts;
} world_case;

static void run_last_first(void *pool, strew_task task, void *context, size_t count)
{
    (void)pool;
    while (count > 0)
        task(context, --count);
}

static const strew_parallel *parallel_of(size_t threads)
{
    static const strew_parallel each[] = {
        {run_last_first, NULL, 1}, {run_last_first, NULL, 2}, {run_last_first, NULL, 3}};
    return threads > 1 ? &each[threads - 1] : NULL;
}

static bool can_run(strew_isa isa)
{
    return strew_isa_get_state(isa) >= STREW_ISA_STATE_EMULATED;
}

static bool gathers(const world_case *self)
{
    return kind_gathers(self->world->kind);
}

static void create_tensors(world_case *self)
{
    static const strew_dtype index_dtypes[] = {STREW_DTYPE_INT64, STREW_DTYPE_INT32, STREW_DTYPE_INT16,
                                               STREW_DTYPE_INT8};
    const small_world *world = self->world;
    const strew_dtype dtype = self->variant.dtype, index_dtype = index_dtypes[world->number % 4];
    const int32_t output_rank = gathers(self) ? world->updates_rank : world->rank;
    const int64_t *output_shape = gathers(self) ? world->updates_shape : world->shape;
    room_create(&self->data, dtype, world->rank, world->shape);
    room_create(&self->indices, index_dtype, world->indices_rank, world->indices_shape);
    room_create(&self->updates, dtype, world->updates_rank, world->updates_shape);
    room_create(&self->output, dtype, output_rank, output_shape);
    room_create(&self->target, dtype, output_rank, output_shape);
    room_create(&self->expected, dtype, output_rank, output_shape);
    room_create(&self->indices_before, index_dtype, world->indices_rank, world->indices_shape);
    room_create(&self->updates_before, dtype, world->updates_rank, world->updates_shape);
    room_fill(&self->data, 5);
    room_fill(&self->updates, 11);
    room_copy(&self->updates_before, &self->updates);
}

static void destroy_tensors(world_case *self)
{
    room *const rooms[] = {&self->data,   &self->indices,  &self->updates,        &self->output,
                           &self->target, &self->expected, &self->indices_before, &self->updates_before};
    for (size_t r = 0; r < COUNT(rooms); r++)
        free(rooms[r]->memory);
}

static void create_call(world_case *self)
{
    const small_world *world = self->world;
    const bool counts_back = world->number % 2 != 0; /* an axis, or batch dimensions, may be counted from the end */
    self->call = (operator_call){
        .kind = world->kind,
        .data = &self->data.view,
        .indices = &self->indices.view,
        .updates = gathers(self) ? NULL : &self->updates.view,
        .output = &self->output.view,
        .axis = counts_back ? world->axis - world->rank : world->axis,
        .batch_dims = world->batch_dims,
        .reduction = self->variant.reduction,
        .use_init_val = self->variant.use_init_val,
        .flags = world->number / 4 % 2 ? STREW_FLAG_REFUSE_NEGATIVE_INDICES : 0,
        .bounds = self->variant.bounds,
    };
}

/* The options of a call as those of a plan, or of a run, of so many threads. */
static strew_options options_for(const world_case *self, strew_isa isa, size_t threads)
{
    strew_options options = STREW_OPTIONS_INIT;
    options.isa = isa;
    options.flags = self->call.flags;
    options.bounds = self->call.bounds;
    options.parallel = parallel_of(threads);
    return options;
}

static void make_plans(world_case *self)
{
    size_t most = 1;
    for (strew_isa isa = STREW_ISA_SCALAR; isa < STREW_ISA_COUNT; isa++)
        for (size_t threads = 1; can_run(isa) && threads <= MOST_THREADS; threads++) {
            strew_plan *plan = &self->plans[isa][threads - 1];
            const strew_options options = options_for(self, isa, threads);
            const strew_plan_options planning = call_plan_options(&options);
            assert_int_equal(call_plan(&self->call, plan, &planning), STREW_STATUS_OK);
            const size_t useful = strew_plan_scratch_size(plan, threads);
            most = useful > most ? useful : most;
        }
    self->scratch = allocate(most);
}

/* ---- Indices ------------------------------------------------------------------------------------- */

static int64_t index_count(const small_world *world)
{
    return shape_count(world->indices_shape, world->indices_rank);
}

/* The size of the dimension that an index is of. */
static int64_t size_at(const small_world *world, int64_t place)
{
    if (!kind_has_rows(world->kind))
        return world->shape[world->axis];
    return world->shape[world->batch_dims + place % world->indices_shape[world->indices_rank - 1]];
}

/* How many values an index may have: from -s - 1 to s. */
static int64_t values_at(const small_world *world, int64_t place)
{
    return 2 * size_at(world, place) + 2;
}

static int64_t pattern_count(const small_world *world)
{
    const int64_t count = index_count(world);
    int64_t product = 1, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += values_at(world, i);
        product *= count <= ALL_COMBINATIONS_OF ? values_at(world, i) : 1;
    }
    return count <= ALL_COMBINATIONS_OF ? product : sum;
}

/* Some index that is right, if one can be. */
static int64_t right_value(const small_world *world, int64_t place)
{
    const int64_t size = size_at(world, place);
    return size > 0 ? (place * 2 + 1) % size : 0;
}

static int64_t value_in_pattern(const small_world *world, int64_t place, int64_t *pattern, bool combines)
{
    const int64_t values = values_at(world, place), number = *pattern;
    const int64_t value = (combines ? number % values : number) - size_at(world, place) - 1;
    *pattern = combines ? number / values : number - values;
    return combines || (number >= 0 && number < values) ? value : right_value(world, place);
}

static void write_indices(world_case *self, int64_t pattern)
{
    const int64_t count = index_count(self->world);
    const strew_tensor *indices = &self->indices.view;
    const size_t size = element_size(indices->dtype);
    self->pattern = pattern;
    for (int64_t i = 0; i < count; i++)
        element_store_integer(indices->dtype,
                              (uint64_t)value_in_pattern(self->world, i, &pattern, count <= ALL_COMBINATIONS_OF),
                              (char *)indices->data + (size_t)i * size);
    room_copy(&self->indices_before, &self->indices);
}

/* ---- One run ------------------------------------------------------------------------------------- */

typedef enum run_by { PLANNED_LEAST_SCRATCH, PLANNED_FULL_SCRATCH, CALLED, INSPECTED } run_by;

typedef struct run_way {
    strew_isa isa;
    size_t threads;
    bool in_place;
    run_by by;
} run_way;

static void fail_run(const world_case *self, const run_way *way, const char *complaint)
{
    static const char *const names[] = {"planned, least scratch", "planned, full scratch", "one call", "inspected"};
    fprintf(stderr, "world %" PRIu64 ", pattern %" PRId64 ", %s, %s, %zu threads%s: %s\n", self->world->number,
            self->pattern, names[way->by], strew_isa_name(way->isa), way->threads,
            way->in_place ? ", in place" : "", complaint);
    call_describe(stderr, &self->call);
    fprintf(stderr, "  indices:");
    for (int64_t i = 0; i < index_count(self->world); i++) {
        const strew_tensor *indices = &self->indices.view;
        const char *element = (const char *)indices->data + (size_t)i * element_size(indices->dtype);
        fprintf(stderr, " %" PRId64, (int64_t)element_load_integer(indices->dtype, element));
    }
    fputc('\n', stderr);
    fail();
}

static strew_status inspect_and_run(const strew_plan *plan, strew_buffers buffers, const strew_run_options *options)
{
    strew_plan inspected;
    const size_t size = strew_plan_inspection_size(plan);
    char *const storage = allocate(size);
    strew_status status = strew_plan_inspect(&inspected, plan, &buffers, storage, size, options);
    if (size > 0)
        buffers.indices = storage;
    if (status == STREW_STATUS_OK)
        status = strew_plan_run(&inspected, &buffers, options);
    free(storage);
    return status;
}

static strew_status run_library(const world_case *self, const run_way *way, operator_call *call, strew_error *error)
{
    const strew_plan *plan = &self->plans[way->isa][way->threads - 1];
    strew_options options = options_for(self, way->isa, way->threads);
    options.error = error;
    options.scratch = self->scratch;
    options.scratch_size = way->by == PLANNED_FULL_SCRATCH ? strew_plan_scratch_size(plan, way->threads)
                                                           : strew_plan_least_scratch_size(plan, way->threads);
    if (way->by == CALLED)
        return call_operator(call, &options);
    const strew_run_options running = call_run_options(&options);
    const strew_buffers buffers = call_buffers(call);
    return way->by == INSPECTED ? inspect_and_run(plan, buffers, &running)
                                : strew_plan_run(plan, &buffers, &running);
}

/* What the output must be: all of it, or around it, where a refused call leaves what is in it open. */
static bool is_as_expected(const world_case *self, const run_way *way)
{
    const room *written = way->in_place ? &self->target : &self->output;
    const strew_error *refusal = self->right ? NULL : &self->offender;
    int64_t position[STREW_MAX_RANK];
    if (way->in_place || oracle_says(&self->call, refusal) == ORACLE_SAYS_ALL)
        return room_same(written, &self->expected);
    return room_same_around(written, &self->expected) &&
           oracle_agrees(&self->call, refusal, &self->expected.view, ORACLE_SAME_BITS, position);
}

static void run_and_compare(world_case *self, const run_way *way)
{
    operator_call call = self->call;
    strew_error error;
    error.status = STREW_STATUS_OK;
    if (way->in_place) {
        room_copy(&self->target, &self->data);
        call.data = call.output = &self->target.view;
    } else if (self->output.bytes > 0) {
        memset(self->output.memory, 0xa5, self->output.bytes);
    }
    const strew_status status = run_library(self, way, &call, &error);
    self->counts->runs++;
    if (status != (self->right ? STREW_STATUS_OK : STREW_STATUS_INDEX_OUT_OF_BOUNDS))
        fail_run(self, way, strew_status_name(status));
    if (!self->right && !oracle_same_offender(&self->offender, &error))
        fail_run(self, way, "the error does not tell of the first offender");
    if (!is_as_expected(self, way))
        fail_run(self, way, "the output is not the oracle's");
}

/* ---- All of them --------------------------------------------------------------------------------- */

/* In place, on a copy of data; a gather, to bytes that are known. */
static void ask_oracle(world_case *self)
{
    operator_call call = self->call;
    call.output = &self->expected.view;
    if (gathers(self)) {
        if (self->expected.bytes > 0)
            memset(self->expected.memory, 0xa5, self->expected.bytes);
    } else {
        room_copy(&self->expected, &self->data);
        call.data = &self->expected.view;
    }
    memset(&self->offender, 0, sizeof self->offender);
    self->right = oracle_run(&call, &self->offender);
}

static void run_all_ways(world_case *self, strew_isa isa)
{
    const size_t some_threads = 1 + (size_t)self->pattern % MOST_THREADS;
    for (int in_place = 0; in_place <= (gathers(self) ? 0 : 1); in_place++) {
        for (size_t threads = 1; threads <= MOST_THREADS; threads++)
            for (run_by by = PLANNED_LEAST_SCRATCH;
                 by <= (gathers(self) ? PLANNED_LEAST_SCRATCH : PLANNED_FULL_SCRATCH); by++)
                run_and_compare(self, &(run_way){isa, threads, in_place != 0, by});
        run_and_compare(self, &(run_way){isa, some_threads, in_place != 0, CALLED});
        if (self->call.bounds != STREW_BOUNDS_STOP) /* under which inspecting writes nothing */
            run_and_compare(self, &(run_way){isa, some_threads, in_place != 0, INSPECTED});
    }
}

static void check_pattern(world_case *self, int64_t pattern)
{
    room data_before;
    write_indices(self, pattern);
    ask_oracle(self);
    self->counts->calls++;
    room_create(&data_before, self->variant.dtype, self->world->rank, self->world->shape);
    room_copy(&data_before, &self->data);
    for (strew_isa isa = STREW_ISA_SCALAR; isa < STREW_ISA_COUNT; isa++)
        if (can_run(isa))
            run_all_ways(self, isa);
    if (!room_same(&self->data, &data_before) || !room_same(&self->indices, &self->indices_before) ||
        !room_same(&self->updates, &self->updates_before))
        fail_run(self, &(run_way){STREW_ISA_BEST, 0, false, CALLED}, "an input has changed");
    free(data_before.memory);
}

static void check_variant(const small_world *world, world_variant variant, world_counts *counts)
{
    static world_case checked;
    checked = (world_case){.world = world, .variant = variant, .counts = counts};
    create_tensors(&checked);
    create_call(&checked);
    make_plans(&checked);
    for (int64_t pattern = 0; pattern < pattern_count(world); pattern++)
        check_pattern(&checked, pattern);
    free(checked.scratch);
    destroy_tensors(&checked);
}

static bool has_reduction(strew_kind kind, strew_dtype dtype, strew_reduction reduction)
{
    return reduction == STREW_REDUCTION_NONE ||
           (!kind_gathers(kind) && element_reduces(dtype, reduction) &&
            (reduction != STREW_REDUCTION_MEAN || kind_has_initial_value(kind)));
}

void small_world_check(const small_world *world, world_counts *counts)
{
    static const strew_dtype dtypes[] = {STREW_DTYPE_INT8, STREW_DTYPE_FLOAT32};
    counts->worlds++;
    for (size_t d = 0; d < COUNT(dtypes); d++) {
        for (strew_reduction r = STREW_REDUCTION_NONE; r < STREW_REDUCTION_COUNT; r++) {
            if (!has_reduction(world->kind, dtypes[d], r))
                continue;
            check_variant(world, (world_variant){dtypes[d], r, true, STREW_BOUNDS_REFUSE}, counts);
            if (kind_has_initial_value(world->kind) && r != STREW_REDUCTION_NONE)
                check_variant(world, (world_variant){dtypes[d], r, false, STREW_BOUNDS_REFUSE}, counts);
        }
        const bool adds = d > 0 && !kind_gathers(world->kind);
        for (strew_bounds bounds = STREW_BOUNDS_STOP; bounds < STREW_BOUNDS_COUNT; bounds++)
            check_variant(
                world, (world_variant){dtypes[d], adds ? STREW_REDUCTION_SUM : STREW_REDUCTION_NONE, true, bounds},
                counts);
    }
}
