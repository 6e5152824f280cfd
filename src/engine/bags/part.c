#include "engine/bags/part.h"

#include <string.h>

#include "base/thresholds.h"
#include "engine/bags/accumulated.h"
#include "engine/bags/pooled.h"
#include "engine/bags/reading.h"
#include "engine/walk/gaps.h"
#include "kernels/elements.h"

/* As many pieces as a tile may have; they are short where rows are. */
enum { TILE_PIECES = 192 };

/* So many targets are written at once, the last of them beyond what is to be. */
enum { TARGETS_AT_ONCE = 8 };

/* Weights of entries that have been sorted are collected for a tile. */
enum { WEIGHTS_ROOM = 4096 };

/* So many bytes of rows hardly leave the first-level cache. */
enum { NEAREST_ROWS_BYTES = STREW_THRESHOLD(128 << 10, 0) };

/* A row of halves is kept in float32 from tile to tile: of so many bytes at once, and the rest after them. */
enum { MOST_CARRIED_BYTES = 2048 };

/* Entries of one line, which go into these rows. */
typedef struct bag_tile {
    int64_t first, count;
    size_t pieces;
    strew_piece piece[TILE_PIECES];
    strew_tile_offsets sources;
    int64_t targets[STREW_TILE_POSITIONS + TARGETS_AT_ONCE];
    strew_resolved resolved;
} bag_tile;

/* Rows of the target, one for each of some pieces of a tile. */
typedef struct some_rows {
    size_t count;
    int64_t offsets[TILE_PIECES];
} some_rows;

/* The same columns of all rows, gone over by themselves. */
typedef struct bag_columns {
    const strew_bags_run_state *run;
    const strew_bags *bags;
    char *source, *target; /* where those of the first rows are */
    strew_walk walk;       /* its rows are these columns */
    strew_fold fold;
    strew_fold_kernel *kernel;
    strew_mover fill;     /* of rows that nothing goes into, or that start from the identity */
    bool is_carried;      /* rows are kept in `carry` between tiles */
    int64_t folded;       /* entries of the row that the tile before left open */
    int64_t most_entries; /* of a tile */
    char carry[2 * MOST_CARRIED_BYTES];
    char weights[WEIGHTS_ROOM];
} bag_columns;

/* ---- A tile -------------------------------------------------------------------------------------- */

/* False if no piece is left. */
static bool take_tile(bag_tile *tile, strew_cursor *cursor, int64_t line, int64_t most)
{
    tile->first = cursor->entry;
    const int64_t left = line > 0 ? line - cursor->entry % line : most;
    tile->pieces = strew_cursor_take(cursor, left < most ? left : most, tile->piece, TILE_PIECES);
    tile->count = cursor->entry - tile->first;
    return tile->pieces > 0;
}

/* Of what is written beyond the entries of a piece, the next one has its own. */
static void repeat_target(int64_t *targets, int64_t offset, int64_t count)
{
    typedef uint64_t some __attribute__((vector_size(TARGETS_AT_ONCE * sizeof(uint64_t))));
    const some offsets = (some){0} + (uint64_t)offset;
    for (int64_t i = 0; i < count; i += TARGETS_AT_ONCE)
        memcpy(targets + i, &offsets, sizeof offsets);
}

static void leave_out(bag_tile *tile, int64_t *sources, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        sources[i] = STREW_NO_ROW;
    tile->resolved = STREW_ROWS_GAPS;
}

static void fill_targets(bag_tile *tile, int64_t row_step)
{
    int64_t filled = 0;
    for (size_t p = 0; p < tile->pieces; filled += tile->piece[p++].count) {
        const strew_piece *piece = &tile->piece[p];
        if (piece->row == STREW_NO_ROW)
            leave_out(tile, tile->sources + filled, piece->count);
        else
            repeat_target(tile->targets + filled, piece->row * row_step, piece->count);
    }
}

static int64_t count_rows(const int64_t *offsets, int64_t count)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < count; i++)
        rows += offsets[i] != STREW_NO_ROW;
    return rows;
}

