/*
 * Every small world: all shapes of up to three dimensions of sizes 0 to 3, with every axis and number of batch
 * dimensions, of every operator. small_world.h says what is compared in each.
 *
 *   elements   data of rank 1 to 3, every axis; indices off the axis no larger than data, on it 0 to 3
 *   tuples     data of rank 1 to 3; indices of rank 1 to 3, of every length of tuples
 *   axis       data of rank 1 to 3, every axis; indices of rank 0 to 3
 *   windows    data of rank 2 to 3, every axis but the first, every length; with indices and without, going around
 *   slices     data of rank 1, every start and stop from -s - 2 to s + 2, by every step; of rank 2 and 3 all that
 *              slices can select of each dimension
 *   bags       data of rank 1 to 3, up to 3 entries and 3 rows; of packed bags up to 3 rows of 3
 *
 * Without words the program checks one world in so many, always the same ones: `make small-worlds` runs all. With
 * two, PART and PARTS, it checks each PARTS-th world from PART on, and says how many.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "oracle.h"
#include "small_world.h"
#include "test.h"

/* One world in so many takes seconds; primes, so as not to keep to some sizes. */
#ifdef NDEBUG
enum { ONE_IN = 499 };
#else
enum { ONE_IN = 4999 };
#endif

static uint64_t next_number, part, parts;
static world_counts counts;

static void visit(small_world *world)
{
    world->number = next_number++;
    if (world->number % parts == part)
        small_world_check(world, &counts);
}

/* The next of all shapes of sizes up to `most`; false after the last, and then all are 0 again. */
static bool next_shape(int64_t *shape, int32_t rank, const int64_t *most)
{
    for (int32_t d = rank; d-- > 0; shape[d] = 0)
        if (shape[d]++ < (most ? most[d] : WORLD_SIZE))
            return true;
    return false;
}

static void append(small_world *world, const int64_t *shape, int32_t rank)
{
    for (int32_t d = 0; d < rank; d++)
        world->updates_shape[world->updates_rank++] = shape[d];
}

/* ---- Elements ------------------------------------------------------------------------------------ */

static void visit_elements_along(small_world *world)
{
    int64_t most[WORLD_RANK];
    memcpy(most, world->shape, sizeof most);
    most[world->axis] = WORLD_SIZE;
    do {
        world->updates_rank = 0;
        append(world, world->indices_shape, world->rank);
        visit(world);
    } while (next_shape(world->indices_shape, world->rank, most));
}

static void visit_elements(strew_kind kind)
{
    for (int32_t rank = 1; rank <= WORLD_RANK; rank++) {
        small_world world = {.kind = kind, .rank = rank, .indices_rank = rank};
        do {
            for (world.axis = 0; world.axis < rank; world.axis++)
                visit_elements_along(&world);
        } while (next_shape(world.shape, rank, NULL));
    }
}

/* ---- Tuples -------------------------------------------------------------------------------------- */

/* indices.shape[:q-1] + data.shape[b+k:], for every shape of the dimensions outside of batch and tuple. */
static void visit_lists(small_world *world, int32_t batch, int32_t tuple)
{
    const int32_t last = world->indices_rank - 1;
    memset(world->indices_shape, 0, sizeof world->indices_shape);
    memcpy(world->indices_shape, world->shape, (size_t)batch * sizeof *world->shape);
    world->indices_shape[last] = tuple;
    world->batch_dims = batch;
    do {
        world->updates_rank = 0;
        append(world, world->indices_shape, last);
        append(world, world->shape + batch + tuple, world->rank - batch - tuple);
        visit(world);
    } while (next_shape(world->indices_shape + batch, last - batch, NULL));
}

static void visit_tuples_of_rank(strew_kind kind, int32_t rank, int32_t indices_rank)
{
    small_world world = {.kind = kind, .rank = rank, .indices_rank = indices_rank};
    const int32_t most_batch = !kind_gathers(kind) ? 0 : (rank < indices_rank ? rank : indices_rank) - 1;
    do {
        for (int32_t batch = 0; batch <= most_batch; batch++)
            for (int32_t tuple = 0; tuple <= rank - batch; tuple++)
                visit_lists(&world, batch, tuple);
    } while (next_shape(world.shape, rank, NULL));
}

static void visit_tuples(strew_kind kind)
{
    for (int32_t rank = 1; rank <= WORLD_RANK; rank++)
        for (int32_t indices_rank = 1; indices_rank <= WORLD_RANK; indices_rank++)
            visit_tuples_of_rank(kind, rank, indices_rank);
}

