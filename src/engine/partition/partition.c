#include "engine/partition/partition.h"

#include <stdatomic.h>

#include "base/prefetch.h"
#include "base/thresholds.h"
#include "dispatch/tuning.h"
#include "engine/share/shard.h"
#include "engine/walk/gaps.h"

/* More could not be counted in pages, nor their entries' bytes in a size_t. */
#define MOST_POSITIONS (INT64_C(1) << (sizeof(size_t) > 4 ? 38 : 24))

static bool can_be_partitioned(const strew_walk *walk, int64_t extent)
{
    return strew_walk_positions(walk) <= MOST_POSITIONS && walk->coordinates.count > 0 && walk->dims > 0 &&
           extent > 0 && extent <= STREW_BUCKETS_EXTENT && strew_move_size_of(walk->row_bytes) != STREW_MOVE_rows;
}

/* Alone, partitioning pays where elements come from beyond the caches, and cache lines have some each. */
static bool pays_alone(int64_t elements, int64_t extent)
{
    return extent >= strew_tuning_active()->least_partitioned &&
           extent / STREW_CACHE_LINE <= elements / STREW_LEAST_ELEMENTS_A_LINE;
}

/*
 * Where threads cannot share the elements otherwise but by who owns them, it lets them share all work, unless the
 * elements are strewn so thin that buckets have few; and two threads need memory that is large.
 */
static bool pays_shared(int64_t elements, int64_t extent, size_t threads)
{
    return extent / STREW_CACHE_LINE / STREW_MOST_LINES_AN_ELEMENT <= elements &&
           (threads > 2 || extent >= strew_tuning_active()->least_partitioned_by_two);
}

static bool pays(const strew_walk *walk, int64_t extent, const strew_cut *cut, size_t threads)
{
    const int64_t positions = strew_walk_positions(walk);
    return STREW_THRESHOLD(false, true) ||
           ((threads == 1 || strew_cut_is_disjoint(cut)) ? pays_alone(positions, extent)
                                                         : pays_shared(positions, extent, threads));
}

enum { MOST_TASKS = 64 };

/* Positions are cut along the outermost dimension: writers take parts that follow each other. */
void strew_partition_make(strew_partition *partition, const strew_walk *walk, const strew_extent *extent,
                          const strew_cut *cut, size_t threads, size_t task_bytes_a_row)
{
    const int64_t bytes = extent->high - extent->low;
    partition->scratch_bytes = 0;
    if (!can_be_partitioned(walk, bytes) || !pays(walk, bytes, cut, threads))
        return;
    partition->even_if_local = threads > 2 && !strew_cut_is_disjoint(cut);
    const int64_t outer = walk->dim[0].size, inner = strew_walk_positions(walk) / outer;
    partition->tasks = threads < MOST_TASKS ? threads : MOST_TASKS;
    const size_t writers = (uint64_t)outer < partition->tasks ? (size_t)outer : partition->tasks;
    const int64_t most = strew_range_of(outer, 0, writers).end;
    partition->buckets =
        strew_buckets_make(extent->low, extent->high, walk->row_bytes, writers, (size_t)(most * inner));
    if (partition->tasks > partition->buckets.count)
        partition->tasks = partition->buckets.count;
    partition->task_bytes =
        ((size_t)1 << partition->buckets.bits) / partition->buckets.row_bytes * task_bytes_a_row;
    partition->scratch_bytes = STREW_BUCKETS_ALIGNMENT - 1 + strew_buckets_bytes(&partition->buckets) +
                               partition->tasks * partition->task_bytes;
}

typedef struct partition_run {
    const strew_partition *partition;
    const strew_walk *walk;
    const strew_pointers *pointers;
    char *memory;       /* of the buckets */
    char *task_scratch; /* of the first task */
    strew_bucket_apply *apply;
    const void *context;
    atomic_size_t next_bucket;
    atomic_bool failed;
} partition_run;

static void write_span(strew_bucket_writer *writer, int64_t base, const int64_t *offsets, size_t count,
                       const char *dense, int64_t step)
{
    for (strew_rows rows = strew_rows_first(offsets, count); rows.begin < count;
         rows = strew_rows_next(rows, offsets, count))
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

/* One writer's part of the positions. */
static void write_part(void *context, size_t index)
{
    partition_run *run = context;
    strew_walk walk = *run->walk;
    strew_tiles tiles;
    strew_tile_offsets offsets;
    strew_bucket_writer writer;
    strew_dim *outer = &walk.dim[0];
    const strew_range range = strew_range_of(outer->size, index, run->partition->buckets.writers);
    outer->size = range.end - range.begin;
    const strew_pointers begin = strew_pointers_along(run->pointers, outer, range.begin);
    strew_tiles_make(&tiles, &walk, STREW_TILE_POSITIONS);
    strew_bucket_writer_begin(&writer, &run->partition->buckets, run->memory, index, walk.kernels);
    for (strew_tiles_begin(&tiles, &begin); tiles.segments > 0; strew_tiles_next(&tiles)) {
        if (!strew_tile_resolve(&tiles, offsets)) {
            atomic_store_explicit(&run->failed, true, memory_order_relaxed);
            break;
        }
        write_tile(&writer, &tiles, tiles.pointers.addressed - run->pointers->addressed, offsets);
    }
    strew_bucket_writer_end(&writer);
}

/* Buckets may differ much in how many updates they have: each task takes the next one. */
static void apply_buckets(void *context, size_t index)
{
    partition_run *run = context;
    const strew_partition *partition = run->partition;
    strew_bucket bucket = {.scratch = run->task_scratch + index * partition->task_bytes,
                           .buckets = &partition->buckets,
                           .memory = run->memory};
    for (;;) {
        bucket.number = atomic_fetch_add_explicit(&run->next_bucket, 1, memory_order_relaxed);
        if (bucket.number >= partition->buckets.count)
            return;
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
                         .task_scratch = memory + strew_buckets_bytes(&partition->buckets),
                         .apply = apply,
                         .context = context};
    strew_parallel_run(parallel, write_part, &run, partition->buckets.writers);
    if (atomic_load_explicit(&run.failed, memory_order_relaxed))
        return false;
    strew_parallel_run(parallel, apply_buckets, &run, partition->tasks);
    return true;
}

void strew_bucket_move(const strew_bucket *bucket, const strew_mover *mover)
{
    strew_entries entries;
    for (strew_entries_begin(&entries, bucket); entries.count > 0; strew_entries_next(&entries))
        strew_mover_move(mover, bucket->addressed, entries.offsets, entries.count, entries.rows, entries.row_step,
                         (int64_t)bucket->buckets->row_bytes);
}
