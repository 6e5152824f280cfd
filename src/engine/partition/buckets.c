#include "engine/partition/buckets.h"

#include <stdatomic.h>
#include <string.h>

#include "base/thresholds.h"

/* A smaller buffer fills and mispredicts a branch more often. A page holds a tile of the smallest entries. */
enum { BUFFER_BYTES = 512, PAGE_BYTES = 4096 };
_Static_assert(PAGE_BYTES / 8 <= STREW_TILE_POSITIONS, "the entries of a page are a tile at most");
_Static_assert(STREW_BUCKETS_ALIGNMENT % PAGE_BYTES == 0, "pages are aligned");

#define NO_PAGE UINT32_MAX

struct strew_queue {
    uint32_t first, last; /* pages; all but the last are full */
    uint32_t in_last;     /* the bytes used of the last page */
};

/* An entry has two halves. The first one begins with the row's offset in the block, the second one with the row. */
static inline size_t entry_bytes_of(size_t row_bytes)
{
    return 2 * (row_bytes < sizeof(uint32_t) ? sizeof(uint32_t) : row_bytes);
}

strew_buckets strew_buckets_make(int64_t low, int64_t high, int64_t row_bytes, size_t writers, size_t most_rows)
{
    strew_buckets buckets = {.low = low,
                             .bits = STREW_BUCKET_BITS,
                             .writers = writers,
                             .row_bytes = (size_t)row_bytes,
                             .entry_bytes = entry_bytes_of((size_t)row_bytes)};
    const uint64_t last = (uint64_t)(high - low) - 1;
    while (last >> buckets.bits >= STREW_MOST_BUCKETS)
        buckets.bits++;
    buckets.count = (size_t)(last >> buckets.bits) + 1;
    buckets.pages = most_rows / (PAGE_BYTES / buckets.entry_bytes) + buckets.count;
    return buckets;
}

