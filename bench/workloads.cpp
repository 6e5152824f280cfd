/* The table, and the workloads of its lines. */
#include "workloads.h"

#include <initializer_list>
#include <set>
#include <string>

#include "spatter.h"

namespace bench
{
namespace
{

enum class Run { quick, full };

/* The defaults of most lines of the table. */
struct Variants {
    std::vector<strew_dtype> index_dtypes = {STREW_DTYPE_INT64};
    std::vector<Distribution> distributions = {usual_distribution()};
    std::vector<Call> calls = {Call()};
    Threads threads = Threads::any;
    std::vector<strew_bounds> bounds = {STREW_BOUNDS_REFUSE};
};

/*
 * A line of the table: it makes a workload of every combination of its dtypes, reductions, layouts and variants.
 * The full run includes the quick lines.
 */
struct Group {
    Run run;
    const char *family;
    strew_kind kind;
    Output output;
    std::vector<strew_dtype> dtypes;
    std::vector<strew_reduction> reductions;
    std::vector<Layout> layouts;
    Variants variants = {};
};

using Dtypes = std::vector<strew_dtype>;
using Reductions = std::vector<strew_reduction>;
using Layouts = std::vector<Layout>;

constexpr Run quick = Run::quick;
constexpr Run full = Run::full;
constexpr Output separate = Output::separate;
constexpr Output in_place = Output::in_place;

/* dtypes after string only move, like bytes. */
Dtypes every_dtype()
{
    Dtypes dtypes;
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype <= STREW_DTYPE_STRING; ++dtype)
        dtypes.push_back(dtype);
    return dtypes;
}

const Dtypes f32 = {STREW_DTYPE_FLOAT32};
const Dtypes f16 = {STREW_DTYPE_FLOAT16};
const Dtypes floats = {STREW_DTYPE_FLOAT16, STREW_DTYPE_FLOAT32};
const Dtypes f64 = {STREW_DTYPE_FLOAT64};
const Dtypes c128 = {STREW_DTYPE_COMPLEX128};
const Dtypes common = {STREW_DTYPE_FLOAT16, STREW_DTYPE_BFLOAT16, STREW_DTYPE_FLOAT64,
                       STREW_DTYPE_INT8,    STREW_DTYPE_INT32,    STREW_DTYPE_INT64};
/* Elements of one or two bytes; and of four and more, of which fewer fit into a cache. */
const Dtypes narrow = {STREW_DTYPE_BOOL,   STREW_DTYPE_INT8,    STREW_DTYPE_UINT8,   STREW_DTYPE_INT16,
                       STREW_DTYPE_UINT16, STREW_DTYPE_FLOAT16, STREW_DTYPE_BFLOAT16};
const Dtypes wide = {STREW_DTYPE_INT32,   STREW_DTYPE_INT64,   STREW_DTYPE_UINT32,    STREW_DTYPE_UINT64,
                     STREW_DTYPE_FLOAT32, STREW_DTYPE_FLOAT64, STREW_DTYPE_COMPLEX64, STREW_DTYPE_COMPLEX128};
const Dtypes every = every_dtype();

const Reductions assign = {STREW_REDUCTION_NONE};
const Reductions sum = {STREW_REDUCTION_SUM};
const Reductions sum_mean = {STREW_REDUCTION_SUM, STREW_REDUCTION_MEAN};
const Reductions mean = {STREW_REDUCTION_MEAN};
const Reductions sum_max = {STREW_REDUCTION_SUM, STREW_REDUCTION_MAX};
const Reductions assign_sum = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUM};
const Reductions assign_sum_max = {STREW_REDUCTION_NONE, STREW_REDUCTION_SUM, STREW_REDUCTION_MAX};
const Reductions combine = {STREW_REDUCTION_SUM, STREW_REDUCTION_SUB, STREW_REDUCTION_PROD, STREW_REDUCTION_MIN,
                            STREW_REDUCTION_MAX};

std::vector<Distribution> distributions(const std::set<std::string> &names)
{
    std::vector<Distribution> found;
    for (const Distribution &distribution : named_distributions())
        if (names.count(distribution.name) > 0)
            found.push_back(distribution);
    return found;
}

