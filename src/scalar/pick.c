/* Picks the rows that an owner owns, in plain C. */
#include "kernels/glue.h"
#include "scalar/kernels.h"

#define STREW_ISA scalar

/* Picks rows without a branch, because a CPU could not predict it. */
size_t KERNEL_NAME(pick, owned)(PICK_PARAMETERS)
{
    size_t picks = 0;
    for (size_t i = 0; i < count; i++) {
        picked[picks] = offsets[i];
        picked_others[picks] = others[i];
        picks += strew_owner(ownership, (uintptr_t)addressed + (uintptr_t)offsets[i]) == ownership.index;
    }
    return picks;
}
