/* The source of the manual page. */
#ifndef STREW_TESTS_MANUAL_H
#define STREW_TESTS_MANUAL_H

#include <stdio.h>

#include "test.h"

/* The text of docs/strew.1; CMake gives its place. */
static inline const char *manual_text(void)
{
    static char text[1 << 16];
    FILE *file = fopen(MANUAL, "r");
    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text, file);
    assert_in_range(size, 1, sizeof text - 1);
    text[size] = '\0';
    fclose(file);
    return text;
}

#endif
