/* The lists from which the library is made equal the enums in its headers. */
#include <stdio.h>
#include <stdlib.h>

#include <strew/inspect.h>
#include <strew/operators.h>

#include "base/error.h"
#include "base/lists.h"
#include "test.h"

/* ---- What the lists hold ------------------------------------------------------------------------- */

typedef struct list_entry {
    const char *enumerator;
    unsigned value;
    const char *name;
} list_entry;

#define ENTRY(ENUM, CONSTANT, text) {"STREW_" #ENUM "_" #CONSTANT, STREW_##ENUM##_##CONSTANT, text},

#define STATUS(CONSTANT, name) ENTRY(STATUS, CONSTANT, #name)
static const list_entry statuses[] = {STREW_STATUSES(STATUS)};
#define OPERAND(CONSTANT, name) ENTRY(OPERAND, CONSTANT, #name)
static const list_entry operands[] = {STREW_OPERANDS(OPERAND)};
#define DTYPE(CONSTANT, name, suffix, bits) ENTRY(DTYPE, CONSTANT, #name)
static const list_entry dtypes[] = {ENTRY(DTYPE, NONE, "unknown") STREW_DTYPES(DTYPE)};
#define REDUCTION(CONSTANT, name, other) ENTRY(REDUCTION, CONSTANT, #name)
static const list_entry reductions[] = {STREW_REDUCTIONS(REDUCTION)};
#define ISA(CONSTANT, name) ENTRY(ISA, CONSTANT, #name)
static const list_entry isas[] = {ENTRY(ISA, BEST, "best") STREW_ISAS(ISA)};
#define STATE(CONSTANT, name) ENTRY(ISA_STATE, CONSTANT, #name)
static const list_entry states[] = {STREW_ISA_STATES(STATE)};
#define KIND(CONSTANT, name) ENTRY(KIND, CONSTANT, #name)
static const list_entry kinds[] = {STREW_KINDS(KIND)};
#define POLICY(CONSTANT, name) ENTRY(BOUNDS, CONSTANT, #name)
static const list_entry policies[] = {STREW_POLICIES(POLICY)};
#define FILLING(CONSTANT, name) ENTRY(EMPTY, CONSTANT, #name)
static const list_entry empties[] = {STREW_EMPTIES(FILLING)};

static const char *status_name(unsigned value)
{
    return strew_status_name((strew_status)value);
}

/* Operands have names in sentences alone. */
static const char *operand_name(unsigned value)
{
    static char sentence[64];
    const strew_error error = {.reason = STREW_REASON_NULL_ARGUMENT, .operand = (strew_operand)value};
    strew_error_message(&error, sentence, sizeof sentence);
    sentence[strcspn(sentence, " ")] = '\0';
    return sentence;
}

static const char *reduction_name(unsigned value)
{
    return strew_reduction_name((strew_reduction)value);
}

static const char *isa_name(unsigned value)
{
    return strew_isa_name((strew_isa)value);
}

static const char *state_name(unsigned value)
{
    return strew_isa_state_name((strew_isa_state)value);
}

static const char *kind_name(unsigned value)
{
    return strew_kind_name((strew_kind)value);
}

static const char *policy_name(unsigned value)
{
    return strew_bounds_name((strew_bounds)value);
}

static const char *empty_name(unsigned value)
{
    return strew_empty_name((strew_empty)value);
}

/* Each list, the prefix of its names, and its header. */
static const struct list {
    const char *header;
    size_t count;
    const list_entry *entries;
    const char *(*name)(unsigned value);
} lists[] = {
    {"core.h", COUNT(statuses), statuses, status_name},
    {"core.h", COUNT(operands), operands, operand_name},
    {"core.h", COUNT(dtypes), dtypes, strew_dtype_name},
    {"core.h", COUNT(reductions), reductions, reduction_name},
    {"core.h", COUNT(isas), isas, isa_name},
    {"core.h", COUNT(policies), policies, policy_name},
    {"bags.h", COUNT(empties), empties, empty_name},
    {"inspect.h", COUNT(states), states, state_name},
    {"operators.h", COUNT(kinds), kinds, kind_name},
};

