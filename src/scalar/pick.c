/* The scalar picking of rows that are owned. */
#define STREW_ISA_SUFFIX scalar
#define STREW_KERNEL_LIST "scalar/kernels.inc"
#include "dispatch/kernels.h"
#include "kernels/prototypes.inc"

/* Without a branch: whether a row is owned cannot be foreseen. */
size_t strew_pick_owned_scalar(const char *addressed, const int64_t *offsets, const int64_t *others, size_t count,
                               strew_ownership ownership, int64_t *picked, int64_t *picked_others)
{
    size_t picks = 0;
    for (size_t i = 0; i < count; i++) {
        picked[picks] = offsets[i];
        picked_others[picks] = others[i];
        picks += strew_owner(ownership, (uintptr_t)addressed + (uintptr_t)offsets[i]) == ownership.index;
    }
    return picks;
}