static size_t writer_bytes(const strew_buckets *buckets)
{
    const size_t each_bucket = BUFFER_BYTES + sizeof(char *) + sizeof(strew_queue);
    const size_t used = buckets->pages * (PAGE_BYTES + sizeof(uint32_t)) + buckets->count * each_bucket;
    return (used + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

size_t strew_buckets_bytes(const strew_buckets *buckets)
{
    return buckets->writers * writer_bytes(buckets);
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static void find_writer(strew_bucket_writer *writer, const strew_buckets *buckets, char *memory, size_t index)
{
    const size_t count = buckets->count;
    writer->buckets = buckets;
    writer->pages = memory + index * writer_bytes(buckets);
    writer->buffers = writer->pages + buckets->pages * PAGE_BYTES;
    writer->ends = (char **)(void *)(writer->buffers + count * BUFFER_BYTES);
    writer->queues = (strew_queue *)(void *)(writer->ends + count);
    writer->next = (uint32_t *)(void *)(writer->queues + count);
}

void strew_bucket_writer_begin(strew_bucket_writer *writer, const strew_buckets *buckets, char *memory,
                               size_t index, const strew_kernels *kernels)
{
    find_writer(writer, buckets, memory, index);
    writer->flush = kernels->gather[STREW_MOVE_rows];
    writer->used = 0;
    for (size_t b = 0; b < buckets->count; b++) {
        writer->ends[b] = writer->buffers + b * BUFFER_BYTES;
        writer->queues[b] = (strew_queue){NO_PAGE, NO_PAGE, PAGE_BYTES};
    }
}

static void add_page(strew_bucket_writer *writer, strew_queue *queue)
{
    const uint32_t page = writer->used++;
    *(queue->first == NO_PAGE ? &queue->first : &writer->next[queue->last]) = page;
    writer->next[page] = NO_PAGE;
    queue->last = page;
    queue->in_last = 0;
}

/* Writes the content of a buffer to its page, and empties the buffer. */
static void flush(strew_bucket_writer *writer, size_t bucket)
{
    static const int64_t first = 0;
    strew_queue *queue = &writer->queues[bucket];
    char *const buffer = writer->buffers + bucket * BUFFER_BYTES;
    const size_t bytes = (size_t)(writer->ends[bucket] - buffer);
    if (queue->in_last == PAGE_BYTES)
        add_page(writer, queue);
    const strew_dense page = {.rows = writer->pages + (size_t)queue->last * PAGE_BYTES + queue->in_last,
                              .row_bytes = bytes,
                              .access = {.stream_pages = 1}};
    writer->flush(buffer, &first, 1, &page);
    queue->in_last += (uint32_t)bytes;
    writer->ends[bucket] = buffer;
}

/*
 * Keeps the end of each buffer as a pointer, and sees from its alignment whether the buffer is full. This saves a
 * load, a store and a comparison for each row.
 */
STREW_INLINE void write_rows(strew_bucket_writer *writer, int64_t base, const int64_t *offsets, size_t count,
                             const char *rows, int64_t row_step, size_t row_bytes)
{
    char **const ends = writer->ends;
    const int64_t from_low = base - writer->buckets->low;
    const int32_t bits = writer->buckets->bits;
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    const size_t half = entry_bytes_of(row_bytes) / 2;
    for (size_t i = 0; i < count; i++) {
        const uint64_t offset = (uint64_t)(from_low + offsets[i]);
        const uint32_t in_bucket = (uint32_t)(offset & mask);
        char *const entry = ends[offset >> bits], *const end = entry + 2 * half;
        memcpy(entry, &in_bucket, sizeof in_bucket);
        memcpy(entry + half, rows + (int64_t)i * row_step, row_bytes);
        ends[offset >> bits] = end;
        if ((uintptr_t)end % BUFFER_BYTES == 0)
            flush(writer, (size_t)(offset >> bits));
    }
}

void strew_bucket_writer_write(strew_bucket_writer *writer, int64_t base, const int64_t *offsets, size_t count,
                               const char *rows, int64_t row_step)
{
    switch (writer->buckets->row_bytes) {
#define CASE(name, bytes) \
    case bytes: write_rows(writer, base, offsets, count, rows, row_step, bytes); return;
        STREW_MOVE_FIXED_SIZES(CASE)
#undef CASE
    }
}

void strew_bucket_writer_end(strew_bucket_writer *writer)
{
    for (size_t b = 0; b < writer->buckets->count; b++)
        if (writer->ends[b] > writer->buffers + b * BUFFER_BYTES)
            flush(writer, b);
    atomic_thread_fence(memory_order_seq_cst); /* makes flushed pages visible to other threads */
}

/* ---- Reading a bucket ----------------------------------------------------------------------------- */

static void begin_queue(strew_entries *entries)
{
    const strew_bucket *bucket = entries->bucket;
    find_writer(&entries->writer, bucket->buckets, bucket->memory, entries->index);
    entries->page = entries->writer.queues[bucket->number].first;
}

void strew_entries_next(strew_entries *entries)
{
    const strew_buckets *buckets = entries->bucket->buckets;
    entries->count = 0;
    while (entries->page == NO_PAGE) {
        if (++entries->index >= buckets->writers)
            return;
        begin_queue(entries);
    }
    const strew_queue queue = entries->writer.queues[entries->bucket->number];
    char *const page = entries->writer.pages + (size_t)entries->page * PAGE_BYTES;
    entries->count = (entries->page == queue.last ? queue.in_last : PAGE_BYTES) / buckets->entry_bytes;
    entries->rows = page + buckets->entry_bytes / 2;
    entries->page = entries->writer.next[entries->page];
    for (size_t i = 0; i < entries->count; i++) {
        uint32_t in_bucket;
        memcpy(&in_bucket, page + i * buckets->entry_bytes, sizeof in_bucket);
        entries->offsets[i] = in_bucket;
    }
}

void strew_entries_begin(strew_entries *entries, const strew_bucket *bucket)
{
    entries->bucket = bucket;
    entries->row_step = (int64_t)bucket->buckets->entry_bytes;
    entries->index = 0;
    begin_queue(entries);
    strew_entries_next(entries);
}
