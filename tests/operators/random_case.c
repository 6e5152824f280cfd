/* Builds random calls: all shapes, layouts and indices that an operator allows, and now and then bad indices. */
#include "random_case.h"

#include "element.h"
#include "test.h"

typedef struct case_shapes {
    int32_t data_rank, indices_rank, updates_rank;
    int64_t data[STREW_MAX_RANK], indices[STREW_MAX_RANK], updates[STREW_MAX_RANK];
} case_shapes;

static int64_t at_least(int64_t value, int64_t least)
{
    return value < least ? least : value;
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value > most ? most : value;
}

/* ---- Shapes -------------------------------------------------------------------------------------- */

static int32_t random_rank(random_source *source, int64_t most)
{
    int64_t limit = random_chance(source, 75) ? 4 : random_chance(source, 80) ? 8 : most;
    return (int32_t)random_between(source, 1, at_most(limit, most));
}

static int32_t random_data_rank(random_source *source, strew_kind kind)
{
    return random_rank(source, kind_gathers(kind) ? STREW_MAX_RANK : 16);
}

/* updates and the output of a gather: indices.shape[:q-1] + data.shape[b+k:]. */
static void append_slice(case_shapes *shapes, int32_t slice_start)
{
    shapes->updates_rank = 0;
    for (int32_t d = 0; d < shapes->indices_rank - 1; d++)
        shapes->updates[shapes->updates_rank++] = shapes->indices[d];
    for (int32_t d = slice_start; d < shapes->data_rank; d++)
        shapes->updates[shapes->updates_rank++] = shapes->data[d];
}

static void random_rows_shapes(random_source *source, const case_request *request, operator_call *call,
                               case_shapes *shapes)
{
    int32_t r = random_data_rank(source, request->kind);
    int32_t q = random_rank(source, 16);
    int32_t b = 0;
    if (request->kind == STREW_KIND_GATHER_ND && random_chance(source, 40))
        b = (int32_t)random_between(source, 0, at_most(r, q) - 1);
    int64_t least_k = at_least(q - 1 + r - b - STREW_MAX_RANK, 0);
    int32_t k = (int32_t)random_between(source, least_k, r - b);
    call->batch_dims = b;
    shapes->data_rank = r;
    shapes->indices_rank = q;
    random_shape(source, r, request->data_budget, shapes->data);
    memcpy(shapes->indices, shapes->data, (size_t)b * sizeof *shapes->indices);
    int64_t per_tuple = shape_count(shapes->data, b) * shape_count(shapes->data + b + k, r - b - k);
    int64_t tuples = request->update_budget / at_least(per_tuple, 1);
    random_shape(source, q - 1 - b, at_least(tuples, 1), shapes->indices + b);
    shapes->indices[q - 1] = k;
    append_slice(shapes, b + k);
}

/* Off the axis no larger than data; on the axis of any length. */
static void random_elements_shapes(random_source *source, const case_request *request, operator_call *call,
                                   case_shapes *shapes)
{
    int32_t r = random_data_rank(source, request->kind);
    int32_t axis = (int32_t)random_between(source, 0, r - 1);
    call->axis = random_chance(source, 50) ? axis : axis - r;
    shapes->data_rank = shapes->indices_rank = shapes->updates_rank = r;
    random_shape(source, r, request->data_budget, shapes->data);
    int64_t off_axis = 1;
    for (int32_t d = 0; d < r; d++) {
        if (d == axis)
            continue;
        bool whole = shapes->data[d] == 0 || random_chance(source, 60);
        shapes->indices[d] = whole ? shapes->data[d] : random_between(source, 1, shapes->data[d]);
        off_axis *= shapes->indices[d];
    }
    int64_t longest = at_least(request->update_budget / at_least(off_axis, 1), 1);
    if (random_chance(source, 70))
        longest = at_most(longest, 2 * shapes->data[axis] + 1);
    shapes->indices[axis] = random_between(source, random_chance(source, 5) ? 0 : 1, longest);
    memcpy(shapes->updates, shapes->indices, sizeof shapes->updates);
}

