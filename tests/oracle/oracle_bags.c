/* The oracle's operators that combine rows as they gather them: entry by entry, one element at a time. */
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "oracle.h"
#include "oracle_parts.h"
#include "tensor.h"

enum { ELEMENT_ROOM = 16 };

/* ---- What elements are combined in --------------------------------------------------------------- */

static bool is_half(strew_dtype dtype)
{
    return dtype == STREW_DTYPE_FLOAT16 || dtype == STREW_DTYPE_BFLOAT16;
}

static strew_dtype wide_of(strew_dtype dtype)
{
    return is_half(dtype) ? STREW_DTYPE_FLOAT32 : dtype;
}

static void widen(strew_dtype dtype, const void *element, void *wide)
{
    if (is_half(dtype))
        element_store(STREW_DTYPE_FLOAT32, element_load(dtype, element), wide);
    else
        memcpy(wide, element, element_size(dtype));
}

static void narrow(strew_dtype dtype, const void *wide, void *element)
{
    if (is_half(dtype))
        element_store(dtype, element_load(STREW_DTYPE_FLOAT32, wide), element);
    else
        memcpy(element, wide, element_size(dtype));
}

/* ---- Entries ------------------------------------------------------------------------------------- */

static bool scatters(const operator_call *call)
{
    return call->kind == STREW_KIND_GATHER_SCATTER;
}

/* The tensor whose rows are gathered. */
static const strew_tensor *source_of(const operator_call *call)
{
    return scatters(call) ? call->updates : call->data;
}

/* The list with one number for each entry: indices or, for consecutive rows, segments. */
static const strew_tensor *entries_of(const operator_call *call)
{
    return call->indices ? call->indices : call->segments;
}

static int64_t entry_count(const operator_call *call)
{
    return shape_count(entries_of(call)->shape, entries_of(call)->rank);
}

/* The position of an entry in a list. */
static void position_of(const strew_tensor *list, int64_t entry, int64_t position[STREW_MAX_RANK])
{
    memset(position, 0, STREW_MAX_RANK * sizeof *position);
    position[0] = list->rank == 2 ? entry / list->shape[1] : entry;
    if (list->rank == 2)
        position[1] = entry % list->shape[1];
}

static oracle_index index_at(const operator_call *call, int64_t position[STREW_MAX_RANK], int64_t entry)
{
    position_of(call->indices, entry, position);
    return oracle_index_at(call->indices, position, source_of(call)->shape[0], oracle_counts_back(call));
}

/* Segment_ids do not count from the end; targets do. */
static oracle_index segment_at(const operator_call *call, int64_t position[STREW_MAX_RANK], int64_t entry)
{
    position_of(call->segments, entry, position);
    return oracle_index_at(call->segments, position, call->output->shape[0],
                           scatters(call) && oracle_counts_back(call));
}

static oracle_index offset_at(const operator_call *call, int64_t position[STREW_MAX_RANK], int64_t bag)
{
    position_of(call->segments, bag, position);
    return oracle_index_at(call->segments, position, entry_count(call) + 1, false);
}

static int64_t offset_of(const operator_call *call, int64_t bag)
{
    int64_t position[STREW_MAX_RANK];
    return (int64_t)offset_at(call, position, bag).value;
}

/* The number of bags that have begun at an entry. */
static int64_t bags_begun(const operator_call *call, int64_t entry)
{
    int64_t begun = 0, end = call->output->shape[0];
    while (begun < end) {
        const int64_t middle = begun + (end - begun) / 2;
        if (offset_of(call, middle) <= entry)
            begun = middle + 1;
        else
            end = middle;
    }
    return begun;
}

static oracle_fate find_source(const operator_call *call, int64_t entry, int64_t *source)
{
    int64_t position[STREW_MAX_RANK];
    *source = entry;
    if (!call->indices)
        return ORACLE_GOES;
    const oracle_index index = index_at(call, position, entry);
    return oracle_resolve(&index, call->bounds, source);
}

static oracle_fate find_target(const operator_call *call, int64_t entry, int64_t *target)
{
    int64_t position[STREW_MAX_RANK];
    if (kind_has_numbers(call->kind)) {
        const oracle_index segment = segment_at(call, position, entry);
        return oracle_resolve(&segment, call->bounds, target);
    }
    *target = call->segments ? bags_begun(call, entry) - 1 : entry / call->indices->shape[1];
    return *target < 0 ? ORACLE_LEFT_OUT : ORACLE_GOES;
}

