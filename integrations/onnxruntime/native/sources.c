#include "sources.h"

#include <stdbool.h>
#include <string.h>

/* The computation of a shape uses few values: beyond these limits it counts as values. */
enum { MOST_VALUES = 256, MOST_INPUTS = 32 };

/* The values visited, each once, and the highest kind of source among them. */
typedef struct walk {
    const OrtApi *api;
    const OrtValueInfo *values[MOST_VALUES];
    size_t count;
    strew_ort_made made;
} walk;

static void raise_to(walk *self, strew_ort_made made)
{
    if (made > self->made)
        self->made = made;
}

/* An optional input that a node does not have is NULL. */
static void add(walk *self, const OrtValueInfo *value)
{
    for (size_t i = 0; i < self->count; i++) {
        if (self->values[i] == value)
            return;
    }
    if (self->count == MOST_VALUES)
        raise_to(self, STREW_ORT_OF_VALUES);
    else if (value)
        self->values[self->count++] = value;
}

/* A node with graphs inside may see more than its inputs; one without inputs may draw at random. */
static OrtStatus *add_inputs(walk *self, const OrtNode *node)
{
    const OrtValueInfo *inputs[MOST_INPUTS];
    size_t count = 0, graphs = 0;
    OrtStatus *status = self->api->Node_GetNumInputs(node, &count);
    if (!status)
        status = self->api->Node_GetNumSubgraphs(node, &graphs);
    if (!status && (count == 0 || count > MOST_INPUTS || graphs > 0)) {
        raise_to(self, STREW_ORT_OF_VALUES);
        return NULL;
    }
    if (!status)
        status = self->api->Node_GetInputs(node, inputs, count);
    for (size_t i = 0; !status && i < count; i++)
        add(self, inputs[i]);
    return status;
}

static OrtStatus *follow_node(walk *self, const OrtNode *node)
{
    const char *type;
    OrtStatus *status = self->api->Node_GetOperatorType(node, &type);
    if (status)
        return status;
    if (strcmp(type, "Shape") == 0 || strcmp(type, "Size") == 0) {
        raise_to(self, STREW_ORT_OF_SHAPES);
        return NULL;
    }
    raise_to(self, STREW_ORT_OF_CONSTANTS);
    return add_inputs(self, node);
}

static OrtStatus *follow(walk *self, const OrtValueInfo *value)
{
    const OrtNode *producer = NULL;
    bool is_constant = false, is_outside = false;
    OrtStatus *status = self->api->ValueInfo_IsConstantInitializer(value, &is_constant);
    if (status || is_constant)
        return status;
    status = self->api->ValueInfo_IsFromOuterScope(value, &is_outside);
    if (!status && !is_outside)
        status = self->api->ValueInfo_GetValueProducer(value, &producer, NULL);
    if (status || producer)
        return status ? status : follow_node(self, producer);
    raise_to(self, STREW_ORT_OF_VALUES);
    return NULL;
}

OrtStatus *strew_ort_made_of(const OrtApi *api, const OrtValueInfo *value, strew_ort_made *made)
{
    walk self = {.api = api, .made = STREW_ORT_CONSTANT};
    OrtStatus *status = NULL;
    add(&self, value);
    for (size_t i = 0; !status && i < self.count && self.made < STREW_ORT_OF_VALUES; i++)
        status = follow(&self, self.values[i]);
    *made = self.made;
    return status;
}