const Dtypes int64_only = {STREW_DTYPE_INT64};
const std::vector<Distribution> usual_only = {usual_distribution()};
const std::vector<Distribution> usual_and_expanded = {usual_distribution(), expanded_distribution()};
const std::vector<Call> unnamed_call = {Call()};
const std::vector<Call> named_calls = {{"planned", true}, {"one_call", false}};
const std::vector<Call> both_scratches = {Call(), {"least_scratch", true, false}};
const std::vector<Call> inspected_call = {{"inspected", true, true, true}};
/* The targets of edges: each node's one after the other, and in any order. */
const std::vector<Distribution> both_orders = distributions({"sorted", "uniform"});

const Variants both_indices = {{STREW_DTYPE_INT32, STREW_DTYPE_INT64}};
const Variants named_draws = {int64_only, named_distributions()};
const Variants graph_draws = {int64_only, usual_and_expanded};
const Variants calls = {int64_only, usual_only, named_calls, Threads::one};
const Variants scratches = {int64_only, usual_only, both_scratches};
const Variants drawn_scratches = {int64_only, named_distributions(), both_scratches};
const Variants alone = {int64_only, usual_only, unnamed_call, Threads::one};
const Variants skips = {int64_only, usual_only, unnamed_call, Threads::any, {STREW_BOUNDS_SKIP}};
const Variants sorted_only = {int64_only, distributions({"sorted"})};
const Variants sorted_and_any = {int64_only, both_orders};
const Variants inspected = {int64_only, usual_only, inspected_call};
const Variants inspected_orders = {int64_only, both_orders, inspected_call};
const Variants policies = {
    int64_only,
    usual_only,
    unnamed_call,
    Threads::any,
    {STREW_BOUNDS_REFUSE, STREW_BOUNDS_STOP, STREW_BOUNDS_SKIP, STREW_BOUNDS_CLAMP, STREW_BOUNDS_WRAP}};

/* `tuples` rows out of or into a table of so many rows of so many elements. */
Layout rows(int64_t table_rows, int64_t row_elements, int64_t tuples)
{
    return {{table_rows, row_elements}, {tuples, 1}};
}

Layout elements(int64_t table_elements, int64_t entries)
{
    return {{table_elements}, {entries}};
}

Layouts each_axis(const Layout &layout)
{
    Layouts layouts;
    for (size_t axis = 0; axis < layout.data.size(); ++axis)
        layouts.push_back({layout.data, layout.indices, static_cast<int64_t>(axis)});
    return layouts;
}

/* Rows of 4 bytes to 4 KiB of f32, as many tuples as the table has rows. */
Layouts row_lengths(std::initializer_list<int64_t> tuple_counts)
{
    constexpr int64_t most_elements = int64_t{1} << 26; /* 256 MiB: the data, a copy and the updates fit in 1 GB */
    Layouts layouts;
    for (int64_t tuples : tuple_counts)
        for (int64_t length = 1; length <= 1024 && length * tuples <= most_elements; length *= 4)
            layouts.push_back(rows(tuples, length, tuples));
    return layouts;
}

const Layouts few_lengths = row_lengths({1 << 14});
const Layouts all_lengths = row_lengths({1 << 10, 1 << 14, 1 << 20});

/* Small enough for the first-level cache, and enough of it to outweigh a call: the kernels by themselves. */
const Layouts long_rows_narrow = {rows(1, 1024, 12)};
const Layouts long_rows_wide = {rows(1, 1024, 2)};
const Layouts short_rows = {rows(64, 3, 256), rows(64, 15, 256), rows(64, 35, 256), rows(64, 64, 256)};

/* The shapes of the layer examples in the operators' published specifications. */
const Layouts maps = {{{1000, 256, 10, 15}, {25, 125, 3}}};
const Layouts batches = {{{30, 2, 100, 35}, {30, 2, 3, 1}, 0, 2}, {{1, 64, 64, 320}, {1, 64, 64, 1, 1}, 0, 3}};
const Layouts small_maps = each_axis({{1000, 256, 7, 7}, {125, 20, 7, 6}});