/* ---- What is refused ----------------------------------------------------------------------------- */

/* The value of an entry is less than that of the one before it. */
static void tell_decrease(const operator_call *call, int64_t entry, int64_t value, int64_t before,
                          strew_error *error)
{
    *error = (strew_error){
        .status = STREW_STATUS_INVALID_ARGUMENT,
        .operand =
            call->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS ? STREW_OPERAND_OFFSETS : STREW_OPERAND_SEGMENT_IDS,
        .value_is_unsigned = !element_is_signed(call->segments->dtype),
        .value = value,
        .lower = before,
        .position_rank = 1,
        .position = {entry},
    };
}

static bool is_less(const oracle_index *left, const oracle_index *right)
{
    if (left->is_negative != right->is_negative)
        return left->is_negative;
    return left->value < right->value;
}

/* The first number of a list that is less than the one before it; false if there is none. */
static bool find_decrease(const operator_call *call, strew_error *error)
{
    int64_t position[STREW_MAX_RANK], position_before[STREW_MAX_RANK];
    for (int64_t e = 1; e < call->segments->shape[0]; e++) {
        const oracle_index value = segment_at(call, position, e), before = segment_at(call, position_before, e - 1);
        if (!is_less(&value, &before))
            continue;
        tell_decrease(call, e, (int64_t)value.value, (int64_t)before.value, error);
        return true;
    }
    return false;
}

bool oracle_ids_ascend(const operator_call *call)
{
    strew_error unused;
    return !find_decrease(call, &unused);
}

static bool check_offsets(const operator_call *call, strew_error *error)
{
    int64_t position[STREW_MAX_RANK], unused;
    for (int64_t b = 0; b < call->segments->shape[0]; b++) {
        const oracle_index offset = offset_at(call, position, b);
        if (oracle_resolve(&offset, STREW_BOUNDS_REFUSE, &unused) == ORACLE_REFUSED) {
            oracle_tell_bad_index(&offset, STREW_OPERAND_OFFSETS, 0, error);
            error->status = STREW_STATUS_INVALID_ARGUMENT;
            return false;
        }
    }
    return !find_decrease(call, error);
}

/* Finds the first entry whose index or, after that, whose row of the output is refused. */
static bool check_entries(const operator_call *call, strew_error *error)
{
    int64_t position[STREW_MAX_RANK], unused;
    for (int64_t e = 0; e < entry_count(call); e++) {
        if (find_source(call, e, &unused) == ORACLE_REFUSED) {
            const oracle_index index = index_at(call, position, e);
            oracle_tell_bad_index(&index, STREW_OPERAND_INDICES, 0, error);
            return false;
        }
        if (kind_has_numbers(call->kind) && find_target(call, e, &unused) == ORACLE_REFUSED) {
            const oracle_index segment = segment_at(call, position, e);
            oracle_tell_bad_index(&segment, scatters(call) ? STREW_OPERAND_TARGETS : STREW_OPERAND_SEGMENT_IDS, 0,
                                  error);
            return false;
        }
    }
    return true;
}

bool oracle_is_sorted(const operator_call *call)
{
    int64_t target, before = -1;
    bool left_out = false; /* after the last row */
    for (int64_t e = 0; e < entry_count(call); e++) {
        if (find_target(call, e, &target) != ORACLE_GOES) {
            left_out = before >= 0;
            continue;
        }
        if (left_out || target < before)
            return false;
        before = target;
    }
    return true;
}

/* Ids that the policy has brought out of order do not decrease themselves. */
static void tell_disorder(const operator_call *call, strew_error *error)
{
    int64_t target, before = 0;
    if (find_decrease(call, error))
        return;
    for (int64_t e = 0; e < entry_count(call); e++, before = target)
        if (find_target(call, e, &target) == ORACLE_GOES && target < before) {
            tell_decrease(call, e, target, before, error);
            return;
        }
}

/* Checks lists before the call begins: the offsets of bags, ids that must be sorted. */
static bool check(const operator_call *call, strew_error *error)
{
    if (call->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS && !check_offsets(call, error))
        return false;
    if (!check_entries(call, error))
        return false;
    if (call->kind != STREW_KIND_SEGMENT_REDUCE || oracle_is_sorted(call))
        return true;
    tell_disorder(call, error);
    return false;
}

/* ---- Combining ----------------------------------------------------------------------------------- */

/* One row of the output; its positions are those of its elements without the first coordinate. */
typedef struct output_row {
    strew_tensor view;
    int64_t shape[STREW_MAX_RANK];
} output_row;

