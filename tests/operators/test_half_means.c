/*
 * Means of float16 and bfloat16 in bags and segments: summed in float32, divided in float32, rounded once. Rows are
 * whole numbers whose sums float32 holds exactly, so that the right mean is known without an oracle.
 */
#include <stdlib.h>

#include "call.h"
#include "element.h"
#include "parallel.h"
#include "tensor.h"
#include "test.h"

/* Float16 cannot hold MANY, bfloat16 cannot hold 257, and neither can hold 2049. */
enum { MANY = 70000, BAGS = 4, TABLE = 16, GREATEST = 200 };

static const strew_dtype halves[] = {STREW_DTYPE_FLOAT16, STREW_DTYPE_BFLOAT16};

typedef struct mean_case {
    strew_kind kind;
    strew_dtype dtype, index_dtype;
    int64_t entries; /* in the first bag; the second has 3, the third none and the last 2, except for packed bags */
    int64_t width;
    bool any_order; /* segments are */
    bool skips;     /* each seventh index is out of bounds, and left out */
    bool has_default;
    call_way way;
    size_t threads;
} mean_case;

typedef struct mean_tensors {
    test_tensor table, indices, segments, output;
    double *sums; /* [BAGS][width] */
    int64_t counts[BAGS];
} mean_tensors;

static int64_t entries_of(const mean_case *trial)
{
    return trial->kind == STREW_KIND_EMBEDDING_BAG_PACKED ? BAGS * trial->entries : trial->entries + 5;
}

static int64_t bag_of(const mean_case *trial, int64_t entry)
{
    const int64_t all = entries_of(trial);
    if (trial->kind == STREW_KIND_EMBEDDING_BAG_PACKED)
        return entry / trial->entries;
    if (trial->any_order)
        entry = all - 1 - entry;
    return entry < trial->entries ? 0 : entry < all - 2 ? 1 : 3;
}

static void store_index(test_tensor *list, int64_t entry, int64_t index)
{
    const int64_t position[STREW_MAX_RANK] = {list->view.rank == 2 ? entry / list->shape[1] : entry,
                                              list->view.rank == 2 ? entry % list->shape[1] : 0};
    element_store_integer(list->view.dtype, (uint64_t)index, tensor_element(&list->view, position));
}

static void draw_table(const mean_case *trial, random_source *source, bool ones, mean_tensors *tensors)
{
    const bool names_rows = trial->kind != STREW_KIND_SEGMENT_REDUCE;
    const int64_t shape[] = {names_rows ? TABLE : entries_of(trial), trial->width};
    int64_t position[STREW_MAX_RANK];
    tensor_create(&tensors->table, trial->dtype, 2, shape, NULL, 0, 0);
    const strew_tensor *table = &tensors->table.view;
    for (bool more = position_first(position, table); more; more = position_next(position, table))
        element_store(trial->dtype, ones ? 1 : (double)random_below(source, GREATEST + 1),
                      tensor_element(table, position));
}

/* A row of the table goes into a bag. */
static void add_row(const mean_case *trial, mean_tensors *tensors, int64_t row, int64_t bag)
{
    tensors->counts[bag]++;
    for (int64_t column = 0; column < trial->width; column++) {
        const int64_t position[STREW_MAX_RANK] = {row, column};
        tensors->sums[bag * trial->width + column] +=
            element_load(trial->dtype, tensor_element(&tensors->table.view, position));
    }
}

static void draw_lists(const mean_case *trial, random_source *source, mean_tensors *tensors)
{
    const bool is_packed = trial->kind == STREW_KIND_EMBEDDING_BAG_PACKED;
    const bool has_offsets = trial->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS;
    const int64_t all = entries_of(trial), packed[] = {BAGS, trial->entries};
    const int64_t offsets[] = {0, trial->entries, all - 2, all - 2};
    tensor_create(&tensors->indices, trial->index_dtype, is_packed ? 2 : 1, is_packed ? packed : &all, NULL, 0, 0);
    tensor_create(&tensors->segments, STREW_DTYPE_INT64, 1, has_offsets ? (int64_t[]){BAGS} : &all, NULL, 0, 0);
    for (int64_t b = 0; has_offsets && b < BAGS; b++)
        store_index(&tensors->segments, b, offsets[b]);
    for (int64_t e = 0; e < all; e++) {
        const bool is_left_out = trial->skips && e % 7 == 3;
        const int64_t row = trial->kind == STREW_KIND_SEGMENT_REDUCE ? e : (int64_t)random_below(source, TABLE);
        store_index(&tensors->indices, e, is_left_out ? TABLE : row % TABLE);
        if (!has_offsets)
            store_index(&tensors->segments, e, bag_of(trial, e));
        if (!is_left_out)
            add_row(trial, tensors, row, bag_of(trial, e));
    }
}

/* Each mean is rounded to float32, and then once to the half. */
static void check_means(const mean_case *trial, const mean_tensors *tensors)
{
    const strew_tensor *output = &tensors->output.view;
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, output); more; more = position_next(position, output)) {
        const int64_t bag = position[0], count = tensors->counts[bag];
        unsigned char mean[4], expected[4] = {0};
        const int64_t named[STREW_MAX_RANK] = {1, position[1]};
        if (count > 0) {
            element_store(STREW_DTYPE_FLOAT32, tensors->sums[bag * trial->width + position[1]] / (double)count,
                          mean);
            element_store(trial->dtype, element_load(STREW_DTYPE_FLOAT32, mean), expected);
        } else if (trial->has_default) {
            memcpy(expected, tensor_element(&tensors->table.view, named), element_size(trial->dtype));
        }
        assert_memory_equal(tensor_element(output, position), expected, element_size(trial->dtype));
    }
}

