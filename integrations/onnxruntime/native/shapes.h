/* The shapes of outputs as far as a model tells them, for the runtime's plan of its memory. */
#ifndef STREW_ONNXRUNTIME_SHAPES_H
#define STREW_ONNXRUNTIME_SHAPES_H

#include "operators.h"

/*
 * Says the type and the shape of the output of a node of this kind of operator, in the names that the model has for
 * dimensions. What cannot be told is left open, and what is wrong is said when the node runs.
 */
void strew_ort_infer_shape(const OrtApi *api, const strew_operator *op, OrtShapeInferContext *context);

#endif
