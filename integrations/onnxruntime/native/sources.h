/* What a value of a graph is made of, as far back as the graph goes. */
#ifndef STREW_ONNXRUNTIME_SOURCES_H
#define STREW_ONNXRUNTIME_SOURCES_H

#include <onnxruntime_c_api.h>

typedef enum strew_ort_made {
    STREW_ORT_CONSTANT,     /* an initializer that nobody can change */
    STREW_ORT_OF_CONSTANTS, /* computed from such alone */
    STREW_ORT_OF_SHAPES,    /* of shapes and constants */
    STREW_ORT_OF_VALUES     /* of what only a run shows, or of more values than are looked at */
} strew_ort_made;

/* `api` is of version 23 or newer. What lies outside a subgraph counts as values there, unless it is constant. */
OrtStatus *strew_ort_made_of(const OrtApi *api, const OrtValueInfo *value, strew_ort_made *made);

#endif
