/* Lists of names, as help and errors show them. All come from the library's own lists. */
#ifndef STREW_TOOLS_NAMES_H
#define STREW_TOOLS_NAMES_H

#include <stddef.h>

enum { NAMES_MOST = 64, NAMES_LONGEST = 32 };

typedef struct names {
    size_t count;
    char name[NAMES_MOST][NAMES_LONGEST];
    char joined[NAMES_MOST * (NAMES_LONGEST + 2)];
} names;

/* Adds the first `length` bytes of a name, once. */
void names_add(names *list, const char *name, size_t length);

/* "a, b and c" for the conjunction "and"; valid until the list changes. */
const char *names_join(names *list, const char *conjunction);

/* Each adds the names of one thing to the list. */
typedef void names_function(names *list);
names_function names_of_reductions, names_of_dtypes, names_of_isas, names_of_bounds, names_of_empties;
names_function names_of_operators; /* without versions: "GatherND" */

/*
 * All versions of the operator `name`, whatever version `name` itself has: "GatherND-7" adds GatherND-5,
 * GatherND-8, ...; "ONNX:GatherND-7" adds only those of ONNX.
 */
void names_of_versions(names *list, const char *name);

/* The reductions of a set of bits 1u << reduction. */
void names_of_reductions_in(names *list, unsigned set);

#endif
