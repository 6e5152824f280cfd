#include "engine/combine.h"

#include "base/error.h"
#include "base/integer.h"
#include "engine/bad_index.h"
#include "engine/bags/lists.h"
#include "engine/identity.h"

/* Return the tensor whose rows the indices name, and the tensor that they go into. */
static const strew_layout *source_of(const strew_form *form)
{
    return form->direction == STREW_GATHERS ? &form->data : &form->dense;
}

static const strew_layout *target_of(const strew_form *form)
{
    return form->direction == STREW_GATHERS ? &form->dense : &form->output;
}

/* ---- Made ---------------------------------------------------------------------------------------- */

/* Returns whether each line has one item, so that the stride of an item is unknown. */
static bool are_lines_of_one(const strew_layout *layout)
{
    return layout->rank > 1 && layout->size[1] == 1;
}

static strew_list list_of(const strew_layout *layout, bool is_there)
{
    if (!is_there)
        return (strew_list){STREW_DTYPE_NONE, 0, 0};
    const int64_t line_step = layout->rank > 1 ? layout->stride[0] : 0;
    if (are_lines_of_one(layout))
        return (strew_list){layout->dtype, line_step, line_step};
    return (strew_list){layout->dtype, layout->rank > 0 ? layout->stride[layout->rank - 1] : 0, line_step};
}

/* Returns whether all items of two dimensions are the same step apart. */
static bool are_lines_even(const strew_layout *layout)
{
    if (layout->rank < 2 || layout->size[0] < 2 || are_lines_of_one(layout))
        return true;
    return strew_is_multiple(layout->stride[0], layout->size[1], layout->stride[1]);
}

static void take_lists(strew_bags *bags, const strew_form *form)
{
    const strew_layout *indices = &form->indices;
    const bool has_weights = form->weights.dtype != STREW_DTYPE_NONE;
    bags->entries = indices->rank == 2 ? indices->size[0] * indices->size[1] : indices->size[0];
    bags->indices = list_of(indices, form->segments != STREW_SORTED); /* those name consecutive rows */
    bags->segment_ids = list_of(&form->segment_ids, form->segments != STREW_UNIFORM);
    bags->weights = list_of(&form->weights, has_weights);
    const bool are_even = are_lines_even(indices) && (!has_weights || are_lines_even(&form->weights));
    bags->line = are_even ? bags->entries : indices->size[1];
    bags->weight_count = has_weights ? form->weights.count : 0;
    bags->uniform = indices->rank == 2 ? indices->size[1] : 0;
}

/* Returns the element that bags of a gather start with: zero for a sum, or else the identity. */
static const void *start_of(const strew_form *form)
{
    const bool sums = form->reduction == STREW_REDUCTION_SUM || form->reduction == STREW_REDUCTION_MEAN;
    if (form->direction == STREW_SCATTERS)
        return NULL;
    return sums ? strew_zero(form->data.dtype) : strew_identity(form->data.dtype, form->reduction);
}

static void make_bags(strew_bags *bags, const strew_form *form)
{
    const bool scatters = form->direction == STREW_SCATTERS;
    take_lists(bags, form);
    bags->segments = form->segments;
    bags->rows = target_of(form)->size[0];
    bags->row_step = target_of(form)->stride[0];
    bags->bounds = form->bounds;
    bags->wrap = scatters && form->wrap;
    bags->drops_beyond = form->drops_beyond;
    bags->reduction = form->reduction;
    bags->start = start_of(form);
    bags->identity = scatters && !form->use_init_val ? strew_identity(form->data.dtype, form->reduction) : NULL;
    bags->empty = form->empty;
    bags->default_row = form->default_row;
}

static bool has_no_columns(const strew_layout *target)
{
    for (int32_t d = 1; d < target->rank; d++)
        if (target->size[d] == 0)
            return true;
    return false;
}

