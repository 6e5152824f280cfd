/* The calls that check every kernel that resolves indices, or amends bad ones. */
#include <inttypes.h>

#include "element.h"
#include "kernel_check.h"
#include "kernel_reference.h"
#include "test.h"

enum { INDICES, BASES, OFFSETS };

/* ---- Cases --------------------------------------------------------------------------------------- */

/* The layout of tuples: the order of entries and coordinates in memory. */
enum axis { ENTRY, COORDINATE, AXIS_COUNT };

typedef struct index_layout {
    const char *name;
    enum axis from_innermost[AXIS_COUNT];
    int64_t direction;
    int64_t padding; /* elements, behind each axis */
    bool same_entries;
} index_layout;

static const index_layout layouts[] = {
    {"tuples packed", {COORDINATE, ENTRY}, 1, 0, false},
    {"tuples padded", {COORDINATE, ENTRY}, 1, 3, false},
    {"tuples backwards", {COORDINATE, ENTRY}, -1, 0, false},
    {"coordinates apart", {ENTRY, COORDINATE}, 1, 0, false},
    {"coordinates apart, padded, backwards", {ENTRY, COORDINATE}, -1, 1, false},
    {"one tuple", {COORDINATE, ENTRY}, 1, 0, true},
};

typedef struct resolve_case {
    const kernel_subject *subject;
    const index_layout *layout;
    operand_placement placement;
    size_t misalignment;
    strew_coordinates coordinates;
    size_t count;
    int64_t index_step;
    size_t plain;        /* the first entries, so many, have no negative index */
    strew_bounds bounds; /* for kernels that amend */
} resolve_case;

static void lay_indices(resolve_case *trial)
{
    const index_layout *layout = trial->layout;
    const int64_t sizes[AXIS_COUNT] = {(int64_t)trial->count, trial->coordinates.count};
    int64_t steps[AXIS_COUNT] = {0};
    int64_t reached = 1;
    for (int i = 0; i < AXIS_COUNT; i++) {
        const enum axis axis = layout->from_innermost[i];
        if (axis == ENTRY && layout->same_entries)
            continue;
        steps[axis] = layout->direction * reached * (int64_t)element_size(trial->subject->slot->dtype);
        reached = reached * sizes[axis] + layout->padding;
    }
    trial->index_step = steps[ENTRY];
    trial->coordinates.step = steps[COORDINATE];
}

