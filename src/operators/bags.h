/* Operators that combine the rows that they gather: what their operands are to each other. */
#ifndef STREW_OPERATORS_BAGS_H
#define STREW_OPERATORS_BAGS_H

#include "operators/operator.h"

/* What a caller calls that which says where rows go: STREW_OPERAND_OFFSETS and so on. */
strew_operand strew_segments_operand(strew_kind kind);

/* Whether only the caller can say how many rows the output has, and has not said it as an attribute. */
bool strew_bags_need_count(const strew_call *call, const strew_form *form);

/* The shape rule of STREW_BAGS. */
strew_status strew_bags_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error);

#endif
