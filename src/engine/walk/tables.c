#include "engine/walk/tables.h"

#include "base/thresholds.h"

/* Counts the consecutive positions that name elements of one table, up to a tile's. Returns 0 if the elements of a
 * table are not contiguous. */
static int64_t count_positions(const strew_walk *walk)
{
    const strew_coordinate *const coordinate = &walk->coordinates.each[0];
    int64_t positions = 1;
    if (coordinate->stride != walk->row_bytes.addressed && coordinate->size != 1)
        return 0;
    for (int32_t d = walk->dims; d-- > 0 && positions < STREW_TILE_POSITIONS;) {
        if (walk->dim[d].base_step != 0 && walk->dim[d].size > 1)
            return positions;
        positions *= walk->dim[d].size;
    }
    return strew_lesser(positions, STREW_TILE_POSITIONS);
}

/* A scatter of one tile that refuses bad indices resolves the whole tile before it writes. */
bool strew_walk_has_tables(const strew_walk *walk, const strew_mover *mover)
{
    return mover->table && !mover->access.read_first && walk->coordinates.count == 1 &&
           walk->coordinates.each[0].size > 0 &&
           (walk->index_dtype == STREW_DTYPE_INT32 || walk->index_dtype == STREW_DTYPE_INT64) &&
           count_positions(walk) >= STREW_LEAST_OF_A_TABLE && !strew_walk_repeats_one_tile(walk) &&
           (mover->direction == STREW_GATHERS || walk->bounds != STREW_BOUNDS_REFUSE ||
            strew_walk_positions(walk) > STREW_TILE_POSITIONS);
}

/* Whether indices and dense elements are contiguous, also from one table to the next. */
static bool are_even(const strew_tiles *tiles, const strew_tables *tables)
{
    return tiles->index_step == (int64_t)strew_dtype_size(tiles->walk->index_dtype) && tiles->even_indices &&
           (tables->mover->constant_row ||
            (tiles->dense_step == tiles->walk->row_bytes.dense && tiles->even_dense));
}

/* Tiles of one table are this long, because each tile has a cost of its own. */
enum { LONGEST_TILE = 8 * STREW_TILE_POSITIONS };

strew_tables strew_tiles_begin_tables(strew_tiles *tiles, const strew_walk *walk, const strew_mover *mover,
                                      const strew_pointers *pointers)
{
    strew_tables tables = {.mover = mover};
    if (!strew_walk_has_tables(walk, mover))
        return tables;
    tables.positions = count_positions(walk);
    tables.table.size = walk->coordinates.each[0].size;
    tables.table.dense_step = mover->constant_row ? 0 : walk->row_bytes.dense;
    tables.table.wrap = walk->coordinates.wrap;
    tables.table.is_narrow = walk->index_dtype == STREW_DTYPE_INT32;
    strew_tiles_begin(tiles, walk, pointers);
    if (!are_even(tiles, &tables))
        return tables;
    tables.kernel = mover->table;
    if (!tiles->has_bases) {
        tables.positions = LONGEST_TILE;
        strew_tiles_resize(tiles, LONGEST_TILE);
    }
    return tables;
}

int64_t strew_tile_move_by_table(strew_tiles *tiles, strew_tables *tables)
{
    static const int64_t no_base = 0;
    const int64_t positions = strew_tile_positions(tiles);
    const int64_t count = strew_lesser(tables->positions, positions);
    tables->table.elements = tiles->pointers.addressed;
    tables->table.tables = (size_t)(positions / count);
    tables->table.bases = tiles->has_bases ? tiles->bases : &no_base;
    char *const dense = tables->mover->constant_row ? tables->mover->constant_row : tiles->pointers.dense;
    const int64_t moved = (int64_t)tables->kernel(dense, tiles->pointers.indices, (size_t)count, &tables->table);
    if (moved == positions)
        return moved;
    /* Drops the whole strips that have moved, and makes tiles short enough to be resolved. A gather that went on
     * here would fill what has moved. */
    const int64_t kept = tables->mover->direction == STREW_GATHERS ? 0 : moved;
    tables->kernel = NULL;
    tiles->strips = kept / tiles->strip_positions;
    strew_tiles_next(tiles);
    strew_tiles_resize(tiles, STREW_TILE_POSITIONS);
    return kept % tiles->strip_positions;
}
