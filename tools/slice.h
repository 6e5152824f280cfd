/* The slice that --slice gives: a slice of each dimension from the first on, in Python's notation. */
#ifndef STREW_TOOLS_SLICE_H
#define STREW_TOOLS_SLICE_H

#include <strew/strew.h>

typedef struct slice_numbers {
    int32_t count;
    int64_t starts[STREW_MAX_RANK], stops[STREW_MAX_RANK], steps[STREW_MAX_RANK];
} slice_numbers;

/* "1:5,:,::-1". False if it is not written so. */
bool slice_parse(const char *text, slice_numbers *slice);

/* The slice for strew: a view. */
strew_slice slice_view(const slice_numbers *slice);

#endif