void strew_combine_make(strew_bags *bags, strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    const strew_layout *source = source_of(form), *target = target_of(form);
    make_bags(bags, form);
    strew_walk_begin_between(walk, kernels, form->indices.dtype, source, target);
    walk->bounds = strew_walk_bounds(source->size[0], form->bounds);
    for (int32_t d = 1; d < target->rank && !has_no_columns(target); d++)
        strew_walk_add_dim(walk, (strew_dim){target->size[d], 0, target->stride[d], source->stride[d]});
    strew_walk_coalesce(walk);
    strew_walk_fold(walk);
    if (has_no_columns(target))
        walk->row_bytes = (strew_row_bytes){0, 0};
    strew_coordinates_add(&walk->coordinates, (strew_coordinate){source->size[0], source->stride[0]});
    walk->coordinates.wrap = form->wrap;
}

/* ---- Run ----------------------------------------------------------------------------------------- */

bool strew_combine_may_need_scratch(const strew_work *work)
{
    return work->form.addressing == STREW_BAGS && work->bags.segments == STREW_ANY && work->bags.empty;
}

static strew_bags_pointers pointers_of(const strew_form *form, const strew_pointers *pointers,
                                       const strew_buffers *buffers)
{
    const bool scatters = form->direction == STREW_SCATTERS;
    return (strew_bags_pointers){
        .source = scatters ? pointers->dense : pointers->addressed,
        .target = scatters ? pointers->addressed : pointers->dense,
        .indices = pointers->indices,
        .segment_ids = buffers->segments,
        .weights = buffers->weights,
    };
}

bool strew_combine_run(const strew_work *work, const strew_pointers *pointers, const strew_buffers *buffers,
                       bool in_place, size_t threads, const strew_run_options *options)
{
    const strew_form *form = &work->form;
    const strew_bags_resources resources = {options->scratch, options->scratch ? options->scratch_size : 0, threads,
                                            options->parallel};
    strew_bags_pointers combined = pointers_of(form, pointers, buffers);
    if (form->sorted)
        strew_bags_find_sorted(&work->bags, pointers->indices, &combined);
    return strew_bags_run(&work->bags, &work->walk, &combined,
                          !form->inspected && (in_place || form->bounds == STREW_BOUNDS_STOP), &resources);
}

/* ---- Inspected ----------------------------------------------------------------------------------- */

/* Makes the layout of a list of uint32 numbers. */
static void set_list(strew_layout *layout, int64_t count)
{
    *layout = (strew_layout){.rank = 1,
                             .dtype = STREW_DTYPE_UINT32,
                             .element = sizeof(uint32_t),
                             .count = count,
                             .size = {count},
                             .stride = {sizeof(uint32_t)}};
}

bool strew_combine_inspect(strew_form *inspected, const strew_work *work, const strew_buffers *buffers,
                           char *storage)
{
    strew_bags sorted;
    strew_bags_pointers found;
    const strew_bags_pointers given = {
        .indices = buffers->indices, .segment_ids = buffers->segments, .weights = buffers->weights};
    const strew_bags_resources resources = {storage, strew_bags_sort_bytes(&work->bags, &work->walk, 1), 1, NULL};
    if (!strew_bags_sort(&work->bags, &work->walk, &given, &resources, &sorted, &found))
        return false;
    set_list(&inspected->indices, sorted.entries);
    set_list(&inspected->segment_ids, sorted.rows);
    inspected->segments = STREW_OFFSETS;
    inspected->sorted = true;
    return true;
}

/* ---- Refused ------------------------------------------------------------------------------------- */

static int64_t segment_at(const strew_form *form, const strew_buffers *buffers, int64_t place)
{
    return strew_read_integer((const char *)buffers->segments + place * form->segment_ids.stride[0],
                              form->segment_ids.dtype);
}

/* Refuses the id or the offset at a place. Returns true. */
static bool refuse_item(const strew_form *form, strew_reason reason, int64_t place, int64_t value, int64_t lower,
                        int64_t upper, strew_error *error)
{
    strew_refuse(error, reason,
                 &(strew_error){.operand = form->segment_ids_operand,
                                .value_is_unsigned = form->segment_ids.dtype == STREW_DTYPE_UINT64,
                                .value = value,
                                .lower = lower,
                                .upper = upper,
                                .position_rank = 1,
                                .position = {place}});
    return true;
}

