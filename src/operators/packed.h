/*
 * Packed elements, of which several stand in a byte: the lowest bits are the first. They move as units, which are
 * the innermost dimensions of a row, as few as hold whole bytes together. What the engine sees are elements of a
 * unit's bytes.
 */
#ifndef STREW_OPERATORS_PACKED_H
#define STREW_OPERATORS_PACKED_H

#include "engine/form.h"

/* Refuse packed elements that do not move as whole bytes: data and updates; the output. All others pass. */
strew_status strew_packed_check_inputs(const strew_form *form, strew_error *error);
strew_status strew_packed_check(const strew_form *form, const strew_layout *layout, strew_operand operand,
                                strew_error *error);

/* Makes units the elements of a form that has passed, if it is one of packed elements. */
void strew_packed_to_bytes(strew_form *form);

#endif
