/* Names and sizes of dtypes, names of reductions, and the version. */
#include "base/lists.h"

#include <string.h>

typedef struct dtype_entry {
    const char *name;
    size_t size;
} dtype_entry;

static const dtype_entry dtypes[STREW_DTYPE_COUNT] = {[STREW_DTYPE_NONE] = {"unknown", 0},
#define ENTRY(CONSTANT, name, suffix, bytes) [STREW_DTYPE_##CONSTANT] = {#name, bytes},
                                                      STREW_DTYPES(ENTRY)
#undef ENTRY
};

const char *strew_dtype_name(strew_dtype dtype)
{
    if (dtype & STREW_DTYPE_OPAQUE_BIT)
        return "opaque";
    return dtypes[dtype < STREW_DTYPE_COUNT ? dtype : STREW_DTYPE_NONE].name;
}

strew_dtype strew_dtype_find(const char *name)
{
    for (strew_dtype dtype = STREW_DTYPE_NONE + 1; name && dtype < STREW_DTYPE_COUNT; dtype++)
        if (strcmp(dtypes[dtype].name, name) == 0)
            return dtype;
    return STREW_DTYPE_NONE;
}

size_t strew_dtype_size(strew_dtype dtype)
{
    if (dtype & STREW_DTYPE_OPAQUE_BIT)
        return dtype & ~STREW_DTYPE_OPAQUE_BIT;
    return dtypes[dtype < STREW_DTYPE_COUNT ? dtype : STREW_DTYPE_NONE].size;
}

typedef struct reduction_entry {
    const char *name;
    const char *other_name;
} reduction_entry;

static const reduction_entry reductions[STREW_REDUCTION_COUNT] = {
#define ENTRY(CONSTANT, name, other) [STREW_REDUCTION_##CONSTANT] = {#name, other},
    STREW_REDUCTIONS(ENTRY)
#undef ENTRY
};

const char *strew_reduction_name(strew_reduction reduction)
{
    return (unsigned)reduction < STREW_REDUCTION_COUNT ? reductions[reduction].name : "unknown";
}

bool strew_reduction_find(const char *name, strew_reduction *reduction)
{
    if (!name || !reduction || !*name)
        return false;
    for (unsigned r = 0; r < STREW_REDUCTION_COUNT; r++)
        if (strcmp(reductions[r].name, name) == 0 || strcmp(reductions[r].other_name, name) == 0) {
            *reduction = (strew_reduction)r;
            return true;
        }
    return false;
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *strew_version(void)
{
    return TEXT(STREW_VERSION_MAJOR) "." TEXT(STREW_VERSION_MINOR) "." TEXT(STREW_VERSION_PATCH);
}