/* Refuses the first id that is less than the one before it. */
static bool refuse_decrease(const strew_form *form, const strew_buffers *buffers, strew_error *error)
{
    const bool is_unsigned = form->segment_ids.dtype == STREW_DTYPE_UINT64;
    for (int64_t place = 1; place < form->segment_ids.size[0]; place++) {
        const int64_t before = segment_at(form, buffers, place - 1), value = segment_at(form, buffers, place);
        if (is_unsigned ? (uint64_t)value < (uint64_t)before : value < before)
            return refuse_item(form, STREW_REASON_DECREASES, place, value, before, 0, error);
    }
    return false;
}

/* Refuses the first id that is less than the one before it after the policy has amended both. */
static bool refuse_amended_decrease(const strew_work *work, const strew_buffers *buffers, strew_error *error)
{
    strew_integers ids;
    int64_t before = 0, value;
    strew_list_segments(&ids, &work->bags, &work->walk, &(strew_bags_pointers){.segment_ids = buffers->segments});
    for (int64_t place = 0; place < ids.count; place++, before = value) {
        value = strew_list_number(&ids, place);
        if (value < before)
            return refuse_item(&work->form, STREW_REASON_DECREASES_AMENDED, place, value, before, 0, error);
    }
    return false;
}

static bool refuse_outside_offset(const strew_work *work, const strew_buffers *buffers, strew_error *error)
{
    const strew_form *form = &work->form;
    const int64_t entries = work->bags.entries;
    for (int64_t place = 0; place < form->segment_ids.size[0]; place++) {
        const int64_t value = segment_at(form, buffers, place);
        if ((uint64_t)value > (uint64_t)entries)
            return refuse_item(form, STREW_REASON_OFFSET_OUTSIDE, place, value, 0, entries, error);
    }
    return false;
}

static bool refuse_wrong_offsets(const strew_work *work, const strew_buffers *buffers, strew_error *error)
{
    const strew_form *form = &work->form;
    const bool has_offsets = form->segments == STREW_OFFSETS && buffers->segments; /* inspecting does without */
    return has_offsets && !form->sorted &&
           (refuse_outside_offset(work, buffers, error) || refuse_decrease(form, buffers, error));
}

/* An entry after all others. */
#define NO_ENTRY INT64_MAX

static int64_t first_wrong_entry(const strew_index_list *list)
{
    int64_t at[STREW_MAX_RANK];
    if (list->bounds == STREW_BOUNDS_SKIP || !strew_find_bad_index(list, at))
        return NO_ENTRY;
    return list->layout->rank == 2 ? at[0] * list->layout->size[1] + at[1] : at[0];
}

/* Describes the ids. Those beyond the last row may be left out, but not negative ones. */
static strew_index_list segments_of(const strew_work *work, const strew_buffers *buffers, strew_coordinates *rows)
{
    const strew_form *form = &work->form;
    *rows = (strew_coordinates){.count = 1, .wrap = work->bags.wrap};
    rows->each[0].size = form->drops_beyond ? STREW_UNLIMITED : work->bags.rows;
    return (strew_index_list){
        .layout = &form->segment_ids,
        .items = buffers->segments,
        .coordinates = rows,
        .bounds = form->drops_beyond ? STREW_BOUNDS_REFUSE : form->bounds,
        .operand = form->segment_ids_operand,
        .other = form->direction == STREW_GATHERS ? STREW_OPERAND_OUTPUT : STREW_OPERAND_DATA,
    };
}

/* Refuses the bad index at the first wrong entry of both lists, and returns that entry. If both are wrong there, it
 * refuses the index. */
STREW_NOINLINE static int64_t refuse_first_bad_index(const strew_work *work, const strew_buffers *buffers,
                                                     strew_error *error)
{
    strew_coordinates rows;
    const strew_index_list indices = strew_index_list_of(work, buffers->indices),
                           segments = segments_of(work, buffers, &rows);
    const int64_t index = work->form.segments != STREW_SORTED ? first_wrong_entry(&indices) : NO_ENTRY;
    const int64_t segment = strew_form_has_segment_ids(&work->form) ? first_wrong_entry(&segments) : NO_ENTRY;
    if (index != NO_ENTRY || segment != NO_ENTRY)
        strew_refuse_bad_index(index <= segment ? &indices : &segments, error);
    return strew_lesser(index, segment);
}

