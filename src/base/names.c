/*
 * Converts between values and names by the lists of base/lists.h. Also returns the sizes of dtypes and the
 * version.
 */
#include <string.h>

#include "base/error.h"
#include "base/lists.h"
#include "base/text.h"
#include "strew/inspect.h"
#include "strew/operators.h"

/*
 * Each list is in the order of its values, which begin with 0. It is one string with a zero after each name, since
 * a table of pointers takes three times the room of one in a shared library.
 */
#define NAME(CONSTANT, name) #name "\0"
static const char statuses[] = STREW_STATUSES(NAME);
static const char operands[] = STREW_OPERANDS(NAME);
static const char kinds[] = STREW_KINDS(NAME);
static const char isas[] = "best\0" STREW_ISAS(NAME);
static const char policies[] = STREW_POLICIES(NAME);
static const char empties[] = STREW_EMPTIES(NAME);
static const char isa_states[] = STREW_ISA_STATES(NAME);
#define DTYPE_NAME(CONSTANT, name, suffix, bits) #name "\0"
#define DTYPE_BITS(CONSTANT, name, suffix, bits) bits,
static const char dtypes[] = "unknown\0" STREW_DTYPES(DTYPE_NAME);
static const uint8_t dtype_bits[] = {0, STREW_DTYPES(DTYPE_BITS)};
#define REDUCTION_NAME(CONSTANT, name, other) #name "\0"
#define OTHER_NAME(CONSTANT, name, other) other "\0"
static const char reductions[] = STREW_REDUCTIONS(REDUCTION_NAME);
static const char other_reductions[] = STREW_REDUCTIONS(OTHER_NAME);

#define NAME_AT(names, place) strew_text_at(names, sizeof names, (size_t)(place), "unknown")

/* Sets *value to the place of `name`. Returns false if it is not there. */
static bool find_name(const char *names, size_t size, const char *name, int32_t *value)
{
    const char *known = names;
    for (int32_t place = 0; name && value && known < names + size - 1; place++, known += strlen(known) + 1)
        if (strcmp(known, name) == 0) {
            *value = place;
            return true;
        }
    return false;
}

/* Defines strew_status_name and so on. */
#define NAME_OF(type, names)                            \
    const char *strew_##type##_name(strew_##type value) \
    {                                                   \
        return NAME_AT(names, value);                   \
    }
NAME_OF(status, statuses)
NAME_OF(operand, operands)
NAME_OF(kind, kinds)
NAME_OF(isa, isas)
NAME_OF(bounds, policies)
NAME_OF(empty, empties)
NAME_OF(isa_state, isa_states)
NAME_OF(reduction, reductions)

/* Defines strew_isa_find and so on. */
#define FIND(type, names)                                           \
    bool strew_##type##_find(const char *name, strew_##type *value) \
    {                                                               \
        return find_name(names, sizeof names, name, value);         \
    }
FIND(isa, isas)
FIND(bounds, policies)
FIND(empty, empties)

const char *strew_dtype_name(strew_dtype dtype)
{
    return dtype & STREW_DTYPE_OPAQUE_BIT ? "opaque" : NAME_AT(dtypes, dtype);
}

strew_dtype strew_dtype_find(const char *name)
{
    int32_t found = STREW_DTYPE_NONE;
    find_name(dtypes, sizeof dtypes, name, &found);
    return (strew_dtype)found;
}

uint64_t strew_dtype_bits(strew_dtype dtype)
{
    if (dtype & STREW_DTYPE_OPAQUE_BIT)
        return 8 * (uint64_t)(dtype & ~STREW_DTYPE_OPAQUE_BIT);
    return dtype < sizeof dtype_bits ? dtype_bits[dtype] : 0;
}

size_t strew_dtype_size(strew_dtype dtype)
{
    return (size_t)(strew_dtype_bits(dtype) / 8);
}

bool strew_reduction_find(const char *name, strew_reduction *reduction)
{
    return name && *name &&
           (find_name(reductions, sizeof reductions, name, reduction) ||
            find_name(other_reductions, sizeof other_reductions, name, reduction));
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *strew_version(void)
{
    return TEXT(STREW_VERSION_MAJOR) "." TEXT(STREW_VERSION_MINOR) "." TEXT(STREW_VERSION_PATCH);
}
