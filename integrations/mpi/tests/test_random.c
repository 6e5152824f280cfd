/*
 * Random calls give the result of one machine that gets all lists one after another: every dtype, reduction,
 * distribution and policy for bad indices, with and without a plan, in one piece and in pieces. Each rank draws the
 * lists of all, and so knows its own expected part.
 *
 * test_random CALLS [SEED]
 */
#include "../src/internal.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

enum { SKIPPED = -1 };
enum { MOST_ROWS = 40, MOST_INDICES = 70, INDEX_DTYPES = STREW_DTYPE_UINT64 - STREW_DTYPE_INT8 + 1 };

/* The part of a call that all ranks know. */
struct scene {
    uint64_t seed, number;
    strew_dtype dtype;
    strew_reduction reduction;
    bool is_scatter;
    int32_t rank, width;
    int64_t shape[4], block;
    uint32_t flags;
    strew_bounds bounds;
    bool has_fill;
    char fill[24];   /* an element of any dtype */
    int64_t *counts; /* [ranks] */
    int64_t total;
    size_t element;
};

/* The operands of one rank, contiguous. */
struct list {
    strew_dtype dtype;
    void *indices;
    int64_t *plain; /* [n], the row of k coordinates that each names; SKIPPED of one that is skipped */
    void *updates;
};

static strew_dtype draw_dtype(struct random *random)
{
    const int64_t drawn = random_between(random, STREW_DTYPE_BOOL, STREW_DTYPE_STRING + 1);
    if (drawn == STREW_DTYPE_STRING)
        return STREW_DTYPE_OPAQUE(3);
    return drawn > STREW_DTYPE_STRING ? STREW_DTYPE_OPAQUE(24) : (strew_dtype)drawn;
}

static struct scene draw_scene(uint64_t seed, uint64_t number)
{
    static const int64_t rows[] = {0, 1, 2, 3, 7, 16, MOST_ROWS};
    struct random random = random_of(seed, number, 1);
    struct scene scene = {.seed = seed, .number = number, .dtype = draw_dtype(&random)};
    do
        scene.reduction = (strew_reduction)random_between(&random, 0, STREW_REDUCTION_COUNT - 1);
    while (!strew_reduction_supports(scene.reduction, scene.dtype));
    scene.is_scatter = !random_is(&random, 3);
    scene.rank = (int32_t)random_between(&random, 1, 4);
    scene.width = (int32_t)random_between(&random, 1, scene.rank);
    scene.element = strew_dtype_size(scene.dtype);
    for (int axis = 0; axis < scene.rank; axis++)
        scene.shape[axis] = random_is(&random, 40) ? 0 : random_between(&random, 1, 5);
    scene.shape[0] = rows[random_between(&random, 0, 6)];
    scene.block = random_is(&random, 3) ? 0 : random_is(&random, 2) ? 1 : random_between(&random, 1, MOST_ROWS + 5);
    scene.flags = random_is(&random, 6) ? STREW_FLAG_REFUSE_NEGATIVE_INDICES : 0;
    scene.flags |= random_is(&random, 2) ? STREW_MPI_FLAG_DISTINCT : 0;
    scene.flags |= scene.is_scatter && random_is(&random, 3) ? STREW_MPI_FLAG_IGNORE_INIT_VAL : 0;
    scene.bounds = random_is(&random, 2)
                       ? STREW_BOUNDS_REFUSE
                       : (strew_bounds)random_between(&random, STREW_BOUNDS_SKIP, STREW_BOUNDS_WRAP);
    scene.has_fill = random_is(&random, 2);
    random_elements(&random, STREW_DTYPE_UINT8, scene.fill, scene.has_fill ? sizeof scene.fill : 0);
    scene.counts = allocate((size_t)world_size * sizeof *scene.counts);
    const bool has_none = product(scene.shape, 0, scene.width) == 0 && scene.bounds != STREW_BOUNDS_SKIP;
    for (int rank = 0; rank < world_size; rank++) {
        scene.counts[rank] = has_none || random_is(&random, 4) ? 0 : random_between(&random, 1, MOST_INDICES);
        scene.total += scene.counts[rank];
    }
    return scene;
}

