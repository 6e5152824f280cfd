/*
 * strew-count-calls ENTRIES [every]: makes each call of a list, or one for every kernel of sums and indices, twice,
 * and marks the second one for the plugin that counts it (plugin.c). Prints the compiler's version and then the
 * name of each region, in order. The first region is empty: every count includes its count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <strew/strew.h>
#include <string.h>
#include <unistd.h>

enum { MARK = 9000, BEGIN = 1, END = 2 }; /* the same as in plugin.c */

/* Data has ROWS rows, and entries name some of them; bags and segments have BAG entries each. */
enum { ROWS = 1000, LINES = 40, PER_LINE = ROWS / LINES, MOST_ENTRIES = 1024, BAG = 8, MOST_ROW = 1024 };

static _Alignas(64) char data_bytes[ROWS * MOST_ROW], dense_bytes[MOST_ENTRIES * MOST_ROW];
static _Alignas(64) char bags_bytes[MOST_ENTRIES / BAG * MOST_ROW];
static _Alignas(64) char scratch[64 << 10];
static int64_t named[2 * MOST_ENTRIES], targeted[MOST_ENTRIES], sorted[MOST_ENTRIES], begins[MOST_ENTRIES / BAG];

/* The tensors of a call. Their names are those of the parameters of operators. */
static int64_t data_shape[3], dense_shape[2], indices_shape[2], bags_shape[2], begins_shape[1];
static strew_tensor data, dense, indices, bags, offsets, segment_ids, targets;
static strew_options options = STREW_OPTIONS_INIT;

/* ---- The calls --------------------------------------------------------------------------------------------- */

typedef struct counted_call {
    strew_status (*run)(strew_reduction reduction);
    const char *name;
    strew_dtype dtype;
    strew_reduction reduction;
    int64_t row_bytes; /* 0: single elements, in a tensor of one dimension */
} counted_call;

static strew_status gather(strew_reduction reduction)
{
    (void)reduction;
    return strew_gather(&data, &indices, 0, 0, &dense, &options);
}
/* Rows of a table of three dimensions, named by two coordinates. */
static strew_status gather_nd(strew_reduction reduction)
{
    (void)reduction;
    return strew_gather_nd(&data, &indices, 0, &dense, &options);
}
static strew_status gather_elements(strew_reduction reduction)
{
    (void)reduction;
    return strew_gather_elements(&data, &indices, 0, &dense, &options);
}
static strew_status scatter(strew_reduction reduction)
{
    return strew_scatter(&data, &indices, &dense, 0, 0, reduction, true, &data, &options);
}
static strew_status scatter_elements(strew_reduction reduction)
{
    return strew_scatter_elements(&data, &indices, &dense, 0, reduction, true, &data, &options);
}
static strew_status embedding_bag(strew_reduction reduction)
{
    return strew_embedding_bag_offsets(&data, &indices, &offsets, NULL, reduction, -1, &bags, &options);
}
static strew_status segment_reduce(strew_reduction reduction)
{
    return strew_segment_reduce(&dense, &segment_ids, reduction, STREW_EMPTY_ZERO, &bags, &options);
}
static strew_status gather_scatter(strew_reduction reduction)
{
    return strew_gather_scatter(&data, &dense, &targets, &indices, NULL, reduction, true, &data, &options);
}

