/*
 * Converts between values and names by the lists of base/lists.h. Also returns the sizes of dtypes and the
 * version.
 */
#include <string.h>

#include "base/error.h"
#include "base/lists.h"
#include "strew/inspect.h"
#include "strew/operators.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Each list is in the order of its values, which begin with 0. */
#define NAME(CONSTANT, name) #name,
static const char *const statuses[] = {STREW_STATUSES(NAME)};
static const char *const operands[] = {STREW_OPERANDS(NAME)};
static const char *const kinds[] = {STREW_KINDS(NAME)};
static const char *const isas[] = {"best", STREW_ISAS(NAME)};
static const char *const policies[] = {STREW_POLICIES(NAME)};
static const char *const empties[] = {STREW_EMPTIES(NAME)};
static const char *const isa_states[] = {STREW_ISA_STATES(NAME)};
#define DTYPE_NAME(CONSTANT, name, suffix, bits) #name,
#define DTYPE_BITS(CONSTANT, name, suffix, bits) bits,
static const char *const dtypes[] = {"unknown", STREW_DTYPES(DTYPE_NAME)};
static const uint8_t dtype_bits[] = {0, STREW_DTYPES(DTYPE_BITS)};
#define REDUCTION_NAME(CONSTANT, name, other) #name,
#define OTHER_NAME(CONSTANT, name, other) other,
static const char *const reductions[] = {STREW_REDUCTIONS(REDUCTION_NAME)};
static const char *const other_reductions[] = {STREW_REDUCTIONS(OTHER_NAME)};

static const char *name_at(const char *const *names, size_t count, size_t index)
{
    return index < count ? names[index] : "unknown";
}

/* Returns the place of `name`; `count` if it is not there. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
    size_t index = 0;
    while (index < count && strcmp(names[index], name) != 0)
        index++;
    return index;
}

const char *strew_status_name(strew_status status)
{
    return name_at(statuses, COUNT(statuses), (size_t)status);
}

const char *strew_operand_name(strew_operand operand)
{
    return name_at(operands, COUNT(operands), (size_t)operand);
}

const char *strew_kind_name(strew_kind kind)
{
    return name_at(kinds, COUNT(kinds), (size_t)kind);
}

const char *strew_isa_name(strew_isa isa)
{
    return name_at(isas, COUNT(isas), (size_t)isa);
}

bool strew_isa_find(const char *name, strew_isa *isa)
{
    const size_t found = name && isa ? find_name(isas, COUNT(isas), name) : COUNT(isas);
    if (found < COUNT(isas))
        *isa = (strew_isa)found;
    return found < COUNT(isas);
}

const char *strew_bounds_name(strew_bounds bounds)
{
    return name_at(policies, COUNT(policies), (size_t)bounds);
}

bool strew_bounds_find(const char *name, strew_bounds *bounds)
{
    const size_t found = name && bounds ? find_name(policies, COUNT(policies), name) : COUNT(policies);
    if (found < COUNT(policies))
        *bounds = (strew_bounds)found;
    return found < COUNT(policies);
}

const char *strew_empty_name(strew_empty empty)
{
    return name_at(empties, COUNT(empties), (size_t)empty);
}

bool strew_empty_find(const char *name, strew_empty *empty)
{
    const size_t found = name && empty ? find_name(empties, COUNT(empties), name) : COUNT(empties);
    if (found < COUNT(empties))
        *empty = (strew_empty)found;
    return found < COUNT(empties);
}

const char *strew_isa_state_name(strew_isa_state state)
{
    return name_at(isa_states, COUNT(isa_states), (size_t)state);
}

const char *strew_dtype_name(strew_dtype dtype)
{
    return dtype & STREW_DTYPE_OPAQUE_BIT ? "opaque" : name_at(dtypes, COUNT(dtypes), dtype);
}

strew_dtype strew_dtype_find(const char *name)
{
    const size_t found = name ? find_name(dtypes, COUNT(dtypes), name) : STREW_DTYPE_NONE;
    return found < COUNT(dtypes) ? (strew_dtype)found : STREW_DTYPE_NONE;
}

uint64_t strew_dtype_bits(strew_dtype dtype)
{
    if (dtype & STREW_DTYPE_OPAQUE_BIT)
        return 8 * (uint64_t)(dtype & ~STREW_DTYPE_OPAQUE_BIT);
    return dtype < COUNT(dtype_bits) ? dtype_bits[dtype] : 0;
}

size_t strew_dtype_size(strew_dtype dtype)
{
    return (size_t)(strew_dtype_bits(dtype) / 8);
}

const char *strew_reduction_name(strew_reduction reduction)
{
    return name_at(reductions, COUNT(reductions), (size_t)reduction);
}

bool strew_reduction_find(const char *name, strew_reduction *reduction)
{
    if (!name || !reduction || !*name)
        return false;
    size_t found = find_name(reductions, COUNT(reductions), name);
    if (found == COUNT(reductions))
        found = find_name(other_reductions, COUNT(other_reductions), name);
    if (found < COUNT(reductions))
        *reduction = (strew_reduction)found;
    return found < COUNT(reductions);
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *strew_version(void)
{
    return TEXT(STREW_VERSION_MAJOR) "." TEXT(STREW_VERSION_MINOR) "." TEXT(STREW_VERSION_PATCH);
}
