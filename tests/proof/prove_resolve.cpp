/*
 * kernels/resolve.inc, the definition of resolving indices: for every dimension that a tensor of BITS can have, or
 * every two, every base from which all rows can be counted, and every index of four types: bad indices are
 * reported, good ones are not, and the offset of a good one is that of its row. Amended ones name the documented
 * row, or none.
 */
#include "layouts.h"

#include "kernels/glue.h"

/* The dtypes of indices: as wide as the sizes, and narrower ones. */
typedef proof_int64 whole, whole_at;
typedef proof_uint64 uwhole, uwhole_at;
typedef narrow_signed<BITS - 2> part, part_at;
typedef narrow_unsigned<BITS - 2> upart, upart_at;

#define STREW_ISA proof
#define u64 proof_uint64
#define STREW_T_KIND KIND_SIGNED
#define STREW_T whole
#include "kernels/resolve.inc"
#undef STREW_T
#define STREW_T part
#include "kernels/resolve.inc"
#undef STREW_T
#undef STREW_T_KIND
#define STREW_T_KIND KIND_UNSIGNED
#define STREW_T uwhole
#include "kernels/resolve.inc"
#undef STREW_T
#define STREW_T upart
#include "kernels/resolve.inc"
#undef STREW_T
#undef STREW_T_KIND

/* The position of an index; false if it has none. */
static bool position_of(int index, int size, bool wrap, strew_bounds bounds, int *position)
{
    *position = wrap && index < 0 ? index + size : index;
    const bool is_right = *position >= 0 && *position < size;
    if (is_right)
        return true;
    if (bounds == STREW_BOUNDS_CLAMP)
        *position = index < 0 ? 0 : size - 1;
    else if (bounds == STREW_BOUNDS_WRAP)
        *position = (index % size + size) % size;
    else
        return false;
    return true;
}

static long tried;

/* Proves one tuple. `lead` is its offset if all positions are valid, with `base` included. */
template <class T, class Resolve, class Amend>
static void prove_tuple(const T *tuple, const strew_coordinates &coordinates, int base, Resolve resolve,
                        Amend amend)
{
    const int64_t bases[1] = {base};
    int64_t offsets[1];
    int lead = base, position, size_least = INT_MAX;
    bool is_right = true;
    for (int32_t c = 0; c < coordinates.count; c++) {
        const int size = (int)coordinates.each[c].size;
        size_least = size < size_least ? size : size_least;
        is_right &= position_of((int)tuple[c], size, coordinates.wrap, STREW_BOUNDS_REFUSE, &position);
        lead += is_right ? position * (int)coordinates.each[c].stride : 0;
    }
    const char *const indices = (const char *)tuple;
    PROVE(resolve(indices, 0, 1, &coordinates, bases, offsets) == is_right);
    PROVE(!is_right || (int)offsets[0] == lead);
    amend(indices, 0, 1, &coordinates, bases, offsets, STREW_BOUNDS_SKIP);
    PROVE(is_right ? (int)offsets[0] == lead && offsets[0] != STREW_NO_ROW : offsets[0] == STREW_NO_ROW);
    for (const strew_bounds bounds : {STREW_BOUNDS_CLAMP, STREW_BOUNDS_WRAP}) {
        if (size_least == 0)
            break;
        lead = base;
        for (int32_t c = 0; c < coordinates.count; c++) {
            PROVE(position_of((int)tuple[c], (int)coordinates.each[c].size, coordinates.wrap, bounds, &position));
            lead += position * (int)coordinates.each[c].stride;
        }
        amend(indices, 0, 1, &coordinates, bases, offsets, bounds);
        PROVE((int)offsets[0] == lead);
    }
    tried++;
}

template <class T, class Resolve, class Amend>
static void prove_indices(strew_coordinates coordinates, int base, Resolve resolve, Amend amend)
{
    coordinates.step = (int)sizeof(T);
    each_combination(coordinates.count, T::least, T::greatest, [&](const int *index) {
        T tuple[2];
        for (int32_t c = 0; c < coordinates.count; c++)
            tuple[c] = T(index[c]);
        prove_tuple(tuple, coordinates, base, resolve, amend);
    });
}

int main(void)
{
    for (const strew_layout &layout : all_layouts(COORDINATES, 1)) {
        const int low = (int)layout.extent.low, high = (int)layout.extent.high;
        strew_coordinates coordinates = {};
        coordinates.count = COORDINATES;
        for (int32_t c = 0; c < COORDINATES; c++)
            coordinates.each[c] = {layout.size[c], layout.stride[c]};
        /* These are the last dimensions of a larger tensor, whose other coordinates lead to any base. */
        for (int base = -(int)PTRDIFF_MAX; base <= (int)PTRDIFF_MAX; base++) {
            if (base + low < -(int)PTRDIFF_MAX || base + high > (int)PTRDIFF_MAX)
                continue;
            for (const bool wrap : {false, true}) {
                coordinates.wrap = wrap;
                snprintf(proof_case, sizeof proof_case, "base %d, wrap %d, size %d by %d, and %d by %d", base, wrap,
                         (int)layout.size[0], (int)layout.stride[0], (int)layout.size[COORDINATES - 1],
                         (int)layout.stride[COORDINATES - 1]);
                prove_indices<whole>(coordinates, base, strew_resolve_whole_proof, strew_amend_whole_proof);
                prove_indices<part>(coordinates, base, strew_resolve_part_proof, strew_amend_part_proof);
                prove_indices<uwhole>(coordinates, base, strew_resolve_uwhole_proof, strew_amend_uwhole_proof);
                prove_indices<upart>(coordinates, base, strew_resolve_upart_proof, strew_amend_upart_proof);
            }
        }
    }
    printf("%ld tuples of %d\n", tried, COORDINATES);
}
