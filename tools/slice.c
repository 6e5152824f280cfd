#include "slice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads the number before the next ':' or ',' or the end; `otherwise` if there is none. */
static bool parse_number(const char **text, int64_t otherwise, int64_t *value)
{
    char *end;
    *value = otherwise;
    if (strchr(":,", **text)) /* which finds the NUL as well */
        return true;
    errno = 0;
    *value = strtoll(*text, &end, 10);
    const bool is_number = end != *text && !errno && strchr(":,", *end);
    *text = end;
    return is_number;
}

/* Reads a number behind a colon; `otherwise` if there is none. */
static bool parse_next(const char **text, int64_t otherwise, int64_t *value)
{
    *text += **text == ':';
    return parse_number(text, otherwise, value);
}

/* The defaults of start and stop depend on the step, which comes after both. */
static bool parse_dimension(const char **text, int64_t *start, int64_t *stop, int64_t *step)
{
    const char *again = *text;
    if (!parse_number(text, 0, start) || **text != ':' || !parse_next(text, INT64_MAX, stop) ||
        !parse_next(text, 1, step))
        return false;
    if (*step < 0) {
        parse_number(&again, INT64_MAX, start);
        parse_next(&again, INT64_MIN, stop);
    }
    return **text == ',' || !**text;
}

bool slice_parse(const char *text, slice_numbers *slice)
{
    for (slice->count = 0; slice->count < STREW_MAX_RANK; text++) {
        const int32_t d = slice->count++;
        if (!parse_dimension(&text, &slice->starts[d], &slice->stops[d], &slice->steps[d]))
            return false;
        if (!*text)
            return true;
    }
    return false;
}

strew_slice slice_view(const slice_numbers *slice)
{
    return (strew_slice){slice->count, 0, slice->starts, slice->stops, slice->steps, NULL};
}
