/* The calls that every kernel that resolves indices is checked with. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { INDICES, OFFSETS };

/* ---- Cases --------------------------------------------------------------------------------------- */

/* How the indices of a tile lie: which of runs, entries and coordinates is how far apart. */
enum axis { RUN, ENTRY, COORDINATE, AXIS_COUNT };

typedef struct index_layout {
    const char *name;
    enum axis from_innermost[AXIS_COUNT];
    int64_t direction;
    int64_t padding; /* elements, behind each axis */
    bool same_runs, same_entries;
} index_layout;

static const index_layout layouts[] = {
    {"tuples in rows", {COORDINATE, ENTRY, RUN}, 1, 0, false, false},
    {"tuples in padded rows", {COORDINATE, ENTRY, RUN}, 1, 3, false, false},
    {"tuples backwards", {COORDINATE, ENTRY, RUN}, -1, 0, false, false},
    {"tuples in columns", {COORDINATE, RUN, ENTRY}, 1, 0, false, false},
    {"coordinates apart", {ENTRY, RUN, COORDINATE}, 1, 0, false, false},
    {"coordinates apart, padded, backwards", {ENTRY, RUN, COORDINATE}, -1, 1, false, false},
    {"the same tuples in every run", {COORDINATE, ENTRY, RUN}, 1, 0, true, false},
    {"one tuple for each run", {COORDINATE, ENTRY, RUN}, 1, 2, false, true},
    {"one tuple", {COORDINATE, ENTRY, RUN}, 1, 0, true, true},
};

typedef struct resolve_case {
    const kernel_subject *subject;
    const index_layout *layout;
    operand_placement placement;
    size_t misalignment;
    strew_coordinates coordinates;
    strew_tile tile;
} resolve_case;

static void lay_indices(resolve_case *with)
{
    const index_layout *layout = with->layout;
    const int64_t sizes[AXIS_COUNT] = {with->tile.runs, with->tile.entries, with->coordinates.count};
    const bool same[AXIS_COUNT] = {layout->same_runs, layout->same_entries, false};
    int64_t steps[AXIS_COUNT] = {0};
    int64_t reached = 1;
    for (int i = 0; i < AXIS_COUNT; i++) {
        const enum axis axis = layout->from_innermost[i];
        if (same[axis])
            continue;
        steps[axis] = layout->direction * reached * (int64_t)element_size(with->subject->slot->dtype);
        reached = reached * sizes[axis] + layout->padding;
    }
    with->tile.run_index_step = steps[RUN];
    with->tile.entry_index_step = steps[ENTRY];
    with->coordinates.step = steps[COORDINATE];
}

