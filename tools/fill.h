/* The element that --fill gives, in the dtype of data. */
#ifndef STREW_TOOLS_FILL_H
#define STREW_TOOLS_FILL_H

#include "npy.h"

/* An element that was given as a number. */
typedef union fill_element {
    uint8_t byte;
    uint16_t of_2;
    uint32_t of_4;
    uint64_t of_8;
    float single[2]; /* the second part is that of a complex number */
    double twofold[2];
} fill_element;

/* Whether the text is a number of any size. */
bool fill_is_number(const char *text);

/*
 * Both print the error and return an exit status. They refuse a number that the dtype cannot hold, and an array
 * that is not one element of the dtype of data.
 */
int fill_from_number(const char *text, strew_dtype dtype, fill_element *element);
int fill_check_array(const npy_array *fill, const npy_array *data);

#endif
