#include "engine/plan.h"

#include "dispatch/dispatch.h"
#include "dispatch/tuning.h"
#include "engine/threshold.h"
#include "kernels/fetch.h"

/* Leaves the function with the one of the sizes that has so many bytes, if one has. */
#define RETURN_SIZE(name, bytes) \
    if (row_bytes == (bytes))    \
        return STREW_MOVE_##name;

strew_move_size strew_move_size_of(int64_t row_bytes)
{
    STREW_MOVE_FIXED_SIZES(RETURN_SIZE)
    return STREW_MOVE_rows;
}

/* How many bytes of the addressed tensor the indices can select, from all bases. */
static double selectable_bytes(const strew_walk *walk)
{
    double bytes = (double)walk->row_bytes;
    for (int32_t c = 0; c < walk->coordinates.count; c++)
        bytes *= (double)walk->coordinates.at[c].size;
    for (int32_t d = 0; d < walk->dims; d++)
        if (walk->dim[d].base_step != 0)
            bytes *= (double)walk->dim[d].size;
    return bytes;
}

/*
 * Short rows are fetched a tile at a time if their lines are more than the last-level cache keeps, and the CPU does
 * not foresee them: within a page it does, and where a lane along the axis stays in the cache, lines with more than
 * a few of its elements each are there already. Measured on a CPU of the Zen 5 generation, of the time:
 *
 *   2M elements of 1 to 8 bytes across 24 MB and more     gathered 0.65 to 0.85, summed 0.5 to 0.85
 *   1M rows of 32 and 64 bytes across 16 MB and more      gathered 0.75 to 0.9, summed 0.6 to 0.75
 *   the same across 8 MB, or 200,000 elements             1.1 to 1.25 if the last-level cache is free
 *   elements and rows across 8 MB; 12 to 16 MB            0.5 to 0.9; 0.3 to 0.75 if others use it as well
 *   lanes of 4 to 40 KB, 32 to 8 bytes for each element   gathered 0.6 to 0.85, summed 0.6 to 0.9, assigned 0.65
 *                                                         to 0.95
 *   lanes of 256 bytes; 1 KB, 4 bytes for each element    1.15 to 1.2; 1.25
 */
enum { LEAST_LANE = STREW_THRESHOLD(4096, 1), LEAST_BYTES_EACH = STREW_THRESHOLD(8, 0) };

static bool is_beyond_caches(const strew_walk *walk)
{
    const double least = (double)STREW_THRESHOLD(strew_tuning_active()->least_fetched, 0);
    return walk->row_bytes <= STREW_CACHE_LINE && (double)strew_walk_positions(walk) * STREW_CACHE_LINE >= least &&
           selectable_bytes(walk) >= least;
}

static bool is_seldom_met(const strew_walk *walk)
{
    const uint64_t reach = strew_walk_reach(walk);
    return reach >= STREW_NEAR_BYTES ||
           (reach >= LEAST_LANE && selectable_bytes(walk) >= LEAST_BYTES_EACH * (double)strew_walk_positions(walk));
}

/* What is near in the sense of walk.h: an eighth of a lane, at most what a cache may hold. */
static uint64_t near_rows(const strew_walk *walk)
{
    if (!is_beyond_caches(walk) || !is_seldom_met(walk))
        return 0;
    const uint64_t near = strew_walk_reach(walk) / 8;
    return near < STREW_NEAR_BYTES ? near : STREW_NEAR_BYTES;
}

strew_move_size strew_scatter_size(int64_t row_bytes)
{
    if (strew_tuning_active()->reads_first) {
        STREW_MOVE_READ_SIZES(RETURN_SIZE)
    }
    return strew_move_size_of(row_bytes);
}

/* Of rows that are assigned only elements: the kernel of longer ones fetches them itself. */
uint64_t strew_scatter_near(const strew_walk *walk)
{
    return walk->row_bytes <= STREW_LONGEST_ELEMENT ? near_rows(walk) : 0;
}

/* Shorter rows gain nothing (measured with 1M rows of 64 bytes at random: they take 1.15 times as long). */
enum { SHORTEST_STREAMED_ROW = 128 };

/* Rows as long as this are moved as fast one by one. */
enum { LONGEST_JOINED_ROW = 256 };

/* Rows of which so many bytes are gathered, or scattered, by the kernel of this size or past the caches. */
static void assign(strew_walk *walk, strew_move_kernel *const *by_size, strew_move_size size, int64_t bytes)
{
    walk->streams = walk->row_bytes >= SHORTEST_STREAMED_ROW && bytes >= strew_streamed_bytes();
    if (walk->streams)
        size = strew_tuning_active()->interleaves ? STREW_MOVE_interleaved : STREW_MOVE_streamed;
    walk->move = by_size[size];
    walk->join = walk->row_bytes < LONGEST_JOINED_ROW ? by_size[STREW_MOVE_rows] : NULL;
}

static void gather(strew_walk *walk, const strew_kernels *kernels, int64_t bytes)
{
    assign(walk, kernels->gather, strew_move_size_of(walk->row_bytes), bytes);
    walk->near = near_rows(walk);
}

