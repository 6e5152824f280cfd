#include "operators/packed.h"

#include "base/error.h"

static int64_t elements_per_byte(const strew_form *form)
{
    return 8 / (int64_t)strew_dtype_bits(form->data.dtype);
}

/* Returns how many innermost dimensions form a row. No index selects along them. */
static int32_t count_row_dims(const strew_form *form)
{
    switch (form->addressing) {
    case STREW_ROWS:
        return form->data.rank - form->batch_dims - (int32_t)form->indices.size[form->indices.rank - 1];
    case STREW_ELEMENTS: return 0;
    default: return form->data.rank - form->axis - 1;
    }
}

typedef struct packed_unit {
    int32_t dims;     /* how many innermost dimensions it spans */
    int64_t elements; /* those of a whole row, if no unit is whole bytes */
} packed_unit;

/* Finds the unit of a form. Every tensor of the form has the same one, because they share the shape of a row. */
static packed_unit find_unit(const strew_form *form)
{
    const strew_layout *data = &form->data;
    packed_unit unit = {0, 1};
    while (unit.elements % elements_per_byte(form) != 0 && unit.dims < count_row_dims(form)) {
        unit.dims++;
        unit.elements *= data->size[data->rank - unit.dims];
    }
    return unit;
}

strew_status strew_packed_check(const strew_form *form, const strew_layout *layout, strew_operand operand,
                                strew_error *error)
{
    const packed_unit unit = find_unit(form);
    int64_t adjoining = 1;
    if (unit.elements % elements_per_byte(form) != 0)
        return STREW_REFUSE(error, PACKED_ROW, .operand = operand, .value = unit.elements);
    for (int32_t d = layout->rank; layout->count > 0 && d-- > 0;) {
        const int64_t stride = layout->stride[d];
        if (layout->size[d] == 1)
            continue;
        if (d < layout->rank - unit.dims && stride % elements_per_byte(form) != 0)
            return STREW_REFUSE(error, PACKED_STEP, .operand = operand, .dimension = d, .value = stride);
        if (d >= layout->rank - unit.dims && stride != adjoining)
            return STREW_REFUSE(error, PACKED_STRIDE, .operand = operand, .dimension = d, .value = stride,
                                .lower = adjoining);
        adjoining *= layout->size[d];
    }
    return STREW_STATUS_OK;
}

strew_status strew_packed_check_inputs(const strew_form *form, strew_error *error)
{
    RETURN_IF_REFUSED(strew_packed_check(form, &form->data, STREW_OPERAND_DATA, error));
    return form->direction == STREW_GATHERS ? STREW_STATUS_OK
                                            : strew_packed_check(form, &form->dense, STREW_OPERAND_UPDATES, error);
}

/*
 * Turns a layout of elements into one of units. Strides that are never used may not be whole bytes; all others
 * are.
 */
static void take_units(strew_layout *layout, packed_unit unit, int64_t per_byte)
{
    layout->rank -= unit.dims;
    layout->element = unit.elements / per_byte;
    layout->count = unit.elements > 0 ? layout->count / unit.elements : 0;
    layout->extent.low /= per_byte;
    layout->extent.high /= per_byte;
    for (int32_t d = 0; d < layout->rank; d++)
        layout->stride[d] /= per_byte;
}

/* Proved in tests/proof/prove_packed.cpp: each unit is at the place of its elements, and within the extent. */
void strew_packed_to_bytes(strew_form *form)
{
    const packed_unit unit = find_unit(form);
    take_units(&form->dense, unit, elements_per_byte(form));
    if (form->direction == STREW_SCATTERS)
        take_units(&form->output, unit, elements_per_byte(form));
    take_units(&form->data, unit, elements_per_byte(form));
    form->fill_bytes = 1;
}