/* A coordinate, and rarely one that is outside, where the scene has a policy for it. */
static int64_t draw_coordinate(const struct scene *scene, struct random *random, strew_dtype dtype, int64_t size,
                               bool is_skewed)
{
    const bool is_signed = dtype <= STREW_DTYPE_INT64;
    if (scene->bounds != STREW_BOUNDS_REFUSE && (size == 0 || random_is(random, 4))) {
        if (dtype == STREW_DTYPE_UINT64 && random_is(random, 3))
            return -random_between(random, 1, 1000); /* minus that, modulo 2^64 */
        return random_between(random, is_signed ? -2 * size - 3 : 0, 2 * size + 3);
    }
    const int64_t index = random_between(random, 0, is_skewed ? (size - 1) / 4 : size - 1);
    const bool may_be_negative = is_signed && !(scene->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES);
    return may_be_negative && random_is(random, 2) ? index - size : index;
}

/* The index that a coordinate becomes under the policy of the scene, or SKIPPED. */
static int64_t led_to(const struct scene *scene, strew_dtype dtype, int64_t value, int64_t size)
{
    const bool is_huge = dtype == STREW_DTYPE_UINT64 && value < 0;
    const bool may_be_negative = !is_huge && !(scene->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES);
    if (value >= 0 && value < size)
        return value;
    if (may_be_negative && value < 0 && value >= -size)
        return value + size;
    switch (scene->bounds) {
    case STREW_BOUNDS_CLAMP: return value < 0 && !is_huge ? 0 : size - 1;
    case STREW_BOUNDS_WRAP:
        return is_huge ? (int64_t)((uint64_t)value % (uint64_t)size) : (value % size + size) % size;
    default: return SKIPPED;
    }
}

static struct list draw_list(const struct scene *scene, int rank)
{
    struct random random = random_of(scene->seed, scene->number, 1000 + (uint64_t)rank);
    const int64_t count = scene->counts[rank], row = product(scene->shape, scene->width, scene->rank);
    struct list list = {.dtype = (strew_dtype)random_between(&random, STREW_DTYPE_INT8, STREW_DTYPE_UINT64)};
    const bool is_skewed = random_is(&random, 3);
    list.indices = allocate((size_t)(count * scene->width) * strew_dtype_size(list.dtype));
    list.plain = allocate((size_t)count * sizeof *list.plain);
    list.updates = allocate((size_t)(count * row) * scene->element);
    for (int64_t i = 0; i < count; i++) {
        list.plain[i] = 0;
        for (int axis = 0; axis < scene->width; axis++) {
            const int64_t size = scene->shape[axis];
            const int64_t value = draw_coordinate(scene, &random, list.dtype, size, is_skewed);
            const int64_t index = led_to(scene, list.dtype, value, size);
            const bool is_skipped = list.plain[i] == SKIPPED || index == SKIPPED;
            list.plain[i] = is_skipped ? SKIPPED : list.plain[i] * size + index;
            write_index(list.indices, list.dtype, i * scene->width + axis, value);
        }
    }
    random_elements(&random, scene->dtype, list.updates, count * row);
    return list;
}

static void free_list(struct list *list)
{
    free(list->indices);
    free(list->plain);
    free(list->updates);
}

/* ---- One machine --------------------------------------------------------------------------------- */

#define COMBINE(type, table, updates)                                                 \
    for (int64_t i = 0; i < count; i++)                                               \
        for (int64_t j = 0; j < row; j++) {                                           \
            type *at = (type *)(table) + plain[i] * row + j;                          \
            const type update = ((const type *)(updates))[i * row + j], before = *at; \
            switch (reduction) {                                                      \
            case STREW_REDUCTION_NONE: *at = update; break;                           \
            case STREW_REDUCTION_SUM: *at = (type)(before + update); break;           \
            case STREW_REDUCTION_SUB: *at = (type)(before - update); break;           \
            default: *at = (type)(before * update); break;                            \
            }                                                                         \
        }                                                                             \
    break

