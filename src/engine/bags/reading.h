/* How rows of bags are read: how far ahead they are prefetched, and whether several are side by side. */
#ifndef STREW_ENGINE_BAGS_READING_H
#define STREW_ENGINE_BAGS_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/thresholds.h"

/* More rows than so many bytes are memory's. Of those that come from caches, so many bytes are prefetched ahead,
 * but for so few that prefetching them is only one more load. */
enum {
    STREW_FAR_ROWS_BYTES = 32 << 20,
    STREW_ROWS_AHEAD_BYTES = 4 << 10,
    STREW_NEAREST_ROWS_BYTES = STREW_THRESHOLD(256 << 10, 600),
    STREW_NEAREST_LONG_ROWS_BYTES = STREW_THRESHOLD(96 << 10, 600)
};

/* So many entries, of `rows` rows in all: further where they are short. */
static inline uint32_t strew_bags_rows_ahead(int64_t row_bytes, int64_t rows)
{
    enum { LEAST = 4, MOST = 32 };
    if ((double)row_bytes * (double)rows > STREW_FAR_ROWS_BYTES)
        return row_bytes <= 256 ? 32 : row_bytes <= 2048 ? 16 : 8;
    return row_bytes <= STREW_ROWS_AHEAD_BYTES / MOST    ? MOST
           : row_bytes >= STREW_ROWS_AHEAD_BYTES / LEAST ? LEAST
                                                         : (uint32_t)(STREW_ROWS_AHEAD_BYTES / row_bytes);
}

/* Rows that bags name, or, `in_order`, that follow each other. */
typedef struct strew_bags_rows {
    int64_t row_bytes, rows;
    bool are_halves, in_order;
} strew_bags_rows;

typedef struct strew_bags_reading {
    bool together, near, nearest;
    uint32_t rows_ahead;
} strew_bags_reading;

/* Rows of up to SHORT_ROW bytes are near until they are more; from LONG_ROW on they may be read side by side. */
enum {
    SHORT_ROW = 256,
    LONG_ROW = STREW_THRESHOLD(2048, 100),
    LEAST_TOGETHER = STREW_THRESHOLD(1024, 40),
    FORESEEN_ROW = 4096
};

/* Together go those of which registers hold a part, and those from memory. A CPU foresees long ones. */
static inline strew_bags_reading strew_bags_reading_of(strew_bags_rows rows)
{
    const bool are_far = (double)rows.row_bytes * (double)rows.rows > STREW_FAR_ROWS_BYTES;
    const bool together = rows.row_bytes >= LONG_ROW ||
                          (rows.row_bytes >= LEAST_TOGETHER && !rows.in_order && (rows.are_halves || are_far));
    const bool are_foreseen = rows.in_order || (together && rows.row_bytes >= FORESEEN_ROW);
    const uint32_t ahead = are_foreseen ? 0
                           : !together  ? strew_bags_rows_ahead(rows.row_bytes, rows.rows)
                           : are_far    ? 16
                                        : 4;
    const bool are_nearest =
        (double)rows.row_bytes * (double)rows.rows <=
        (rows.row_bytes <= SHORT_ROW ? STREW_NEAREST_ROWS_BYTES : STREW_NEAREST_LONG_ROWS_BYTES);
    return (strew_bags_reading){together, !are_far, are_nearest, ahead};
}

#endif
