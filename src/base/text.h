/* A text that grows in a buffer of fixed size. Bytes that do not fit are counted but not written. */
#ifndef STREW_BASE_TEXT_H
#define STREW_BASE_TEXT_H

#include <stddef.h>

#include "base/compiler.h"
#include "strew/strew.h"

typedef struct strew_text {
    char *buffer;
    size_t size;
    size_t length; /* of all bytes added, including those that did not fit */
} strew_text;

/* Begins an empty text. The buffer may be NULL. */
strew_text strew_text_begin(char *buffer, size_t size);

/* Appends to the text as printf does. The buffer stays terminated. */
STREW_PRINTF(2, 3) void strew_text_add(strew_text *text, const char *format, ...);

/* Returns the text at a place of a list with a zero after each text; beyond the last one, `otherwise`. */
const char *strew_text_at(const char *list, size_t size, size_t place, const char *otherwise);

#endif
