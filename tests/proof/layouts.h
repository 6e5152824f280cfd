/* Every layout of few bits, and the definition of its properties in exact integers. */
#ifndef STREW_PROOF_LAYOUTS_H
#define STREW_PROOF_LAYOUTS_H

#include <vector>

#include "narrow.h"

#include "base/error.h"
#include "base/layout.h"

/* The last refusal. Its details, which are for people, are left out. */
static strew_reason proof_reason;
static inline strew_status proof_refuse(strew_reason reason)
{
    proof_reason = reason;
    return STREW_STATUS_INVALID_ARGUMENT;
}
#undef STREW_REFUSE
#define STREW_REFUSE(error, REASON, ...) proof_refuse(STREW_REASON_##REASON)

/* A dtype is its own number of bits; fewer than 8 are a byte too. */
static inline uint64_t proof_bits(strew_dtype dtype)
{
    return dtype;
}
#define strew_dtype_bits proof_bits

#include "base/layout.c"

/* Goes through all positions of some sizes, row-major. False after the last one. */
static inline bool next_of(int32_t rank, const int *size, int *position)
{
    for (int32_t d = rank; d-- > 0;) {
        if (++position[d] < size[d])
            return true;
        position[d] = 0;
    }
    return false;
}

/* The sizes and steps of a layout, in exact integers. */
struct exact {
    int32_t rank;
    int count, element, low, high;
    int size[4], stride[4];
    explicit exact(const strew_layout &layout)
        : rank(layout.rank), count((int)layout.count), element((int)layout.element), low((int)layout.extent.low),
          high((int)layout.extent.high)
    {
        for (int32_t d = 0; d < rank; d++) {
            size[d] = (int)layout.size[d];
            stride[d] = (int)layout.stride[d];
        }
    }
    int at(const int *position) const
    {
        int offset = 0;
        for (int32_t d = 0; d < rank; d++)
            offset += position[d] * stride[d];
        return offset;
    }
};

/* Calls f(offset) for the element of each position. */
template <class F> static void each_offset(const exact &layout, F f)
{
    int position[4] = {0};
    if (layout.count > 0)
        do
            f(layout.at(position));
        while (next_of(layout.rank, layout.size, position));
}

/* Calls f with each combination of `count` values from `least` to `greatest`. */
template <class F> static void each_combination(int32_t count, int least, int greatest, F f)
{
    int value[8];
    for (int32_t i = 0; i < count; i++)
        value[i] = least;
    for (int32_t i = count; i >= 0;) {
        f((const int *)value);
        for (i = count; i-- > 0;) {
            if (++value[i] <= greatest)
                break;
            value[i] = least;
        }
    }
}

/* Every layout of this rank and element that is accepted, once; whether it has elements or not. */
static inline std::vector<strew_layout> all_layouts(int32_t rank, int element)
{
    std::vector<strew_layout> found;
    each_combination(rank, 0, proof_int64::greatest, [&](const int *size) {
        each_combination(rank, proof_int64::least, proof_int64::greatest, [&](const int *stride) {
            int64_t shape[4], strides[4];
            bool is_empty = false;
            for (int32_t d = 0; d < rank; d++)
                is_empty |= size[d] == 0;
            for (int32_t d = 0; d < rank; d++) {
                if ((size[d] < 2 || is_empty) && stride[d] != 0)
                    return; /* which is forgotten */
                shape[d] = size[d];
                strides[d] = stride[d];
            }
            strew_tensor tensor = {};
            tensor.dtype = (strew_dtype)(element > 1 ? 8 * element : 1);
            tensor.rank = rank;
            tensor.shape = shape;
            tensor.strides = strides;
            strew_layout layout;
            if (strew_layout_of(&layout, &tensor, STREW_OPERAND_DATA, NULL) == STREW_STATUS_OK)
                found.push_back(layout);
        });
    });
    return found;
}

#endif
