/* The output of the commands info, operators and version. */

#include <stdio.h>
#include <stdlib.h>

#include <strew/inspect.h>
#include <strew/operators.h>

#include "cli.h"
#include "system/system.h"
#include "test.h"

static const char *output_of(const char *line)
{
    const cli_outcome *outcome = cli_run(line);
    assert_string_equal(outcome->errors, "");
    assert_int_equal(outcome->exit_status, 0);
    return outcome->output;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *found = strstr(text, part); found; found = strstr(found + 1, part))
        count++;
    return count;
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is missing in:\n%s", part, text);
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

/* Each returns the text after one value of its kind, or NULL if the text does not begin with one. */
static const char *skip_value(const char *text);

static const char *skip_space(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

static const char *skip_string(const char *text)
{
    if (*text++ != '"')
        return NULL;
    for (; *text != '"'; text++) {
        if ((unsigned char)*text < 0x20)
            return NULL;
        if (*text == '\\' && !strchr("\"\\/bfnrtu", *++text))
            return NULL;
    }
    return text + 1;
}

static const char *skip_member(const char *text)
{
    text = skip_string(text);
    text = text ? skip_space(text) : "";
    return *text == ':' ? skip_value(text + 1) : NULL;
}

/* The items of an array or the members of an object, from its opening bracket to its closing one. */
static const char *skip_list(const char *text, char close, const char *(*skip_item)(const char *))
{
    text = skip_space(text + 1);
    if (*text == close)
        return text + 1;
    for (;;) {
        text = skip_item(skip_space(text));
        if (!text)
            return NULL;
        text = skip_space(text);
        if (*text == close)
            return text + 1;
        if (*text++ != ',')
            return NULL;
    }
}

/* The output has no numbers, true, false or null. */
static const char *skip_value(const char *text)
{
    text = skip_space(text);
    switch (*text) {
    case '{': return skip_list(text, '}', skip_member);
    case '[': return skip_list(text, ']', skip_value);
    default: return skip_string(text);
    }
}

static void info_in_json_is_one_well_formed_value(void **state)
{
    (void)state;
    const char *json = output_of("info --json");
    const char *end = skip_value(json);
    assert_non_null(end);
    assert_string_equal(skip_space(end), "");
}

/* A line for each slot: the name that a debugger shows. */
static void info_lists_the_kernels_by_name(void **state)
{
    (void)state;
    const char *const text = output_of("info --kernels");
    size_t lines = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1, lines++)
        assert_int_equal(strncmp(line, "strew_", 6), 0);
    assert_int_equal(lines, strew_kernel_count());
    assert_contains(text, "strew_gather_x32_");
}

static void info_in_json_names_every_instruction_set_and_kernel(void **state)
{
    (void)state;
    const char *json = output_of("info --json");
    char part[256];
    snprintf(part, sizeof part, "\"version\": \"%s\"", strew_version());
    assert_contains(json, part);
    assert_contains(json, "\"cpu\": \"");
    snprintf(part, sizeof part, "\"active\": \"%s\"", strew_isa_name(strew_isa_active()));
    assert_contains(json, part);
    for (unsigned i = STREW_ISA_BEST + 1; i < STREW_ISA_COUNT; i++) {
        const strew_isa isa = (strew_isa)i;
        snprintf(part, sizeof part, "\"%s\": \"%s\"", strew_isa_name(isa),
                 strew_isa_state_name(strew_isa_get_state(isa)));
        assert_contains(json, part);
    }
    strew_kernel_info kernel;
    for (size_t k = 0; strew_kernel_at(k, STREW_ISA_BEST, &kernel); k++) {
        snprintf(part, sizeof part, "{\"operation\": \"%s\", \"operand\": \"%s\", \"isa\": \"%s\"}",
                 kernel.operation, kernel.operand, strew_isa_name(kernel.isa));
        assert_int_equal(count_of(json, part), 1);
    }
    assert_int_equal(count_of(json, "\"operation\""), strew_kernel_count());
}

/* ---- Text ---------------------------------------------------------------------------------------- */

