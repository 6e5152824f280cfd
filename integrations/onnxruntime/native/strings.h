/* Tensors of strings, which the runtime owns: strew moves positions, and then the runtime's functions move
 * strings. */
#ifndef STREW_ONNXRUNTIME_STRINGS_H
#define STREW_ONNXRUNTIME_STRINGS_H

#include <onnxruntime_c_api.h>
#include <stdbool.h>

/* The sources of a result's strings. */
typedef struct strew_ort_strings {
    const OrtValue *data;     /* positions 0 to data_count - 1 */
    const OrtValue *updates;  /* and on from there; NULL for a gather */
    size_t data_count;        /* how many strings data has */
    OrtValue *output;         /* its element i becomes */
    const int64_t *positions; /* the string at positions[i] */
    size_t count;             /* how many elements that are */
    bool is_in_place;         /* data is the output's memory and already holds its own strings */
} strew_ort_strings;

OrtStatus *strew_ort_move_strings(const OrtApi *api, const strew_ort_strings *strings);

#endif
