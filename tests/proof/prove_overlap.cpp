/*
 * base/overlap.c: for every two tensors that BITS can hold, and every distance between them, the answer about
 * shared bytes is right, and it is "unknown" only if both together reach further than an integer counts.
 */
#include "layouts.h"

#include "base/overlap.c"

/* A layout, and which bytes it has: bit i is byte i, counted from the lowest. */
struct placed {
    strew_layout layout;
    int bytes;
    unsigned long mask;
};

static placed placed_of(const strew_layout &layout)
{
    const exact exact_layout(layout);
    placed found = {layout, exact_layout.high - exact_layout.low, 0};
    each_offset(exact_layout, [&](int offset) {
        for (int byte = 0; byte < exact_layout.element; byte++)
            found.mask |= 1ul << (offset + byte - exact_layout.low);
    });
    return found;
}

static std::vector<placed> all_placed(int32_t rank, int element)
{
    std::vector<placed> all;
    for (const strew_layout &layout : all_layouts(rank, element))
        if ((int)layout.count > 0)
            all.push_back(placed_of(layout));
    return all;
}

static long tried, shared;

static void prove_pair(const placed &a, const placed &b, bool is_block)
{
    const uintptr_t place = 1000;
    for (int between = -b.bytes; between <= a.bytes; between++) {
        const strew_span one = {place, a.bytes, &a.layout},
                         other = {place + (uintptr_t)between, b.bytes, is_block ? NULL : &b.layout};
        const unsigned long mask = is_block ? (1ul << b.bytes) - 1 : b.mask;
        const bool share = between < 0 ? (a.mask & mask >> -between) != 0 : (a.mask & mask << between) != 0;
        snprintf(proof_case, sizeof proof_case, "bytes %#lx and %#lx, %d further on", a.mask, mask, between);
        PROVE(strew_find_overlap(&one, &other) == (share ? STREW_OVERLAP_FOUND : STREW_OVERLAP_NONE));
        tried++;
        shared += share;
    }
}

int main(void)
{
    for (int element = 1; element <= MOST_ELEMENT; element++)
        for (int other = 1; other <= MOST_ELEMENT; other++) {
            const std::vector<placed> ones = all_placed(RANK, element), others = all_placed(OTHER_RANK, other);
            for (const placed &a : ones)
                for (const placed &b : others)
                    if (a.bytes + b.bytes <= proof_int64::greatest) {
                        prove_pair(a, b, false);
                        prove_pair(b, a, true);
                    }
        }
    printf("%ld distances between tensors of rank %d and %d, %ld of which share a byte\n", tried, RANK, OTHER_RANK,
           shared);
}
