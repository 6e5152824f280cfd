#include "operators/bags.h"

#include "base/choice.h"
#include "base/error.h"
#include "base/integer.h"
#include "engine/identity.h"

/* For each kind: how its operand says where rows go, which operand that is, and the rank of indices. */
static const struct segments_entry {
    strew_segmentation segments;
    strew_operand operand;
    int32_t indices_rank;
} segments_entries[] = {
    [STREW_KIND_EMBEDDING_BAG_OFFSETS] = {STREW_OFFSETS, STREW_OPERAND_OFFSETS, 1},
    [STREW_KIND_EMBEDDING_BAG_PACKED] = {STREW_UNIFORM, STREW_OPERAND_INDICES, 2},
    [STREW_KIND_EMBEDDING_SEGMENTS] = {STREW_ANY, STREW_OPERAND_SEGMENT_IDS, 1},
    [STREW_KIND_SEGMENT_REDUCE] = {STREW_SORTED, STREW_OPERAND_SEGMENT_IDS, 1},
    [STREW_KIND_GATHER_SCATTER] = {STREW_ANY, STREW_OPERAND_TARGETS, 1},
};

strew_operand strew_segments_operand(strew_kind kind)
{
    return segments_entries[kind].operand;
}

static strew_status check_list_rank(const strew_layout *layout, strew_operand operand, int32_t rank,
                                    strew_error *error)
{
    if (layout->rank == rank)
        return STREW_STATUS_OK;
    return STREW_REFUSE(error, WRONG_RANK, .operand = operand, .other = STREW_OPERAND_DATA, .value = layout->rank,
                        .lower = rank);
}

static strew_status check_sizes_of_indices(const strew_form *form, const strew_layout *layout,
                                           strew_operand operand, strew_error *error)
{
    const strew_operand of_entries = form->segments == STREW_SORTED ? STREW_OPERAND_DATA : STREW_OPERAND_INDICES;
    RETURN_IF_REFUSED(check_list_rank(layout, operand, form->indices.rank, error));
    for (int32_t d = 0; d < layout->rank; d++)
        if (layout->size[d] != form->indices.size[d])
            return STREW_REFUSE(error, WRONG_SIZE, .operand = operand, .other = of_entries, .dimension = d,
                                .value = layout->size[d], .lower = form->indices.size[d]);
    return STREW_STATUS_OK;
}

static strew_status take_segments(const strew_call *call, strew_form *form, strew_error *error)
{
    form->segments = segments_entries[call->rules->kind].segments;
    form->segment_ids_operand = strew_segments_operand(call->rules->kind);
    form->drops_beyond = (call->rules->rules & STREW_RULE_DROPS_BEYOND) != 0;
    if (form->segments == STREW_UNIFORM) {
        strew_layout_clear(&form->segment_ids);
        return STREW_STATUS_OK;
    }
    RETURN_IF_REFUSED(
        strew_layout_of(&form->segment_ids, call->attributes.segments, form->segment_ids_operand, error));
    RETURN_IF_REFUSED(strew_check_dtype(form->segment_ids_operand, form->segment_ids.dtype,
                                        call->rules->index_dtypes, STREW_BUILT_DTYPES | STREW_BUILT_INDEX_DTYPES,
                                        error));
    return form->segments == STREW_OFFSETS
               ? check_list_rank(&form->segment_ids, form->segment_ids_operand, 1, error)
               : check_sizes_of_indices(form, &form->segment_ids, form->segment_ids_operand, error);
}

static strew_status take_weights(const strew_call *call, strew_form *form, strew_error *error)
{
    strew_layout_clear(&form->weights);
    if (!call->attributes.weights)
        return STREW_STATUS_OK;
    if (form->reduction == STREW_REDUCTION_MEAN)
        return STREW_REFUSE(error, WEIGHTED_MEAN, .operand = STREW_OPERAND_WEIGHTS);
    RETURN_IF_REFUSED(strew_layout_of(&form->weights, call->attributes.weights, STREW_OPERAND_WEIGHTS, error));
    if (form->weights.dtype != form->data.dtype)
        return STREW_REFUSE(error, DTYPES_DIFFER, .operand = STREW_OPERAND_WEIGHTS, .other = STREW_OPERAND_DATA,
                            .value = form->weights.dtype, .lower = form->data.dtype);
    return check_sizes_of_indices(form, &form->weights, STREW_OPERAND_WEIGHTS, error);
}

