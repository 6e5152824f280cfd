/* Going over entries row by row of the target. */
#ifndef STREW_ENGINE_BAGS_CURSOR_H
#define STREW_ENGINE_BAGS_CURSOR_H

#include "engine/bags/lists.h"
#include "engine/share/shard.h"

/* Entries that follow each other and go into one row, or all of them that a tile has room for. */
typedef struct strew_piece {
    int64_t row;       /* STREW_NO_ROW: they go nowhere */
    int64_t count;     /* 0: nothing goes into this row */
    bool begins, ends; /* whether there are none of the row before, and after */
} strew_piece;

/* What one thread does: these entries, and these rows, in which they end up. */
typedef struct strew_part {
    strew_range entries, rows;
} strew_part;

enum { STREW_CURSOR_WINDOW = 128 };

typedef struct strew_cursor {
    strew_segments segments;
    const strew_integers *list; /* of segment_ids, or of offsets; NULL where bags are uniform */
    int64_t uniform;            /* entries of each row then */
    int64_t all_entries;
    int64_t entry, end_entry;
    int64_t row, end_row;
    int64_t row_end; /* the entry where the row ends that has begun */
    bool is_inside;  /* a row has begun */
    strew_range window;
    int64_t resolved[STREW_CURSOR_WINDOW]; /* of the list, as far as the window goes */
} strew_cursor;

void strew_cursor_begin(strew_cursor *cursor, const strew_bags *bags, const strew_integers *list, strew_part part);

/* The next piece of so many entries at most, which is at least 1. False after the last one. */
bool strew_cursor_next(strew_cursor *cursor, int64_t most, strew_piece *piece);

/* The next pieces of so many entries at most together, as many as there is room for; 0 after the last one. */
size_t strew_cursor_take(strew_cursor *cursor, int64_t most, strew_piece *pieces, size_t room);

/* All there is as parts for so many threads, of about the same number of entries. This is one of them. */
strew_part strew_cursor_part(const strew_bags *bags, const strew_integers *list, size_t index, size_t count);

#endif