static void info_names_the_cpu_every_instruction_set_and_kernel(void **state)
{
    (void)state;
    const char *text = output_of("info");
    char cpu[256], part[512];
    strew_cpu_describe(cpu, sizeof cpu);
    snprintf(part, sizeof part, "strew %s\ncpu: %s\n", strew_version(), cpu);
    assert_memory_equal(text, part, strlen(part));
    for (unsigned i = STREW_ISA_BEST + 1; i < STREW_ISA_COUNT; i++) {
        const strew_isa isa = (strew_isa)i;
        snprintf(part, sizeof part, "\n  %-8s %s%s\n", strew_isa_name(isa),
                 strew_isa_state_name(strew_isa_get_state(isa)), isa == strew_isa_active() ? ", active" : "");
        assert_contains(text, part);
    }
    strew_kernel_info kernel;
    for (size_t k = 0; strew_kernel_at(k, STREW_ISA_BEST, &kernel); k++) {
        snprintf(part, sizeof part, "\n  %-20s ", kernel.operation);
        assert_int_equal(count_of(text, part), 1);
        const char *line = strstr(text, part);
        snprintf(part, sizeof part, "  %s: ", strew_isa_name(kernel.isa));
        const char *operands = strstr(line, part);
        snprintf(part, sizeof part, " %s", kernel.operand);
        assert_non_null(operands);
        assert_non_null(strstr(operands, part));
        assert_true(strstr(operands, part) < line + strcspn(line + 1, "\n") + 1);
    }
}

static void assert_tuned(const char *said, const char *expected)
{
    assert_true(system_set_variable("STREW_TUNING", said));
    assert_contains(output_of("info"), expected);
    assert_true(system_set_variable("STREW_TUNING", NULL));
}

static void info_tells_what_the_environment_says_to_tune_for(void **state)
{
    (void)state;
    assert_tuned("xeon", "; tuned as xeon\n");
    assert_tuned("zen", "; tuned as zen\n");
    assert_tuned("base=zen,reads_first=1", "; tuned as zen, changed by STREW_TUNING\n");
}

/* The environment wins over better sets. */
static void info_tells_the_instruction_set_that_the_environment_says(void **state)
{
    (void)state;
    const char *const set = getenv("STREW_ISA");
    char before[64], expected[64];
    snprintf(before, sizeof before, "%s", set ? set : "");
    for (unsigned i = STREW_ISA_BEST + 1; i < STREW_ISA_COUNT; i++) {
        if (strew_isa_get_state((strew_isa)i) != STREW_ISA_STATE_NATIVE)
            continue;
        assert_true(system_set_variable("STREW_ISA", strew_isa_name((strew_isa)i)));
        snprintf(expected, sizeof expected, "\"active\": \"%s\"", strew_isa_name((strew_isa)i));
        assert_contains(output_of("info --json"), expected);
    }
    assert_true(system_set_variable("STREW_ISA", set ? before : NULL));
}

/* It then uses the default one. */
static void info_tells_that_what_the_environment_says_is_no_tuning(void **state)
{
    (void)state;
    static const char *const texts[] = {"jump", "base=jump,reads_first=1", "base=zen,reads_first=2", "zen,jump=1"};
    char name[64];
    const char *const tuned = strstr(output_of("info"), "; tuned as ");
    assert_non_null(tuned);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(tuned, ",\n"), tuned);
    for (size_t t = 0; t < COUNT(texts); t++) {
        assert_tuned(texts[t], name);
        assert_tuned(texts[t], "; STREW_TUNING is refused: not a tuning\n");
    }
}

/* Each version has a paragraph of its own, which begins with its name. */
static void operators_tells_every_version(void **state)
{
    (void)state;
    const char *text = output_of("operators");
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        char title[128];
        snprintf(title, sizeof title, "%s (%s%s)\n", op->name, op->collection,
                 op->rules & STREW_RULE_DEPRECATED ? ", deprecated" : "");
        assert_int_equal(count_of(text, title), 1);
    }
    assert_int_equal(count_of(text, "(OpenVINO") + count_of(text, "(ONNX"), strew_operator_count());
}

