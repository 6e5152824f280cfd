/*
 * base/layout.c: every tensor of a rank, of every size, stride and element that BITS can hold, is refused if and
 * only if it reaches further than a pointer can step; otherwise each of its elements lies in its extent.
 */
#include "layouts.h"

#include <bitset>

/* The documented properties of a tensor. */
struct expectation {
    bool has_negative_size, is_too_large;
};
static expectation expected_of(int32_t rank, const int *size, const int *stride, int element)
{
    const long most = (int)PTRDIFF_MAX;
    long bytes = element, reach = element;
    bool negative = false;
    for (int32_t d = 0; d < rank; d++) {
        negative |= size[d] < 0;
        bytes *= size[d] > 0 ? size[d] : 1;
        if (stride && size[d] > 1)
            reach += labs((long)stride[d]) * element * (size[d] - 1);
    }
    return {negative, bytes > most || reach > most};
}

/* Every element lies in the extent, and the extent is no longer than needed. */
static void prove_extent(const strew_layout &layout)
{
    const exact exact_layout(layout);
    int low = INT_MAX, high = INT_MIN, seen = 0;
    each_offset(exact_layout, [&](int offset) {
        low = offset < low ? offset : low;
        high = offset + exact_layout.element > high ? offset + exact_layout.element : high;
        seen++;
    });
    PROVE(seen == exact_layout.count);
    PROVE(exact_layout.low == (seen ? low : 0) && exact_layout.high == (seen ? high : 0));
    PROVE(exact_layout.high - exact_layout.low <= (int)PTRDIFF_MAX);
}

/* Elements share a byte only if that is refused; those that fill a range of bytes, each once, never are. */
static void prove_apart(const strew_layout &layout)
{
    const exact exact_layout(layout);
    std::bitset<1 << BITS> taken;
    bool are_apart = true;
    each_offset(exact_layout, [&](int offset) {
        for (int byte = 0; byte < exact_layout.element; byte++) {
            const size_t place = (size_t)(offset + byte - exact_layout.low);
            are_apart &= !taken[place];
            taken[place] = true;
        }
    });
    const bool is_accepted = strew_layout_check_apart(&layout, STREW_OPERAND_DATA, NULL) == STREW_STATUS_OK;
    const bool fills = (int)taken.count() == exact_layout.high - exact_layout.low;
    PROVE(!is_accepted || are_apart);
    PROVE(is_accepted || !(are_apart && fills));
}

static long tried, accepted;

static void prove_one(int32_t rank, const int *size, const int *stride, int element)
{
    int64_t shape[4], strides[4];
    for (int32_t d = 0; d < rank; d++) {
        shape[d] = size[d];
        strides[d] = stride ? stride[d] : 0;
    }
    strew_tensor tensor = {};
    tensor.dtype = (strew_dtype)(8 * element);
    tensor.rank = rank;
    tensor.shape = shape;
    tensor.strides = stride ? strides : NULL;
    strew_layout layout;
    int length = snprintf(proof_case, sizeof proof_case, "element %d, size and stride of each dimension:", element);
    for (int32_t d = 0; d < rank && length < 400; d++)
        length += snprintf(proof_case + length, sizeof proof_case - (size_t)length, " %d by %d", size[d],
                           stride ? stride[d] : 0);
    const bool is_taken = strew_layout_of(&layout, &tensor, STREW_OPERAND_DATA, NULL) == STREW_STATUS_OK;
    const expectation expected = expected_of(rank, size, stride, element);
    PROVE(is_taken == !(expected.has_negative_size || expected.is_too_large));
    tried++;
    if (!is_taken)
        return;
    accepted++;
    prove_extent(layout);
    prove_apart(layout);
}

/* Layouts that count as equal put their elements at the same places. */
static void prove_same_places(void)
{
    const std::vector<strew_layout> layouts = all_layouts(RANK < 2 ? RANK : 1, 1);
    for (const strew_layout &a : layouts)
        for (const strew_layout &b : layouts) {
            const exact one(a), other(b);
            bool are_same = one.rank == other.rank;
            for (int32_t d = 0; are_same && d < one.rank; d++)
                are_same = one.size[d] == other.size[d];
            int position[4] = {0};
            if (are_same && one.count > 0)
                do
                    are_same = one.at(position) == other.at(position);
                while (are_same && next_of(one.rank, one.size, position));
            PROVE(strew_layout_same_places(&a, &b) == are_same);
        }
}

int main(void)
{
    const int greatest_element = proof_uint64::greatest / 8;
    for (int element = 1; element <= greatest_element; element++)
        each_combination(RANK, LEAST_SIZE, GREATEST_SIZE, [=](const int *size) {
            prove_one(RANK, size, NULL, element);
            each_combination(RANK, proof_int64::least, proof_int64::greatest,
                             [=](const int *stride) { prove_one(RANK, size, stride, element); });
        });
    prove_same_places();
    printf("%ld tensors of rank %d, %ld of them accepted\n", tried, RANK, accepted);
}
