#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

strew_text strew_text_begin(char *buffer, size_t size)
{
    const strew_text text = {buffer, buffer ? size : 0, 0};
    if (text.size > 0)
        buffer[0] = '\0';
    return text;
}

void strew_text_add(strew_text *text, const char *format, ...)
{
    const bool fits = text->length < text->size;
    va_list arguments;
    va_start(arguments, format);
    const int written = vsnprintf(fits ? text->buffer + text->length : NULL, fits ? text->size - text->length : 0,
                                  format, arguments);
    va_end(arguments);
    if (written > 0)
        text->length += (size_t)written;
}

const char *strew_text_at(const char *list, size_t size, size_t place, const char *otherwise)
{
    const char *const end = list + size - 1;
    for (; place > 0 && list < end; place--)
        list += strlen(list) + 1;
    return list < end ? list : otherwise;
}
