/* The arrays that each operator takes, their order and their names. */
#include "core.h"

presence kind_takes(strew_kind kind, int operand)
{
    static const presence taken[][OPERANDS] = {
        [STREW_KIND_GATHER] = {[INDICES] = NEEDED},
        [STREW_KIND_GATHER_ND] = {[INDICES] = NEEDED},
        [STREW_KIND_GATHER_ELEMENTS] = {[INDICES] = NEEDED},
        [STREW_KIND_SCATTER] = {[INDICES] = NEEDED, [UPDATES] = NEEDED},
        [STREW_KIND_SCATTER_ND] = {[INDICES] = NEEDED, [UPDATES] = NEEDED},
        [STREW_KIND_SCATTER_ELEMENTS] = {[INDICES] = NEEDED, [UPDATES] = NEEDED},
        [STREW_KIND_TENSOR_SCATTER] = {[INDICES] = OPTIONAL, [UPDATES] = NEEDED},
        [STREW_KIND_SLICE_SCATTER] = {[UPDATES] = NEEDED},
        [STREW_KIND_EMBEDDING_BAG_OFFSETS] = {[INDICES] = NEEDED, [SEGMENTS] = NEEDED, [WEIGHTS] = OPTIONAL},
        [STREW_KIND_EMBEDDING_BAG_PACKED] = {[INDICES] = NEEDED, [WEIGHTS] = OPTIONAL},
        [STREW_KIND_EMBEDDING_SEGMENTS] = {[INDICES] = NEEDED, [SEGMENTS] = NEEDED, [WEIGHTS] = OPTIONAL},
        [STREW_KIND_SEGMENT_REDUCE] = {[SEGMENTS] = NEEDED},
        [STREW_KIND_GATHER_SCATTER] =
            {[INDICES] = NEEDED, [UPDATES] = NEEDED, [SEGMENTS] = NEEDED, [WEIGHTS] = OPTIONAL},
    };
    return operand == DATA || operand == OUTPUT ? NEEDED : taken[kind][operand];
}

bool kind_gathers(strew_kind kind)
{
    return kind_takes(kind, UPDATES) == ABSENT;
}

bool kind_fills(strew_kind kind)
{
    return kind == STREW_KIND_GATHER || kind == STREW_KIND_GATHER_ND || kind == STREW_KIND_GATHER_ELEMENTS;
}

bool kind_combines(strew_kind kind)
{
    return kind >= STREW_KIND_EMBEDDING_BAG_OFFSETS;
}

bool kind_inspects(strew_kind kind, int operand)
{
    const bool says_where = operand == INDICES || operand == SEGMENTS;
    return says_where && kind_operand(kind, operand) != STREW_OPERAND_OFFSETS;
}

bool kind_counts_segments(strew_kind kind)
{
    return kind == STREW_KIND_EMBEDDING_SEGMENTS || kind == STREW_KIND_SEGMENT_REDUCE;
}

strew_operand kind_operand(strew_kind kind, int operand)
{
    static const strew_operand operands[OPERANDS] = {
        [DATA] = STREW_OPERAND_DATA,        [INDICES] = STREW_OPERAND_INDICES, [UPDATES] = STREW_OPERAND_UPDATES,
        [SEGMENTS] = STREW_OPERAND_OFFSETS, [WEIGHTS] = STREW_OPERAND_WEIGHTS, [OUTPUT] = STREW_OPERAND_OUTPUT};
    if (operand != SEGMENTS || kind == STREW_KIND_EMBEDDING_BAG_OFFSETS)
        return operands[operand];
    return kind == STREW_KIND_GATHER_SCATTER ? STREW_OPERAND_TARGETS : STREW_OPERAND_SEGMENT_IDS;
}

int kind_parameter(strew_kind kind, int operand)
{
    static const int parameters[OPERANDS] = {
        [DATA] = PARAMETER_DATA,        [INDICES] = PARAMETER_INDICES, [UPDATES] = PARAMETER_UPDATES,
        [SEGMENTS] = PARAMETER_OFFSETS, [WEIGHTS] = PARAMETER_WEIGHTS, [OUTPUT] = PARAMETER_OUT};
    const strew_operand named = kind_operand(kind, operand);
    return named == STREW_OPERAND_TARGETS       ? PARAMETER_TARGETS
           : named == STREW_OPERAND_SEGMENT_IDS ? PARAMETER_SEGMENT_IDS
                                                : parameters[operand];
}

int kind_places(strew_kind kind, int places[OPERANDS])
{
    static const int updates_last[] = {DATA, INDICES, UPDATES, SEGMENTS, WEIGHTS};
    static const int updates_first[] = {DATA, UPDATES, INDICES, SEGMENTS, WEIGHTS};
    const int *const order = kind == STREW_KIND_GATHER_SCATTER ? updates_first : updates_last;
    int count = 0;
    for (size_t i = 0; i < sizeof updates_first / sizeof *updates_first; i++)
        if (kind_takes(kind, order[i]) != ABSENT || (order[i] == UPDATES && kind_fills(kind)))
            places[count++] = order[i];
    return count;
}
