/*
 * operators/slice.c: every slice, from LEAST_BOUND to GREATEST_BOUND, of every tensor of RANK that BITS can hold
 * selects the same as Python's, and the selection lies in the tensor.
 */
#include "layouts.h"

#include "operators/slice.c"

/* The positions that Python's range(*slice(start, stop, step).indices(size)) goes through. */
static std::vector<int> selected(int start, int stop, int step, int size)
{
    const int first = step > 0 ? 0 : -1, last = step > 0 ? size : size - 1;
    const auto bound = [=](int given) {
        const int counted = given < 0 ? given + size : given;
        return counted < first ? first : counted > last ? last : counted;
    };
    std::vector<int> positions;
    for (int p = bound(start); step > 0 ? p < bound(stop) : p > bound(stop); p += step)
        positions.push_back(p);
    return positions;
}

static long tried;

/* The part of the tensor that one slice of each dimension selects. */
static void prove_slices(const strew_layout &layout, const int *given)
{
    int64_t starts[2], stops[2], steps[2];
    std::vector<int> positions[2];
    bool has_zero_step = false;
    for (int32_t d = 0; d < layout.rank; d++) {
        starts[d] = given[3 * d];
        stops[d] = given[3 * d + 1];
        steps[d] = given[3 * d + 2];
        has_zero_step |= given[3 * d + 2] == 0;
    }
    strew_slice slice = {};
    slice.count = layout.rank;
    slice.starts = starts;
    slice.stops = stops;
    slice.steps = steps;
    strew_sliced sliced;
    const bool is_taken = strew_slice_of(&sliced, &slice, &layout, NULL) == STREW_STATUS_OK;
    PROVE(is_taken == !has_zero_step);
    tried++;
    if (!is_taken)
        return;
    strew_form form = {};
    form.output = layout;
    strew_slice_address(&form, &sliced);
    int count = 1, position[4] = {0}, size[4];
    for (int32_t d = 0; d < layout.rank; d++) {
        positions[d] = selected(given[3 * d], given[3 * d + 1], given[3 * d + 2], (int)layout.size[d]);
        size[d] = (int)positions[d].size();
        PROVE((int)form.slice.size[d] == size[d]);
        count *= size[d];
    }
    if (count == 0)
        return;
    const exact part(form.slice), all(layout);
    do {
        int selected_position[4] = {0};
        for (int32_t d = 0; d < layout.rank; d++)
            selected_position[d] = positions[d][(size_t)position[d]];
        const int offset = (int)form.slice_begin + part.at(position);
        PROVE(offset == all.at(selected_position));
        PROVE(offset >= all.low && offset + all.element <= all.high);
    } while (next_of(layout.rank, size, position));
}

int main(void)
{
    for (const strew_layout &layout : all_layouts(RANK, 1))
        each_combination(3 * RANK, LEAST_BOUND, GREATEST_BOUND, [&](const int *given) {
            snprintf(proof_case, sizeof proof_case, "size %d by %d; start, stop, step: %d %d %d",
                     (int)layout.size[0], (int)layout.stride[0], given[0], given[1], given[2]);
            prove_slices(layout, given);
        });
    printf("%ld slices of rank %d\n", tried, RANK);
}
