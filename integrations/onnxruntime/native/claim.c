#include "claim.h"
#include "sources.h"

enum { MOST_VALUES = 3 }; /* data, indices and updates */

/* The facts about a node in a model. */
typedef struct facts {
    const strew_operator *op;
    strew_dtype data;
    char reduction[STREW_ORT_NAME_SIZE]; /* empty: none, or longer than every known name */
    size_t rank;                         /* the greatest that is known */
    uint64_t moved;                      /* as in strew_ort_serves */
} facts;

/* The facts about a value in a model. */
typedef struct value_facts {
    strew_dtype dtype;
    size_t rank;
    uint64_t bytes; /* STREW_ORT_UNKNOWN: not in the model */
} value_facts;

/* Larger counts of elements are treated as unknown. */
static uint64_t bytes_of(strew_dtype dtype, const int64_t *shape, size_t rank)
{
    const uint64_t most = UINT32_MAX;
    uint64_t count = 1;
    for (size_t d = 0; d < rank; d++) {
        if (shape[d] < 0 || (uint64_t)shape[d] > most || (count *= (uint64_t)shape[d]) > most)
            return STREW_ORT_UNKNOWN;
    }
    return count * (uint64_t)strew_dtype_bits(dtype) / 8;
}

/* Reads no facts if the value is missing or no tensor. The runtime reports a scalar like an unknown shape. */
static OrtStatus *read_value(const OrtApi *api, const OrtValueInfo *value, value_facts *read)
{
    const OrtTypeInfo *info = NULL;
    const OrtTensorTypeAndShapeInfo *tensor = NULL;
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    int64_t shape[STREW_MAX_RANK];
    *read = (value_facts){STREW_DTYPE_NONE, 0, STREW_ORT_UNKNOWN};
    OrtStatus *status = value ? api->GetValueInfoTypeInfo(value, &info) : NULL;
    if (!status && info)
        status = api->CastTypeInfoToTensorInfo(info, &tensor);
    if (status || !tensor)
        return status;
    status = api->GetTensorElementType(tensor, &type);
    read->dtype = strew_ort_dtype(type);
    if (!status)
        status = api->GetDimensionsCount(tensor, &read->rank);
    if (status || read->rank == 0 || read->rank > STREW_MAX_RANK || read->dtype == STREW_DTYPE_NONE)
        return status;
    status = api->GetDimensions(tensor, shape, read->rank);
    if (!status)
        read->bytes = bytes_of(read->dtype, shape, read->rank);
    return status;
}

static void add(facts *known, const value_facts *value, bool is_moved)
{
    if (value->rank > known->rank)
        known->rank = value->rank;
    if (is_moved && known->moved != STREW_ORT_UNKNOWN)
        known->moved = value->bytes == STREW_ORT_UNKNOWN ? STREW_ORT_UNKNOWN : known->moved + value->bytes;
}

/* A node for which there is a kernel has the inputs of strew's operator, and one output, of the type of data. */
static OrtStatus *read_operands(const OrtApi *api, const OrtNode *node, facts *read)
{
    const OrtValueInfo *output = NULL, *inputs[MOST_VALUES] = {NULL};
    value_facts value;
    OrtStatus *status = api->Node_GetOutputs(node, &output, 1);
    if (!status)
        status = read_value(api, output, &value);
    if (!status)
        add(read, &value, true);
    if (!status)
        status = api->Node_GetInputs(node, inputs, MOST_VALUES);
    for (size_t i = 0; !status && i < strew_ort_input_count(read->op); i++) {
        status = read_value(api, inputs[i], &value);
        add(read, &value, i > 0);
        if (i == 0)
            read->data = value.dtype;
    }
    return status;
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

/* If an operator lacks the attribute, the runtime's status is "not found". */
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

OrtStatus *strew_ort_claims(const OrtApi *api, const OrtNode *node, bool is_exact, bool *claims)
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
    *claims = strew_ort_serves(known.op, known.data, *known.reduction ? known.reduction : NULL, known.rank,
                               is_exact ? STREW_ORT_UNKNOWN : known.moved);
    if (*claims && known.op->kind == STREW_KIND_GATHER) {
        bool is_known = false;
        status = is_known_before(api, node, &is_known);
        *claims = !is_known;
    }
    return status;
}