constexpr int64_t ten_million = 10'000'000;
const Layouts table_400k = {elements(100'000, ten_million)};
const Layouts table_4m = {elements(1'000'000, ten_million)};
const Layouts table_40m = {elements(10'000'000, ten_million)};
const Layouts table_160m_of_c128 = {elements(10'000'000, ten_million)};
const Layouts table_400m = {elements(100'000'000, ten_million)};
const Layouts one_element_rows = {rows(10'000'000, 1, ten_million)};

const Layouts million_rows = {rows(1 << 20, 64, 1 << 20)};
const Layouts rows_64k = {rows(1 << 16, 64, 1 << 16)};
const Layouts elements_1m = {elements(1 << 20, 1 << 20)};

/* Lanes within a few cache lines, which come from memory one after the other. */
const Layouts short_lanes = {{{1 << 16, 64}, {1 << 16, 16}, 1}};

/* These decide how threads share a scatter: few pieces off the axis, pieces within it, rows in small tables. */
const Layouts few_pieces = {{{3, 333'333}, {3, 333'333}, 1}, {{8, 125'000}, {8, 125'000}, 1}};
const Layouts inner_pieces = {
    {{12'500, 16}, {12'500, 16}, 0}, {{1'560, 128}, {1'560, 128}, 0}, {{20'000, 128}, {20'000, 128}, 0}};
const Layouts small_tables = {rows(200, 16, 100'000), rows(20'000, 15, 100'000), rows(400, 256, 5'000)};

/* Tiny calls, which measure the overhead. */
const Layouts tiny_rows = {rows(4, 4, 2)};
const Layouts tiny_elements = {{{4, 4}, {2, 4}}};

/* Less than a tile: this shows work for each position that is not work for each tile. */
const Layouts few_hundred = {elements(1'000, 400), {{64, 50}, {64, 6}, 1}};

/* Tables of embeddings. The tokens of a batch name their rows. */
const Layouts few_tokens = {{{50'000, 64}, {4'096}}};
const Layouts narrow_table = {{{1'000'000, 64}, {16'384}}};
const Layouts wide_table = {{{50'000, 1024}, {4'096}}};
Layouts every_table()
{
    Layouts layouts;
    for (int64_t table_rows : {50'000, 250'000, 1'000'000})
        for (int64_t length = 64; length <= 4096 && table_rows * length <= 250'000'000; length *= 4)
            for (int64_t tokens : {128, 4'096, 65'536})
                layouts.push_back({{table_rows, length}, {tokens}});
    return layouts;
}
const Layouts tables = every_table();

/* Some features of each token, some tokens of each sequence. */
const Layouts features = {{{4'096, 768}, {64}, 1}};
const Layouts inner_axes = {{{4'096, 768}, {8}, 1},      {{4'096, 768}, {512}, 1}, {{64, 197, 768}, {49}, 1},
                            {{32, 4'096, 16}, {512}, 1}, {{256, 256, 8}, {64}, 1}, {{16, 1'024, 64, 3}, {128}, 1},
                            {{100'000, 10}, {4}, 1}};

/* The edges of a graph add to its nodes; the rows of a batch are added to a table. */
const Layouts graph_nodes = {{{50'000, 64}, {200'000}}};
const Layouts returned_rows = {{{50'000, 1024}, {4'096}}};

/* Bags of rows of 256 bytes, from the last-level cache; and of all lengths. */
const Layouts some_bags = {{{50'000, 64}, {200'000}, 0, 0, 0, 10'000}};
Layouts every_bag()
{
    Layouts layouts;
    for (int64_t table_rows : {5'000, 50'000, 1'000'000})
        for (int64_t length : {4, 16, 64, 256, 1024})
            for (int64_t bag : {1, 4, 20, 100, 1000})
                if (table_rows * length <= 100'000'000)
                    layouts.push_back({{table_rows, length}, {100'000}, 0, 0, 0, 100'000 / bag});
    return layouts;
}
const Layouts bags = every_bag();

Layouts weighted(Layouts layouts)
{
    for (Layout &layout : layouts)
        layout.weighted = true;
    return layouts;
}

/* The same bags, each as a row of indices. */
Layouts packed(Layouts layouts)
{
    for (Layout &layout : layouts)
        layout.indices = {layout.rows, layout.indices.front() / layout.rows};
    return layouts;
}

/* As many consecutive rows as some bags have. */
const Layouts rows_of_segments = {{{200'000, 64}, {200'000}, 0, 0, 0, 10'000}};

/* A layer of a graph network: 200,000 edges between 50,000 nodes. */
const Layouts edges = {{{50'000, 64}, {200'000}, 0, 0, 0, 50'000}};

/*
 * Caches of the keys of 32 layers, 8 heads of 4,096 positions: one more token for each, a prompt, one that goes
 * around the end; and by a slice.
 */
const Shape caches = {32, 8, 4'096, 128};
const Layouts one_token = {{caches, {32}, 2, 0, 1}};
const Layouts prompt = {{caches, {32}, 2, 0, 512}};
const Layouts around = {{caches, {32}, 2, 0, 512, 0, true}};
const Layouts sliced = {{caches, {1}, 2, 0, 64}};
const Layouts every_slice = {{caches, {1}, 2, 0, 1}, {caches, {1}, 2, 0, 1'024}, {{4'096, 4'096}, {1}, 1, 0, 512}};

/* ONNX Runtime's issue 28584, a graph model; by default a sixteenth of its rows. */
Layouts graph(const Suite &suite)
{
    const int64_t share = suite.full_size ? 1 : 16;
    return {{{556416 / share, 80}, {481385 / share, 80}}};
}

// clang-format off
std::vector<Group> groups(const Suite &suite)
{
    return {
        {quick, "slice_copy", STREW_KIND_GATHER_ND,        separate, f32,    assign,         maps},
        {quick, "slice_copy", STREW_KIND_GATHER_ND,        separate, f32,    assign,         batches},
        {quick, "slice_copy", STREW_KIND_SCATTER_ND,       in_place, f32,    assign,         maps},
        {quick, "slice_copy", STREW_KIND_SCATTER_ND,       separate, f32,    assign,         maps},
        {quick, "slice_copy", STREW_KIND_GATHER_ND,        separate, f32,    assign,         few_lengths},
        {quick, "slice_copy", STREW_KIND_SCATTER_ND,       in_place, f32,    assign,         few_lengths},
        {quick, "slice_copy", STREW_KIND_GATHER_ND,        separate, f32,    assign,         maps, inspected},
        {quick, "slice_copy", STREW_KIND_SCATTER_ND,       in_place, f32,    assign,         maps, inspected},
        {full,  "slice_copy", STREW_KIND_GATHER_ND,        separate, f32,    assign,         all_lengths, both_indices},
        {full,  "slice_copy", STREW_KIND_SCATTER_ND,       in_place, f32,    assign,         all_lengths, both_indices},
        {full,  "slice_copy", STREW_KIND_SCATTER_ND,       separate, f32,    assign,         all_lengths, both_indices},

        {quick, "reduction",  STREW_KIND_SCATTER_ND,       in_place, f32,    combine,        maps},
        {quick, "reduction",  STREW_KIND_SCATTER_ND,       in_place, common, sum_max,        maps},
        {quick, "reduction",  STREW_KIND_SCATTER_ND,       in_place, f32,    sum,            million_rows},
        {full,  "reduction",  STREW_KIND_SCATTER_ND,       in_place, every,  combine,        maps},
        {full,  "reduction",  STREW_KIND_SCATTER_ND,       in_place, every,  combine,        million_rows},

        {quick, "elements",   STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         small_maps},
        {quick, "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum_max, small_maps},
        {quick, "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign,         small_maps, inspected},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    sum,            small_maps, inspected},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum,     table_400k, inspected},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum,     table_40m, inspected},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    mean,           small_maps},
        {full,  "elements",   STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         short_lanes},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum_max, short_lanes},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    mean,           table_40m, scratches},
        {full,  "elements",   STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         table_400k},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum_max, table_400k},
        {full,  "elements",   STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         table_4m},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum_max, table_4m, scratches},
        {quick, "elements",   STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         table_40m},
        {quick, "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum,     table_40m, scratches},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum_max, table_40m},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, c128,   assign_sum,     table_160m_of_c128, scratches},
        {full,  "elements",   STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         table_400m},
        {full,  "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum_max, table_400m, scratches},
        {full,  "elements",   STREW_KIND_GATHER_ND,        separate, f32,    assign,         one_element_rows},
        {quick, "elements",   STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    sum,            graph(suite), graph_draws},

        {quick, "index",      STREW_KIND_GATHER_ND,        separate, f32,    assign,         rows_64k, named_draws},
        {quick, "index",      STREW_KIND_SCATTER_ND,       in_place, f32,    sum,            rows_64k, named_draws},
        {quick, "index",      STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         elements_1m, named_draws},
        {quick, "index",      STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    sum,            elements_1m, named_draws},
        {full,  "index",      STREW_KIND_SCATTER_ND,       in_place, f32,    assign,         rows_64k, named_draws},
        {full,  "index",      STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign,         elements_1m, named_draws},
        {full,  "index",      STREW_KIND_GATHER_ND,        separate, f32,    assign,         million_rows, named_draws},
        {full,  "index",      STREW_KIND_SCATTER_ND,       in_place, f32,    assign_sum,     million_rows, named_draws},
        {full,  "index",      STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         table_40m, named_draws},
        {full,  "index",      STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum,     table_40m, drawn_scratches},

        {full,  "threads",    STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    sum,            few_pieces},
        {full,  "threads",    STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    sum,            inner_pieces},
        {full,  "threads",    STREW_KIND_SCATTER_ND,       in_place, f32,    assign_sum,     small_tables},

        {quick, "axis",       STREW_KIND_GATHER,           separate, f32,    assign,         narrow_table},
        {quick, "axis",       STREW_KIND_GATHER,           separate, f16,    assign,         wide_table},
        {quick, "axis",       STREW_KIND_GATHER,           separate, f32,    assign,         features},
        {quick, "axis",       STREW_KIND_SCATTER,          in_place, f32,    sum,            graph_nodes},
        {quick, "axis",       STREW_KIND_SCATTER,          in_place, f32,    assign,         returned_rows},
        {full,  "axis",       STREW_KIND_GATHER,           separate, floats, assign,         tables},
        {full,  "axis",       STREW_KIND_GATHER,           separate, floats, assign,         inner_axes},
        {full,  "axis",       STREW_KIND_SCATTER,          in_place, floats, assign_sum,     inner_axes},
        {full,  "axis",       STREW_KIND_SCATTER,          in_place, f16,    assign_sum,     graph_nodes},
        {full,  "axis",       STREW_KIND_SCATTER,          in_place, f16,    assign_sum,     returned_rows},
        {quick, "cache",      STREW_KIND_TENSOR_SCATTER,   in_place, f16,    assign,         one_token},
        {quick, "cache",      STREW_KIND_TENSOR_SCATTER,   in_place, f16,    assign,         prompt},
        {quick, "cache",      STREW_KIND_TENSOR_SCATTER,   in_place, f16,    assign,         around},
        {quick, "cache",      STREW_KIND_SLICE_SCATTER,    in_place, f16,    assign,         sliced},
        {full,  "cache",      STREW_KIND_SLICE_SCATTER,    in_place, f16,    assign,         every_slice},
        {quick, "bounds",     STREW_KIND_GATHER,           separate, f32,    assign,         few_tokens, skips},
        {full,  "bounds",     STREW_KIND_GATHER,           separate, f32,    assign,         few_tokens, policies},
        {full,  "bounds",     STREW_KIND_SCATTER,          in_place, f32,    assign_sum,     few_tokens, policies},
        {quick, "bounds",     STREW_KIND_EMBEDDING_BAG_OFFSETS, separate, f32, sum,          some_bags, skips},
        {full,  "bounds",     STREW_KIND_EMBEDDING_BAG_OFFSETS, separate, f32, sum,          some_bags, policies},

        {quick, "bags",       STREW_KIND_EMBEDDING_BAG_OFFSETS, separate, floats, sum,       some_bags},
        {quick, "bags",       STREW_KIND_GATHER_SCATTER,   in_place, f32,    sum,            edges, sorted_and_any},
        {quick, "bags",       STREW_KIND_EMBEDDING_BAG_OFFSETS, separate, f32, mean,         some_bags},
        {quick, "bags",       STREW_KIND_EMBEDDING_BAG_OFFSETS, separate, f32, sum,          weighted(some_bags)},
        {quick, "bags",       STREW_KIND_EMBEDDING_BAG_PACKED,  separate, f32, sum,          packed(some_bags)},
        {quick, "bags",       STREW_KIND_EMBEDDING_SEGMENTS, separate, f32,  sum,            some_bags, sorted_and_any},
        {quick, "bags",       STREW_KIND_SEGMENT_REDUCE,   separate, f32,    sum_max,        rows_of_segments, sorted_only},
        {quick, "bags",       STREW_KIND_GATHER_SCATTER,   in_place, f32,    sum,            edges, inspected_orders},
        {full,  "bags",       STREW_KIND_EMBEDDING_BAG_OFFSETS, separate, floats, sum_mean,  bags},
        {full,  "bags",       STREW_KIND_EMBEDDING_BAG_OFFSETS, separate, f16, sum,          weighted(some_bags)},
        {full,  "bags",       STREW_KIND_EMBEDDING_BAG_PACKED,  separate, floats, sum_mean,  packed(some_bags)},
        {full,  "bags",       STREW_KIND_EMBEDDING_SEGMENTS, separate, f16,  sum,            some_bags, sorted_and_any},
        {full,  "bags",       STREW_KIND_SEGMENT_REDUCE,   separate, f16,    sum_max,        rows_of_segments, sorted_only},
        {full,  "bags",       STREW_KIND_GATHER_SCATTER,   in_place, f16,    sum,            edges, sorted_and_any},
        {full,  "bags",       STREW_KIND_GATHER_SCATTER,   in_place, f16,    sum,            edges, inspected_orders},

        {quick, "call",       STREW_KIND_GATHER_ND,        separate, f32,    assign,         tiny_rows, calls},
        {quick, "call",       STREW_KIND_SCATTER_ND,       in_place, f32,    assign_sum,     tiny_rows, calls},
        {quick, "call",       STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         tiny_elements, calls},
        {quick, "call",       STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum,     tiny_elements, calls},
        {quick, "call",       STREW_KIND_GATHER_ELEMENTS,  separate, f32,    assign,         few_hundred, calls},
        {quick, "call",       STREW_KIND_SCATTER_ELEMENTS, in_place, f32,    assign_sum,     few_hundred, calls},

        {quick, "rows",       STREW_KIND_SCATTER_ND,       in_place, narrow, combine,        long_rows_narrow, alone},
        {quick, "rows",       STREW_KIND_SCATTER_ND,       in_place, wide,   combine,        long_rows_wide, alone},
        {quick, "rows",       STREW_KIND_SCATTER_ND,       in_place, f32,    sum_max,        short_rows, alone},
        {full,  "rows",       STREW_KIND_SCATTER_ND,       in_place, every,  combine,        short_rows, alone},
    };
}
// clang-format on

void append_combinations(const Group &group, std::vector<Workload> &chosen)
{
    for (const Layout &layout : group.layouts)
        for (const Distribution &distribution : group.variants.distributions)
            for (strew_dtype index_dtype : group.variants.index_dtypes)
                for (strew_dtype dtype : group.dtypes)
                    for (strew_reduction reduction : group.reductions)
                        for (const Call &call : group.variants.calls)
                            for (strew_bounds bounds : group.variants.bounds)
                                if (strew_reduction_supports(reduction, dtype))
                                    chosen.push_back({group.family, group.kind, group.output, dtype, reduction,
                                                      layout, index_dtype, distribution, call,
                                                      group.variants.threads, bounds});
}

Workload spatter_workload(const SpatterPattern &pattern)
{
    const int64_t count = int64_t{repetitions(pattern)} * static_cast<int64_t>(pattern.buffer.size());
    return {"index",
            pattern.gathers ? STREW_KIND_GATHER_ELEMENTS : STREW_KIND_SCATTER_ELEMENTS,
            pattern.gathers ? separate : in_place,
            STREW_DTYPE_FLOAT64,
            STREW_REDUCTION_NONE,
            elements(reach(pattern), count),
            STREW_DTYPE_INT64,
            distribution(pattern),
            Call(),
            Threads::any,
            STREW_BOUNDS_REFUSE};
}

} // namespace

std::vector<Workload> workloads(const Suite &suite)
{
    std::vector<Workload> chosen;
    for (const Group &group : groups(suite))
        if (suite.full || group.run == quick)
            append_combinations(group, chosen);
    if (suite.full)
        for (const SpatterPattern &pattern : spatter_patterns())
            chosen.push_back(spatter_workload(pattern));
    return chosen;
}

} // namespace bench
