/*
 * engine/form.c and engine/walk/walk.c: for every tensor and all indices of BITS, of all layouts, an operator's
 * walk with any valid index reads only bytes of indices and of the addressed tensor, and has its rows in the dense
 * one; coalescing and folding do not change it; and checking reads each index once.
 */
#include "layouts.h"

#include <array>
#include <map>

#include "engine/form.c"
#include "engine/walk/walk.c"

typedef std::map<std::array<int, 4>, std::vector<strew_layout>> by_sizes;

/* All layouts of a rank, by their sizes. */
static const by_sizes &layouts_of(int32_t rank)
{
    static by_sizes found[4];
    if (found[rank].empty())
        for (const strew_layout &layout : all_layouts(rank, 1)) {
            std::array<int, 4> sizes = {0, 0, 0, 0};
            for (int32_t d = 0; d < rank; d++)
                sizes[(size_t)d] = (int)layout.size[d];
            found[rank][sizes].push_back(layout);
        }
    return found[rank];
}

/* The elements at one byte of a row, in the three tensors. */
struct place {
    int index, dense, base;
    bool operator==(const place &other) const
    {
        return index == other.index && dense == other.dense && base == other.base;
    }
};

static void add_places(std::vector<place> *places, const strew_walk &walk, int32_t d, place at)
{
    if (d == walk.dims) {
        for (int byte = 0; byte < (int)walk.row_bytes.dense; byte++)
            places->push_back({at.index, at.dense + byte, at.base + byte});
        return;
    }
    const strew_dim &dim = walk.dim[d];
    for (int i = 0; i < (int)dim.size; i++)
        add_places(places, walk, d + 1,
                   {at.index + i * (int)dim.index_step, at.dense + i * (int)dim.dense_step,
                    at.base + i * (int)dim.base_step});
}

static std::vector<place> places_of(const strew_walk &walk)
{
    std::vector<place> places;
    add_places(&places, walk, 0, {0, 0, 0});
    return places;
}

static bool is_within(int offset, const strew_layout &layout)
{
    return offset >= (int)layout.extent.low && offset < (int)layout.extent.high;
}

/* The least and the greatest that right indices add to the base. */
struct range {
    int least, greatest;
};
static range range_of(const strew_coordinates &coordinates)
{
    range found = {0, 0};
    for (int32_t c = 0; c < coordinates.count; c++) {
        const int last = ((int)coordinates.each[c].size - 1) * (int)coordinates.each[c].stride;
        (last < 0 ? found.least : found.greatest) += last;
    }
    return found;
}

/* The indices that are checked, which no kernel reads. */
static const char *items;
static const strew_form *checked_form;
static int checked;
static bool check_tuples(const char *indices, int64_t step, size_t count, const strew_coordinates *coordinates,
                         const int64_t *, int64_t *)
{
    for (size_t i = 0; i < count; i++)
        for (int32_t c = 0; c < coordinates->count; c++) {
            const long offset = indices - items + (long)i * (int)step + c * (long)(int)coordinates->step;
            PROVE(is_within((int)offset, checked_form->indices));
            checked++;
        }
    return true;
}

static void prove_check(const strew_walk &walk, const strew_form &form)
{
    static const char room[2 << BITS] = {0};
    checked_form = &form;
    items = room + (1 << BITS);
    checked = 0;
    PROVE(strew_walk_check(&walk, items));
    PROVE(checked > 0 || walk.coordinates.count == 0 || walk.dims == 0);
}

static long tried, places_tried;

static void prove_form(const strew_form &form)
{
    strew_kernels kernels = {};
    for (strew_resolve_kernel *&resolve : kernels.resolve)
        resolve = check_tuples;
    strew_walk walk;
    strew_form_walk(&walk, &form, &kernels);
    const std::vector<place> places = places_of(walk);
    bool has_rows = !strew_walk_is_empty(&walk);
    const int positions = (int)strew_walk_positions(&walk);
    strew_walk_coalesce(&walk);
    PROVE((int)strew_walk_positions(&walk) == positions && strew_walk_is_empty(&walk) == !has_rows);
    tried++;
    if (!has_rows)
        return;
    prove_check(walk, form);
    strew_walk_fold(&walk);
    PROVE(places_of(walk) == places);
    prove_check(walk, form);
    for (int32_t c = 0; c < walk.coordinates.count; c++)
        has_rows &= walk.coordinates.each[c].size > 0;
    if (!has_rows || places.empty() || (form.addressing == STREW_WINDOWS && form.circular))
        return;
    const range range = range_of(walk.coordinates);
    const strew_layout &addressed = *strew_form_addressed(&form);
    PROVE((int)strew_walk_reach(&walk) >= range.greatest - range.least);
    for (const place &at : places) {
        PROVE(is_within(at.dense, form.dense));
        PROVE(is_within(at.base + range.least, addressed) && is_within(at.base + range.greatest, addressed));
        places_tried++;
    }
}

