#include "names.h"

#include <stdio.h>
#include <string.h>

#include <strew/operators.h>

void names_add(names *list, const char *name, size_t length)
{
    for (size_t i = 0; i < list->count; i++)
        if (strlen(list->name[i]) == length && strncmp(list->name[i], name, length) == 0)
            return;
    if (list->count < NAMES_MOST)
        snprintf(list->name[list->count++], NAMES_LONGEST, "%.*s", (int)length, name);
}

const char *names_join(names *list, const char *conjunction)
{
    size_t size = 0;
    list->joined[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const bool last = i + 1 == list->count;
        const int length =
            snprintf(list->joined + size, sizeof list->joined - size, "%s%s%s%s", i == 0 ? "" : (last ? " " : ", "),
                     i > 0 && last ? conjunction : "", i > 0 && last ? " " : "", list->name[i]);
        size += (size_t)length;
    }
    return list->joined;
}

static void add_whole(names *list, const char *name)
{
    names_add(list, name, strlen(name));
}

void names_of_reductions_in(names *list, unsigned set)
{
    for (unsigned r = 0; r < STREW_REDUCTION_COUNT; r++)
        if (set >> r & 1u)
            add_whole(list, strew_reduction_name((strew_reduction)r));
}

void names_of_reductions(names *list)
{
    names_of_reductions_in(list, ~0u);
}

void names_of_dtypes(names *list)
{
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; dtype < STREW_DTYPE_COUNT; dtype++)
        if (strew_dtype_size(dtype) > 0) /* no packed elements in files */
            add_whole(list, strew_dtype_name(dtype));
}

void names_of_isas(names *list)
{
    for (unsigned isa = STREW_ISA_BEST; isa < STREW_ISA_COUNT; isa++)
        add_whole(list, strew_isa_name((strew_isa)isa));
}

void names_of_bounds(names *list)
{
    for (unsigned bounds = STREW_BOUNDS_REFUSE; bounds < STREW_BOUNDS_COUNT; bounds++)
        add_whole(list, strew_bounds_name((strew_bounds)bounds));
}

void names_of_empties(names *list)
{
    for (unsigned empty = STREW_EMPTY_ZERO; empty < STREW_EMPTY_COUNT; empty++)
        add_whole(list, strew_empty_name((strew_empty)empty));
}

/* The length of a name without its version: that of "GatherND" in "GatherND-13". */
static size_t length_without_version(const char *name)
{
    const char *const dash = strrchr(name, '-');
    return dash ? (size_t)(dash - name) : strlen(name);
}

void names_of_operators(names *list)
{
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const char *const name = strew_operator_at(i)->name;
        names_add(list, name, length_without_version(name));
    }
}

void names_of_versions(names *list, const char *name)
{
    const char *const colon = strchr(name, ':'), *const plain = colon ? colon + 1 : name;
    const size_t length = length_without_version(plain);
    for (size_t i = 0; i < strew_operator_count(); i++) {
        const strew_operator *op = strew_operator_at(i);
        const bool is_of_collection = !colon || (strlen(op->collection) == (size_t)(colon - name) &&
                                                 strncmp(op->collection, name, (size_t)(colon - name)) == 0);
        if (is_of_collection && length_without_version(op->name) == length && strncmp(op->name, plain, length) == 0)
            add_whole(list, op->name);
    }
}
