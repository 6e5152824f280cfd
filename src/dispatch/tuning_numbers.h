/* The numbers of a tuning as a list: to change them by name, as STREW_TUNING does, and to derive them from caches.
 */
#ifndef STREW_DISPATCH_TUNING_NUMBERS_H
#define STREW_DISPATCH_TUNING_NUMBERS_H

#include "dispatch/tuning.h"

typedef enum strew_tuning_kind { STREW_TUNING_COUNT, STREW_TUNING_BYTES, STREW_TUNING_FRACTION } strew_tuning_kind;

typedef struct strew_tuning_number {
    const char *name; /* the C expression of the field */
    uint16_t offset, size;
    uint8_t kind;
    bool grows; /* with the last-level cache, or with the second level where a core cannot count on the last one */
    uint64_t most;
} strew_tuning_number;

/* All of them. One without a name is behind the last. */
extern const strew_tuning_number strew_tuning_numbers[];

/* Bytes that nothing has: STREW_TUNING says "never". */
#define STREW_TUNING_NEVER 0x1p63

double strew_tuning_get(const strew_tuning *tuning, const strew_tuning_number *number);
/* A value that the number may have. */
void strew_tuning_set(strew_tuning *tuning, const strew_tuning_number *number, double value);

/*
 * Changes a tuning to what a text says: the name of one that was measured, or one, if there is none that which was
 * given, and its changes: "base=zen,reads_first=1,least_prefetched=12M,least_partitioned=never". Numbers are
 * decimal; K, M and G stand for powers of 1,024. False, and the tuning is as it was, if there is anything else.
 */
bool strew_tuning_read(strew_tuning *tuning, const char *text);

#endif
