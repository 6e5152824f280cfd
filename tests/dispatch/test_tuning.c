/* Tunings: the choice among measured ones by the caches of a CPU, and the effect of a text. */
#include <stdio.h>

#include "dispatch/tuning_numbers.h"
#include "test.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static const char *const names[] = {"xeon", "zen"};

static const strew_tuning *tuning_named(const char *name)
{
    const strew_tuning *found = strew_tuning_find(name, strlen(name));
    assert_non_null(found);
    return found;
}

static const strew_tuning_number *number_named(const char *name)
{
    const strew_tuning_number *number = strew_tuning_numbers;
    while (number->name && strcmp(number->name, name) != 0)
        number++;
    assert_non_null(number->name);
    return number;
}

static void assert_same(const strew_tuning *tuning, const strew_tuning *expected)
{
    assert_string_equal(tuning->name, expected->name);
    assert_string_equal(tuning->changes, expected->changes);
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++)
        if (strew_tuning_get(tuning, number) != strew_tuning_get(expected, number))
            fail_msg("%s is %g, and not %g", number->name, strew_tuning_get(tuning, number),
                     strew_tuning_get(expected, number));
}

static void assert_number(const strew_tuning *tuning, const char *name, double expected)
{
    const double value = strew_tuning_get(tuning, number_named(name));
    if (value != expected)
        fail_msg("%s is %g, and not %g", name, value, expected);
}

/* ---- From caches --------------------------------------------------------------------------------- */

/* The caches of the virtual machines in docs/performance.md. The last level of a Xeon, whatever its size, does
 * not matter. */
static void caches_that_were_measured_give_what_was_measured(void **state)
{
    (void)state;
    static const struct {
        long bytes[STREW_CPU_CACHES];
        const char *name;
    } cpus[] = {
        {{48 * KIB, 2 * MIB, 105 * MIB}, "xeon"},
        {{48 * KIB, 2 * MIB, 260 * MIB}, "xeon"},
        {{48 * KIB, 1 * MIB, 32 * MIB}, "zen"},
    };
    for (size_t c = 0; c < COUNT(cpus); c++) {
        const strew_tuning tuning = strew_tuning_derive(cpus[c].bytes);
        assert_same(&tuning, tuning_named(cpus[c].name));
    }
}

static void what_is_not_known_of_caches_changes_nothing(void **state)
{
    (void)state;
    const strew_tuning near = strew_tuning_derive((const long[]){0, 0, 32 * MIB});
    const strew_tuning far = strew_tuning_derive((const long[]){48 * KIB, 2 * MIB, 0});
    assert_same(&near, tuning_named("zen"));
    assert_same(&far, tuning_named("xeon"));
}

static void a_cpu_that_tells_nothing_is_a_small_core(void **state)
{
    (void)state;
    const strew_tuning tuning = strew_tuning_derive((const long[]){0, 0, 0});
    const strew_tuning small = strew_tuning_derive((const long[]){32 * KIB, 256 * KIB, 1 * MIB});
    assert_same(&tuning, &small);
    assert_number(&tuning, "least_owned", 512 * KIB);
}

/* A Xeon of the Cascade Lake generation: half of the second level, two thirds of the first. */
static void sizes_grow_with_the_cache_that_they_are_of(void **state)
{
    (void)state;
    const strew_tuning tuning = strew_tuning_derive((const long[]){32 * KIB, 1 * MIB, 36608 * KIB});
    assert_string_equal(tuning.name, "xeon");
    assert_string_not_equal(tuning.changes, "");
    assert_number(&tuning, "least_owned", 1 * MIB);
    assert_number(&tuning, "least_partitioned", 8 * MIB);
    assert_number(&tuning, "least_partitioned_by_two", 1.5 * MIB);
    assert_number(&tuning, "far_short_rows", 8 * MIB);
    assert_number(&tuning, "rows_ahead", 16);
    assert_number(&tuning, "reads_first", 1);
}

/* A CPU with a small last level, which its cores reach soon. */
static void what_lies_beyond_grows_with_a_near_last_level(void **state)
{
    (void)state;
    const strew_tuning tuning = strew_tuning_derive((const long[]){48 * KIB, 512 * KIB, 8 * MIB});
    assert_string_equal(tuning.name, "zen");
    assert_number(&tuning, "least_owned", 4 * MIB);
    assert_number(&tuning, "least_partitioned", STREW_TUNING_NEVER);
    assert_number(&tuning, "least_partitioned_by_two", 6 * MIB);
}

static void a_small_second_level_makes_short_rows_far_sooner(void **state)
{
    (void)state;
    const strew_tuning small = strew_tuning_derive((const long[]){32 * KIB, 512 * KIB, 32 * MIB});
    const strew_tuning large = strew_tuning_derive((const long[]){32 * KIB, 1 * MIB, 32 * MIB});
    assert_number(&small, "far_short_rows", 4 * MIB);
    assert_number(&large, "far_short_rows", 16 * MIB);
}