/* A scatter as a loop; false for reductions without one. */
static bool scatter_by_hand(const struct scene *scene, void *table, const int64_t *plain, const void *updates,
                            int64_t count)
{
    const strew_reduction reduction = scene->reduction;
    const int64_t row = product(scene->shape, scene->width, scene->rank);
    if (reduction > STREW_REDUCTION_PROD || (scene->flags & STREW_MPI_FLAG_IGNORE_INIT_VAL))
        return false;
    switch (scene->dtype) {
    case STREW_DTYPE_UINT8: COMBINE(uint8_t, table, updates);
    case STREW_DTYPE_UINT32: COMBINE(uint32_t, table, updates);
    case STREW_DTYPE_UINT64: COMBINE(uint64_t, table, updates);
    case STREW_DTYPE_FLOAT32: COMBINE(float, table, updates);
    case STREW_DTYPE_FLOAT64: COMBINE(double, table, updates);
    default: return false;
    }
    return true;
}

#undef COMBINE

/* strew on one machine, with all rows of k coordinates as the rows of a table of two dimensions. */
static void scatter_alone(const struct scene *scene, void *table, const int64_t *plain, const void *updates,
                          int64_t count)
{
    const int64_t row = product(scene->shape, scene->width, scene->rank);
    const int64_t rows = product(scene->shape, 0, scene->width);
    const bool ignores_init_val = scene->flags & STREW_MPI_FLAG_IGNORE_INIT_VAL;
    const strew_tensor data = {table, scene->dtype, 2, (int64_t[]){rows, row}, NULL};
    const strew_tensor values = {(void *)(uintptr_t)updates, scene->dtype, 2, (int64_t[]){count, row}, NULL};
    strew_tensor indices = {(void *)(uintptr_t)plain, STREW_DTYPE_INT64, 2, (int64_t[]){count, 1}, NULL};
    strew_options options = STREW_OPTIONS_INIT;
    if (scene->reduction != STREW_REDUCTION_MEAN &&
        (!ignores_init_val || scene->reduction == STREW_REDUCTION_NONE)) {
        CHECK(strew_scatter_nd(&data, &indices, &values, scene->reduction, &data, &options) == STREW_STATUS_OK);
        return;
    }
    options.scratch_size = (size_t)1 << 20;
    options.scratch = allocate(options.scratch_size);
    indices.shape = (int64_t[]){count, row};
    indices.strides = (int64_t[]){1, 0};
    CHECK(strew_scatter_elements(&data, &indices, &values, 0, scene->reduction, !ignores_init_val, &data,
                                 &options) == STREW_STATUS_OK);
    free(options.scratch);
}

/* ---- All ranks ----------------------------------------------------------------------------------- */

/*
 * A copy with gaps and in another order of memory: rows backwards, and two elements between elements. In a
 * dimension of size 1 the stride may be anything.
 */
static strew_tensor loosen(const strew_tensor *tensor, int64_t strides[STREW_MAX_RANK], void **memory)
{
    const int64_t count = product(tensor->shape, 0, tensor->rank);
    const size_t size = strew_dtype_size(tensor->dtype);
    strew_tensor loose = *tensor;
    int64_t step = 3;
    for (int axis = tensor->rank - 1; axis >= 0; axis--) {
        strides[axis] = tensor->shape[axis] == 1 ? INT64_MAX : step;
        step *= tensor->shape[axis];
    }
    *memory = allocate((size_t)(3 * count) * size);
    loose.data = *memory;
    loose.strides = strides;
    if (tensor->rank > 0 && count > 0) {
        loose.data = (char *)*memory + (size_t)((tensor->shape[0] - 1) * strides[0]) * size;
        strides[0] = -strides[0];
    }
    return loose;
}

/* Elements in the order of the tensor, from or to memory that is contiguous. */
static void copy_elements(const strew_tensor *tensor, void *plain, bool to_tensor)
{
    const int64_t count = product(tensor->shape, 0, tensor->rank);
    const size_t size = strew_dtype_size(tensor->dtype);
    for (int64_t i = 0; i < count; i++) {
        int64_t offset = 0, rest = i;
        for (int axis = tensor->rank - 1; axis >= 0; axis--) {
            offset += rest % tensor->shape[axis] * tensor->strides[axis];
            rest /= tensor->shape[axis];
        }
        char *at = (char *)tensor->data + offset * (int64_t)size, *here = (char *)plain + i * (int64_t)size;
        memcpy(to_tensor ? at : here, to_tensor ? here : at, size);
    }
}

