/* Help: every command lists its options, only on request, and the examples in it run. */
#include <stdio.h>

#include "cli.h"
#include "manual.h"
#include "test.h"
#include "tools/options.h"

static const struct {
    const char *name;
    unsigned bit;
} commands[] = {
    {"run", TAKEN_BY_RUN}, {"info", TAKEN_BY_INFO}, {"operators", TAKEN_BY_OPERATORS}, {"tune", TAKEN_BY_TUNE}};

static const char *output_of(const char *line)
{
    const cli_outcome *outcome = cli_run(line);
    assert_string_equal(outcome->errors, "");
    assert_int_equal(outcome->exit_status, 0);
    return outcome->output;
}

static const char *help_of(const char *command)
{
    char line[64];
    snprintf(line, sizeof line, "%s --help", command);
    return output_of(line);
}

/* A text that is still there after the next run. */
static const char *kept(const char *text)
{
    static char copy[1 << 14];
    assert_in_range(strlen(text), 0, sizeof copy - 1);
    strcpy(copy, text);
    return copy;
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is missing in:\n%s", part, text);
}

/* The words with one space between them, without the line breaks. */
static const char *squeezed(const char *text)
{
    static char words[1 << 14];
    size_t size = 0;
    for (; *text; text++) {
        const bool space = *text == ' ' || *text == '\n';
        if (space && (size == 0 || words[size - 1] == ' '))
            continue;
        assert_in_range(size, 0, sizeof words - 2);
        words[size++] = space ? ' ' : *text;
    }
    words[size] = '\0';
    return words;
}

/* ---- Where it is shown --------------------------------------------------------------------------- */

static void help_shows_every_command(void **state)
{
    (void)state;
    static const char *const lines[] = {"--help", "-h", "help"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        const char *text = output_of(lines[i]);
        assert_memory_equal(text, "usage: strew COMMAND ", 21);
        assert_contains(text, "\n  --version ");
        assert_contains(text, "\nexit status:\n");
        for (size_t c = 0; c < COUNT(commands); c++) {
            char entry[64];
            snprintf(entry, sizeof entry, "\n  %s ", commands[c].name);
            assert_contains(text, entry);
        }
    }
}

static void every_way_to_ask_shows_the_same(void **state)
{
    (void)state;
    static const char *const ways[] = {"%s -h", "help %s", "--help %s", "-h %s", "%s --he"};
    for (size_t c = 0; c < COUNT(commands); c++) {
        char line[64];
        const char *const expected = kept(help_of(commands[c].name));
        for (size_t w = 0; w < COUNT(ways); w++) {
            const char *const hole = strstr(ways[w], "%s");
            snprintf(line, sizeof line, "%.*s%s%s", (int)(hole - ways[w]), ways[w], commands[c].name, hole + 2);
            assert_string_equal(output_of(line), expected);
        }
    }
}

/* Help is printed even if other words of the line are wrong. */
static void help_may_stand_anywhere(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "run --help GatherND",
        "run GatherND --help",
        "run --data d.npy -h --indices i.npy",
        "run --data --help",
        "run --jump --help",
        "run --threads 0 GatherNd --help",
        "info --json --help",
        "info --jump -h",
        "operators all of them --help",
        "run A B --in-place=3 -h",
        "run --isa mmx --axis x --help",
    };
    for (size_t i = 0; i < COUNT(lines); i++)
        assert_memory_equal(output_of(lines[i]), "usage: strew ", 13);
}

/* ---- What it tells ------------------------------------------------------------------------------- */

static void check_option(const char *words, const cli_option *option)
{
    char entry[1024];
    names accepted = {.count = 0};
    snprintf(entry, sizeof entry, "%s%s%s %s", option->name, option->value ? " " : "",
             option->value ? option->value : "", option->meaning);
    if (option->names) {
        option->names(&accepted);
        const size_t size = strlen(entry);
        snprintf(entry + size, sizeof entry - size, " - %s", names_join(&accepted, "or"));
    }
    const size_t size = strlen(entry);
    if (option->otherwise)
        snprintf(entry + size, sizeof entry - size, " (default: %s)", option->otherwise);
    else if (option->required)
        snprintf(entry + size, sizeof entry - size, " (required)");
    assert_contains(words, entry);
}

static void help_tells_every_option_and_the_exit_statuses(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(commands); c++) {
        char usage[64];
        const char *const words = squeezed(help_of(commands[c].name));
        snprintf(usage, sizeof usage, "usage: strew %s ", commands[c].name);
        assert_memory_equal(words, usage, strlen(usage));
        for (size_t o = 0; o < OPTIONS; o++)
            if (cli_options[o].taken_by & commands[c].bit)
                check_option(words, &cli_options[o]);
        assert_contains(words, " exit status: 0 done 1 refused: ");
        assert_contains(words, " 2 wrong command line");
    }
}