/* ---- From texts ---------------------------------------------------------------------------------- */

static void a_name_is_a_tuning(void **state)
{
    (void)state;
    char text[32];
    for (size_t n = 0; n < COUNT(names); n++) {
        strew_tuning tuning = *tuning_named(names[COUNT(names) - 1 - n]);
        assert_true(strew_tuning_read(&tuning, names[n]));
        assert_same(&tuning, tuning_named(names[n]));
        snprintf(text, sizeof text, "base=%s", names[n]);
        tuning = *tuning_named(names[COUNT(names) - 1 - n]);
        assert_true(strew_tuning_read(&tuning, text));
        assert_same(&tuning, tuning_named(names[n]));
    }
}

static void every_number_can_be_changed_and_no_other_changes_with_it(void **state)
{
    (void)state;
    const strew_tuning *zen = tuning_named("zen");
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++) {
        char text[64];
        const double value = strew_tuning_get(zen, number) == 1 ? 0 : 1;
        strew_tuning tuning = *tuning_named("xeon"), expected = *zen;
        snprintf(text, sizeof text, "base=zen,%s=%g", number->name, value);
        assert_true(strew_tuning_read(&tuning, text));
        assert_string_not_equal(tuning.changes, "");
        strew_tuning_set(&expected, number, value);
        expected.changes = tuning.changes;
        assert_same(&tuning, &expected);
        assert_number(&tuning, number->name, value);
    }
}

static void values_are_read_as_they_are_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        double value;
    } cases[] = {
        {"least_owned=12M", "least_owned", 12 * MIB},
        {"least_owned=1.5M", "least_owned", 1.5 * MIB},
        {"least_owned=3G", "least_owned", 3.0 * KIB * MIB},
        {"least_owned=never", "least_owned", STREW_TUNING_NEVER},
        {"least_partitioned=never", "least_partitioned", STREW_TUNING_NEVER},
        {"kept_of_a_result=0.375", "kept_of_a_result", 0.375},
        {"least_owned=1234", "least_owned", 1234},
        {"kept_of_a_result=0.046875", "kept_of_a_result", 0.046875},
        {"reads_first=0", "reads_first", 0},
        {"stream_pages=4,stream_pages=1", "stream_pages", 1},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        strew_tuning tuning = *tuning_named("xeon");
        assert_true(strew_tuning_read(&tuning, cases[c].text));
        assert_number(&tuning, cases[c].name, cases[c].value);
    }
}

static void anything_else_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "z",
        "zens",
        "zen,",
        ",zen",
        "zen,xeon",
        "zen zen",
        "base=",
        "base=jump",
        "reads_first=1,base=zen",
        "name=zen",
        "jump=1",
        "reads_first",
        "reads_first=",
        "reads_first=2",
        "reads_first=-1",
        "reads_first=0.5",
        "reads_first=true",
        "reads_first=never",
        "reads_first=1 ",
        "reads_first =1",
        " reads_first=1",
        "reads_first=1,,stream_pages=1",
        "reads_first=1;stream_pages=1",
        "stream_pages=5",
        "stream_pages=65537",
        "rows_ahead=513",
        "rows_ahead=4294967297",
        "kept_of_a_result=1.01",
        "kept_of_a_result=never",
        "kept_of_a_result=.5",
        "kept_of_a_result=5.",
        "kept_of_a_result=1e-3",
        "kept_of_a_result=nan",
        "kept_of_a_result=inf",
        "least_owned=0x10",
        "least_owned=1.5",
        "least_owned=12MB",
        "least_owned=12m",
        "least_owned=neverland",
        "least_owned=9007199254740993000",
        "least_owned=99999999999999999999999999999999999999999999999999999999999999999999999999999999999999",
        "prefetch.read.rows_ahead=1",
        "least_owned=8M,reads_first=7",
    };
    for (size_t t = 0; t < COUNT(texts); t++) {
        strew_tuning tuning = *tuning_named("zen");
        if (strew_tuning_read(&tuning, texts[t]))
            fail_msg("'%s' was read", texts[t]);
        assert_same(&tuning, tuning_named("zen"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(caches_that_were_measured_give_what_was_measured),
        cmocka_unit_test(what_is_not_known_of_caches_changes_nothing),
        cmocka_unit_test(a_cpu_that_tells_nothing_is_a_small_core),
        cmocka_unit_test(sizes_grow_with_the_cache_that_they_are_of),
        cmocka_unit_test(what_lies_beyond_grows_with_a_near_last_level),
        cmocka_unit_test(a_small_second_level_makes_short_rows_far_sooner),
        cmocka_unit_test(a_name_is_a_tuning),
        cmocka_unit_test(every_number_can_be_changed_and_no_other_changes_with_it),
        cmocka_unit_test(values_are_read_as_they_are_written),
        cmocka_unit_test(anything_else_is_refused_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
