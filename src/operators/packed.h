/*
 * Packed elements lie several to a byte, the first one in the lowest bits. They move in units. A unit consists of
 * the innermost dimensions of a row, as few as make up whole bytes. The engine sees each unit as one element.
 */
#ifndef STREW_OPERATORS_PACKED_H
#define STREW_OPERATORS_PACKED_H

#include "engine/form.h"

static inline bool strew_form_is_packed(const strew_form *form)
{
    return STREW_HAS_PACKED_DTYPES && strew_dtype_bits(form->data.dtype) < 8;
}

/*
 * Both functions take a form of packed elements and refuse elements that do not move as whole bytes. The first
 * checks data and updates, the second one tensor.
 */
strew_status strew_packed_check_inputs(const strew_form *form, strew_error *error);
strew_status strew_packed_check(const strew_form *form, const strew_layout *layout, strew_operand operand,
                                strew_error *error);

/* Turns the elements of a form that has passed into units. */
void strew_packed_to_bytes(strew_form *form);

#endif