static int64_t clamped(int64_t value, int64_t limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* A size at which a bound, or what is next to it, no longer fits in some integer. */
static int64_t random_size(random_source *random, int64_t limit)
{
    static const int exponents[] = {1, 2, 7, 8, 15, 16, 31, 32, 40, 62};
    int64_t size = limit;
    if (!random_chance(random, 5))
        size = (INT64_C(1) << exponents[random_bits(random) % COUNT(exponents)]) + random_between(random, -1, 1);
    return clamped(size, limit);
}

/* No sum of positions reaches beyond 64 bits, as none of a tensor in memory does. */
static strew_coordinate random_coordinate(random_source *random, int64_t limit)
{
    const int64_t size = random_size(random, limit);
    const int64_t farthest = (INT64_C(1) << 56) / size;
    const int64_t strides[] = {INT32_MIN, INT32_MAX, INT64_C(1) << 31, random_between(random, -16, 16),
                               random_between(random, -limit, limit)};
    return (strew_coordinate){size, clamped(strides[random_bits(random) % COUNT(strides)], farthest)};
}

static int64_t random_base_step(random_source *random)
{
    return random_chance(random, 30) ? 0 : random_between(random, -(INT64_C(1) << 40), INT64_C(1) << 40);
}

static resolve_case random_case(const kernel_subject *subject, int64_t runs, int64_t entries, int32_t coordinates)
{
    random_source *random = subject->random;
    resolve_case with = {
        .subject = subject,
        .layout = &layouts[random_bits(random) % COUNT(layouts)],
        .placement = (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT),
        .misalignment = random_bits(random) % 32,
        .coordinates = {.count = coordinates, .wrap = random_chance(random, 50)},
        .tile = {.runs = runs, .entries = entries},
    };
    /* Half the cases do with 32 bits: kernels may have a way of their own for all coordinates that do. */
    const int64_t limit = random_chance(random, 50) ? INT64_MAX : INT32_MAX;
    for (int32_t c = 0; c < coordinates; c++)
        with.coordinates.at[c] = random_coordinate(random, limit);
    with.tile.run_base_step = random_base_step(random);
    with.tile.entry_base_step = random_base_step(random);
    lay_indices(&with);
    return with;
}

/* ---- Operands ------------------------------------------------------------------------------------ */

static void reach(int64_t step, int64_t size, int64_t *low, int64_t *high)
{
    const int64_t last = (size - 1) * step;
    *(last < 0 ? low : high) += last;
}

/* The operand is exactly as long as the indices reach: nothing, if there are no coordinates. */
static char *place_indices(const resolve_case *with)
{
    int64_t low = 0, high = 0;
    if (with->coordinates.count > 0) {
        high = (int64_t)element_size(with->subject->slot->dtype);
        reach(with->tile.run_index_step, with->tile.runs, &low, &high);
        reach(with->tile.entry_index_step, with->tile.entries, &low, &high);
        reach(with->coordinates.step, with->coordinates.count, &low, &high);
    }
    operand *indices = &with->subject->operands[INDICES];
    operand_place(indices, "indices", (size_t)(high - low), with->placement, with->misalignment);
    return indices->at - low;
}

static resolve_call place(const resolve_case *with)
{
    operand *offsets = &with->subject->operands[OFFSETS];
    const size_t entries = (size_t)(with->tile.runs * with->tile.entries);
    operand_place(offsets, "offsets", entries * sizeof(int64_t), with->placement, 0);
    return (resolve_call){
        .indices = place_indices(with),
        .coordinates = &with->coordinates,
        .tile = &with->tile,
        .offsets = (int64_t *)(void *)offsets->at,
    };
}

static char *index_at(const resolve_call *call, int64_t run, int64_t entry, int32_t coordinate)
{
    return call->indices + run * call->tile->run_index_step + entry * call->tile->entry_index_step +
           coordinate * call->coordinates->step;
}

/* Any index that is within its size, often the least or the greatest. */
static uint64_t good_index(const resolve_case *with, int64_t size)
{
    random_source *random = with->subject->random;
    const strew_dtype dtype = with->subject->slot->dtype;
    const int64_t lowest = (int64_t)element_least(dtype);
    const int64_t highest = element_greatest(dtype) > INT64_MAX ? INT64_MAX : (int64_t)element_greatest(dtype);
    const int64_t least = !with->coordinates.wrap ? 0 : lowest < -size ? -size : lowest;
    const int64_t greatest = highest < size ? highest : size - 1;
    const int64_t choices[] = {least, greatest, 0, least < 0 ? -1 : 0, random_between(random, least, greatest)};
    return (uint64_t)choices[random_bits(random) % COUNT(choices)];
}

static void fill_with_good_indices(const resolve_case *with, const resolve_call *call)
{
    for (int64_t run = 0; run < with->tile.runs; run++)
        for (int64_t entry = 0; entry < with->tile.entries; entry++)
            for (int32_t c = 0; c < with->coordinates.count; c++)
                element_store_integer(with->subject->slot->dtype, good_index(with, with->coordinates.at[c].size),
                                      index_at(call, run, entry, c));
}

/* ---- The check ----------------------------------------------------------------------------------- */

typedef struct kernel_call {
    strew_resolve_kernel *kernel;
    const resolve_call *arguments;
    bool good;
} kernel_call;

static void make_call(void *context)
{
    kernel_call *call = context;
    const resolve_call *with = call->arguments;
    call->good = call->kernel(with->indices, with->coordinates, with->tile, with->offsets);
}

static void make_expected(const kernel_subject *subject, const resolve_call *call)
{
    resolve_call expected = *call;
    operand *offsets = &subject->operands[OFFSETS];
    expected.offsets = (int64_t *)(void *)operand_expected(offsets, offsets->at);
    if (subject->reference)
        make_call(&(kernel_call){subject->reference->resolve[subject->slot->dtype], &expected, false});
    else
        reference_resolve(subject->slot, &expected);
}

static bool print_case(const resolve_case *with)
{
    print_error("    %" PRId64 " runs of %" PRId64 " entries at base steps %" PRId64 " and %" PRId64
                ", %s, %s, indices at %zu, %s\n",
                with->tile.runs, with->tile.entries, with->tile.run_base_step, with->tile.entry_base_step,
                with->layout->name, placement_name(with->placement),
                operand_misalignment(&with->subject->operands[INDICES]),
                with->coordinates.wrap ? "wrapped" : "not wrapped");
    for (int32_t c = 0; c < with->coordinates.count; c++)
        print_error("    coordinate %" PRId32 " of size %" PRId64 " and stride %" PRId64 "\n", c,
                    with->coordinates.at[c].size, with->coordinates.at[c].stride);
    return false;
}

static bool print_index(const resolve_case *with, const resolve_call *call, int64_t run, int64_t entry, int32_t c)
{
    print_error("    index %#" PRIx64 " at run %" PRId64 ", entry %" PRId64 ", coordinate %" PRId32 "\n",
                element_load_integer(with->subject->slot->dtype, index_at(call, run, entry, c)), run, entry, c);
    return false;
}

static bool offsets_are_as_expected(const resolve_case *with, const resolve_call *call)
{
    const operand *offsets = &with->subject->operands[OFFSETS];
    const int64_t *expected = (const int64_t *)(const void *)operand_expected(offsets, offsets->at);
    for (int64_t i = 0; i < with->tile.runs * with->tile.entries; i++) {
        if (call->offsets[i] == expected[i])
            continue;
        kernel_report(with->subject, "offset %" PRId64 " is %#" PRIx64 ", should be %#" PRIx64, i,
                      (uint64_t)call->offsets[i], (uint64_t)expected[i]);
        for (int32_t c = 0; c < with->coordinates.count; c++)
            print_index(with, call, i / with->tile.entries, i % with->tile.entries, c);
        return false;
    }
    return true;
}

static bool nothing_else_is_written(const resolve_case *with)
{
    operand *offsets = &with->subject->operands[OFFSETS];
    memcpy(operand_expected(offsets, offsets->at), offsets->at, offsets->bytes);
    return kernel_left_as_expected(with->subject, offsets) &&
           kernel_left_as_expected(with->subject, &with->subject->operands[INDICES]);
}

/* The kernel must say whether all indices are good, and if so give the offsets of the reference. */
static bool check_case(const resolve_case *with, const resolve_call *call, bool good)
{
    const kernel_subject *subject = with->subject;
    operand_remember(&subject->operands[INDICES]);
    operand_remember(&subject->operands[OFFSETS]);
    make_expected(subject, call);
    kernel_call checked = {subject->kernels->resolve[subject->slot->dtype], call, !good};
    if (!kernel_survives(subject, make_call, &checked))
        return print_case(with);
    if (checked.good != good) {
        kernel_report(subject, "says that %s", good ? "some index is wrong, but none is" : "every index is right");
        return print_case(with);
    }
    return ((!good || offsets_are_as_expected(with, call)) && nothing_else_is_written(with)) || print_case(with);
}

/* ---- Sweeps -------------------------------------------------------------------------------------- */

static bool check_good(const resolve_case *with)
{
    const resolve_call call = place(with);
    fill_with_good_indices(with, &call);
    return check_case(with, &call, true);
}

/* Every number of coordinates, and one far above what a kernel might hold in registers. */
static bool check_shape(const kernel_subject *subject, int64_t runs, int64_t entries)
{
    static const int32_t coordinates[] = {0, 1, 1, 2, 3, 4, 5, 6, 20};
    for (size_t c = 0; c < COUNT(coordinates); c++) {
        const resolve_case with = random_case(subject, runs, entries, coordinates[c]);
        if (!check_good(&with))
            return false;
    }
    return true;
}

static bool sweep_shapes(const kernel_subject *subject)
{
    static const int64_t shapes[][2] = {{2, 3},   {3, 5},  {7, 9},  {5, 33},  {13, 39}, {16, 32},
                                        {31, 16}, {8, 64}, {64, 8}, {2, 256}, {256, 2}};
    for (int64_t count = 1; count <= 70; count++)
        if (!check_shape(subject, 1, count) || !check_shape(subject, count, 1) || !check_shape(subject, 3, count))
            return false;
    for (size_t i = 0; i < COUNT(shapes); i++)
        if (!check_shape(subject, shapes[i][0], shapes[i][1]))
            return false;
    return check_shape(subject, 1, STREW_TILE_ENTRIES) && check_shape(subject, STREW_TILE_ENTRIES, 1);
}

static bool sweep_layouts(const kernel_subject *subject)
{
    for (size_t l = 0; l < COUNT(layouts); l++)
        for (int placement = 0; placement < OPERAND_PLACEMENT_COUNT; placement++)
            for (size_t misalignment = 0; misalignment < 32; misalignment++) {
                resolve_case with = random_case(subject, 4, 11, (int32_t)random_between(subject->random, 1, 4));
                with.layout = &layouts[l];
                with.placement = (operand_placement)placement;
                with.misalignment = misalignment;
                lay_indices(&with);
                if (!check_good(&with))
                    return false;
            }
    return true;
}

/* ---- Wrong indices ------------------------------------------------------------------------------- */

/* Puts a wrong index where a right one stands, for one call. What the dtype cannot hold becomes another, or right.
 */
static bool check_bad_index(const resolve_case *with, const resolve_call *call, char *index, int64_t size,
                            uint64_t wrong)
{
    const strew_dtype dtype = with->subject->slot->dtype;
    const uint64_t right = element_load_integer(dtype, index);
    int64_t position;
    element_store_integer(dtype, wrong, index);
    if (!reference_position(dtype, index, size, with->coordinates.wrap, &position) &&
        !check_case(with, call, false))
        return false;
    element_store_integer(dtype, right, index);
    return true;
}

/* Beyond the size on either side, and what would be within it if it were cut to a narrower integer. */
static bool check_bad_indices(const resolve_case *with, const resolve_call *call, char *index, int64_t size)
{
    static const uint64_t distances[] = {0, 1, 1 << 8, 1 << 16, UINT64_C(1) << 32};
    const strew_dtype dtype = with->subject->slot->dtype;
    const uint64_t extremes[] = {element_least(dtype), element_greatest(dtype), INT64_MAX, UINT64_MAX};
    const uint64_t above = (uint64_t)size, below = ~above;
    for (size_t i = 0; i < COUNT(distances); i++)
        if (!check_bad_index(with, call, index, size, above + distances[i]) ||
            !check_bad_index(with, call, index, size, below - distances[i]) ||
            !check_bad_index(with, call, index, size, distances[i]))
            return false;
    for (size_t i = 0; i < COUNT(extremes); i++)
        if (!check_bad_index(with, call, index, size, extremes[i]))
            return false;
    return true;
}

static bool check_bad_index_everywhere(const resolve_case *with)
{
    const resolve_call call = place(with);
    fill_with_good_indices(with, &call);
    for (int64_t run = 0; run < with->tile.runs; run++)
        for (int64_t entry = 0; entry < with->tile.entries; entry++)
            for (int32_t c = 0; c < with->coordinates.count; c++)
                if (!check_bad_indices(with, &call, index_at(&call, run, entry, c), with->coordinates.at[c].size))
                    return print_index(with, &call, run, entry, c);
    return true;
}

/* No index selects from a dimension without elements. */
static bool check_empty_dimension(resolve_case with)
{
    const resolve_call call = place(&with);
    fill_with_good_indices(&with, &call);
    with.coordinates.at[with.coordinates.count - 1].size = 0;
    return check_case(&with, &call, false);
}

static bool sweep_bad_indices(const kernel_subject *subject)
{
    static const int64_t shapes[][2] = {{1, 1}, {1, 4}, {1, 19}, {19, 1}, {3, 7}, {1, 35}};
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (int32_t coordinates = 1; coordinates <= 3; coordinates++)
            for (int wrap = 0; wrap < 2; wrap++)
                for (int round = 0; round < 3; round++) {
                    resolve_case with = random_case(subject, shapes[i][0], shapes[i][1], coordinates);
                    with.coordinates.wrap = wrap;
                    if (!check_bad_index_everywhere(&with) || !check_empty_dimension(with))
                        return false;
                }
    return true;
}

bool check_resolve(const kernel_subject *subject)
{
    return sweep_shapes(subject) && sweep_layouts(subject) && sweep_bad_indices(subject);
}
