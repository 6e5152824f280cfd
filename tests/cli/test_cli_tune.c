/* strew tune, with little memory and as briefly as possible. Its results depend on the machine. */
#include <stdio.h>

#include "cli.h"
#include "system/system.h"
#include "test.h"

static const char *output_of(const char *line)
{
    const cli_outcome *outcome = cli_run(line);
    assert_int_equal(outcome->exit_status, 0);
    if (*outcome->errors) /* a note about threads without cores */
        assert_memory_equal(outcome->errors, "strew: note: ", 13);
    return outcome->output;
}

static void the_line_is_one_that_the_library_takes(void **state)
{
    (void)state;
    static const char variable[] = "STREW_TUNING=";
    char line[4096];
    const char *const output = output_of("tune --seconds 0 --memory 12");
    assert_in_range(strlen(output), 1, sizeof line - 1);
    strcpy(line, output);
    assert_memory_equal(line, "STREW_TUNING=base=", 18);
    assert_int_equal(strcspn(line, "\n"), strlen(line) - 1);
    line[strlen(line) - 1] = '\0';
    assert_true(system_set_variable("STREW_TUNING", line + strlen(variable)));
    const char *const info = output_of("info");
    assert_non_null(strstr(info, "; tuned as "));
    assert_null(strstr(info, "refused"));
    assert_true(system_set_variable("STREW_TUNING", NULL));
}

static void times_stand_before_the_line(void **state)
{
    (void)state;
    const char *text = output_of("tune --seconds 0 --memory 12 --explain");
    size_t times = 0;
    for (; *text == '#'; text += strcspn(text, "\n") + 1) {
        assert_non_null(strstr(text, " us"));
        times++;
    }
    assert_in_range(times, 4, 100);
    assert_memory_equal(text, "STREW_TUNING=", 13);
}

static void the_source_is_c(void **state)
{
    (void)state;
    const char *const text = output_of("tune --seconds 0 --memory 12 --source");
    assert_non_null(strstr(text, "static const strew_tuning NAME = {\n"));
    assert_non_null(strstr(text, "\n    .least_partitioned = "));
    assert_non_null(strstr(text, "\n};\n"));
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "tune --seconds x",
        "tune --seconds -1",
        "tune --seconds 3601",
        "tune --seconds 1.5",
        "tune --memory 11",
        "tune --memory 12M",
        "tune --memory 99999999999999999999",
        "tune --seconds",
        "tune --json",
        "tune all",
    };
    for (size_t l = 0; l < COUNT(lines); l++) {
        const cli_outcome *outcome = cli_run(lines[l]);
        assert_int_equal(outcome->exit_status, 2);
        assert_string_equal(outcome->output, "");
        assert_memory_equal(outcome->errors, "strew: error: invalid_argument: ", 32);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_is_one_that_the_library_takes),
        cmocka_unit_test(times_stand_before_the_line),
        cmocka_unit_test(the_source_is_c),
        cmocka_unit_test(what_is_no_number_is_refused),
    };
    return cmocka_run_group_tests(tests, directory_enter, directory_leave);
}
