/* Compares the manual page with the program's list of options and the library's statuses. */
#include <strew/strew.h>

#include "manual.h"
#include "test.h"
#include "tools/options.h"

/* The part of the manual from the line that is `title` to the next title of its kind or a greater one. */
static const char *part_of(const char *title)
{
    static char part[1 << 14];
    const char *begin = manual_text();
    while (begin && !(strncmp(begin, title, strlen(title)) == 0 && begin[strlen(title)] == '\n'))
        begin = strchr(begin, '\n') ? strchr(begin, '\n') + 1 : NULL;
    if (!begin)
        fail_msg("the manual has no line %s", title);
    const char *end = strstr(begin, "\n.Sh "), *const subsection = strstr(begin, "\n.Ss ");
    if (subsection && (!end || subsection < end))
        end = subsection;
    const size_t length = end ? (size_t)(end - begin) + 1 : strlen(begin);
    assert_in_range(length, 1, sizeof part - 1);
    memcpy(part, begin, length);
    part[length] = '\0';
    return part;
}

static size_t lines_that_begin_with(const char *part, const char *beginning)
{
    size_t count = 0;
    for (; *part; part += strcspn(part, "\n") + 1)
        count += strncmp(part, beginning, strlen(beginning)) == 0;
    return count;
}

static void assert_lines(const char *part, const char *line, size_t count)
{
    char whole[128];
    snprintf(whole, sizeof whole, "%s\n", line);
    if (lines_that_begin_with(part, whole) != count)
        fail_msg("'%s' should be %zu lines of:\n%s", line, count, part);
}

static void assert_line(const char *part, const char *line)
{
    assert_lines(part, line, 1);
}

/* The number of commands that take an option. */
static size_t commands_of(const cli_option *option)
{
    size_t count = 0;
    for (unsigned bits = option->taken_by; bits; bits &= bits - 1)
        count++;
    return count;
}

/* ---- Options ------------------------------------------------------------------------------------- */

/* Writes an option in mdoc: "Fl o , Fl Fl output Ar FILE", or only its shorter name. */
static void write_option(char *text, size_t size, const cli_option *option, bool both)
{
    char letter[16] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "Fl %c%s", option->letter, both ? " , " : "");
    snprintf(text, size, "%s%s%s%s%s", letter, both || !option->letter ? "Fl Fl " : "",
             both || !option->letter ? option->name + 2 : "", option->value ? " Ar " : "",
             option->value ? option->value : "");
}

/* An option that has no line is missed; a line that is no option's makes them too many. */
static void every_option_has_an_entry_and_no_entry_lacks_an_option(void **state)
{
    (void)state;
    static const struct {
        const char *title;
        unsigned bit;
    } parts[] = {
        {".Ss strew", TAKEN_BY_STREW},     {".Ss strew run", TAKEN_BY_RUN},
        {".Ss strew info", TAKEN_BY_INFO}, {".Ss strew operators", TAKEN_BY_OPERATORS},
        {".Ss strew tune", TAKEN_BY_TUNE},
    };
    for (size_t p = 0; p < COUNT(parts); p++) {
        const char *const part = part_of(parts[p].title);
        size_t count = 0;
        for (size_t o = 0; o < OPTIONS; o++) {
            char option[64], line[80];
            if (!(cli_options[o].taken_by & parts[p].bit))
                continue;
            write_option(option, sizeof option, &cli_options[o], true);
            snprintf(line, sizeof line, ".It %s", option);
            assert_line(part, line);
            count++;
        }
        assert_int_equal(lines_that_begin_with(part, ".It "), count);
    }
}

/* Checks the options of each command, in brackets unless required. Help, which all have, is left out. */
static void the_synopsis_has_every_option_and_no_other(void **state)
{
    (void)state;
    const char *const part = part_of(".Sh SYNOPSIS");
    size_t count = 0;
    for (size_t o = 0; o < OPTIONS; o++) {
        char option[64], line[80];
        const bool plain = cli_options[o].required || cli_options[o].taken_by == TAKEN_BY_STREW;
        if (o == OPTION_HELP)
            continue;
        write_option(option, sizeof option, &cli_options[o], false);
        snprintf(line, sizeof line, "%s%s", plain ? "." : ".Op ", option);
        assert_lines(part, line, commands_of(&cli_options[o]));
        count += commands_of(&cli_options[o]);
    }
    assert_int_equal(lines_that_begin_with(part, ".Fl ") + lines_that_begin_with(part, ".Op Fl "), count);
}

/* The meaning of an option is free text, except whether it is required. */
static void entries_say_which_options_are_required(void **state)
{
    (void)state;
    const char *const part = part_of(".Ss strew run");
    size_t count = 0;
    for (size_t o = 0; o < OPTIONS; o++) {
        char option[64], line[80];
        if (!(cli_options[o].taken_by & TAKEN_BY_RUN && cli_options[o].required))
            continue;
        write_option(option, sizeof option, &cli_options[o], true);
        snprintf(line, sizeof line, "\n.It %s\n", option);
        const char *const entry = strstr(part, line);
        assert_non_null(entry);
        const char *const required = strstr(entry, "\nRequired.\n"), *const next = strstr(entry + 1, "\n.It ");
        assert_non_null(required);
        assert_true(!next || required <= next);
        count++;
    }
    assert_int_equal(lines_that_begin_with(part, "Required.\n"), count);
}

/* ---- Names --------------------------------------------------------------------------------------- */

static void diagnostics_has_every_status_but_ok(void **state)
{
    (void)state;
    const char *const part = part_of(".Sh DIAGNOSTICS");
    size_t count = 0;
    for (int status = STREW_STATUS_OK + 1; strcmp(strew_status_name((strew_status)status), "unknown") != 0;
         status++) {
        char line[64];
        snprintf(line, sizeof line, ".It %s", strew_status_name((strew_status)status));
        assert_line(part, line);
        count++;
    }
    assert_int_equal(lines_that_begin_with(part, ".It "), count);
}

/* Checks the names after the name of the option that takes one of them. */
static void check_names(const char *option, names_function *list)
{
    const char *const part = strstr(part_of(".Ss strew run"), option);
    names words = {.count = 0};
    assert_non_null(part);
    list(&words);
    for (size_t w = 0; w < words.count; w++) {
        char word[64];
        snprintf(word, sizeof word, " %s", words.name[w]);
        const char *const found = strstr(part, word);
        if (!found || !strchr(" \n", found[strlen(word)]))
            fail_msg("the manual does not name %s behind %s", words.name[w], option);
    }
}

static void every_reduction_and_every_policy_is_named(void **state)
{
    (void)state;
    check_names(".It Fl Fl reduction", names_of_reductions);
    check_names(".It Fl Fl bounds", names_of_bounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_has_an_entry_and_no_entry_lacks_an_option),
        cmocka_unit_test(the_synopsis_has_every_option_and_no_other),
        cmocka_unit_test(entries_say_which_options_are_required),
        cmocka_unit_test(diagnostics_has_every_status_but_ok),
        cmocka_unit_test(every_reduction_and_every_policy_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
