/* Checks the operands of the operators that combine rows as they gather them. */
#ifndef STREW_OPERATORS_BAGS_H
#define STREW_OPERATORS_BAGS_H

#include "operators/operator.h"

/* Returns the operand of this kind that says where rows go: STREW_OPERAND_OFFSETS and so on. */
strew_operand strew_segments_operand(strew_kind kind);

/* Returns whether only the caller can say how many rows the output has, and no attribute says it. */
bool strew_bags_need_count(const strew_call *call, const strew_form *form);

/* The shape rule of STREW_BAGS. */
strew_status strew_bags_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error);

#endif
