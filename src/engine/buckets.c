#include "engine/buckets.h"

#include <stdatomic.h>
#include <string.h>

#include "engine/threshold.h"

/* A bucket of 256 KiB is in the second-level cache of all but the smallest CPUs. */
enum { LEAST_BUCKET_BITS = STREW_THRESHOLD(18, 6) };

/* With more of them, what is staged would no longer be in the second-level cache. Buckets are larger instead. */
enum { MOST_BUCKETS = 1024 };

/* Fewer at a time cost a mispredicted branch more often; a page has a tile of the smallest entries. */
enum { STAGE_BYTES = 512, PAGE_BYTES = 4096 };
_Static_assert(PAGE_BYTES / 8 <= STREW_TILE_ENTRIES, "the entries of a page are a tile at most");
_Static_assert(STREW_BUCKETS_ALIGNMENT % PAGE_BYTES == 0, "pages are aligned");

#define NO_PAGE UINT32_MAX

struct strew_queue {
    uint32_t first, last; /* of its pages, all full but the last */
    uint32_t in_last;     /* bytes */
    uint32_t staged;      /* bytes; set when dealing ends */
};

/* An entry has two halves. The first begins with where the row goes; the second begins with the row. */
static inline size_t entry_bytes_of(size_t row_bytes)
{
    return 2 * (row_bytes < sizeof(uint32_t) ? sizeof(uint32_t) : row_bytes);
}

/* A place in a bucket has 32 bits. */
bool strew_buckets_take(int64_t row_bytes, int64_t reach)
{
#define IS(name, bytes) || row_bytes == (bytes)
    const bool fits = false STREW_MOVE_FIXED_SIZES(IS);
#undef IS
    return fits && reach > 0 && reach <= (int64_t)MOST_BUCKETS << 32;
}

strew_buckets strew_buckets_of(int64_t low, int64_t high, int64_t row_bytes, size_t dealers, size_t most_rows)
{
    strew_buckets of = {.low = low,
                        .bits = LEAST_BUCKET_BITS,
                        .dealers = dealers,
                        .row_bytes = (size_t)row_bytes,
                        .entry_bytes = entry_bytes_of((size_t)row_bytes)};
    const uint64_t last = (uint64_t)(high - low) - 1;
    while (last >> of.bits >= MOST_BUCKETS)
        of.bits++;
    of.count = (size_t)(last >> of.bits) + 1;
    of.pages = most_rows / (PAGE_BYTES / of.entry_bytes) + of.count;
    return of;
}