/* ---- Rows that nothing goes into, and means ------------------------------------------------------ */

static void add_row(some_rows *rows, int64_t offset)
{
    rows->offsets[rows->count++] = offset;
}

static void fill_rows(const bag_columns *columns, const some_rows *rows)
{
    if (rows->count > 0)
        strew_mover_move(&columns->fill, columns->target, rows->offsets, rows->count, NULL, 0,
                         columns->walk.row_bytes);
}

static void divide_rows(const bag_columns *columns, const some_rows *rows, int64_t *counters)
{
    int64_t counter_offsets[TILE_PIECES];
    for (size_t i = 0; i < rows->count; i++)
        counter_offsets[i] = (int64_t)(i * sizeof *counters);
    columns->walk.kernels->divide[STREW_ELEMENT_SLOT(columns->bags->dtype)](
        columns->target, rows->offsets, rows->count, (size_t)columns->walk.row_bytes, (char *)counters,
        counter_offsets, 0);
}

/* Whether rows that are folded are still to be divided: of halves the fold divides them, before it rounds. */
static bool are_to_be_divided(const bag_columns *columns)
{
    return columns->bags->reduction == STREW_REDUCTION_MEAN && !columns->fold.is_mean;
}

/* Whether every row that ends in this tile is done: something went into it, and it is not to be divided. */
static bool are_done(const bag_columns *columns, const bag_tile *tile)
{
    bool any_empty = false;
    for (size_t p = 0; p < tile->pieces; p++)
        any_empty |= tile->piece[p].count == 0;
    return !any_empty && tile->resolved != STREW_ROWS_GAPS && !are_to_be_divided(columns);
}

static void count_open_row(bag_columns *columns, const strew_piece *last)
{
    const int64_t before = last->begins ? 0 : columns->folded;
    columns->folded = last->ends ? 0 : before + last->count;
}

/* Fills rows that end in this tile and that nothing went into, and divides means. */
static void end_rows(bag_columns *columns, const bag_tile *tile)
{
    const strew_bags *bags = columns->bags;
    some_rows empty = {.count = 0}, means = {.count = 0};
    int64_t counters[TILE_PIECES];
    const int64_t *source = tile->sources;
    for (size_t p = 0; p < tile->pieces; p++) {
        const strew_piece *piece = &tile->piece[p];
        const int64_t before = piece->begins ? 0 : columns->folded;
        const int64_t folded =
            before + (tile->resolved == STREW_ROWS_GAPS ? count_rows(source, piece->count) : piece->count);
        source += piece->count;
        columns->folded = piece->ends ? 0 : folded;
        if (!piece->ends || piece->row == STREW_NO_ROW)
            continue;
        if (folded == 0 && bags->empty)
            add_row(&empty, piece->row * bags->row_step);
        if (folded > 0 && are_to_be_divided(columns)) {
            counters[means.count] = folded;
            add_row(&means, piece->row * bags->row_step);
        }
    }
    fill_rows(columns, &empty);
    if (means.count > 0)
        divide_rows(columns, &means, counters);
}

/* ---- Folding ------------------------------------------------------------------------------------- */

/* Whether the row that goes on where the cursor is has another entry that is not left out. */
STREW_NOINLINE static bool has_more_rows(const bag_columns *columns, const strew_cursor *cursor)
{
    strew_tile_offsets offsets;
    strew_cursor ahead = *cursor;
    strew_piece piece = {.ends = false};
    const int64_t line = columns->bags->line;
    while (!piece.ends) {
        const int64_t first = ahead.entry, left = line - first % line;
        strew_cursor_next(&ahead, left < STREW_TILE_POSITIONS ? left : STREW_TILE_POSITIONS, &piece);
        strew_list_resolve(columns->run->sources, first, piece.count, offsets);
        if (count_rows(offsets, piece.count) > 0)
            return true;
    }
    return false;
}

