#include "engine/partition/partition.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/prefetch.h"
#include "dispatch/tuning.h"
#include "engine/share/shard.h"
#include "engine/walk/gaps.h"

/* With more positions, the number of pages or the bytes of entries could overflow. */
#define MOST_POSITIONS (INT64_C(1) << (sizeof(size_t) > 4 ? 38 : 24))

static bool can_be_partitioned(const strew_walk *walk, int64_t extent)
{
    return strew_walk_positions(walk) <= MOST_POSITIONS && walk->coordinates.count > 0 && walk->dims > 0 &&
           extent > 0 && extent <= STREW_BUCKETS_EXTENT &&
           strew_move_size_of(walk->row_bytes.addressed) != STREW_MOVE_rows;
}

/* On one thread it pays if the caches do not hold what indices reach, and cache lines get several elements each. */
static bool pays_alone(int64_t elements, int64_t extent, double reach)
{
    return reach >= strew_tuning_active()->least_partitioned &&
           extent / STREW_CACHE_LINE <= elements / STREW_LEAST_ELEMENTS_A_LINE;
}

/*
 * Threads that could otherwise share the work only as owners share all of it through buckets. That pays unless
 * buckets get few elements. With two threads indices must reach far as well.
 */
static bool pays_shared(int64_t elements, int64_t extent, double reach, size_t threads)
{
    return extent / STREW_CACHE_LINE / STREW_MOST_LINES_AN_ELEMENT <= elements &&
           (threads > 2 || reach >= strew_tuning_active()->least_partitioned_by_two);
}

static bool pays(const strew_walk *walk, int64_t extent, const strew_cut *cut, size_t threads)
{
    const int64_t positions = strew_walk_positions(walk);
    const double reach = (double)strew_walk_reach(walk);
    return STREW_THRESHOLD(false, true) ||
           ((threads == 1 || strew_cut_is_disjoint(cut)) ? pays_alone(positions, extent, reach)
                                                         : pays_shared(positions, extent, reach, threads));
}

enum { MOST_THREADS = 64 };

/* Cuts the positions along the outermost dimension: writers take consecutive parts. */
void strew_partition_make(strew_partition *partition, const strew_walk *walk, const strew_extent *extent,
                          const strew_cut *cut, size_t threads, size_t bytes_a_row)
{
    const int64_t bytes = extent->high - extent->low;
    if (!can_be_partitioned(walk, bytes) || !pays(walk, bytes, cut, threads))
        return;
    partition->even_if_local = threads > 2 && !strew_cut_is_disjoint(cut);
    const int64_t outer = walk->dim[0].size, inner = strew_walk_positions(walk) / outer;
    partition->threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    const size_t writers = (uint64_t)outer < partition->threads ? (size_t)outer : partition->threads;
    const int64_t most = strew_range_of(outer, 0, writers).end;
    partition->buckets =
        strew_buckets_make(extent->low, extent->high, walk->row_bytes.addressed, writers, (size_t)(most * inner));
    if (partition->threads > partition->buckets.count)
        partition->threads = partition->buckets.count;
    partition->thread_bytes = ((size_t)1 << partition->buckets.bits) / partition->buckets.row_bytes * bytes_a_row;
    partition->scratch_bytes = STREW_BUCKETS_ALIGNMENT - 1 + strew_buckets_bytes(&partition->buckets) +
                               partition->threads * partition->thread_bytes;
}

enum { SAMPLES = 16 };

bool strew_walk_is_local(const strew_walk *walk, const strew_pointers *pointers)
{
    strew_tiles tiles;
    strew_tile_offsets offsets;
    int64_t near = 0, pairs = 0; /* of consecutive rows */
    if (walk->dims == 0)
        return true;
    strew_tiles_begin(&tiles, walk, pointers);
    const strew_dim *outer = &walk->dim[0];
    const int64_t last = outer->size - (tiles.outer_dims == 0 ? tiles.most_strips : 1);
    for (int64_t s = 0; s < SAMPLES; s++) {
        const strew_pointers sample = strew_pointers_along(pointers, outer, last / (SAMPLES - 1) * s);
        strew_tiles_restart(&tiles, &sample);
        if (strew_tile_resolve(&tiles, offsets) != STREW_ALL_ROWS)
            continue;
        for (int64_t i = 1; i < strew_tile_positions(&tiles); i++, pairs++)
            near += llabs(offsets[i] - offsets[i - 1]) < STREW_NEAR_BYTES;
    }
    return near > pairs / 2;
}