/* data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:]. */
static void random_axis_shapes(random_source *source, const case_request *request, operator_call *call,
                               case_shapes *shapes)
{
    int32_t r = random_data_rank(source, request->kind);
    int32_t axis = (int32_t)random_between(source, 0, r - 1);
    int32_t b = random_chance(source, 40) ? (int32_t)random_between(source, 0, axis) : 0;
    int32_t q = b + (int32_t)at_most(random_rank(source, 16) - 1, STREW_MAX_RANK + 1 - r);
    call->axis = random_chance(source, 50) ? axis : axis - r;
    call->batch_dims = q > b && random_chance(source, 50) ? b : b - q;
    call->batch_dims = call->batch_dims == 0 ? b : call->batch_dims;
    shapes->data_rank = r;
    shapes->indices_rank = q;
    random_shape(source, r, request->data_budget, shapes->data);
    memcpy(shapes->indices, shapes->data, (size_t)b * sizeof *shapes->indices);
    int64_t per_index = shape_count(shapes->data, axis) * shape_count(shapes->data + axis + 1, r - axis - 1);
    random_shape(source, q - b, at_least(request->update_budget / at_least(per_index, 1), 1), shapes->indices + b);
    shapes->updates_rank = r - 1 + q - b;
    memcpy(shapes->updates, shapes->data, (size_t)axis * sizeof *shapes->updates);
    memcpy(shapes->updates + axis, shapes->indices + b, (size_t)(q - b) * sizeof *shapes->updates);
    memcpy(shapes->updates + axis + q - b, shapes->data + axis + 1,
           (size_t)(r - axis - 1) * sizeof *shapes->updates);
}

/* ---- Indices ------------------------------------------------------------------------------------- */

static int64_t size_at(const operator_call *call, const int64_t *position)
{
    int32_t rank = call->data->rank;
    if (kind_has_rows(call->kind))
        return call->data->shape[call->batch_dims + position[call->indices->rank - 1]];
    return call->data->shape[call->axis < 0 ? call->axis + rank : call->axis];
}

/* A size that suits every coordinate of a tuple: for indices that share memory. */
static int64_t smallest_size(const operator_call *call)
{
    int64_t position[STREW_MAX_RANK] = {0};
    int64_t tuple = kind_has_rows(call->kind) ? call->indices->shape[call->indices->rank - 1] : 1;
    int64_t smallest = INT64_MAX;
    for (int64_t i = 0; i < tuple; i++) {
        if (kind_has_rows(call->kind))
            position[call->indices->rank - 1] = i;
        smallest = at_most(smallest, size_at(call, position));
    }
    return smallest;
}

static int64_t greatest_index(strew_dtype dtype)
{
    uint64_t greatest = element_greatest(dtype);
    return greatest > INT64_MAX ? INT64_MAX : (int64_t)greatest;
}

/* The sequence of indices. The last two patterns make rows adjoin, and kernels may move such rows at once. */
typedef enum index_pattern { INDICES_RANDOM, INDICES_REPEATING, INDICES_COUNTING, INDEX_PATTERNS } index_pattern;

typedef struct index_source {
    random_source *random;
    index_pattern pattern;
    int64_t last;
} index_source;

static int64_t next_index(index_source *source, int64_t lowest, int64_t highest)
{
    const int64_t following = source->last + (source->pattern == INDICES_COUNTING);
    const bool follows = source->pattern != INDICES_RANDOM && random_chance(source->random, 97);
    const bool fits = following >= lowest && following <= highest;
    source->last = follows && fits ? following : random_between(source->random, lowest, highest);
    return source->last;
}

static void store_valid_index(index_source *source, const operator_call *call, int64_t size, void *element)
{
    strew_dtype dtype = call->indices->dtype;
    int64_t highest = at_least(at_most(size - 1, greatest_index(dtype)), 0);
    int64_t lowest = 0;
    if (element_is_signed(dtype) && !(call->flags & STREW_FLAG_REFUSE_NEGATIVE_INDICES))
        lowest = at_most(at_least(-size, -greatest_index(dtype) - 1), 0);
    element_store_integer(dtype, (uint64_t)next_index(source, lowest, highest), element);
}

static void fill_indices(random_source *random, const operator_call *call, bool shared)
{
    const strew_tensor *indices = call->indices;
    index_source source = {random, (index_pattern)random_between(random, 0, INDEX_PATTERNS - 1), 0};
    int64_t position[STREW_MAX_RANK];
    for (bool more = position_first(position, indices); more; more = position_next(position, indices)) {
        int64_t size = shared ? smallest_size(call) : size_at(call, position);
        store_valid_index(&source, call, size, tensor_element(indices, position));
    }
}

