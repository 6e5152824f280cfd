/* Refusals of the command line: the message, the exit status, and no file left behind. */

#include <stdio.h>
#include <stdlib.h>

#include <strew/inspect.h>

#include "cli.h"
#include "system/system.h"
#include "test.h"

#define INTEGERS "int8, int16, int32, int64, uint8, uint16, uint32, uint64"
#define NUMBERS INTEGERS ", float16, bfloat16, float32, float64, complex64, complex128"

/* ---- Refused, exit status 1 ---------------------------------------------------------------------- */

static void write_files(void)
{
    cli_write("data.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(3, 2), (float[]){1, 2, 3, 4, 5, 6});
    cli_write("rows.npy", STREW_DTYPE_INT64, CLI_SHAPE(2, 1), (int64_t[]){2, 0});
    cli_write("updates.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(2, 2), (float[]){10, 20, 30, 40});
    cli_write("bad_rows.npy", STREW_DTYPE_INT64, CLI_SHAPE(2, 1), (int64_t[]){2, 3});
    cli_write("negative.npy", STREW_DTYPE_INT32, CLI_SHAPE(2, 1), (int32_t[]){0, -1});
    cli_write("unsigned.npy", STREW_DTYPE_UINT64, CLI_SHAPE(1, 1), (uint64_t[]){UINT64_MAX});
    cli_write("entries.npy", STREW_DTYPE_INT64, CLI_SHAPE(2, 2), (int64_t[]){0, 1, 1, 0});
    cli_write("wide.npy", STREW_DTYPE_INT64, CLI_SHAPE(1, 3), (int64_t[]){0, 0, 0});
    cli_write("integers.npy", STREW_DTYPE_INT32, CLI_SHAPE(2, 2), (int32_t[]){1, 2, 3, 4});
    cli_write("complex.npy", STREW_DTYPE_COMPLEX64, CLI_SHAPE(3, 2), (float[12]){1});
    cli_write("complex_updates.npy", STREW_DTYPE_COMPLEX64, CLI_SHAPE(2, 2), (float[8]){1});
    cli_write("bool.npy", STREW_DTYPE_BOOL, CLI_SHAPE(3, 2), "\0\1\0\1\0\1");
    cli_write("opaque.npy", STREW_DTYPE_OPAQUE(3), CLI_SHAPE(3, 2), "abcdefghijklmnopqr");
    cli_write("two_axes.npy", STREW_DTYPE_INT64, CLI_SHAPE(2), (int64_t[]){0, 1});
    cli_write("half_axis.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(1), (float[]){0.5F});
    cli_write("far_axis.npy", STREW_DTYPE_UINT64, CLI_SHAPE(1), (uint64_t[]){UINT64_MAX});
    cli_write("one.npy", STREW_DTYPE_INT8, CLI_SHAPE(1), (int8_t[]){1});
    cli_write_strings("strings.npy", 'S', 3, 1, &(strew_string){"abc", 3});
    cli_write_strings("wide_strings.npy", 'U', 4, 1, &(strew_string){"a\0\0\0", 4});
    cli_write("nothing.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(0, 2), NULL);
    cli_write("halves.npy", STREW_DTYPE_UINT16, CLI_SHAPE(1), (uint16_t[]){0x3f80});
    cli_write("zero.npy", STREW_DTYPE_INT64, CLI_SHAPE(1), (int64_t[]){0});
    cli_write("falling.npy", STREW_DTYPE_INT64, CLI_SHAPE(2), (int64_t[]){1, 0});
    cli_write("rising.npy", STREW_DTYPE_INT64, CLI_SHAPE(2), (int64_t[]){0, 1});
    cli_write("ids.npy", STREW_DTYPE_INT32, CLI_SHAPE(3), (int32_t[]){0, 0, 2});
    cli_write_bytes("text.npy", "This is not an array of numbers.", 32);
}

#define FLOAT8 "float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz and float8e8m0"

#define GATHER_ROWS "--data data.npy --indices rows.npy"
#define SCATTER_ROWS GATHER_ROWS " --updates updates.npy"
#define GATHER_ENTRIES "--data data.npy --indices entries.npy"
#define SCATTER_ENTRIES GATHER_ENTRIES " --updates updates.npy"

static const struct refused_line {
    const char *line, *error;
} refused_lines[] = {
    {"GatherND --batch-dims 2 " GATHER_ROWS, "invalid_argument: batch_dims is 2, outside [0, 1]"},
    {"GatherElements --axis 2 " GATHER_ENTRIES, "invalid_argument: axis is 2, outside [-2, 1]"},
    {"GatherElements --axis far_axis.npy " GATHER_ENTRIES,
     "invalid_argument: axis is 9223372036854775807, outside [-2, 1]"},

    {"GatherElements --axis two_axes.npy " GATHER_ENTRIES, "shape_mismatch: axis has 2 elements; one is needed"},
    {"GatherND --data data.npy --indices wide.npy",
     "shape_mismatch: the tuples of indices have 3 coordinates; data takes at most 2"},
    {"GatherElements --data data.npy --indices wide.npy",
     "shape_mismatch: dimension 1 of indices is 3; off the axis it is at most 2, as in data"},
    {"ScatterND " GATHER_ROWS " --updates data.npy",
     "shape_mismatch: dimension 0 of updates is 3; 2 is needed to fit indices"},

    {"ScatterND " GATHER_ROWS " --updates integers.npy",
     "dtype_mismatch: updates is int32; float32 is needed, as in data"},
    {"ScatterND --dtype bfloat16 " SCATTER_ROWS,
     "dtype_mismatch: data.npy: elements of float32 cannot be read as the bits of bfloat16"},
    {"GatherND-8 --dtype float8e5m2 --data unsigned.npy --indices rows.npy",
     "dtype_mismatch: unsigned.npy: elements of uint64 cannot be read as the bits of float8e5m2"},
    {"GatherND-8 --dtype bfloat16 --data unsigned.npy --indices rows.npy",
     "dtype_mismatch: unsigned.npy: elements of uint64 cannot be read as the bits of bfloat16"},
    {"ScatterElements --data strings.npy --indices zero.npy --updates wide_strings.npy",
     "dtype_mismatch: updates holds strings of kind U; S is needed, as in data"},

    {"ScatterND --data data.npy --indices negative.npy --updates updates.npy",
     "unsupported_dtype: indices is int32; this operator takes int64"},
    {"GatherND --data data.npy --indices data.npy",
     "unsupported_dtype: indices is float32; this operator takes int64"},
    {"GatherElements --axis half_axis.npy " GATHER_ENTRIES,
     "unsupported_dtype: axis is float32; this operator takes " INTEGERS},
    {"ScatterNDUpdate-3 --data bool.npy --indices rows.npy --updates updates.npy",
     "unsupported_dtype: data is bool; this operator takes " NUMBERS},
    {"GatherND --data opaque.npy --indices rows.npy",
     "unsupported_dtype: data is opaque of 3 bytes; this operator takes bool, " NUMBERS ", string"},

    {"ScatterND --reduction max --data complex.npy --indices rows.npy --updates complex_updates.npy",
     "unsupported_reduction: max is not defined for complex64"},

    {"GatherND --data data.npy --indices bad_rows.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"ScatterND --data data.npy --indices bad_rows.npy --updates updates.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"ScatterND --in-place --threads 2 --data data.npy --indices bad_rows.npy --updates updates.npy",
#ifdef STREW_WITH_PTHREADPOOL
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
#else
     "invalid_argument: --threads is 2, and this program was built without threads"},
#endif
    {"GatherND-8 --data data.npy --indices negative.npy",
     "index_out_of_bounds: indices[1][0] is -1, outside [0, 2] for dimension 0 of data"},
    {"GatherND-8 --data data.npy --indices unsigned.npy",
     "index_out_of_bounds: indices[0][0] is 18446744073709551615, outside [0, 2] for dimension 0 of data"},

    {"Gather-7 --axis 0 --data data.npy --indices negative.npy",
     "index_out_of_bounds: indices[1][0] is -1, outside [0, 2] for dimension 0 of data"},
    {"OpenVINO:Gather-1 --axis one.npy --data data.npy --indices rows.npy",
     "index_out_of_bounds: indices[0][0] is 2, outside [0, 1] for dimension 1 of data"},
    {"ONNX:Gather-1 --data data.npy --indices bad_rows.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"Gather-8 --axis 0 --bounds refuse --data data.npy --indices bad_rows.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"Gather-8 --axis 0 --bounds stop --data data.npy --indices bad_rows.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"ScatterND --bounds refuse --data data.npy --indices bad_rows.npy --updates updates.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"ScatterND --bounds stop --data data.npy --indices bad_rows.npy --updates updates.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"ScatterND --bounds stop --in-place --data data.npy --indices bad_rows.npy --updates updates.npy",
     "index_out_of_bounds: indices[1][0] is 3, outside [-3, 2] for dimension 0 of data"},
    {"GatherND --bounds clamp --data nothing.npy --indices zero.npy",
     "index_out_of_bounds: indices[0] is 0, and dimension 0 of data is empty"},

    {"GatherND --bounds skip --fill half_axis.npy --data integers.npy --indices rows.npy",
     "dtype_mismatch: fill is float32; int32 is needed, as in data"},
    {"GatherND --bounds skip --fill two_axes.npy " GATHER_ROWS,
     "shape_mismatch: fill has 2 elements; one is needed"},
    {"GatherND --bounds skip --fill nowhere.npy " GATHER_ROWS,
     "io_error: nowhere.npy: cannot open: No such file or directory"},
    {"GatherND --bounds skip --fill wide_strings.npy --data strings.npy --indices zero.npy",
     "dtype_mismatch: fill holds strings of kind U; S is needed, as in data"},
    {"GatherND --bounds skip --fill 0 --data strings.npy --indices zero.npy",
     "unsupported_dtype: --fill takes no number for data of string, only a .npy file"},
    {"GatherND --bounds skip --fill 0 --dtype bfloat16 --data halves.npy --indices zero.npy",
     "unsupported_dtype: --fill takes no number for data of bfloat16, only a .npy file"},
    {"GatherND --bounds skip --fill 0.5 --data integers.npy --indices zero.npy",
     "invalid_argument: --fill is 0.5, which int32 does not hold"},
    {"GatherND --bounds skip --fill 2147483648 --data integers.npy --indices zero.npy",
     "invalid_argument: --fill is 2147483648, which int32 does not hold"},
    {"GatherND --bounds skip --fill -2147483649 --data integers.npy --indices zero.npy",
     "invalid_argument: --fill is -2147483649, which int32 does not hold"},
    {"GatherND --bounds skip --fill -1 --data unsigned.npy --indices zero.npy",
     "invalid_argument: --fill is -1, which uint64 does not hold"},
    {"GatherND --bounds skip --fill 18446744073709551616 --data unsigned.npy --indices zero.npy",
     "invalid_argument: --fill is 18446744073709551616, which uint64 does not hold"},
    {"GatherND --bounds skip --fill 2 --data bool.npy --indices zero.npy",
     "invalid_argument: --fill is 2, which bool does not hold"},
    {"GatherND --bounds skip --fill 1e39 " GATHER_ROWS,
     "invalid_argument: --fill is 1e39, which float32 does not hold"},
    {"GatherND --fill 1 " GATHER_ROWS, "invalid_argument: --fill needs --bounds skip: nothing else writes it"},
    {"Gather-8 --axis 0 --bounds refuse --fill 1 " GATHER_ROWS,
     "invalid_argument: --fill needs --bounds skip: nothing else writes it"},
    {"ScatterND --bounds skip --fill 1 " SCATTER_ROWS,
     "invalid_argument: ScatterND-18 takes no --fill, which is for gathers"},
    {"GatherND --bounds raise " GATHER_ROWS,
     "invalid_argument: there is no policy for indices out of bounds 'raise'; there are refuse, stop, skip, clamp "
     "and wrap"},

    {"GatherND --data nowhere.npy --indices rows.npy",
     "io_error: nowhere.npy: cannot open: No such file or directory"},
    {"GatherND --data data.npy --indices nowhere.npy",
     "io_error: nowhere.npy: cannot open: No such file or directory"},
    {"ScatterND " GATHER_ROWS " --updates nowhere.npy",
     "io_error: nowhere.npy: cannot open: No such file or directory"},
    {"GatherElements --axis nowhere.npy " GATHER_ENTRIES,
     "io_error: nowhere.npy: cannot open: No such file or directory"},
    {"GatherND --data text.npy --indices rows.npy",
     "io_error: text.npy: not a .npy file: it does not begin with \\x93NUMPY"},

    {"ScatterND-17 " SCATTER_ROWS,
     "invalid_argument: there is no operator 'ScatterND-17'; there are ScatterND-11, ScatterND-13, ScatterND-16 "
     "and ScatterND-18"},
    {"GatherElements-x " GATHER_ROWS,
     "invalid_argument: there is no operator 'GatherElements-x'; there are GatherElements-6, GatherElements-11 and "
     "GatherElements-13"},
    {"GatherNd " GATHER_ROWS,
     "invalid_argument: there is no operator 'GatherNd'; there are ScatterNDUpdate, ScatterElementsUpdate, "
     "GatherND, GatherElements, Gather, ScatterUpdate, "
     "SliceScatter, EmbeddingBagOffsets, EmbeddingBagOffsetsSum, EmbeddingBagPacked, EmbeddingBagPackedSum, "
     "EmbeddingSegmentsSum, SegmentMax, Scatter, ScatterElements, ScatterND and TensorScatter, and their versions"},
    {"ONNX:Gather-2 " GATHER_ROWS,
     "invalid_argument: there is no operator 'ONNX:Gather-2'; there are Gather-1, Gather-11 and Gather-13"},
    {"Gather-2 " GATHER_ROWS,
     "invalid_argument: there is no operator 'Gather-2'; there are Gather-1, Gather-7, Gather-8, Gather-11 and "
     "Gather-13"},
    {"ONNX:ScatterUpdate " GATHER_ROWS,
     "invalid_argument: there is no operator 'ONNX:ScatterUpdate'; there are ScatterNDUpdate, "
     "ScatterElementsUpdate, GatherND, GatherElements, Gather, ScatterUpdate, SliceScatter, "
     "EmbeddingBagOffsets, EmbeddingBagOffsetsSum, EmbeddingBagPacked, EmbeddingBagPackedSum, "
     "EmbeddingSegmentsSum, SegmentMax, Scatter, "
     "ScatterElements, ScatterND and TensorScatter, and their versions"},
    {"ScatterND --reduction median " SCATTER_ROWS,
     "invalid_argument: there is no reduction 'median'; there are none, sum, sub, prod, min, max and mean"},
    {"ScatterND --dtype float31 " SCATTER_ROWS,
     "invalid_argument: there is no dtype 'float31'; there are bool, int8, int16, int32, int64, uint8, uint16, "
     "uint32, uint64, "
     "float16, bfloat16, float32, float64, complex64, complex128, string, " FLOAT8},
    {"ScatterND --dtype int4 " SCATTER_ROWS,
     "unsupported_dtype: int4 is packed, and the elements of .npy files are not"},
    {"ScatterND --isa mmx " SCATTER_ROWS,
     "invalid_argument: there is no instruction set 'mmx'; there are best, scalar, avx2, avx512 and neon"},
    {"ScatterND " GATHER_ROWS, "invalid_argument: ScatterND-18 needs --updates"},
    {"GatherND --data data.npy", "invalid_argument: GatherND-13 needs --indices"},
    {"SliceScatter --data data.npy --updates updates.npy",
     "invalid_argument: SliceScatter-15 needs --slice, for which it has no default"},
    {"SliceScatter --slice : " SCATTER_ROWS, "invalid_argument: indices was given, and this operator takes none"},
    {"SliceScatter --slice ::0 --data data.npy --updates updates.npy",
     "invalid_argument: the step of slice along dimension 0 is 0"},
    {"SliceScatter --slice 0:1,:,: --data data.npy --updates updates.npy",
     "invalid_argument: slice is 3, outside [0, 2]"},
    {"SliceScatter --slice 1:1 --data data.npy --updates updates.npy",
     "shape_mismatch: dimension 0 of updates is 2; 0 is needed to fit data"},
    {"TensorScatter --slice : " SCATTER_ROWS,
     "invalid_argument: TensorScatter-24 takes no --slice; of attributes it takes --axis, --reduction and "
     "--circular"},
    {"EmbeddingBagOffsets --data data.npy --indices rising.npy",
     "invalid_argument: EmbeddingBagOffsets-15 needs --offsets, for which it has no default"},
    {"EmbeddingBagOffsets --offsets rising.npy --segment-ids rising.npy --data data.npy --indices rising.npy",
     "invalid_argument: EmbeddingBagOffsets-15 takes no --segment-ids; of attributes it takes --reduction, "
     "--offsets, "
     "--weights and --default-index"},
    {"EmbeddingBagPacked --data data.npy --indices entries.npy --updates updates.npy",
     "invalid_argument: EmbeddingBagPacked-15 takes no --updates, which is for scatters"},
    {"EmbeddingBagPacked --bounds skip --fill 1 --data data.npy --indices entries.npy",
     "invalid_argument: EmbeddingBagPacked-15 takes no --fill: what it skips is left out"},
    {"EmbeddingBagPacked --reduction mean --weights updates.npy --data data.npy --indices entries.npy",
     "invalid_argument: weights were given beside a mean, which takes none"},
    {"EmbeddingBagPacked --reduction max --data data.npy --indices entries.npy",
     "unsupported_reduction: EmbeddingBagPacked-15 takes no --reduction max, only sum or mean"},
    {"EmbeddingBagPacked --weights integers.npy --data data.npy --indices entries.npy",
     "dtype_mismatch: weights is int32; float32 is needed, as in data"},
    {"EmbeddingBagPacked --dtype bfloat16 --weights updates.npy --data halves.npy --indices entries.npy",
     "dtype_mismatch: updates.npy: elements of float32 cannot be read as the bits of bfloat16"},
    {"EmbeddingBagPacked --weights nowhere.npy --data data.npy --indices entries.npy",
     "io_error: nowhere.npy: cannot open: No such file or directory"},
    {"EmbeddingBagOffsets --offsets falling.npy --data data.npy --indices rising.npy",
     "invalid_argument: offsets[1] is 0, less than the 1 before it"},
    {"EmbeddingBagOffsets --offsets nowhere.npy --data data.npy --indices rising.npy",
     "io_error: nowhere.npy: cannot open: No such file or directory"},
    {"EmbeddingBagOffsets --default-index 3 --offsets rising.npy --data data.npy --indices rising.npy",
     "invalid_argument: default_index is 3, outside [-1, 2]"},
    {"EmbeddingSegmentsSum --segment-ids rising.npy --data data.npy --indices rising.npy",
     "invalid_argument: EmbeddingSegmentsSum-3 needs --segments, for which it has no default"},
    {"EmbeddingSegmentsSum --segments 1 --segment-ids rising.npy --data data.npy --indices rising.npy",
     "index_out_of_bounds: segment_ids[1] is 1, outside [0, 0] for dimension 0 of output"},
    {"EmbeddingSegmentsSum --default-index -1 --segments 2 --segment-ids rising.npy --data data.npy "
     "--indices rising.npy",
     "invalid_argument: default_index is -1, outside [0, 2]"},
    {"SegmentMax --segment-ids ids.npy --data data.npy",
     "invalid_argument: SegmentMax-16 needs --empty, for which it has no default"},
    {"SegmentMax --empty none --segment-ids ids.npy --data data.npy",
     "invalid_argument: there is no filling of empty segments 'none'; there are zero and lowest"},
    {"SegmentMax --empty zero --segment-ids ids.npy --data data.npy --indices ids.npy",
     "invalid_argument: indices was given, and this operator takes none"},
    {"SegmentMax --empty zero --segment-ids rising.npy --data data.npy",
     "shape_mismatch: dimension 0 of segment_ids is 2; 3 is needed to fit data"},
    {"SegmentMax --empty zero --segment-ids falling.npy --data updates.npy",
     "invalid_argument: segment_ids[1] is 0, less than the 1 before it"},
    {"SegmentMax --empty zero --segment-ids half_axis.npy --data one.npy",
     "unsupported_dtype: segment_ids is float32; this operator takes int32, int64"},
    {"GatherND --weights updates.npy " GATHER_ROWS,
     "invalid_argument: GatherND-13 takes no --weights; of attributes it takes --batch-dims"},
    {"GatherND " SCATTER_ROWS, "invalid_argument: GatherND-13 takes no --updates, which is for scatters"},
    {"GatherND --in-place " GATHER_ROWS,
     "invalid_argument: GatherND-13 takes no --in-place, which is for scatters"},
    {"GatherND-11 --batch-dims 0 " GATHER_ROWS,
     "invalid_argument: GatherND-11 takes no --batch-dims; of attributes it takes none"},
    {"ScatterND --axis 0 " SCATTER_ROWS,
     "invalid_argument: ScatterND-18 takes no --axis; of attributes it takes --reduction"},
    {"ScatterElements --no-init-val " SCATTER_ENTRIES,
     "invalid_argument: ScatterElements-18 takes no --no-init-val; of attributes it takes --axis and --reduction"},
    {"GatherElements-6 " GATHER_ENTRIES,
     "invalid_argument: GatherElements-6 needs --axis, for which it has no default"},
    {"ScatterElementsUpdate " SCATTER_ENTRIES,
     "invalid_argument: ScatterElementsUpdate-12 needs --axis, for which it has no default"},
    {"ScatterND-16 --reduction min " SCATTER_ROWS,
     "unsupported_reduction: ScatterND-16 takes no --reduction min, only none, sum or prod"},
    {"ScatterND --reduction mean " SCATTER_ROWS,
     "unsupported_reduction: ScatterND-18 takes no --reduction mean, only none, sum, prod, min or max"},
    {"ScatterND-11 --reduction add " SCATTER_ROWS,
     "unsupported_reduction: ScatterND-11 takes no --reduction add, only none"},
};

static void check_refused(const char *line, const char *error)
{
    char whole_line[512], whole_error[1024];
    snprintf(whole_line, sizeof whole_line, "run %s -o out.npy", line);
    snprintf(whole_error, sizeof whole_error, "strew: error: %s\n", error);
    const cli_outcome *outcome = cli_run(whole_line);
    assert_string_equal(outcome->errors, whole_error);
    assert_string_equal(outcome->output, "");
    assert_int_equal(outcome->exit_status, 1);
    assert_false(cli_file_exists("out.npy"));
}

static void every_refusal_is_one_line_and_leaves_no_output(void **state)
{
    (void)state;
    write_files();
    for (size_t i = 0; i < COUNT(refused_lines); i++)
        check_refused(refused_lines[i].line, refused_lines[i].error);
}

static void a_refusal_leaves_an_older_output_as_it_was(void **state)
{
    (void)state;
    write_files();
    const int32_t older[] = {42};
    cli_write("older.npy", STREW_DTYPE_INT32, CLI_SHAPE(1), older);
    const cli_outcome *outcome = cli_run("run GatherND --data data.npy --indices bad_rows.npy -o older.npy");
    assert_int_equal(outcome->exit_status, 1);
    cli_expect("older.npy", STREW_DTYPE_INT32, CLI_SHAPE(1), older);
}

/* Tuples of no coordinates, 2^54 of them: a small file, and each names all of data. */
static void an_output_beyond_memory_is_out_of_memory(void **state)
{
    (void)state;
    static const char expected[] = "strew: error: out_of_memory: there is not enough memory for the output\n";
    if (PTRDIFF_MAX == INT32_MAX) {
        print_message("32 bits count nothing that is beyond all memory\n");
        skip();
    }
    write_files();
    cli_write("endless.npy", STREW_DTYPE_INT64, CLI_SHAPE(INT64_C(1) << 54, 0), NULL);
    const cli_outcome *outcome = cli_run("run GatherND --data one.npy --indices endless.npy -o out.npy");
    const size_t length = strlen(outcome->errors), before = length - (sizeof expected - 1);
    assert_in_range(length, sizeof expected - 1, sizeof outcome->errors);
    assert_string_equal(outcome->errors + before, expected); /* after the output of a sanitizer */
    assert_int_equal(outcome->exit_status, 1);
    assert_false(cli_file_exists("out.npy"));
}

static void an_output_that_cannot_be_created_is_an_io_error(void **state)
{
    (void)state;
    write_files();
    const cli_outcome *outcome = cli_run("run GatherND " GATHER_ROWS " -o nowhere/out.npy");
    assert_string_equal(outcome->errors,
                        "strew: error: io_error: nowhere/out.npy: cannot create: No such file or directory\n");
    assert_int_equal(outcome->exit_status, 1);
    outcome = cli_run("run GatherND " GATHER_ROWS " -o .");
    char line[128];
    snprintf(line, sizeof line, "strew: error: io_error: .: cannot create: %s\n", strerror(system_directory_error));
    assert_string_equal(outcome->errors, line);
    assert_int_equal(outcome->exit_status, 1);
}

/* Skipped where all of them run, natively or emulated. */
static void instruction_sets_that_cannot_run_are_refused(void **state)
{
    (void)state;
    size_t refused = 0;
    write_files();
    for (unsigned i = STREW_ISA_BEST + 1; i < STREW_ISA_COUNT; i++) {
        char line[128], error[128];
        const char *name = strew_isa_name((strew_isa)i);
        if (strew_isa_get_state((strew_isa)i) >= STREW_ISA_STATE_EMULATED)
            continue;
        snprintf(line, sizeof line, "GatherND --isa %s " GATHER_ROWS, name);
        snprintf(error, sizeof error, "invalid_argument: the instruction set %s (%d) cannot run here", name,
                 (int)i);
        check_refused(line, error);
        refused++;
    }
    if (refused == 0)
        skip();
}

/* ---- Damaged files ------------------------------------------------------------------------------- */

static const char header[] = "\x93NUMPY\x01\x00\x37\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";

enum { HEADER = sizeof header - 1, ELEMENTS = 2 * sizeof(float) };

static const char damaged_run[] = "run GatherND --data damaged.npy --indices zero.npy -o out.npy";

/* A good file, and the same cut in its magic, version, header length, header and elements. */
static void files_that_are_cut_are_io_errors(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 5, 7, 9, 10, 40, HEADER, HEADER + 6};
    char file[HEADER + ELEMENTS] = {0};
    write_files();
    memcpy(file, header, HEADER);
    cli_write_bytes("damaged.npy", file, sizeof file);
    assert_int_equal(cli_run(damaged_run)->exit_status, 0);
    cli_remove("out.npy");
    for (size_t i = 0; i < COUNT(lengths); i++) {
        cli_write_bytes("damaged.npy", file, lengths[i]);
        const cli_outcome *outcome = cli_run(damaged_run);
        assert_memory_equal(outcome->errors, "strew: error: io_error: damaged.npy: ", 37);
        assert_int_equal(outcome->exit_status, 1);
        assert_false(cli_file_exists("out.npy"));
    }
}

/* ---- Wrong command lines, exit status 2 ---------------------------------------------------------- */

#define RUN_OPTIONS                                                                                          \
    "--data, --indices, --updates, --axis, --batch-dims, --reduction, --no-init-val, --circular, --slice, "  \
    "--offsets, --segment-ids, --weights, --segments, --default-index, --empty, --bounds, --fill, --dtype, " \
    "--isa, --threads, --in-place, --output, --explain and --help"

/* The command, whose help the hint names, the words after it, and the error. */
static const struct wrong_line {
    const char *command, *rest, *error;
} wrong_lines[] = {
    {"", "", "a command is needed: run, info, operators or tune"},
    {"", "jump", "there is no command 'jump'; there are run, info, operators and tune"},
    {"", "help jump", "there is no command 'jump'; there are run, info, operators and tune"},
    {"", "--help jump", "there is no command 'jump'; there are run, info, operators and tune"},
    {"", "help run info", "help takes one command, and got 'run' and 'info'"},
    {"", "--jump",
     "strew has no option --jump; it takes --help and --version, or a command: run, info, operators or tune"},
    {"", "-x", "strew has no option -x; it takes --help and --version, or a command: run, info, operators or tune"},
    {"", "--version run", "--version takes nothing more, and got 'run'"},

    {"run", "", "run needs OPERATOR, --data and --output"},
    {"run", GATHER_ROWS " -o out.npy", "run needs OPERATOR"},
    {"run", "GatherND --indices rows.npy -o out.npy", "run needs --data"},
    {"run", "GatherND " GATHER_ROWS, "run needs --output"},
    {"run", "GatherND --indices data.npy", "run needs --data and --output"},
    {"run", "GatherND Scatter " GATHER_ROWS " -o out.npy",
     "run takes one OPERATOR, and got 'GatherND' and 'Scatter'"},
    {"info", "all", "info takes no operand, and got 'all'"},
    {"info", "-- --help", "info takes no operand, and got '--help'"},
    {"operators", "all", "operators takes no operand, and got 'all'"},

    {"run", "GatherND " GATHER_ROWS " -o out.npy --jump", "run has no option --jump; it takes " RUN_OPTIONS},
    {"run", "GatherND --jump=3 " GATHER_ROWS " -o out.npy", "run has no option --jump; it takes " RUN_OPTIONS},
    {"run", "GatherND " GATHER_ROWS " -x -o out.npy", "run has no option -x; it takes " RUN_OPTIONS},
    {"run", "GatherND " GATHER_ROWS " -xo out.npy", "run has no option -x; it takes " RUN_OPTIONS},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --json", "run has no option --json; it takes " RUN_OPTIONS},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --in", "--in may be --indices or --in-place"},
    {"info", "--xml", "info has no option --xml; it takes --json, --kernels and --help"},
    {"operators", "-x", "operators has no option -x; it takes --help"},

    {"run", "GatherND " GATHER_ROWS " -o", "--output lacks its value (FILE)"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --axis", "--axis lacks its value (N|FILE)"},
    {"run", "GatherND --data --indices rows.npy -o out.npy", "--data lacks its value (FILE) before --indices"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --in-place=yes", "--in-place takes no value"},
    {"info", "--json=yes", "--json takes no value"},
    {"info", "--help=yes", "--help takes no value"},

    {"run", "GatherND " GATHER_ROWS " --data rows.npy -o out.npy",
     "--data takes one value, and got 'data.npy' and 'rows.npy'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --output=out.npy",
     "--output takes one value, and got 'out.npy' and 'out.npy'"},
    {"run", "ScatterND --in-place --in-place " SCATTER_ROWS " -o out.npy", "--in-place was given twice"},
    {"info", "--json --json", "--json was given twice"},

    {"run", "GatherND " GATHER_ROWS " -o out.npy --batch-dims one", "--batch-dims takes an integer, and got 'one'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --batch-dims=", "--batch-dims takes an integer, and got ''"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --threads 0",
     "--threads takes an integer from 1 to 2147483647, and got '0'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --threads -1",
     "--threads takes an integer from 1 to 2147483647, and got '-1'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --threads 2x",
     "--threads takes an integer from 1 to 2147483647, and got '2x'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --threads 2147483648",
     "--threads takes an integer from 1 to 2147483647, and got '2147483648'"},
    {"run", "GatherElements " GATHER_ENTRIES " -o out.npy --axis x",
     "--axis takes an integer or a .npy file, and got 'x'"},
    {"run", "GatherElements " GATHER_ENTRIES " -o out.npy --axis 1.5",
     "--axis takes an integer or a .npy file, and got '1.5'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --bounds skip --fill zero",
     "--fill takes a number or a .npy file, and got 'zero'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --bounds skip --fill=",
     "--fill takes a number or a .npy file, and got ''"},
    {"run", "SliceScatter --data data.npy --updates updates.npy -o out.npy --slice 1",
     "--slice takes START:STOP:STEP of each dimension, with commas, and got '1'"},
    {"run", "SliceScatter --data data.npy --updates updates.npy -o out.npy --slice=",
     "--slice takes START:STOP:STEP of each dimension, with commas, and got ''"},
    {"run", "SliceScatter --data data.npy --updates updates.npy -o out.npy --slice 1:2,",
     "--slice takes START:STOP:STEP of each dimension, with commas, and got '1:2,'"},
    {"run", "SliceScatter --data data.npy --updates updates.npy -o out.npy --slice 1:2:3:4",
     "--slice takes START:STOP:STEP of each dimension, with commas, and got '1:2:3:4'"},
    {"run", "SliceScatter --data data.npy --updates updates.npy -o out.npy --slice 1:9223372036854775808",
     "--slice takes START:STOP:STEP of each dimension, with commas, and got '1:9223372036854775808'"},
    {"run", "SegmentMax --empty zero --segment-ids ids.npy --data data.npy -o out.npy --segments -1",
     "--segments takes an integer from 0 on, and got '-1'"},
    {"run", "SegmentMax --empty zero --segment-ids ids.npy --data data.npy -o out.npy --segments many",
     "--segments takes an integer from 0 on, and got 'many'"},
    {"run",
     "EmbeddingBagOffsets --offsets rising.npy --data data.npy --indices rising.npy -o out.npy --default-index 1.5",
     "--default-index takes an integer, and got '1.5'"},
    {"run", "GatherND " GATHER_ROWS " -o out.npy --bounds", "--bounds lacks its value (NAME)"},
};

static void check_wrong(const char *command, const char *rest, const char *status, const char *error)
{
    char line[512], expected[1024];
    const char *space = *command ? " " : "";
    snprintf(line, sizeof line, "%s%s%s", command, space, rest);
    snprintf(expected, sizeof expected, "strew: error: %s: %s\nTry 'strew %s%s--help'.\n", status, error, command,
             space);
    const cli_outcome *outcome = cli_run(line);
    assert_string_equal(outcome->errors, expected);
    assert_string_equal(outcome->output, "");
    assert_int_equal(outcome->exit_status, 2);
    assert_false(cli_file_exists("out.npy"));
}

static void wrong_command_lines_exit_with_2_and_a_hint(void **state)
{
    (void)state;
    write_files();
    for (size_t i = 0; i < COUNT(wrong_lines); i++)
        check_wrong(wrong_lines[i].command, wrong_lines[i].rest, "invalid_argument", wrong_lines[i].error);
}

/* The refusal comes before any file is read. */
static void a_wrong_command_line_reads_no_file(void **state)
{
    (void)state;
    check_wrong("run", "GatherND --data nowhere.npy --indices nowhere.npy --threads none -o out.npy",
                "invalid_argument", "--threads takes an integer from 1 to 2147483647, and got 'none'");
}

/* Running out of memory is an answer here, also where a sanitizer would rather end the process. */
static int enter_directory(void **state)
{
    const bool is_set =
        getenv("ASAN_OPTIONS") || system_set_variable("ASAN_OPTIONS", "allocator_may_return_null=1");
    return is_set ? directory_enter(state) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_refusal_is_one_line_and_leaves_no_output),
        cmocka_unit_test(a_refusal_leaves_an_older_output_as_it_was),
        cmocka_unit_test(an_output_beyond_memory_is_out_of_memory),
        cmocka_unit_test(an_output_that_cannot_be_created_is_an_io_error),
        cmocka_unit_test(instruction_sets_that_cannot_run_are_refused),
        cmocka_unit_test(files_that_are_cut_are_io_errors),
        cmocka_unit_test(wrong_command_lines_exit_with_2_and_a_hint),
        cmocka_unit_test(a_wrong_command_line_reads_no_file),
    };
    return cmocka_run_group_tests(tests, enter_directory, directory_leave);
}