static size_t whole(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static size_t dealer_bytes(const strew_buckets *of)
{
    const size_t each_bucket = STAGE_BYTES + sizeof(char *) + sizeof(strew_queue);
    return whole(of->pages * (PAGE_BYTES + sizeof(uint32_t)) + of->count * each_bucket, PAGE_BYTES);
}

size_t strew_buckets_bytes(const strew_buckets *buckets)
{
    return buckets->dealers * dealer_bytes(buckets);
}

static void find_dealer(strew_dealer *dealer, const strew_buckets *buckets, size_t index)
{
    const size_t count = buckets->count;
    char *const memory = buckets->memory + index * dealer_bytes(buckets);
    dealer->buckets = buckets;
    dealer->pages = memory;
    dealer->stages = dealer->pages + buckets->pages * PAGE_BYTES;
    dealer->ends = (char **)(void *)(dealer->stages + count * STAGE_BYTES);
    dealer->queues = (strew_queue *)(void *)(dealer->ends + count);
    dealer->next = (uint32_t *)(void *)(dealer->queues + count);
}

void strew_dealer_begin(strew_dealer *dealer, const strew_buckets *buckets, size_t index,
                        const strew_kernels *kernels)
{
    find_dealer(dealer, buckets, index);
    dealer->put_away = kernels->gather[STREW_MOVE_rows];
    dealer->used = 0;
    for (size_t b = 0; b < buckets->count; b++) {
        dealer->ends[b] = dealer->stages + b * STAGE_BYTES;
        dealer->queues[b] = (strew_queue){NO_PAGE, NO_PAGE, PAGE_BYTES, 0};
    }
}

void strew_dealer_end(strew_dealer *dealer)
{
    for (size_t b = 0; b < dealer->buckets->count; b++)
        dealer->queues[b].staged = (uint32_t)(dealer->ends[b] - (dealer->stages + b * STAGE_BYTES));
    atomic_thread_fence(memory_order_seq_cst); /* what was put away, others may read */
}

static void add_page(strew_dealer *dealer, strew_queue *queue)
{
    const uint32_t page = dealer->used++;
    *(queue->first == NO_PAGE ? &queue->first : &dealer->next[queue->last]) = page;
    dealer->next[page] = NO_PAGE;
    queue->last = page;
    queue->in_last = 0;
}

/* Empties a full stage. */
static void put_away(strew_dealer *dealer, size_t bucket)
{
    static const int64_t first = 0;
    strew_queue *queue = &dealer->queues[bucket];
    if (queue->in_last == PAGE_BYTES)
        add_page(dealer, queue);
    char *const stage = dealer->stages + bucket * STAGE_BYTES;
    const strew_dense dense = {
        dealer->pages + (size_t)queue->last * PAGE_BYTES + queue->in_last, 0, STAGE_BYTES, {0, 1, false}};
    dealer->put_away(stage, &first, 1, &dense);
    queue->in_last += STAGE_BYTES;
    dealer->ends[bucket] = stage;
}

/*
 * Where stages end is kept as pointers, and that one is full is seen by its alignment: a load, a store and a
 * comparison less for each row.
 */
static inline __attribute__((always_inline)) void deal(strew_dealer *dealer, int64_t base, const int64_t *offsets,
                                                       size_t count, const char *rows, int64_t row_step,
                                                       size_t row_bytes)
{
    char **const ends = dealer->ends;
    const int64_t from_low = base - dealer->buckets->low;
    const int32_t bits = dealer->buckets->bits;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    const size_t half = entry_bytes_of(row_bytes) / 2;
    for (size_t i = 0; i < count; i++) {
        const uint64_t place = (uint64_t)(from_low + offsets[i]);
        const uint32_t in_bucket = (uint32_t)(place & mask);
        char *const entry = ends[place >> bits], *const end = entry + 2 * half;
        memcpy(entry, &in_bucket, sizeof in_bucket);
        memcpy(entry + half, rows + (int64_t)i * row_step, row_bytes);
        ends[place >> bits] = end;
        if ((uintptr_t)end % STAGE_BYTES == 0)
            put_away(dealer, (size_t)(place >> bits));
    }
}

void strew_dealer_deal(strew_dealer *dealer, int64_t base, const int64_t *offsets, size_t count, const char *rows,
                       int64_t row_step)
{
    switch (dealer->buckets->row_bytes) {
#define CASE(name, bytes) \
    case bytes: deal(dealer, base, offsets, count, rows, row_step, bytes); return;
        STREW_MOVE_FIXED_SIZES(CASE)
#undef CASE
    }
}

static void visit(const strew_buckets *buckets, const char *entries, size_t bytes, strew_bucket_task *task,
                  void *context)
{
    strew_tile_offsets offsets;
    const size_t entry_bytes = buckets->entry_bytes, count = bytes / entry_bytes;
    for (size_t i = 0; i < count; i++) {
        uint32_t in_bucket;
        memcpy(&in_bucket, entries + i * entry_bytes, sizeof in_bucket);
        offsets[i] = in_bucket;
    }
    char *const rows = (char *)(uintptr_t)entries + entry_bytes / 2;
    task(context, offsets, count, rows, (int64_t)entry_bytes);
}

static void visit_queue(const strew_dealer *dealer, size_t bucket, strew_bucket_task *task, void *context)
{
    const strew_queue queue = dealer->queues[bucket];
    for (uint32_t page = queue.first; page != NO_PAGE; page = dealer->next[page])
        visit(dealer->buckets, dealer->pages + (size_t)page * PAGE_BYTES,
              page == queue.last ? queue.in_last : PAGE_BYTES, task, context);
    visit(dealer->buckets, dealer->stages + bucket * STAGE_BYTES, queue.staged, task, context);
}

void strew_bucket_visit(const strew_buckets *buckets, size_t bucket, strew_bucket_task *task, void *context)
{
    for (size_t d = 0; d < buckets->dealers; d++) {
        strew_dealer dealer;
        find_dealer(&dealer, buckets, d);
        visit_queue(&dealer, bucket, task, context);
    }
}
