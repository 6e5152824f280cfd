#include "claim.h"
#include "sources.h"

enum { MOST_VALUES = 3 }; /* data, indices and updates */

/* What a model tells of a node. */
typedef struct facts {
    const strew_operator *op;
    strew_dtype data;
    char reduction[STREW_ORT_NAME_SIZE]; /* empty: none, or one whose name is longer than any that there is */
    size_t rank;                         /* the greatest that is known */
} facts;

/* Of a value that is missing, or no tensor, nothing. */
static OrtStatus *read_value(const OrtApi *api, const OrtValueInfo *value, strew_dtype *dtype, size_t *rank)
{
    const OrtTypeInfo *info = NULL;
    const OrtTensorTypeAndShapeInfo *tensor = NULL;
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    OrtStatus *status = value ? api->GetValueInfoTypeInfo(value, &info) : NULL;
    if (!status && info)
        status = api->CastTypeInfoToTensorInfo(info, &tensor);
    if (status || !tensor)
        return status;
    status = api->GetTensorElementType(tensor, &type);
    *dtype = strew_ort_dtype(type);
    return status ? status : api->GetDimensionsCount(tensor, rank);
}

/* Reads `count` values, of which the first tells the type of data. */
static OrtStatus *read_values(const OrtApi *api, const OrtValueInfo *const *values, size_t count, facts *read)
{
    OrtStatus *status = NULL;
    for (size_t i = 0; !status && i < count; i++) {
        strew_dtype dtype = STREW_DTYPE_NONE;
        size_t rank = 0;
        status = read_value(api, values[i], &dtype, &rank);
        if (i == 0)
            read->data = dtype;
        if (rank > read->rank)
            read->rank = rank;
    }
    return status;
}

/* A node for which there is a kernel has the inputs of strew's operator, and one output, of the type of data. */
static OrtStatus *read_operands(const OrtApi *api, const OrtNode *node, facts *read)
{
    const OrtValueInfo *values[MOST_VALUES] = {NULL};
    const size_t inputs = strew_ort_input_count(read->op);
    OrtStatus *status = api->Node_GetOutputs(node, values, MOST_VALUES);
    if (!status)
        status = read_values(api, values, 1, read);
    if (!status)
        status = api->Node_GetInputs(node, values, MOST_VALUES);
    return status ? status : read_values(api, values, inputs, read);
}

static OrtStatus *read_operator(const OrtApi *api, const OrtNode *node, const strew_operator **op)
{
    const char *type;
    int version;
    OrtStatus *status = api->Node_GetOperatorType(node, &type);
    if (!status)
        status = api->Node_GetSinceVersion(node, &version);
    *op = status ? NULL : strew_ort_operator_in_opset(type, version);
    return status;
}

/* An operator without the attribute says that it is not found. */
static void read_reduction(const OrtApi *api, const OrtNode *node, char name[STREW_ORT_NAME_SIZE])
{
    const OrtOpAttr *attribute = NULL;
    size_t length = 0;
    api->ReleaseStatus(api->Node_GetAttributeByName(node, "reduction", &attribute));
    if (!attribute)
        return;
    OrtStatus *status = api->ReadOpAttr(attribute, ORT_OP_ATTR_STRING, name, STREW_ORT_NAME_SIZE - 1, &length);
    name[status ? 0 : length] = '\0';
    api->ReleaseStatus(status);
}

/*
 * A Gather is the runtime's where it knows the data before it runs: it computes shapes with it, folds it, or keeps
 * weights quantised before it.
 */
static OrtStatus *is_known_before(const OrtApi *api, const OrtNode *node, bool *is_known)
{
    const OrtValueInfo *values[MOST_VALUES] = {NULL};
    strew_ort_made data = STREW_ORT_OF_VALUES, indices = STREW_ORT_OF_VALUES;
    OrtStatus *status = api->Node_GetInputs(node, values, MOST_VALUES);
    if (!status)
        status = strew_ort_made_of(api, values[0], &data);
    if (!status && data == STREW_ORT_CONSTANT)
        status = strew_ort_made_of(api, values[1], &indices);
    *is_known = data < STREW_ORT_OF_VALUES && (data > STREW_ORT_CONSTANT || indices < STREW_ORT_OF_VALUES);
    return status;
}

OrtStatus *strew_ort_claims(const OrtApi *api, const OrtNode *node, bool *claims)
{
    facts known = {.op = NULL};
    *claims = false;
    OrtStatus *status = read_operator(api, node, &known.op);
    if (status || !known.op)
        return status;
    status = read_operands(api, node, &known);
    if (status)
        return status;
    read_reduction(api, node, known.reduction);
    *claims = strew_ort_serves(known.op, known.data, *known.reduction ? known.reduction : NULL, known.rank);
    if (*claims && known.op->kind == STREW_KIND_GATHER) {
        bool is_known = false;
        status = is_known_before(api, node, &is_known);
        *claims = !is_known;
    }
    return status;
}
