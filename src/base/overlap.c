/*
 * An element of `a` and one of `b` share a byte if the distance between them is less than an element is long. All
 * distances are sums of multiples of strides, so the question is whether such a sum lies in a window. Strides that
 * a shorter one, or the window, reaches across become part of it, after which few multiples are left to try.
 */
#include "base/overlap.h"

#include "base/compiler.h"

/* Strides of real tensors need less than twenty tries. */
enum { MOST_TRIES = 1000, MOST_STEPS = 2 * STREW_MAX_RANK };

/* A stride, and the least and the greatest multiple of it. */
typedef struct stride_step {
    int64_t stride, least, greatest;
    int64_t reach_low, reach_high; /* of all shorter steps together */
    int64_t divisor;               /* of this stride and all shorter ones: the greatest */
} stride_step;

/* Sums of one multiple of each step, and the window that they may lie in. */
typedef struct distances {
    int64_t low, high; /* of the window, both included */
    int32_t count;
    stride_step steps[MOST_STEPS]; /* the shortest first */
} distances;

/* ---- Steps --------------------------------------------------------------------------------------- */

static void add_step(distances *all, stride_step added)
{
    int32_t place = all->count++;
    for (; place > 0 && all->steps[place - 1].stride > added.stride; place--)
        all->steps[place] = all->steps[place - 1];
    all->steps[place] = added;
}

/* Counted from the lowest byte, so that no stride is negative. Distances go from `a` to `b`. */
static void add_steps(distances *all, const strew_layout *layout, bool is_a)
{
    for (int32_t d = 0; layout && d < layout->rank; d++) {
        const int64_t stride = layout->stride[d], most = layout->size[d] - 1;
        if (most > 0 && stride != 0)
            add_step(all, (stride_step){stride < 0 ? -stride : stride, is_a ? -most : 0, is_a ? 0 : most, 0, 0, 0});
    }
}

/* Whether the multiples of both are multiples of the shorter one that leave none out. */
static bool can_join(const stride_step *shorter, const stride_step *longer)
{
    return longer->stride % shorter->stride == 0 &&
           longer->stride / shorter->stride <= shorter->greatest - shorter->least + 1;
}

/* Joins steps, and moves those into the window that it reaches across. */
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

/* The multiples of a step after which shorter ones may still lead into the window: none if least > greatest. */
typedef struct tries {
    int64_t low; /* of the window, seen from where longer steps have led */
    int64_t least, greatest;
} tries;

static void begin_tries(tries *self, const stride_step *of, int64_t low, int64_t width)
{
    const int64_t high = low + width;
    const int64_t first = -floor_divide(of->reach_high - low, of->stride),
                  last = floor_divide(high - of->reach_low, of->stride);
    const bool has_multiple = floor_divide(high, of->divisor) * of->divisor >= low;
    self->low = low;
    self->least = first > of->least ? first : of->least;
    self->greatest = !has_multiple ? self->least - 1 : last < of->greatest ? last : of->greatest;
}

/* From the longest step to the shortest, and back where none of its multiples is left. */
static strew_overlap search(const distances *all)
{
    tries tried[MOST_STEPS];
    const int64_t width = all->high - all->low;
    int32_t at = all->count - 1;
    if (all->count == 0)
        return STREW_OVERLAP_FOUND; /* the window is all that they reach, and they meet */
    begin_tries(&tried[at], &all->steps[at], all->low, width);
    for (int count = 0; count < MOST_TRIES; count++) {
        tries *const now = &tried[at];
        if (now->least > now->greatest) {
            if (++at == all->count)
                return STREW_OVERLAP_NONE;
            continue;
        }
        const int64_t low = now->low - now->least++ * all->steps[at].stride;
        if (at == 0)
            return STREW_OVERLAP_FOUND;
        at--;
        begin_tries(&tried[at], &all->steps[at], low, width);
    }
    return STREW_OVERLAP_UNKNOWN;
}

/* Proved in tests/proof/prove_overlap.cpp: what is said to be shared or not is so, and little is unknown. */
STREW_NOINLINE strew_overlap strew_find_overlap(const strew_span *a, const strew_span *b)
{
    distances all;
    int64_t reach;
    if (!strew_spans_meet(a, b))
        return STREW_OVERLAP_NONE;
    if (!strew_add(a->bytes, b->bytes, &reach)) /* no sum of what follows is greater */
        return STREW_OVERLAP_UNKNOWN;
    const int64_t between = a->begin <= b->begin ? (int64_t)(b->begin - a->begin) : -(int64_t)(a->begin - b->begin);
    all.low = 1 - (b->layout ? b->layout->element : b->bytes) - between;
    all.high = (a->layout ? a->layout->element : a->bytes) - 1 - between;
    all.count = 0;
    add_steps(&all, a->layout, true);
    add_steps(&all, b->layout, false);
    join_steps(&all);
    measure_steps(&all);
    return search(&all);
}