typedef struct partition_run {
    const strew_partition *partition;
    const strew_walk *walk;
    const strew_pointers *pointers;
    char *memory;         /* of the buckets */
    char *thread_scratch; /* of the first thread */
    strew_bucket_apply *apply;
    const void *context;
    atomic_size_t next_bucket;
} partition_run;

static void write_span(strew_bucket_writer *writer, int64_t base, const int64_t *offsets, size_t count,
                       const char *dense, int64_t step)
{
    for (strew_rows rows = strew_rows_from(0, offsets, count); rows.begin < count;
         rows = strew_rows_from(rows.end, offsets, count))
        strew_bucket_writer_write(writer, base, offsets + rows.begin, rows.end - rows.begin,
                                  dense + (int64_t)rows.begin * step, step);
}

static void write_tile(strew_bucket_writer *writer, const strew_tiles *tiles, int64_t base, const int64_t *offsets)
{
    const strew_spans spans = strew_tile_dense_spans(tiles);
    for (int64_t s = 0; s < spans.count; s++)
        write_span(writer, base, offsets + s * spans.positions, (size_t)spans.positions,
                   tiles->pointers.dense + s * spans.step, tiles->dense_step);
}

/* Writes the positions of one writer into the buckets. */
static bool write_part(void *context, size_t index)
{
    const partition_run *run = context;
    strew_walk walk = *run->walk;
    strew_tiles tiles;
    strew_tile_offsets offsets;
    strew_bucket_writer writer;
    strew_dim *outer = &walk.dim[0];
    const strew_range range = strew_range_of(outer->size, index, run->partition->buckets.writers);
    outer->size = range.end - range.begin;
    const strew_pointers begin = strew_pointers_along(run->pointers, outer, range.begin);
    strew_bucket_writer_begin(&writer, &run->partition->buckets, run->memory, index, walk.kernels);
    bool is_good = true;
    for (strew_tiles_begin(&tiles, &walk, &begin); tiles.strips > 0 && is_good; strew_tiles_next(&tiles)) {
        is_good = strew_tile_resolve(&tiles, offsets) != STREW_BAD_INDEX;
        if (is_good)
            write_tile(&writer, &tiles, tiles.pointers.addressed - run->pointers->addressed, offsets);
    }
    strew_bucket_writer_end(&writer);
    return is_good;
}

/* Each thread takes the next bucket, because buckets may differ much in their number of updates. */
static bool apply_buckets(void *context, size_t index)
{
    partition_run *run = context;
    const strew_partition *partition = run->partition;
    strew_bucket bucket = {.scratch = run->thread_scratch + index * partition->thread_bytes,
                           .buckets = &partition->buckets,
                           .memory = run->memory};
    for (;;) {
        bucket.number = atomic_fetch_add_explicit(&run->next_bucket, 1, memory_order_relaxed);
        if (bucket.number >= partition->buckets.count)
            return true;
        bucket.addressed =
            run->pointers->addressed + bucket.buckets->low + ((int64_t)bucket.number << bucket.buckets->bits);
        run->apply(run->context, &bucket);
    }
}

bool strew_partition_run(const strew_partition *partition, const strew_walk *walk, const strew_pointers *pointers,
                         char *scratch, const strew_parallel *parallel, strew_bucket_apply *apply,
                         const void *context)
{
    char *const memory = scratch + (-(uintptr_t)scratch & (STREW_BUCKETS_ALIGNMENT - 1));
    partition_run run = {.partition = partition,
                         .walk = walk,
                         .pointers = pointers,
                         .memory = memory,
                         .thread_scratch = memory + strew_buckets_bytes(&partition->buckets),
                         .apply = apply,
                         .context = context};
    return strew_parallel_run(parallel, write_part, &run, partition->buckets.writers) &&
           strew_parallel_run(parallel, apply_buckets, &run, partition->threads);
}

void strew_bucket_move(const strew_bucket *bucket, const strew_mover *mover)
{
    strew_entries entries;
    for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries))
        strew_mover_move(mover, bucket->addressed, entries.offsets, entries.count, entries.rows, entries.row_step,
                         (int64_t)bucket->buckets->row_bytes);
}
