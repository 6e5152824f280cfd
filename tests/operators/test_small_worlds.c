/*
 * Every small world: all shapes of up to three dimensions of sizes 0 to 3, with every axis and number of batch
 * dimensions, of the six operators that address by indices. small_world.h says what is compared in each.
 *
 *   elements   data of rank 1 to 3, every axis; indices off the axis no larger than data, on it 0 to 3
 *   tuples     data of rank 1 to 3; indices of rank 1 to 3, of every length of tuples
 *   axis       data of rank 1 to 3, every axis; indices of rank 0 to 3
 *
 * Without words the program checks one world in so many, always the same ones: `make small-worlds` runs all. With
 * two, PART and PARTS, it checks each PARTS-th world from PART on, and says how many.
 */
#include <inttypes.h>
#include <stdlib.h>

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

/* indices.shape[:q-1] + data.shape[b+k:], for every shape of what is neither batch nor tuple. */
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