static const strew_tensor *row_of(const operator_call *call, output_row *row)
{
    row->view = *call->output;
    memcpy(row->shape, call->output->shape, (size_t)call->output->rank * sizeof *row->shape);
    row->shape[0] = 1;
    row->view.shape = row->shape;
    return &row->view;
}

/* weights[entry] * the element at a position of row `source`. */
static void load_update(const operator_call *call, int64_t entry, int64_t source, const int64_t *position,
                        unsigned char update[ELEMENT_ROOM])
{
    const strew_dtype dtype = call->data->dtype;
    int64_t place[STREW_MAX_RANK];
    memcpy(place, position, sizeof place);
    place[0] = source;
    widen(dtype, tensor_element(source_of(call), place), update);
    if (call->weights) {
        unsigned char product[ELEMENT_ROOM];
        position_of(call->weights, entry, place);
        widen(dtype, tensor_element(call->weights, place), product);
        element_combine(wide_of(dtype), STREW_REDUCTION_PROD, product, update);
        memcpy(update, product, ELEMENT_ROOM);
    }
}

/* The source row and the target row of an entry. False if it has none. */
static bool follow(const operator_call *call, int64_t entry, int64_t *source, int64_t *target)
{
    return find_source(call, entry, source) == ORACLE_GOES && find_target(call, entry, target) == ORACLE_GOES;
}

/* ---- Into rows of data --------------------------------------------------------------------------- */

static void start_from_identity(const operator_call *call)
{
    output_row row;
    const strew_tensor *elements = row_of(call, &row);
    int64_t position[STREW_MAX_RANK], source, target;
    for (int64_t e = 0; e < entry_count(call); e++) {
        if (!follow(call, e, &source, &target))
            continue;
        for (bool more = position_first(position, elements); more; more = position_next(position, elements)) {
            position[0] = target;
            element_identity(call->data->dtype, call->reduction, tensor_element(call->output, position));
        }
    }
}

/* Halves are rounded at each step. */
static void combine_with_data(const operator_call *call, int64_t entries)
{
    const strew_dtype dtype = call->data->dtype;
    output_row row;
    const strew_tensor *elements = row_of(call, &row);
    unsigned char sum[ELEMENT_ROOM], update[ELEMENT_ROOM];
    int64_t position[STREW_MAX_RANK], source, target;
    for (int64_t e = 0; e < entries; e++) {
        if (!follow(call, e, &source, &target))
            continue;
        for (bool more = position_first(position, elements); more; more = position_next(position, elements)) {
            position[0] = target;
            load_update(call, e, source, position, update);
            widen(dtype, tensor_element(call->output, position), sum);
            element_combine(wide_of(dtype), call->reduction, sum, update);
            narrow(dtype, sum, tensor_element(call->output, position));
        }
    }
}

/* Operators that go over the entries several times are done as a whole, or not at all. */
static void scatter(const operator_call *call, const strew_error *bad_index)
{
    oracle_copy_data(call);
    if (bad_index && !call->use_init_val)
        return;
    if (!call->use_init_val)
        start_from_identity(call);
    combine_with_data(call,
                      bad_index ? position_ordinal(bad_index->position, entries_of(call)) : entry_count(call));
}

/* ---- Into bags ----------------------------------------------------------------------------------- */

/* The wide sums of the output's rows, and the number of entries in each. */
typedef struct bag_sums {
    unsigned char (*sum)[ELEMENT_ROOM];
    int64_t *count;
} bag_sums;

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* A sum starts from 0. */
static bag_sums start_sums(const operator_call *call)
{
    const strew_tensor *output = call->output;
    const int64_t elements = shape_count(output->shape, output->rank);
    const bool adds = call->reduction == STREW_REDUCTION_SUM || call->reduction == STREW_REDUCTION_MEAN;
    bag_sums sums = {allocate(elements, sizeof *sums.sum), allocate(output->shape[0], sizeof *sums.count)};
    for (int64_t i = 0; i < elements && !adds; i++)
        element_identity(wide_of(output->dtype), call->reduction, sums.sum[i]);
    return sums;
}

