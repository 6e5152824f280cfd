#include "shapes.h"

enum { DATA, INDICES };

/* A tensor's type, and the known part of its shape: a dimension is a number, or -1 and a name. */
typedef struct known_shape {
    ONNXTensorElementDataType type;
    size_t rank; /* 0: unknown, or a scalar: the runtime reports both alike */
    int64_t sizes[STREW_MAX_RANK];
    const char *names[STREW_MAX_RANK];
} known_shape;

static OrtStatus *read_known_shape(const OrtApi *api, const OrtShapeInferContext *context, size_t input,
                                   known_shape *read)
{
    OrtTensorTypeAndShapeInfo *info; /* the context's */
    size_t rank = 0;
    OrtStatus *status = api->ShapeInferContext_GetInputTypeShape(context, input, &info);
    read->rank = 0;
    if (!status)
        status = api->GetTensorElementType(info, &read->type);
    if (!status)
        status = api->GetDimensionsCount(info, &rank);
    if (status || rank > STREW_MAX_RANK)
        return status;
    status = api->GetDimensions(info, read->sizes, rank);
    if (!status)
        status = api->GetSymbolicDimensions(info, read->names, rank);
    if (!status)
        read->rank = rank;
    return status;
}

/* The runtime would read a dimension with neither size nor name as -1 elements: then leave the shape open. */
static bool is_known(const known_shape *shape)
{
    for (size_t d = 0; d < shape->rank; d++) {
        if (shape->sizes[d] < 0 && !*shape->names[d])
            return false;
    }
    return shape->rank > 0;
}

static void append(known_shape *shape, const known_shape *from, size_t begin, size_t end)
{
    for (size_t d = begin; d < end; d++, shape->rank++) {
        shape->sizes[shape->rank] = from->sizes[d];
        shape->names[shape->rank] = from->names[d];
    }
}

/* An integer attribute of the node; 0 if it is missing. */
static int64_t attribute_of(const OrtApi *api, const OrtShapeInferContext *context, const char *name)
{
    const OrtOpAttr *attribute = NULL;
    int64_t value = 0;
    size_t size;
    OrtStatus *status = api->ShapeInferContext_GetAttribute(context, name, &attribute);
    if (!status && attribute)
        status = api->ReadOpAttr(attribute, ORT_OP_ATTR_INT, &value, sizeof value, &size);
    api->ReleaseStatus(status);
    return value;
}

/* The output of a Gather: data with the dimensions of indices in place of the axis. */
static known_shape gathered_along(const known_shape *data, const known_shape *indices, int64_t axis)
{
    known_shape shape = {.type = data->type, .rank = 0};
    const int64_t rank = (int64_t)data->rank;
    if (indices->rank && axis >= -rank && axis < rank && data->rank - 1 + indices->rank <= STREW_MAX_RANK) {
        const size_t at = (size_t)(axis < 0 ? axis + rank : axis);
        append(&shape, data, 0, at);
        append(&shape, indices, 0, indices->rank);
        append(&shape, data, at + 1, data->rank);
    }
    return shape;
}

/* The output of a GatherND: indices without their last dimension, and the dimensions of data that a tuple does
 * not address. */
static known_shape gathered(const known_shape *data, const known_shape *indices, int64_t batch_dims)
{
    known_shape shape = {.type = data->type, .rank = 0};
    const int64_t addressed = indices->rank ? indices->sizes[indices->rank - 1] : -1;
    const int64_t rank = (int64_t)data->rank;
    if (addressed >= 0 && batch_dims >= 0 && addressed <= rank - batch_dims &&
        (int64_t)indices->rank - 1 + rank - batch_dims - addressed <= STREW_MAX_RANK) {
        append(&shape, indices, 0, indices->rank - 1);
        append(&shape, data, (size_t)(batch_dims + addressed), data->rank);
    }
    return shape;
}

static known_shape output_shape(const OrtApi *api, const OrtShapeInferContext *context, const strew_operator *op,
                                const known_shape *data, const known_shape *indices)
{
    known_shape shape = *data;
    if (op->kind == STREW_KIND_GATHER_ELEMENTS) {
        shape = *indices;
        shape.type = data->type;
    } else if (op->kind == STREW_KIND_GATHER_ND) {
        shape = gathered(data, indices, attribute_of(api, context, "batch_dims"));
    } else if (op->kind == STREW_KIND_GATHER) {
        shape = gathered_along(data, indices, attribute_of(api, context, "axis"));
    }
    return shape;
}

static OrtStatus *say_shape(const OrtApi *api, const OrtShapeInferContext *context, const known_shape *shape)
{
    OrtTensorTypeAndShapeInfo *info;
    OrtStatus *status = api->CreateTensorTypeAndShapeInfo(&info);
    if (status)
        return status;
    status = api->SetTensorElementType(info, shape->type);
    if (!status)
        status = api->SetDimensions(info, shape->sizes, shape->rank);
    if (!status)
        status = api->SetSymbolicDimensions(info, (const char **)shape->names, shape->rank);
    if (!status)
        status = api->ShapeInferContext_SetOutputTypeShape(context, 0, info);
    api->ReleaseTensorTypeAndShapeInfo(info);
    return status;
}

void strew_ort_infer_shape(const OrtApi *api, const strew_operator *op, OrtShapeInferContext *context)
{
    known_shape data, indices;
    OrtStatus *status = read_known_shape(api, context, DATA, &data);
    if (!status)
        status = read_known_shape(api, context, INDICES, &indices);
    if (!status) {
        const known_shape shape = output_shape(api, context, op, &data, &indices);
        if (is_known(&shape))
            status = say_shape(api, context, &shape);
    }
    api->ReleaseStatus(status);
}
