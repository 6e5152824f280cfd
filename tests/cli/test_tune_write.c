/* The output of strew tune: a line that the library reads back as the same tuning, and C that sets every field. */
#include <stdio.h>

#include "test.h"
#include "tools/tune/tuner.h"

static const char *const names[] = {"xeon", "zen"};

typedef struct written {
    char text[1 << 13];
} written;

static void read_back(FILE *file, written *to)
{
    rewind(file);
    const size_t size = fread(to->text, 1, sizeof to->text - 1, file);
    to->text[size] = '\0';
    fclose(file);
}

static written line_of(const strew_tuning *tuning)
{
    FILE *const file = tmpfile();
    written line;
    assert_non_null(file);
    write_line(file, tuning);
    read_back(file, &line);
    return line;
}

static strew_tuning measured(const char *name)
{
    const strew_tuning *found = strew_tuning_find(name, strlen(name));
    assert_non_null(found);
    return *found;
}

/* Begins with the other of those that were measured. */
static strew_tuning read_line(const written *line, size_t name)
{
    static const char variable[] = "STREW_TUNING=";
    strew_tuning tuning = measured(names[COUNT(names) - 1 - name]);
    char value[sizeof line->text];
    const size_t length = strlen(line->text);
    assert_memory_equal(line->text, variable, strlen(variable));
    assert_int_equal(strcspn(line->text, "\n"), length - 1);
    assert_null(strpbrk(line->text, " '\"$"));
    snprintf(value, sizeof value, "%.*s", (int)(length - 1 - strlen(variable)), line->text + strlen(variable));
    if (!strew_tuning_read(&tuning, value))
        fail_msg("'%s' is not read", value);
    return tuning;
}

static void assert_same_numbers(const strew_tuning *tuning, const strew_tuning *expected)
{
    assert_string_equal(tuning->name, expected->name);
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++)
        if (strew_tuning_get(tuning, number) != strew_tuning_get(expected, number))
            fail_msg("%s is %g, and not %g", number->name, strew_tuning_get(tuning, number),
                     strew_tuning_get(expected, number));
}

static void a_line_that_changes_nothing_is_a_name(void **state)
{
    (void)state;
    for (size_t n = 0; n < COUNT(names); n++) {
        const strew_tuning tuning = measured(names[n]);
        const written line = line_of(&tuning);
        char expected[64];
        snprintf(expected, sizeof expected, "STREW_TUNING=base=%s\n", names[n]);
        assert_string_equal(line.text, expected);
    }
}

/* Changes one number at a time, and then all, to values that their kind allows. */
static void every_number_is_read_as_it_was_written(void **state)
{
    (void)state;
    static const double counts[] = {0, 1}, bytes[] = {0, 1, 1000, 10922, 5 << 20, STREW_TUNING_NEVER};
    static const double fractions[] = {0, 0.015625, 0.375, 0.000001, 1};
    for (size_t v = 0; v < 6; v++)
        for (size_t n = 0; n < COUNT(names); n++) {
            strew_tuning all = measured(names[n]);
            for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++) {
                const double value = number->kind == STREW_TUNING_BYTES   ? bytes[v]
                                     : number->kind == STREW_TUNING_COUNT ? counts[v % 2]
                                                                          : fractions[v % 5];
                strew_tuning one = measured(names[n]);
                strew_tuning_set(&one, number, value);
                strew_tuning_set(&all, number, value);
                const written line = line_of(&one);
                const strew_tuning read = read_line(&line, n);
                assert_same_numbers(&read, &one);
            }
            const written line = line_of(&all);
            const strew_tuning read = read_line(&line, n);
            assert_same_numbers(&read, &all);
        }
}

static void the_source_sets_every_number_once(void **state)
{
    (void)state;
    const strew_tuning tuning = measured("zen");
    FILE *const file = tmpfile();
    written source;
    assert_non_null(file);
    write_source(file, &tuning, (const long[]){32768, 1048576, 16777216});
    read_back(file, &source);
    assert_non_null(strstr(source.text, "\n    .cache_bytes = {32768, 1048576, 16777216},\n"));
    assert_non_null(strstr(source.text, "\n    .least_owned = 16 << 20,\n"));
    assert_non_null(strstr(source.text, "\n    .reads_first = 0,\n"));
    assert_non_null(strstr(source.text, "\n    .least_partitioned = STREW_TUNING_NEVER,\n"));
    assert_non_null(strstr(source.text, ",\n};\n"));
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++) {
        char field[64];
        snprintf(field, sizeof field, "\n    .%s = ", number->name);
        const char *const found = strstr(source.text, field);
        assert_non_null(found);
        assert_null(strstr(found + 1, field));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_changes_nothing_is_a_name),
        cmocka_unit_test(every_number_is_read_as_it_was_written),
        cmocka_unit_test(the_source_sets_every_number_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
