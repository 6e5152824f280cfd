/* The known part of the shapes of outputs, for the runtime's plan of its memory. */
#ifndef STREW_ONNXRUNTIME_SHAPES_H
#define STREW_ONNXRUNTIME_SHAPES_H

#include "operators.h"

/*
 * Sets the type and shape of the output of a node of this kind of operator, with the model's names for dimensions.
 * Unknown parts stay open. The run of the node reports errors.
 */
void strew_ort_infer_shape(const OrtApi *api, const strew_operator *op, OrtShapeInferContext *context);

#endif