/* ---- Along an axis ------------------------------------------------------------------------------- */

/* data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:]. */
static void visit_along_axis(small_world *world, int32_t batch)
{
    const int32_t axis = (int32_t)world->axis, chosen = world->indices_rank - batch;
    memset(world->indices_shape, 0, sizeof world->indices_shape);
    memcpy(world->indices_shape, world->shape, (size_t)batch * sizeof *world->shape);
    world->batch_dims = batch;
    do {
        world->updates_rank = 0;
        append(world, world->shape, axis);
        append(world, world->indices_shape + batch, chosen);
        append(world, world->shape + axis + 1, world->rank - axis - 1);
        visit(world);
    } while (next_shape(world->indices_shape + batch, chosen, NULL));
}

static void visit_axis_of_rank(strew_kind kind, int32_t rank, int32_t indices_rank)
{
    small_world world = {.kind = kind, .rank = rank, .indices_rank = indices_rank};
    do {
        for (world.axis = 0; world.axis < rank; world.axis++)
            for (int32_t batch = 0; batch <= indices_rank && batch <= world.axis; batch++)
                visit_along_axis(&world, batch);
    } while (next_shape(world.shape, rank, NULL));
}

static void visit_axis(strew_kind kind)
{
    for (int32_t rank = 1; rank <= WORLD_RANK; rank++)
        for (int32_t indices_rank = 0; indices_rank <= WORLD_RANK; indices_rank++)
            visit_axis_of_rank(kind, rank, indices_rank);
}

/* ---- Windows ------------------------------------------------------------------------------------- */

static void visit_windows_along(small_world *world)
{
    world->indices_shape[0] = world->shape[0];
    for (int64_t window = 0; window <= world->shape[world->axis]; window++)
        for (int way = 0; way < 4; way++) {
            world->updates_rank = 0;
            append(world, world->shape, world->rank);
            world->updates_shape[world->axis] = window;
            world->without_indices = way % 2 != 0;
            world->circular = way / 2 != 0;
            visit(world);
        }
}

static void visit_windows(void)
{
    for (int32_t rank = 2; rank <= WORLD_RANK; rank++) {
        small_world world = {.kind = STREW_KIND_TENSOR_SCATTER, .rank = rank, .indices_rank = 1};
        do {
            for (world.axis = 1; world.axis < rank; world.axis++)
                visit_windows_along(&world);
        } while (next_shape(world.shape, rank, NULL));
    }
}

/* ---- Slices -------------------------------------------------------------------------------------- */

enum { FARTHEST = 2, LONGEST_STEP = 3, MOST_SLICES = 800 };

/* Slices of a dimension: from where, up to where, by how many. */
typedef struct dimension_slices {
    size_t count;
    int64_t start[MOST_SLICES], stop[MOST_SLICES], step[MOST_SLICES];
    oracle_selection selection[MOST_SLICES];
} dimension_slices;

static bool selects_the_same(const oracle_selection *left, const oracle_selection *right)
{
    return left->length == right->length &&
           (left->length == 0 || (left->begin == right->begin && (left->length == 1 || left->step == right->step)));
}

/* Adds a slice: all of them, or only those that select another part than the earlier ones. */
static void add_slice(dimension_slices *slices, int64_t size, const int64_t bounds[3], bool all)
{
    const strew_slice slice = {1, 0, &bounds[0], &bounds[1], &bounds[2], NULL};
    oracle_selection selections[STREW_MAX_RANK];
    oracle_select(&slice, 1, &size, selections);
    for (size_t i = 0; i < slices->count && !all; i++)
        if (selects_the_same(&slices->selection[i], selections))
            return;
    assert_true(slices->count < MOST_SLICES);
    slices->start[slices->count] = bounds[0];
    slices->stop[slices->count] = bounds[1];
    slices->step[slices->count] = bounds[2];
    slices->selection[slices->count++] = selections[0];
}

static void find_slices(dimension_slices *slices, int64_t size, bool all)
{
    int64_t bounds[3];
    slices->count = 0;
    for (bounds[0] = -size - FARTHEST; bounds[0] <= size + FARTHEST; bounds[0]++)
        for (bounds[1] = -size - FARTHEST; bounds[1] <= size + FARTHEST; bounds[1]++)
            for (bounds[2] = -LONGEST_STEP; bounds[2] <= LONGEST_STEP; bounds[2]++)
                if (bounds[2] != 0)
                    add_slice(slices, size, bounds, all);
}

