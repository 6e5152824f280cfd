/*
 * The offsets of the fields of public structs, as one way of compiling the headers gives them: layout.c is compiled
 * in several ways.
 */
#ifndef STREW_TESTS_ABI_LAYOUT_H
#define STREW_TESTS_ABI_LAYOUT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A field, with its expected size: so many pointers, or so many bytes. The last entry of a struct has no name. */
typedef struct layout_field {
    const char *type;
    const char *name;
    size_t offset; /* for the last entry: the size of the struct */
    size_t size;
    size_t pointers;
    size_t bytes;
} layout_field;

/* Compiled like the project, as C++, and with flags that change structs and enums of the caller. */
extern const layout_field layout[];
extern const size_t layout_count;
extern const layout_field layout_packed[];
extern const size_t layout_packed_count;
extern const layout_field layout_cpp[];
extern const size_t layout_cpp_count;

#ifdef __cplusplus
}
#endif

#endif