static void scatter(strew_walk *walk, const strew_kernels *kernels, int64_t bytes)
{
    assign(walk, kernels->scatter, strew_scatter_size(walk->row_bytes), bytes);
    walk->near = strew_scatter_near(walk);
}

static void combine(strew_walk *walk, const strew_kernels *kernels, strew_reduction reduction, strew_dtype dtype)
{
    const strew_reduction combination = reduction == STREW_MEAN ? STREW_SUM : reduction;
    const bool elements = walk->row_bytes == (int64_t)strew_dtype_size(dtype);
    walk->join = kernels->reduce_rows[combination][dtype];
    walk->move = elements ? kernels->reduce_elements[combination][dtype] : walk->join;
    walk->near = near_rows(walk);
}

static int64_t bytes_of(const strew_layout *layout)
{
    return layout->count * layout->element;
}

/* Of a few rows that are overwritten again and again no more is written than there are. */
static int64_t bytes_scattered(const strew_form *form)
{
    const int64_t updates = bytes_of(&form->dense), output = bytes_of(&form->output);
    return updates < output ? updates : output;
}

static void choose_move(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    if (form->direction == STREW_GATHERS)
        gather(walk, kernels, bytes_of(&form->dense));
    else if (form->reduction == STREW_NONE)
        scatter(walk, kernels, bytes_scattered(form));
    else
        combine(walk, kernels, form->reduction, form->data.dtype);
}

/*
 * A reduction without initial values first writes its identity, one element at a time, to every place that will be
 * updated; a mean divides one element at a time. Only their walks are not folded.
 */
static void make_walk(strew_walk *walk, const strew_form *form, const strew_kernels *kernels)
{
    const strew_layout *addressed = form->direction == STREW_GATHERS ? &form->data : &form->output;
    strew_walk_begin(walk, kernels, form->indices.dtype, form->data.element);
    if (form->addressing == STREW_ROWS)
        strew_rows_walk(walk, addressed, form);
    else
        strew_elements_walk(walk, addressed, form);
    strew_walk_merge(walk);
    if (form->reduction == STREW_NONE || (form->use_init_val && form->reduction != STREW_MEAN))
        strew_walk_fold(walk);
}

/*
 * While a tile is resolved none of its rows come from memory, and while it is moved no indices do. Where memory is
 * what takes the time tiles are shorter, so that the CPU begins with one while it waits for another. Measured on a
 * CPU of the Zen 5 generation, one thread and two, of the time of whole tiles:
 *
 *   elements along lanes of 20 to 256 bytes, 17 to 70 MB read and written in all    0.65 to 0.9
 *   2M elements or short rows of tables of 2 to 6 MB                                0.7 to 0.95
 *   1M elements and less, up to 11 MB in all                                        1.05 to 1.15
 *   elements that are fetched; rows of 32 and 64 bytes that are                     0.75 to 0.95; 1.1 to 1.4
 *
 * Between 96 and 256 positions none are the best ones everywhere; 64 take 1.1 of the time of 128.
 */
enum { SHORT_TILE = 192 };

/* Whether so much is read and written in all: indices, dense rows, and lines of the addressed tensor. */
static bool waits_for_memory(const strew_walk *walk)
{
    const double least = (double)STREW_THRESHOLD(strew_tuning_active()->least_short_tiles, 0);
    const double positions = (double)strew_walk_positions(walk);
    const double tuple = (double)walk->coordinates.count * (double)strew_dtype_size(walk->index_dtype);
    const double in_order = positions * (tuple + (double)walk->row_bytes), lines = positions * STREW_CACHE_LINE;
    if (in_order + lines < least)
        return false;
    const double selectable = selectable_bytes(walk);
    return in_order + (selectable < lines ? selectable : lines) >= least;
}

static int64_t tile_entries(const strew_walk *walk)
{
    if (walk->row_bytes > STREW_CACHE_LINE || !waits_for_memory(walk))
        return STREW_TILE_ENTRIES;
    return walk->row_bytes <= STREW_LONGEST_ELEMENT || near_rows(walk) == 0 ? SHORT_TILE : STREW_TILE_ENTRIES;
}

/* Copying is gathering without coordinates. Any resolving will do: there is nothing to resolve. */
void strew_plan_copy(strew_walk *walk, const strew_plan_body *plan)
{
    const strew_layout *from = &plan->form.data, *to = &plan->form.output;
    strew_walk_begin(walk, plan->kernels, STREW_INT64, from->element);
    for (int32_t d = 0; d < from->rank; d++)
        strew_walk_add_dim(walk, (strew_dim){from->size[d], 0, to->stride[d], from->stride[d]});
    strew_walk_merge(walk);
    strew_walk_fold(walk);
    gather(walk, plan->kernels, bytes_of(from));
}

void strew_plan_make(strew_plan_body *plan, const strew_kernels *kernels)
{
    plan->kernels = kernels;
    make_walk(&plan->walk, &plan->form, kernels);
    choose_move(&plan->walk, &plan->form, kernels);
    plan->walk.tile = tile_entries(&plan->walk);
    plan->can_be_in_place =
        plan->form.direction == STREW_SCATTERS && strew_layout_same_places(&plan->form.data, &plan->form.output);
    plan->made = STREW_PLAN_MADE;
}
