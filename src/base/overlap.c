/*
 * Decides whether two tensors share a byte.
 *
 * Two elements share a byte if the distance between them is less than the length of an element. Every distance is
 * a sum of multiples of strides, so the question is whether such a sum falls into a window. The steps are first
 * simplified: a stride is merged into a shorter one whose multiples reach it, or into the window if it is no
 * longer than the window. After that few multiples are left to try.
 */
#include "base/overlap.h"

#include "base/compiler.h"

/* The strides of real tensors take fewer than twenty tries. */
enum { MOST_TRIES = 1000, MOST_STEPS = 2 * STREW_MAX_RANK };

/* A stride, and its least and greatest multiple. */
typedef struct stride_step {
    int64_t stride, least, greatest;
    int64_t reach_low, reach_high; /* sums of all shorter steps */
    int64_t divisor;               /* the greatest common divisor of this stride and all shorter ones */
} stride_step;

/* The sums of one multiple of each step, and the window in which a sum means an overlap. */
typedef struct distances {
    int64_t low, high; /* of the window; both ends belong to it */
    int32_t count;
    stride_step steps[MOST_STEPS]; /* in ascending order of stride */
} distances;

/* ---- Steps --------------------------------------------------------------------------------------- */

static void add_step(distances *all, stride_step added)
{
    int32_t place = all->count++;
    for (; place > 0 && all->steps[place - 1].stride > added.stride; place--)
        all->steps[place] = all->steps[place - 1];
    all->steps[place] = added;
}

/*
 * Adds the strides of one tensor. Counting from the lowest byte makes every stride positive. Distances go from `a`
 * to `b`.
 */
static void add_steps(distances *all, const strew_layout *layout, bool is_a)
{
    for (int32_t d = 0; layout && d < layout->rank; d++) {
        const int64_t stride = layout->stride[d], most = layout->size[d] - 1;
        if (most > 0 && stride != 0)
            add_step(all, (stride_step){stride < 0 ? -stride : stride, is_a ? -most : 0, is_a ? 0 : most, 0, 0, 0});
    }
}

/* Returns whether every multiple of both strides together is one multiple of the shorter stride, without gaps. */
static bool can_join(const stride_step *shorter, const stride_step *longer)
{
    return longer->stride % shorter->stride == 0 &&
           longer->stride / shorter->stride <= shorter->greatest - shorter->least + 1;
}

/* Joins steps with shorter ones, and merges into the window the steps that are no longer than it. */
static void join_steps(distances *all)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < all->count; i++) {
        const stride_step *longer = &all->steps[i];
        stride_step *const shorter = kept > 0 ? &all->steps[kept - 1] : NULL;
        if (!shorter && longer->stride <= all->high - all->low + 1) {
            all->low -= longer->greatest * longer->stride;
            all->high -= longer->least * longer->stride;
        } else if (shorter && can_join(shorter, longer)) {
            const int64_t times = longer->stride / shorter->stride;
            shorter->least += longer->least * times;
            shorter->greatest += longer->greatest * times;
        } else {
            all->steps[kept++] = *longer;
        }
    }
    all->count = kept;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void measure_steps(distances *all)
{
    int64_t low = 0, high = 0, divisor = 0;
    for (int32_t i = 0; i < all->count; i++) {
        stride_step *const each = &all->steps[i];
        each->reach_low = low;
        each->reach_high = high;
        each->divisor = divisor = greatest_divisor(each->stride, divisor);
        low += each->least * each->stride;
        high += each->greatest * each->stride;
    }
}

/* ---- Trying -------------------------------------------------------------------------------------- */

static int64_t floor_divide(int64_t dividend, int64_t divisor)
{
    return dividend / divisor - (dividend % divisor < 0);
}

/*
 * The multiples of a step from which the shorter steps may still reach the window. There are none if least >
 * greatest.
 */
typedef struct tries {
    int64_t low; /* of the window, relative to where the longer steps lead */
    int64_t least, greatest;
} tries;

static void begin_tries(tries *next, const stride_step *step, int64_t low, int64_t width)
{
    const int64_t high = low + width;
    const int64_t first = -floor_divide(step->reach_high - low, step->stride),
                  last = floor_divide(high - step->reach_low, step->stride);
    const bool has_multiple = floor_divide(high, step->divisor) * step->divisor >= low;
    next->low = low;
    next->least = first > step->least ? first : step->least;
    next->greatest = !has_multiple ? next->least - 1 : last < step->greatest ? last : step->greatest;
}

/* Tries multiples from the longest step to the shortest. Goes back a step when its multiples are used up. */
static strew_overlap search_distances(const distances *all)
{
    tries tried[MOST_STEPS];
    const int64_t width = all->high - all->low;
    int32_t at = all->count - 1;
    if (all->count == 0)
        return STREW_OVERLAP_FOUND; /* the spans meet, and the window has absorbed all steps */
    begin_tries(&tried[at], &all->steps[at], all->low, width);
    for (int count = 0; count < MOST_TRIES; count++) {
        tries *const current = &tried[at];
        if (current->least > current->greatest) {
            if (++at == all->count)
                return STREW_OVERLAP_NONE;
            continue;
        }
        const int64_t low = current->low - current->least++ * all->steps[at].stride;
        if (at == 0)
            return STREW_OVERLAP_FOUND;
        at--;
        begin_tries(&tried[at], &all->steps[at], low, width);
    }
    return STREW_OVERLAP_UNKNOWN;
}

/* Proved in tests/proof/prove_overlap.cpp: FOUND and NONE are always right, and UNKNOWN is rare. */
STREW_NOINLINE strew_overlap strew_find_overlap(const strew_span *a, const strew_span *b)
{
    distances all;
    int64_t reach;
    if (!strew_spans_meet(a, b))
        return STREW_OVERLAP_NONE;
    if (!strew_add(a->bytes, b->bytes, &reach)) /* no later sum is greater */
        return STREW_OVERLAP_UNKNOWN;
    const int64_t between = a->begin <= b->begin ? (int64_t)(b->begin - a->begin) : -(int64_t)(a->begin - b->begin);
    all.low = 1 - (b->layout ? b->layout->element : b->bytes) - between;
    all.high = (a->layout ? a->layout->element : a->bytes) - 1 - between;
    all.count = 0;
    add_steps(&all, a->layout, true);
    add_steps(&all, b->layout, false);
    join_steps(&all);
    measure_steps(&all);
    return search_distances(&all);
}
