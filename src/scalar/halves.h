/* Widens rows of halves to float32 and narrows them again, once for all that is computed in between. */
#ifndef STREW_SCALAR_HALVES_H
#define STREW_SCALAR_HALVES_H

#include "kernels/glue.h"
#include "scalar/vector.h"

#define ROWS_OF_HALVES(T)                                                         \
    APART void T##_widen_row(f32 *floats, const T##_at *halves, size_t elements)  \
    {                                                                             \
        for (size_t e = 0; e < elements; e++)                                     \
            floats[e] = f32_from_##T(halves[e]);                                  \
    }                                                                             \
    APART void T##_narrow_row(T##_at *halves, const f32 *floats, size_t elements) \
    {                                                                             \
        for (size_t e = 0; e < elements; e++)                                     \
            halves[e] = T##_from_f32(floats[e]);                                  \
    }
ROWS_OF_HALVES(f16)
ROWS_OF_HALVES(bf16)
#undef ROWS_OF_HALVES

#endif
