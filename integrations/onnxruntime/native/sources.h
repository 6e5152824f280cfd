/* The sources of a value in a graph, as far back as the graph goes. */
#ifndef STREW_ONNXRUNTIME_SOURCES_H
#define STREW_ONNXRUNTIME_SOURCES_H

#include <onnxruntime_c_api.h>

typedef enum strew_ort_made {
    STREW_ORT_CONSTANT,     /* an initializer that nothing can change */
    STREW_ORT_OF_CONSTANTS, /* computed from such alone */
    STREW_ORT_OF_SHAPES,    /* computed from shapes and constants */
    STREW_ORT_OF_VALUES     /* known only in a run, or too many values to follow */
} strew_ort_made;

/* `api` is of version 23 or newer. In a subgraph, outside values count as STREW_ORT_OF_VALUES unless they are
 * constant. */
OrtStatus *strew_ort_made_of(const OrtApi *api, const OrtValueInfo *value, strew_ort_made *made);

#endif
