/* The scalar lookups: one loop that checks an index and moves an element. */
#include "kernels/glue.h"
#include "scalar/kernels.h"

/* Without a branch: what is wrong is noted, and names the first element. */
INLINE size_t position_of(i64 index, u64 gain, u64 size, bool *outside)
{
    const u64 position = (u64)index + (index < 0 ? gain : 0);
    *outside |= position >= size;
    return position < size ? (size_t)position : 0;
}

#define LOOK_UP(element, index)        \
    for (size_t i = 0; i < count; i++) \
        ((element##_at *)dense)[i] =   \
            ((const element##_at *)    \
                 part.elements)[position_of(((const index##_at *)indices)[i], gain, (u64)part.size, &outside)];
#define EXPORT_LOOKUP(element, bytes)                            \
    bool STREW_KERNEL(lookup, element, scalar)(TABLE_PARAMETERS) \
    {                                                            \
        const strew_table part = *table;                         \
        const u64 gain = part.wrap ? (u64)part.size : 0;         \
        bool outside = false;                                    \
        if (part.is_narrow) {                                    \
            LOOK_UP(element, i32)                                \
        } else {                                                 \
            LOOK_UP(element, i64)                                \
        }                                                        \
        return !outside;                                         \
    }
STREW_LOOKUP_SIZES(EXPORT_LOOKUP)
