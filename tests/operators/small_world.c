#include "small_world.h"

#include <inttypes.h>
#include <stdlib.h>

#include <strew/inspect.h>

#include "element.h"
#include "oracle.h"
#include "tensor.h"
#include "test.h"

enum { MOST_THREADS = 3, ALL_COMBINATIONS_OF = 3 };

/* A sanitizer finds reads beyond a tensor, if the tensor ends with its allocation; the bytes around it reveal
 * writes. */
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

/* Numbers of either sign. Their sums and products round as floats. */
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
    bool without_init_val, has_weights;
    strew_bounds bounds;
} world_variant;

/* The inputs of a call; a scatter has updates. */
enum { DATA, INDICES, UPDATES, SEGMENTS, WEIGHTS, INPUTS };

typedef struct world_case {
    const small_world *world;
    world_variant variant;
    operator_call call;
    room input[INPUTS], before[INPUTS];
    room output;
    room target; /* the tensor written in place */
    room expected;
    int64_t pattern; /* the number of that of the indices */
    bool right;      /* whether the oracle took the indices */
    bool sorts;      /* and they have to be sorted, in scratch */
    strew_error bad_index;
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

static int64_t first_size(const small_world *world)
{
    return world->rank > 0 ? world->shape[0] : 0;
}

static void create_inputs(world_case *self, room rooms[INPUTS])
{
    static const strew_dtype index_dtypes[] = {STREW_DTYPE_INT64, STREW_DTYPE_INT32, STREW_DTYPE_INT16,
                                               STREW_DTYPE_INT8};
    const small_world *world = self->world;
    const strew_dtype dtype = self->variant.dtype;
    room_create(&rooms[DATA], dtype, world->rank, world->shape);
    room_create(&rooms[INDICES], index_dtypes[world->number % 4], world->indices_rank, world->indices_shape);
    room_create(&rooms[UPDATES], dtype, world->updates_rank, world->updates_shape);
    room_create(&rooms[SEGMENTS], index_dtypes[world->number / 2 % 4], 1, &world->segments);
    room_create(&rooms[WEIGHTS], dtype, world->indices_rank, world->indices_shape);
}

static void create_tensors(world_case *self)
{
    static const int64_t first_number[INPUTS] = {[DATA] = 5, [UPDATES] = 11, [WEIGHTS] = 9};
    const small_world *world = self->world;
    const strew_dtype dtype = self->variant.dtype;
    const int32_t output_rank = gathers(self) ? world->updates_rank : world->rank;
    const int64_t *output_shape = gathers(self) ? world->updates_shape : world->shape;
    create_inputs(self, self->input);
    create_inputs(self, self->before);
    room_create(&self->output, dtype, output_rank, output_shape);
    room_create(&self->target, dtype, output_rank, output_shape);
    room_create(&self->expected, dtype, output_rank, output_shape);
    for (size_t i = 0; i < INPUTS; i++) {
        if (first_number[i] > 0)
            room_fill(&self->input[i], first_number[i]);
        room_copy(&self->before[i], &self->input[i]);
    }
}

static void destroy_tensors(world_case *self)
{
    for (size_t i = 0; i < INPUTS; i++) {
        free(self->input[i].memory);
        free(self->before[i].memory);
    }
    free(self->output.memory);
    free(self->target.memory);
    free(self->expected.memory);
}

static void create_call(world_case *self)
{
    const small_world *world = self->world;
    const bool counts_back = world->number % 2 != 0; /* an axis may be counted from the end */
    self->call = (operator_call){
        .kind = world->kind,
        .data = &self->input[DATA].view,
        .indices = world->without_indices ? NULL : &self->input[INDICES].view,
        .updates = gathers(self) ? NULL : &self->input[UPDATES].view,
        .segments = world->has_segments ? &self->input[SEGMENTS].view : NULL,
        .weights = self->variant.has_weights ? &self->input[WEIGHTS].view : NULL,
        .output = &self->output.view,
        .axis = counts_back ? world->axis - world->rank : world->axis,
        .batch_dims = world->batch_dims,
        .circular = world->circular,
        .slice = world->slice,
        .default_index = (int64_t)(world->number / 16 % (uint64_t)(first_size(world) + 1)) - 1,
        .empty = (strew_empty)(world->number / 16 % STREW_EMPTY_COUNT),
        .reduction = self->variant.reduction,
        .use_init_val = !self->variant.without_init_val,
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

static bool are_offsets(const small_world *world)
{
    return world->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS;
}

/* The number of entries in a list of indices or of segments. */
static int64_t number_count(const small_world *world, size_t list)
{
    if (list == SEGMENTS)
        return world->has_segments ? world->segments : 0;
    return world->without_indices ? 0 : shape_count(world->indices_shape, world->indices_rank);
}

/* The number of rows that a call goes over: those of data, if there are no indices. */
static int64_t entry_count(const small_world *world)
{
    return world->without_indices ? first_size(world) : number_count(world, INDICES);
}

/* The size of the dimension that a number indexes; for offsets, the greatest valid one. */
static int64_t size_at(const small_world *world, size_t list, int64_t place)
{
    const bool into_data = world->kind == STREW_KIND_GATHER_SCATTER;
    if (list == SEGMENTS)
        return are_offsets(world) ? entry_count(world) : into_data ? world->shape[0] : world->updates_shape[0];
    if (kind_has_rows(world->kind))
        return world->shape[world->batch_dims + place % world->indices_shape[world->indices_rank - 1]];
    return into_data ? world->updates_shape[0] : world->shape[world->axis];
}

/* The least value that a number may have, and how many there are: from -s - 1 to s, or, of offsets, from -1 to s
 * + 1. */
static int64_t least_value(const small_world *world, size_t list, int64_t place)
{
    return list == SEGMENTS && are_offsets(world) ? -1 : -size_at(world, list, place) - 1;
}

static int64_t values_at(const small_world *world, size_t list, int64_t place)
{
    const int64_t size = size_at(world, list, place);
    return list == SEGMENTS && are_offsets(world) ? size + 3 : 2 * size + 2;
}

static int64_t list_patterns(const small_world *world, size_t list)
{
    const int64_t count = number_count(world, list);
    int64_t product = 1, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += values_at(world, list, i);
        product *= count <= ALL_COMBINATIONS_OF ? values_at(world, list, i) : 1;
    }
    return count <= ALL_COMBINATIONS_OF ? product : sum;
}

/* Whether each pattern of the one list meets each of the other. */
static bool are_combined(const small_world *world)
{
    return number_count(world, INDICES) + number_count(world, SEGMENTS) <= ALL_COMBINATIONS_OF ||
           number_count(world, SEGMENTS) == 0;
}

static int64_t pattern_count(const small_world *world)
{
    const int64_t indices = list_patterns(world, INDICES), segments = list_patterns(world, SEGMENTS);
    return are_combined(world) ? indices * segments : indices + segments;
}

/* Some number that is right, if one can be; offsets and ids in order, targets in any. */
static int64_t right_value(const small_world *world, size_t list, int64_t place)
{
    const int64_t size = size_at(world, list, place);
    if (list == SEGMENTS && world->kind != STREW_KIND_GATHER_SCATTER)
        return place * size / number_count(world, list);
    return size > 0 ? (place * 2 + 1) % size : 0;
}

static int64_t value_in_pattern(const small_world *world, size_t list, int64_t place, int64_t *pattern)
{
    const bool combines = number_count(world, list) <= ALL_COMBINATIONS_OF;
    const int64_t values = values_at(world, list, place), number = *pattern;
    const int64_t value = (combines ? number % values : number) + least_value(world, list, place);
    *pattern = combines ? number / values : number - values;
    return combines || (number >= 0 && number < values) ? value : right_value(world, list, place);
}

/* Writes the numbers of a pattern to the list or, without a pattern, valid ones. */
static void write_list(world_case *self, size_t list, const int64_t *pattern)
{
    const strew_tensor *numbers = &self->input[list].view;
    const size_t size = element_size(numbers->dtype);
    int64_t left = pattern ? *pattern : 0;
    for (int64_t i = 0; i < number_count(self->world, list); i++) {
        const int64_t value =
            pattern ? value_in_pattern(self->world, list, i, &left) : right_value(self->world, list, i);
        element_store_integer(numbers->dtype, (uint64_t)value, (char *)numbers->data + (size_t)i * size);
    }
    room_copy(&self->before[list], &self->input[list]);
}

static void write_indices(world_case *self, int64_t pattern)
{
    const int64_t indices = list_patterns(self->world, INDICES), of_indices = pattern % indices;
    const int64_t of_segments = are_combined(self->world) ? pattern / indices : pattern - indices;
    self->pattern = pattern;
    write_list(self, INDICES, are_combined(self->world) || pattern < indices ? &of_indices : NULL);
    write_list(self, SEGMENTS, are_combined(self->world) || pattern >= indices ? &of_segments : NULL);
}

/* ---- One run ------------------------------------------------------------------------------------- */

typedef enum run_by { PLANNED_LEAST_SCRATCH, PLANNED_FULL_SCRATCH, CALLED, INSPECTED } run_by;

typedef struct run_way {
    strew_isa isa;
    size_t threads;
    bool in_place;
    run_by by;
} run_way;

static void describe_list(const world_case *self, const char *name, size_t list)
{
    const strew_tensor *numbers = &self->input[list].view;
    fprintf(stderr, "  %s:", name);
    for (int64_t i = 0; i < number_count(self->world, list); i++) {
        const char *element = (const char *)numbers->data + (size_t)i * element_size(numbers->dtype);
        fprintf(stderr, " %" PRId64, (int64_t)element_load_integer(numbers->dtype, element));
    }
    fputc('\n', stderr);
}

static void fail_run(const world_case *self, const run_way *way, const char *complaint)
{
    static const char *const names[] = {"planned, least scratch", "planned, full scratch", "one call", "inspected"};
    fprintf(stderr, "world %" PRIu64 ", pattern %" PRId64 ", %s, %s, %zu threads%s: %s\n", self->world->number,
            self->pattern, names[way->by], strew_isa_name(way->isa), way->threads,
            way->in_place ? ", in place" : "", complaint);
    call_describe(stderr, &self->call);
    describe_list(self, "indices", INDICES);
    describe_list(self, "segments", SEGMENTS);
    fail();
}

static strew_status inspect_and_run(const operator_call *call, const strew_plan *plan,
                                    const strew_run_options *options)
{
    strew_plan inspected;
    strew_buffers buffers = call_buffers(call);
    const size_t size = strew_plan_inspection_size(plan);
    char *const storage = allocate(size);
    strew_status status = strew_plan_inspect(&inspected, plan, &buffers, storage, size, options);
    call_use_inspection(call, &buffers, storage, size);
    if (status == STREW_STATUS_OK)
        status = strew_plan_run(&inspected, &buffers, options);
    free(storage);
    return status;
}

/* The least scratch is what a plan asks for, but only unsorted segments need it. */
static bool needs_no_scratch(const world_case *self)
{
    return self->call.kind == STREW_KIND_EMBEDDING_SEGMENTS && !self->sorts;
}

static strew_status run_library(const world_case *self, const run_way *way, operator_call *call, strew_error *error)
{
    const strew_plan *plan = &self->plans[way->isa][way->threads - 1];
    strew_options options = options_for(self, way->isa, way->threads);
    options.error = error;
    options.scratch = self->scratch;
    options.scratch_size = way->by == PLANNED_FULL_SCRATCH ? strew_plan_scratch_size(plan, way->threads)
                           : needs_no_scratch(self)        ? 0
                                                           : strew_plan_least_scratch_size(plan, way->threads);
    if (way->by == CALLED)
        return call_operator(call, &options);
    const strew_run_options running = call_run_options(&options);
    const strew_buffers buffers = call_buffers(call);
    return way->by == INSPECTED ? inspect_and_run(call, plan, &running) : strew_plan_run(plan, &buffers, &running);
}

/* Compares the output: all of it, or only its surroundings, if a refused call leaves the output undefined. */
static bool is_as_expected(const world_case *self, const run_way *way)
{
    const room *written = way->in_place ? &self->target : &self->output;
    const strew_error *refusal = self->right ? NULL : &self->bad_index;
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
        room_copy(&self->target, &self->input[DATA]);
        call.data = call.output = &self->target.view;
    } else if (self->output.bytes > 0) {
        memset(self->output.memory, 0xa5, self->output.bytes);
    }
    const strew_status status = run_library(self, way, &call, &error);
    self->counts->runs++;
    if (status != (self->right ? STREW_STATUS_OK : self->bad_index.status))
        fail_run(self, way, strew_status_name(status));
    if (!self->right && !oracle_same_bad_index(&self->bad_index, &error))
        fail_run(self, way, "the error does not tell of the first bad index");
    if (!is_as_expected(self, way))
        fail_run(self, way, "the output is not the oracle's");
}

/* ---- All of them --------------------------------------------------------------------------------- */

/* Runs in place, on a copy of data; for a gather, on known bytes. */
static void ask_oracle(world_case *self)
{
    operator_call call = self->call;
    call.output = &self->expected.view;
    if (gathers(self)) {
        if (self->expected.bytes > 0)
            memset(self->expected.memory, 0xa5, self->expected.bytes);
    } else {
        room_copy(&self->expected, &self->input[DATA]);
        call.data = &self->expected.view;
    }
    memset(&self->bad_index, 0, sizeof self->bad_index);
    self->right = oracle_run(&call, &self->bad_index);
    self->sorts = self->right && kind_has_numbers(call.kind) && !oracle_is_sorted(&call);
}

static void run_all_ways(world_case *self, strew_isa isa)
{
    const size_t some_threads = 1 + (size_t)self->pattern % MOST_THREADS;
    const bool has_scratch = !gathers(self) || self->call.kind == STREW_KIND_EMBEDDING_SEGMENTS;
    for (int in_place = 0; in_place <= (gathers(self) ? 0 : 1); in_place++) {
        for (size_t threads = 1; threads <= MOST_THREADS; threads++)
            for (run_by by = PLANNED_LEAST_SCRATCH;
                 by <= (has_scratch ? PLANNED_FULL_SCRATCH : PLANNED_LEAST_SCRATCH); by++)
                run_and_compare(self, &(run_way){isa, threads, in_place != 0, by});
        run_and_compare(self, &(run_way){isa, some_threads, in_place != 0, CALLED});
        if (self->call.bounds != STREW_BOUNDS_STOP) /* with STOP, inspecting writes nothing */
            run_and_compare(self, &(run_way){isa, some_threads, in_place != 0, INSPECTED});
    }
}

static void check_pattern(world_case *self, int64_t pattern)
{
    write_indices(self, pattern);
    ask_oracle(self);
    self->counts->calls++;
    for (strew_isa isa = STREW_ISA_SCALAR; isa < STREW_ISA_COUNT; isa++)
        if (can_run(isa))
            run_all_ways(self, isa);
    for (size_t i = 0; i < INPUTS; i++)
        if (!room_same(&self->input[i], &self->before[i]))
            fail_run(self, &(run_way){STREW_ISA_BEST, 0, false, CALLED}, "an input has changed");
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
    const bool bags = kind_has_bags(kind), has_mean = kind_has_initial_value(kind) != bags;
    if (kind == STREW_KIND_TENSOR_SCATTER || kind == STREW_KIND_SLICE_SCATTER || (kind_gathers(kind) && !bags))
        return reduction == STREW_REDUCTION_NONE;
    if (reduction == STREW_REDUCTION_NONE)
        return !bags;
    if (reduction == STREW_REDUCTION_SUB && bags && kind_gathers(kind))
        return false;
    return element_reduces(dtype, reduction) && (reduction != STREW_REDUCTION_MEAN || has_mean);
}

static bool has_weights(strew_kind kind)
{
    return kind_has_bags(kind) && kind != STREW_KIND_SEGMENT_REDUCE;
}

/* The combination under policies other than REFUSE, as small_world.h lists it. */
static world_variant variant_of_policies(strew_kind kind, strew_dtype dtype)
{
    const bool is_float = dtype == STREW_DTYPE_FLOAT32;
    world_variant variant = {.dtype = dtype, .reduction = STREW_REDUCTION_NONE};
    if (kind_has_bags(kind))
        variant.reduction = is_float                            ? STREW_REDUCTION_SUM
                            : kind == STREW_KIND_GATHER_SCATTER ? STREW_REDUCTION_MAX
                                                                : STREW_REDUCTION_MEAN;
    else if (is_float && has_reduction(kind, dtype, STREW_REDUCTION_SUM))
        variant.reduction = STREW_REDUCTION_SUM;
    variant.has_weights = is_float && has_weights(kind);
    return variant;
}

static void check_reductions(const small_world *world, strew_dtype dtype, world_counts *counts)
{
    for (strew_reduction r = STREW_REDUCTION_NONE; r < STREW_REDUCTION_COUNT; r++) {
        world_variant variant = {.dtype = dtype, .reduction = r};
        if (!has_reduction(world->kind, dtype, r))
            continue;
        check_variant(world, variant, counts);
        variant.has_weights = r == STREW_REDUCTION_SUM && has_weights(world->kind);
        if (variant.has_weights)
            check_variant(world, variant, counts);
        variant.without_init_val = kind_has_initial_value(world->kind) && r != STREW_REDUCTION_NONE;
        if (variant.without_init_val)
            check_variant(world, variant, counts);
    }
}

void small_world_check(const small_world *world, world_counts *counts)
{
    static const strew_dtype dtypes[] = {STREW_DTYPE_INT8, STREW_DTYPE_FLOAT32};
    counts->worlds++;
    for (size_t d = 0; d < COUNT(dtypes); d++) {
        world_variant variant = variant_of_policies(world->kind, dtypes[d]);
        check_reductions(world, dtypes[d], counts);
        for (variant.bounds = STREW_BOUNDS_STOP; variant.bounds < STREW_BOUNDS_COUNT; variant.bounds++)
            if (world->kind != STREW_KIND_SLICE_SCATTER)
                check_variant(world, variant, counts);
    }
}