/* The nearest wrong values and the farthest ones; cut to a narrow dtype, some of them are right again. */
static void inject_wrong_index(random_source *source, const operator_call *call)
{
    const strew_tensor *indices = call->indices;
    int64_t position[STREW_MAX_RANK] = {0};
    for (int32_t d = 0; d < indices->rank; d++)
        position[d] = random_between(source, 0, indices->shape[d] - 1);
    int64_t size = size_at(call, position);
    const uint64_t wrong[] = {
        (uint64_t)size,
        ~(uint64_t)size,
        element_greatest(indices->dtype),
        element_least(indices->dtype),
        UINT64_C(1) << 32 | (uint64_t)(size / 2),
        UINT64_MAX,
    };
    uint64_t value = wrong[random_between(source, 0, COUNT(wrong) - 1)];
    element_store_integer(indices->dtype, value, tensor_element(indices, position));
}

static void random_indices(random_source *source, random_case *self, const case_request *request,
                           const case_shapes *shapes)
{
    bool shared = random_chance(source, 50);
    random_tensor(source, &self->indices, request->index_dtype, shapes->indices_rank, shapes->indices,
                  shared ? LAYOUT_INPUT : LAYOUT_OUTPUT);
    self->call.indices = &self->indices.view;
    fill_indices(source, &self->call, shared);
    const int64_t count = shape_count(shapes->indices, shapes->indices_rank);
    const bool goes_on = self->call.bounds != STREW_BOUNDS_REFUSE;
    if (count == 0 || random_chance(source, goes_on ? 20 : 85))
        return;
    for (int64_t i = random_between(source, 1, goes_on && random_chance(source, 50) ? count : 3); i > 0; i--)
        inject_wrong_index(source, &self->call);
}

/* ---- Cases --------------------------------------------------------------------------------------- */

static void random_way_to_run(random_source *source, random_case *self)
{
    static const size_t threads[] = {1, 2, 3, 7};
    self->way = (call_way)random_between(source, BY_ONE_CALL, BY_INSPECTION);
    if (self->way == BY_INSPECTION && self->call.bounds == STREW_BOUNDS_STOP)
        self->call.bounds = STREW_BOUNDS_REFUSE; /* which inspecting does */
    self->scratch = random_chance(source, 50) ? FULL_SCRATCH : LEAST_SCRATCH;
    self->has_pool = random_chance(source, 60);
    self->real_threads = random_chance(source, 40);
    self->threads = threads[random_between(source, 0, 3)];
    self->order.state = random_bits(source);
}

void random_case_create(random_case *self, const case_request *request, uint64_t seed)
{
    random_source source = {seed};
    case_shapes shapes;
    memset(self, 0, sizeof *self);
    self->seed = seed;
    self->call.kind = request->kind;
    self->call.reduction = request->reduction;
    self->call.use_init_val = random_chance(&source, 50);
    self->call.flags = random_chance(&source, 20) ? STREW_FLAG_REFUSE_NEGATIVE_INDICES : 0;
    if (random_chance(&source, 50))
        self->call.bounds = (strew_bounds)random_between(&source, 0, STREW_BOUNDS_COUNT - 1);
    if (kind_gathers(request->kind) && random_chance(&source, 50)) {
        random_tensor(&source, &self->fill, request->dtype, 0, NULL, LAYOUT_OUTPUT);
        self->call.fill = self->fill.view.data;
    }
    self->in_place = !kind_gathers(request->kind) && random_chance(&source, 50);
    if (kind_has_rows(request->kind))
        random_rows_shapes(&source, request, &self->call, &shapes);
    else if (kind_has_axis(request->kind))
        random_axis_shapes(&source, request, &self->call, &shapes);
    else
        random_elements_shapes(&source, request, &self->call, &shapes);

    random_tensor(&source, &self->data, request->dtype, shapes.data_rank, shapes.data,
                  self->in_place ? LAYOUT_OUTPUT : LAYOUT_INPUT);
    self->call.data = &self->data.view;
    random_indices(&source, self, request, &shapes);
    if (kind_gathers(request->kind)) {
        random_tensor(&source, &self->output, request->dtype, shapes.updates_rank, shapes.updates, LAYOUT_OUTPUT);
    } else {
        random_tensor(&source, &self->updates, request->dtype, shapes.updates_rank, shapes.updates, LAYOUT_INPUT);
        random_tensor(&source, &self->output, request->dtype, shapes.data_rank, shapes.data, LAYOUT_OUTPUT);
        self->call.updates = &self->updates.view;
    }
    self->call.output = self->in_place ? &self->data.view : &self->output.view;
    random_way_to_run(&source, self);
}

void random_case_destroy(random_case *self)
{
    tensor_destroy(&self->data);
    tensor_destroy(&self->indices);
    tensor_destroy(&self->updates);
    tensor_destroy(&self->output);
    tensor_destroy(&self->fill);
}
