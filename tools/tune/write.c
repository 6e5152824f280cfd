/* A tuning as text: for the environment, and for the library's source. */
#include <stdio.h>
#include <string.h>

#include "tuner.h"

/* Uses the largest unit that leaves an integer. */
static void print_bytes(FILE *out, double bytes, const char *const units[4])
{
    size_t unit = 0;
    while (unit < 3 && bytes >= 1024 && (uint64_t)bytes % 1024 == 0) {
        bytes /= 1024;
        unit++;
    }
    fprintf(out, "%.0f%s", bytes, units[unit]);
}

/* Prints no exponent and no trailing zeros. */
static void print_fraction(FILE *out, double value)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%.6f", value);
    while (text[length - 1] == '0')
        length--;
    length -= text[length - 1] == '.';
    fprintf(out, "%.*s", length, text);
}

static void print_value(FILE *out, const strew_tuning_number *number, double value)
{
    static const char *const units[] = {"", "K", "M", "G"};
    if (value == STREW_TUNING_NEVER)
        fputs("never", out);
    else if (number->kind == STREW_TUNING_BYTES)
        print_bytes(out, value, units);
    else
        print_fraction(out, value);
}

/* Writes only numbers that differ from those of the base tuning. */
void write_line(FILE *out, const strew_tuning *tuning)
{
    const strew_tuning *const base = strew_tuning_find(tuning->name, strlen(tuning->name));
    fprintf(out, "STREW_TUNING=base=%s", tuning->name);
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++) {
        const double value = strew_tuning_get(tuning, number);
        if (value == strew_tuning_get(base, number))
            continue;
        fprintf(out, ",%s=", number->name);
        print_value(out, number, value);
    }
    fputc('\n', out);
}

static void print_c_value(FILE *out, const strew_tuning_number *number, double value)
{
    static const char *const shifts[] = {"", " << 10", " << 20", " * (1 << 30)"};
    if (value == STREW_TUNING_NEVER)
        fputs("STREW_TUNING_NEVER", out);
    else if (number->kind == STREW_TUNING_BYTES)
        print_bytes(out, value, shifts);
    else
        print_fraction(out, value);
}

void write_source(FILE *out, const strew_tuning *tuning, const long cache_bytes[STREW_CPU_CACHES])
{
    /* if the base ignores the last-level cache, so does the new tuning */
    const bool counts_on_last = tuning->cache_bytes[STREW_CPU_LAST_LEVEL] > 0;
    fputs(
        "/* Measured on NAME. */\nstatic const strew_tuning NAME = {\n"
        "    .name = \"NAME\",\n    .changes = \"\",\n",
        out);
    fprintf(out, "    .cache_bytes = {%ld, %ld, %ld},\n", cache_bytes[STREW_CPU_FIRST_LEVEL],
            cache_bytes[STREW_CPU_SECOND_LEVEL], counts_on_last ? cache_bytes[STREW_CPU_LAST_LEVEL] : 0);
    for (const strew_tuning_number *number = strew_tuning_numbers; number->name; number++) {
        fprintf(out, "    .%s = ", number->name);
        print_c_value(out, number, strew_tuning_get(tuning, number));
        fputs(",\n", out);
    }
    fputs("};\n", out);
}
