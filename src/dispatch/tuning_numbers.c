#include "dispatch/tuning_numbers.h"

#include <string.h>

enum { MOST_AHEAD = 512, MOST_PAGES = 4 };

#define NUMBER(field, kind, grows, most)                                        \
    {                                                                           \
#field, offsetof(strew_tuning, field), STREW_TUNING_##kind, grows, most \
    }
const strew_tuning_number strew_tuning_numbers[] = {
    NUMBER(rows_ahead, COUNT, false, MOST_AHEAD),
    NUMBER(far_short_rows, BYTES, true, STREW_TUNING_NEVER),
    NUMBER(reads_first, COUNT, false, 1),
    NUMBER(kept_of_a_result, FRACTION, false, 1),
    NUMBER(stream_pages, COUNT, false, MOST_PAGES),
    NUMBER(streams_parts, COUNT, false, 1),
    NUMBER(least_owned, BYTES, true, STREW_TUNING_NEVER),
    NUMBER(least_partitioned, BYTES, true, STREW_TUNING_NEVER),
    NUMBER(least_partitioned_by_two, BYTES, true, STREW_TUNING_NEVER),
    {NULL, 0, 0, false, 0},
};

/* A double holds every integer up to this one. Larger numbers of bytes are refused, or mean "never". */
#define MOST_EXACT 0x1p53

/* ---- Text ---------------------------------------------------------------------------------------- */

static bool is_allowed(const strew_tuning_number *number, double value)
{
    return value <= number->most && (number->kind == STREW_TUNING_FRACTION || value == (double)(uint64_t)value);
}

/*
 * Each function below reads one thing at the beginning of the text. It returns the text after it, or NULL if
 * something else is there.
 */

static const char *skip(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 ? text + length : NULL;
}

static const char *read_digits(const char *text, double *value, double *unit)
{
    const char *const digits = text;
    for (; *text >= '0' && *text <= '9'; text++) {
        *value = *value * 10 + (*text - '0');
        *unit *= 10;
    }
    return text > digits ? text : NULL;
}

/* Reads a decimal number. strtod would not do, because it depends on the locale. */
static const char *read_decimal(const char *text, double *value)
{
    double unit = 1;
    *value = 0;
    text = read_digits(text, value, &unit);
    if (!text || *text != '.')
        return text;
    unit = 1;
    text = read_digits(text + 1, value, &unit);
    *value /= unit;
    return text;
}

static const char *read_value(const char *text, double *value)
{
    static const char units[] = "KMG";
    const char *const after = skip(text, "never");
    *value = STREW_TUNING_NEVER;
    if (after)
        return after;
    text = read_decimal(text, value);
    const char *const unit = text && *text ? strchr(units, *text) : NULL;
    for (const char *each = units; unit && each <= unit; each++)
        *value *= 1024;
    return text && *value <= MOST_EXACT ? text + (unit != NULL) : NULL;
}

static const char *read_change(strew_tuning *tuning, const char *text)
{
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++) {
        const char *rest = skip(text, number->name);
        double value;
        if (!rest || *rest != '=')
            continue;
        rest = read_value(rest + 1, &value);
        if (!rest || !is_allowed(number, value))
            return NULL;
        strew_tuning_set(tuning, number, value);
        tuning->changes = ", changed by STREW_TUNING";
        return rest;
    }
    return NULL;
}

/*
 * Reads the name of a measured tuning, and returns the text after it. If the text begins with anything else,
 * returns the text as it is.
 */
static const char *read_base(strew_tuning *tuning, const char *text)
{
    const char *const after = skip(text, "base="), *const name = after ? after : text;
    const size_t length = strcspn(name, ",");
    const strew_tuning *const base = strew_tuning_find(name, length);
    if (!base)
        return text;
    *tuning = *base;
    return name + length;
}

bool strew_tuning_read(strew_tuning *tuning, const char *text)
{
    strew_tuning changed = *tuning;
    const char *rest = read_base(&changed, text);
    if (rest == text)
        rest = read_change(&changed, rest);
    while (rest && *rest == ',')
        rest = read_change(&changed, rest + 1);
    if (!rest || *rest)
        return false;
    *tuning = changed;
    return true;
}