static void copy_own_rows(const struct scene *scene, const void *whole, void *own)
{
    const int64_t local = strew_mpi_local_rows(scene->shape[0], scene->block, world_size, world_rank);
    const size_t bytes = (size_t)product(scene->shape, 1, scene->rank) * scene->element;
    for (int64_t i = 0; i < local; i++) {
        const int64_t row = strew_mpi_global_row(scene->shape[0], scene->block, world_size, world_rank, i);
        memcpy((char *)own + (size_t)i * bytes, (const char *)whole + (size_t)row * bytes, bytes);
    }
}

struct operands {
    strew_mpi_table table;
    strew_tensor indices, values;
};

/* Makes the call of the scene in one of several ways. */
static void call(strew_mpi_context *context, const struct scene *scene, const struct operands *operands)
{
    struct random random = random_of(scene->seed, scene->number, 2);
    strew_mpi_error error = {0};
    strew_mpi_times times = {0};
    strew_mpi_options options = STREW_MPI_OPTIONS_INIT;
    options.flags = scene->flags;
    options.bounds = scene->bounds;
    options.fill = scene->has_fill ? scene->fill : NULL;
    options.error = &error;
    options.times = random_is(&random, 2) ? &times : NULL;
    options.parallel = random_is(&random, 4) ? &three_threads : NULL;
    options.isa = world_rank % 2 ? STREW_ISA_SCALAR : STREW_ISA_BEST;
    context->limit = random_is(&random, 3) ? random_between(&random, 1, 100) : INT32_MAX;
    context->has_large_counts = random_is(&random, 2) && MPI_VERSION >= 4;
    const strew_mpi_table *table = &operands->table;
    if (random_is(&random, 2)) {
        CHECK_OK(scene->is_scatter
                     ? strew_mpi_scatter(context, table, &operands->indices, &operands->values, scene->reduction,
                                         &options)
                     : strew_mpi_gather(context, table, &operands->indices, &operands->values, &options),
                 &error);
        return;
    }
    strew_mpi_plan *plan;
    strew_mpi_table shape_alone = *table;
    shape_alone.rows = NULL;
    shape_alone.dtype = STREW_DTYPE_NONE;
    options.flags = scene->flags & (STREW_FLAG_REFUSE_NEGATIVE_INDICES | STREW_MPI_FLAG_DISTINCT);
    CHECK_OK(strew_mpi_plan_create(context, &shape_alone, &operands->indices, &plan, &options), &error);
    options.flags = scene->flags & STREW_MPI_FLAG_IGNORE_INIT_VAL;
    options.bounds = STREW_BOUNDS_REFUSE; /* the plan has the policy */
    CHECK_OK(scene->is_scatter ? strew_mpi_plan_scatter(plan, table, &operands->values, scene->reduction, &options)
                               : strew_mpi_plan_gather(plan, table, &operands->values, &options),
             &error);
    strew_mpi_plan_destroy(plan);
}

static void check_gathered(const struct scene *scene, const struct list *own, const void *whole, const void *output)
{
    const int64_t row = product(scene->shape, scene->width, scene->rank);
    const size_t bytes = (size_t)row * scene->element;
    char *fill = allocate(bytes);
    for (int64_t j = 0; j < row; j++) /* zeros without one */
        memcpy(fill + (size_t)j * scene->element, scene->fill, scene->element);
    for (int64_t i = 0; i < scene->counts[world_rank]; i++) {
        const char *right = own->plain[i] == SKIPPED ? fill : (const char *)whole + (size_t)own->plain[i] * bytes;
        CHECK(memcmp((const char *)output + (size_t)i * bytes, right, bytes) == 0);
    }
    free(fill);
}