static bool is_listed(const char *header, const char *enumerator)
{
    for (size_t l = 0; l < COUNT(lists); l++)
        for (size_t e = 0; strcmp(lists[l].header, header) == 0 && e < lists[l].count; e++)
            if (strcmp(lists[l].entries[e].enumerator, enumerator) == 0)
                return true;
    return false;
}

/* ---- What the headers say ------------------------------------------------------------------------ */

static void blank_comments(char *text)
{
    for (char *begin; (begin = strstr(text, "/*"));) {
        const char *end = strstr(begin, "*/");
        assert_non_null(end);
        memset(begin, ' ', (size_t)(end - begin) + 2);
    }
}

/* A public header without its comments. */
static char *read_header(const char *name)
{
    enum { ROOM = 1 << 20 };
    char path[1024];
    snprintf(path, sizeof path, "%s%s", HEADERS, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(ROOM, 1);
    assert_non_null(text);
    assert_in_range(fread(text, 1, ROOM - 1, file), 1, ROOM - 2);
    fclose(file);
    blank_comments(text);
    return text;
}

/* Calls `visit` for each enumerator in the text: its name, and the text up to the next one. */
static void visit_enumerators(const char *header, char *text,
                              void (*visit)(const char *header, const char *enumerator, const char *value))
{
    for (char *body = strstr(text, "enum "); body; body = strstr(body, "enum ")) {
        body += strcspn(body, "{;)");
        if (*body++ != '{')
            continue;
        char *end = body + strcspn(body, "}");
        *end = '\0';
        for (char *name = strtok(body, ","); name; name = strtok(NULL, ",")) {
            name += strspn(name, " \n");
            char *value = name + strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
            if (*value)
                *value++ = '\0';
            if (*name)
                visit(header, name, value);
        }
        body = end + 1;
    }
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static size_t enumerators_found;

/* Bits and counts are in no list. */
static void check_listed(const char *header, const char *enumerator, const char *value)
{
    const bool listed = is_listed(header, enumerator);
    if (strstr(value, "1u <<") || (ends_with(enumerator, "_COUNT") && !listed))
        return;
    enumerators_found++;
    if (!listed)
        fail_msg("%s has %s, which no list of base/lists.h has", header, enumerator);
}

/* ---- The tests ----------------------------------------------------------------------------------- */

static void lists_are_in_the_order_of_their_values(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT(lists); l++)
        for (size_t e = 0; e < lists[l].count; e++)
            assert_int_equal(lists[l].entries[e].value, e);
    assert_int_equal(COUNT(dtypes), STREW_DTYPE_COUNT);
    assert_int_equal(COUNT(reductions), STREW_REDUCTION_COUNT);
    assert_int_equal(COUNT(isas), STREW_ISA_COUNT);
    assert_int_equal(COUNT(policies), STREW_BOUNDS_COUNT);
    assert_int_equal(COUNT(empties), STREW_EMPTY_COUNT);
}

static void every_value_has_the_name_of_its_list_and_no_other_has_any(void **state)
{
    (void)state;
    for (size_t l = 0; l < COUNT(lists); l++) {
        for (size_t e = 0; e < lists[l].count; e++)
            assert_string_equal(lists[l].name(lists[l].entries[e].value), lists[l].entries[e].name);
        assert_string_equal(lists[l].name((unsigned)lists[l].count), "unknown");
    }
}

static void every_enumerator_of_the_headers_is_listed(void **state)
{
    (void)state;
    static const char *const headers[] = {"core.h",      "plans.h",   "indexing.h", "bags.h",       "strew.h",
                                          "operators.h", "inspect.h", "dlpack.h",   "pthreadpool.h"};
    size_t listed = 0;
    for (size_t l = 0; l < COUNT(lists); l++)
        listed += lists[l].count;
    enumerators_found = 0;
    for (size_t h = 0; h < COUNT(headers); h++) {
        char *text = read_header(headers[h]);
        visit_enumerators(headers[h], text, check_listed);
        free(text);
    }
    assert_int_equal(enumerators_found, listed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_in_the_order_of_their_values),
        cmocka_unit_test(every_value_has_the_name_of_its_list_and_no_other_has_any),
        cmocka_unit_test(every_enumerator_of_the_headers_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
