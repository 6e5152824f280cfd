/*
 * Packed elements, of which several stand in a byte: the lowest bits are the first. They move as units, which are
 * the innermost dimensions of a row, as few as hold whole bytes together. What the engine sees are elements of a
 * unit's bytes.
 */
#ifndef STREW_OPERATORS_PACKED_H
#define STREW_OPERATORS_PACKED_H

#include "engine/form.h"

static inline bool strew_form_is_packed(const strew_form *form)
{
    return STREW_HAS_PACKED_DTYPES && strew_dtype_bits(form->data.dtype) < 8;
}

/* What follows is for such forms. Refuse elements that do not move as whole bytes: of data and updates; of the
 * output. */
strew_status strew_packed_check_inputs(const strew_form *form, strew_error *error);
strew_status strew_packed_check(const strew_form *form, const strew_layout *layout, strew_operand operand,
                                strew_error *error);

/* Makes units the elements of a form that has passed. */
void strew_packed_to_bytes(strew_form *form);

#endif