static void visit_slice(small_world *world, const dimension_slices *slices, const size_t *chosen)
{
    int64_t starts[WORLD_RANK], stops[WORLD_RANK], steps[WORLD_RANK];
    const strew_slice slice = {world->rank, 0, starts, stops, steps, NULL};
    world->slice = &slice;
    world->updates_rank = world->rank;
    for (int32_t d = 0; d < world->rank; d++) {
        const dimension_slices *of = &slices[world->shape[d]];
        starts[d] = of->start[chosen[d]];
        stops[d] = of->stop[chosen[d]];
        steps[d] = of->step[chosen[d]];
        world->updates_shape[d] = of->selection[chosen[d]].length;
    }
    visit(world);
}

/* The next of all choices of one slice for each dimension; false after the last. */
static bool next_choice(const small_world *world, const dimension_slices *slices, size_t *chosen)
{
    for (int32_t d = world->rank; d-- > 0; chosen[d] = 0)
        if (++chosen[d] < slices[world->shape[d]].count)
            return true;
    return false;
}

static void visit_slices(void)
{
    static dimension_slices slices[WORLD_SIZE + 1];
    for (int32_t rank = 1; rank <= WORLD_RANK; rank++) {
        small_world world = {.kind = STREW_KIND_SLICE_SCATTER, .rank = rank, .without_indices = true};
        for (int64_t size = 0; size <= WORLD_SIZE; size++)
            find_slices(&slices[size], size, rank == 1);
        do {
            size_t chosen[WORLD_RANK] = {0};
            do
                visit_slice(&world, slices, chosen);
            while (next_choice(&world, slices, chosen));
        } while (next_shape(world.shape, rank, NULL));
    }
}

/* ---- Bags ---------------------------------------------------------------------------------------- */

/* Into so many rows: the first dimension of the output, or, of edges, of updates. */
static void visit_bags_into(small_world *world, int64_t rows, int64_t entries)
{
    const strew_kind kind = world->kind;
    const bool is_packed = kind == STREW_KIND_EMBEDDING_BAG_PACKED;
    world->updates_rank = 0;
    append(world, &rows, 1);
    append(world, world->shape + 1, world->rank - 1);
    world->indices_shape[0] = is_packed ? rows : entries;
    world->indices_shape[1] = entries;
    world->segments = kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ? rows : entries;
    visit(world);
}

static void visit_bags_of_rank(strew_kind kind, int32_t rank)
{
    const bool is_packed = kind == STREW_KIND_EMBEDDING_BAG_PACKED;
    small_world world = {.kind = kind,
                         .rank = rank,
                         .indices_rank = is_packed ? 2 : 1,
                         .without_indices = kind == STREW_KIND_SEGMENT_REDUCE,
                         .has_segments = !is_packed};
    do {
        const int64_t least = world.without_indices ? world.shape[0] : 0;
        const int64_t most = world.without_indices ? least : WORLD_SIZE;
        for (int64_t rows = 0; rows <= WORLD_SIZE; rows++)
            for (int64_t entries = least; entries <= most; entries++)
                visit_bags_into(&world, rows, entries);
    } while (next_shape(world.shape, rank, NULL));
}

static void visit_bags(strew_kind kind)
{
    for (int32_t rank = 1; rank <= WORLD_RANK; rank++)
        visit_bags_of_rank(kind, rank);
}

/* ---- All ----------------------------------------------------------------------------------------- */

static void small_worlds_agree_with_the_oracle(void **state)
{
    (void)state;
    visit_elements(STREW_KIND_GATHER_ELEMENTS);
    visit_elements(STREW_KIND_SCATTER_ELEMENTS);
    visit_tuples(STREW_KIND_GATHER_ND);
    visit_tuples(STREW_KIND_SCATTER_ND);
    visit_axis(STREW_KIND_GATHER);
    visit_axis(STREW_KIND_SCATTER);
    visit_windows();
    visit_slices();
    for (strew_kind kind = STREW_KIND_EMBEDDING_BAG_OFFSETS; kind <= STREW_KIND_GATHER_SCATTER; kind++)
        visit_bags(kind);
    assert_true(counts.worlds > 0);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_worlds_agree_with_the_oracle)};
    part = count > 2 ? strtoull(words[1], NULL, 10) : 0;
    parts = count > 2 ? strtoull(words[2], NULL, 10) : ONE_IN;
    if (parts == 0)
        return 2;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("%" PRIu64 " of %" PRIu64 " worlds, %" PRIu64 " calls, %" PRIu64 " runs\n", counts.worlds, next_number,
           counts.calls, counts.runs);
    return failed;
}