/* Reads what becomes of rows of the output that no row goes into. */
static strew_status take_empty(const strew_call *call, strew_form *form, strew_error *error)
{
    const strew_attributes *attributes = &call->attributes;
    const bool must_name_row =
        (call->rules->rules & STREW_RULE_NAMES_DEFAULT) && (attributes->given & STREW_ATTRIBUTE_DEFAULT_INDEX);
    const int64_t row = attributes->default_index;
    if ((must_name_row || row != -1) && (row < 0 || row >= form->data.size[0]))
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_DEFAULT_INDEX, .value = row,
                            .lower = must_name_row ? 0 : -1, .upper = form->data.size[0] - 1);
    if ((unsigned)attributes->empty >= STREW_EMPTY_COUNT)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_EMPTY, .value = attributes->empty,
                            .upper = STREW_EMPTY_COUNT - 1);
    form->default_row = row;
    form->empty = form->direction == STREW_SCATTERS         ? NULL
                  : attributes->empty == STREW_EMPTY_LOWEST ? strew_lowest(form->data.dtype)
                                                            : strew_zero(form->data.dtype);
    return STREW_STATUS_OK;
}

bool strew_bags_need_count(const strew_call *call, const strew_form *form)
{
    return form->addressing == STREW_BAGS && form->direction == STREW_GATHERS &&
           (form->segments == STREW_SORTED || form->segments == STREW_ANY) &&
           !(call->attributes.given & STREW_ATTRIBUTE_SEGMENT_COUNT);
}

/*
 * Counts the rows of the output of a gather. If only the output says how many, a malformed output counts as 0 rows
 * here and is refused when it is checked.
 */
static strew_status count_segments(const strew_call *call, const strew_form *form, int64_t *count,
                                   strew_error *error)
{
    const strew_attributes *attributes = &call->attributes;
    const strew_tensor *output = call->output;
    *count = attributes->segment_count;
    if (form->segments == STREW_OFFSETS)
        *count = form->segment_ids.size[0];
    else if (form->segments == STREW_UNIFORM)
        *count = form->indices.size[0];
    else if (strew_bags_need_count(call, form))
        *count = output && output->rank > 0 && output->shape && output->shape[0] > 0 ? output->shape[0] : 0;
    else if (*count < 0)
        return STREW_REFUSE(error, OUT_OF_RANGE, .operand = STREW_OPERAND_SEGMENT_COUNT, .value = *count,
                            .upper = INT64_MAX);
    return STREW_STATUS_OK;
}

/* For a scatter, `dense` is the shape of its updates: rows shaped as those of data, any number of them. */
strew_status strew_bags_rule(const strew_call *call, strew_form *form, strew_shape *dense, strew_error *error)
{
    const struct segments_entry *entry = &segments_entries[call->rules->kind];
    const bool is_scatter = form->direction == STREW_SCATTERS;
    int64_t segments = INT64_MAX;
    RETURN_IF_REFUSED(check_list_rank(&form->indices, STREW_OPERAND_INDICES, entry->indices_rank, error));
    RETURN_IF_REFUSED(take_segments(call, form, error));
    RETURN_IF_REFUSED(take_weights(call, form, error));
    RETURN_IF_REFUSED(take_empty(call, form, error));
    if (!is_scatter)
        RETURN_IF_REFUSED(count_segments(call, form, &segments, error));
    dense->rank = form->data.rank;
    dense->size[0] = segments;
    dense->index_dims = is_scatter ? -1 : 1;
    dense->index_operand = form->segment_ids_operand;
    dense->dim_at_most = is_scatter ? 0 : -1;
    for (int32_t d = 1; d < dense->rank; d++)
        dense->size[d] = form->data.size[d];
    return STREW_STATUS_OK;
}