/* Whether anything is to be folded, after this tile, into the row that it ends with. */
static bool row_goes_on(const bag_columns *columns, const bag_tile *tile, const strew_cursor *cursor)
{
    const bool may_leave_out = tile->resolved == STREW_ROWS_GAPS || columns->bags->bounds == STREW_BOUNDS_SKIP;
    return !tile->piece[tile->pieces - 1].ends && (!may_leave_out || has_more_rows(columns, cursor));
}

/* The weights of a tile's entries from one on, each a step after the other. */
static const char *weights_at(const bag_columns *columns, int64_t entry, const bag_tile *tile)
{
    const strew_list *list = &columns->bags->weights;
    const int64_t line = columns->bags->line;
    return columns->run->pointers->order
               ? columns->weights + (entry - tile->first) * columns->fold.weight_step
               : columns->run->pointers->weights + entry / line * list->line_step + entry % line * list->step;
}

/* Of entries that have been sorted. What says how is only read as far as there are weights. */
static void collect_weights(bag_columns *columns, const bag_tile *tile)
{
    const strew_bags *bags = columns->bags;
    const strew_bags_pointers *pointers = columns->run->pointers;
    const size_t size = strew_dtype_size(bags->dtype);
    for (int64_t i = 0; i < tile->count; i++) {
        const int64_t entry = ((const u32_at *)pointers->order)[tile->first + i];
        const int64_t within = entry < bags->weight_count ? entry : 0;
        memcpy(columns->weights + (size_t)i * size, pointers->weights + within * bags->weights.step, size);
    }
}

/* How many entries the last run of these has, with those of earlier calls. */
static uint64_t entries_of_last_run(const strew_fold *fold, const int64_t *targets, strew_rows rows)
{
    size_t begin = rows.end - 1;
    while (begin > rows.begin && targets[begin - 1] == targets[begin])
        begin--;
    return rows.end - begin + (begin == rows.begin && fold->continued ? fold->counted : 0);
}

/* Entries that follow each other, none of which is left out. */
static void fold_rows(bag_columns *columns, const bag_tile *tile, strew_rows rows, bool continued, bool open)
{
    strew_fold *fold = &columns->fold;
    if (columns->bags->weights.dtype != STREW_DTYPE_NONE)
        fold->weights = weights_at(columns, tile->first + (int64_t)rows.begin, tile);
    fold->continued = continued && fold->start;
    fold->open = open;
    columns->kernel(columns->target, tile->targets + rows.begin, tile->sources + rows.begin, rows.end - rows.begin,
                    fold);
    if (fold->is_mean)
        fold->counted = entries_of_last_run(fold, tile->targets, rows);
}

/* Into rows that hold what the entries before have left there. */
static void fold_entries(bag_columns *columns, const bag_tile *tile)
{
    const size_t count = (size_t)tile->count;
    if (tile->resolved != STREW_ROWS_GAPS) {
        fold_rows(columns, tile, (strew_rows){0, count}, false, false);
        return;
    }
    for (strew_rows rows = strew_rows_first(tile->sources, count); rows.begin < count;
         rows = strew_rows_next(rows, tile->sources, count))
        fold_rows(columns, tile, rows, false, false);
}

static void fold_tile(bag_columns *columns, const bag_tile *tile, const strew_cursor *cursor)
{
    const size_t count = (size_t)tile->count;
    if (columns->run->pointers->order)
        collect_weights(columns, tile);
    const bool has_gaps = tile->resolved == STREW_ROWS_GAPS;
    const int64_t last_row = tile->piece[tile->pieces - 1].row;
    strew_rows rows = has_gaps ? strew_rows_first(tile->sources, count) : (strew_rows){0, count};
    /* Unless all of it that is in this tile is left out. */
    const bool goes_on = !tile->piece[0].begins && (int64_t)rows.begin < tile->piece[0].count;
    bool continued = goes_on && columns->folded > 0;
    while (rows.begin < count) {
        const strew_rows next = has_gaps ? strew_rows_next(rows, tile->sources, count) : (strew_rows){count, count};
        const int64_t last = tile->targets[rows.end - 1];
        const bool same_next = next.begin < count && tile->targets[next.begin] == last;
        const bool ends_tile =
            next.begin >= count && last_row != STREW_NO_ROW && last == columns->bags->row_step * last_row;
        const bool open = columns->is_carried && (same_next || (ends_tile && row_goes_on(columns, tile, cursor)));
        fold_rows(columns, tile, rows, continued, open);
        continued = same_next;
        rows = next;
    }
}