static void help_tells_no_option_of_another_command(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(commands); c++) {
        const char *const text = help_of(commands[c].name);
        for (size_t o = 0; o < OPTIONS; o++)
            if (!(cli_options[o].taken_by & commands[c].bit))
                assert_null(strstr(text, cli_options[o].name));
    }
}

static void usage_has_brackets_around_what_is_not_required(void **state)
{
    (void)state;
    assert_contains(
        squeezed(help_of("run")),
        "usage: strew run OPERATOR --data FILE [--indices FILE] [--updates FILE] [--axis N|FILE] "
        "[--batch-dims N] [--reduction NAME] [--no-init-val] [--circular] [--slice SLICE] [--offsets FILE] "
        "[--segment-ids FILE] [--weights FILE] [--segments N] [--default-index N] [--empty NAME] [--bounds "
        "NAME] [--fill N|FILE] "
        "[--dtype NAME] [--isa NAME] [--threads N] [--in-place] -o FILE [--explain] [-h] ");
    assert_contains(help_of("info"), "usage: strew info [--json] [--kernels] [-h]\n");
    assert_contains(help_of("operators"), "usage: strew operators [-h]\n");
    assert_contains(help_of("tune"),
                    "usage: strew tune [--seconds N] [--memory MIB] [--explain] [--source] [-h]\n");
}

static void help_fits_a_terminal_of_80_columns(void **state)
{
    (void)state;
    for (size_t c = 0; c < COUNT(commands); c++)
        for (const char *line = help_of(commands[c].name); *line; line += strcspn(line, "\n") + 1)
            if (strncmp(line, "  strew ", 8) != 0)
                assert_in_range(strcspn(line, "\n"), 0, 80);
}

/* ---- Examples ------------------------------------------------------------------------------------ */

/* Runs each line that has this beginning, without it. A command that takes half a minute gets little memory.
 * Returns the number of lines. */
static size_t run_examples(const char *text, const char *beginning)
{
    size_t count = 0;
    for (; *text; text += strcspn(text, "\n") + 1) {
        char line[256];
        const size_t length = strcspn(text, "\n"), before = strlen(beginning);
        if (strncmp(text, beginning, before) != 0)
            continue;
        snprintf(line, sizeof line, "%.*s%s", (int)(length - before), text + before,
                 strncmp(text + before, "tune", strlen("tune")) == 0 ? " --seconds 0 --memory 12" : "");
        count++;
#ifndef STREW_WITH_PTHREADPOOL
        if (strstr(line, " --threads "))
            continue;
#endif
        const cli_outcome *outcome = cli_run(line);
        if (outcome->exit_status != 0)
            fail_msg("strew %s: %s", line, outcome->errors);
    }
    return count;
}

static void write_files_of_examples(void)
{
    cli_write("d.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(3, 2), (float[]){1, 2, 3, 4, 5, 6});
    cli_write("i.npy", STREW_DTYPE_INT64, CLI_SHAPE(3, 1), (int64_t[]){0, 1, 1});
    cli_write("u.npy", STREW_DTYPE_FLOAT32, CLI_SHAPE(3, 2), (float[]){10, 20, 30, 40, 50, 60});
}

static void the_examples_of_help_run(void **state)
{
    (void)state;
    write_files_of_examples();
    for (size_t c = 0; c < COUNT(commands); c++) {
        const char *const text = kept(help_of(commands[c].name));
        assert_contains(text, "\nexamples:\n");
        assert_in_range(run_examples(text, "  strew "), 1, 2);
    }
}

static void the_examples_of_the_manual_run(void **state)
{
    (void)state;
    write_files_of_examples();
    const char *const examples = strstr(manual_text(), "\n.Sh EXAMPLES\n");
    assert_non_null(examples);
    assert_in_range(run_examples(examples + 1, ".Dl strew "), 4, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_shows_every_command),
        cmocka_unit_test(every_way_to_ask_shows_the_same),
        cmocka_unit_test(help_may_stand_anywhere),
        cmocka_unit_test(help_tells_every_option_and_the_exit_statuses),
        cmocka_unit_test(help_tells_no_option_of_another_command),
        cmocka_unit_test(usage_has_brackets_around_what_is_not_required),
        cmocka_unit_test(help_fits_a_terminal_of_80_columns),
        cmocka_unit_test(the_examples_of_help_run),
        cmocka_unit_test(the_examples_of_the_manual_run),
    };
    return cmocka_run_group_tests(tests, directory_enter, directory_leave);
}