static int64_t clamped(int64_t value, int64_t limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

/* A size for which a bound, or its neighbour, no longer fits in some integer. */
static int64_t random_size(random_source *random, int64_t limit)
{
    static const int exponents[] = {1, 2, 7, 8, 15, 16, 31, 32, 40, 62};
    int64_t size = limit;
    if (!random_chance(random, 5))
        size = (INT64_C(1) << exponents[random_bits(random) % COUNT(exponents)]) + random_between(random, -1, 1);
    return clamped(size, limit);
}

/* No sum of positions exceeds 64 bits: no tensor in memory has such a sum. */
static strew_coordinate random_coordinate(random_source *random, int64_t limit)
{
    const int64_t size = random_size(random, limit);
    const int64_t farthest = (INT64_C(1) << 56) / size;
    const int64_t strides[] = {INT32_MIN, INT32_MAX, INT64_C(1) << 31, random_between(random, -16, 16),
                               random_between(random, -limit, limit)};
    return (strew_coordinate){size, clamped(strides[random_bits(random) % COUNT(strides)], farthest)};
}

static resolve_case random_case(const kernel_subject *subject, size_t count, int32_t coordinates)
{
    random_source *random = subject->random;
    resolve_case trial = {
        .subject = subject,
        .layout = &layouts[random_bits(random) % COUNT(layouts)],
        .placement = (operand_placement)(random_bits(random) % OPERAND_PLACEMENT_COUNT),
        .misalignment = random_bits(random) % 32,
        .coordinates = {.count = coordinates, .wrap = random_chance(random, 50)},
        .count = count,
        .plain = random_chance(random, 50) ? random_below(random, count + 1) : 0,
        .bounds = (strew_bounds)random_between(random, STREW_BOUNDS_SKIP, STREW_BOUNDS_WRAP),
    };
    /* Half the cases do with 32 bits: kernels may have a way of their own for all coordinates that do. */
    const int64_t limit = random_chance(random, 50) ? INT64_MAX : INT32_MAX;
    for (int32_t c = 0; c < coordinates; c++)
        trial.coordinates.each[c] = random_coordinate(random, limit);
    lay_indices(&trial);
    return trial;
}

/* ---- Operands ------------------------------------------------------------------------------------ */

static void reach(int64_t step, int64_t size, int64_t *low, int64_t *high)
{
    const int64_t last = (size - 1) * step;
    *(last < 0 ? low : high) += last;
}

/* Makes the operand exactly as long as the indices reach: empty, if there are no coordinates. */
static char *place_indices(const resolve_case *trial)
{
    int64_t low = 0, high = 0;
    if (trial->coordinates.count > 0) {
        high = (int64_t)element_size(trial->subject->slot->dtype);
        reach(trial->index_step, (int64_t)trial->count, &low, &high);
        reach(trial->coordinates.step, trial->coordinates.count, &low, &high);
    }
    operand *indices = &trial->subject->operands[INDICES];
    operand_place(indices, "indices", (size_t)(high - low), trial->placement, trial->misalignment);
    return indices->begin - low;
}

/* Bases are any numbers whose sum with the rest stays within 64 bits. */
static const int64_t *place_bases(const resolve_case *trial)
{
    operand *bases = &trial->subject->operands[BASES];
    operand_place(bases, "bases", trial->count * sizeof(int64_t), trial->placement, 0);
    int64_t *values = (int64_t *)(void *)bases->begin;
    for (size_t i = 0; i < trial->count; i++)
        values[i] = random_between(trial->subject->random, -(INT64_C(1) << 48), INT64_C(1) << 48);
    return values;
}

static resolve_call place(const resolve_case *trial)
{
    operand *offsets = &trial->subject->operands[OFFSETS];
    operand_place(offsets, "offsets", trial->count * sizeof(int64_t), trial->placement, 0);
    return (resolve_call){
        .indices = place_indices(trial),
        .index_step = trial->index_step,
        .count = trial->count,
        .coordinates = &trial->coordinates,
        .bases = place_bases(trial),
        .offsets = (int64_t *)(void *)offsets->begin,
        .bounds = trial->bounds,
    };
}

static char *index_at(const resolve_call *call, size_t entry, int32_t coordinate)
{
    return call->indices + (int64_t)entry * call->index_step + coordinate * call->coordinates->step;
}

/* Any index that is within its size, often the least or the greatest. */
static uint64_t good_index(const resolve_case *trial, int64_t size, bool may_be_negative)
{
    random_source *random = trial->subject->random;
    const strew_dtype dtype = trial->subject->slot->dtype;
    const int64_t lowest = (int64_t)element_least(dtype);
    const int64_t highest = element_greatest(dtype) > INT64_MAX ? INT64_MAX : (int64_t)element_greatest(dtype);
    const int64_t least = !may_be_negative ? 0 : lowest < -size ? -size : lowest;
    const int64_t greatest = highest < size ? highest : size - 1;
    const int64_t choices[] = {least, greatest, 0, least < 0 ? -1 : 0, random_between(random, least, greatest)};
    return (uint64_t)choices[random_bits(random) % COUNT(choices)];
}

static void fill_with_good_indices(const resolve_case *trial, const resolve_call *call)
{
    for (size_t entry = 0; entry < trial->count; entry++) {
        const bool may_be_negative = trial->coordinates.wrap && entry >= trial->plain;
        for (int32_t c = 0; c < trial->coordinates.count; c++)
            element_store_integer(trial->subject->slot->dtype,
                                  good_index(trial, trial->coordinates.each[c].size, may_be_negative),
                                  index_at(call, entry, c));
    }
}

/* ---- The check ----------------------------------------------------------------------------------- */

typedef struct kernel_call {
    const strew_kernels *kernels;
    const kernel_slot *slot;
    const resolve_call *arguments;
    bool good;
} kernel_call;

/* A kernel that amends gives offsets for any indices, and does not report bad ones. */
static bool amends(const kernel_slot *slot)
{
    return slot->family == FAMILY_AMEND;
}

static void make_call(void *context)
{
    kernel_call *call = context;
    const resolve_call *arguments = call->arguments;
    const strew_dtype slot = STREW_INDEX_SLOT(call->slot->dtype);
    if (amends(call->slot))
        call->kernels->amend[slot](arguments->indices, arguments->index_step, arguments->count,
                                   arguments->coordinates, arguments->bases, arguments->offsets, arguments->bounds);
    else
        call->good = call->kernels->resolve[slot](arguments->indices, arguments->index_step, arguments->count,
                                                  arguments->coordinates, arguments->bases, arguments->offsets);
}

static void make_expected(const kernel_subject *subject, const resolve_call *call)
{
    resolve_call expected = *call;
    operand *offsets = &subject->operands[OFFSETS];
    expected.offsets = (int64_t *)(void *)operand_expected(offsets, offsets->begin);
    if (subject->reference)
        make_call(&(kernel_call){subject->reference, subject->slot, &expected, false});
    else if (amends(subject->slot))
        reference_amend(subject->slot, &expected);
    else
        reference_resolve(subject->slot, &expected);
}

static bool print_case(const resolve_case *trial)
{
    print_error("    %zu entries, %s, %s, indices at %zu, %s, %s\n", trial->count, trial->layout->name,
                placement_name(trial->placement), operand_misalignment(&trial->subject->operands[INDICES]),
                trial->coordinates.wrap ? "wrapped" : "not wrapped", strew_bounds_name(trial->bounds));
    for (int32_t c = 0; c < trial->coordinates.count; c++)
        print_error("    coordinate %" PRId32 " of size %" PRId64 " and stride %" PRId64 "\n", c,
                    trial->coordinates.each[c].size, trial->coordinates.each[c].stride);
    return false;
}

static bool print_index(const resolve_case *trial, const resolve_call *call, size_t entry, int32_t c)
{
    print_error("    index %#" PRIx64 " at entry %zu, coordinate %" PRId32 "\n",
                element_load_integer(trial->subject->slot->dtype, index_at(call, entry, c)), entry, c);
    return false;
}

static bool offsets_are_as_expected(const resolve_case *trial, const resolve_call *call)
{
    const operand *offsets = &trial->subject->operands[OFFSETS];
    const int64_t *expected = (const int64_t *)(const void *)operand_expected(offsets, offsets->begin);
    for (size_t i = 0; i < trial->count; i++) {
        if (call->offsets[i] == expected[i])
            continue;
        kernel_report(trial->subject, "offset %zu is %#" PRIx64 ", should be %#" PRIx64, i,
                      (uint64_t)call->offsets[i], (uint64_t)expected[i]);
        for (int32_t c = 0; c < trial->coordinates.count; c++)
            print_index(trial, call, i, c);
        return false;
    }
    return true;
}

static bool nothing_else_is_written(const resolve_case *trial)
{
    operand *offsets = &trial->subject->operands[OFFSETS];
    memcpy(operand_expected(offsets, offsets->begin), offsets->begin, offsets->bytes);
    return kernel_left_as_expected(trial->subject, offsets) &&
           kernel_left_as_expected(trial->subject, &trial->subject->operands[INDICES]) &&
           kernel_left_as_expected(trial->subject, &trial->subject->operands[BASES]);
}

/* The kernel must report whether all indices are good, and if so give the offsets of the reference. */
static bool check_case(const resolve_case *trial, const resolve_call *call, bool good)
{
    const kernel_subject *subject = trial->subject;
    operand_remember(&subject->operands[INDICES]);
    operand_remember(&subject->operands[BASES]);
    operand_remember(&subject->operands[OFFSETS]);
    make_expected(subject, call);
    kernel_call checked = {subject->kernels, subject->slot, call, !good};
    if (!kernel_survives(subject, make_call, &checked))
        return print_case(trial);
    if (checked.good != good && !amends(subject->slot)) {
        kernel_report(subject, "says that %s", good ? "some index is wrong, but none is" : "every index is right");
        return print_case(trial);
    }
    const bool has_offsets = amends(subject->slot) || good;
    return ((!has_offsets || offsets_are_as_expected(trial, call)) && nothing_else_is_written(trial)) ||
           print_case(trial);
}

/* ---- Sweeps -------------------------------------------------------------------------------------- */

static bool check_good(const resolve_case *trial)
{
    const resolve_call call = place(trial);
    fill_with_good_indices(trial, &call);
    return check_case(trial, &call, true);
}

/* Every number of coordinates, and one far above the number that a kernel might hold in registers. */
static bool check_count(const kernel_subject *subject, size_t count)
{
    static const int32_t coordinates[] = {0, 1, 1, 2, 3, 4, 5, 6, 20};
    for (size_t c = 0; c < COUNT(coordinates); c++)
        for (int round = 0; round < 3; round++) {
            const resolve_case trial = random_case(subject, count, coordinates[c]);
            if (!check_good(&trial))
                return false;
        }
    return true;
}

static bool sweep_counts(const kernel_subject *subject)
{
    for (size_t count = 1; count <= 70; count++)
        if (!check_count(subject, count))
            return false;
    return check_count(subject, STREW_TILE_POSITIONS - 1) && check_count(subject, STREW_TILE_POSITIONS);
}

static bool sweep_layouts(const kernel_subject *subject)
{
    for (size_t l = 0; l < COUNT(layouts); l++)
        for (int placement = 0; placement < OPERAND_PLACEMENT_COUNT; placement++)
            for (size_t misalignment = 0; misalignment < 32; misalignment++) {
                resolve_case trial = random_case(subject, 11, (int32_t)random_between(subject->random, 1, 4));
                trial.layout = &layouts[l];
                trial.placement = (operand_placement)placement;
                trial.misalignment = misalignment;
                lay_indices(&trial);
                if (!check_good(&trial))
                    return false;
            }
    return true;
}

/* ---- Wrong indices ------------------------------------------------------------------------------- */

/* Replaces a good index by a bad one for one call. If the dtype lacks the bad one, it may become another. */
static bool check_bad_index(const resolve_case *trial, const resolve_call *call, char *index, int64_t size,
                            uint64_t wrong)
{
    const strew_dtype dtype = trial->subject->slot->dtype;
    const uint64_t right = element_load_integer(dtype, index);
    int64_t position;
    element_store_integer(dtype, wrong, index);
    if (!reference_position(dtype, index, size, trial->coordinates.wrap, &position) &&
        !check_case(trial, call, false))
        return false;
    element_store_integer(dtype, right, index);
    return true;
}

/* Indices beyond the size on either side, and some that would be within it if cut to a narrower integer. */
static bool check_bad_indices(const resolve_case *trial, const resolve_call *call, char *index, int64_t size)
{
    static const uint64_t distances[] = {0, 1, 1 << 8, 1 << 16, UINT64_C(1) << 32};
    const strew_dtype dtype = trial->subject->slot->dtype;
    const uint64_t extremes[] = {element_least(dtype), element_greatest(dtype), INT64_MAX, UINT64_MAX};
    const uint64_t above = (uint64_t)size, below = ~above;
    for (size_t i = 0; i < COUNT(distances); i++)
        if (!check_bad_index(trial, call, index, size, above + distances[i]) ||
            !check_bad_index(trial, call, index, size, below - distances[i]) ||
            !check_bad_index(trial, call, index, size, distances[i]))
            return false;
    for (size_t i = 0; i < COUNT(extremes); i++)
        if (!check_bad_index(trial, call, index, size, extremes[i]))
            return false;
    return true;
}

static bool check_bad_index_everywhere(const resolve_case *trial)
{
    const resolve_call call = place(trial);
    fill_with_good_indices(trial, &call);
    for (size_t entry = 0; entry < trial->count; entry++)
        for (int32_t c = 0; c < trial->coordinates.count; c++)
            if (!check_bad_indices(trial, &call, index_at(&call, entry, c), trial->coordinates.each[c].size))
                return print_index(trial, &call, entry, c);
    return true;
}

/* No index selects from a dimension without elements. */
static bool check_empty_dimension(resolve_case trial)
{
    const resolve_call call = place(&trial);
    fill_with_good_indices(&trial, &call);
    trial.coordinates.each[trial.coordinates.count - 1].size = 0;
    if (amends(trial.subject->slot) && trial.bounds != STREW_BOUNDS_SKIP)
        return true;
    return check_case(&trial, &call, false);
}

/* Counts that end in each part of a vector of 2, 4 and 8, in pairs. */
static bool sweep_bad_indices(const kernel_subject *subject)
{
    static const size_t counts[] = {1, 4, 11, 14, 19, 29, 35};
    for (size_t i = 0; i < COUNT(counts); i++)
        for (int32_t coordinates = 1; coordinates <= 6; coordinates++)
            for (int wrap = 0; wrap < 2; wrap++)
                for (int round = 0; round < 3; round++) {
                    resolve_case trial = random_case(subject, counts[i], coordinates);
                    trial.coordinates.wrap = wrap;
                    if (!check_bad_index_everywhere(&trial) || !check_empty_dimension(trial))
                        return false;
                }
    return true;
}

bool check_resolve(const kernel_subject *subject)
{
    return sweep_counts(subject) && sweep_layouts(subject) && sweep_bad_indices(subject);
}
