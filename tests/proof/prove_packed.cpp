/*
 * operators/packed.c: every two tensors of packed elements, of all layouts and of two and of four elements to a
 * byte, that are accepted as the two sides of rows along an axis: their units lie in the extent, each at the place
 * of its elements.
 */
#include "layouts.h"

#include "operators/packed.c"

static long tried, accepted;

/* Each unit of the tensor in bytes begins where its first element was, and ends with its last one. */
static void prove_units(const strew_layout &packed, const strew_layout &bytes, int in_byte)
{
    const exact elements(packed), units(bytes);
    int position[4] = {0};
    PROVE(units.count * units.element * in_byte == elements.count);
    if (units.count > 0)
        do {
            const int first = elements.at(position); /* 0 along the dimensions of the unit */
            const int offset = units.at(position);
            PROVE(offset * in_byte == first);
            PROVE(offset >= units.low && offset + units.element <= units.high);
            PROVE(units.low * in_byte >= elements.low && units.high * in_byte <= elements.high);
        } while (next_of(units.rank, units.size, position));
}

static void prove_form(const strew_layout &data, const strew_layout &dense, strew_dtype dtype)
{
    strew_form form = {};
    form.addressing = STREW_AXIS;
    form.direction = STREW_GATHERS;
    form.data = data;
    form.dense = dense;
    form.data.dtype = form.dense.dtype = dtype;
    tried++;
    snprintf(proof_case, sizeof proof_case, "bits %d, %d by %d, %d by %d", (int)dtype, (int)data.size[0],
             (int)data.stride[0], (int)data.size[1], (int)data.stride[1]);
    if (strew_packed_check(&form, &form.data, STREW_OPERAND_DATA, NULL) != STREW_STATUS_OK ||
        strew_packed_check(&form, &form.dense, STREW_OPERAND_OUTPUT, NULL) != STREW_STATUS_OK)
        return;
    accepted++;
    strew_packed_to_bytes(&form);
    prove_units(data, form.data, 8 / (int)dtype);
    prove_units(dense, form.dense, 8 / (int)dtype);
}

int main(void)
{
    const std::vector<strew_layout> layouts = all_layouts(2, 1);
    for (const strew_layout &data : layouts)
        for (const strew_layout &dense : layouts)
            for (const strew_dtype bits : {2, 4})
                if (data.size[1] == dense.size[1])
                    prove_form(data, dense, bits);
    printf("%ld pairs of packed tensors, %ld of them accepted\n", tried, accepted);
}
