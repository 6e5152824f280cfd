#include "operators/packed.h"

#include "base/error.h"

static int64_t in_byte(const strew_form *form)
{
    return 8 / (int64_t)strew_dtype_bits(form->data.dtype);
}

/* The innermost dimensions along which no index selects: those of a row. */
static int32_t dims_of_row(const strew_form *form)
{
    switch (form->addressing) {
    case STREW_ROWS:
        return form->data.rank - form->batch_dims - (int32_t)form->indices.size[form->indices.rank - 1];
    case STREW_ELEMENTS: return 0;
    default: return form->data.rank - form->axis - 1;
    }
}

typedef struct packed_unit {
    int32_t dims;     /* innermost ones */
    int64_t elements; /* a whole row's if that is not whole bytes */
} packed_unit;

/* The same of every tensor of the form, for they have the row in common. */
static packed_unit find_unit(const strew_form *form)
{
    const strew_layout *data = &form->data;
    packed_unit unit = {0, 1};
    while (unit.elements % in_byte(form) != 0 && unit.dims < dims_of_row(form)) {
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
    if (unit.elements % in_byte(form) != 0)
        return STREW_REFUSE(error, PACKED_ROW, .operand = operand, .value = unit.elements);
    for (int32_t d = layout->rank; layout->count > 0 && d-- > 0;) {
        const int64_t stride = layout->stride[d];
        if (layout->size[d] == 1)
            continue;
        if (d < layout->rank - unit.dims && stride % in_byte(form) != 0)
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

/* Strides that are never stepped along may be no whole bytes; all others are. */
static void take_units(strew_layout *layout, packed_unit unit, int64_t elements_in_byte)
{
    layout->rank -= unit.dims;
    layout->element = unit.elements / elements_in_byte;
    layout->count = unit.elements > 0 ? layout->count / unit.elements : 0;
    layout->extent.low /= elements_in_byte;
    layout->extent.high /= elements_in_byte;
    for (int32_t d = 0; d < layout->rank; d++)
        layout->stride[d] /= elements_in_byte;
}

/* Proved in tests/proof/prove_packed.cpp: each unit is where its elements were, and within the extent. */
void strew_packed_to_bytes(strew_form *form)
{
    const packed_unit unit = find_unit(form);
    take_units(&form->dense, unit, in_byte(form));
    if (form->direction == STREW_SCATTERS)
        take_units(&form->output, unit, in_byte(form));
    take_units(&form->data, unit, in_byte(form));
    form->fill_bytes = 1;
}