static void operators_tells_what_a_version_takes(void **state)
{
    (void)state;
    static const char *const paragraphs[] = {
        "ScatterNDUpdate-15 (OpenVINO)\n"
        "  reductions   none sum sub prod min max\n"
        "  negative     counted from the end\n"
        "  indices      int32 int64\n",
        "GatherND-5 (OpenVINO)\n"
        "  batch_dims   default 0; flattened into one in the output\n"
        "  negative     refused\n"
        "  indices      int8 int16 int32 int64 uint8 uint16 uint32 uint64\n",
        "GatherND-11 (ONNX)\n"
        "  negative     counted from the end\n"
        "  indices      int64\n"
        "  data         bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
        "complex128 string\n",
        "Gather-7 (OpenVINO)\n"
        "  axis         required, an input: a number or an array\n"
        "  batch_dims   default 0\n"
        "  negative     refused\n"
        "  indices      int8 int16 int32 int64 uint8 uint16 uint32 uint64\n",
        "Gather-8 (OpenVINO)\n"
        "  axis         required, an input: a number or an array\n"
        "  batch_dims   default 0\n"
        "  negative     counted from the end\n"
        "  outside      zeros, unless --bounds is given\n"
        "  indices      int8 int16 int32 int64 uint8 uint16 uint32 uint64\n",
        "ScatterUpdate-3 (OpenVINO)\n"
        "  axis         required, an input: a number or an array\n"
        "  reductions   none\n"
        "  negative     refused\n",
        "SliceScatter-15 (OpenVINO)\n"
        "  reductions   none\n"
        "  slice        required, as four inputs\n"
        "  data         int8 ",
        "TensorScatter-24 (ONNX)\n"
        "  axis         default -2\n"
        "  reductions   none\n"
        "  circular     default false\n"
        "  negative     refused\n"
        "  indices      int64, or none\n",
        "EmbeddingBagOffsets-15 (OpenVINO)\n"
        "  reductions   sum mean\n"
        "  offsets      required, an input\n"
        "  weights      an input, or none\n"
        "  empty        zeros, or the row that --default-index names\n"
        "  negative     refused\n"
        "  indices      int32 int64\n",
        "EmbeddingSegmentsSum-3 (OpenVINO)\n"
        "  reductions   sum\n"
        "  segment_ids  required, an input\n"
        "  weights      an input, or none\n"
        "  segments     required: --segments\n"
        "  empty        zeros, or the row that --default-index names\n",
        "SegmentMax-16 (OpenVINO)\n"
        "  reductions   max\n"
        "  segment_ids  required, an input\n"
        "  segments     default one more than the last named\n"
        "  empty        required: --empty zero or lowest\n"
        "  beyond       dropped\n"
        "  negative     refused\n"
        "  segment_ids  int32 int64\n"
        "  data         int8 ",
        "Gather-1 (ONNX)\n"
        "  axis         default 0\n"
        "  negative     counted from the end\n"
        "  indices      int32 int64\n",
        "ScatterElements-18 (ONNX)\n"
        "  axis         default 0\n"
        "  reductions   none sum prod min max\n",
    };
    const char *text = output_of("operators");
    for (size_t i = 0; i < COUNT(paragraphs); i++)
        assert_contains(text, paragraphs[i]);
}

static void version_is_that_of_the_library(void **state)
{
    (void)state;
    char expected[64];
    snprintf(expected, sizeof expected, "strew %s\n", strew_version());
    assert_string_equal(output_of("--version"), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_in_json_is_one_well_formed_value),
        cmocka_unit_test(info_lists_the_kernels_by_name),
        cmocka_unit_test(info_in_json_names_every_instruction_set_and_kernel),
        cmocka_unit_test(info_names_the_cpu_every_instruction_set_and_kernel),
        cmocka_unit_test(info_tells_what_the_environment_says_to_tune_for),
        cmocka_unit_test(info_tells_the_instruction_set_that_the_environment_says),
        cmocka_unit_test(info_tells_that_what_the_environment_says_is_no_tuning),
        cmocka_unit_test(operators_tells_every_version),
        cmocka_unit_test(operators_tells_what_a_version_takes),
        cmocka_unit_test(version_is_that_of_the_library),
    };
    return cmocka_run_group_tests(tests, directory_enter, directory_leave);
}