/* Applies all lists, rank by rank, to a table on this machine. */
static void apply_all(const struct scene *scene, void *whole, void *by_hand, bool *has_by_hand)
{
    const size_t bytes = (size_t)product(scene->shape, scene->width, scene->rank) * scene->element;
    int64_t *plain = allocate((size_t)scene->total * sizeof *plain);
    char *updates = allocate((size_t)scene->total * bytes);
    int64_t begin = 0;
    for (int rank = 0; rank < world_size; rank++) {
        struct list list = draw_list(scene, rank);
        for (int64_t i = 0; i < scene->counts[rank]; i++) {
            if (list.plain[i] == SKIPPED)
                continue;
            plain[begin] = list.plain[i];
            memcpy(updates + (size_t)begin++ * bytes, (const char *)list.updates + (size_t)i * bytes, bytes);
        }
        free_list(&list);
    }
    scatter_alone(scene, whole, plain, updates, begin);
    *has_by_hand = scatter_by_hand(scene, by_hand, plain, updates, begin);
    free(plain);
    free(updates);
}

static void run_scene(strew_mpi_context *context, uint64_t seed, uint64_t number)
{
    struct scene scene = draw_scene(seed, number);
    struct random random = random_of(seed, number, 3),
                  own_random = random_of(seed, number, 2000 + (uint64_t)world_rank);
    const int64_t elements = product(scene.shape, 0, scene.rank), count = scene.counts[world_rank];
    const int64_t row = product(scene.shape, scene.width, scene.rank);
    const int64_t local = strew_mpi_local_rows(scene.shape[0], scene.block, world_size, world_rank);
    const size_t own_bytes = (size_t)(local * product(scene.shape, 1, scene.rank)) * scene.element;
    char *whole = allocate((size_t)elements * scene.element), *by_hand = allocate((size_t)elements * scene.element);
    char *own = allocate(own_bytes), *right = allocate(own_bytes),
         *output = allocate((size_t)(count * row) * scene.element);
    random_elements(&random, scene.dtype, whole, elements);
    memcpy(by_hand, whole, (size_t)elements * scene.element);
    copy_own_rows(&scene, whole, own);
    struct list list = draw_list(&scene, world_rank);

    int64_t shape[STREW_MAX_RANK] = {count}, value_strides[STREW_MAX_RANK], index_strides[STREW_MAX_RANK];
    for (int axis = scene.width; axis < scene.rank; axis++)
        shape[1 + axis - scene.width] = scene.shape[axis];
    struct operands operands = {
        {own_bytes ? own : NULL, scene.dtype, scene.rank, scene.shape, scene.block},
        {list.indices, list.dtype, 2, (int64_t[]){count, scene.width}, NULL},
        {scene.is_scatter ? list.updates : output, scene.dtype, 1 + scene.rank - scene.width, shape, NULL},
    };
    void *loose_values = NULL, *loose_indices = NULL;
    const bool is_loose = random_is(&own_random, 2);
    if (is_loose) {
        operands.values = loosen(&operands.values, value_strides, &loose_values);
        if (scene.is_scatter)
            copy_elements(&operands.values, list.updates, true);
        operands.indices = loosen(&operands.indices, index_strides, &loose_indices);
        copy_elements(&operands.indices, list.indices, true);
    }
    call(context, &scene, &operands);
    if (is_loose && !scene.is_scatter)
        copy_elements(&operands.values, output, false);

    bool has_by_hand = false;
    if (scene.is_scatter)
        apply_all(&scene, whole, by_hand, &has_by_hand);
    else
        check_gathered(&scene, &list, whole, output);
    CHECK(!has_by_hand || same_elements(scene.dtype, whole, by_hand, elements));
    copy_own_rows(&scene, whole, right);
    CHECK(same_elements(scene.dtype, own, right, (int64_t)(own_bytes / scene.element)));
    free_list(&list);
    void *const memory[] = {whole, by_hand, own, right, output, loose_values, loose_indices, scene.counts};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        free(memory[i]);
}

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    const uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)world_size; /* other calls for each */
    struct counting counting = {0, 0, -1};
    const strew_mpi_allocator allocator = counting_allocator(&counting);
    strew_mpi_context *context;
    strew_mpi_error error = {0};
    CHECK_OK(strew_mpi_context_create(MPI_COMM_WORLD, &allocator, &context, &error), &error);
    for (uint64_t number = 0; number < calls; number++) {
        if (getenv("STREW_MPI_TEST_VERBOSE") && world_rank == 0)
            fprintf(stderr, "call %d\n", (int)number);
        run_scene(context, seed, number);
    }
    strew_mpi_context_destroy(context);
    CHECK(counting.alive == 0);
    return test_end("random calls leave what one machine leaves");
}