/* Rows that are named start from the identity, before anything is folded. */
static void start_rows(const bag_columns *columns, const bag_tile *tile)
{
    some_rows named = {.count = 0};
    const int64_t *source = tile->sources;
    for (size_t p = 0; p < tile->pieces; source += tile->piece[p++].count)
        if (count_rows(source, tile->piece[p].count) > 0)
            add_row(&named, tile->piece[p].row * columns->bags->row_step);
    fill_rows(columns, &named);
}

/* False if an index is out of bounds. */
static bool run_tiles(bag_columns *columns, strew_part part, bool starts)
{
    bag_tile tile;
    strew_cursor cursor;
    columns->folded = 0;
    strew_cursor_begin(&cursor, columns->bags, columns->run->rows, part);
    while (take_tile(&tile, &cursor, columns->bags->line, columns->most_entries)) {
        tile.resolved = strew_list_resolve(columns->run->sources, tile.first, tile.count, tile.sources);
        if (tile.resolved == STREW_WRONG)
            return false;
        fill_targets(&tile, columns->bags->row_step);
        if (starts) {
            start_rows(columns, &tile);
            continue;
        }
        fold_tile(columns, &tile, &cursor);
        if (are_done(columns, &tile))
            count_open_row(columns, &tile.piece[tile.pieces - 1]);
        else
            end_rows(columns, &tile);
    }
    return true;
}

/* Whether entries are folded as they come. */
static bool goes_by_entries(const strew_bags *bags)
{
    return strew_bags_have_numbers(bags) && strew_bags_add_to_rows(bags);
}

/* Each entry goes where its number says: which of them go into one row, the kernel sees. */
static bool run_entries(bag_columns *columns, strew_range entries)
{
    bag_tile tile;
    strew_integers rows = *columns->run->rows;
    const int64_t line = columns->bags->line;
    rows.coordinates.each[0].stride = columns->bags->row_step;
    for (tile.first = entries.begin; tile.first < entries.end; tile.first += tile.count) {
        const int64_t left = line - tile.first % line,
                      most = left < columns->most_entries ? left : columns->most_entries;
        tile.count = entries.end - tile.first < most ? entries.end - tile.first : most;
        tile.resolved = strew_list_resolve(columns->run->sources, tile.first, tile.count, tile.sources);
        const strew_resolved targets = strew_list_resolve(&rows, tile.first, tile.count, tile.targets);
        if (tile.resolved == STREW_WRONG || targets == STREW_WRONG)
            return false;
        if (targets == STREW_ROWS_GAPS) {
            strew_list_leave_out(tile.sources, tile.targets, tile.count);
            tile.resolved = STREW_ROWS_GAPS;
        }
        fold_entries(columns, &tile);
    }
    return true;
}

/* ---- Columns ------------------------------------------------------------------------------------- */

static void make_fill(bag_columns *columns)
{
    const strew_bags *bags = columns->bags;
    if (bags->default_row >= 0) {
        strew_mover_assign(&columns->fill, &columns->walk, STREW_SCATTERS, 0);
        strew_mover_repeat(&columns->fill,
                           columns->source + bags->default_row * columns->walk.coordinates.each[0].stride);
    } else if (bags->empty || bags->identity) {
        strew_mover_fill(&columns->fill, &columns->walk, bags->empty ? bags->empty : bags->identity, 0);
    }
}

/* Rows that are near the CPU finds itself, sooner than if it is told. */
static uint32_t rows_ahead(int64_t row_bytes, int64_t rows)
{
    return (double)row_bytes * (double)rows <= NEAREST_ROWS_BYTES ? 0 : strew_bags_rows_ahead(row_bytes, rows);
}