#define CALL(name, DTYPE, REDUCTION, row_bytes) \
    {name, #name, STREW_DTYPE_##DTYPE, STREW_REDUCTION_##REDUCTION, row_bytes},
static const counted_call calls[] = {
    CALL(gather, UINT8, NONE, 1) CALL(gather, UINT8, NONE, 4) CALL(gather, UINT8, NONE, 12)
        CALL(gather, UINT8, NONE, 16) CALL(gather, UINT8, NONE, 24) CALL(gather, UINT8, NONE, 36) CALL(
            gather, UINT8, NONE, 60) CALL(gather, UINT8, NONE, 100) CALL(gather, UINT8, NONE, 256)
            CALL(gather, UINT8, NONE, 512) CALL(gather, UINT8, NONE, 1024) CALL(gather_nd, FLOAT32, NONE, 64) CALL(
                gather_elements, FLOAT16, NONE, 0) CALL(gather_elements, FLOAT32, NONE, 0) CALL(gather_elements,
                                                                                                COMPLEX128, NONE, 0)
                CALL(scatter, FLOAT32, NONE, 60) CALL(scatter, FLOAT32, NONE, 256) CALL(scatter, FLOAT32, SUM, 4)
                    CALL(scatter, FLOAT32, SUM, 8) CALL(scatter, FLOAT32, SUM, 60) CALL(scatter, FLOAT32, SUM, 256)
                        CALL(scatter, FLOAT32, MAX, 8) CALL(scatter, FLOAT32, MAX, 60) CALL(scatter, FLOAT32, MAX,
                                                                                            256)
                            CALL(scatter, FLOAT64, MIN, 256) CALL(scatter, FLOAT16, SUM, 8) CALL(scatter,
                                                                                                 FLOAT16, SUM, 60)
                                CALL(scatter, FLOAT16, SUM, 256) CALL(scatter, FLOAT16, MAX, 256) CALL(
                                    scatter,
                                    BFLOAT16, SUM,
                                    8) CALL(scatter, BFLOAT16, SUM, 60)
                                    CALL(scatter, BFLOAT16, SUM, 256) CALL(scatter, BFLOAT16, MAX, 256) CALL(
                                        scatter,
                                        FLOAT16,
                                        MEAN, 256) CALL(scatter, FLOAT32, MEAN, 256)
                                        CALL(scatter, UINT8, SUM, 60) CALL(scatter, INT64, MAX, 256) CALL(
                                            scatter,
                                            COMPLEX64, PROD,
                                            256) CALL(scatter_elements, FLOAT32, NONE, 0)
                                            CALL(scatter_elements, INT32, SUM, 0) CALL(
                                                scatter_elements,
                                                FLOAT32,
                                                SUM,
                                                0) CALL(scatter_elements, FLOAT32, MAX, 0)
                                                CALL(scatter_elements, FLOAT64, MIN, 0) CALL(
                                                    scatter_elements,
                                                    FLOAT16,
                                                    SUM,
                                                    0) CALL(scatter_elements, FLOAT16, MAX, 0)
                                                    CALL(scatter_elements, FLOAT16,
                                                         MEAN, 0) CALL(scatter_elements, BFLOAT16, SUM,
                                                                       0) CALL(scatter_elements, BFLOAT16, MAX, 0)
                                                        CALL(scatter_elements, BFLOAT16, MEAN, 0) CALL(
                                                            embedding_bag, FLOAT32,
                                                            SUM,
                                                            60) CALL(embedding_bag, FLOAT32, SUM, 256)
                                                            CALL(embedding_bag, FLOAT32, MEAN,
                                                                 256) CALL(embedding_bag, FLOAT32, MAX, 256)
                                                                CALL(embedding_bag, FLOAT16, SUM, 60) CALL(
                                                                    embedding_bag, FLOAT16,
                                                                    SUM,
                                                                    256) CALL(embedding_bag, FLOAT16, MEAN, 256)
                                                                    CALL(embedding_bag, BFLOAT16, SUM, 256) CALL(
                                                                        embedding_bag,
                                                                        BFLOAT16,
                                                                        MEAN,
                                                                        256) CALL(segment_reduce, FLOAT32, SUM, 60)
                                                                        CALL(segment_reduce, FLOAT32, SUM, 256)
                                                                            CALL(segment_reduce, FLOAT32, MAX,
                                                                                 60) CALL(segment_reduce, FLOAT32,
                                                                                          MAX, 256)
                                                                                CALL(segment_reduce, FLOAT16, SUM,
                                                                                     256) CALL(segment_reduce,
                                                                                               BFLOAT16, SUM, 256)
                                                                                    CALL(gather_scatter, FLOAT32,
                                                                                         SUM,
                                                                                         60) CALL(gather_scatter,
                                                                                                  FLOAT32, SUM, 256)
                                                                                        CALL(gather_scatter,
                                                                                             FLOAT16, SUM, 256)};
#undef CALL

/* ---- Their tensors ----------------------------------------------------------------------------------------- */

static uint32_t draw(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/* Floats are ordinary numbers, from 1/4 to 8 and their negatives; the upper half of the bits decides. */
static void fill(char *bytes, size_t size, const counted_call *call)
{
    static const struct {
        strew_dtype dtype;
        uint16_t kept,
            set; /* bits of the upper 16: a random sign and mantissa, and the lowest bits of the exponent */
    } floats[] = {
        {STREW_DTYPE_FLOAT16, 0x87ff, 0x3800}, {STREW_DTYPE_BFLOAT16, 0x80ff, 0x3f00},
        {STREW_DTYPE_FLOAT32, 0x80ff, 0x3f00}, {STREW_DTYPE_COMPLEX64, 0x80ff, 0x3f00},
        {STREW_DTYPE_FLOAT64, 0x801f, 0x3fe0}, {STREW_DTYPE_COMPLEX128, 0x801f, 0x3fe0},
    };
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)draw();
    for (size_t f = 0; f < sizeof floats / sizeof *floats; f++) {
        if (floats[f].dtype != call->dtype)
            continue;
        const bool is_complex = call->dtype == STREW_DTYPE_COMPLEX64 || call->dtype == STREW_DTYPE_COMPLEX128;
        const size_t part = (size_t)strew_dtype_bits(call->dtype) / (is_complex ? 16 : 8);
        for (size_t i = part - 2; i < size; i += part) {
            uint16_t upper;
            memcpy(&upper, bytes + i, sizeof upper);
            upper = (uint16_t)((upper & floats[f].kept) | floats[f].set);
            memcpy(bytes + i, &upper, sizeof upper);
        }
    }
}

static void draw_indices(bool are_pairs)
{
    for (size_t i = 0; i < MOST_ENTRIES; i++) {
        named[i] = draw() % ROWS;
        targeted[i] = draw() % MOST_ENTRIES;
        sorted[i] = (int64_t)i / BAG;
    }
    for (size_t i = 0; are_pairs && i < MOST_ENTRIES; i++) {
        named[2 * i] = draw() % LINES;
        named[2 * i + 1] = draw() % PER_LINE;
    }
    for (size_t b = 0; b < MOST_ENTRIES / BAG; b++)
        begins[b] = (int64_t)b * BAG;
}

static void prepare(const counted_call *call, int64_t entries)
{
    const bool are_pairs = call->run == gather_nd;
    const int64_t element_bytes = (int64_t)strew_dtype_bits(call->dtype) / 8;
    const int64_t columns = call->row_bytes / element_bytes;
    const int32_t rank = call->row_bytes > 0 ? 2 : 1;
    fill(data_bytes, sizeof data_bytes, call);
    fill(dense_bytes, sizeof dense_bytes, call);
    draw_indices(are_pairs);
    for (int64_t i = 0; i < entries; i++)
        targeted[i] %= entries;
    data_shape[0] = are_pairs ? LINES : ROWS;
    data_shape[1] = are_pairs ? PER_LINE : columns;
    data_shape[2] = columns;
    dense_shape[0] = indices_shape[0] = entries;
    indices_shape[1] = 2;
    bags_shape[0] = begins_shape[0] = entries / BAG;
    dense_shape[1] = bags_shape[1] = columns;
    data = (strew_tensor){data_bytes, call->dtype, are_pairs ? 3 : rank, data_shape, NULL};
    dense = (strew_tensor){dense_bytes, call->dtype, rank, dense_shape, NULL};
    bags = (strew_tensor){bags_bytes, call->dtype, rank, bags_shape, NULL};
    indices = (strew_tensor){named, STREW_DTYPE_INT64, are_pairs ? 2 : 1, indices_shape, NULL};
    targets = (strew_tensor){targeted, STREW_DTYPE_INT64, 1, indices_shape, NULL};
    segment_ids = (strew_tensor){sorted, STREW_DTYPE_INT64, 1, indices_shape, NULL};
    offsets = (strew_tensor){begins, STREW_DTYPE_INT64, 1, begins_shape, NULL};
    options.scratch = call->reduction == STREW_REDUCTION_MEAN ? scratch : NULL; /* counters */
    options.scratch_size = sizeof scratch;
}

/* ---- The regions ------------------------------------------------------------------------------------------- */

static void print_name(const counted_call *call)
{
    printf("%s %s", call->name, strew_dtype_name(call->dtype));
    if (call->reduction != STREW_REDUCTION_NONE)
        printf(" %s", strew_reduction_name(call->reduction));
    if (call->row_bytes > 0)
        printf(" %d B", (int)call->row_bytes);
    putchar('\n');
}

/* Counts a call that succeeds, and prints its name. */
static bool count_call(long region, const counted_call *call)
{
    if (call->run(call->reduction) != STREW_STATUS_OK)
        return false;
    syscall(MARK, BEGIN, region);
    const bool is_right = call->run(call->reduction) == STREW_STATUS_OK;
    syscall(MARK, END, region);
    print_name(call);
    return is_right;
}

static bool count_listed(int64_t entries)
{
    size_t c = 0;
    for (const size_t count = sizeof calls / sizeof *calls; c < count; c++) {
        prepare(&calls[c], entries);
        if (!count_call((long)c + 1, &calls[c]))
            return false;
    }
    return true;
}

/* Counts every reduction of every dtype, on rows, single elements and bags; those that are not defined fail. */
static long count_reductions(int64_t entries)
{
    static const counted_call forms[] = {{scatter, "scatter", 0, 0, 64},
                                         {scatter_elements, "scatter_elements", 0, 0, 0},
                                         {embedding_bag, "embedding_bag", 0, 0, 64}};
    long region = 1;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (strew_dtype dtype = STREW_DTYPE_BOOL; dtype <= STREW_DTYPE_COMPLEX128; dtype++)
            for (strew_reduction reduction = STREW_REDUCTION_SUM; reduction <= STREW_REDUCTION_MEAN; reduction++) {
                counted_call call = forms[f];
                call.dtype = dtype;
                call.reduction = reduction;
                prepare(&call, entries);
                region += count_call(region, &call);
            }
    return region;
}

/* Counts indices of every dtype with vector kernels, first good ones, then with bad ones that are clamped. */
static void count_indices(int64_t entries, long region)
{
    static char narrow[MOST_ENTRIES * sizeof(int64_t)];
    for (strew_dtype dtype = STREW_DTYPE_INT8; dtype <= STREW_DTYPE_UINT16; dtype++)
        for (int clamps = 0; clamps < 2; clamps++) {
            char name[32];
            snprintf(name, sizeof name, "%s by %s", clamps ? "clamp" : "gather", strew_dtype_name(dtype));
            const counted_call call = {gather, name, STREW_DTYPE_UINT8, STREW_REDUCTION_NONE, 64};
            const size_t size = (size_t)strew_dtype_bits(dtype) / 8;
            prepare(&call, entries);
            for (int64_t i = 0; i < entries; i++) { /* the lowest bytes come first */
                const int64_t index = named[i] % 120;
                memcpy(narrow + (size_t)i * size, &index, size);
            }
            data_shape[0] = clamps ? 100 : 120;
            indices.data = narrow;
            indices.dtype = dtype;
            options.bounds = clamps ? STREW_BOUNDS_CLAMP : STREW_BOUNDS_REFUSE;
            region += count_call(region, &call);
        }
}

int main(int argument_count, char **arguments)
{
    const int64_t entries = argument_count > 1 ? atoi(arguments[1]) : MOST_ENTRIES;
    if (entries < BAG || entries > MOST_ENTRIES || entries % BAG != 0)
        return 2;
    puts(__VERSION__);
    syscall(MARK, BEGIN, 0L);
    syscall(MARK, END, 0L);
    puts("nothing");
    if (argument_count < 3)
        return count_listed(entries) ? 0 : 1;
    count_indices(entries, count_reductions(entries));
    return 0;
}