static void combine_in_bags(const operator_call *call, int64_t entries, const bag_sums *sums)
{
    output_row row;
    const strew_tensor *elements = row_of(call, &row);
    const int64_t each = shape_count(row.shape, elements->rank);
    unsigned char update[ELEMENT_ROOM];
    int64_t position[STREW_MAX_RANK], source, target;
    for (int64_t e = 0; e < entries; e++) {
        if (!follow(call, e, &source, &target))
            continue;
        sums->count[target]++;
        for (bool more = position_first(position, elements); more; more = position_next(position, elements)) {
            load_update(call, e, source, position, update);
            element_combine(wide_of(call->output->dtype), call->reduction,
                            sums->sum[target * each + position_ordinal(position, elements)], update);
        }
    }
}

static void store_lowest(strew_dtype dtype, void *element)
{
    const float_format format = element_float_format(dtype);
    if (element_is_complex(dtype)) {
        memset(element, 0, element_size(dtype));
        return;
    }
    if (format.mantissa_bits == 0) {
        element_identity(dtype, STREW_REDUCTION_MAX, element);
        return;
    }
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    double power = 1, least_step = 1;
    for (int i = 0; i < bias; i++)
        power *= 2;
    for (int i = 0; i < format.mantissa_bits; i++)
        least_step /= 2;
    element_store(dtype, -(2 - least_step) * power, element);
}

/* Only some kinds have a default row for empty bags, and only one has a value. */
static void store_empty(const operator_call *call, const int64_t *position, void *element)
{
    const strew_dtype dtype = call->data->dtype;
    const bool has_default =
        call->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS || call->kind == STREW_KIND_EMBEDDING_SEGMENTS;
    int64_t place[STREW_MAX_RANK];
    memcpy(place, position, sizeof place);
    place[0] = call->default_index;
    if (has_default && call->default_index >= 0)
        memcpy(element, tensor_element(call->data, place), element_size(dtype));
    else if (call->kind == STREW_KIND_SEGMENT_REDUCE && call->empty == STREW_EMPTY_LOWEST)
        store_lowest(dtype, element);
    else
        memset(element, 0, element_size(dtype));
}

/* All rows, or those that end before the bad index. */
static void store_bags(const operator_call *call, const strew_error *bad_index, const bag_sums *sums)
{
    strew_tensor stored = *call->output;
    int64_t shape[STREW_MAX_RANK], position[STREW_MAX_RANK];
    memcpy(shape, stored.shape, (size_t)stored.rank * sizeof *shape);
    shape[0] = bad_index ? oracle_bags_before(call, bad_index) : shape[0];
    stored.shape = shape;
    for (bool more = position_first(position, &stored); more; more = position_next(position, &stored)) {
        void *const element = tensor_element(&stored, position);
        const int64_t count = sums->count[position[0]];
        if (count == 0) {
            store_empty(call, position, element);
            continue;
        }
        unsigned char *const sum = sums->sum[position_ordinal(position, &stored)];
        if (call->reduction == STREW_REDUCTION_MEAN)
            element_divide(wide_of(stored.dtype), sum, count);
        narrow(stored.dtype, sum, element);
    }
}

/* A target of entries before the bad index may itself end after it. */
static void gather(const operator_call *call, const strew_error *bad_index)
{
    const bag_sums sums = start_sums(call);
    combine_in_bags(call, bad_index ? position_ordinal(bad_index->position, entries_of(call)) : entry_count(call),
                    &sums);
    store_bags(call, bad_index, &sums);
    free(sums.sum);
    free(sums.count);
}

int64_t oracle_bags_before(const operator_call *call, const strew_error *bad_index)
{
    int64_t position[STREW_MAX_RANK];
    const int64_t entry = position_ordinal(bad_index->position, entries_of(call)), bags = call->output->shape[0];
    if (call->kind == STREW_KIND_EMBEDDING_BAG_PACKED)
        return entry / call->indices->shape[1];
    if (call->kind == STREW_KIND_EMBEDDING_BAG_OFFSETS) {
        const int64_t begun = bags_begun(call, entry);
        return begun > 0 ? begun - 1 : 0;
    }
    const oracle_index segment = segment_at(call, position, entry);
    if (!oracle_ids_ascend(call) || segment.is_negative)
        return 0;
    return segment.value < (uint64_t)bags ? (int64_t)segment.value : bags;
}

bool oracle_run_bags(const operator_call *call, strew_error *error)
{
    const bool right = check(call, error);
    const bool stops =
        !right && error->status == STREW_STATUS_INDEX_OUT_OF_BOUNDS && call->bounds == STREW_BOUNDS_STOP;
    if (right || stops)
        (scatters(call) ? scatter : gather)(call, right ? NULL : error);
    return right;
}