/* The form with each layout that dense can have. */
static void prove_each_dense(strew_form form, int32_t rank, std::array<int, 4> sizes)
{
    form.dense.rank = rank;
    const by_sizes &all = layouts_of(rank);
    const auto found = all.find(sizes);
    if (found == all.end())
        return;
    for (const strew_layout &dense : found->second) {
        form.dense = dense;
        for (const bool inspected : {false, true}) {
            form.inspected = inspected;
            prove_form(form);
        }
    }
}

static strew_form form_of(strew_addressing addressing, const strew_layout &data, const strew_layout &indices)
{
    strew_form form = {};
    form.addressing = addressing;
    form.direction = addressing == STREW_WINDOWS ? STREW_SCATTERS : STREW_GATHERS;
    form.wrap = true;
    form.fill_bytes = 1;
    form.data = form.output = data;
    form.indices = indices;
    form.indices.dtype = STREW_DTYPE_INT64;
    snprintf(proof_case, sizeof proof_case, "addressing %d, data %d by %d, %d by %d, indices %d by %d, %d by %d",
             (int)addressing, (int)data.size[0], (int)data.stride[0], (int)data.size[1], (int)data.stride[1],
             (int)indices.size[0], (int)indices.stride[0], (int)indices.size[1], (int)indices.stride[1]);
    return form;
}

/* GatherND, ScatterND: tuples of k in the last dimension of indices, with and without a batch. */
static void prove_tuples(const strew_layout &data, const strew_layout &indices)
{
    strew_form form = form_of(STREW_ROWS, data, indices);
    const int n = (int)indices.size[0], k = (int)indices.size[1], a = (int)data.size[0], b = (int)data.size[1];
    if (k == 0)
        prove_each_dense(form, 3, {n, a, b, 0});
    if (k == 1)
        prove_each_dense(form, 2, {n, b, 0, 0});
    if (k == 2)
        prove_each_dense(form, 1, {n, 0, 0, 0});
    form.batch_dims = 1;
    if (k == 0 && n == a)
        prove_each_dense(form, 2, {n, b, 0, 0});
    if (k == 1 && n == a)
        prove_each_dense(form, 1, {n, 0, 0, 0});
}

/* GatherElements, ScatterElements. */
static void prove_elements(const strew_layout &data, const strew_layout &indices)
{
    strew_form form = form_of(STREW_ELEMENTS, data, indices);
    for (form.axis = 0; form.axis < 2; form.axis++)
        if (indices.size[1 - form.axis] <= data.size[1 - form.axis])
            prove_each_dense(form, 2, {(int)indices.size[0], (int)indices.size[1], 0, 0});
}

/* Gather, Scatter, with and without a batch; TensorScatter. */
static void prove_axis(const strew_layout &data, const strew_layout &indices)
{
    strew_form form = form_of(STREW_AXIS, data, indices);
    const int n = (int)indices.size[0], a = (int)data.size[0], b = (int)data.size[1];
    prove_each_dense(form, 2, {n, b, 0, 0});
    form.axis = 1;
    prove_each_dense(form, 2, {a, n, 0, 0});
    if (n != a)
        return;
    form.batch_dims = 1;
    prove_each_dense(form, 1, {a, 0, 0, 0});
    form.addressing = STREW_WINDOWS;
    form.direction = STREW_SCATTERS;
    form.wrap = false;
    for (const bool circular : {false, true})
        for (int length = 0; length <= b; length++) {
            form.circular = circular;
            prove_each_dense(form, 2, {a, length, 0, 0});
        }
}

/* Joined coordinates select the same rows in the same order. */
static void prove_join(const strew_layout &layout)
{
    strew_coordinates apart = {}, joined = {};
    for (int32_t c = 0; c < layout.rank; c++) {
        strew_coordinates_add(&apart, {layout.size[c], layout.stride[c]});
        strew_coordinates_join(&joined, {layout.size[c], layout.stride[c]});
    }
    std::vector<int> offsets[2];
    for (int which = 0; which < 2; which++) {
        strew_layout selected = layout;
        const strew_coordinates &coordinates = which ? joined : apart;
        selected.rank = coordinates.count;
        for (int32_t c = 0; c < coordinates.count; c++) {
            selected.size[c] = coordinates.each[c].size;
            selected.stride[c] = coordinates.each[c].stride;
        }
        each_offset(exact(selected), [&](int offset) { offsets[which].push_back(offset); });
    }
    PROVE(offsets[0] == offsets[1]);
    tried++;
}

int main(void)
{
    for (const auto &datas : layouts_of(2))
        for (const strew_layout &data : datas.second) {
            for (const auto &indices : layouts_of(2))
                for (const strew_layout &layout : indices.second) {
                    prove_tuples(data, layout);
                    prove_elements(data, layout);
                }
            for (const auto &indices : layouts_of(1))
                for (const strew_layout &layout : indices.second)
                    prove_axis(data, layout);
        }
    for (int32_t rank = 1; rank < 4; rank++)
        for (const auto &layouts : layouts_of(rank))
            for (const strew_layout &layout : layouts.second)
                prove_join(layout);
    printf("%ld forms and joined coordinates, %ld bytes moved\n", tried, places_tried);
}
