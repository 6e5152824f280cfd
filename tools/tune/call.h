/* Calls that are timed: rows of float32 gathered from a table, summed in bags, or scattered into it, at random. */
#ifndef STREW_TOOLS_TUNE_CALL_H
#define STREW_TOOLS_TUNE_CALL_H

#include <strew/strew.h>

enum { CALL_BAG = 16 };

typedef struct call {
    int64_t table_bytes, row_bytes, rows;
    strew_reduction reduction;
    size_t threads;
    bool scatters;
    bool sums; /* gathered rows, CALL_BAG at a time */
    bool has_scratch;
    bool moves_on;     /* each run has other indices, so that no row is in a cache */
    bool reads_result; /* as a caller would */
} call;

/* The memory of the calls, all written before it is measured. */
typedef struct memory {
    int64_t table_bytes, rows_bytes; /* how much there is; as many indices as take the bytes of the rows */
    char *table, *rows;
    int64_t *indices;
    int64_t next_index; /* the begin of the next run's indices */
    char *scratch;      /* as much as was needed so far */
    size_t scratch_bytes;
} memory;

/* The bytes that a memory with such a table takes in all, about. */
int64_t memory_bytes(int64_t table_bytes);
/* False if there is not enough memory; destroy it in either case. */
bool memory_create(memory *self, int64_t table_bytes);
void memory_destroy(memory *self);
bool memory_holds(const memory *self, const call *asked);

/* Draws as many indices for a call as there is room for. */
void memory_draw(memory *self, const call *asked);

/*
 * Plans the call under the current tuning, and runs it until some time has passed. Returns the seconds of one run,
 * or a negative number, with *error filled in.
 */
double call_seconds(memory *self, const call *asked, const strew_parallel *parallel, strew_error *error);

#endif