/* And those that follow each other. */
static uint32_t sources_ahead(const bag_columns *columns)
{
    return columns->bags->indices.dtype == STREW_DTYPE_NONE
               ? 0
               : rows_ahead(columns->walk.row_bytes, columns->walk.coordinates.each[0].size);
}

static void make_fold(bag_columns *columns)
{
    const strew_bags *bags = columns->bags;
    const strew_reduction reduction =
        bags->reduction == STREW_REDUCTION_MEAN ? STREW_REDUCTION_SUM : bags->reduction;
    const int64_t row_bytes = columns->walk.row_bytes;
    columns->kernel =
        columns->walk.kernels->fold[STREW_COMBINATION_SLOT(reduction)][STREW_ELEMENT_SLOT(bags->dtype)];
    columns->is_carried = strew_is_half(bags->dtype) && bags->start;
    columns->fold = (strew_fold){
        .source = columns->source,
        .row_bytes = (size_t)row_bytes,
        .weight_step = columns->run->pointers->order ? (int64_t)strew_dtype_size(bags->dtype) : bags->weights.step,
        .start = bags->start,
        .apart = strew_is_half(bags->dtype) && !bags->start,
        .is_mean = columns->is_carried && bags->reduction == STREW_REDUCTION_MEAN,
        .carry = columns->carry,
        .access = {.rows_ahead = sources_ahead(columns)},
        .targets_ahead = bags->segments == STREW_ANY ? rows_ahead(row_bytes, bags->rows) : 0,
    };
}

/* So many bytes of rows, which begin at these pointers. */
static bool run_columns(const strew_bags_run_state *run, strew_part part, const strew_pointers *lane,
                        strew_range bytes)
{
    bag_columns columns;
    columns.run = run;
    columns.bags = run->bags;
    columns.walk = *run->walk;
    columns.walk.row_bytes = bytes.end - bytes.begin;
    columns.source = lane->addressed + bytes.begin;
    columns.target = lane->dense + bytes.begin;
    columns.most_entries =
        run->pointers->order ? WEIGHTS_ROOM / (int64_t)strew_dtype_size(run->bags->dtype) : STREW_TILE_POSITIONS;
    if (columns.most_entries > STREW_TILE_POSITIONS)
        columns.most_entries = STREW_TILE_POSITIONS;
    make_fill(&columns);
    make_fold(&columns);
    if (goes_by_entries(run->bags))
        return run_entries(&columns, part.entries);
    return (!run->bags->identity || run_tiles(&columns, part, true)) && run_tiles(&columns, part, false);
}

/* Lane number `index` of the dimensions of rows that are not contiguous. */
static strew_pointers lane_at(const strew_bags_run_state *run, int64_t index)
{
    strew_pointers lane = {
        .indices = run->pointers->source, .addressed = run->pointers->source, .dense = run->pointers->target};
    for (int32_t d = run->walk->dims; d-- > 0; index /= run->walk->dim[d].size)
        lane = strew_pointers_along(&lane, &run->walk->dim[d], index % run->walk->dim[d].size);
    return lane;
}

bool strew_bags_run_part(const strew_bags_run_state *run, strew_part part, strew_range bytes)
{
    const bool is_pooled = strew_bags_are_pooled(run);
    const bool is_accumulated = !is_pooled && strew_bags_are_accumulated(run, part.entries, bytes);
    const bool is_carried = strew_is_half(run->bags->dtype) && run->bags->start && !is_pooled;
    const int64_t most = is_carried ? MOST_CARRIED_BYTES : bytes.end - bytes.begin;
    const int64_t lanes = strew_walk_positions(run->walk);
    bool right = true;
    for (int64_t index = 0; index < lanes && right; index++) {
        const strew_pointers lane = lane_at(run, index);
        for (strew_range some = {bytes.begin, 0}; some.begin < bytes.end && right; some.begin = some.end) {
            some.end = bytes.end - some.begin < most ? bytes.end : some.begin + most;
            right = is_pooled        ? strew_bags_pool(run, part, &lane, some)
                    : is_accumulated ? strew_bags_accumulate(run, part.entries, &lane, some)
                                     : run_columns(run, part, &lane, some);
        }
    }
    return right;
}
