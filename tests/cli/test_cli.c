/* The results of strew run. */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "test.h"

static void run(const char *line)
{
    const cli_outcome *outcome = cli_run(line);
    if (outcome->exit_status != 0)
        fail_msg("strew %s: exit status %d, %s", line, outcome->exit_status, outcome->errors);
    assert_string_equal(outcome->output, "");
    assert_string_equal(outcome->errors, "");
}

/* ---- The operators ------------------------------------------------------------------------------- */

static const int32_t square[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; /* [3, 3] */

static void write_square_and_its_indices(void)
{
    cli_write("square.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), square);
    cli_write("rows.npy", STREW_DTYPE_INT64, CLI_SHAPE(3, 1), (int64_t[]){2, 0, 2});
    cli_write("row_updates.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3),
              (int32_t[]){10, 20, 30, 40, 50, 60, 70, 80, 90});
    cli_write("pairs.npy", STREW_DTYPE_INT64, CLI_SHAPE(2, 2), (int64_t[]){0, 1, 2, 2});
    cli_write("pairs32.npy", STREW_DTYPE_INT32, CLI_SHAPE(2, 2), (int32_t[]){0, 1, 2, 2});
    cli_write("pair_updates.npy", STREW_DTYPE_INT32, CLI_SHAPE(2), (int32_t[]){-5, 100});
    cli_write("entries.npy", STREW_DTYPE_INT64, CLI_SHAPE(2, 2), (int64_t[]){0, 2, 1, 1});
    cli_write("entry_updates.npy", STREW_DTYPE_INT32, CLI_SHAPE(2, 2), (int32_t[]){10, 20, 30, 41});
    cli_write("flat.npy", STREW_DTYPE_INT64, CLI_SHAPE(3), (int64_t[]){2, 0, 2});
    cli_write("wrong.npy", STREW_DTYPE_INT64, CLI_SHAPE(4), (int64_t[]){2, 3, -1, -4});
    cli_write("wrong_row.npy", STREW_DTYPE_INT64, CLI_SHAPE(1, 3), (int64_t[]){9, -9, -1});
    cli_write("row_update.npy", STREW_DTYPE_INT32, CLI_SHAPE(1, 3), (int32_t[]){10, 20, 30});
    cli_write("outside.npy", STREW_DTYPE_INT32, CLI_SHAPE(3), (int32_t[]){5, -1, 1});
    cli_write("starts.npy", STREW_DTYPE_INT64, CLI_SHAPE(3), (int64_t[]){1, 0, 1});
    cli_write("windows.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 2), (int32_t[]){10, 20, 30, 41, 50, 61});
    cli_write("two_rows.npy", STREW_DTYPE_INT32, CLI_SHAPE(2, 3), (int32_t[]){10, 20, 30, 40, 50, 60});
    cli_write("offsets.npy", STREW_DTYPE_INT64, CLI_SHAPE(3), (int64_t[]){0, 1, 1});
    cli_write("weights.npy", STREW_DTYPE_INT32, CLI_SHAPE(3), (int32_t[]){1, 2, 3});
    cli_write("ids.npy", STREW_DTYPE_INT32, CLI_SHAPE(3), (int32_t[]){0, 0, 2});
    cli_write("two.npy", STREW_DTYPE_UINT8, CLI_SCALAR, (uint8_t[]){2});
    cli_write("last.npy", STREW_DTYPE_INT32, CLI_SCALAR, (int32_t[]){-1});
    cli_write("seven.npy", STREW_DTYPE_INT32, CLI_SHAPE(1, 1), (int32_t[]){7});
    cli_write("axis.npy", STREW_DTYPE_UINT8, CLI_SHAPE(1), (uint8_t[]){1});
    cli_write("axis_scalar.npy", STREW_DTYPE_INT64, CLI_SCALAR, (int64_t[]){-1});
}

static const struct run_case {
    const char *line;
    int32_t rank;
    int64_t shape[3];
    int32_t expected[12];
} cases[] = {
    {"GatherND --data square.npy --indices rows.npy", 2, {3, 3}, {7, 8, 9, 1, 2, 3, 7, 8, 9}},
    {"GatherND-8 --data square.npy --indices pairs.npy", 1, {2}, {2, 9}},
    {"GatherND-5 --data square.npy --indices rows.npy --batch-dims 1", 1, {3}, {3, 4, 9}},
    {"GatherND-12 --batch-dims=1 --data square.npy --indices rows.npy", 1, {3}, {3, 4, 9}},
    {"GatherElements --data square.npy --indices entries.npy", 2, {2, 2}, {1, 8, 4, 5}},
    {"GatherElements-6 --axis 1 --data square.npy --indices entries.npy", 2, {2, 2}, {1, 3, 5, 5}},
    {"GatherElements-6 --axis axis.npy --data square.npy --indices entries.npy", 2, {2, 2}, {1, 3, 5, 5}},
    {"GatherElements-13 --axis -2 --data square.npy --indices entries.npy", 2, {2, 2}, {1, 8, 4, 5}},
    {"ScatterNDUpdate --data square.npy --indices rows.npy --updates row_updates.npy",
     2,
     {3, 3},
     {40, 50, 60, 4, 5, 6, 70, 80, 90}},
    {"ScatterND --reduction add --data square.npy --indices rows.npy --updates row_updates.npy",
     2,
     {3, 3},
     {41, 52, 63, 4, 5, 6, 87, 108, 129}},
    {"ScatterNDUpdate-15 --reduction sub --data square.npy --indices pairs.npy --updates pair_updates.npy",
     2,
     {3, 3},
     {1, 7, 3, 4, 5, 6, 7, 8, -91}},
    {"ScatterND-18 --reduction mul --data square.npy --indices pairs.npy --updates pair_updates.npy",
     2,
     {3, 3},
     {1, -10, 3, 4, 5, 6, 7, 8, 900}},
    {"ScatterND-18 --reduction min --data square.npy --indices pairs.npy --updates pair_updates.npy",
     2,
     {3, 3},
     {1, -5, 3, 4, 5, 6, 7, 8, 9}},
    {"ScatterND-18 --reduction max --data square.npy --indices pairs.npy --updates pair_updates.npy",
     2,
     {3, 3},
     {1, 2, 3, 4, 5, 6, 7, 8, 100}},
    {"ScatterND-11 --reduction none --data square.npy --indices pairs.npy --updates pair_updates.npy",
     2,
     {3, 3},
     {1, -5, 3, 4, 5, 6, 7, 8, 100}},
    {"Scatter --data square.npy --indices entries.npy --updates entry_updates.npy",
     2,
     {3, 3},
     {10, 2, 3, 30, 41, 6, 7, 20, 9}},
    {"ScatterElementsUpdate-3 --axis 1 --data square.npy --indices entries.npy --updates entry_updates.npy",
     2,
     {3, 3},
     {10, 2, 20, 4, 41, 6, 7, 8, 9}},
    {"ScatterElementsUpdate --axis axis.npy --reduction sum --data square.npy --indices entries.npy "
     "--updates entry_updates.npy",
     2,
     {3, 3},
     {11, 2, 23, 4, 76, 6, 7, 8, 9}},
    {"ScatterElementsUpdate --axis axis_scalar.npy --reduction sum --no-init-val --data square.npy "
     "--indices entries.npy --updates entry_updates.npy",
     2,
     {3, 3},
     {10, 2, 20, 4, 71, 6, 7, 8, 9}},
    {"ScatterElementsUpdate-12 --axis 1 --reduction mean --data square.npy --indices entries.npy "
     "--updates entry_updates.npy",
     2,
     {3, 3},
     {5, 2, 11, 4, 25, 6, 7, 8, 9}},
    {"ScatterElementsUpdate-12 --axis 1 --reduction mean --no-init-val --data square.npy --indices entries.npy "
     "--updates entry_updates.npy",
     2,
     {3, 3},
     {10, 2, 20, 4, 35, 6, 7, 8, 9}},
    {"Gather --data square.npy --indices rows.npy", 3, {3, 1, 3}, {7, 8, 9, 1, 2, 3, 7, 8, 9}},
    {"Gather-11 --axis -1 --data square.npy --indices pairs.npy",
     3,
     {3, 2, 2},
     {1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9}},
    {"ONNX:Gather-1 --axis 1 --data square.npy --indices last.npy", 1, {3}, {3, 6, 9}},
    {"OpenVINO:Gather-1 --axis axis.npy --data square.npy --indices two.npy", 1, {3}, {3, 6, 9}},
    {"Gather-7 --axis 1 --batch-dims 1 --data square.npy --indices rows.npy", 2, {3, 1}, {3, 4, 9}},
    {"Gather-7 --axis 1 --batch-dims -1 --data square.npy --indices rows.npy", 2, {3, 1}, {3, 4, 9}},
    {"Gather-8 --axis 0 --data square.npy --indices wrong.npy", 2, {4, 3}, {7, 8, 9, 0, 0, 0, 7, 8, 9, 0, 0, 0}},
    {"Gather-8 --axis 0 --bounds clamp --data square.npy --indices wrong.npy",
     2,
     {4, 3},
     {7, 8, 9, 7, 8, 9, 7, 8, 9, 1, 2, 3}},
    {"Gather-8 --axis 0 --fill -1 --data square.npy --indices wrong.npy",
     2,
     {4, 3},
     {7, 8, 9, -1, -1, -1, 7, 8, 9, -1, -1, -1}},
    {"Gather-13 --bounds skip --data square.npy --indices wrong.npy",
     2,
     {4, 3},
     {7, 8, 9, 0, 0, 0, 7, 8, 9, 0, 0, 0}},
    {"Gather-7 --axis 1 --bounds skip --fill seven.npy --data square.npy --indices wrong.npy",
     2,
     {3, 4},
     {3, 7, 7, 7, 6, 7, 7, 7, 9, 7, 7, 7}},
    {"Gather-13 --bounds wrap --data square.npy --indices wrong.npy",
     2,
     {4, 3},
     {7, 8, 9, 1, 2, 3, 7, 8, 9, 7, 8, 9}},
    {"GatherElements --bounds clamp --data square.npy --indices wrong_row.npy", 2, {1, 3}, {7, 2, 9}},
    {"ScatterUpdate-3 --axis 0 --data square.npy --indices flat.npy --updates row_updates.npy",
     2,
     {3, 3},
     {40, 50, 60, 4, 5, 6, 70, 80, 90}},
    {"ScatterUpdate --axis axis.npy --data square.npy --indices flat.npy --updates row_updates.npy",
     2,
     {3, 3},
     {20, 2, 30, 50, 5, 60, 80, 8, 90}},
    {"ScatterUpdate --axis 0 --bounds skip --data square.npy --indices outside.npy --updates row_updates.npy",
     2,
     {3, 3},
     {1, 2, 3, 70, 80, 90, 7, 8, 9}},
    {"ScatterUpdate --axis 0 --bounds clamp --data square.npy --indices outside.npy --updates row_updates.npy",
     2,
     {3, 3},
     {40, 50, 60, 70, 80, 90, 10, 20, 30}},
    {"ScatterElements --reduction add --bounds wrap --data square.npy --indices wrong_row.npy --updates "
     "row_update.npy",
     2,
     {3, 3},
     {11, 22, 3, 4, 5, 6, 7, 8, 39}},
    {"TensorScatter --data square.npy --updates windows.npy --axis 1 --indices starts.npy",
     2,
     {3, 3},
     {1, 10, 20, 30, 41, 6, 7, 50, 61}},
    {"TensorScatter --data square.npy --updates windows.npy --axis 1",
     2,
     {3, 3},
     {10, 20, 3, 30, 41, 6, 50, 61, 9}},
    {"TensorScatter-24 --circular --data square.npy --updates windows.npy --axis -1 --indices flat.npy",
     2,
     {3, 3},
     {20, 2, 10, 30, 41, 6, 61, 8, 50}},
    {"SliceScatter --slice 0:3:2,: --data square.npy --updates two_rows.npy",
     2,
     {3, 3},
     {10, 20, 30, 4, 5, 6, 40, 50, 60}},
    {"SliceScatter-15 --slice -1::-2,::-1 --data square.npy --updates two_rows.npy",
     2,
     {3, 3},
     {60, 50, 40, 4, 5, 6, 30, 20, 10}},
    {"SliceScatter-15 --slice :2 --data square.npy --updates two_rows.npy",
     2,
     {3, 3},
     {10, 20, 30, 40, 50, 60, 7, 8, 9}},
    {"EmbeddingBagOffsets --offsets offsets.npy --data square.npy --indices flat.npy",
     2,
     {3, 3},
     {7, 8, 9, 0, 0, 0, 8, 10, 12}},
    {"EmbeddingBagOffsets-15 --offsets offsets.npy --default-index 1 --reduction mean --data square.npy "
     "--indices flat.npy",
     2,
     {3, 3},
     {7, 8, 9, 4, 5, 6, 4, 5, 6}},
    {"EmbeddingBagOffsetsSum-3 --offsets offsets.npy --weights weights.npy --data square.npy --indices flat.npy",
     2,
     {3, 3},
     {7, 8, 9, 0, 0, 0, 23, 28, 33}},
    {"EmbeddingBagOffsets --bounds skip --offsets offsets.npy --data square.npy --indices wrong.npy",
     2,
     {3, 3},
     {7, 8, 9, 0, 0, 0, 0, 0, 0}},
    {"EmbeddingBagPacked --data square.npy --indices pairs.npy", 2, {2, 3}, {5, 7, 9, 14, 16, 18}},
    {"EmbeddingBagPackedSum --weights pairs32.npy --data square.npy --indices pairs.npy",
     2,
     {2, 3},
     {4, 5, 6, 28, 32, 36}},
    {"EmbeddingSegmentsSum --segment-ids starts.npy --segments 3 --data square.npy --indices flat.npy",
     2,
     {3, 3},
     {1, 2, 3, 14, 16, 18, 0, 0, 0}},
    {"EmbeddingSegmentsSum-3 --segment-ids starts.npy --segments 3 --default-index 1 --weights weights.npy "
     "--data square.npy --indices flat.npy",
     2,
     {3, 3},
     {2, 4, 6, 28, 32, 36, 4, 5, 6}},
    {"SegmentMax --segment-ids ids.npy --empty zero --data square.npy", 2, {3, 3}, {4, 5, 6, 0, 0, 0, 7, 8, 9}},
    {"SegmentMax-16 --segment-ids ids.npy --empty lowest --segments 2 --data square.npy",
     2,
     {2, 3},
     {4, 5, 6, INT32_MIN, INT32_MIN, INT32_MIN}},
    {"SegmentMax-16 --segment-ids ids.npy --empty zero --segments 4 --data square.npy",
     2,
     {4, 3},
     {4, 5, 6, 0, 0, 0, 7, 8, 9, 0, 0, 0}},
    {"ScatterElements-18 --axis 0 --reduction max --data square.npy --indices entries.npy "
     "--updates entry_updates.npy",
     2,
     {3, 3},
     {10, 2, 3, 30, 41, 6, 7, 20, 9}},
};

static void check_case(const struct run_case *example, const char *more)
{
    char line[1024];
    snprintf(line, sizeof line, "run %s%s -o out.npy", example->line, more);
    run(line);
    cli_expect("out.npy", STREW_DTYPE_INT32, example->rank, example->shape, example->expected);
    cli_remove("out.npy");
}

static void each_operator_gives_what_its_document_says(void **state)
{
    (void)state;
    write_square_and_its_indices();
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(&cases[i], "");
}

static void neither_threads_nor_instruction_sets_change_a_result(void **state)
{
    (void)state;
    static const char *const ways[] = {
        " --threads 1", " --isa scalar",           " --isa best",
#ifdef STREW_WITH_PTHREADPOOL
        " --threads 3", " --isa best --threads 2",
#endif
    };
    write_square_and_its_indices();
    for (size_t i = 0; i < COUNT(cases); i++)
        for (size_t w = 0; w < COUNT(ways); w++)
            check_case(&cases[i], ways[w]);
}

static void a_scatter_may_run_in_place_and_leaves_the_file_of_data_alone(void **state)
{
    (void)state;
    write_square_and_its_indices();
    for (size_t i = 0; i < COUNT(cases); i++)
        if (strstr(cases[i].line, "--updates"))
            check_case(&cases[i], " --in-place");
    cli_expect("square.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), square);
}

static void output_may_replace_the_file_of_data(void **state)
{
    (void)state;
    write_square_and_its_indices();
    run("run ScatterND --data square.npy --indices pairs.npy --updates pair_updates.npy --output square.npy");
    cli_expect("square.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), (int32_t[]){1, -5, 3, 4, 5, 6, 7, 8, 100});
}

/* The line is of one run of one plan: its words are those of strew_plan_describe. */
static void a_run_explains_how_it_goes(void **state)
{
    (void)state;
    write_square_and_its_indices();
    const cli_outcome *outcome = cli_run(
        "run ScatterND --data square.npy --indices pairs.npy --updates pair_updates.npy --explain -o out.npy");
    assert_int_equal(outcome->exit_status, 0);
    assert_int_equal(strncmp(outcome->errors, "strew: scatters 2 rows of 4 bytes; in place ", 44), 0);
    assert_string_equal(strchr(outcome->errors, '\n'), "\n");
}

/* ---- Elements ------------------------------------------------------------------------------------ */

/* 1 + 2 = 3. 1.5 + 256 rounds to 258, and 258 + 1 is halfway between 258 and 260, which is even. */
static void bfloat16_is_read_and_written_as_the_bits_of_uint16(void **state)
{
    (void)state;
    cli_write("data.npy", STREW_DTYPE_UINT16, CLI_SHAPE(3), (uint16_t[]){0x3f80, 0x3fc0, 0x7f80});
    cli_write("indices.npy", STREW_DTYPE_INT64, CLI_SHAPE(3), (int64_t[]){0, 1, 1});
    cli_write("updates.npy", STREW_DTYPE_UINT16, CLI_SHAPE(3), (uint16_t[]){0x4000, 0x4380, 0x3f80});
    run("run ScatterElements --dtype bfloat16 --reduction add --data data.npy --indices indices.npy "
        "--updates updates.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_UINT16, CLI_SHAPE(3), (uint16_t[]){0x4040, 0x4382, 0x7f80});
}

static void dtype_may_name_what_the_file_says_as_well(void **state)
{
    (void)state;
    write_square_and_its_indices();
    run("run GatherND --dtype int32 --data square.npy --indices pairs.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SHAPE(2), (int32_t[]){2, 9});
}

static void indices_of_every_integer_are_read_where_a_version_takes_them(void **state)
{
    (void)state;
    write_square_and_its_indices();
    cli_write("indices.npy", STREW_DTYPE_UINT16, CLI_SHAPE(1, 2), (uint16_t[]){2, 1});
    run("run GatherND-8 --data square.npy --indices indices.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SHAPE(1), (int32_t[]){8});
}

/* The output has room for the longest string of either file. */
static void strings_of_bytes_keep_their_kind(void **state)
{
    (void)state;
    const strew_string data[] = {{"one", 3}, {"", 0}, {"two", 3}}, updates[] = {{"three", 5}};
    const strew_string expected[] = {{"one", 3}, {"three", 5}, {"two", 3}};
    cli_write_strings("data.npy", 'S', 3, 3, data);
    cli_write_strings("updates.npy", 'S', 5, 1, updates);
    cli_write("indices.npy", STREW_DTYPE_INT64, CLI_SHAPE(1), (int64_t[]){-2});
    run("run ScatterElements --data data.npy --indices indices.npy --updates updates.npy -o out.npy");
    cli_expect_strings("out.npy", 'S', 5, 3, expected);
    run("run ScatterElements --data data.npy --indices indices.npy --updates updates.npy --in-place -o out.npy");
    cli_expect_strings("out.npy", 'S', 5, 3, expected);
}

static void strings_of_code_points_keep_their_kind(void **state)
{
    (void)state;
    static const uint32_t letters[] = {0x3b1, 0x1f600, 'x'};
    const char *const bytes = (const char *)letters;
    const strew_string data[] = {{bytes, 8}, {bytes + 8, 4}}, expected[] = {{bytes + 8, 4}, {bytes, 8}, {bytes, 8}};
    cli_write_strings("data.npy", 'U', 8, 2, data);
    cli_write("indices.npy", STREW_DTYPE_INT64, CLI_SHAPE(3, 1), (int64_t[]){1, 0, -2});
    run("run GatherND --data data.npy --indices indices.npy -o out.npy");
    cli_expect_strings("out.npy", 'U', 8, 3, expected);
}

/* ---- What is filled ------------------------------------------------------------------------------ */

/* The bytes of an element that --fill gives as a number, for each dtype that takes one. */
static void a_fill_is_a_number_of_the_dtype_of_data(void **state)
{
    (void)state;
    const struct {
        strew_dtype dtype;
        const char *number;
        const void *bytes;
    } fills[] = {
        {STREW_DTYPE_BOOL, "1", &(uint8_t){1}},
        {STREW_DTYPE_INT8, "-128", &(int8_t){INT8_MIN}},
        {STREW_DTYPE_INT16, "32767", &(int16_t){INT16_MAX}},
        {STREW_DTYPE_INT32, "-2147483648", &(int32_t){INT32_MIN}},
        {STREW_DTYPE_INT64, "-9223372036854775808", &(int64_t){INT64_MIN}},
        {STREW_DTYPE_UINT8, "255", &(uint8_t){UINT8_MAX}},
        {STREW_DTYPE_UINT16, "65535", &(uint16_t){UINT16_MAX}},
        {STREW_DTYPE_UINT32, "4294967295", &(uint32_t){UINT32_MAX}},
        {STREW_DTYPE_UINT64, "18446744073709551615", &(uint64_t){UINT64_MAX}},
        {STREW_DTYPE_FLOAT32, "-0.1", &(float){-0.1F}},
        {STREW_DTYPE_FLOAT32, "-inf", &(float){-INFINITY}},
        {STREW_DTYPE_FLOAT64, "-1e300", &(double){-1e300}},
        {STREW_DTYPE_COMPLEX64, "1.5", (float[]){1.5F, 0}},
        {STREW_DTYPE_COMPLEX128, "-2", (double[]){-2, 0}},
    };
    cli_write("indices.npy", STREW_DTYPE_INT64, CLI_SHAPE(1), (int64_t[]){9});
    for (size_t f = 0; f < COUNT(fills); f++) {
        char line[256];
        cli_write("data.npy", fills[f].dtype, CLI_SHAPE(1), (uint64_t[2]){0});
        snprintf(line, sizeof line,
                 "run Gather --bounds skip --fill %s --data data.npy --indices indices.npy -o out.npy",
                 fills[f].number);
        run(line);
        cli_expect("out.npy", fills[f].dtype, CLI_SHAPE(1), fills[f].bytes);
    }
}

static void a_fill_from_a_file_is_of_any_dtype(void **state)
{
    (void)state;
    const strew_string data[] = {{"one", 3}, {"two", 3}}, fill[] = {{"nobody", 6}};
    const strew_string filled[] = {{"two", 3}, {"nobody", 6}}, empty[] = {{"two", 3}, {"", 0}};
    cli_write("indices.npy", STREW_DTYPE_INT64, CLI_SHAPE(2), (int64_t[]){1, 2});
    cli_write("halves.npy", STREW_DTYPE_UINT16, CLI_SHAPE(2), (uint16_t[]){0x3f80, 0x4000});
    cli_write("half.npy", STREW_DTYPE_UINT16, CLI_SCALAR, (uint16_t[]){0xff80});
    run("run Gather --bounds skip --fill half.npy --dtype bfloat16 --data halves.npy --indices indices.npy -o "
        "out.npy");
    cli_expect("out.npy", STREW_DTYPE_UINT16, CLI_SHAPE(2), (uint16_t[]){0x4000, 0xff80});
    cli_write_strings("data.npy", 'S', 3, 2, data);
    cli_write_strings("fill.npy", 'S', 6, 1, fill);
    run("run Gather --bounds skip --fill fill.npy --data data.npy --indices indices.npy -o out.npy");
    cli_expect_strings("out.npy", 'S', 6, 2, filled);
    run("run Gather --bounds skip --data data.npy --indices indices.npy -o out.npy");
    cli_expect_strings("out.npy", 'S', 3, 2, empty);
}

/* ---- The order of a file ------------------------------------------------------------------------- */

static void files_in_fortran_order_mean_the_same(void **state)
{
    (void)state;
    const int32_t expected[] = {11, 2, 23, 4, 76, 6, 7, 8, 9};
    cli_write_fortran("square.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), square);
    cli_write_fortran("entries.npy", STREW_DTYPE_INT64, CLI_SHAPE(2, 2), (int64_t[]){0, 2, 1, 1});
    cli_write_fortran("entry_updates.npy", STREW_DTYPE_INT32, CLI_SHAPE(2, 2), (int32_t[]){10, 20, 30, 41});
    run("run ScatterElementsUpdate --axis 1 --reduction sum --data square.npy --indices entries.npy "
        "--updates entry_updates.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), expected);
    cli_expect_fortran_order("out.npy", false);
    run("run ScatterElementsUpdate --axis 1 --reduction sum --data square.npy --indices entries.npy "
        "--updates entry_updates.npy --in-place -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), expected);
    cli_expect_fortran_order("out.npy", true);
}

static void arrays_without_elements_are_run(void **state)
{
    (void)state;
    write_square_and_its_indices();
    cli_write("no_rows.npy", STREW_DTYPE_INT64, CLI_SHAPE(0, 1), NULL);
    cli_write("no_updates.npy", STREW_DTYPE_INT32, CLI_SHAPE(0, 3), NULL);
    run("run GatherND --data square.npy --indices no_rows.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SHAPE(0, 3), NULL);
    run("run ScatterND --data square.npy --indices no_rows.npy --updates no_updates.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), square);
}

static void one_tuple_of_every_coordinate_gives_a_scalar(void **state)
{
    (void)state;
    write_square_and_its_indices();
    cli_write("indices.npy", STREW_DTYPE_INT64, CLI_SHAPE(2), (int64_t[]){1, 2});
    cli_write("updates.npy", STREW_DTYPE_INT32, CLI_SHAPE(1, 1), (int32_t[]){-6});
    run("run GatherND --data square.npy --indices indices.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SCALAR, (int32_t[]){6});
    run("run ScatterNDUpdate --data square.npy --indices indices.npy --updates updates.npy -o out.npy");
    cli_expect("out.npy", STREW_DTYPE_INT32, CLI_SHAPE(3, 3), (int32_t[]){1, 2, 3, 4, 5, -6, 7, 8, 9});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_operator_gives_what_its_document_says),
        cmocka_unit_test(neither_threads_nor_instruction_sets_change_a_result),
        cmocka_unit_test(a_scatter_may_run_in_place_and_leaves_the_file_of_data_alone),
        cmocka_unit_test(output_may_replace_the_file_of_data),
        cmocka_unit_test(a_run_explains_how_it_goes),
        cmocka_unit_test(bfloat16_is_read_and_written_as_the_bits_of_uint16),
        cmocka_unit_test(dtype_may_name_what_the_file_says_as_well),
        cmocka_unit_test(indices_of_every_integer_are_read_where_a_version_takes_them),
        cmocka_unit_test(strings_of_bytes_keep_their_kind),
        cmocka_unit_test(strings_of_code_points_keep_their_kind),
        cmocka_unit_test(a_fill_is_a_number_of_the_dtype_of_data),
        cmocka_unit_test(a_fill_from_a_file_is_of_any_dtype),
        cmocka_unit_test(files_in_fortran_order_mean_the_same),
        cmocka_unit_test(arrays_without_elements_are_run),
        cmocka_unit_test(one_tuple_of_every_coordinate_gives_a_scalar),
    };
    return cmocka_run_group_tests(tests, directory_enter, directory_leave);
}