static void destroy(mean_tensors *tensors)
{
    tensor_destroy(&tensors->table);
    tensor_destroy(&tensors->indices);
    tensor_destroy(&tensors->segments);
    tensor_destroy(&tensors->output);
    free(tensors->sums);
}

static void check(const mean_case *trial, random_source *source, bool ones)
{
    mean_tensors tensors = {.sums = calloc((size_t)(BAGS * trial->width), sizeof *tensors.sums)};
    assert_non_null(tensors.sums);
    draw_table(trial, source, ones, &tensors);
    draw_lists(trial, source, &tensors);
    tensor_create(&tensors.output, trial->dtype, 2, (int64_t[]){BAGS, trial->width}, NULL, 0, 0);
    const operator_call call = {
        .kind = trial->kind,
        .data = &tensors.table.view,
        .indices = trial->kind == STREW_KIND_SEGMENT_REDUCE ? NULL : &tensors.indices.view,
        .segments = trial->kind == STREW_KIND_EMBEDDING_BAG_PACKED ? NULL : &tensors.segments.view,
        .output = &tensors.output.view,
        .reduction = STREW_REDUCTION_MEAN,
        .use_init_val = true,
        .default_index = trial->has_default ? 1 : -1,
        .bounds = trial->skips ? STREW_BOUNDS_SKIP : STREW_BOUNDS_REFUSE,
    };
    const strew_parallel parallel = parallel_threads(trial->threads);
    strew_options options = call_options();
    options.bounds = call.bounds;
    options.parallel = trial->threads > 1 ? &parallel : NULL;
    assert_int_equal(call_run(&call, trial->way, FULL_SCRATCH, &options), STREW_STATUS_OK);
    check_means(trial, &tensors);
    destroy(&tensors);
}

/* ---- Ones ---------------------------------------------------------------------------------------- */

/* The mean of ones is 1, however many there are, and whichever way they are added up. */
static void means_of_ones_are_one(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 257, 2049, MANY};
    random_source source = {random_seed()};
    for (strew_kind kind = STREW_KIND_EMBEDDING_BAG_OFFSETS; kind <= STREW_KIND_SEGMENT_REDUCE; kind++)
        for (size_t c = 0; c < COUNT(counts); c++)
            for (size_t way = 0; way < 8; way++) {
                const mean_case trial = {.kind = kind,
                                         .dtype = halves[way % 2],
                                         .index_dtype = way & 2 ? STREW_DTYPE_INT16 : STREW_DTYPE_INT64,
                                         .entries = counts[c],
                                         .width = 3,
                                         .any_order = kind == STREW_KIND_EMBEDDING_SEGMENTS && way & 4,
                                         .way = way & 4 ? BY_INSPECTION : BY_ONE_CALL,
                                         .threads = way & 2 ? 3 : 1};
                check(&trial, &source, true);
            }
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static mean_case draw_case(random_source *source, int64_t most_entries, int64_t most_width)
{
    static const strew_dtype index_dtypes[] = {STREW_DTYPE_INT32, STREW_DTYPE_INT64, STREW_DTYPE_UINT8};
    const strew_kind kind =
        (strew_kind)random_between(source, STREW_KIND_EMBEDDING_BAG_OFFSETS, STREW_KIND_SEGMENT_REDUCE);
    const bool has_indices = kind != STREW_KIND_SEGMENT_REDUCE;
    const bool takes_default = kind == STREW_KIND_EMBEDDING_BAG_OFFSETS || kind == STREW_KIND_EMBEDDING_SEGMENTS;
    return (mean_case){.kind = kind,
                       .dtype = halves[random_below(source, COUNT(halves))],
                       .index_dtype = index_dtypes[random_below(source, COUNT(index_dtypes))],
                       .entries = random_between(source, 1, most_entries),
                       .width = random_between(source, 1, most_width),
                       .any_order = kind == STREW_KIND_EMBEDDING_SEGMENTS && random_chance(source, 60),
                       .skips = has_indices && random_chance(source, 40),
                       .has_default = takes_default && random_chance(source, 40),
                       .way = (call_way)random_between(source, BY_ONE_CALL, BY_INSPECTION),
                       .threads = 1 + random_below(source, 3)};
}

static void means_of_numbers_are_rounded_once(void **state)
{
    (void)state;
    static const struct {
        int64_t entries, width;
        int cases;
    } sizes[] = {{6, 80, 300}, {600, 40, 200}, {3000, 3, 60}, {MANY, 2, 6}, {20, 2500, 40}};
    random_source source = {random_seed()};
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (int i = 0; i < sizes[s].cases; i++) {
            const mean_case trial = draw_case(&source, sizes[s].entries, sizes[s].width);
            check(&trial, &source, false);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_of_ones_are_one),
        cmocka_unit_test(means_of_numbers_are_rounded_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
