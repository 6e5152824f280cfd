/* Lists the numbers of a tuning, so that STREW_TUNING can change them by name and they can be scaled to caches. */
#ifndef STREW_DISPATCH_TUNING_NUMBERS_H
#define STREW_DISPATCH_TUNING_NUMBERS_H

#include "dispatch/tuning.h"

typedef enum strew_tuning_kind { STREW_TUNING_COUNT, STREW_TUNING_BYTES, STREW_TUNING_FRACTION } strew_tuning_kind;

typedef struct strew_tuning_number {
    const char *name; /* name of the field in strew_tuning */
    size_t offset;
    strew_tuning_kind kind;
    bool grows; /* with the last-level cache; with the second level where a core cannot count on the last */
    double most;
} strew_tuning_number;

/* All numbers. The entry after the last has no name. */
extern const strew_tuning_number strew_tuning_numbers[];

static inline double strew_tuning_get(const strew_tuning *tuning, const strew_tuning_number *number)
{
    return *(const double *)(const void *)((const char *)tuning + number->offset);
}
/* Sets a number. It must allow the value. Only a fraction keeps what follows the point. */
static inline void strew_tuning_set(strew_tuning *tuning, const strew_tuning_number *number, double value)
{
    double *const field = (double *)(void *)((char *)tuning + number->offset);
    *field = number->kind == STREW_TUNING_FRACTION ? value : (double)(uint64_t)value;
}

/*
 * Changes a tuning as a text says: "base=zen,reads_first=1,least_owned=12M,least_partitioned=never". The text
 * may begin with the name of a measured tuning, with or without "base="; changes to the tuning follow. Without a
 * name the changes apply to *tuning. Numbers are decimal; K, M and G are powers of 1,024. Returns false, and
 * leaves *tuning as it was, if the text contains anything else.
 */
bool strew_tuning_read(strew_tuning *tuning, const char *text);

#endif