strew_status strew_combine_refuse(const strew_work *work, const strew_buffers *buffers, size_t threads,
                                  const strew_run_options *options)
{
    const strew_form *form = &work->form;
    strew_error *error = options->error;
    if (refuse_wrong_offsets(work, buffers, error))
        return STREW_STATUS_INVALID_ARGUMENT;
    if (form->inspected)
        return STREW_REFUSE(error, NOT_ITS_INSPECTION, .operand = STREW_OPERAND_INSPECTION);
    if (refuse_first_bad_index(work, buffers, error) != NO_ENTRY)
        return STREW_STATUS_INDEX_OUT_OF_BOUNDS;
    if (form->segments == STREW_SORTED &&
        (refuse_decrease(form, buffers, error) || refuse_amended_decrease(work, buffers, error)))
        return STREW_STATUS_INVALID_ARGUMENT;
    const uint64_t needed = strew_bags_scratch_bytes(&work->bags, &work->walk, threads);
    return STREW_REFUSE(error, SCRATCH_TOO_SMALL, .operand = STREW_OPERAND_SCRATCH,
                        .value = options->scratch ? (int64_t)options->scratch_size : 0,
                        .lower = needed < INT64_MAX ? (int64_t)needed : INT64_MAX);
}

/* ---- Stopped ------------------------------------------------------------------------------------- */

static int64_t bags_that_end_by(const strew_form *form, const strew_buffers *buffers, int64_t entry)
{
    int64_t bags = 0;
    while (bags + 1 < form->segment_ids.size[0] && segment_at(form, buffers, bags + 1) <= entry)
        bags++;
    return bags;
}

/* Cuts sorted ids: keeps the segments before that of the entry, and their entries. */
static void cut_segments(strew_form *form, const strew_buffers *buffers, int64_t entry)
{
    int64_t *const entries = &form->indices.size[0], *const rows = &form->dense.size[0];
    const int64_t id = segment_at(form, buffers, entry);
    const bool is_negative = id < 0 && form->segment_ids.dtype != STREW_DTYPE_UINT64;
    for (*entries = entry; *entries > 0 && segment_at(form, buffers, *entries - 1) == id;)
        --*entries;
    *rows = is_negative ? 0 : (uint64_t)id < (uint64_t)*rows ? id : *rows;
}

/* Keeps the entries before one. A gather keeps the rows that end before it, and their entries. */
static void cut_form(strew_form *form, const strew_buffers *buffers, int64_t entry)
{
    int64_t *const entries = &form->indices.size[0], *const rows = &form->dense.size[0];
    if (form->direction == STREW_SCATTERS) {
        *entries = entry;
    } else if (form->segments == STREW_UNIFORM) {
        *entries = *rows = entry / form->indices.size[1];
    } else if (form->segments == STREW_OFFSETS) {
        *rows = bags_that_end_by(form, buffers, entry);
        *entries = *rows > 0 ? segment_at(form, buffers, *rows) : 0;
    } else {
        cut_segments(form, buffers, entry);
    }
}

STREW_NOINLINE void strew_combine_run_prefix(const strew_work *work, const strew_pointers *pointers,
                                             const strew_buffers *buffers)
{
    strew_bags bags;
    strew_walk walk;
    strew_form form = work->form;
    const strew_bags_pointers combined = pointers_of(&form, pointers, buffers);
    const int64_t entry = refuse_first_bad_index(work, buffers, NULL);
    if (entry == NO_ENTRY || work->bags.identity || refuse_wrong_offsets(work, buffers, NULL))
        return;
    cut_form(&form, buffers, entry);
    strew_combine_make(&bags, &walk, &form, work->kernels);
    strew_bags_run(&bags, &walk, &combined, true, &(strew_bags_resources){.threads = 1});
}
